/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs kernels before and after rewriting, and compares what they leave in memory word by word.
 *
 *     differential [-p PLATFORM] [-f FACTOR] [-s STRIDE] [-u UNROLL] [-v] FILE.cl ...
 *
 * A file holds one kernel k(global const int *in, global int *out, int n) and says in comments how
 * to run it: "// local 16x4 global 64x8", and if it cannot be coarsened along a dimension,
 * "// refuse 0: message" with the message of geometry. Without -f all factors and strides that fit
 * are tried. Exit code 77: there is no such platform. */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <clopt/random.h>

#include "base/file.h"
#include "plugins/optimizations/geometry/coarsen.h"
#include "study/transform.h"

#define WORDS 16384

struct device {
    cl_device_id id;
    cl_context context;
    cl_command_queue queue;
    cl_mem in;
    cl_mem out;
};

struct totals {
    unsigned runs;
    unsigned refused;
    unsigned failures;
};

struct settings {
    const char *platform;
    unsigned factor;
    unsigned stride;
    bool verbose;
    bool print;
};

static int32_t inputs[WORDS];
static int32_t expected[WORDS];
static int32_t actual[WORDS];

static bool open_device(struct device *device, const char *platform)
{
    cl_platform_id platforms[8];
    cl_uint count = 0;
    if (clGetPlatformIDs(8, platforms, &count) != CL_SUCCESS)
        return false;
    for (cl_uint i = 0; i < count && i < 8; i++) {
        char name[256] = "";
        clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name, name, NULL);
        if (platform && !strstr(name, platform))
            continue;
        if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device->id, NULL) != CL_SUCCESS)
            continue;
        device->context = clCreateContext(NULL, 1, &device->id, NULL, NULL, NULL);
        device->queue = clCreateCommandQueue(device->context, device->id, 0, NULL);
        device->in = clCreateBuffer(device->context, CL_MEM_READ_WRITE, sizeof inputs, NULL, NULL);
        device->out = clCreateBuffer(device->context, CL_MEM_READ_WRITE, sizeof inputs, NULL, NULL);
        return device->queue && device->in && device->out;
    }
    return false;
}

static cl_program build(const struct device *device, const char *source)
{
    cl_program program = clCreateProgramWithSource(device->context, 1, &source, NULL, NULL);
    if (clBuildProgram(program, 1, &device->id, "-DCLOPT_TEST=3", NULL, NULL) == CL_SUCCESS)
        return program;
    char log[8192] = "";
    clGetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
    fprintf(stderr, "%s\n", log);
    clReleaseProgram(program);
    return NULL;
}

/* Runs a source over an NDRange and reads back what it left. */
static bool run(const struct device *device, const char *source, const struct clopt_ndrange *range,
                int32_t *result)
{
    cl_program program = build(device, source);
    if (!program)
        return false;
    cl_int code = CL_SUCCESS;
    cl_kernel kernel = clCreateKernel(program, "k", &code);
    cl_int n = WORDS;
    memset(result, 0x5A, sizeof inputs);
    code |= clEnqueueWriteBuffer(device->queue, device->in, CL_TRUE, 0, sizeof inputs, inputs, 0,
                                 NULL, NULL);
    code |= clEnqueueWriteBuffer(device->queue, device->out, CL_TRUE, 0, sizeof inputs, result, 0,
                                 NULL, NULL);
    code |= clSetKernelArg(kernel, 0, sizeof device->in, &device->in);
    code |= clSetKernelArg(kernel, 1, sizeof device->out, &device->out);
    code |= clSetKernelArg(kernel, 2, sizeof n, &n);
    code |= clEnqueueNDRangeKernel(device->queue, kernel, range->dimensions, NULL, range->global,
                                   range->local, 0, NULL, NULL);
    code |= clEnqueueReadBuffer(device->queue, device->out, CL_TRUE, 0, sizeof inputs, result, 0,
                                NULL, NULL);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    if (code != CL_SUCCESS)
        fprintf(stderr, "OpenCL error\n");
    return code == CL_SUCCESS;
}

static unsigned read_sizes(const char *text, size_t sizes[3])
{
    unsigned count = 0;
    for (char *end = NULL; count < 3; text = end + 1) {
        sizes[count++] = strtoul(text, &end, 10);
        if (*end != 'x')
            break;
    }
    return count;
}

static struct clopt_ndrange read_range(const char *source)
{
    struct clopt_ndrange range = {1, {64, 1, 1}, {16, 1, 1}};
    const char *local = strstr(source, "// local ");
    const char *global = local ? strstr(local, "global ") : NULL;
    if (global) {
        range.dimensions = read_sizes(local + 9, range.local);
        read_sizes(global + 7, range.global);
    }
    return range;
}

/* Whether the file says that coarsening along a dimension is refused with this message. */
static bool is_announced(const char *source, unsigned dimension, const char *message)
{
    char word[32];
    snprintf(word, sizeof word, "// refuse %u: ", dimension);
    const char *at = strstr(source, word);
    if (!at)
        return false;
    at += strlen(word);
    size_t length = strcspn(at, "\n");
    const char *reason = strrchr(message, '/');
    reason = reason ? reason + 1 : message;
    return strlen(reason) == length && strncmp(reason, at, length) == 0;
}

static bool announces(const char *source, unsigned dimension)
{
    char word[32];
    snprintf(word, sizeof word, "// refuse %u: ", dimension);
    return strstr(source, word) != NULL;
}

static void report(struct totals *totals, const char *file,
                   const struct coarsening_request *request, const char *what)
{
    totals->failures++;
    printf("%s: granularity=%u dimension=%u stride=%u: %s\n", file, request->factor,
           request->dimension, request->stride, what);
}

static void compare(struct totals *totals, const char *file,
                    const struct coarsening_request *request, const char *variant)
{
    for (size_t i = 0; i < WORDS; i++)
        if (expected[i] != actual[i]) {
            char what[128];
            snprintf(what, sizeof what, "word %zu is %d and was %d", i, actual[i], expected[i]);
            report(totals, file, request, what);
            if (getenv("CLOPT_TEST_VERBOSE"))
                puts(variant);
            return;
        }
}

static void try_variant(const struct device *device, const struct settings *settings,
                        struct totals *totals, const char *file, const char *source,
                        const struct coarsening_request *request)
{
    struct clopt_ndrange range = read_range(source);
    struct clopt_transform transform;
    struct clopt_error error = {0};
    if (clopt_transform_init(&transform, "k", file, source, "-DCLOPT_TEST=3", &range, &error))
        return report(totals, file, request, error.message);
    enum clopt_status status = coarsen_apply(&transform, request, &error);
    if (status == CLOPT_INFEASIBLE && is_announced(source, request->dimension, error.message)) {
        totals->refused++;
    } else if (status) {
        report(totals, file, request, error.message);
    } else if (announces(source, request->dimension)) {
        report(totals, file, request, "was not refused");
    } else {
        if (settings->print)
            puts(transform.source);
        totals->runs++;
        if (run(device, transform.source, clopt_transform_ndrange(&transform), actual))
            compare(totals, file, request, transform.source);
        else {
            report(totals, file, request, "the variant cannot be run");
            puts(transform.source);
        }
    }
    clopt_transform_fini(&transform);
}

static void try_file(const struct device *device, const struct settings *settings,
                     struct totals *totals, const char *file)
{
    struct clopt_error error = {0};
    char *source = NULL;
    if (clopt_file_read(file, &source, NULL, &error)) {
        printf("%s\n", error.message);
        totals->failures++;
        return;
    }
    struct clopt_ndrange range = read_range(source);
    if (!run(device, source, &range, expected)) {
        printf("%s: cannot be run\n", file);
        totals->failures++;
        free(source);
        return;
    }
    for (unsigned d = 0; d < range.dimensions; d++)
        for (unsigned factor = 2; factor <= 32; factor *= 2)
            for (unsigned stride = 1; stride <= 32; stride *= 2) {
                struct coarsening_request request = {
                    .factor = factor, .dimension = d, .stride = stride};
                if (range.local[d] % (factor * stride) == 0 &&
                    (!settings->factor || settings->factor == factor) &&
                    (!settings->stride || settings->stride == stride))
                    try_variant(device, settings, totals, file, source, &request);
            }
    free(source);
}

int main(int argc, char **argv)
{
    struct settings settings = {0};
    struct device device = {0};
    struct totals totals = {0};
    for (int option; (option = getopt(argc, argv, "p:f:s:vx")) != -1;)
        switch (option) {
        case 'p':
            settings.platform = optarg;
            break;
        case 'f':
            settings.factor = (unsigned)atoi(optarg);
            break;
        case 's':
            settings.stride = (unsigned)atoi(optarg);
            break;
        case 'v':
            settings.verbose = true;
            break;
        case 'x':
            settings.print = true;
            break;
        default:
            return 2;
        }
    if (!open_device(&device, settings.platform))
        return 77;
    struct clopt_random random = clopt_random_seed(1, 0);
    for (size_t i = 0; i < WORDS; i++)
        inputs[i] = (int32_t)clopt_random_below(&random, 1000);
    for (int i = optind; i < argc; i++)
        try_file(&device, &settings, &totals, argv[i]);
    printf("%u variants equal, %u refused as announced, %u failures\n",
           totals.runs - totals.failures, totals.refused, totals.failures);
    clReleaseMemObject(device.in);
    clReleaseMemObject(device.out);
    clReleaseCommandQueue(device.queue);
    clReleaseContext(device.context);
    return totals.failures ? 1 : 0;
}
