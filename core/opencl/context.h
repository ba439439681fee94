/* SPDX-License-Identifier: BSD-3-Clause */
/* An opened device: its context, its queue, and how programs are built for it. */
#pragma once

#include <CL/cl.h>

#include "opencl/clock.h"
#include "opencl/device.h"
#include "opencl/traits.h"

/* Whether a device works in the memory that the host offers for a buffer. */
enum clopt_in_place { CLOPT_IN_PLACE_UNKNOWN, CLOPT_IN_PLACE, CLOPT_NOT_IN_PLACE };

struct clopt_context {
    cl_device_id id;
    cl_context context;
    cl_command_queue queue; /* in order, with profiling */
    struct clopt_device_info info;
    const struct clopt_traits *traits;
    char *builds;               /* the folder where programs are cached, owned; NULL: nowhere */
    cl_program digest_program;  /* made when the first digest needs it */
    cl_program permute_program; /* and when a buffer first gets another layout */
    enum clopt_in_place in_place;
    struct clopt_clock clock;
};

/* Opens device number `ordinal` of the platform of `expected`, which must still have its name: no
 * other device is ever opened instead. */
enum clopt_status clopt_context_open(struct clopt_context *context,
                                     const struct clopt_device_info *expected, size_t ordinal,
                                     struct clopt_error *error);
void clopt_context_close(struct clopt_context *context);

/* What a program is made of. */
struct clopt_program_code {
    const char *source; /* NULL: */
    const unsigned char *binary;
    size_t bytes;
    const char *options;
    char *log; /* what the compiler said, cut to 64 KiB, also on success; for the caller to free */
};

/* Makes a program. CLOPT_FAILED: the binary does not fit. */
enum clopt_status clopt_program_make(const struct clopt_context *context,
                                     struct clopt_program_code *of, cl_program *program,
                                     struct clopt_error *error);

/* Takes the binary of a built program, for the caller to free; another process makes a program of
 * it for the same device. */
enum clopt_status clopt_program_binary(cl_program program, unsigned char **binary, size_t *bytes,
                                       struct clopt_error *error);
