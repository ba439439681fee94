/* SPDX-License-Identifier: BSD-3-Clause */
/* A layer of OpenCL that ends the process where more than POOR_MOST buffers of POOR_SIZE bytes that
 * start from nothing are there at a time; and whose drivers have no memory for buffers of as many
 * bytes as POOR_BYTES says that start from nothing, or, where POOR_LAUNCHES is set, do not launch
 * kernels that permute. */
#include <stdlib.h>
#include <string.h>

#include "layer_frame.h"

#define SEEN 1024

static cl_mem seen[SEEN]; /* that are there, of one thread */

static size_t number(const char *name)
{
    const char *value = getenv(name);
    return value ? strtoul(value, NULL, 10) : 0;
}

static void count(cl_mem made)
{
    size_t there = 0, most = number("POOR_MOST");
    for (size_t i = 0; i < SEEN; i++) {
        if (made && !seen[i]) {
            seen[i] = made;
            made = NULL;
        }
        there += seen[i] != NULL;
    }
    if (most && there > most)
        abort();
}

static CL_API_ENTRY cl_int CL_API_CALL release(cl_mem memory)
{
    for (size_t i = 0; i < SEEN; i++)
        if (seen[i] == memory)
            seen[i] = NULL;
    return below->clReleaseMemObject(memory);
}

static CL_API_ENTRY cl_mem CL_API_CALL create(cl_context context, cl_mem_flags flags, size_t bytes,
                                              void *host, cl_int *result)
{
    if (host || bytes != number("POOR_BYTES")) {
        cl_mem made = below->clCreateBuffer(context, flags, bytes, host, result);
        if (made && !host && bytes == number("POOR_SIZE"))
            count(made);
        return made;
    }
    if (result)
        *result = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    return NULL;
}

static CL_API_ENTRY cl_int CL_API_CALL launch(cl_command_queue queue, cl_kernel kernel,
                                              cl_uint dimensions, const size_t *offset,
                                              const size_t *global, const size_t *local,
                                              cl_uint wait_count, const cl_event *wait_for,
                                              cl_event *event)
{
    char name[64] = "";
    below->clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof name - 1, name, NULL);
    if (getenv("POOR_LAUNCHES") && strncmp(name, "permute", 7) == 0)
        return CL_OUT_OF_RESOURCES;
    return below->clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local,
                                         wait_count, wait_for, event);
}

static void replace(cl_icd_dispatch *dispatch)
{
    dispatch->clCreateBuffer = create;
    dispatch->clReleaseMemObject = release;
    dispatch->clEnqueueNDRangeKernel = launch;
}
