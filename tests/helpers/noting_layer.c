/* SPDX-License-Identifier: BSD-3-Clause */
/* A layer of OpenCL that notes each build of a source in the file that BUILDS_NOTED names, and each
 * launch, with the global size and how long its program's source is, in that of LAUNCHES_NOTED. */
#include <stdio.h>
#include <stdlib.h>

#include "layer_frame.h"

static CL_API_ENTRY cl_int CL_API_CALL build(cl_program program, cl_uint count,
                                             const cl_device_id *devices, const char *options,
                                             void(CL_CALLBACK *call)(cl_program, void *),
                                             void *user)
{
    const char *path = getenv("BUILDS_NOTED");
    size_t bytes = 0;
    below->clGetProgramInfo(program, CL_PROGRAM_SOURCE, 0, NULL, &bytes);
    FILE *file = path && bytes > 1 ? fopen(path, "a") : NULL;
    if (file) {
        fprintf(file, "%s\n", options ? options : "");
        fclose(file);
    }
    return below->clBuildProgram(program, count, devices, options, call, user);
}

static CL_API_ENTRY cl_int CL_API_CALL launch(cl_command_queue queue, cl_kernel kernel,
                                              cl_uint dimensions, const size_t *offset,
                                              const size_t *global, const size_t *local,
                                              cl_uint count, const cl_event *events,
                                              cl_event *event)
{
    const char *path = getenv("LAUNCHES_NOTED");
    FILE *file = path ? fopen(path, "a") : NULL;
    if (file) {
        char name[64] = "";
        cl_program program = NULL;
        size_t bytes = 0;
        below->clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL);
        below->clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof program, &program, NULL);
        below->clGetProgramInfo(program, CL_PROGRAM_SOURCE, 0, NULL, &bytes);
        fprintf(file, "%s %zu %zu\n", name, global[0], bytes);
        fclose(file);
    }
    return below->clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local, count,
                                         events, event);
}

static void replace(cl_icd_dispatch *dispatch)
{
    dispatch->clBuildProgram = build;
    dispatch->clEnqueueNDRangeKernel = launch;
}
