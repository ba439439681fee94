/* SPDX-License-Identifier: BSD-3-Clause */
/* Says how clopt's functions report that something went wrong. All files include this one, most of
 * them by their own header: C's headers that nearly all of them need come with it. */
#pragma once

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <clopt/owned.h>

#define CLOPT_API                 __attribute__((visibility("default")))
#define CLOPT_PRINTF(text, first) __attribute__((format(printf, text, first)))

/* What a function returns: CLOPT_OK, or the kind of failure. */
enum clopt_status {
    CLOPT_OK = 0,
    CLOPT_FAILED,           /* a file, the store, or the system said no */
    CLOPT_INVALID,          /* bad usage, configuration or input: the user can mend it */
    CLOPT_PLUGIN_UNUSABLE,  /* a plugin is missing or was refused */
    CLOPT_INFEASIBLE,       /* this variant cannot exist on this kernel or device */
    CLOPT_BUILD_FAILED,     /* the OpenCL compiler refused the variant */
    CLOPT_WRONG_RESULT,     /* the variant computed something else than the app's reference */
    CLOPT_CRASHED,          /* the worker process died */
    CLOPT_TIMED_OUT,        /* a stage ran longer than its limit */
    CLOPT_OUT_OF_RESOURCES, /* device or host had not enough of something */
    CLOPT_DEVICE_LOST,      /* the device stopped answering */
    CLOPT_INTERRUPTED,      /* the user asked to stop */
};

/* Why something failed: one sentence without a trailing newline. Owned by the caller, who sets
 * it to zero once; a function that fails overwrites it, one that succeeds leaves it alone. */
struct clopt_error {
    enum clopt_status status;
    char message[2048];
};

/* Fills `error` (which may be NULL) and returns `status`, so that callers can
 * `return clopt_fail(error, CLOPT_INVALID, "...")`. A message that is too long is cut. */
CLOPT_API enum clopt_status clopt_fail(struct clopt_error *error, enum clopt_status status,
                                       const char *format, ...) CLOPT_PRINTF(3, 4);

/* Reports that memory ran out: CLOPT_OUT_OF_RESOURCES. */
CLOPT_API enum clopt_status clopt_fail_memory(struct clopt_error *error);

/* Puts `format` and ": " in front of the message that `error` holds; returns its status. */
CLOPT_API enum clopt_status clopt_fail_within(struct clopt_error *error, const char *format, ...)
    CLOPT_PRINTF(2, 3);

/* Returns from the calling function with the status of `call`, unless that is CLOPT_OK. What is
 * to be given back then belongs to CLOPT_OWNED or CLOPT_FREED locals. */
#define CLOPT_TRY(call)                                                                            \
    do {                                                                                           \
        enum clopt_status clopt_tried = (call);                                                    \
        if (clopt_tried)                                                                           \
            return clopt_tried;                                                                    \
    } while (0)

/* Returns from the calling function where memory has run out: `memory` is NULL or false. */
#define CLOPT_NEED(memory, error)                                                                  \
    do {                                                                                           \
        if (!(memory))                                                                             \
            return clopt_fail_memory(error);                                                       \
    } while (0)
