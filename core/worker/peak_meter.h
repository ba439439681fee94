/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files share that measure peaks; worker/peak.h is for the others. */
#ifndef CLOPT_WORKER_PEAK_METER_H
#define CLOPT_WORKER_PEAK_METER_H

#include <CL/cl.h>

#include <clopt/app.h>

#include "opencl/context.h"

/* A launch lasts about as long as this, so that its beginning and end do not count; candidates are
 * chosen by shorter ones. */
#define CLOPT_PEAK_LAUNCH_NS 5e6
#define CLOPT_PEAK_TRIAL_NS  1e6

/* Work-items that fill a GPU's compute unit. */
#define CLOPT_PEAK_ITEMS_PER_UNIT 2048

/* What all measurements need. After a failure `status` and `error` say why, and calls do nothing.
 */
struct clopt_peak_meter {
    const struct clopt_context *context;
    cl_program program;
    int64_t deadline_ns; /* from then on there are no further launches than each peak needs */
    enum clopt_status status;
    struct clopt_error *error;
};

/* One kernel with its NDRange. */
struct clopt_peak_launch {
    const char *name;
    cl_kernel kernel;
    size_t global;
    size_t local;
};

/* Makes a launch of so many work-items for each compute unit of the device. */
void clopt_peak_launch_init(struct clopt_peak_meter *meter, const char *name, size_t per_unit,
                            size_t local, struct clopt_peak_launch *launch);
void clopt_peak_launch_fini(struct clopt_peak_launch *launch);

/* Sets an argument. */
void clopt_peak_set(struct clopt_peak_meter *meter, const struct clopt_peak_launch *launch,
                    cl_uint index, size_t bytes, const void *value);

/* Launches a kernel, and returns how long it took on the device. */
double clopt_peak_run(struct clopt_peak_meter *meter, const struct clopt_peak_launch *launch);

/* Launches a kernel a few times, and returns the shortest time. */
double clopt_peak_try(struct clopt_peak_meter *meter, const struct clopt_peak_launch *launch);

/* Whether another sample is to be taken, of which `taken` are there since then. */
bool clopt_peak_goes_on(const struct clopt_peak_meter *meter, int64_t began_ns, unsigned taken);

/* Makes a buffer, with a copy of `data` unless that is NULL; reads one, for the caller to free; and
 * releases one, if there is any. */
cl_mem clopt_peak_create_buffer(struct clopt_peak_meter *meter, size_t bytes, const void *data);
void *clopt_peak_read(struct clopt_peak_meter *meter, cl_mem buffer, size_t bytes);
void clopt_peak_release(cl_mem buffer);

/* Report a call that failed (CL_SUCCESS: it did not), a time that is none, and a result that is not
 * right. */
void clopt_peak_check_call(struct clopt_peak_meter *meter, const char *call, cl_int code);
void clopt_peak_check_time(struct clopt_peak_meter *meter, const struct clopt_peak_launch *launch,
                           double time_ns);
void clopt_peak_check_result(struct clopt_peak_meter *meter, const struct clopt_peak_launch *launch,
                             bool right);

/* Measure in G operations, or bytes, a second. A kind of arithmetic is measured with the faster one
 * of two kernels, of scalars and of vectors of a width. */
void clopt_peak_measure_arithmetic(struct clopt_peak_meter *meter, enum clopt_arithmetic arithmetic,
                                   unsigned width, double *rate);
void clopt_peak_measure_memory(struct clopt_peak_meter *meter, double *rate);

/* The source of the kernels. */
extern const char clopt_peak_source[];

/* Of its arithmetic kernels: steps in each round, and chains of a work-item. */
#define CLOPT_PEAK_STEPS  32
#define CLOPT_PEAK_CHAINS 8

/* What an index into the buffer is multiplied by. */
#define CLOPT_PEAK_HASH 2654435761u

#endif
