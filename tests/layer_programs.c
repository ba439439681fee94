/* SPDX-License-Identifier: BSD-3-Clause */
/* The ways from sources to kernels: builds that call back, that fail, and that come again. */
#include "layer_host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char shifting[] = "kernel void shift(global int *y, global const int *x)\n"
                               "{ int i = get_global_id(0), s = 0;\n"
                               "  for (int j = 0; j < 16; j++) s += x[i] * j;\n"
                               "  y[i] = s + BY; }\n";

static cl_program make_program(const char *text)
{
    cl_int result;
    cl_program made = clCreateProgramWithSource(context, 1, &text, NULL, &result);
    need("program", result);
    return made;
}

/* Launches a kernel on the numbers 0 to 6, and prints what it leaves. */
static void shift(cl_kernel kernel)
{
    cl_int result, numbers[ITEMS];
    for (int i = 0; i < ITEMS; i++)
        numbers[i] = i % 7;
    cl_mem x = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof numbers, numbers, &result);
    cl_mem y = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof numbers, numbers, &result);
    need("argument", clSetKernelArg(kernel, 0, sizeof y, &y));
    need("argument", clSetKernelArg(kernel, 1, sizeof x, &x));
    launch(queue, kernel, 64, NULL);
    need("read", clEnqueueReadBuffer(queue, y, CL_TRUE, 0, sizeof numbers, numbers, 0, NULL, NULL));
    printf("y %d %d %d\n", numbers[0], numbers[1], numbers[ITEMS - 1]);
    clReleaseMemObject(x);
    clReleaseMemObject(y);
}

static void release_after_use(cl_program own, const char *name)
{
    cl_int result;
    cl_kernel kernel = clCreateKernel(own, name, &result);
    need(name, result);
    shift(kernel);
    clReleaseKernel(kernel);
    clReleaseProgram(own);
}

static _Atomic int builds;

static void CL_CALLBACK count_build(cl_program built, void *user)
{
    (void)built;
    builds += user == &builds;
}

/* Builds, and is called when that has ended. */
void build_and_wait(void)
{
    cl_program own = make_program(shifting);
    need("build", clBuildProgram(own, 1, &device, "-DBY=5000", count_build, (void *)&builds));
    while (!builds)
        usleep(1000);
    release_after_use(own, "shift");
}

/* Builds once more while there is a kernel: no driver may do that. */
void build_again(void)
{
    cl_int result;
    cl_program own = make_program(shifting);
    need("build", clBuildProgram(own, 1, &device, "-DBY=1", NULL, NULL));
    cl_kernel kernel = clCreateKernel(own, "shift", &result);
    show("again", clBuildProgram(own, 1, &device, "-DBY=5000", NULL, NULL));
    show("again", clBuildProgram(own, 1, &device, "-DBY=5000", count_build, (void *)&builds));
    shift(kernel);
    clReleaseKernel(kernel);
    show("wrong", clBuildProgram(own, 1, &device, "-DBY=none", NULL, NULL));
    show("again", clBuildProgram(own, 1, &device, "-DBY=5000", NULL, NULL));
    release_after_use(own, "shift");
}

/* Builds what includes a file of the folder `headers`. */
void build_with_headers(void)
{
    char text[1024];
    snprintf(text, sizeof text, "#include \"by.h\"\n%s", shifting);
    cl_program own = make_program(text);
    need("build", clBuildProgram(own, 1, &device, "-I headers -DUNUSED", NULL, NULL));
    release_after_use(own, "shift");
}
