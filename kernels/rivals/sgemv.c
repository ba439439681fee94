/* SPDX-License-Identifier: BSD-3-Clause */
/* y = a x for a matrix of float, by a BLAS: the rival of kernels/examples/gemv.cl. With -DPLATFORM
 * by CLBlast, on the first device of the platform whose name has that in it. */
#include <rival.h>

#ifdef PLATFORM
#define CL_TARGET_OPENCL_VERSION 120
#include <clblast_c.h>

static void check(int code, const char *what)
{
    if (code != 0)
        rival_fail("fails", what);
}

static cl_device_id find_device(void)
{
    cl_platform_id platforms[16];
    cl_device_id device = NULL;
    cl_uint count = 0;
    char name[256];
    check(clGetPlatformIDs(16, platforms, &count), "clGetPlatformIDs");
    for (cl_uint i = 0; i < count && i < 16 && !device; i++)
        if (!clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name, name, NULL) &&
            strstr(name, PLATFORM))
            check(clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL), name);
    if (!device)
        rival_fail("no such platform", PLATFORM);
    return device;
}

static cl_mem make(cl_context context, const void *from, size_t bytes)
{
    int code;
    cl_mem made = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes,
                                 (void *)from, &code);
    check(code, "clCreateBuffer");
    return made;
}

static void run(struct rival *rival, const float *a, const float *x, float *y, size_t rows,
                size_t columns)
{
    int code;
    cl_device_id device = find_device();
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    check(code, "clCreateContext");
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
    check(code, "clCreateCommandQueue");
    cl_mem matrix = make(context, a, rows * columns * sizeof *a);
    cl_mem vector = make(context, x, columns * sizeof *x),
           product = make(context, y, rows * sizeof *y);
    while (rival_next(rival)) {
        rival_start(rival);
        check(CLBlastSgemv(CLBlastLayoutRowMajor, CLBlastTransposeNo, rows, columns, 1, matrix, 0,
                           columns, vector, 0, 1, 0, product, 0, 1, &queue, NULL),
              "CLBlastSgemv");
        check(clFinish(queue), "clFinish");
        rival_stop(rival);
        check(clEnqueueReadBuffer(queue, product, CL_TRUE, 0, rows * sizeof *y, y, 0, NULL, NULL),
              "clEnqueueReadBuffer");
    }
}

#else
#include <cblas.h>

static void run(struct rival *rival, const float *a, const float *x, float *y, size_t rows,
                size_t columns)
{
    while (rival_next(rival)) {
        rival_start(rival);
        cblas_sgemv(CblasRowMajor, CblasNoTrans, (int)rows, (int)columns, 1, a, (int)columns, x, 1,
                    0, y, 1);
        rival_stop(rival);
    }
}
#endif

int main(int argc, char **argv)
{
    struct rival rival = rival_begin(argc, argv);
    size_t rows = (size_t)rival_integer(&rival, "rows", 0);
    const float *a = rival_input(&rival, "a", NULL), *x = rival_input(&rival, "x", NULL);
    float *y = rival_result(&rival, "y", rows * sizeof *y);
    run(&rival, a, x, y, rows, (size_t)rival_integer(&rival, "columns", 0));
    return 0;
}
