/* SPDX-License-Identifier: BSD-3-Clause */
/* How long commands take. Drivers call back late, or not any more where the process ends: so the
 * times are also read where the application has waited for what it has enqueued. */
#include "layer/layer.h"

#define MOST_UNENDED 16 /* commands that a wait looks at in vain */

/* A command whose time is not known yet, in the order of commands. The list and the callback have a
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

/* Asks when a command ran; false: the driver does not tell. */
static bool get_times(cl_event event, struct clopt_device_times *times)
{
    static const cl_profiling_info names[] = {CL_PROFILING_COMMAND_QUEUED,
                                              CL_PROFILING_COMMAND_START, CL_PROFILING_COMMAND_END};
    cl_ulong at[3] = {0};
    for (size_t i = 0; i < 3; i++)
        if (clopt_next->clGetEventProfilingInfo(event, names[i], sizeof *at, &at[i], NULL) !=
            CL_SUCCESS)
            return false;
    *times = (struct clopt_device_times){at[0], at[1], at[2]};
    return at[1] && at[2] >= at[1];
}

/* Records the time of a command that has ended, once; false: the driver has not written it. */
static bool record(struct pending *pending)
{
    struct clopt_device_times times;
    uint64_t now_ns = clopt_activity_now();
    if (!get_times(pending->event, &times))
        return false;
    clopt_layer_lock();
    if (!pending->recorded && pending->timing.row)
        clopt_record_add_time(&pending->timing, times.end - times.start);
    if (!pending->recorded && pending->timing.line)
        clopt_line_add_command(&pending->timing, &times, now_ns);
    pending->recorded = true;
    clopt_layer_unlock();
    return true;
}

static void CL_CALLBACK end_command(cl_event event, cl_int result, void *user)
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

void clopt_time_command(cl_event event, const struct clopt_timing *timing)
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
    if (clopt_next->clSetEventCallback(event, CL_COMPLETE, end_command, pending) != CL_SUCCESS)
        drop(pending, 1);
}

/* Whether a command has ended; one that failed has, too. */
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

/* Reads the times of commands that have ended, the oldest first. */
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

#define WAIT(NAME, PARAMETERS, ARGUMENTS)                                                          \
    static CL_API_ENTRY cl_int CL_API_CALL timed_##NAME PARAMETERS                                 \
    {                                                                                              \
        clopt_activity_note(CLOPT_WAITS, true);                                                    \
        cl_int result = clopt_next->cl##NAME ARGUMENTS;                                            \
        clopt_activity_note(CLOPT_WAITS, false);                                                   \
        settle();                                                                                  \
        return result;                                                                             \
    }
WAIT(Finish, (cl_command_queue queue), (queue))
WAIT(WaitForEvents, (cl_uint count, const cl_event *events), (count, events))

/* ---- calls that copy or map ---- */

struct call {
    enum clopt_activity activity;
    bool blocks;
    cl_event own, *event; /* NULL: there is none */
    uint64_t begin_ns;
};

static struct call begin(enum clopt_activity activity, bool blocks)
{
    return (struct call){activity, blocks, NULL, NULL, clopt_activity_note(activity, true)};
}

/* Returns where a call is to leave its event. */
static cl_event *take_event(struct call *call, cl_event *event)
{
    return call->event = event || clopt_record_get()->untimed ? event : &call->own;
}

/* Takes note of the command. What a call that blocks waits for until its own command begins is what
 * had been enqueued before. */
static void take_times(const struct call *call, cl_command_queue handle, uint64_t end_ns)
{
    struct clopt_device_times times;
    struct clopt_timing timing = {
        .activity = call->activity, .entered_ns = call->begin_ns, .returned_ns = end_ns};
    clopt_layer_lock();
    struct clopt_command_queue *queue = clopt_object_find(CLOPT_QUEUE, handle);
    timing.line = queue && queue->timed ? clopt_record_find_line(queue) : NULL;
    clopt_layer_unlock();
    if (timing.line)
        clopt_time_command(*call->event, &timing);
    if (call->blocks && get_times(*call->event, &times) &&
        times.end - times.start < end_ns - call->begin_ns)
        clopt_activity_waited(call->activity, call->begin_ns,
                              end_ns - call->begin_ns - (times.end - times.start));
}

static void end(struct call *call, cl_command_queue queue, bool good)
{
    uint64_t end_ns = clopt_activity_note(call->activity, false);
    if (good && call->event && end_ns)
        take_times(call, queue, end_ns);
    if (call->own)
        clopt_next->clReleaseEvent(call->own);
    if (call->blocks)
        settle();
}

/* Calls that return a code, or a pointer, after all that was enqueued before if they block. */
#define COMMAND(TYPE, NAME, ACTIVITY, BLOCKS, NOTES, TO, IS_GOOD, PARAMETERS, ARGUMENTS)           \
    static CL_API_ENTRY TYPE CL_API_CALL timed_##NAME PARAMETERS                                   \
    {                                                                                              \
        struct call call = begin(ACTIVITY, BLOCKS);                                                \
        event = take_event(&call, event);                                                          \
        clopt_written_note(TO, queue);                                                             \
        TYPE result = clopt_next->clEnqueue##NAME ARGUMENTS;                                       \
        NOTES;                                                                                     \
        end(&call, queue, IS_GOOD);                                                                \
        return result;                                                                             \
    }
#define COPY(NAME, TO, PARAMETERS, ARGUMENTS)                                                      \
    COMMAND(cl_int, NAME, CLOPT_COPIES, false, clopt_written_note(TO, queue), TO, !result,         \
            PARAMETERS, ARGUMENTS)
#define BLOCKING_COPY(NAME, TO, PARAMETERS, ARGUMENTS)                                             \
    COMMAND(cl_int, NAME, CLOPT_COPIES, blocks, clopt_written_note(TO, queue), TO, !result,        \
            PARAMETERS, ARGUMENTS)
#define EVENTS cl_uint count, const cl_event *events, cl_event *event
#define QUEUE  cl_command_queue queue
#define SIZES  const size_t *
BLOCKING_COPY(ReadBuffer, NULL,
              (QUEUE, cl_mem from, cl_bool blocks, size_t at, size_t size, void *to, EVENTS),
              (queue, from, blocks, at, size, to, count, events, event))
BLOCKING_COPY(WriteBuffer, to,
              (QUEUE, cl_mem to, cl_bool blocks, size_t at, size_t size, const void *from, EVENTS),
              (queue, to, blocks, at, size, from, count, events, event))
BLOCKING_COPY(ReadBufferRect, NULL,
              (QUEUE, cl_mem from, cl_bool blocks, SIZES at, SIZES host_at, SIZES region,
               size_t row, size_t slice, size_t host_row, size_t host_slice, void *to, EVENTS),
              (queue, from, blocks, at, host_at, region, row, slice, host_row, host_slice, to,
               count, events, event))
BLOCKING_COPY(WriteBufferRect, to,
              (QUEUE, cl_mem to, cl_bool blocks, SIZES at, SIZES host_at, SIZES region, size_t row,
               size_t slice, size_t host_row, size_t host_slice, const void *from, EVENTS),
              (queue, to, blocks, at, host_at, region, row, slice, host_row, host_slice, from,
               count, events, event))
BLOCKING_COPY(ReadImage, NULL,
              (QUEUE, cl_mem from, cl_bool blocks, SIZES at, SIZES region, size_t row, size_t slice,
               void *to, EVENTS),
              (queue, from, blocks, at, region, row, slice, to, count, events, event))
BLOCKING_COPY(WriteImage, NULL,
              (QUEUE, cl_mem to, cl_bool blocks, SIZES at, SIZES region, size_t row, size_t slice,
               const void *from, EVENTS),
              (queue, to, blocks, at, region, row, slice, from, count, events, event))
BLOCKING_COPY(SVMMemcpy, NULL,
              (QUEUE, cl_bool blocks, void *to, const void *from, size_t size, EVENTS),
              (queue, blocks, to, from, size, count, events, event))
COPY(SVMMemFill, NULL, (QUEUE, void *to, const void *with, size_t step, size_t size, EVENTS),
     (queue, to, with, step, size, count, events, event))
COPY(CopyBuffer, to, (QUEUE, cl_mem from, cl_mem to, size_t at, size_t to_at, size_t size, EVENTS),
     (queue, from, to, at, to_at, size, count, events, event))
COPY(CopyBufferRect, to,
     (QUEUE, cl_mem from, cl_mem to, SIZES at, SIZES to_at, SIZES region, size_t row, size_t slice,
      size_t to_row, size_t to_slice, EVENTS),
     (queue, from, to, at, to_at, region, row, slice, to_row, to_slice, count, events, event))
COPY(CopyImage, NULL, (QUEUE, cl_mem from, cl_mem to, SIZES at, SIZES to_at, SIZES region, EVENTS),
     (queue, from, to, at, to_at, region, count, events, event))
COPY(CopyImageToBuffer, to,
     (QUEUE, cl_mem from, cl_mem to, SIZES at, SIZES region, size_t to_at, EVENTS),
     (queue, from, to, at, region, to_at, count, events, event))
COPY(CopyBufferToImage, NULL,
     (QUEUE, cl_mem from, cl_mem to, size_t at, SIZES to_at, SIZES region, EVENTS),
     (queue, from, to, at, to_at, region, count, events, event))
COPY(FillBuffer, to,
     (QUEUE, cl_mem to, const void *with, size_t step, size_t at, size_t size, EVENTS),
     (queue, to, with, step, at, size, count, events, event))
COPY(FillImage, NULL, (QUEUE, cl_mem to, const void *with, SIZES at, SIZES region, EVENTS),
     (queue, to, with, at, region, count, events, event))
COPY(MigrateMemObjects, NULL,
     (QUEUE, cl_uint all, const cl_mem *memory, cl_mem_migration_flags flags, EVENTS),
     (queue, all, memory, flags, count, events, event))
COMMAND(void *, MapBuffer, CLOPT_MAPS, blocks,
        clopt_mapped_note(result ? buffer : NULL, queue, true), NULL, result != NULL,
        (QUEUE, cl_mem buffer, cl_bool blocks, cl_map_flags flags, size_t at, size_t size, EVENTS,
         cl_int *error),
        (queue, buffer, blocks, flags, at, size, count, events, event, error))
COMMAND(void *, MapImage, CLOPT_MAPS, blocks, (void)0, NULL, result != NULL,
        (QUEUE, cl_mem image, cl_bool blocks, cl_map_flags flags, SIZES at, SIZES region,
         size_t *row, size_t *slice, EVENTS, cl_int *error),
        (queue, image, blocks, flags, at, region, row, slice, count, events, event, error))
COMMAND(cl_int, UnmapMemObject, CLOPT_MAPS, false,
        clopt_mapped_note(result ? NULL : memory, queue, false), NULL, !result,
        (QUEUE, cl_mem memory, void *mapped, EVENTS), (queue, memory, mapped, count, events, event))
COMMAND(cl_int, SVMMap, CLOPT_MAPS, blocks, (void)0, NULL, !result,
        (QUEUE, cl_bool blocks, cl_map_flags flags, void *at, size_t size, EVENTS),
        (queue, blocks, flags, at, size, count, events, event))
COMMAND(cl_int, SVMUnmap, CLOPT_MAPS, false, (void)0, NULL, !result, (QUEUE, void *mapped, EVENTS),
        (queue, mapped, count, events, event))

void clopt_times_install(cl_icd_dispatch *dispatch)
{
    dispatch->clFinish = timed_Finish;
    dispatch->clWaitForEvents = timed_WaitForEvents;
#define INSTALL(NAME) dispatch->clEnqueue##NAME = timed_##NAME
    INSTALL(ReadBuffer), INSTALL(WriteBuffer), INSTALL(ReadBufferRect), INSTALL(WriteBufferRect),
        INSTALL(ReadImage), INSTALL(WriteImage), INSTALL(SVMMemcpy), INSTALL(SVMMemFill),
        INSTALL(CopyBuffer), INSTALL(CopyBufferRect), INSTALL(CopyImage),
        INSTALL(CopyImageToBuffer), INSTALL(CopyBufferToImage), INSTALL(FillBuffer),
        INSTALL(FillImage), INSTALL(MigrateMemObjects), INSTALL(MapBuffer), INSTALL(MapImage),
        INSTALL(UnmapMemObject), INSTALL(SVMMap), INSTALL(SVMUnmap);
}
