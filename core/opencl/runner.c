/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs kernels of clopt's own on an opened device. */
#include "opencl/runner.h"

#include <clopt/memory.h>

#include "opencl/build.h"
#include "opencl/event_time.h"
#include "opencl/name.h"

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

double clopt_runner_run(struct clopt_runner *runner, const struct clopt_own_launch *launch)
{
    cl_event event;
    cl_ulong began = 0, ended = 0;
    if (runner->status)
        return 0;
    const size_t global[] = {launch->global, launch->rows}, local[] = {launch->local, 1};
    cl_int code =
        clEnqueueNDRangeKernel(runner->context->queue, launch->kernel, launch->rows ? 2 : 1, NULL,
                               global, launch->local ? local : NULL, 0, NULL, &event);
    clopt_runner_check(runner, "clEnqueueNDRangeKernel", code);
    if (code != CL_SUCCESS)
        return 0;
    code = clWaitForEvents(1, &event);
    clopt_runner_check(runner, "clWaitForEvents", code);
    if (!runner->status)
        runner->status = clopt_event_interval(event, &began, &ended, runner->error);
    clReleaseEvent(event);
    return runner->status ? 0 : (double)(ended - began);
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
