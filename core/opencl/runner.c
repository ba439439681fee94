/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs kernels of clopt's own on an opened device. */
#include "opencl/runner.h"

#include <clopt/memory.h>

#include "opencl/build.h"
#include "opencl/name.h"
#include "process/clock.h"

void clopt_runner_check(struct clopt_runner *runner, const char *call, cl_int code)
{
    if (!runner->status)
        runner->status = clopt_check_cl(runner->error, call, code);
}

void clopt_runner_build(struct clopt_runner *runner, const char *name, const char *source,
                        const char *options)
{
    CLOPT_OWNED(clopt_build) build = {.context = runner->context};
    if (runner->program)
        return;
    build.source = source;
    build.options = options;
    clopt_build_init(&build);
    runner->status = clopt_build_make(&build, &runner->program, runner->error);
    if (runner->status)
        clopt_fail_within(runner->error, "clopt's own %s", name);
}

void clopt_runner_prepare(struct clopt_runner *runner, struct clopt_own_launch *launch)
{
    cl_int code;
    if (runner->status)
        return;
    launch->kernel = clCreateKernel(runner->program, launch->name, &code);
    clopt_runner_check(runner, "clCreateKernel", code);
}

void clopt_runner_release_launch(struct clopt_own_launch *launch)
{
    if (launch->kernel)
        clReleaseKernel(launch->kernel);
    launch->kernel = NULL;
}

void clopt_runner_set(struct clopt_runner *runner, const struct clopt_own_launch *launch,
                      cl_uint index, size_t bytes, const void *value)
{
    if (!runner->status)
        clopt_runner_check(runner, "clSetKernelArg",
                           clSetKernelArg(launch->kernel, index, bytes, value));
}

void clopt_runner_time(struct clopt_runner *runner, const struct clopt_own_launch *launch,
                       struct clopt_launch_time *time)
{
    cl_event event;
    cl_ulong began, ended;
    *time = (struct clopt_launch_time){0};
    if (runner->status)
        return;
    const size_t global[] = {launch->global, launch->rows}, local[] = {launch->local, 1};
    int64_t called_ns = clopt_now_ns();
    cl_int code =
        clEnqueueNDRangeKernel(runner->context->queue, launch->kernel, launch->rows ? 2 : 1, NULL,
                               global, launch->local ? local : NULL, 0, NULL, &event);
    clopt_runner_check(runner, "clEnqueueNDRangeKernel", code);
    if (code != CL_SUCCESS)
        return;
    code = clWaitForEvents(1, &event);
    time->host_ns = (double)(clopt_now_ns() - called_ns);
    clopt_runner_check(runner, "clWaitForEvents", code);
    if (clopt_event_interval(event, runner->context->clock.resolution_ns, &began, &ended,
                             time->reason))
        time->event_ns = (double)(ended - began);
    clReleaseEvent(event);
}

double clopt_runner_run(struct clopt_runner *runner, const struct clopt_own_launch *launch)
{
    struct clopt_launch_time time;
    const struct clopt_clock *clock = &runner->context->clock;
    clopt_runner_time(runner, launch, &time);
    double most_ns = clopt_clock_host_time(clock, time.host_ns);
    bool by_event = clock->source == CLOPT_CLOCK_EVENTS && !time.reason[0] &&
                    time.event_ns <= time.host_ns && 2 * time.event_ns >= most_ns;
    return runner->status ? 0 : by_event ? time.event_ns : most_ns;
}

cl_mem clopt_runner_create_buffer(struct clopt_runner *runner, size_t bytes, const void *data)
{
    cl_int code;
    if (runner->status)
        return NULL;
    cl_mem buffer = clCreateBuffer(runner->context->context,
                                   CL_MEM_READ_WRITE | (data ? CL_MEM_COPY_HOST_PTR : 0), bytes,
                                   (void *)(uintptr_t)data, &code);
    clopt_runner_check(runner, "clCreateBuffer", code);
    return code == CL_SUCCESS ? buffer : NULL;
}

void clopt_runner_release(cl_mem buffer)
{
    if (buffer)
        clReleaseMemObject(buffer);
}

void *clopt_runner_read(struct clopt_runner *runner, cl_mem buffer, size_t bytes)
{
    void *data = clopt_calloc(bytes, 1);
    if (!runner->status)
        clopt_runner_check(runner, "clEnqueueReadBuffer",
                           clEnqueueReadBuffer(runner->context->queue, buffer, CL_TRUE, 0, bytes,
                                               data, 0, NULL, NULL));
    return data;
}
