/* SPDX-License-Identifier: BSD-3-Clause */
/* Launches kernels for an app, and collects how long they took. */
#include <math.h>
#include <time.h>

#include "opencl/event_time.h"
#include "opencl/name.h"
#include "opencl/traits.h"
#include "process/clock.h"
#include "text/text.h"
#include "trial/observer.h"
#include "worker/session.h"

/* Adds how much local memory a kernel uses that the device refused, if that is more than it states
 * to have: many devices run such kernels. */
static void add_local_memory(const struct clopt_session *session, unsigned kernel)
{
    cl_ulong used = 0, stated = session->workspace->context.info.local_memory_bytes;
    if (clGetKernelWorkGroupInfo(session->kernels[kernel], session->workspace->context.id,
                                 CL_KERNEL_LOCAL_MEM_SIZE, sizeof used, &used,
                                 NULL) == CL_SUCCESS &&
        used > stated)
        clopt_fail(session->error, session->error->status,
                   "%s; %llu bytes of local memory, the device states %llu",
                   session->error->message, (unsigned long long)used, (unsigned long long)stated);
}

/* Puts a kernel's name in front of a message. */
static enum clopt_status fail_kernel(const struct clopt_session *session, unsigned kernel)
{
    return clopt_fail_within(session->error, "%s", session->app->kernels[kernel].name);
}

/* Reports a call that failed (CL_SUCCESS: it did not) with what was launched (NULL: nothing). */
static enum clopt_status check_call(const struct clopt_session *session, unsigned kernel,
                                    const char *call, cl_int code,
                                    const struct clopt_ndrange *range)
{
    struct clopt_error *error = session->error;
    if (clopt_check_cl(error, call, code) == CLOPT_OK)
        return CLOPT_OK;
    if (code == CL_INVALID_WORK_GROUP_SIZE || code == CL_INVALID_WORK_ITEM_SIZE)
        error->status = CLOPT_OUT_OF_RESOURCES;
    if (range)
        clopt_fail(error, error->status, "%s: global size %zux%zux%zu, local size %zux%zux%zu",
                   error->message, range->global[0], range->global[1], range->global[2],
                   range->local[0], range->local[1], range->local[2]);
    if (error->status == CLOPT_OUT_OF_RESOURCES)
        add_local_memory(session, kernel);
    return fail_kernel(session, kernel);
}

/* Finds or makes a sampler. */
static enum clopt_status get_sampler(struct clopt_session *session,
                                     const struct clopt_sampler *wanted, cl_sampler **sampler)
{
    static const cl_addressing_mode modes[] = {CL_ADDRESS_NONE, CL_ADDRESS_CLAMP_TO_EDGE,
                                               CL_ADDRESS_CLAMP, CL_ADDRESS_REPEAT,
                                               CL_ADDRESS_MIRRORED_REPEAT};
    unsigned number = (unsigned)wanted->addressing * 4 + (wanted->filter == CLOPT_LINEAR) * 2 +
                      wanted->normalized;
    *sampler = &session->samplers[number];
    if (**sampler)
        return CLOPT_OK;
    cl_int code;
    cl_sampler made = clCreateSampler(
        session->workspace->context.context, wanted->normalized, modes[wanted->addressing],
        wanted->filter == CLOPT_LINEAR ? CL_FILTER_LINEAR : CL_FILTER_NEAREST, &code);
    if (code == CL_SUCCESS)
        **sampler = made;
    return clopt_check_cl(session->error, "clCreateSampler", code);
}

/* Has the buffers of a launch hold their elements in the order in which the kernel has them. */
static enum clopt_status order_buffers(struct clopt_session *session,
                                       const struct clopt_asked_launch *launch)
{
    const struct clopt_ndrange_change *change = launch->change;
    const struct clopt_argument *arguments = launch->arguments;
    const size_t *local = change->local_size;
    const struct clopt_ndrange_change sizes = {.local_size = {local[0], local[1], local[2]}};
    struct clopt_ndrange range = clopt_ndrange_map(launch->ndrange, &sizes);
    struct clopt_buffers *buffers = session->buffers;
    for (size_t i = 0; i < launch->count; i++) {
        unsigned id = arguments[i].buffer;
        if (arguments[i].kind != CLOPT_ARGUMENT_BUFFER || id >= CLOPT_MAX_BUFFERS ||
            clopt_launch_layout(launch, i))
            continue;
        if (clopt_duplicate_settle(buffers, id))
            return fail_kernel(session, launch->kernel);
        if (buffers->items[id].use != CLOPT_INPUT)
            clopt_duplicate_forget(buffers, id);
    }
    for (size_t i = 0; i < change->layout_count; i++) {
        const struct clopt_layout *layout = &change->layouts[i];
        struct clopt_layout_shape *shape = &session->shapes[i];
        if (clopt_layout_find(buffers, layout, launch, &range, shape) ||
            clopt_duplicate_use(buffers, arguments[layout->argument].buffer, shape))
            return fail_kernel(session, launch->kernel);
    }
    return CLOPT_OK;
}

static enum clopt_status set_argument(struct clopt_session *session,
                                      const struct clopt_asked_launch *launch, size_t index)
{
    const struct clopt_ndrange_change *change = launch->change;
    const struct clopt_argument *argument = &launch->arguments[index];
    size_t bytes = argument->bytes;
    const void *value = argument->value;
    if (argument->kind == CLOPT_ARGUMENT_BUFFER) {
        const struct clopt_buffers *buffers = session->buffers;
        unsigned id = argument->buffer;
        if (id >= CLOPT_MAX_BUFFERS || !buffers->items[id].name)
            return clopt_fail(session->error, CLOPT_FAILED,
                              "%s: argument %zu: buffer number %u does not exist", launch->name,
                              index, id);
        bytes = sizeof(cl_mem);
        value = clopt_launch_layout(launch, index) ? &buffers->duplicates[id].buffer.data
                                                   : &buffers->items[id].data;
    } else if (argument->kind == CLOPT_ARGUMENT_LOCAL) {
        bytes = clopt_local_bytes(change, change->added_count, (unsigned)index, bytes);
    } else if (argument->kind == CLOPT_ARGUMENT_SAMPLER) {
        cl_sampler *sampler;
        CLOPT_TRY(get_sampler(session, argument->value, &sampler));
        bytes = sizeof *sampler;
        value = sampler;
    }
    char call[64];
    snprintf(call, sizeof call, "clSetKernelArg, argument %zu", index);
    cl_int code = clSetKernelArg(session->kernels[launch->kernel], (cl_uint)index, bytes, value);
    return check_call(session, launch->kernel, call, code, NULL);
}

/* Sets an argument that is a buffer of zeros, or what the kernel's last launch has left there. */
static cl_int set_zeroed(struct clopt_session *session, unsigned kernel, cl_uint index,
                         size_t bytes)
{
    const struct clopt_context *context = &session->workspace->context;
    cl_int code = CL_SUCCESS;
    if (!session->zeroed || session->zeroed_bytes < bytes || session->zeroed_kernel != kernel) {
        if (session->zeroed)
            clReleaseMemObject(session->zeroed);
        session->zeroed = clCreateBuffer(context->context, CL_MEM_READ_WRITE, bytes, NULL, &code);
        session->zeroed_bytes = bytes;
        session->zeroed_kernel = kernel;
        if (code == CL_SUCCESS)
            code = clEnqueueFillBuffer(context->queue, session->zeroed, &(cl_uint){0}, 4, 0, bytes,
                                       0, NULL, NULL);
    }
    return code ? code
                : clSetKernelArg(session->kernels[kernel], index, sizeof(cl_mem), &session->zeroed);
}

/* Sets a kernel's arguments, and what a variant's kernel takes after them. */
static enum clopt_status set_arguments(struct clopt_session *session,
                                       const struct clopt_asked_launch *launch)
{
    const struct clopt_ndrange_change *change = launch->change;
    cl_kernel kernel = session->kernels[launch->kernel];
    size_t count = launch->count;
    for (size_t i = 0; i < count; i++)
        CLOPT_TRY(set_argument(session, launch, i));
    for (size_t i = 0; i < change->added_count; i++) {
        const struct clopt_added_argument *added = &change->added[i];
        size_t bytes =
            added->local && added->number < count ? launch->arguments[added->number].bytes : 0;
        cl_ulong value = added->rows ? session->shapes[added->number].rows
                                     : clopt_added_value(launch->ndrange, change, i, bytes);
        cl_uint index = (cl_uint)(count + i);
        cl_int code = added->zeroed ? set_zeroed(session, launch->kernel, index, value)
                                    : clSetKernelArg(kernel, index, sizeof value, &value);
        CLOPT_TRY(check_call(session, launch->kernel, "clSetKernelArg of an additional argument",
                             code, NULL));
    }
    return CLOPT_OK;
}

/* Refuses a launch with the same buffer as two arguments, if the variant is for distinct ones. */
static enum clopt_status check_distinct(const struct clopt_session *session,
                                        const struct clopt_asked_launch *launch)
{
    const struct clopt_argument *arguments = launch->arguments;
    for (size_t i = 0; i < launch->count && launch->change->distinct_buffers; i++)
        for (size_t k = i + 1; k < launch->count; k++)
            if (arguments[i].kind == CLOPT_ARGUMENT_BUFFER &&
                arguments[k].kind == CLOPT_ARGUMENT_BUFFER &&
                arguments[i].buffer == arguments[k].buffer)
                return clopt_fail(session->error, CLOPT_INFEASIBLE,
                                  "%s: arguments %zu and %zu are the same buffer, the variant "
                                  "needs distinct ones",
                                  launch->name, i, k);
    return CLOPT_OK;
}

/* Refuses a launch for which the variant was not made. */
static enum clopt_status check_demands(const struct clopt_session *session,
                                       const struct clopt_asked_launch *launch)
{
    const struct clopt_ndrange_change *change = launch->change;
    const struct clopt_unmet unmet =
        clopt_launch_unmet(launch->ndrange, change, clopt_asked_integer, launch);
    const struct clopt_argument_multiple *own = unmet.demand;
    unsigned d = unmet.dimension;
    CLOPT_OWNED(clopt_text) text = {0};
    if (unmet.what == CLOPT_MET)
        return CLOPT_OK;
    if (unmet.what == CLOPT_UNMET_LOCAL)
        clopt_text_printf(&text,
                          "a launch has local size %zu in dimension %u, the variant needs %s%zu",
                          unmet.local, d, change->local_only[d] ? "" : "a multiple of ",
                          change->local_multiple[d]);
    else if (unmet.what == CLOPT_UNMET_GROUPS)
        clopt_text_printf(&text,
                          "a launch has global size %zu in dimension %u, the variant needs a "
                          "multiple of %zu: any_local_size = dividing",
                          launch->ndrange->global[d], d, unmet.local);
    else if (unmet.what == CLOPT_UNMET_INTEGER)
        clopt_text_printf(&text,
                          "argument %u is not an integer; the variant needs a multiple of %u",
                          own->argument, own->multiple);
    else if (unmet.what == CLOPT_UNMET_COVERS && own->argument >= CLOPT_LAUNCH_GLOBAL)
        clopt_text_printf(&text,
                          "dimension %u has %lld work-items, the variant needs at least the %zu of "
                          "dimension %u: masks = no",
                          own->argument - CLOPT_LAUNCH_GLOBAL, (long long)unmet.value, unmet.items,
                          d);
    else
        clopt_text_printf(&text, "argument %u is %lld, the variant ", own->argument,
                          (long long)unmet.value);
    if (unmet.what == CLOPT_UNMET_MULTIPLE)
        clopt_text_printf(&text, "needs a multiple of %u", own->multiple);
    else if (unmet.what == CLOPT_UNMET_EQUALS)
        clopt_text_printf(&text, "is for %u", own->equals);
    else if (unmet.what == CLOPT_UNMET_COVERS && own->argument < CLOPT_LAUNCH_GLOBAL)
        clopt_text_printf(&text,
                          "needs at least the %zu work-items of dimension %u: guards = no, or a "
                          "local size that divides it",
                          unmet.items, d);
    return clopt_fail(session->error, CLOPT_INFEASIBLE, "%s: %s", launch->name,
                      clopt_text_string(&text));
}

/* Notes what a kernel's first launch took between SUBMIT and START: compilation that the driver put
 * off. That it is not longer than the launch is all that is known of the driver's clock by then. */
static void note_deferred(struct clopt_session *session, const struct clopt_launch_record *launch)
{
    cl_ulong submitted, began, most = (cl_ulong)(launch->ended_ns - launch->called_ns);
    if (clopt_event_time(launch->event, CL_PROFILING_COMMAND_SUBMIT, &submitted) == CL_SUCCESS &&
        clopt_event_time(launch->event, CL_PROFILING_COMMAND_START, &began) == CL_SUCCESS &&
        submitted && began > submitted)
        session->deferred_ns += (int64_t)(began - submitted < most ? began - submitted : most);
}

/* Waits for a kernel's first launch, and learns how long it runs after it was compiled: at least
 * since it was seen to run, less what its threads waited; at most since it was not. */
static cl_int finish_first(struct clopt_session *session, const struct clopt_launch_record *launch)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    struct clopt_workspace *workspace = session->workspace;
    cl_command_queue queue = workspace->context.queue;
    struct clopt_counting *waits = clopt_waits_open(workspace->registry, &workspace->context);
    int64_t idle_ns = launch->called_ns, began_ns = idle_ns;
    cl_int state = CL_QUEUED, code = clFlush(queue);
    while (code == CL_SUCCESS && state > CL_RUNNING && nanosleep(&pause, NULL) == 0) {
        idle_ns = began_ns;
        began_ns = clopt_now_ns();
        code = clGetEventInfo(launch->event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state,
                              &state, NULL);
    }
    clopt_waits_begin(waits);
    began_ns = clopt_now_ns();
    code = clFinish(queue);
    int64_t ended_ns = clopt_now_ns();
    session->least_ns += (1 - clopt_waits_end(waits)) * (double)(ended_ns - began_ns);
    session->most_ns += (double)(ended_ns - idle_ns);
    clopt_counting_close(waits);
    return code;
}

/* Waits for a launch by itself: a kernel's first one, one that is counted on the processor, or one
 * that is timed by the host's clock. */
static enum clopt_status finish_alone(struct clopt_session *session,
                                      struct clopt_launch_record *launch)
{
    unsigned kernel = launch->kernel;
    const struct clopt_context *context = &session->workspace->context;
    bool learns = !session->launched[kernel] && clopt_device_is_cpu(&context->info) &&
                  clopt_traits_find(context->info.platform)->runs_compiled;
    cl_int code = learns ? finish_first(session, launch) : clFinish(context->queue);
    launch->ended_ns = clopt_now_ns();
    CLOPT_TRY(check_call(session, kernel, "clFinish", code, NULL));
    if (!session->launched[kernel])
        note_deferred(session, launch);
    else if (session->counting)
        CLOPT_TRY(clopt_counting_end(session->counting, kernel, session->error));
    session->launched[kernel] = true;
    return CLOPT_OK;
}

enum clopt_status clopt_launch_arguments(struct clopt_session *session, unsigned kernel,
                                         struct clopt_ndrange ndrange,
                                         const struct clopt_argument *arguments, size_t count)
{
    static const struct clopt_ndrange_change none;
    cl_command_queue queue = session->workspace->context.queue;
    cl_event event;
    if (kernel >= session->kernel_count)
        return clopt_fail(session->error, CLOPT_FAILED, "kernel number %u does not exist", kernel);
    if (session->observer && session->observer->build)
        CLOPT_TRY(session->observer->build(session, kernel));
    bool first = !session->launched[kernel];
    bool counted = session->counting && !first;
    session->most_ns *= first; /* of one launch alone */
    bool alone = first || counted || session->workspace->context.clock.source == CLOPT_CLOCK_HOST;
    const struct clopt_kernel *of = &session->app->kernels[kernel];
    const struct clopt_ndrange_change *change = clopt_variant_change(&session->variant, of);
    const struct clopt_asked_launch launch = {
        kernel, of->name, &ndrange, change ? change : &none, arguments, count};
    CLOPT_TRY(check_distinct(session, &launch));
    CLOPT_TRY(check_demands(session, &launch));
    CLOPT_TRY(order_buffers(session, &launch));
    CLOPT_TRY(set_arguments(session, &launch));
    struct clopt_ndrange range = change ? clopt_ndrange_map(&ndrange, change) : ndrange;
    if (session->observer && session->observer->launch)
        CLOPT_TRY(session->observer->launch(session, &launch, &range));
    clopt_array_grow(&session->launches, session->launch_count, sizeof *session->launches);
    if ((alone && check_call(session, kernel, "clFinish", clFinish(queue), NULL)) ||
        (counted && clopt_counting_begin(session->counting, session->error)))
        return session->error->status;
    int64_t called_ns = clopt_now_ns();
    cl_int code = clEnqueueNDRangeKernel(queue, session->kernels[kernel], range.dimensions, NULL,
                                         range.global, range.local, 0, NULL, &event);
    CLOPT_TRY(check_call(session, kernel, "clEnqueueNDRangeKernel", code, &range));
    struct clopt_launch_record *record = &session->launches[session->launch_count++];
    *record = (struct clopt_launch_record){kernel, event, called_ns, 0};
    return alone ? finish_alone(session, record) : CLOPT_OK;
}

/* ---- times ---- */

/* What a launch took: when it began and ended, by the clock of the device; false: by none. */
static bool find_interval(struct clopt_session *session, const struct clopt_launch_record *launch,
                          double *began_ns, double *ended_ns)
{
    struct clopt_clock *clock = &session->workspace->context.clock;
    char reason[CLOPT_EVENT_REASON];
    cl_ulong began, ended;
    if (clock->source == CLOPT_CLOCK_HOST) {
        *began_ns = (double)launch->called_ns;
        *ended_ns = *began_ns + (double)(launch->ended_ns - launch->called_ns) - clock->overhead_ns;
        return true;
    }
    if (!clopt_event_interval(launch->event, clock->resolution_ns, &began, &ended, reason)) {
        clopt_clock_doubt(clock, reason, session->error);
        return false;
    }
    *began_ns = (double)began;
    *ended_ns = (double)ended;
    return true;
}

/* Adds the times of all launches, which are over since `now_ns`. */
static enum clopt_status add_times(struct clopt_session *session, int64_t now_ns, double *times_ns)
{
    struct clopt_clock *clock = &session->workspace->context.clock;
    double first_ns = INFINITY, last_ns = 0, began_ns, ended_ns;
    char reason[CLOPT_EVENT_REASON];
    size_t count = session->launch_count;
    for (size_t i = 0; i < count; i++) {
        const struct clopt_launch_record *launch = &session->launches[i];
        if (!find_interval(session, launch, &began_ns, &ended_ns))
            return fail_kernel(session, launch->kernel);
        times_ns[launch->kernel] += ended_ns - began_ns;
        first_ns = fmin(first_ns, began_ns);
        last_ns = fmax(last_ns, ended_ns);
    }
    double host_ns = count ? (double)(now_ns - session->launches[0].called_ns) : 0;
    double span_ns = count ? last_ns - first_ns : 0;
    if (clock->source == CLOPT_CLOCK_HOST) /* the overhead of each launch but the last is in it */
        span_ns -= (double)(count ? count - 1 : 0) * clock->overhead_ns;
    else if (count && !clopt_believed_add(&session->believed, clock, span_ns, host_ns)) {
        snprintf(reason, sizeof reason,
                 "events say that a run takes %.3g ms, which took %.3g ms by the host's clock",
                 span_ns * 1e-6, host_ns * 1e-6);
        return clopt_clock_doubt(clock, reason, session->error);
    }
    times_ns[session->kernel_count] += span_ns;
    return CLOPT_OK;
}

enum clopt_status clopt_session_collect(struct clopt_session *session, double *times_ns)
{
    CLOPT_TRY(
        clopt_check_cl(session->error, "clFinish", clFinish(session->workspace->context.queue)));
    int64_t now_ns = clopt_now_ns();
    for (size_t i = 0; i < session->launch_count; i++) {
        const struct clopt_launch_record *launch = &session->launches[i];
        cl_int state = CL_COMPLETE;
        cl_int code = clGetEventInfo(launch->event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state,
                                     &state, NULL);
        CLOPT_TRY(check_call(session, launch->kernel, "kernel execution",
                             code == CL_SUCCESS && state < 0 ? state : code, NULL));
    }
    return times_ns ? add_times(session, now_ns, times_ns) : CLOPT_OK;
}
