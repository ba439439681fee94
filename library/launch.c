/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds and launches winners for an application. */

#include "library/kept.h"
#include "opencl/name.h"

/* Reports that the program of a winner cannot be built, with the beginning of what the compiler
 * says. */
static enum clopt_status fail_build(cl_program program, cl_device_id device, cl_int code,
                                    const struct clopt_winner *winner, struct clopt_error *error)
{
    char log[1500] = "";
    size_t bytes = 0;
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &bytes);
    if (bytes < sizeof log)
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, bytes, log, NULL);
    return clopt_fail(error, CLOPT_BUILD_FAILED, "%s: %s: clBuildProgram: %s (%d): %s",
                      winner->kernel, winner->variant, clopt_cl_error_name(code), code, log);
}

static const struct clopt_program_calls calls = {
    clCreateProgramWithSource, clCreateProgramWithBinary, clBuildProgram,  clGetProgramInfo,
    clGetDeviceInfo,           clGetPlatformInfo,         clReleaseProgram};

void clopt_wisdom_family(cl_device_id device, char family[CLOPT_FAMILY_SIZE])
{
    clopt_kept_family(&calls, device, family);
}

enum clopt_status clopt_winner_build(const struct clopt_winner *winner, cl_context context,
                                     cl_device_id device, cl_kernel *kernel,
                                     struct clopt_error *error)
{
    cl_int code = CL_SUCCESS;
    enum clopt_status status = CLOPT_OK;
    bool loaded;
    *kernel = NULL;
    cl_program program = clopt_kept_program(&calls, context, device, winner, &loaded, &code);
    if (!program)
        return clopt_fail_cl(error, "clCreateProgramWithSource", code);
    if (code)
        status = fail_build(program, device, code, winner, error);
    if (!status) {
        *kernel = clCreateKernel(program, winner->kernel, &code);
        status = code ? clopt_fail_cl(error, "clCreateKernel", code) : CLOPT_OK;
    }
    clReleaseProgram(program); /* the kernel keeps it */
    return status;
}

/* Makes a buffer of zeros; NULL, with *code. */
static cl_mem make_zeroed(cl_kernel kernel, uint64_t bytes, cl_int *code)
{
    cl_context context = NULL;
    void *zeros = calloc(1, bytes);
    cl_mem buffer = NULL;
    *code = zeros ? clGetKernelInfo(kernel, CL_KERNEL_CONTEXT, sizeof context, &context, NULL)
                  : CL_OUT_OF_HOST_MEMORY;
    if (*code == CL_SUCCESS)
        buffer =
            clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, zeros, code);
    free(zeros);
    return buffer;
}

/* Sets an argument that a winner takes in addition. A buffer is kept by the launch alone. */
static cl_int set_added(cl_kernel kernel, cl_uint index, uint64_t value, cl_mem *buffer)
{
    cl_ulong number = value;
    cl_int code = CL_SUCCESS;
    if (buffer)
        *buffer = make_zeroed(kernel, value, &code);
    return code     ? code
           : buffer ? clSetKernelArg(kernel, index, sizeof *buffer, buffer)
                    : clSetKernelArg(kernel, index, sizeof number, &number);
}

enum clopt_status clopt_winner_launch(const struct clopt_winner *winner, cl_command_queue queue,
                                      cl_kernel kernel, unsigned arguments, const int64_t *integers,
                                      const struct clopt_ndrange *range, cl_event *event,
                                      struct clopt_error *error)
{
    struct clopt_winner_launch launch;
    const char *obstacle =
        clopt_winner_map(winner, range->dimensions, range->global, range->local, integers, &launch);
    cl_int code = CL_SUCCESS;
    if (obstacle)
        return clopt_fail(error, CLOPT_INFEASIBLE, "%s: %s: this launch does not fit: %s",
                          winner->kernel, winner->variant, obstacle);
    cl_mem buffers[CLOPT_MOST_ADDED] = {NULL};
    for (cl_uint i = 0; i < launch.added_count && !code; i++)
        code = set_added(kernel, arguments + i, launch.added[i],
                         launch.zeroed[i] ? &buffers[i] : NULL);
    bool set = !code;
    if (set)
        code = clEnqueueNDRangeKernel(queue, kernel, range->dimensions, NULL, launch.global,
                                      launch.local, 0, NULL, event);
    for (size_t i = 0; i < CLOPT_MOST_ADDED; i++)
        if (buffers[i]) /* what is enqueued keeps it until it has run */
            clReleaseMemObject(buffers[i]);
    if (!set)
        return clopt_fail_cl(error, "clSetKernelArg", code);
    return code ? clopt_fail_cl(error, "clEnqueueNDRangeKernel", code) : CLOPT_OK;
}
