/* SPDX-License-Identifier: BSD-3-Clause */
/* Launches kernels for an app, and collects how long they took. */
#include "opencl/event_time.h"
#include "opencl/name.h"
#include "text/array.h"
#include "trial/observer.h"
#include "worker/trace.h"

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

/* Reports a call that failed (CL_SUCCESS: it did not) together with what was launched, which may be
 * NULL. */
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
        cl_int code = clSetKernelArg(kernel, (cl_uint)(count + i), sizeof value, &value);
        CLOPT_TRY(check_call(session, launch->kernel, "clSetKernelArg of an additional argument",
                             code, NULL));
    }
    return CLOPT_OK;
}

/* Refuses a launch for which the variant was not made. */
static enum clopt_status check_sizes(const struct clopt_session *session,
                                     const struct clopt_asked_launch *launch)
{
    const struct clopt_ndrange_change *change = launch->change;
    const struct clopt_ndrange *initial = launch->ndrange;
    for (unsigned d = 0; d < initial->dimensions; d++) {
        size_t local = change->local_size[d] ? change->local_size[d] : initial->local[d];
        size_t multiple = change->local_multiple[d];
        if (multiple && (local % multiple || (change->local_only[d] && local != multiple)))
            return clopt_fail(session->error, CLOPT_INFEASIBLE,
                              "%s: a launch has local size %zu in dimension %u, the variant needs "
                              "%s%zu",
                              launch->name, local, d, change->local_only[d] ? "" : "a multiple of ",
                              multiple);
        if (change->whole_groups && initial->global[d] % local)
            return clopt_fail(session->error, CLOPT_INFEASIBLE,
                              "%s: a launch has global size %zu in dimension %u, the variant needs "
                              "a multiple of %zu: any_local_size = dividing",
                              launch->name, initial->global[d], d, local);
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

/* Refuses a launch with an argument that is not a multiple of what the variant needs, or less than
 * there are work-items. */
static enum clopt_status check_multiples(const struct clopt_session *session,
                                         const struct clopt_asked_launch *launch)
{
    for (size_t i = 0; i < launch->change->multiple_count; i++) {
        const struct clopt_argument_multiple *own = &launch->change->multiples[i];
        int64_t value = 0;
        if (own->argument >= launch->count ||
            !clopt_argument_integer(&launch->arguments[own->argument], &value))
            return clopt_fail(
                session->error, CLOPT_INFEASIBLE,
                "%s: argument %u is not an integer; the variant needs a multiple of %u",
                launch->name, own->argument, own->multiple);
        if (value % own->multiple)
            return clopt_fail(session->error, CLOPT_INFEASIBLE,
                              "%s: argument %u is %lld, the variant needs a multiple of %u",
                              launch->name, own->argument, (long long)value, own->multiple);
        unsigned d = own->covers ? own->covers - 1 : 0;
        const size_t *wanted = launch->change->local_size;
        size_t local = wanted[d] ? wanted[d] : launch->ndrange->local[d];
        size_t items = (launch->ndrange->global[d] + local - 1) / local * local;
        if (own->covers && value < (int64_t)items)
            return clopt_fail(session->error, CLOPT_INFEASIBLE,
                              "%s: argument %u is %lld, the variant needs at least the %zu "
                              "work-items of dimension %u: guards = no, or a local size that "
                              "divides it",
                              launch->name, own->argument, (long long)value, items, d);
    }
    return CLOPT_OK;
}

/* Waits for a launch by itself. Of a kernel's first one, what lies between SUBMIT and START is
 * compilation that the driver put off; others are counted. */
static enum clopt_status finish_alone(struct clopt_session *session, unsigned kernel,
                                      cl_event event)
{
    cl_ulong submitted, began;
    cl_int code = clFinish(session->workspace->context.queue);
    CLOPT_TRY(check_call(session, kernel, "clFinish", code, NULL));
    if (session->launched[kernel])
        return clopt_counting_end(session->counting, kernel, session->error);
    session->launched[kernel] = true;
    code = clopt_event_time(event, CL_PROFILING_COMMAND_SUBMIT, &submitted);
    if (code == CL_SUCCESS)
        code = clopt_event_time(event, CL_PROFILING_COMMAND_START, &began);
    CLOPT_TRY(check_call(session, kernel, "clGetEventProfilingInfo", code, NULL));
    if (submitted && began > submitted)
        session->deferred_ns += (int64_t)(began - submitted);
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
    if (session->observer)
        CLOPT_TRY(session->observer->build(session, kernel));
    bool first = !session->launched[kernel];
    bool counted = session->counting && !first, alone = first || counted;
    const struct clopt_kernel *of = &session->app->kernels[kernel];
    const struct clopt_ndrange_change *change = clopt_variant_change(&session->variant, of);
    const struct clopt_asked_launch launch = {
        kernel, of->name, &ndrange, change ? change : &none, arguments, count};
    clopt_trace_launch(session, &launch);
    CLOPT_TRY(check_sizes(session, &launch));
    CLOPT_TRY(check_distinct(session, &launch));
    CLOPT_TRY(check_multiples(session, &launch));
    CLOPT_TRY(order_buffers(session, &launch));
    CLOPT_TRY(set_arguments(session, &launch));
    struct clopt_ndrange range = change ? clopt_ndrange_map(&ndrange, change) : ndrange;
    if (session->observer)
        CLOPT_TRY(session->observer->launch(session, &launch, &range));
    clopt_array_grow(&session->launches, session->launch_count, sizeof *session->launches);
    if ((alone && check_call(session, kernel, "clFinish", clFinish(queue), NULL)) ||
        (counted && clopt_counting_begin(session->counting, session->error)))
        return session->error->status;
    cl_int code = clEnqueueNDRangeKernel(queue, session->kernels[kernel], range.dimensions, NULL,
                                         range.global, range.local, 0, NULL, &event);
    CLOPT_TRY(check_call(session, kernel, "clEnqueueNDRangeKernel", code, &range));
    session->launches[session->launch_count++] = (struct clopt_launch_record){kernel, event};
    return alone ? finish_alone(session, kernel, event) : CLOPT_OK;
}

enum clopt_status clopt_session_collect(struct clopt_session *session, double *times_ns)
{
    struct clopt_context *context = &session->workspace->context;
    cl_ulong first = 0, last = 0;
    CLOPT_TRY(clopt_check_cl(session->error, "clFinish", clFinish(context->queue)));
    for (size_t i = 0; i < session->launch_count; i++) {
        const struct clopt_launch_record *launch = &session->launches[i];
        cl_int state = CL_COMPLETE;
        cl_ulong when[2];
        cl_int code = clGetEventInfo(launch->event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state,
                                     &state, NULL);
        CLOPT_TRY(check_call(session, launch->kernel, "kernel execution",
                             code == CL_SUCCESS && state < 0 ? state : code, NULL));
        if (!times_ns)
            continue;
        CLOPT_TRY(clopt_event_interval(launch->event, &when[0], &when[1], session->error));
        cl_ulong time_ns = when[1] - when[0];
        clopt_context_note_time(context, time_ns);
        times_ns[launch->kernel] += (double)time_ns;
        first = i == 0 || when[0] < first ? when[0] : first;
        last = when[1] > last ? when[1] : last;
    }
    if (times_ns)
        times_ns[session->kernel_count] += (double)(last - first);
    return CLOPT_OK;
}
