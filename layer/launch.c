/* SPDX-License-Identifier: BSD-3-Clause */
/* Launches: each is counted, and timed by its event (times.c). */
#include "layer/layer.h"

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

/* Prepares to take note of a launch; false: it cannot be. `timed` tells whether an event will say
 * how long it took. */
static bool begin_launch(const struct clopt_launch *launch, struct clopt_timing *timing,
                         bool *timed)
{
    clopt_layer_lock();
    struct clopt_command_queue *queue = clopt_object_find(CLOPT_QUEUE, launch->queue);
    struct clopt_kernel_object *kernel = clopt_object_find(CLOPT_KERNEL, launch->kernel);
    timing->row = queue && kernel ? clopt_record_find_row(kernel, queue) : NULL;
    if (timing->row)
        timing->buffer_bytes = clopt_buffer_bytes(kernel);
    *timed = timing->row && queue->timed;
    timing->line = *timed ? clopt_record_find_line(queue) : NULL;
    clopt_layer_unlock();
    return timing->row;
}

/* Counts a launch; the lock is held. */
static struct clopt_record_sizes *add_launch(const struct clopt_timing *timing,
                                             const struct clopt_launch *launch)
{
    struct clopt_record_sizes sizes = {.dimensions = launch->dimensions,
                                       .buffer_bytes = timing->buffer_bytes};
    for (cl_uint d = 0; d < launch->dimensions && d < 3; d++) {
        sizes.global[d] = launch->global ? launch->global[d] : 0;
        sizes.local[d] = launch->local ? launch->local[d] : 0;
    }
    return clopt_record_add_launch(timing->row, &sizes);
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

static cl_int run(const struct clopt_launch *launch)
{
    bool timed;
    cl_event own = NULL, *told = launch->event;
    struct clopt_timing timing = {.activity = CLOPT_LAUNCHES};
    bool noted = begin_launch(launch, &timing, &timed);
    struct clopt_capture *capture = noted ? clopt_capture_begin(launch, timing.row) : NULL;
    if ((timed || capture) && !told)
        told = &own;
    clopt_capture_count_launch();
    clopt_launch_note(launch);
    timing.entered_ns = clopt_activity_note(CLOPT_LAUNCHES, true);
    cl_int result;
    if (!noted || !clopt_layer_replace(launch, timing.row, told, &result, &timing.by_winner))
        result = hand_on(launch, told);
    clopt_launch_note(launch);
    timing.returned_ns = clopt_activity_note(CLOPT_LAUNCHES, false);
    if (capture)
        clopt_capture_end(capture, result == CL_SUCCESS ? *told : NULL);
    if (result == CL_SUCCESS && noted) {
        clopt_layer_lock();
        timing.sizes = add_launch(&timing, launch);
        clopt_layer_unlock();
    }
    if (result == CL_SUCCESS && timed)
        clopt_time_command(*told, &timing);
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
