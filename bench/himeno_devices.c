/* SPDX-License-Identifier: BSD-3-Clause */
/* Scaling of Jacobi's iteration of the Himeno benchmark over several devices of a platform: each
 * has some planes, and neighbours exchange a plane after every iteration. A platform with one
 * device is partitioned into equal ones. */
#define _POSIX_C_SOURCE          200809L
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST_DEVICES 16
#define INPUTS       12 /* arrays that no iteration changes: a1 to c3, source, bound */
#define REPEATS      7
#define OPERATIONS   34.0 /* of a point, as the benchmark counts them */

/* A device's part: its planes, and one more on either side. */
struct part {
    cl_command_queue queue;
    cl_mem inputs[INPUTS], before, after;
    cl_kernel jacobi, advance;
    size_t first, planes; /* of the whole; without the two more */
    float *edges[2][2];   /* its first and last plane, on the host: of even and odd iterations */
};

struct run {
    size_t n, plane; /* planes of n rows of 2 n columns; elements of one */
    cl_context context;
    cl_program program;
    cl_device_id devices[MOST_DEVICES];
    cl_uint device_count;
    float *inputs[INPUTS], *start;
    struct part parts[MOST_DEVICES];
    cl_uint part_count;
};

static void need(cl_int status, const char *what)
{
    if (status == CL_SUCCESS)
        return;
    fprintf(stderr, "himeno_devices: %s: error %d\n", what, (int)status);
    exit(1);
}

static double now_ms(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

/* ---- devices ---- */

/* Finds a platform by a part of its name, and its devices; 77: there is none. */
static void find_devices(struct run *run, const char *wanted)
{
    cl_platform_id platforms[16];
    cl_uint count = 0;
    clGetPlatformIDs(16, platforms, &count);
    for (cl_uint i = 0; i < count && i < 16 && !run->device_count; i++) {
        char name[256] = "";
        clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name, name, NULL);
        if (strstr(name, wanted) && clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, MOST_DEVICES,
                                                   run->devices, &run->device_count))
            run->device_count = 0;
    }
    if (!run->device_count) {
        fprintf(stderr, "himeno_devices: no device of a platform *%s*\n", wanted);
        exit(77);
    }
    run->device_count = run->device_count > MOST_DEVICES ? MOST_DEVICES : run->device_count;
}

/* Makes equal parts of the only device, a compute unit each or more. */
static void partition(struct run *run, cl_uint parts)
{
    cl_uint units = 0, made = 0;
    clGetDeviceInfo(run->devices[0], CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL);
    if (run->device_count > 1 || parts < 2 || units < parts)
        return;
    const cl_device_partition_property how[] = {CL_DEVICE_PARTITION_EQUALLY,
                                                (cl_device_partition_property)(units / parts), 0};
    cl_device_id whole = run->devices[0];
    need(clCreateSubDevices(whole, how, MOST_DEVICES, run->devices, &made), "clCreateSubDevices");
    run->device_count = made < parts ? made : parts;
}

static void build(struct run *run, const char *path)
{
    cl_int status;
    static char text[65536];
    FILE *file = fopen(path, "r");
    const char *texts[] = {text};
    if (!file || !fread(text, 1, sizeof text - 1, file)) {
        fprintf(stderr, "himeno_devices: %s: cannot be read\n", path);
        exit(1);
    }
    fclose(file);
    run->context = clCreateContext(NULL, run->device_count, run->devices, NULL, NULL, &status);
    need(status, "clCreateContext");
    run->program = clCreateProgramWithSource(run->context, 1, texts, NULL, &status);
    need(status, "clCreateProgramWithSource");
    need(clBuildProgram(run->program, run->device_count, run->devices, "", NULL, NULL),
         "clBuildProgram");
}

/* ---- data ---- */

static float draw(uint64_t *state, float low, float high)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (float)(*state >> 40) / 16777216.0f;
}

static void fill(struct run *run)
{
    static const float ranges[INPUTS][2] = {
        {0.9f, 1.1f},  {0.9f, 1.1f}, {0.9f, 1.1f}, {0.15f, 0.18f}, {-0.1f, 0.1f}, {-0.1f, 0.1f},
        {-0.1f, 0.1f}, {0.9f, 1.1f}, {0.9f, 1.1f}, {0.9f, 1.1f},   {-0.1f, 0.1f}, {0.9f, 1.0f}};
    size_t count = run->n * run->plane;
    uint64_t state = 1;
    for (size_t a = 0; a <= INPUTS; a++) {
        float *array = malloc(count * sizeof *array);
        need(array ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY, "memory of the host");
        for (size_t i = 0; i < count; i++)
            array[i] = a < INPUTS ? draw(&state, ranges[a][0], ranges[a][1]) : draw(&state, 0, 1);
        *(a < INPUTS ? &run->inputs[a] : &run->start) = array;
    }
}

static cl_mem upload(struct run *run, const struct part *part, float *array)
{
    cl_int status;
    cl_mem memory = clCreateBuffer(run->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                   (part->planes + 2) * run->plane * sizeof *array,
                                   array + (part->first - 1) * run->plane, &status);
    need(status, "clCreateBuffer");
    return memory;
}

static cl_kernel make_kernel(struct run *run, const char *name)
{
    cl_int status;
    cl_kernel kernel = clCreateKernel(run->program, name, &status);
    need(status, name);
    return kernel;
}

static void set(cl_kernel kernel, cl_uint *index, size_t size, const void *value)
{
    need(clSetKernelArg(kernel, (*index)++, size, value), "clSetKernelArg");
}

/* The last arguments of both kernels: the sizes of the part. */
static void set_sizes(const struct run *run, const struct part *part, cl_kernel kernel,
                      cl_uint index)
{
    cl_int planes = (cl_int)part->planes + 2, rows = (cl_int)run->n, columns = 2 * rows;
    set(kernel, &index, sizeof planes, &planes);
    set(kernel, &index, sizeof rows, &rows);
    set(kernel, &index, sizeof columns, &columns);
}

static void begin_part(struct run *run, struct part *part, cl_device_id device)
{
    cl_int status;
    cl_uint index = 0;
    const cl_float omega = 0.8f;
    part->queue = clCreateCommandQueue(run->context, device, 0, &status);
    need(status, "clCreateCommandQueue");
    part->jacobi = make_kernel(run, "jacobi");
    part->advance = make_kernel(run, "advance");
    for (size_t a = 0; a < INPUTS; a++) {
        part->inputs[a] = upload(run, part, run->inputs[a]);
        set(part->jacobi, &index, sizeof part->inputs[a], &part->inputs[a]);
    }
    part->before = upload(run, part, run->start);
    part->after = upload(run, part, run->start);
    set(part->jacobi, &index, sizeof part->before, &part->before);
    set(part->jacobi, &index, sizeof part->after, &part->after);
    set(part->jacobi, &index, sizeof omega, &omega);
    set_sizes(run, part, part->jacobi, index);
    index = 0;
    set(part->advance, &index, sizeof part->before, &part->before);
    set(part->advance, &index, sizeof part->after, &part->after);
    set_sizes(run, part, part->advance, index);
    for (int edge = 0; edge < 4; edge++)
        part->edges[edge / 2][edge % 2] = malloc(run->plane * sizeof(float));
}

/* Deals the inner planes out to the first devices. */
static void begin_parts(struct run *run, cl_uint count)
{
    size_t first = 1, inner = run->n - 2;
    run->part_count = count;
    for (cl_uint i = 0; i < count; i++) {
        struct part *part = &run->parts[i];
        *part =
            (struct part){.first = first, .planes = inner * (i + 1) / count - inner * i / count};
        begin_part(run, part, run->devices[i]);
        first += part->planes;
    }
}

static void end_parts(struct run *run)
{
    for (cl_uint i = 0; i < run->part_count; i++) {
        struct part *part = &run->parts[i];
        for (size_t a = 0; a < INPUTS; a++)
            clReleaseMemObject(part->inputs[a]);
        clReleaseMemObject(part->before);
        clReleaseMemObject(part->after);
        clReleaseKernel(part->jacobi);
        clReleaseKernel(part->advance);
        clReleaseCommandQueue(part->queue);
        for (int edge = 0; edge < 4; edge++)
            free(part->edges[edge / 2][edge % 2]);
    }
}

/* ---- iterations ---- */

static size_t round_up(size_t number, size_t by)
{
    return (number + by - 1) / by * by;
}

/* Reads or writes a plane of a part, in its own numbers. */
static void move_plane(const struct run *run, const struct part *part, size_t plane, float *host,
                       bool reads)
{
    size_t bytes = run->plane * sizeof(float);
    need(reads ? clEnqueueReadBuffer(part->queue, part->before, CL_FALSE, plane * bytes, bytes,
                                     host, 0, NULL, NULL)
               : clEnqueueWriteBuffer(part->queue, part->before, CL_FALSE, plane * bytes, bytes,
                                      host, 0, NULL, NULL),
         "moving a plane");
}

/* Waits for all devices. */
static void finish(const struct run *run)
{
    for (cl_uint i = 0; i < run->part_count; i++)
        need(clFlush(run->parts[i].queue), "clFlush");
    for (cl_uint i = 0; i < run->part_count; i++)
        need(clFinish(run->parts[i].queue), "clFinish");
}

/* Exchanges the planes at the edges of neighbouring parts after an iteration. What is written may
 * still be read by the device when the next iteration ends: that has other planes of the host. */
static void exchange(const struct run *run, unsigned iteration)
{
    for (cl_uint i = 0; i < run->part_count; i++) {
        const struct part *part = &run->parts[i];
        if (i > 0)
            move_plane(run, part, 1, part->edges[iteration % 2][0], true);
        if (i + 1 < run->part_count)
            move_plane(run, part, part->planes, part->edges[iteration % 2][1], true);
    }
    finish(run);
    for (cl_uint i = 0; i < run->part_count; i++) {
        const struct part *part = &run->parts[i];
        if (i > 0)
            move_plane(run, part, 0, run->parts[i - 1].edges[iteration % 2][1], false);
        if (i + 1 < run->part_count)
            move_plane(run, part, part->planes + 1, run->parts[i + 1].edges[iteration % 2][0],
                       false);
    }
}

static void launch(const struct run *run, const struct part *part, cl_kernel kernel)
{
    const size_t local[] = {64, 4, 1};
    const size_t global[] = {round_up(2 * run->n - 2, 64), round_up(run->n - 2, 4), part->planes};
    need(clEnqueueNDRangeKernel(part->queue, kernel, 3, NULL, global, local, 0, NULL, NULL),
         "clEnqueueNDRangeKernel");
}

/* Returns the time of an iteration in ms. */
static double iterate(const struct run *run, unsigned iterations, bool exchanges)
{
    finish(run);
    double began = now_ms();
    for (unsigned k = 0; k < iterations; k++) {
        for (cl_uint i = 0; i < run->part_count; i++) {
            launch(run, &run->parts[i], run->parts[i].jacobi);
            launch(run, &run->parts[i], run->parts[i].advance);
            need(clFlush(run->parts[i].queue), "clFlush");
        }
        if (exchanges && run->part_count > 1)
            exchange(run, k);
    }
    finish(run);
    return (now_ms() - began) / iterations;
}

/* ---- results ---- */

/* Gathers what all parts have. */
static void gather(const struct run *run, float *whole)
{
    for (cl_uint i = 0; i < run->part_count; i++)
        need(clEnqueueReadBuffer(run->parts[i].queue, run->parts[i].before, CL_TRUE,
                                 run->plane * sizeof *whole,
                                 run->parts[i].planes * run->plane * sizeof *whole,
                                 whole + run->parts[i].first * run->plane, 0, NULL, NULL),
             "reading the result");
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Returns the median of some times of an iteration. */
static double measure(const struct run *run, unsigned iterations, bool exchanges)
{
    double times[REPEATS];
    for (unsigned i = 0; i < REPEATS; i++)
        times[i] = iterate(run, iterations, exchanges);
    qsort(times, REPEATS, sizeof *times, compare);
    return times[REPEATS / 2];
}

/* Computes with so many devices, compares with what one has computed, and prints a line. */
static bool scale(struct run *run, cl_uint count, unsigned iterations, float *one, float *all,
                  double *alone_ms)
{
    size_t inner = (run->n - 2) * run->plane;
    begin_parts(run, count);
    iterate(run, iterations, true);
    gather(run, count == 1 ? one : all);
    bool equal = count == 1 || memcmp(one + run->plane, all + run->plane, inner * sizeof *all) == 0;
    double ms = measure(run, iterations, true), without_ms = measure(run, iterations, false);
    double points = (double)(run->n - 2) * (double)(run->n - 2) * (double)(2 * run->n - 2);
    *alone_ms = count == 1 ? ms : *alone_ms;
    printf("| %u | %.3f | %.1f | %.2f | %.0f%% | %.3f | %.0f%% | %s |\n", count, ms,
           OPERATIONS * points / ms / 1e6, *alone_ms / ms, 100 * *alone_ms / ms / count, without_ms,
           100 * (ms - without_ms) / ms,
           count == 1 ? "-"
           : equal    ? "equal"
                      : "DIFFERENT");
    fflush(stdout);
    end_parts(run);
    return equal;
}

int main(int argc, char **argv)
{
    struct run run = {.n = 0};
    bool equal = true;
    if (argc != 6) {
        fprintf(stderr, "usage: himeno_devices HIMENO.cl PLATFORM N ITERATIONS PARTS\n");
        return 2;
    }
    run.n = strtoul(argv[3], NULL, 10);
    run.plane = run.n * 2 * run.n;
    unsigned iterations = (unsigned)strtoul(argv[4], NULL, 10);
    find_devices(&run, argv[2]);
    partition(&run, (cl_uint)strtoul(argv[5], NULL, 10));
    build(&run, argv[1]);
    fill(&run);
    float *one = malloc(run.n * run.plane * sizeof *one),
          *all = malloc(run.n * run.plane * sizeof *all);
    double alone_ms = 0;
    if (!one || !all || !iterations || run.n < 2 + run.device_count)
        return 2;
    printf("| devices | ms an iteration | GFLOP/s | speed-up | efficiency | ms without exchange | "
           "exchange | result |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for (cl_uint count = 1; count <= run.device_count; count++)
        equal &= scale(&run, count, iterations, one, all, &alone_ms);
    return equal ? 0 : 1;
}
