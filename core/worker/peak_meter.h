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

/* What all measurements need. */
struct clopt_peak_meter {
    const struct clopt_context *context;
    cl_program program;
    int64_t deadline_ns; /* from then on there are no further launches than each peak needs */
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
enum clopt_status clopt_peak_launch_init(const struct clopt_peak_meter *meter, const char *name,
                                         size_t per_unit, size_t local,
                                         struct clopt_peak_launch *launch);
void clopt_peak_launch_fini(struct clopt_peak_launch *launch);

/* Sets an argument. */
enum clopt_status clopt_peak_set(const struct clopt_peak_meter *meter,
                                 const struct clopt_peak_launch *launch, cl_uint index,
                                 size_t bytes, const void *value);

/* Launches a kernel, and tells how long it took on the device. */
enum clopt_status clopt_peak_run(const struct clopt_peak_meter *meter,
                                 const struct clopt_peak_launch *launch, double *time_ns);

/* Launches a kernel a few times, and tells the shortest time. */
enum clopt_status clopt_peak_try(const struct clopt_peak_meter *meter,
                                 const struct clopt_peak_launch *launch, double *shortest_ns);

/* Whether another sample is to be taken, of which `taken` are there since then. */
bool clopt_peak_goes_on(const struct clopt_peak_meter *meter, int64_t began_ns, unsigned taken);

/* Refuses a time that is none. */
enum clopt_status clopt_peak_check_time(const struct clopt_peak_meter *meter,
                                        const struct clopt_peak_launch *launch, double time_ns);

/* Makes a buffer, with a copy of `data` unless that is NULL; reads one, for the caller to free; and
 * releases one, if there is any. */
enum clopt_status clopt_peak_create_buffer(const struct clopt_peak_meter *meter, size_t bytes,
                                           const void *data, cl_mem *buffer);
enum clopt_status clopt_peak_read(const struct clopt_peak_meter *meter, cl_mem buffer, size_t bytes,
                                  void **data);
void clopt_peak_release(cl_mem *buffer);

/* Report a call that failed (CL_SUCCESS: it did not), and a result that is wrong. */
enum clopt_status clopt_peak_fail_call(const struct clopt_peak_meter *meter, const char *call,
                                       cl_int code);
enum clopt_status clopt_peak_fail_result(const struct clopt_peak_meter *meter,
                                         const struct clopt_peak_launch *launch);

/* Measure in G operations, or bytes, a second. A kind of arithmetic is measured with the faster one
 * of two kernels, of scalars and of vectors of a width. */
enum clopt_status clopt_peak_measure_arithmetic(const struct clopt_peak_meter *meter,
                                                enum clopt_arithmetic arithmetic, unsigned width,
                                                double *rate);
enum clopt_status clopt_peak_measure_memory(const struct clopt_peak_meter *meter, double *rate);

/* The source of the kernels. */
extern const char clopt_peak_source[];

/* Of its arithmetic kernels: steps in each round, and chains of a work-item. */
#define CLOPT_PEAK_STEPS  32
#define CLOPT_PEAK_CHAINS 8

/* What a place of the buffer is multiplied by. */
#define CLOPT_PEAK_HASH 2654435761u

#endif
