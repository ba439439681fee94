/* SPDX-License-Identifier: BSD-3-Clause */
/* Uses clopt as a library: runs a study, reads its results, and launches a winner.
 *
 *     cc library.c -o library $(pkg-config --cflags --libs clopt-report) -lOpenCL
 *     ./library run STUDY.ini STORE.db
 *     clopt export STORE.db --wisdom=FILE
 *     ./library launch FILE KERNEL.cl KERNEL COUNT
 *
 * The last one launches a kernel of one argument, a buffer of COUNT floats that are 1, with COUNT
 * work-items, and prints the sum of what it leaves. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <clopt/experiment.h>
#include <clopt/wisdom.h>

static int fail(const char *message)
{
    fprintf(stderr, "library: %s\n", message);
    return 1;
}

static void tell(void *when, const struct clopt_result_told *result)
{
    printf("%s: %s on %s: %s%s\n", (const char *)when, result->variant, result->device,
           result->outcome, result->best ? ", the best" : "");
}

static int run(const char *study, const char *store)
{
    struct clopt_error error = {0};
    struct clopt_experiment *experiment = clopt_experiment_create(study);
    clopt_experiment_set(experiment, "measure.max_samples=5");
    enum clopt_status status = clopt_experiment_run(experiment, store, tell, (void *)"now", &error);
    if (!status)
        status = clopt_experiment_read(store, tell, (void *)"result", &error);
    clopt_experiment_destroy(experiment);
    return status ? fail(error.message) : 0;
}

static int launch(char **argv)
{
    struct clopt_error error = {0};
    struct clopt_wisdom *wisdom = NULL;
    char device_name[256], source[65536] = "";
    size_t count = strtoul(argv[5], NULL, 10);
    float *data = calloc(count, sizeof *data), sum = 0;
    cl_platform_id platform;
    cl_device_id device;
    cl_kernel kernel;
    FILE *file = fopen(argv[3], "r");
    if (!file || !data)
        return fail("the kernel's file cannot be read");
    source[fread(source, 1, sizeof source - 1, file)] = '\0';
    fclose(file);
    for (size_t i = 0; i < count; i++)
        data[i] = 1;
    if (clGetPlatformIDs(1, &platform, NULL) ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) ||
        clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof device_name, device_name, NULL))
        return fail("no device");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
    cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, count * sizeof *data, data, NULL);
    if (clopt_wisdom_open(argv[2], &wisdom, &error))
        return fail(error.message);
    const struct clopt_winner *winner =
        clopt_wisdom_find(wisdom, &(struct clopt_wanted){.kernel = argv[4],
                                                         .source = source,
                                                         .options = "",
                                                         .device = device_name,
                                                         .global = {count}});
    if (!winner)
        return fail("no winner is known: launch your own kernel");
    struct clopt_ndrange range = CLOPT_RANGE1(count, 64); /* as for your own kernel */
    if (clopt_winner_build(winner, context, device, &kernel, &error) ||
        clSetKernelArg(kernel, 0, sizeof buffer, &buffer) ||
        clopt_winner_launch(winner, queue, kernel, 1, (int64_t[]){0}, &range, NULL, &error) ||
        clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, count * sizeof *data, data, 0, NULL, NULL))
        return fail(error.message);
    for (size_t i = 0; i < count; i++)
        sum += data[i];
    printf("%s: sum %g\n", clopt_winner_name(winner), (double)sum);
    clopt_wisdom_close(wisdom);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "run") == 0)
        return run(argv[2], argv[3]);
    return argc == 6 && strcmp(argv[1], "launch") == 0 ? launch(argv) : fail("see its source");
}
