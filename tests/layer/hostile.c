/* SPDX-License-Identifier: BSD-3-Clause */
/* What is hard to stand between: calls that fail, threads, children, objects that go early. */
#include "host.h"

#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

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

void ask_queues(void)
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
    cl_kernel idle =
        make_scale(data, 1); /* a driver may hold one that was launched a while longer */
    SHOW(clRetainKernel(idle));
    SHOW(clReleaseKernel(idle));
    SHOW(clGetKernelInfo(idle, CL_KERNEL_REFERENCE_COUNT, sizeof references, &references, NULL));
    printf("%u references\n", references);
    SHOW(clReleaseKernel(idle));
    SHOW(clReleaseKernel(ready));
    SHOW(clReleaseKernel(kernel));
}

void fail_often(void)
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

void run_threads(void)
{
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, work_in_thread, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
}

/* Children: one ends at once, one becomes this program with another argument. */
void run_children(char **argv)
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
void release_early(void)
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
void fork_among_threads(void)
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
            alarm(60); /* a lock that no thread gives back */
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
void wait_for_host(void)
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

static _Atomic int halves_done;

/* Writes to the second half of a buffer, and reads what it has written, until the other half is
 * done. */
static void *use_second_half(void *user)
{
    cl_int result;
    unsigned *lost = user;
    float written[ITEMS / 2] = {0}, read[ITEMS / 2];
    cl_command_queue own = clCreateCommandQueue(context, device, 0, &result);
    while (!halves_done) {
        for (int i = 0; i < ITEMS / 2; i++)
            written[i] += 1;
        clEnqueueWriteBuffer(own, data, CL_TRUE, sizeof written, sizeof written, written, 0, NULL,
                             NULL);
        clEnqueueReadBuffer(own, data, CL_TRUE, sizeof read, sizeof read, read, 0, NULL, NULL);
        for (int i = 0; i < ITEMS / 2; i++)
            *lost += read[i] != written[i];
    }
    clReleaseCommandQueue(own);
    return NULL;
}

/* Two threads use distinct halves of a buffer at the same time. */
void share_buffer(void)
{
    pthread_t thread;
    unsigned lost = 0;
    size_t global = ITEMS / 2, local = 64;
    cl_kernel kernel = make_scale(data, -1);
    pthread_create(&thread, NULL, use_second_half, &lost);
    for (int i = 0; i < 301; i++) {
        need("launch",
             clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
        clFinish(queue);
    }
    halves_done = 1;
    pthread_join(thread, NULL);
    clReleaseKernel(kernel);
    printf("%u numbers of the second half are lost\n", lost);
    print_buffer(data, ITEMS / 2);
}
