/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs kernels for tests. */
#include "kernel_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <clopt/random.h>

#include "trial/transform.h"

#ifdef __SANITIZE_ADDRESS__
/* Turns LeakSanitizer off: it may die over threads that a driver leaves behind. What leaks in
 * rewriting is seen by tests/optimizations. */
int __lsan_is_turned_off(void);
__attribute__((visibility("default"))) int __lsan_is_turned_off(void)
{
    return 1;
}
#endif

bool device_open(struct device *device, const char *platform)
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
        device->plain |= strstr(name, "Oclgrind") != NULL; /* knows not all that LLVM makes */
        device->pocl = strstr(name, "Portable") != NULL;
        device->context = clCreateContext(NULL, 1, &device->id, NULL, NULL, NULL);
        device->queue = clCreateCommandQueue(device->context, device->id, 0, NULL);
        device->in =
            clCreateBuffer(device->context, CL_MEM_READ_WRITE, sizeof device->inputs, NULL, NULL);
        device->out =
            clCreateBuffer(device->context, CL_MEM_READ_WRITE, sizeof device->inputs, NULL, NULL);
        struct clopt_random random = clopt_random_seed(1, 0);
        for (size_t word = 0; word < WORDS; word++)
            device->inputs[word] = (int32_t)clopt_random_below(&random, 1000);
        return device->queue && device->in && device->out;
    }
    return false;
}

void device_close(const struct device *device)
{
    clReleaseMemObject(device->in);
    clReleaseMemObject(device->out);
    clReleaseCommandQueue(device->queue);
    clReleaseContext(device->context);
}

/* Asks Intel's compiler for a width of its vectorizer, 1 for none: for the caller to free. */
static char *put_hint(const char *source, unsigned width)
{
    const char *head = strstr(source, "kernel void k(");
    size_t size = strlen(source) + 64;
    char *text = head ? malloc(size) : NULL;
    if (text)
        snprintf(text, size, "%.*skernel __attribute__((intel_vec_len_hint(%u))) void k(%s",
                 (int)(head - source), source, width, head + strlen("kernel void k("));
    return text;
}

void kernel_options(const char *source, char options[KERNEL_OPTIONS_MAX])
{
    const char *said = strstr(source, "// options ");
    int length = said ? (int)strcspn(said + 10, "\n") : 0;
    snprintf(options, KERNEL_OPTIONS_MAX, "-DCLOPT_TEST=3%.*s", length, said ? said + 10 : "");
}

/* Whether a device builds with an option. */
static bool takes(const struct device *device, const char *option)
{
    const char *source = "kernel void k(global int *a) { a[0] = 1; }";
    cl_program program = clCreateProgramWithSource(device->context, 1, &source, NULL, NULL);
    cl_int code = clBuildProgram(program, 1, &device->id, option, NULL, NULL);
    clReleaseProgram(program);
    return code == CL_SUCCESS;
}

/* Takes OpenCL C 2.0 for 3.0, or the other way round, where a device lacks one: Oclgrind knows none
 * after 2.0, PoCL 6.0 does not know 2.0. */
static void choose_version(const struct device *device, char *options)
{
    char *version = strstr(options, "-cl-std=CL");
    char *digit = version ? version + strlen("-cl-std=CL") : NULL;
    if (digit && (*digit == '2' || *digit == '3') && !takes(device, version))
        *digit = *digit == '2' ? '3' : '2';
}

static cl_program build(const struct device *device, const char *source)
{
    char *hinted = NULL;
    if (device->width && !(source = hinted = put_hint(source, device->width)))
        return NULL;
    char options[KERNEL_OPTIONS_MAX + 32];
    kernel_options(source, options);
    choose_version(device, options);
    size_t length = strlen(options);
    if (device->plain || !getenv("CLOPT_LONG_TESTS")) /* which takes half the time */
        snprintf(options + length, sizeof options - length, " -cl-opt-disable");
    cl_program program = clCreateProgramWithSource(device->context, 1, &source, NULL, NULL);
    free(hinted);
    if (clBuildProgram(program, 1, &device->id, options, NULL, NULL) == CL_SUCCESS)
        return program;
    char log[8192] = "";
    clGetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
    fprintf(stderr, "%s\n", log);
    clReleaseProgram(program);
    return NULL;
}

/* How much local memory the fourth argument has, if the file says so; 0: there is none. */
static size_t local_bytes(const char *source)
{
    const char *said = strstr(source, "// argument local ");
    return said ? strtoul(said + 18, NULL, 10) : 0;
}

/* Whether a kernel whose arguments are set needs more local memory than there is. */
static bool is_too_large(const struct device *device, cl_kernel kernel)
{
    cl_ulong needed = 0, room = 0;
    cl_int code = clGetKernelWorkGroupInfo(kernel, device->id, CL_KERNEL_LOCAL_MEM_SIZE,
                                           sizeof needed, &needed, NULL);
    code |= clGetDeviceInfo(device->id, CL_DEVICE_LOCAL_MEM_SIZE, sizeof room, &room, NULL);
    return code == CL_SUCCESS && needed > room;
}

/* Whether a variant is for a launch with argument 2 alone, n, as an integer. */
static bool is_for(const struct clopt_ndrange_change *change, const struct clopt_ndrange *initial)
{
    bool fits = true;
    for (unsigned d = 0; d < 3; d++) {
        size_t asked = change->local_size[d], multiple = change->local_multiple[d];
        size_t local = asked ? asked : initial->local[d];
        fits &=
            !multiple || (local % multiple == 0 && (!change->local_only[d] || local == multiple));
        fits &= !change->whole_groups || initial->global[d] % local == 0;
    }
    for (size_t i = 0; i < change->multiple_count; i++) {
        const struct clopt_argument_multiple *own = &change->multiples[i];
        size_t d = own->covers ? own->covers - 1 : 0, asked = change->local_size[d];
        size_t items = clopt_round_up(initial->global[d],
                                      asked ? asked : clopt_ndrange_factor(initial->local[d]));
        size_t value = own->argument < CLOPT_LAUNCH_GLOBAL
                           ? WORDS
                           : initial->global[own->argument - CLOPT_LAUNCH_GLOBAL];
        fits &= value % own->multiple == 0 && (!own->equals || value == own->equals) &&
                (!own->covers || value >= items);
    }
    return fits;
}

/* Sets an argument that is a buffer of zeros, which launches keep. */
static cl_int set_zeroed(const struct device *device, cl_kernel kernel, cl_uint index, size_t bytes,
                         cl_mem *buffer)
{
    const cl_uint zero = 0;
    cl_int code = CL_SUCCESS;
    *buffer = clCreateBuffer(device->context, CL_MEM_READ_WRITE, bytes, NULL, &code);
    if (code == CL_SUCCESS)
        code = clEnqueueFillBuffer(device->queue, *buffer, &zero, sizeof zero, 0, bytes, 0, NULL,
                                   NULL);
    return code ? code : clSetKernelArg(kernel, index, sizeof *buffer, buffer);
}

/* Gives both buffers their contents. */
static cl_int fill_buffers(const struct device *device, const int32_t *result)
{
    size_t bytes = sizeof device->inputs;
    cl_int code = clEnqueueWriteBuffer(device->queue, device->in, CL_TRUE, 0, bytes, device->inputs,
                                       0, NULL, NULL);
    return code | clEnqueueWriteBuffer(device->queue, device->out, CL_TRUE, 0, bytes, result, 0,
                                       NULL, NULL);
}

enum run device_run(const struct device *device, const char *source,
                    const struct clopt_ndrange *initial, const struct clopt_ndrange_change *change,
                    int32_t *result)
{
    struct clopt_ndrange range = change ? clopt_ndrange_map(initial, change) : *initial;
    if (change && !is_for(change, initial))
        return RUN_REFUSED;
    cl_program program = build(device, source);
    if (!program)
        return RUN_FAILED;
    cl_int code = CL_SUCCESS;
    cl_kernel kernel = clCreateKernel(program, "k", &code);
    cl_int n = WORDS;
    memset(result, strstr(source, "// zero\n") ? 0 : 0x5A, sizeof device->inputs);
    code |= fill_buffers(device, result);
    code |= clSetKernelArg(kernel, 0, sizeof device->in, &device->in);
    code |= clSetKernelArg(kernel, 1, sizeof device->out, &device->out);
    code |= clSetKernelArg(kernel, 2, sizeof n, &n);
    cl_uint count = 3;
    cl_mem zeroed = NULL;
    size_t bytes = local_bytes(source);
    size_t grown =
        bytes && change ? clopt_local_bytes(change, change->added_count, 3, bytes) : bytes;
    if (bytes)
        code |= clSetKernelArg(kernel, count++, grown, NULL);
    for (size_t i = 0; change && i < change->added_count; i++) {
        cl_ulong value = clopt_added_value(initial, change, i, bytes);
        if (change->added[i].zeroed)
            code |= set_zeroed(device, kernel, (cl_uint)(count + i), value, &zeroed);
        else
            code |= clSetKernelArg(kernel, (cl_uint)(count + i), sizeof value, &value);
    }
    bool too_large = code == CL_SUCCESS && is_too_large(device, kernel);
    if (too_large)
        code = CL_OUT_OF_RESOURCES;
    for (int launch = zeroed ? 2 : 1; launch > 0 && !too_large; launch--) {
        code |= clEnqueueNDRangeKernel(device->queue, kernel, range.dimensions, NULL, range.global,
                                       range.local, 0, NULL, NULL);
        if (launch > 1) /* the next one has what this one leaves in the buffer of zeros */
            code |= clFinish(device->queue) | fill_buffers(device, result);
    }
    code |= clEnqueueReadBuffer(device->queue, device->out, CL_TRUE, 0, sizeof device->inputs,
                                result, 0, NULL, NULL);
    if (zeroed)
        clReleaseMemObject(zeroed);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    if (too_large)
        return RUN_REFUSED;
    if (code != CL_SUCCESS)
        fprintf(stderr, "OpenCL error\n");
    return code == CL_SUCCESS ? RUN_DONE : RUN_FAILED;
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

struct clopt_ndrange device_range(const char *source)
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
