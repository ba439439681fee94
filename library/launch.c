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
    for (cl_uint i = 0; i < launch.added_count && !code; i++) {
        cl_ulong value = launch.added[i];
        code = clSetKernelArg(kernel, arguments + i, sizeof value, &value);
    }
    if (code)
        return clopt_fail_cl(error, "clSetKernelArg", code);
    code = clEnqueueNDRangeKernel(queue, kernel, range->dimensions, NULL, launch.global,
                                  launch.local, 0, NULL, event);
    return code ? clopt_fail_cl(error, "clEnqueueNDRangeKernel", code) : CLOPT_OK;
}
