/* SPDX-License-Identifier: BSD-3-Clause */
/* How long launches take. Drivers call back late, or not any more where the process ends: so the
 * times are also read where the application has waited for what it has launched. */
#include "layer/layer.h"

#define MOST_UNENDED 16 /* launches that a wait looks at in vain */

/* A launch whose time is not known yet, in the order of launches. The list and the callback have a
 * reference each, and one of the event: drivers know no event in a callback that the application
 * has released before. */
struct pending {
    struct pending *next, *previous;
    struct clopt_timing timing;
    cl_event event;
    unsigned references;
    bool listed;
    bool recorded;
};

/* With the layer's lock held. */
static struct pending *first, *last;

static void append(struct pending *pending)
{
    pending->next = NULL;
    pending->previous = last;
    *(last ? &last->next : &first) = pending;
    last = pending;
    pending->listed = true;
}

static void prepend(struct pending *pending)
{
    pending->previous = NULL;
    pending->next = first;
    *(first ? &first->previous : &last) = pending;
    first = pending;
    pending->listed = true;
}

static void unlink_pending(struct pending *pending)
{
    *(pending->previous ? &pending->previous->next : &first) = pending->next;
    *(pending->next ? &pending->next->previous : &last) = pending->previous;
    pending->listed = false;
}

/* Gives up references, without the lock. */
static void drop(struct pending *pending, unsigned references)
{
    clopt_layer_lock();
    bool unused = (pending->references -= references) == 0;
    clopt_layer_unlock();
    if (!unused)
        return;
    clopt_next->clReleaseEvent(pending->event);
    free(pending);
}

/* Records the time of a launch that has ended, once; false: the driver has not written it. */
static bool record(struct pending *pending)
{
    cl_ulong start = 0, end = 0;
    if (clopt_next->clGetEventProfilingInfo(pending->event, CL_PROFILING_COMMAND_START,
                                            sizeof start, &start, NULL) != CL_SUCCESS ||
        clopt_next->clGetEventProfilingInfo(pending->event, CL_PROFILING_COMMAND_END, sizeof end,
                                            &end, NULL) != CL_SUCCESS ||
        !start || end < start)
        return false;
    clopt_layer_lock();
    if (!pending->recorded)
        clopt_record_time(&pending->timing, end - start);
    pending->recorded = true;
    clopt_layer_unlock();
    return true;
}

static void CL_CALLBACK end_launch(cl_event event, cl_int result, void *user)
{
    struct pending *pending = user;
    (void)event;
    bool known = result != CL_COMPLETE || record(pending);
    clopt_layer_lock();
    bool unlisted = known && pending->listed;
    if (unlisted)
        unlink_pending(pending);
    clopt_layer_unlock();
    drop(pending, unlisted ? 2 : 1);
}

void clopt_time_launch(cl_event event, const struct clopt_timing *timing)
{
    struct pending *pending = malloc(sizeof *pending);
    if (!pending || clopt_next->clRetainEvent(event) != CL_SUCCESS) {
        free(pending);
        return;
    }
    *pending = (struct pending){.timing = *timing, .event = event, .references = 2};
    clopt_layer_lock();
    append(pending);
    clopt_layer_unlock();
    if (clopt_next->clSetEventCallback(event, CL_COMPLETE, end_launch, pending) != CL_SUCCESS)
        drop(pending, 1);
}

/* Whether a launch has ended; one that failed has, too. */
static bool has_ended(const struct pending *pending)
{
    cl_int status = CL_QUEUED;
    return clopt_next->clGetEventInfo(pending->event, CL_EVENT_COMMAND_EXECUTION_STATUS,
                                      sizeof status, &status, NULL) != CL_SUCCESS ||
           status <= CL_COMPLETE;
}

static struct pending *take_first(void)
{
    clopt_layer_lock();
    struct pending *pending = first;
    if (pending)
        unlink_pending(pending);
    clopt_layer_unlock();
    return pending;
}

/* Reads the times of launches that have ended, the oldest first. */
static void settle(void)
{
    struct pending *unended[MOST_UNENDED], *pending = NULL;
    unsigned count = 0;
    while (count < MOST_UNENDED && (pending = take_first())) {
        if (has_ended(pending)) {
            record(pending);
            drop(pending, 1);
        } else {
            unended[count++] = pending;
        }
    }
    clopt_layer_lock();
    while (count)
        prepend(unended[--count]);
    clopt_layer_unlock();
}

void clopt_times_forget(void)
{
    first = last = NULL;
}

/* ---- calls that wait ---- */

static CL_API_ENTRY cl_int CL_API_CALL finish(cl_command_queue queue)
{
    clopt_activity_note(CLOPT_WAITS, true);
    cl_int result = clopt_next->clFinish(queue);
    clopt_activity_note(CLOPT_WAITS, false);
    settle();
    return result;
}

static CL_API_ENTRY cl_int CL_API_CALL wait_for_events(cl_uint count, const cl_event *events)
{
    clopt_activity_note(CLOPT_WAITS, true);
    cl_int result = clopt_next->clWaitForEvents(count, events);
    clopt_activity_note(CLOPT_WAITS, false);
    settle();
    return result;
}

/* Tells how much of a call that blocked was spent on the command itself: before that, the device
 * did what had been enqueued earlier. */
static void split(enum clopt_activity activity, uint64_t took_ns, cl_event event)
{
    cl_ulong start = 0, end = 0;
    if (event &&
        clopt_next->clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start,
                                            NULL) == CL_SUCCESS &&
        clopt_next->clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end,
                                            NULL) == CL_SUCCESS &&
        start && end >= start && end - start < took_ns)
        clopt_activity_waited(activity, took_ns - (end - start));
}

/* Calls that return a code, or a pointer, after all that was enqueued before if they block. */
#define WAITING(TYPE, NAME, ACTIVITY, IS_GOOD, PARAMETERS, ARGUMENTS)                              \
    static CL_API_ENTRY TYPE CL_API_CALL then_settle_##NAME PARAMETERS                             \
    {                                                                                              \
        cl_event own = NULL;                                                                       \
        if (blocks && !event && !clopt_record_get()->untimed)                                      \
            event = &own;                                                                          \
        uint64_t begin_ns = clopt_activity_note(ACTIVITY, true);                                   \
        TYPE result = clopt_next->clEnqueue##NAME ARGUMENTS;                                       \
        uint64_t took_ns = clopt_activity_note(ACTIVITY, false) - begin_ns;                        \
        if (blocks && (IS_GOOD) && event)                                                          \
            split(ACTIVITY, took_ns, *event);                                                      \
        if (own)                                                                                   \
            clopt_next->clReleaseEvent(own);                                                       \
        if (blocks)                                                                                \
            settle();                                                                              \
        return result;                                                                             \
    }
WAITING(cl_int, ReadBuffer, CLOPT_COPIES, !result,
        (cl_command_queue queue, cl_mem from, cl_bool blocks, size_t at, size_t size, void *to,
         cl_uint count, const cl_event *events, cl_event *event),
        (queue, from, blocks, at, size, to, count, events, event))
WAITING(cl_int, ReadBufferRect, CLOPT_COPIES, !result,
        (cl_command_queue queue, cl_mem from, cl_bool blocks, const size_t *at,
         const size_t *host_at, const size_t *region, size_t row, size_t slice, size_t host_row,
         size_t host_slice, void *to, cl_uint count, const cl_event *events, cl_event *event),
        (queue, from, blocks, at, host_at, region, row, slice, host_row, host_slice, to, count,
         events, event))
WAITING(cl_int, ReadImage, CLOPT_COPIES, !result,
        (cl_command_queue queue, cl_mem from, cl_bool blocks, const size_t *at,
         const size_t *region, size_t row, size_t slice, void *to, cl_uint count,
         const cl_event *events, cl_event *event),
        (queue, from, blocks, at, region, row, slice, to, count, events, event))
WAITING(void *, MapBuffer, CLOPT_MAPS, result,
        (cl_command_queue queue, cl_mem buffer, cl_bool blocks, cl_map_flags flags, size_t at,
         size_t size, cl_uint count, const cl_event *events, cl_event *event, cl_int *error),
        (queue, buffer, blocks, flags, at, size, count, events, event, error))
WAITING(void *, MapImage, CLOPT_MAPS, result,
        (cl_command_queue queue, cl_mem image, cl_bool blocks, cl_map_flags flags, const size_t *at,
         const size_t *region, size_t *row, size_t *slice, cl_uint count, const cl_event *events,
         cl_event *event, cl_int *error),
        (queue, image, blocks, flags, at, region, row, slice, count, events, event, error))
WAITING(cl_int, SVMMemcpy, CLOPT_COPIES, !result,
        (cl_command_queue queue, cl_bool blocks, void *to, const void *from, size_t size,
         cl_uint count, const cl_event *events, cl_event *event),
        (queue, blocks, to, from, size, count, events, event))
WAITING(cl_int, SVMMap, CLOPT_MAPS, !result,
        (cl_command_queue queue, cl_bool blocks, cl_map_flags flags, void *at, size_t size,
         cl_uint count, const cl_event *events, cl_event *event),
        (queue, blocks, flags, at, size, count, events, event))

void clopt_times_install(cl_icd_dispatch *dispatch)
{
    dispatch->clFinish = finish;
    dispatch->clWaitForEvents = wait_for_events;
#define INSTALL(NAME) dispatch->clEnqueue##NAME = then_settle_##NAME
    INSTALL(ReadBuffer);
    INSTALL(ReadBufferRect);
    INSTALL(ReadImage);
    INSTALL(MapBuffer);
    INSTALL(MapImage);
    INSTALL(SVMMemcpy);
    INSTALL(SVMMap);
}
