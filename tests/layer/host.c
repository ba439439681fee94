/* SPDX-License-Identifier: BSD-3-Clause */
/* An application that knows nothing of clopt: what it prints and its exit code must be the same
 * with the layer and without it. The first argument says what it does. */
#include "host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char source[] =
    "typedef struct { float a; int b; } pair;\n"
    "#ifndef ONE\n#define ONE 1\n#endif\n"
    "kernel void scale(global float *data, float factor)\n"
    "{ data[get_global_id(0)] *= factor * ONE; }\n"
    "kernel void add(global float *data, global const float *more, int count)\n"
    "{ size_t i = get_global_id(0); if (i < count) data[i] += more[i]; }\n"
    "kernel void total(global const float *data, global float *sums, local float *part)\n"
    "{ size_t i = get_local_id(0);\n"
    "  part[i] = data[get_global_id(0)];\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  if (i == 0) { float sum = 0;\n"
    "    for (int k = 0; k < (int)get_local_size(0); k++) sum += part[k];\n"
    "    sums[get_group_id(0)] = sum; } }\n"
    "kernel void by_pair(global float *data, pair p)\n"
    "{ data[get_global_id(0)] += p.a * p.b; }\n"
    "typedef struct { float2 a; struct { short b[3]; uchar c; } d; } nest;\n"
    "kernel void by_nest(global float *data, nest n)\n"
    "{ data[get_global_id(0)] += n.a.y * n.d.b[2] - n.d.c; }\n"
    "typedef struct __attribute__((packed)) { char c; float a; } tight;\n"
    "kernel void by_tight(global float *data, tight t) { data[get_global_id(0)] += t.a * t.c; }\n"
    "typedef struct { int many[17]; } row;\n"
    "kernel void by_row(global float *data, row r) { data[get_global_id(0)] += r.many[16]; }\n";

static const char blurring[] =
    "kernel void blur(read_only image2d_t from, write_only image2d_t to, sampler_t how)\n"
    "{ int2 at = (int2)(get_global_id(0), get_global_id(1)); float4 sum = 0;\n"
    "  for (int x = -2; x <= 2; x++) sum += read_imagef(from, how, at + (int2)(x, 0));\n"
    "  write_imagef(to, at, sum / 5); }\n";

cl_device_id device;
cl_context context;
cl_command_queue queue;
cl_program program;
cl_mem data, more, sums;

void show(const char *what, cl_int result)
{
    printf("%s: %d\n", what, result);
}

void need(const char *what, cl_int result)
{
    if (result != CL_SUCCESS) {
        show(what, result);
        exit(1);
    }
}

static void open_device(void)
{
    cl_platform_id platform;
    float numbers[ITEMS];
    cl_int result;
    const char *text = source;
    need("platform", clGetPlatformIDs(1, &platform, NULL));
    need("device", clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &result);
    need("context", result);
    queue = clCreateCommandQueue(context, device, 0, &result);
    need("queue", result);
    program = clCreateProgramWithSource(context, 1, &text, NULL, &result);
    need("program", result);
    need("build", clBuildProgram(program, 1, &device, "-DUNUSED=1", NULL, NULL));
    for (int i = 0; i < ITEMS; i++)
        numbers[i] = (float)(i % 7);
    data = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof numbers, numbers, &result);
    more = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR | CL_MEM_READ_ONLY, sizeof numbers, numbers,
                          &result);
    sums = clCreateBuffer(context, 0, ITEMS / 64 * sizeof(float), NULL, &result);
    need("buffers", result);
}

static void close_device(void)
{
    clReleaseMemObject(data);
    clReleaseMemObject(more);
    clReleaseMemObject(sums);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
}

cl_kernel make(const char *name)
{
    cl_int result;
    cl_kernel kernel = clCreateKernel(program, name, &result);
    need(name, result);
    return kernel;
}

void launch(cl_command_queue on, cl_kernel kernel, size_t local, cl_event *event)
{
    size_t global = ITEMS;
    need("launch", clEnqueueNDRangeKernel(on, kernel, 1, NULL, &global, local ? &local : NULL, 0,
                                          NULL, event));
}

cl_kernel make_scale(cl_mem buffer, float factor)
{
    cl_kernel kernel = make("scale");
    need("argument", clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    need("argument", clSetKernelArg(kernel, 1, sizeof factor, &factor));
    return kernel;
}

void print_buffer(cl_mem buffer, size_t count)
{
    float numbers[ITEMS];
    double sum = 0;
    need("read", clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, count * sizeof *numbers, numbers, 0,
                                     NULL, NULL));
    for (size_t i = 0; i < count; i++)
        sum += numbers[i];
    printf("sum %.9g\n", sum);
}

static void add_structure(const char *name, size_t bytes, const void *value)
{
    cl_kernel kernel = make(name);
    need("argument", clSetKernelArg(kernel, 0, sizeof data, &data));
    need("argument", clSetKernelArg(kernel, 1, bytes, value));
    launch(queue, kernel, 64, NULL);
    clReleaseKernel(kernel);
}

/* Structures by value, of which the last two cannot be captured. */
static void work_by_value(void)
{
    struct {
        cl_float2 a;
        struct {
            cl_short b[3];
            cl_uchar c;
        } d;
    } nest = {{{0.25f, -1.5f}}, {{1, 2, -3}, 200}};
    struct __attribute__((packed)) {
        cl_char c;
        cl_float a;
    } tight = {2, 0.125f};
    cl_int many[17] = {[16] = 9};
    add_structure("by_nest", sizeof nest, &nest);
    add_structure("by_tight", sizeof tight, &tight);
    add_structure("by_row", sizeof many, many);
    print_buffer(data, ITEMS);
}

/* Shared virtual memory, a part of it, and a list in it. */
static void work_shared(void)
{
    cl_int result;
    struct item {
        float value;
        struct item *next;
    };
    const char *text = "kernel void twice(global float *data, global const float *more)\n"
                       "{ data[get_global_id(0)] += 2 * more[get_global_id(0)]; }\n"
                       "typedef struct item { float value; global struct item *next; } item;\n"
                       "kernel void follow(global float *data, global item *items)\n"
                       "{ data[get_global_id(0)] += items[0].value; }\n";
    const size_t bytes = ITEMS * sizeof(float);
    float numbers[ITEMS];
    for (int i = 0; i < ITEMS; i++)
        numbers[i] = (float)(i % 11);
    float *shared = clSVMAlloc(context, CL_MEM_READ_WRITE, bytes, 0);
    float *other = clSVMAlloc(context, CL_MEM_READ_WRITE, 2 * bytes, 0);
    struct item *list = clSVMAlloc(context, CL_MEM_READ_WRITE, sizeof *list, 0);
    cl_program own = clCreateProgramWithSource(context, 1, &text, NULL, &result);
    need("build", clBuildProgram(own, 1, &device, NULL, NULL, NULL));
    need("shared", shared && other && list ? CL_SUCCESS : CL_OUT_OF_RESOURCES);
    for (int half = 0; half < 2; half++)
        need("copy", clEnqueueSVMMemcpy(queue, CL_TRUE, other + half * ITEMS, numbers, bytes, 0,
                                        NULL, NULL));
    need("copy", clEnqueueSVMMemcpy(queue, CL_TRUE, shared, numbers, bytes, 0, NULL, NULL));
    need("map", clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE, list, sizeof *list, 0, NULL, NULL));
    *list = (struct item){3, list};
    need("unmap", clEnqueueSVMUnmap(queue, list, 0, NULL, NULL));
    cl_kernel kernel = clCreateKernel(own, "twice", &result);
    need("argument", clSetKernelArgSVMPointer(kernel, 0, shared));
    need("argument", clSetKernelArgSVMPointer(kernel, 1, other + ITEMS));
    for (int i = 0; i < 5; i++)
        launch(queue, kernel, 64, NULL);
    clReleaseKernel(kernel);
    kernel = clCreateKernel(own, "follow", &result);
    need("argument", clSetKernelArgSVMPointer(kernel, 0, shared));
    need("argument", clSetKernelArgSVMPointer(kernel, 1, list));
    launch(queue, kernel, 64, NULL);
    need("copy",
         clEnqueueSVMMemcpy(queue, CL_TRUE, list, shared + 5, sizeof(float), 0, NULL, NULL));
    printf("%.9g\n", list->value);
    clReleaseKernel(kernel);
    clReleaseProgram(own);
    clSVMFree(context, shared);
    clSVMFree(context, other);
    need("free", clEnqueueSVMFree(queue, 1, (void **)&list, NULL, NULL, 0, NULL, NULL));
}

static void sum_up(cl_mem buffer)
{
    cl_kernel kernel = make("total");
    need("argument", clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    need("argument", clSetKernelArg(kernel, 1, sizeof sums, &sums));
    need("argument", clSetKernelArg(kernel, 2, 64 * sizeof(float), NULL));
    launch(queue, kernel, 64, NULL);
    clReleaseKernel(kernel);
}

/* Two kernels in turn, three times, and a third one after the host has changed what it reads. */
static void work_in_turn(void)
{
    cl_int result;
    const cl_int count = ITEMS;
    float zero = 0;
    cl_mem other = clCreateBuffer(context, 0, ITEMS * sizeof(float), NULL, &result);
    need("other", result);
    need("copy",
         clEnqueueCopyBuffer(queue, data, other, 0, 0, ITEMS * sizeof(float), 0, NULL, NULL));
    cl_kernel scale = make_scale(other, 0.75f), add = make("add");
    need("argument", clSetKernelArg(add, 0, sizeof data, &data));
    need("argument", clSetKernelArg(add, 1, sizeof other, &other));
    need("argument", clSetKernelArg(add, 2, sizeof count, &count));
    for (int i = 0; i < 3; i++) {
        launch(queue, scale, 64, NULL);
        launch(queue, add, 64, NULL);
    }
    need("write", clEnqueueWriteBuffer(queue, data, CL_TRUE, 4, sizeof zero, &zero, 0, NULL, NULL));
    sum_up(data);
    print_buffer(sums, ITEMS / 64);
    clReleaseKernel(scale);
    clReleaseKernel(add);
    clReleaseMemObject(other);
}

/* Scales a buffer, and one that is longer by another factor, with the same global and local size.
 */
static void scale_longer(void)
{
    cl_int result;
    cl_mem longer =
        clCreateBuffer(context, CL_MEM_READ_WRITE, 2 * ITEMS * sizeof(float), NULL, &result);
    need("longer", result);
    for (size_t part = 0; part < 2; part++)
        need("copy", clEnqueueCopyBuffer(queue, data, longer, 0, part * ITEMS * sizeof(float),
                                         ITEMS * sizeof(float), 0, NULL, NULL));
    cl_kernel kernel = make_scale(data, 1.5f), other = make_scale(longer, 0.5f);
    launch(queue, kernel, 64, NULL);
    launch(queue, other, 64, NULL);
    clReleaseKernel(kernel);
    clReleaseKernel(other);
    print_buffer(longer, ITEMS);
    clReleaseMemObject(longer);
}

/* Scales twenty times, adds, and sums up; a kernel with a structure comes last. */
static void work(void)
{
    int count = ITEMS - 5;
    struct {
        float a;
        int b;
    } pair = {0.5f, 4};
    cl_kernel kernel = make_scale(data, 1.5f);
    for (int i = 0; i < 20; i++)
        launch(queue, kernel, i < 10 ? 64 : 32, NULL);
    clReleaseKernel(kernel);
    kernel = make("add");
    need("argument", clSetKernelArg(kernel, 0, sizeof data, &data));
    need("argument", clSetKernelArg(kernel, 1, sizeof more, &more));
    need("argument", clSetKernelArg(kernel, 2, sizeof count, &count));
    launch(queue, kernel, 0, NULL);
    clReleaseKernel(kernel);
    sum_up(data);
    print_buffer(sums, ITEMS / 64);
    add_structure("by_pair", sizeof pair, &pair);
    print_buffer(data, ITEMS);
}

/* Blurs an image of some kind, and prints what comes out. */
static void blur(cl_kernel kernel, cl_channel_order order, cl_sampler how, size_t pixel)
{
    unsigned char pixels[50 * 30 * 4] = {0};
    size_t size[3] = {50, 30, 1}, origin[3] = {0};
    cl_image_format format = {order, CL_UNORM_INT8};
    cl_image_desc about = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 50, .image_height = 30};
    cl_int result;
    unsigned long sum = 0;
    for (size_t i = 0; i < 50 * 30 * pixel; i++)
        pixels[i] = (unsigned char)(i * i);
    cl_mem from = clCreateImage(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format, &about,
                                pixels, &result);
    need("image", result);
    cl_mem to = clCreateImage(context, CL_MEM_WRITE_ONLY | CL_MEM_COPY_HOST_PTR, &format, &about,
                              pixels, &result); /* else memory may have what an earlier one left */
    need("image", result);
    need("argument", clSetKernelArg(kernel, 0, sizeof from, &from));
    need("argument", clSetKernelArg(kernel, 1, sizeof to, &to));
    need("argument", clSetKernelArg(kernel, 2, sizeof how, &how));
    need("launch", clEnqueueNDRangeKernel(queue, kernel, 2, NULL, size, NULL, 0, NULL, NULL));
    need("read", clEnqueueReadImage(queue, to, CL_TRUE, origin, size, 0, 0, pixels, 0, NULL, NULL));
    for (size_t i = 0; i < 50 * 30 * pixel; i++)
        sum += pixels[i] * (i % 7 + 1);
    printf("image %lu\n", sum);
    clReleaseMemObject(from);
    clReleaseMemObject(to);
}

static void blur_images(void)
{
    cl_int result;
    cl_sampler how =
        clCreateSampler(context, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST, &result);
    need("sampler", result);
    const char *text = blurring;
    clReleaseProgram(program);
    program = clCreateProgramWithSource(context, 1, &text, NULL, &result);
    need("build", clBuildProgram(program, 1, &device, NULL, NULL, NULL));
    cl_kernel kernel = make("blur");
    blur(kernel, CL_BGRA, how, 4); /* cannot be captured; the other one has the same sizes */
    blur(kernel, CL_RGBA, how, 4);
    clReleaseKernel(kernel);
    clReleaseSampler(how);
}

static const char special_source[] =
    "kernel void twice(global float *a, global float *b)\n"
    "{ size_t i = get_global_id(0); a[i] = b[i] + 1; }\n"
    "kernel void maybe(global float *a, global const float *b)\n"
    "{ size_t i = get_global_id(0); a[i] += b ? b[i] : 2; }\n"
    "kernel void perhaps(global float *a, global const float *b)\n"
    "{ size_t i = get_global_id(0); a[i] += b ? b[i] : 3; }\n"
    "kernel void shifted(global float *a) { a[get_global_id(0)] += 1; }\n"
    "kernel void hidden(global void *a) { ((global float *)a)[get_global_id(0)] += 1; }\n"
    "kernel void nothing(global const float *a, global float *b) { if (a[0] < -1) b[0] = 1; }\n"
    "kernel void undefined(global float *a) { a[get_global_id(0)] = nan(0u); }\n"
    "kernel void parts(global float *a, global const float *b)\n"
    "{ size_t i = get_global_id(0); a[i] += b[i]; }\n"
    "kernel void types(global uchar4 *a, global short3 *b, float4 f, long n, char c, uint2 u)\n"
    "{ size_t i = get_global_id(0); a[i] += (uchar)c; b[i] += (short3)((short)(f.x + f.w));\n"
    "  a[i].x += (uchar)n + (uchar)u.y; }\n";

static cl_kernel make_special(cl_program special, const char *name, cl_mem first, cl_mem second)
{
    cl_int result;
    cl_kernel kernel = clCreateKernel(special, name, &result);
    need(name, result);
    need("argument", clSetKernelArg(kernel, 0, sizeof first, &first));
    if (second)
        need("argument", clSetKernelArg(kernel, 1, sizeof second, &second));
    return kernel;
}

/* Kernels of which most cannot be captured. */
static void work_specially(void)
{
    cl_int result;
    const char *text = special_source;
    size_t global = 64, offset = 64;
    const float four[4] = {1.25f, 0, -3e-7f, 2};
    const cl_long big = -123456789012;
    const cl_uint two[2] = {7, 4000000000u};
    const char small = -5;
    const cl_buffer_region low = {0, 2048}, high = {4096, 2048};
    cl_program special = clCreateProgramWithSource(context, 1, &text, NULL, &result);
    need("build", clBuildProgram(special, 1, &device, NULL, NULL, NULL));
    float numbers[ITEMS] = {1};
    cl_mem hidden = clCreateBuffer(context, CL_MEM_HOST_NO_ACCESS | CL_MEM_COPY_HOST_PTR,
                                   sizeof numbers, numbers, &result);
    need("hidden", result);
    cl_mem first = clCreateSubBuffer(data, 0, CL_BUFFER_CREATE_TYPE_REGION, &low, &result);
    cl_mem second = clCreateSubBuffer(data, 0, CL_BUFFER_CREATE_TYPE_REGION, &high, &result);
    need("parts", result);
    cl_kernel kernels[] = {
        make_special(special, "twice", data, data),
        make_special(special, "maybe", data, NULL),
        make_special(special, "shifted", data, NULL),
        make_special(special, "hidden", hidden, NULL),
        make_special(special, "nothing", data, data),
        make_special(special, "parts", first, second),
        make_special(special, "types", data, more),
        make_special(special, "undefined", sums, NULL),
        make_special(special, "perhaps", data, NULL),
    };
    const cl_mem none = NULL;
    need("no buffer", clSetKernelArg(kernels[8], 1, sizeof none, &none));
    need("null", clSetKernelArg(kernels[1], 1, sizeof(cl_mem), NULL));
    need("types", clSetKernelArg(kernels[6], 2, sizeof four, four));
    need("types", clSetKernelArg(kernels[6], 3, sizeof big, &big));
    need("types", clSetKernelArg(kernels[6], 4, sizeof small, &small));
    need("types", clSetKernelArg(kernels[6], 5, sizeof two, two));
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        need("special", clEnqueueNDRangeKernel(queue, kernels[i], 1, i == 2 ? &offset : NULL,
                                               &global, NULL, 0, NULL, NULL));
    print_buffer(data, 3000);
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        clReleaseKernel(kernels[i]);
    clReleaseMemObject(first);
    clReleaseMemObject(second);
    clReleaseMemObject(hidden);
    clReleaseProgram(special);
}

/* A kernel that tells its local size. */
static void work_sized(void)
{
    cl_int result;
    const char *text =
        "kernel void sized(global float *data, global int *sizes)\n"
        "{ size_t i = get_global_id(0); data[i] *= 2; sizes[i] = (int)get_local_size(0); }\n";
    size_t global = ITEMS / 2, local = 64, offset = ITEMS / 2;
    cl_program sized = clCreateProgramWithSource(context, 1, &text, NULL, &result);
    need("build", clBuildProgram(sized, 1, &device, getenv("SIZED_OPTIONS"), NULL, NULL));
    cl_kernel kernel = make_special(sized, "sized", data, more);
    for (int i = 0; i < 4; i++)
        need("sized", clEnqueueNDRangeKernel(queue, kernel, 1, i == 3 ? &offset : NULL, &global,
                                             &local, 0, NULL, NULL));
    int sizes[ITEMS];
    print_buffer(data, ITEMS);
    need("read", clEnqueueReadBuffer(queue, more, CL_TRUE, 0, sizeof sizes, sizes, 0, NULL, NULL));
    printf("sizes %d and %d\n", sizes[0], sizes[ITEMS - 1]);
    clReleaseKernel(kernel);
    clReleaseProgram(sized);
}

static const struct {
    const char *name;
    void (*run)(void);
} kinds[] = {
    {"queues", ask_queues},          {"failures", fail_often},     {"threads", run_threads},
    {"gate", wait_for_host},         {"special", work_specially},  {"images", blur_images},
    {"sized", work_sized},           {"shared", work_shared},      {"turns", work_in_turn},
    {"rows", sum_unchanged},         {"nothing", sum_nothing},     {"long", sum_for_long},
    {"changed", sum_changed},        {"mapped", sum_mapped},       {"streams", sum_on_queues},
    {"summing", sum_in_threads},     {"values", work_by_value},    {"early", release_early},
    {"orphans", fork_among_threads}, {"halves", share_buffer},     {"headers", build_with_headers},
    {"linked", compile_and_link},    {"both", link_both},          {"alike", link_alike},
    {"binary", load_binary},         {"constants", try_constants}, {"oddly", build_oddly},
    {"loaders", use_second_loader},  {"called", build_and_wait},   {"again", build_again},
    {"longer", scale_longer},        {"spun", spin_twice},         {"asked", ask_program},
    {"search", search_late},         {"macro", build_with_macro},  {"nul", build_with_nul},
};

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "work";
    setvbuf(stdout, NULL, _IOLBF, 0); /* what is printed before a crash counts */
    open_device();
    void (*run)(void) = work;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(what, kinds[i].name) == 0)
            run = kinds[i].run;
    run();
    if (strcmp(what, "fork") == 0)
        run_children(argv);
    if (strcmp(what, "abort") == 0)
        abort();
    if (strcmp(what, "leave") == 0)
        _exit(5);
    if (strcmp(what, "leak") == 0)
        return 6;
    if (strcmp(what, "late") == 0)
        atexit(close_device);
    else
        close_device();
    return 7;
}
