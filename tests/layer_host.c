/* SPDX-License-Identifier: BSD-3-Clause */
/* An application that knows nothing of clopt: what it prints and its exit code must be the same
 * with the layer and without it. The first argument says what it does. */
#undef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define ITEMS 4096

static const char source[] =
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

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static cl_program program;
static cl_mem data, more, sums;

static void show(const char *what, cl_int result)
{
    printf("%s: %d\n", what, result);
}

static void need(const char *what, cl_int result)
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

static cl_kernel make(const char *name)
{
    cl_int result;
    cl_kernel kernel = clCreateKernel(program, name, &result);
    need(name, result);
    return kernel;
}

static void launch(cl_command_queue on, cl_kernel kernel, size_t local, cl_event *event)
{
    size_t global = ITEMS;
    need("launch", clEnqueueNDRangeKernel(on, kernel, 1, NULL, &global, local ? &local : NULL, 0,
                                          NULL, event));
}

static cl_kernel make_scale(cl_mem buffer, float factor)
{
    cl_kernel kernel = make("scale");
    need("argument", clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    need("argument", clSetKernelArg(kernel, 1, sizeof factor, &factor));
    return kernel;
}

static void print_buffer(cl_mem buffer, size_t count)
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
    cl_mem to = clCreateImage(context, CL_MEM_WRITE_ONLY, &format, &about, NULL, &result);
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

/* Prints what a queue says of itself, and whether its events tell times. */
static void ask_queue(cl_command_queue asked)
{
    cl_command_queue_properties bits = 99;
    cl_queue_properties array[8] = {0};
    cl_ulong start = 0;
    size_t size = 0;
    cl_event event = NULL;
    show("properties",
         clGetCommandQueueInfo(asked, CL_QUEUE_PROPERTIES, sizeof bits, &bits, &size));
    printf("are %lu in %zu bytes\n", (unsigned long)bits, size);
    show("too small", clGetCommandQueueInfo(asked, CL_QUEUE_PROPERTIES, 1, &bits, NULL));
    show("unknown", clGetCommandQueueInfo(asked, 1, sizeof bits, &bits, NULL));
    size = 0;
    show("array",
         clGetCommandQueueInfo(asked, CL_QUEUE_PROPERTIES_ARRAY, sizeof array, array, &size));
    printf("of %zu bytes: %lu %lu %lu\n", size, (unsigned long)array[0], (unsigned long)array[1],
           (unsigned long)array[2]);
    cl_kernel kernel = make_scale(data, 1);
    launch(asked, kernel, 64, &event);
    clFinish(asked);
    show("time",
         clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, &size));
    clReleaseEvent(event);
    clReleaseKernel(kernel);
}

static void ask_queues(void)
{
    static const cl_queue_properties lists[][4] = {
        {0},
        {CL_QUEUE_PROPERTIES, 0, 0},
        {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0},
        {CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0},
        {12345, 1, 0},
    };
    cl_int result;
    ask_queue(queue);
    for (size_t i = 0; i <= sizeof lists / sizeof *lists; i++) {
        cl_command_queue made =
            clCreateCommandQueueWithProperties(context, device, i ? lists[i - 1] : NULL, &result);
        show("a queue with properties", result);
        if (made)
            ask_queue(made);
        if (made)
            clReleaseCommandQueue(made);
    }
    queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &result);
    ask_queue(queue);
}

/* ---- calls with what is wrong ---- */

#define SHOW(CALL) show(#CALL, CALL)
#define SHOW_MADE(CALL)                                                                            \
    do {                                                                                           \
        result = 99;                                                                               \
        printf("%d ", (CALL) != NULL);                                                             \
        show(#CALL, result);                                                                       \
    } while (0)

static void fail_with_memory(void)
{
    cl_int result;
    cl_buffer_region outside = {0, 1 << 30};
    SHOW(clRetainKernel(NULL));
    SHOW(clReleaseKernel(NULL));
    SHOW(clRetainProgram(NULL));
    SHOW(clReleaseProgram(NULL));
    SHOW(clRetainMemObject(NULL));
    SHOW(clReleaseMemObject(NULL));
    SHOW(clRetainCommandQueue(NULL));
    SHOW(clReleaseCommandQueue(NULL));
    SHOW_MADE(clCreateCommandQueue(NULL, device, 0, &result));
    SHOW_MADE(clCreateCommandQueue(context, NULL, 0, &result));
    SHOW_MADE(clCreateCommandQueue(context, device, 1 << 20, &result));
    SHOW_MADE(clCreateBuffer(context, 0, 0, NULL, &result));
    SHOW_MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 64, NULL, &result));
    SHOW_MADE(clCreateBufferWithProperties(NULL, NULL, 0, 64, NULL, &result));
    SHOW_MADE(clCreateSubBuffer(data, 0, CL_BUFFER_CREATE_TYPE_REGION, &outside, &result));
    SHOW_MADE(clCreateSubBuffer(NULL, 0, CL_BUFFER_CREATE_TYPE_REGION, &outside, &result));
    SHOW_MADE(clCreateImage(context, 0, NULL, NULL, NULL, &result));
    SHOW_MADE(clCreatePipe(NULL, 0, 4, 4, NULL, &result));
    SHOW_MADE(clCreateSampler(NULL, CL_TRUE, CL_ADDRESS_NONE, CL_FILTER_NEAREST, &result));
    SHOW_MADE(clCreateSampler(context, CL_TRUE, 0, 0, &result));
    SHOW_MADE(clCreateSamplerWithProperties(NULL, NULL, &result));
    SHOW(clRetainSampler(NULL));
    SHOW(clReleaseSampler(NULL));
}

static void fail_with_programs(void)
{
    cl_int result;
    cl_uint count = 0;
    cl_kernel kernels[16] = {NULL};
    const char *bad = "kernel void wrong(global int *a) { a[0] = nothing; }", *none = NULL;
    SHOW_MADE(clCreateProgramWithSource(context, 0, NULL, NULL, &result));
    SHOW_MADE(clCreateProgramWithSource(context, 1, &none, NULL, &result));
    SHOW_MADE(clCreateProgramWithBinary(context, 0, NULL, NULL, NULL, NULL, &result));
    SHOW_MADE(clCreateProgramWithBuiltInKernels(context, 1, &device, "none", &result));
    SHOW_MADE(clLinkProgram(context, 1, &device, NULL, 0, NULL, NULL, NULL, &result));
    SHOW_MADE(clCreateKernel(program, "none", &result));
    SHOW_MADE(clCreateKernel(NULL, "add", &result));
    SHOW_MADE(clCloneKernel(NULL, &result));
    SHOW(clBuildProgram(NULL, 0, NULL, NULL, NULL, NULL));
    SHOW(clBuildProgram(program, 0, NULL, "-DUNUSED=1", NULL, NULL));
    cl_program wrong = clCreateProgramWithSource(context, 1, &bad, NULL, &result);
    SHOW(clBuildProgram(wrong, 1, &device, "-DA", NULL, NULL));
    SHOW(clCreateKernelsInProgram(program, 1, kernels, &count));
    SHOW(clCreateKernelsInProgram(program, 0, NULL, NULL));
    SHOW(clCreateKernelsInProgram(program, 16, kernels, &count));
    printf("%u kernels\n", count);
    for (cl_uint i = 0; i < 16; i++)
        if (kernels[i])
            show("release", clReleaseKernel(kernels[i]));
}

static void fail_with_launches(void)
{
    size_t global[4] = {64, 64, 64, 64}, odd = 1 << 20;
    cl_uint references = 0;
    cl_event no_event = NULL;
    cl_kernel kernel = make("add");
    SHOW(clSetKernelArg(NULL, 0, sizeof data, &data));
    SHOW(clSetKernelArg(kernel, 3, sizeof data, &data));
    SHOW(clSetKernelArg(kernel, 2, 1, &data));
    SHOW(clSetKernelArgSVMPointer(NULL, 0, NULL));
    SHOW(clSetKernelExecInfo(NULL, CL_KERNEL_EXEC_INFO_SVM_PTRS, 0, NULL));
    SHOW(clEnqueueNDRangeKernel(NULL, kernel, 1, NULL, global, NULL, 0, NULL, NULL));
    SHOW(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, global, NULL, 0, NULL, NULL)); /* unset */
    cl_kernel ready = make_scale(data, 1);
    SHOW(clEnqueueNDRangeKernel(queue, ready, 4, NULL, global, NULL, 0, NULL, NULL));
    SHOW(clEnqueueNDRangeKernel(queue, ready, 1, NULL, global, &odd, 0, NULL, NULL));
    SHOW(clEnqueueNDRangeKernel(queue, ready, 1, NULL, NULL, NULL, 0, NULL, NULL));
    SHOW(clEnqueueNDRangeKernel(queue, ready, 0, NULL, global, NULL, 0, NULL, NULL));
    SHOW(clEnqueueNDRangeKernel(queue, ready, 1, NULL, global, NULL, 1, &no_event, NULL));
    SHOW(clEnqueueNDRangeKernel(queue, ready, 1, NULL, global, global, 0, NULL, NULL));
    SHOW(clEnqueueTask(NULL, ready, 0, NULL, NULL));
    SHOW(clEnqueueTask(queue, ready, 0, NULL, NULL));
    SHOW(clGetCommandQueueInfo(NULL, CL_QUEUE_PROPERTIES, 8, global, NULL));
    SHOW(clGetEventProfilingInfo(NULL, CL_PROFILING_COMMAND_END, 8, global, NULL));
    SHOW(clFinish(queue));
    SHOW(clRetainKernel(ready));
    SHOW(clReleaseKernel(ready));
    SHOW(clGetKernelInfo(ready, CL_KERNEL_REFERENCE_COUNT, sizeof references, &references, NULL));
    printf("%u references\n", references);
    SHOW(clReleaseKernel(ready));
    SHOW(clReleaseKernel(kernel));
}

static void fail_often(void)
{
    fail_with_memory();
    fail_with_programs();
    fail_with_launches();
}

static void *work_in_thread(void *user)
{
    cl_int result;
    (void)user;
    cl_mem buffer = clCreateBuffer(context, 0, ITEMS * sizeof(float), NULL, &result);
    cl_command_queue own = clCreateCommandQueue(context, device, 0, &result);
    for (int i = 0; i < 50; i++) {
        cl_kernel kernel = make_scale(buffer, 1);
        launch(own, kernel, 64, NULL);
        if (i % 10 == 9)
            clFinish(own);
        clReleaseKernel(kernel);
    }
    clFinish(own);
    clReleaseCommandQueue(own);
    clReleaseMemObject(buffer);
    return NULL;
}

static void run_threads(void)
{
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, work_in_thread, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
}

/* Children: one ends at once, one becomes this program with another argument. */
static void run_children(char **argv)
{
    int how = 0;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0)
        _exit(3);
    waitpid(child, &how, 0);
    printf("child %d\n", WEXITSTATUS(how));
    fflush(stdout);
    child = fork();
    if (child == 0) {
        execl(argv[0], argv[0], "work", (char *)NULL);
        _exit(127);
    }
    waitpid(child, &how, 0);
    printf("child %d\n", WEXITSTATUS(how));
}

/* ---- objects that go early, and children of many threads ---- */

/* Releases all that a launch needs before it has ended, so that handles come again. */
static void release_early(void)
{
    cl_int result;
    for (int i = 0; i < 10; i++) {
        const char *text = source;
        float numbers[ITEMS] = {(float)i};
        cl_program own = clCreateProgramWithSource(context, 1, &text, NULL, &result);
        need("build", clBuildProgram(own, 1, &device, "-DUNUSED=1", NULL, NULL));
        cl_kernel kernel = clCreateKernel(own, i % 2 ? "scale" : "add", &result);
        cl_mem buffer =
            clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof numbers, numbers, &result);
        const float factor = 2;
        const cl_int count = ITEMS;
        need("argument", clSetKernelArg(kernel, 0, sizeof data, i % 2 ? &data : &buffer));
        if (i % 2) {
            need("argument", clSetKernelArg(kernel, 1, sizeof factor, &factor));
        } else {
            need("argument", clSetKernelArg(kernel, 1, sizeof more, &more));
            need("argument", clSetKernelArg(kernel, 2, sizeof count, &count));
        }
        launch(queue, kernel, 64, NULL);
        clReleaseProgram(own);
        clReleaseMemObject(buffer);
        clReleaseKernel(kernel);
        if (i % 5 == 4) {
            print_buffer(data, ITEMS);
            need("fill", clEnqueueWriteBuffer(queue, data, CL_TRUE, 0, sizeof numbers, numbers, 0,
                                              NULL, NULL));
        }
    }
}

static _Atomic int stopping;

static void *make_kernels(void *user)
{
    (void)user;
    while (!stopping)
        clReleaseKernel(make_scale(data, 1));
    return NULL;
}

/* Children of a process of many threads, which make and release kernels, release one that no thread
 * knows. */
static void fork_among_threads(void)
{
    pthread_t threads[4];
    cl_int result;
    int how = 0, good = 0;
    const char *text = source;
    cl_program own = clCreateProgramWithSource(context, 1, &text, NULL, &result);
    need("build", clBuildProgram(own, 1, &device, "-DUNUSED=1", NULL, NULL));
    cl_kernel kernel = clCreateKernel(own, "scale", &result);
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, make_kernels, NULL);
    for (int i = 0; i < 20; i++) {
        pid_t child = fork();
        if (child == 0) {
            alarm(10); /* a lock that no thread gives back */
            _exit(clReleaseKernel(kernel) == CL_SUCCESS ? 3 : 4);
        }
        if (waitpid(child, &how, 0) == child && WIFEXITED(how) && WEXITSTATUS(how) == 3)
            good++;
        else
            break;
    }
    stopping = 1;
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    printf("%d children have ended well\n", good);
    clReleaseKernel(kernel);
    clReleaseProgram(own);
}

/* A launch waits for what the host does later. */
static void wait_for_host(void)
{
    cl_int result;
    size_t global = ITEMS;
    cl_kernel kernel = make_scale(data, 2);
    cl_event gate = clCreateUserEvent(context, &result), done;
    need("launch", clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 1, &gate, &done));
    clFlush(queue);
    clSetUserEventStatus(gate, CL_COMPLETE);
    show("wait", clWaitForEvents(1, &done));
    clReleaseEvent(done);
    clReleaseEvent(gate);
    clReleaseKernel(kernel);
    print_buffer(data, ITEMS);
}

static const char special_source[] =
    "kernel void twice(global float *a, global float *b)\n"
    "{ size_t i = get_global_id(0); a[i] = b[i] + 1; }\n"
    "kernel void maybe(global float *a, global const float *b)\n"
    "{ size_t i = get_global_id(0); a[i] += b ? b[i] : 2; }\n"
    "kernel void shifted(global float *a) { a[get_global_id(0)] += 1; }\n"
    "kernel void hidden(global float *a) { a[get_global_id(0)] += 1; }\n"
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
    cl_mem hidden =
        clCreateBuffer(context, CL_MEM_HOST_NO_ACCESS, ITEMS * sizeof(float), NULL, &result);
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
    };
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
    need("build", clBuildProgram(sized, 1, &device, NULL, NULL, NULL));
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

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "work";
    setvbuf(stdout, NULL, _IOLBF, 0); /* what is printed before a crash counts */
    open_device();
    if (strcmp(what, "queues") == 0)
        ask_queues();
    else if (strcmp(what, "failures") == 0)
        fail_often();
    else if (strcmp(what, "threads") == 0)
        run_threads();
    else if (strcmp(what, "gate") == 0)
        wait_for_host();
    else if (strcmp(what, "special") == 0)
        work_specially();
    else if (strcmp(what, "images") == 0)
        blur_images();
    else if (strcmp(what, "sized") == 0)
        work_sized();
    else if (strcmp(what, "shared") == 0)
        work_shared();
    else if (strcmp(what, "turns") == 0)
        work_in_turn();
    else if (strcmp(what, "values") == 0)
        work_by_value();
    else if (strcmp(what, "early") == 0)
        release_early();
    else if (strcmp(what, "orphans") == 0)
        fork_among_threads();
    else
        work();
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
