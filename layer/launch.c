/* SPDX-License-Identifier: BSD-3-Clause */
/* Launches: each is counted, and timed by its event when it has ended. */
#include "layer/layer.h"

/* A launch that has not ended yet. */
struct pending {
    struct clopt_record_row *row;
    struct clopt_record_sizes *sizes;
    uint64_t buffer_bytes;
    bool by_winner;
};

static void CL_CALLBACK end_launch(cl_event event, cl_int result, void *user)
{
    struct pending *pending = user;
    cl_ulong start = 0, end = 0;
    if (result == CL_COMPLETE &&
        clopt_next->clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start,
                                            NULL) == CL_SUCCESS &&
        clopt_next->clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end,
                                            NULL) == CL_SUCCESS &&
        start && end >= start) { /* what the driver has not written is no time */
        clopt_layer_lock();
        clopt_record_time(pending->row, pending->sizes, end - start, pending->buffer_bytes,
                          pending->by_winner);
        clopt_layer_unlock();
    }
    clopt_next->clReleaseEvent(event);
    free(pending);
}

uint64_t clopt_buffer_bytes(const struct clopt_kernel_object *kernel)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < kernel->argument_count; i++) {
        struct clopt_memory memory = clopt_argument_memory(&kernel->arguments[i]);
        for (size_t j = 0; memory.object.handle && j < i; j++)
            if (clopt_argument_memory(&kernel->arguments[j]).object.handle == memory.object.handle)
                memory = (struct clopt_memory){0};
        bytes += memory.bytes;
    }
    return bytes;
}

/* Prepares to take note of a launch; NULL: it cannot be. `timed` tells whether an event will say
 * how long it took. */
static struct pending *begin_launch(const struct clopt_launch *launch, bool *timed)
{
    struct pending *pending = malloc(sizeof *pending);
    clopt_layer_lock();
    struct clopt_command_queue *queue = clopt_object_find(CLOPT_QUEUE, launch->queue);
    struct clopt_kernel_object *kernel = clopt_object_find(CLOPT_KERNEL, launch->kernel);
    struct clopt_record_row *row =
        pending && queue && kernel ? clopt_record_find_row(kernel, queue) : NULL;
    if (row)
        *pending = (struct pending){.row = row, .buffer_bytes = clopt_buffer_bytes(kernel)};
    *timed = row && queue->timed;
    clopt_layer_unlock();
    if (row)
        return pending;
    free(pending);
    return NULL;
}

static cl_int hand_on(const struct clopt_launch *launch, cl_event *event)
{
    if (launch->is_task)
        return clopt_next->clEnqueueTask(launch->queue, launch->kernel, launch->wait_count,
                                         launch->wait_for, event);
    return clopt_next->clEnqueueNDRangeKernel(launch->queue, launch->kernel, launch->dimensions,
                                              launch->offset, launch->global, launch->local,
                                              launch->wait_count, launch->wait_for, event);
}

/* Has the event of a launch tell when it has ended; gives `pending` up, and a reference to the
 * event: drivers know no event in a callback that the application has released before. */
static void follow(cl_event event, struct pending *pending)
{
    if (clopt_next->clSetEventCallback(event, CL_COMPLETE, end_launch, pending) == CL_SUCCESS)
        return;
    clopt_next->clReleaseEvent(event);
    free(pending);
}

static cl_int run(const struct clopt_launch *launch)
{
    bool timed;
    cl_event own = NULL, *told = launch->event;
    struct pending *pending = begin_launch(launch, &timed);
    struct clopt_capture *capture = pending ? clopt_capture_begin(launch, pending->row) : NULL;
    if ((timed || capture) && !told)
        told = &own;
    clopt_capture_count_launch();
    cl_int result;
    if (!pending || !clopt_layer_replace(launch, pending->row, told, &result, &pending->by_winner))
        result = hand_on(launch, told);
    if (capture)
        clopt_capture_end(capture, result == CL_SUCCESS ? *told : NULL);
    if (result == CL_SUCCESS && pending) {
        clopt_layer_lock();
        pending->sizes = clopt_record_launch(pending->row, launch, pending->buffer_bytes);
        clopt_layer_unlock();
    }
    if (result == CL_SUCCESS && timed && (own || clopt_next->clRetainEvent(*told) == CL_SUCCESS)) {
        follow(*told, pending);
        return result;
    }
    free(pending);
    if (own)
        clopt_next->clReleaseEvent(own);
    return result;
}

static CL_API_ENTRY cl_int CL_API_CALL launch_range(cl_command_queue queue, cl_kernel kernel,
                                                    cl_uint dimensions, const size_t *offset,
                                                    const size_t *global, const size_t *local,
                                                    cl_uint wait_count, const cl_event *wait_for,
                                                    cl_event *event)
{
    return run(&(struct clopt_launch){.queue = queue,
                                      .kernel = kernel,
                                      .dimensions = dimensions,
                                      .offset = offset,
                                      .global = global,
                                      .local = local,
                                      .wait_count = wait_count,
                                      .wait_for = wait_for,
                                      .event = event});
}

/* What OpenCL 1 calls a task is a launch of one work-item. */
static CL_API_ENTRY cl_int CL_API_CALL launch_task(cl_command_queue queue, cl_kernel kernel,
                                                   cl_uint wait_count, const cl_event *wait_for,
                                                   cl_event *event)
{
    static const size_t one = 1;
    return run(&(struct clopt_launch){.is_task = true,
                                      .queue = queue,
                                      .kernel = kernel,
                                      .dimensions = 1,
                                      .global = &one,
                                      .local = &one,
                                      .wait_count = wait_count,
                                      .wait_for = wait_for,
                                      .event = event});
}

void clopt_launches_install(cl_icd_dispatch *dispatch)
{
    dispatch->clEnqueueNDRangeKernel = launch_range;
    dispatch->clEnqueueTask = launch_task;
}
