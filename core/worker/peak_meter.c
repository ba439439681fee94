/* SPDX-License-Identifier: BSD-3-Clause */
/* Launches the kernels that measure peaks, and takes their times. */
#include "worker/peak_meter.h"

#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/text.h"
#include "opencl/name.h"

/* So many launches tell how long one takes: the first may compile something, another process may
 * be in the way of one. */
#define TRIES 3

/* So many samples at least, and for so long, in which the clock of an idle device goes up. */
#define SAMPLES    4
#define SAMPLES_NS ((int64_t)80 * 1000 * 1000)

void clopt_peak_check_call(struct clopt_peak_meter *meter, const char *call, cl_int code)
{
    if (!meter->status)
        meter->status = clopt_check_cl(meter->error, call, code);
}

void clopt_peak_check_time(struct clopt_peak_meter *meter, const struct clopt_peak_launch *launch,
                           double time_ns)
{
    if (!meter->status && !(time_ns > 0))
        meter->status =
            clopt_fail(meter->error, CLOPT_FAILED, "%s: its events tell no time", launch->name);
}

void clopt_peak_check_result(struct clopt_peak_meter *meter, const struct clopt_peak_launch *launch,
                             bool right)
{
    if (!meter->status && !right)
        meter->status =
            clopt_fail(meter->error, CLOPT_WRONG_RESULT, "%s: wrong result", launch->name);
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

void clopt_peak_launch_init(struct clopt_peak_meter *meter, const char *name, size_t per_unit,
                            size_t local, struct clopt_peak_launch *launch)
{
    const struct clopt_device_info *info = &meter->context->info;
    cl_int code;
    *launch = (struct clopt_peak_launch){.name = name};
    if (meter->status)
        return;
    launch->kernel = clCreateKernel(meter->program, name, &code);
    clopt_peak_check_call(meter, "clCreateKernel", code);
    launch->local =
        smaller(local, smaller(info->max_work_group_size, info->max_work_item_sizes[0]));
    launch->global = (info->compute_units * per_unit + launch->local - 1) / launch->local;
    launch->global *= launch->local;
}

void clopt_peak_launch_fini(struct clopt_peak_launch *launch)
{
    if (launch->kernel)
        clReleaseKernel(launch->kernel);
    launch->kernel = NULL;
}

void clopt_peak_set(struct clopt_peak_meter *meter, const struct clopt_peak_launch *launch,
                    cl_uint index, size_t bytes, const void *value)
{
    if (!meter->status)
        clopt_peak_check_call(meter, "clSetKernelArg",
                              clSetKernelArg(launch->kernel, index, bytes, value));
}

double clopt_peak_run(struct clopt_peak_meter *meter, const struct clopt_peak_launch *launch)
{
    cl_event event;
    cl_ulong began = 0, ended = 0;
    if (meter->status)
        return 0;
    cl_int code = clEnqueueNDRangeKernel(meter->context->queue, launch->kernel, 1, NULL,
                                         &launch->global, &launch->local, 0, NULL, &event);
    clopt_peak_check_call(meter, "clEnqueueNDRangeKernel", code);
    if (code != CL_SUCCESS)
        return 0;
    code = clWaitForEvents(1, &event);
    if (code == CL_SUCCESS)
        code =
            clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof began, &began, NULL);
    if (code == CL_SUCCESS)
        code = clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof ended, &ended, NULL);
    clReleaseEvent(event);
    clopt_peak_check_call(meter, "clGetEventProfilingInfo", code);
    return ended > began ? (double)(ended - began) : 0;
}

double clopt_peak_try(struct clopt_peak_meter *meter, const struct clopt_peak_launch *launch)
{
    double shortest_ns = clopt_peak_run(meter, launch);
    for (int i = 1; i < TRIES && !meter->status; i++) {
        double time_ns = clopt_peak_run(meter, launch);
        if (!meter->status)
            shortest_ns = fmin(shortest_ns, time_ns);
    }
    return shortest_ns;
}

bool clopt_peak_goes_on(const struct clopt_peak_meter *meter, int64_t began_ns, unsigned taken)
{
    int64_t now = clopt_now_ns();
    return !meter->status && now < meter->deadline_ns &&
           (taken < SAMPLES || now - began_ns < SAMPLES_NS);
}

cl_mem clopt_peak_create_buffer(struct clopt_peak_meter *meter, size_t bytes, const void *data)
{
    cl_int code;
    if (meter->status)
        return NULL;
    cl_mem buffer = clCreateBuffer(meter->context->context,
                                   CL_MEM_READ_WRITE | (data ? CL_MEM_COPY_HOST_PTR : 0), bytes,
                                   (void *)(uintptr_t)data, &code);
    clopt_peak_check_call(meter, "clCreateBuffer", code);
    return code == CL_SUCCESS ? buffer : NULL;
}

void clopt_peak_release(cl_mem buffer)
{
    if (buffer)
        clReleaseMemObject(buffer);
}

void *clopt_peak_read(struct clopt_peak_meter *meter, cl_mem buffer, size_t bytes)
{
    void *data = meter->status ? NULL : malloc(bytes);
    if (!meter->status && !data)
        meter->status = clopt_fail_memory(meter->error);
    if (data)
        clopt_peak_check_call(meter, "clEnqueueReadBuffer",
                              clEnqueueReadBuffer(meter->context->queue, buffer, CL_TRUE, 0, bytes,
                                                  data, 0, NULL, NULL));
    return data;
}
