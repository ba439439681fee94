/* SPDX-License-Identifier: BSD-3-Clause */
/* Two halves of bench/launch. A program that launches a kernel many times and prints how many
 * nanoseconds a launch takes; its argument says how: same, sizes (two in turn), arguments (one is
 * set before each). And with -DLAYER, a layer above the driver in which launches and arguments end:
 * what is left is what the layers above it take. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef LAYER
#include <CL/cl_layer.h>

static cl_icd_dispatch dispatch;

static CL_API_ENTRY cl_int CL_API_CALL launch(cl_command_queue queue, cl_kernel kernel,
                                              cl_uint dimensions, const size_t *offset,
                                              const size_t *global, const size_t *local,
                                              cl_uint count, const cl_event *events,
                                              cl_event *event)
{
    (void)queue, (void)kernel, (void)dimensions, (void)offset, (void)global, (void)local;
    (void)count, (void)events, (void)event;
    return CL_SUCCESS;
}

static CL_API_ENTRY cl_int CL_API_CALL set(cl_kernel kernel, cl_uint index, size_t bytes,
                                           const void *value)
{
    (void)kernel, (void)index, (void)bytes, (void)value;
    return CL_SUCCESS;
}

cl_int CL_API_CALL clGetLayerInfo(cl_layer_info name, size_t size, void *value, size_t *needed)
{
    const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
    (void)needed;
    if (name != CL_LAYER_API_VERSION || !value || size < sizeof version)
        return CL_INVALID_VALUE;
    memcpy(value, &version, sizeof version);
    return CL_SUCCESS;
}

cl_int CL_API_CALL clInitLayer(cl_uint count, const cl_icd_dispatch *next, cl_uint *our_count,
                               const cl_icd_dispatch **ours)
{
    cl_uint most = sizeof dispatch / sizeof(void *);
    *our_count = count < most ? count : most;
    memcpy(&dispatch, next, *our_count * sizeof(void *));
    dispatch.clEnqueueNDRangeKernel = launch;
    dispatch.clSetKernelArg = set;
    *ours = &dispatch;
    return CL_SUCCESS;
}

#else
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#define LAUNCHES 1000000

static void need(const char *what, cl_int code)
{
    if (code == CL_SUCCESS)
        return;
    fprintf(stderr, "launch: %s: %d\n", what, code);
    exit(1);
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "same";
    const char *text = "kernel void plain(global int *y, int n) { y[get_global_id(0)] = n; }";
    const size_t sizes[] = {256, 512}, local = 64;
    cl_platform_id platform;
    cl_device_id device;
    cl_int code, n = 1;
    struct timespec begin, end;
    need("platform", clGetPlatformIDs(1, &platform, NULL));
    need("device", clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    need("context", code);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
    need("queue", code);
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &code);
    need("program", code);
    need("build", clBuildProgram(program, 1, &device, "", NULL, NULL));
    cl_kernel kernel = clCreateKernel(program, "plain", &code);
    need("kernel", code);
    cl_mem y = clCreateBuffer(context, 0, 4096, NULL, &code);
    need("buffer", code);
    need("argument", clSetKernelArg(kernel, 0, sizeof y, &y));
    need("argument", clSetKernelArg(kernel, 1, sizeof n, &n));
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
    for (int i = 0; i < LAUNCHES; i++) {
        if (strcmp(how, "arguments") == 0)
            need("argument", clSetKernelArg(kernel, 1, sizeof n, &i));
        need("launch", clEnqueueNDRangeKernel(queue, kernel, 1, NULL,
                                              &sizes[strcmp(how, "sizes") == 0 && i % 2], &local, 0,
                                              NULL, NULL));
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    printf("%.1f\n",
           ((double)(end.tv_sec - begin.tv_sec) * 1e9 + (double)(end.tv_nsec - begin.tv_nsec)) /
               LAUNCHES);
    return 0;
}
#endif
