/* SPDX-License-Identifier: BSD-3-Clause */
/* A launch that the layer has captured. */
#pragma once

#include <clopt/error.h>

enum clopt_captured_kind {
    CLOPT_CAPTURED_NOTHING, /* nothing is known of the argument */
    CLOPT_CAPTURED_BUFFER,  /* or an image */
    CLOPT_CAPTURED_NULL,    /* local memory, or no buffer */
    CLOPT_CAPTURED_VALUE,
    CLOPT_CAPTURED_SAMPLER,
};

struct clopt_captured_argument {
    enum clopt_captured_kind kind;
    size_t bytes;
    bool changed;         /* a buffer, by the launch */
    unsigned char *value; /* of CLOPT_CAPTURED_VALUE */
    const char
        *text; /* as studies have it: a sampler, or channels and sizes of an image; or NULL */
};

#define CLOPT_MOST_CAPTURED_ARGUMENTS 256

struct clopt_captured {
    char *stem; /* of its files: the path without .launch */
    char *text; /* of its file, in which these are: */
    const char *kernel, *program, *device, *options;
    unsigned dimensions;
    size_t global[3], local[3]; /* local: 0 where it was not given */
    struct clopt_captured_argument arguments[CLOPT_MOST_CAPTURED_ARGUMENTS];
    size_t argument_count;
};

/* Reads the file of a launch. CLOPT_INVALID: it is not whole. */
enum clopt_status clopt_captured_read(const char *path, struct clopt_captured *launch,
                                      struct clopt_error *error);
void clopt_captured_fini(struct clopt_captured *launch);
