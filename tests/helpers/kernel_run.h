/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs kernels k(global const int *in, global int *out, int n) for tests. */
#pragma once

#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

#include <stdbool.h>
#include <stdint.h>

#include <clopt/ndrange.h>

#define WORDS 16384 /* of in and out; n has that value */

struct device {
    cl_device_id id;
    cl_context context;
    cl_command_queue queue;
    cl_mem in;
    cl_mem out;
    int32_t inputs[WORDS];
    bool pocl;
    unsigned width; /* of Intel's vectorizer; 0: as it likes */
    bool plain;     /* build without optimizing */
};

/* Opens the first device of a platform whose name contains a word, or (NULL) of any. */
bool device_open(struct device *device, const char *platform);
void device_close(const struct device *device);

enum run {
    RUN_FAILED,
    RUN_DONE,
    RUN_REFUSED, /* it needs more local memory than the device has, or is for other launches */
};

/* Runs a source over a changed NDRange (NULL: as it is) and reads back the WORDS words that it
 * left; "// zero" in it: they are 0 before. */
enum run device_run(const struct device *device, const char *source,
                    const struct clopt_ndrange *initial, const struct clopt_ndrange_change *change,
                    int32_t *result);

#define KERNEL_OPTIONS_MAX 128

/* Gives the options that a source is built by: those of "// options -cl-std=CL2.0" in it, too. */
void kernel_options(const char *source, char options[KERNEL_OPTIONS_MAX]);

/* Reads "// local 16x4 global 64x8" in a source. */
struct clopt_ndrange device_range(const char *source);
