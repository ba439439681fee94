/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs @kernel@ as clopt's study did: its initial code, and the variant that @kernel@.h chooses for
 * the device; compares what they compute, and says how long they take. Written by clopt @version@
 * (clopt export), to start from:
 *
 *     cc -o @kernel@_host @kernel@_host.c -lOpenCL
 *     ./@kernel@_host [NAME]
 *
 * in this folder. NAME is a part of the name of a device or of its platform; without it, the first
 * device is taken that @kernel@.h lists or, if none is here, the first one. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "@kernel@.h"

#define REPEAT 3 /* runs of each; the first one may compile */
/* Of floating-point results, beside the largest one: sums may be reordered. */
#define TOLERANCE      1e-4
#define HALF_TOLERANCE 1e-2
#define MOST_BUFFERS 32

enum element { BYTES, HALVES, FLOATS, DOUBLES };

struct buffer {
    const char *name;
    cl_mem memory;
    size_t bytes;
    enum element element;
    int is_result;
    void *data; /* of a result, in the end */
};

/* One way to run it. */
struct run {
    const struct @kernel@_variant *variant;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    struct buffer buffers[MOST_BUFFERS];
    size_t count;
    cl_mem zeroed; /* what a variant takes in addition; NULL: not made yet */
    size_t zeroed_bytes;
    double time_ms; /* of @kernel@ alone */
};

static void check(cl_int code, const char *call)
{
    if (code == CL_SUCCESS)
        return;
    fprintf(stderr, "%s: error %d\n", call, code);
    exit(1);
}

static void *allocate(size_t bytes)
{
    void *data = malloc(bytes);
    if (data)
        return data;
    fprintf(stderr, "out of memory\n");
    exit(1);
}

/* ---- buffers ---- */

static cl_mem add_buffer(struct run *run, const char *name, void *data, size_t bytes)
{
    cl_int code;
    struct buffer *buffer = &run->buffers[run->count++];
    *buffer = (struct buffer){.name = name, .bytes = bytes};
    buffer->memory = clCreateBuffer(run->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes,
                                    data, &code);
    check(code, "clCreateBuffer");
    free(data);
    return buffer->memory;
}

/* Makes a buffer that holds copies of one byte. */
static inline cl_mem filled(struct run *run, const char *name, int byte, size_t bytes)
{
    void *data = allocate(bytes);
    memset(data, byte, bytes);
    return add_buffer(run, name, data, bytes);
}

/* Makes a buffer that holds a file, again and again if that is shorter. */
static inline cl_mem from_file(struct run *run, const char *name, const char *path, size_t bytes)
{
    char *data = allocate(bytes);
    FILE *file = fopen(path, "rb");
    size_t size = file ? fread(data, 1, bytes, file) : 0;
    if (!size) {
        fprintf(stderr, "%s: cannot be read\n", path);
        exit(1);
    }
    fclose(file);
    for (size_t i = size; i < bytes; i++)
        data[i] = data[i - size];
    return add_buffer(run, name, data, bytes);
}

/* Says that a buffer holds a result in the end. */
static inline void result(struct run *run, cl_mem memory, enum element element)
{
    for (size_t i = 0; i < run->count; i++)
        if (run->buffers[i].memory == memory) {
            run->buffers[i].is_result = 1;
            run->buffers[i].element = element;
        }
}

static inline void write_part(struct run *run, cl_mem memory, size_t offset, size_t bytes,
                              const void *data)
{
    check(clEnqueueWriteBuffer(run->queue, memory, CL_TRUE, offset, bytes, data, 0, NULL, NULL),
          "clEnqueueWriteBuffer");
}

/* ---- launches ---- */

struct argument {
    size_t bytes;
    const void *value;
};

#define SIZES(...) ((const size_t[3]){__VA_ARGS__})
#define ARGUMENTS(...)                                                                             \
    sizeof((struct argument[]){__VA_ARGS__}) / sizeof(struct argument),                            \
        (const struct argument[]){__VA_ARGS__}
#define BUFFER(memory) {sizeof(cl_mem), &(memory)}
#define VALUE(type, value) {sizeof(type), &(type){value}}
#define RAW(...) {sizeof((cl_uchar[]){__VA_ARGS__}), (cl_uchar[]){__VA_ARGS__}}
#define LOCAL(bytes) {bytes, NULL}

/* Sets an argument that a variant takes after the `count` ones of the initial code. A buffer of
 * zeros is made once, as large as the launches need it. */
static void set_added(struct run *run, cl_kernel kernel, size_t index, size_t count,
                      const size_t *global, const size_t *local)
{
    cl_ulong value = @kernel@_added(run->variant, index, global, local);
    size_t bytes = sizeof value;
    const void *given = &value;
    if (run->variant->added[index].zeroed) {
        if (run->zeroed_bytes < value) {
            if (run->zeroed)
                clReleaseMemObject(run->zeroed);
            run->zeroed = filled(run, NULL, 0, value);
            run->count--; /* it is none of the app's */
            run->zeroed_bytes = value;
        }
        bytes = sizeof run->zeroed;
        given = &run->zeroed;
    }
    check(clSetKernelArg(kernel, (cl_uint)(count + index), bytes, given), "clSetKernelArg");
}

@permuting@/* Launches a kernel over an NDRange of the initial code, which a variant of @kernel@ changes. */
static void launch(struct run *run, const char *name, unsigned dimensions, const size_t *global,
                   const size_t *local, size_t count, const struct argument *arguments)
{
    const struct @kernel@_variant *variant = run->variant;
    size_t new_global[3] = {1, 1, 1}, new_local[3] = {1, 1, 1};
    int is_changed = strcmp(name, "@entry@") == 0;
    cl_event event;
    cl_ulong start = 0, end = 0;
    cl_int code;
    cl_kernel kernel = clCreateKernel(run->program, name, &code);
    check(code, "clCreateKernel");
    for (size_t i = 0; i < count; i++)
        check(clSetKernelArg(kernel, (cl_uint)i, arguments[i].bytes, arguments[i].value),
              "clSetKernelArg");
    for (size_t i = 0; is_changed && i < variant->added_count; i++)
        set_added(run, kernel, i, count, global, local);
@permute@    for (unsigned d = 0; d < dimensions; d++) {
        if (is_changed && !@kernel@_fits(variant, d, local[d])) {
            fprintf(stderr, "%s: not for local size %zu\n", variant->name, local[d]);
            exit(1);
        }
        new_global[d] = is_changed ? @kernel@_global(variant, d, global[d], local[d]) : global[d];
        new_local[d] = is_changed ? @kernel@_local(variant, d, local[d]) : local[d];
    }
    check(clEnqueueNDRangeKernel(run->queue, kernel, dimensions, NULL, new_global, new_local, 0,
                                 NULL, &event),
          "clEnqueueNDRangeKernel");
    check(clWaitForEvents(1, &event), "clWaitForEvents");
    check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL),
          "clGetEventProfilingInfo");
    check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL),
          "clGetEventProfilingInfo");
    if (!start || end < start) {
        fprintf(stderr, "%s: the driver does not say how long it ran\n", variant->name);
        exit(1);
    }
@permute_back@    run->time_ms += is_changed ? (double)(end - start) * 1e-6 : 0;
    clReleaseEvent(event);
    clReleaseKernel(kernel);
}

/* ---- what the app does, in terms of the initial code ---- */

@runs@
/* What the app does for each variant of @kernel@.h. */
static void (*const runs[@KERNEL@_VARIANTS])(struct run *run) = {@run_list@};

/* ---- the host program ---- */

/* Whether a device is wanted: by name, or, without one, as one that is listed. */
static int is_wanted(const char *wanted, const char *platform, const char *name)
{
    if (wanted)
        return strstr(platform, wanted) || strstr(name, wanted);
    for (size_t i = 0; i < @KERNEL@_DEVICES; i++)
        if (strcmp(@kernel@_devices[i].platform, platform) == 0 &&
            strcmp(@kernel@_devices[i].name, name) == 0)
            return 1;
    return 0;
}

static cl_device_id find_device(const char *wanted, char platform[256], char name[256])
{
    cl_platform_id platforms[16];
    cl_device_id devices[64], first = NULL;
    cl_uint platform_count = 0, device_count = 0;
    check(clGetPlatformIDs(16, platforms, &platform_count), "clGetPlatformIDs");
    for (int pass = 0; pass < 2; pass++)
        for (cl_uint i = 0; i < platform_count && i < 16; i++) {
            if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 64, devices, &device_count))
                continue;
            clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, 256, platform, NULL);
            for (cl_uint k = 0; k < device_count && k < 64; k++) {
                clGetDeviceInfo(devices[k], CL_DEVICE_NAME, 256, name, NULL);
                if (is_wanted(wanted, platform, name) || (pass && !wanted))
                    return devices[k];
            }
        }
    fprintf(stderr, "%s: no such OpenCL device\n", wanted ? wanted : "any");
    exit(1);
    return first;
}

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END)) {
        fprintf(stderr, "%s: cannot be read\n", path);
        exit(1);
    }
    size_t size = (size_t)ftell(file);
    char *text = allocate(size + 1);
    rewind(file);
    text[fread(text, 1, size, file)] = '\0';
    fclose(file);
    return text;
}

static void build(struct run *run, cl_device_id device)
{
    cl_int code;
    size_t size = 0;
    char *text = read_text(run->variant->source);
    run->program = clCreateProgramWithSource(run->context, 1, (const char **)&text, NULL, &code);
    check(code, "clCreateProgramWithSource");
    code = clBuildProgram(run->program, 1, &device, run->variant->options, NULL, NULL);
    free(text);
    if (code == CL_SUCCESS)
        return;
    clGetProgramBuildInfo(run->program, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size);
    text = allocate(size + 1);
    clGetProgramBuildInfo(run->program, device, CL_PROGRAM_BUILD_LOG, size, text, NULL);
    text[size] = '\0';
    fprintf(stderr, "%s: %s\n", run->variant->source, text);
    exit(1);
}

/* Builds a variant, runs it, and keeps the results of its last run. */
static void execute(struct run *run, cl_device_id device)
{
    double least = INFINITY;
    build(run, device);
    for (int i = 0; i < REPEAT; i++) {
        for (size_t k = 0; k < run->count; k++)
            clReleaseMemObject(run->buffers[k].memory);
        run->count = 0;
        run->time_ms = 0;
        runs[run->variant - @kernel@_variants](run);
        least = run->time_ms < least ? run->time_ms : least;
    }
    run->time_ms = least;
    for (size_t k = 0; k < run->count; k++) {
        struct buffer *buffer = &run->buffers[k];
        buffer->data = allocate(buffer->bytes);
        check(clEnqueueReadBuffer(run->queue, buffer->memory, CL_TRUE, 0, buffer->bytes,
                                  buffer->data, 0, NULL, NULL),
              "clEnqueueReadBuffer");
        clReleaseMemObject(buffer->memory);
    }
    clReleaseProgram(run->program);
}

/* The value of a half: of 1 bit for the sign, 5 for the exponent and 10 for the fraction. */
static double half(cl_half bits)
{
    int exponent = bits >> 10 & 0x1F, fraction = bits & 0x3FF;
    double size = exponent == 31 ? (fraction ? NAN : INFINITY)
                  : exponent     ? ldexp(1024 + fraction, exponent - 25)
                                 : ldexp(fraction, -24);
    return bits & 0x8000 ? -size : size;
}

static double element(const struct buffer *buffer, size_t i)
{
    if (buffer->element == HALVES)
        return half(((const cl_half *)buffer->data)[i]);
    if (buffer->element == FLOATS)
        return ((const float *)buffer->data)[i];
    if (buffer->element == DOUBLES)
        return ((const double *)buffer->data)[i];
    return ((const unsigned char *)buffer->data)[i];
}

/* Whether two results are the same, bytes exactly and numbers nearly. */
static int are_equal(const struct buffer *expected, const struct buffer *actual)
{
    static const size_t element_bytes[] = {[BYTES] = 1, [HALVES] = 2, [FLOATS] = 4, [DOUBLES] = 8};
    double tolerance = 0, relative = expected->element == HALVES ? HALF_TOLERANCE : TOLERANCE;
    size_t bytes = element_bytes[expected->element], count = expected->bytes / bytes;
    for (size_t i = 0; expected->element != BYTES && i < count; i++) {
        double size = relative * fabs(element(expected, i));
        tolerance = isfinite(size) && size > tolerance ? size : tolerance;
    }
    for (size_t i = 0; i < count; i++)
        if (memcmp((const char *)expected->data + i * bytes, (const char *)actual->data + i * bytes,
                   bytes) != 0 &&
            !(fabs(element(expected, i) - element(actual, i)) <= tolerance)) {
            printf("%s[%zu] is %g, with the initial code %g\n", expected->name, i,
                   element(actual, i), element(expected, i));
            return 0;
        }
    return 1;
}

int main(int argc, char **argv)
{
    char platform[256] = "", name[256] = "";
    cl_int code;
    cl_device_id device = find_device(argc > 1 ? argv[1] : NULL, platform, name);
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    check(code, "clCreateContext");
    cl_command_queue queue =
        clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &code);
    check(code, "clCreateCommandQueue");
    struct run initial = {.variant = @kernel@_variants, .context = context, .queue = queue};
    struct run chosen = {
        .variant = @kernel@_choose(platform, name), .context = context, .queue = queue};
    execute(&initial, device);
    execute(&chosen, device);
    int equal = 1, compared = 0;
    for (size_t i = 0; i < initial.count && i < chosen.count; i++) {
        if (initial.buffers[i].is_result && initial.buffers[i].bytes == chosen.buffers[i].bytes) {
            equal &= are_equal(&initial.buffers[i], &chosen.buffers[i]);
            compared++;
        }
        free(initial.buffers[i].data);
        free(chosen.buffers[i].data);
    }
    printf("device: %s (%s)\n", name, platform);
    printf("variant: %s (%s)\n", chosen.variant->name, chosen.variant->source);
    printf("time: %.4g ms, initial code %.4g ms\n", chosen.time_ms, initial.time_ms);
    printf("results: %s\n", !compared ? "none to compare" : equal ? "equal" : "different");
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return !equal;
}
