/* SPDX-License-Identifier: BSD-3-Clause */
/* Launches of a kernel that gains by another layout of a buffer, and all that may change the buffer
 * between them. The kernel sums up rows; each sum counts with a weight of its own. */
#include "host.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define WIDTH  24
#define HEIGHT 160
#define CELLS  (WIDTH * HEIGHT)
#define BYTES  (CELLS * sizeof(float))
#define MANY   12 /* launches after which a buffer may have got another layout */

static const char rows_source[] =
    "kernel void row_sums(global float *sums, global const float *matrix, int width)\n"
    "{ int y = get_global_id(0); float sum = 0;\n"
    "  for (int x = 0; x < width; x++) sum += matrix[y * width + x];\n"
    "  sums[y] = sum; }\n"
    "kernel void bump(global float *matrix)\n"
    "{ matrix[get_global_id(0)] += 1; }\n"
    "kernel void sneak(global float *sums, global const float *matrix)\n"
    "{ ((global float *)matrix)[get_global_id(0)] += 2; }\n"
    "kernel void slow(global float *matrix)\n"
    "{ float x = 1; for (int i = 0; i < 2000; i++) x = x * 1.0001f + 0.5f;\n"
    "  matrix[get_global_id(0)] += x > 0 ? 3 : 0; }\n";

static cl_program rows_program;

static cl_mem make_matrix(cl_mem_flags flags, float *cells, float first)
{
    cl_int result;
    for (int i = 0; i < CELLS; i++)
        cells[i] = first + (float)(i % 13);
    cl_mem made = clCreateBuffer(context, flags, BYTES, cells, &result);
    need("matrix", result);
    return made;
}

static cl_kernel make_rows(const char *name, cl_mem first, cl_mem matrix)
{
    const cl_int width = WIDTH;
    cl_int result;
    cl_kernel kernel = clCreateKernel(rows_program, name, &result);
    need(name, result);
    need("argument", clSetKernelArg(kernel, 0, sizeof first, &first));
    if (matrix)
        need("argument", clSetKernelArg(kernel, 1, sizeof matrix, &matrix));
    if (*name == 'r')
        need("argument", clSetKernelArg(kernel, 2, sizeof width, &width));
    return kernel;
}

static void enqueue(cl_command_queue on, cl_kernel kernel, size_t global, const cl_event *after,
                    cl_event *event)
{
    const size_t local = 16;
    need("launch",
         clEnqueueNDRangeKernel(on, kernel, 1, NULL, &global, &local, after != NULL, after, event));
}

/* Launches the sums so many times on a queue. */
static void sum_rows(cl_command_queue on, cl_kernel kernel, int count)
{
    for (int i = 0; i < count; i++)
        enqueue(on, kernel, HEIGHT, NULL, NULL);
}

static void print_sums(const char *what, cl_command_queue on, cl_mem from)
{
    float numbers[HEIGHT];
    double sum = 0;
    need("read", clEnqueueReadBuffer(on, from, CL_TRUE, 0, sizeof numbers, numbers, 0, NULL, NULL));
    for (int i = 0; i < HEIGHT; i++)
        sum += numbers[i] * (i + 1);
    printf("%s %.9g\n", what, sum);
}

static cl_mem make_sums(void)
{
    cl_int result;
    cl_mem made = clCreateBuffer(context, 0, HEIGHT * sizeof(float), NULL, &result);
    need("sums", result);
    return made;
}

static void open_rows(void)
{
    const char *text = rows_source;
    cl_int result;
    rows_program = clCreateProgramWithSource(context, 1, &text, NULL, &result);
    need("build", clBuildProgram(rows_program, 1, &device, NULL, NULL, NULL));
}

/* Thirty launches over what nothing changes. */
void sum_unchanged(void)
{
    float cells[CELLS];
    open_rows();
    cl_mem matrix = make_matrix(CL_MEM_COPY_HOST_PTR, cells, 1), to = make_sums();
    cl_kernel kernel = make_rows("row_sums", to, matrix);
    sum_rows(queue, kernel, 30);
    print_sums("unchanged", queue, to);
    clReleaseKernel(kernel);
    clReleaseMemObject(matrix);
    clReleaseMemObject(to);
    clReleaseProgram(rows_program);
}

/* Many launches between many writes, in a loop that releases nothing. */
void sum_for_long(void)
{
    float cells[CELLS];
    open_rows();
    cl_mem matrix = make_matrix(CL_MEM_COPY_HOST_PTR, cells, 1), to = make_sums();
    cl_kernel kernel = make_rows("row_sums", to, matrix);
    for (int i = 0; i < 12; i++) {
        const float cell = (float)i;
        sum_rows(queue, kernel, 4 * MANY);
        print_sums("for long", queue, to);
        need("write", clEnqueueWriteBuffer(queue, matrix, CL_FALSE, (size_t)i * 4, sizeof cell,
                                           &cell, 0, NULL, NULL));
        need("finish", clFinish(queue));
    }
    clReleaseKernel(kernel);
    clReleaseMemObject(matrix);
    clReleaseMemObject(to);
    clReleaseProgram(rows_program);
}

/* One launch with a width that is less than 0: it sums up nothing. */
void sum_nothing(void)
{
    float cells[CELLS];
    const cl_int width = -WIDTH;
    open_rows();
    cl_mem matrix = make_matrix(CL_MEM_COPY_HOST_PTR, cells, 1), to = make_sums();
    cl_kernel kernel = make_rows("row_sums", to, matrix);
    need("argument", clSetKernelArg(kernel, 2, sizeof width, &width));
    sum_rows(queue, kernel, 1);
    print_sums("nothing", queue, to);
    clReleaseKernel(kernel);
    clReleaseMemObject(matrix);
    clReleaseMemObject(to);
    clReleaseProgram(rows_program);
}

/* ---- one queue ---- */

static float more_cells[CELLS];

static void write_part(cl_mem matrix, cl_mem other)
{
    (void)other;
    need("write",
         clEnqueueWriteBuffer(queue, matrix, CL_FALSE, 100, BYTES / 2, more_cells, 0, NULL, NULL));
}

static void write_waiting(cl_mem matrix, cl_mem other)
{
    (void)other;
    need("write", clEnqueueWriteBuffer(queue, matrix, CL_TRUE, 40, 8, more_cells, 0, NULL, NULL));
}

static void write_box(cl_mem matrix, cl_mem other)
{
    const size_t at[3] = {8, 3, 0}, host[3] = {0}, region[3] = {40, 50, 1};
    (void)other;
    need("write", clEnqueueWriteBufferRect(queue, matrix, CL_FALSE, at, host, region, WIDTH * 4, 0,
                                           40, 0, more_cells, 0, NULL, NULL));
}

static void copy_part(cl_mem matrix, cl_mem other)
{
    need("copy", clEnqueueCopyBuffer(queue, other, matrix, 0, 2000, 5000, 0, NULL, NULL));
}

static void copy_within(cl_mem matrix, cl_mem other)
{
    (void)other;
    need("copy",
         clEnqueueCopyBuffer(queue, matrix, matrix, 0, BYTES / 2, BYTES / 2, 0, NULL, NULL));
}

static void copy_box(cl_mem matrix, cl_mem other)
{
    const size_t at[3] = {0}, to[3] = {4, 9, 0}, region[3] = {60, 70, 1};
    need("copy", clEnqueueCopyBufferRect(queue, other, matrix, at, to, region, WIDTH * 4, 0,
                                         WIDTH * 4, 0, 0, NULL, NULL));
}

static void fill_part(cl_mem matrix, cl_mem other)
{
    const float number = 7.5f;
    (void)other;
    need("fill",
         clEnqueueFillBuffer(queue, matrix, &number, sizeof number, 400, 800, 0, NULL, NULL));
}

static void map_part(cl_mem matrix, cl_mem other)
{
    cl_int result;
    (void)other;
    float *mapped =
        clEnqueueMapBuffer(queue, matrix, CL_TRUE, CL_MAP_WRITE, 0, BYTES, 0, NULL, NULL, &result);
    need("map", result);
    for (int i = 0; i < 50; i++)
        mapped[i * 31] = (float)i;
    need("unmap", clEnqueueUnmapMemObject(queue, matrix, mapped, 0, NULL, NULL));
}

static void bump(cl_mem matrix, cl_mem other)
{
    (void)other;
    cl_kernel kernel = make_rows("bump", matrix, NULL);
    enqueue(queue, kernel, CELLS, NULL, NULL);
    clReleaseKernel(kernel);
}

/* By a kernel whose argument is said to be constant. */
static void sneak(cl_mem matrix, cl_mem other)
{
    cl_kernel kernel = make_rows("sneak", other, matrix);
    enqueue(queue, kernel, CELLS, NULL, NULL);
    clReleaseKernel(kernel);
}

static void write_sub_buffer(cl_mem matrix, cl_mem other)
{
    const cl_buffer_region region = {1024, 4096};
    cl_int result;
    (void)other;
    cl_mem part = clCreateSubBuffer(matrix, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &result);
    need("part", result);
    cl_kernel kernel = make_rows("bump", part, NULL);
    enqueue(queue, kernel, 1024, NULL, NULL);
    clReleaseKernel(kernel);
    clReleaseMemObject(part);
}

static void migrate(cl_mem matrix, cl_mem other)
{
    (void)other;
    need("migrate", clEnqueueMigrateMemObjects(queue, 1, &matrix, 0, 0, NULL, NULL));
}

/* Changes a matrix in all these ways, after so many launches that it may have another layout. */
void sum_changed(void)
{
    static const struct {
        const char *name;
        void (*change)(cl_mem matrix, cl_mem other);
    } changes[] = {
        {"write", write_part}, {"waiting", write_waiting}, {"box", write_box},
        {"copy", copy_part},   {"within", copy_within},    {"copied box", copy_box},
        {"fill", fill_part},   {"map", map_part},          {"bump", bump},
        {"sneak", sneak},      {"migrate", migrate},       {"sub-buffer", write_sub_buffer},
    };
    float cells[CELLS];
    open_rows();
    cl_mem other = make_matrix(CL_MEM_COPY_HOST_PTR, more_cells, 5), to = make_sums();
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        cl_mem matrix = make_matrix(CL_MEM_COPY_HOST_PTR, cells, (float)i);
        cl_kernel kernel = make_rows("row_sums", to, matrix);
        for (int again = 0; again < 3; again++) {
            sum_rows(queue, kernel, MANY);
            print_sums("before", queue, to);
            changes[i].change(matrix, other);
            sum_rows(queue, kernel, 1);
            print_sums(changes[i].name, queue, to);
        }
        clReleaseKernel(kernel); /* the next matrix may have the same handle */
        clReleaseMemObject(matrix);
    }
    clReleaseMemObject(other);
    clReleaseMemObject(to);
    clReleaseProgram(rows_program);
}

/* While it is mapped, and what the host has a pointer to. */
void sum_mapped(void)
{
    static float cells[CELLS];
    cl_int result;
    open_rows();
    cl_mem to = make_sums();
    for (int own = 0; own < 2; own++) {
        cl_mem matrix = make_matrix(own ? CL_MEM_USE_HOST_PTR : CL_MEM_COPY_HOST_PTR, cells, 2);
        cl_kernel kernel = make_rows("row_sums", to, matrix);
        sum_rows(queue, kernel, MANY);
        for (int i = 0; i < 3; i++) {
            float *mapped = clEnqueueMapBuffer(queue, matrix, CL_TRUE, CL_MAP_READ, 0, BYTES, 0,
                                               NULL, NULL, &result);
            need("map", result);
            sum_rows(queue, kernel, MANY);
            print_sums("mapped", queue, to);
            need("unmap", clEnqueueUnmapMemObject(queue, matrix, mapped, 0, NULL, NULL));
            map_part(matrix, NULL);
            sum_rows(queue, kernel, 8 * MANY);
            print_sums("unmapped", queue, to);
            need("finish", clFinish(queue));
            if (own) /* by its pointer, as processors let it */
                cells[7 * i] += 100;
            sum_rows(queue, kernel, 1);
            print_sums("written", queue, to);
        }
        clReleaseKernel(kernel);
        clReleaseMemObject(matrix);
    }
    clReleaseMemObject(to);
    clReleaseProgram(rows_program);
}

/* ---- several queues ---- */

/* Writes on a queue that waits for the host, while another one reads. */
static void write_late(cl_command_queue other, cl_mem matrix, cl_kernel kernel, cl_mem to)
{
    cl_int result;
    cl_event gate = clCreateUserEvent(context, &result), written = NULL;
    need("gate", result);
    need("write", clEnqueueWriteBuffer(other, matrix, CL_FALSE, 0, BYTES / 3, more_cells, 1, &gate,
                                       &written));
    need("flush", clFlush(other));
    sum_rows(queue, kernel, MANY);
    print_sums("not written yet", queue, to);
    need("set", clSetUserEventStatus(gate, CL_COMPLETE));
    need("wait", clWaitForEvents(1, &written));
    sum_rows(queue, kernel, MANY);
    print_sums("written", queue, to);
    clReleaseEvent(gate);
    clReleaseEvent(written);
}

/* Writes by calls that wait, on another queue. */
static void write_beside(cl_command_queue other, cl_mem matrix, cl_kernel kernel, cl_mem to)
{
    for (int i = 0; i < 4; i++) {
        sum_rows(queue, kernel, MANY);
        print_sums("before", queue, to);
        need("write", clEnqueueWriteBuffer(other, matrix, CL_TRUE, (size_t)i * 64, 512, more_cells,
                                           0, NULL, NULL));
        need("finish", clFinish(other)); /* which some drivers need */
        sum_rows(queue, kernel, 1);
        print_sums("beside", queue, to);
    }
}

/* Kernels of two queues, which wait for each other by events. */
static void take_turns(cl_command_queue other, cl_mem matrix, cl_kernel kernel, cl_mem to)
{
    cl_kernel slow = make_rows("slow", matrix, NULL);
    cl_event summed = NULL, written = NULL;
    sum_rows(queue, kernel, MANY);
    for (int i = 0; i < 5; i++) {
        enqueue(queue, kernel, HEIGHT, written ? &written : NULL, &summed);
        if (written)
            clReleaseEvent(written);
        need("flush", clFlush(queue));
        enqueue(other, slow, CELLS, &summed, &written);
        need("flush", clFlush(other));
        clReleaseEvent(summed);
    }
    enqueue(queue, kernel, HEIGHT, &written, NULL);
    print_sums("in turn", queue, to);
    clReleaseEvent(written);
    clReleaseKernel(slow);
}

/* Writes on a queue that is busy, while another one reads: what it reads then does not count. */
static void write_when_free(cl_command_queue other, cl_mem matrix, cl_kernel kernel, cl_mem to)
{
    cl_int result;
    cl_mem own = clCreateBuffer(context, 0, BYTES, NULL, &result);
    need("own", result);
    cl_kernel slow = make_rows("slow", own, NULL);
    for (int i = 0; i < 8; i++) {
        const float number = (float)i;
        for (int k = 0; k < 40; k++)
            enqueue(other, slow, 128, NULL, NULL);
        need("fill",
             clEnqueueFillBuffer(other, matrix, &number, sizeof number, 0, BYTES, 0, NULL, NULL));
        need("flush", clFlush(other));
        sum_rows(queue, kernel, MANY);
        need("finish", clFinish(queue));
        need("finish", clFinish(other));
        sum_rows(queue, kernel, 1);
        print_sums("when free", queue, to);
    }
    clReleaseKernel(slow);
    clReleaseMemObject(own);
}

/* Both queues sum up, one of them out of order. */
static void sum_out_of_order(cl_command_queue other, cl_mem matrix, cl_kernel kernel, cl_mem to)
{
    cl_int result;
    cl_event done = NULL;
    cl_command_queue free_queue =
        clCreateCommandQueue(context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &result);
    (void)other;
    if (!free_queue)
        return;
    cl_kernel slow = make_rows("slow", matrix, NULL);
    for (int i = 0; i < MANY; i++) {
        cl_event summed = NULL;
        enqueue(free_queue, kernel, HEIGHT, done ? &done : NULL, &summed);
        if (done)
            clReleaseEvent(done);
        done = summed;
    }
    for (int i = 0; i < 3; i++) {
        cl_event written = NULL;
        enqueue(free_queue, slow, CELLS, &done, &written);
        clReleaseEvent(done);
        enqueue(free_queue, kernel, HEIGHT, &written, &done);
        clReleaseEvent(written);
    }
    need("wait", clWaitForEvents(1, &done));
    print_sums("out of order", queue, to);
    sum_rows(queue, kernel, MANY);
    print_sums("in order", queue, to);
    clReleaseEvent(done);
    clReleaseKernel(slow);
    clReleaseCommandQueue(free_queue);
}

void sum_on_queues(void)
{
    static void (*const ways[])(cl_command_queue, cl_mem, cl_kernel, cl_mem) = {
        write_late, write_beside, take_turns, write_when_free, sum_out_of_order};
    float cells[CELLS];
    cl_int result;
    open_rows();
    cl_command_queue other = clCreateCommandQueue(context, device, 0, &result);
    need("queue", result);
    cl_mem to = make_sums();
    clReleaseMemObject(make_matrix(CL_MEM_COPY_HOST_PTR, more_cells, 5));
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        for (int warm = 0; warm < 2; warm++) { /* without another layout so far, and with it */
            cl_mem matrix = make_matrix(CL_MEM_COPY_HOST_PTR, cells, 3);
            cl_kernel kernel = make_rows("row_sums", to, matrix);
            sum_rows(queue, kernel, warm ? MANY : 0);
            need("finish", clFinish(queue));
            ways[i](other, matrix, kernel, to);
            clReleaseKernel(kernel);
            clReleaseMemObject(matrix);
        }
    clReleaseCommandQueue(other);
    clReleaseMemObject(to);
    clReleaseProgram(rows_program);
}

/* ---- several threads ---- */

/* Sums up a matrix of its own, and one that all have, which nobody changes. */
static void *sum_in_thread(void *shared)
{
    float cells[CELLS];
    cl_mem to = make_sums(), matrix = make_matrix(CL_MEM_COPY_HOST_PTR, cells, 4);
    cl_kernel kernel = make_rows("row_sums", to, matrix);
    cl_kernel other = make_rows("row_sums", to, *(cl_mem *)shared);
    cl_kernel change = make_rows("bump", matrix, NULL);
    double *sums_found = calloc(20, sizeof *sums_found);
    float numbers[HEIGHT];
    for (int i = 0; i < 20; i++) {
        sum_rows(queue, other, 3);
        sum_rows(queue, kernel, MANY);
        enqueue(queue, change, CELLS, NULL, NULL);
        sum_rows(queue, kernel, 1);
        need("read",
             clEnqueueReadBuffer(queue, to, CL_TRUE, 0, sizeof numbers, numbers, 0, NULL, NULL));
        for (int k = 0; k < HEIGHT; k++)
            sums_found[i] += numbers[k] * (k + 1);
    }
    clReleaseKernel(kernel);
    clReleaseKernel(other);
    clReleaseKernel(change);
    clReleaseMemObject(matrix);
    clReleaseMemObject(to);
    return sums_found;
}

void sum_in_threads(void)
{
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    float cells[CELLS];
    open_rows();
    cl_mem shared = make_matrix(CL_MEM_COPY_HOST_PTR, cells, 6);
    for (int i = 0; i < THREADS; i++)
        need("thread", pthread_create(&threads[i], NULL, sum_in_thread, &shared));
    for (int i = 0; i < THREADS; i++) {
        void *found = NULL;
        pthread_join(threads[i], &found);
        for (int k = 0; k < 20; k++)
            printf("thread %d %.9g\n", i, ((double *)found)[k]);
        free(found);
    }
    clReleaseMemObject(shared);
    clReleaseProgram(rows_program);
}
