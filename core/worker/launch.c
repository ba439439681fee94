/* SPDX-License-Identifier: BSD-3-Clause */
/* Launches kernels for an app, and collects how long they took. */
#include <stdio.h>

#include "base/array.h"
#include "base/text.h"
#include "opencl/name.h"
#include "worker/layout.h"
#include "worker/trace.h"

/* Adds how much local memory a kernel uses that the device refused, if that is more than it states
 * to have: many devices run such kernels. */
static void add_local_memory(const struct clopt_session *session, unsigned kernel,
                             struct clopt_error *error)
{
    cl_ulong used = 0, stated = session->workspace->context.info.local_memory_bytes;
    if (clGetKernelWorkGroupInfo(session->kernels[kernel], session->workspace->context.id,
                                 CL_KERNEL_LOCAL_MEM_SIZE, sizeof used, &used,
                                 NULL) == CL_SUCCESS &&
        used > stated)
        clopt_fail(error, error->status, "%s; %llu bytes of local memory, the device states %llu",
                   error->message, (unsigned long long)used, (unsigned long long)stated);
}

/* Reports a failed call together with what was launched. */
static enum clopt_status fail_launch(struct clopt_session *session, unsigned kernel,
                                     const char *call, cl_int code,
                                     const struct clopt_ndrange *range)
{
    struct clopt_error *error = &session->error;
    clopt_fail_cl(error, call, code);
    if (code == CL_INVALID_WORK_GROUP_SIZE || code == CL_INVALID_WORK_ITEM_SIZE)
        error->status = CLOPT_OUT_OF_RESOURCES;
    if (range)
        clopt_fail(error, error->status, "%s: global size %zux%zux%zu, local size %zux%zux%zu",
                   error->message, range->global[0], range->global[1], range->global[2],
                   range->local[0], range->local[1], range->local[2]);
    if (error->status == CLOPT_OUT_OF_RESOURCES)
        add_local_memory(session, kernel, error);
    return clopt_fail_within(error, "%s", session->app->kernels[kernel].name);
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
    **sampler = clCreateSampler(
        session->workspace->context.context, wanted->normalized, modes[wanted->addressing],
        wanted->filter == CLOPT_LINEAR ? CL_FILTER_LINEAR : CL_FILTER_NEAREST, &code);
    if (code == CL_SUCCESS)
        return CLOPT_OK;
    **sampler = NULL;
    return clopt_fail_cl(&session->error, "clCreateSampler", code);
}

/* Whether a kernel has the elements of an argument in another order. */
static bool has_layout(const struct clopt_session *session, unsigned kernel, size_t argument)
{
    const struct clopt_ndrange_change *change = &session->variant.change;
    for (size_t i = 0; i < change->layout_count && kernel == session->changed_kernel; i++)
        if (change->layouts[i].argument == argument)
            return true;
    return false;
}

/* Has the buffers of a launch hold their elements in the order in which the kernel has them. */
static enum clopt_status order_buffers(struct clopt_session *session, unsigned kernel,
                                       const struct clopt_ndrange *initial,
                                       const struct clopt_argument *arguments, size_t count)
{
    const struct clopt_ndrange_change *change = &session->variant.change;
    const struct clopt_ndrange_change sizes = {
        .local_size = {change->local_size[0], change->local_size[1], change->local_size[2]}};
    struct clopt_ndrange range = clopt_ndrange_map(initial, &sizes);
    struct clopt_buffers *buffers = session->buffers;
    struct clopt_error *error = &session->error;
    enum clopt_status status = CLOPT_OK;
    for (size_t i = 0; i < count && !status; i++)
        if (arguments[i].kind == CLOPT_ARGUMENT_BUFFER && arguments[i].buffer < CLOPT_MAX_BUFFERS &&
            !has_layout(session, kernel, i)) {
            status = clopt_twin_settle(buffers, arguments[i].buffer, error);
            if (buffers->items[arguments[i].buffer].use != CLOPT_INPUT)
                clopt_twin_forget(buffers, arguments[i].buffer);
        }
    for (size_t i = 0; i < change->layout_count && kernel == session->changed_kernel && !status;
         i++) {
        const struct clopt_layout *layout = &change->layouts[i];
        status = clopt_layout_find(buffers, layout, &range, arguments, count, &session->shapes[i],
                                   error);
        if (!status)
            status = clopt_twin_use(buffers, arguments[layout->argument].buffer,
                                    &session->shapes[i], error);
    }
    return status ? clopt_fail_within(error, "%s", session->app->kernels[kernel].name) : CLOPT_OK;
}

static enum clopt_status set_arguments(struct clopt_session *session, unsigned kernel,
                                       const struct clopt_argument *arguments, size_t count)
{
    const struct clopt_ndrange_change *change = &session->variant.change;
    for (size_t i = 0; i < count; i++) {
        const struct clopt_argument *argument = &arguments[i];
        size_t bytes = argument->bytes;
        const void *value = argument->value;
        if (argument->kind == CLOPT_ARGUMENT_BUFFER) {
            if (argument->buffer >= CLOPT_MAX_BUFFERS ||
                !session->buffers->items[argument->buffer].name)
                return clopt_fail(&session->error, CLOPT_FAILED,
                                  "%s: argument %zu: buffer number %u does not exist",
                                  session->app->kernels[kernel].name, i, argument->buffer);
            bytes = sizeof(cl_mem);
            value = has_layout(session, kernel, i)
                        ? &session->buffers->twins[argument->buffer].buffer.data
                        : &session->buffers->items[argument->buffer].data;
        }
        if (argument->kind == CLOPT_ARGUMENT_LOCAL && kernel == session->changed_kernel)
            bytes = clopt_local_bytes(change, change->added_count, (unsigned)i, bytes);
        if (argument->kind == CLOPT_ARGUMENT_SAMPLER) {
            cl_sampler *sampler;
            enum clopt_status status = get_sampler(session, argument->value, &sampler);
            if (status)
                return status;
            bytes = sizeof *sampler;
            value = sampler;
        }
        cl_int code = clSetKernelArg(session->kernels[kernel], (cl_uint)i, bytes, value);
        if (code != CL_SUCCESS) {
            char call[64];
            snprintf(call, sizeof call, "clSetKernelArg, argument %zu", i);
            return fail_launch(session, kernel, call, code, NULL);
        }
    }
    return CLOPT_OK;
}

/* Sets what a variant's kernel takes after its own `count` arguments. */
static enum clopt_status set_added(struct clopt_session *session, unsigned kernel,
                                   const struct clopt_ndrange *initial,
                                   const struct clopt_argument *arguments, size_t count)
{
    const struct clopt_ndrange_change *change = &session->variant.change;
    for (size_t i = 0; i < change->added_count; i++) {
        const struct clopt_added_argument *added = &change->added[i];
        size_t bytes = added->local && added->number < count ? arguments[added->number].bytes : 0;
        cl_ulong value = added->rows ? session->shapes[added->number].rows
                                     : clopt_added_value(initial, change, i, bytes);
        cl_int code =
            clSetKernelArg(session->kernels[kernel], (cl_uint)(count + i), sizeof value, &value);
        if (code != CL_SUCCESS)
            return fail_launch(session, kernel, "clSetKernelArg of an additional argument", code,
                               NULL);
    }
    return CLOPT_OK;
}

/* Refuses a launch for which the variant was not made. */
static enum clopt_status check_multiple(struct clopt_session *session,
                                        const struct clopt_ndrange *initial)
{
    const struct clopt_ndrange_change *change = &session->variant.change;
    for (unsigned d = 0; d < initial->dimensions; d++) {
        size_t local = change->local_size[d] ? change->local_size[d] : initial->local[d];
        size_t multiple = change->local_multiple[d];
        if (multiple && (local % multiple || (change->local_only[d] && local != multiple)))
            return clopt_fail(&session->error, CLOPT_INFEASIBLE,
                              "%s: a launch has local size %zu in dimension %u, the variant needs "
                              "%s%zu",
                              session->app->kernels[session->changed_kernel].name, local, d,
                              change->local_only[d] ? "" : "a multiple of ", multiple);
        if (change->whole_groups && initial->global[d] % local)
            return clopt_fail(&session->error, CLOPT_INFEASIBLE,
                              "%s: a launch has global size %zu in dimension %u, the variant needs "
                              "a multiple of %zu: any_local_size = dividing",
                              session->app->kernels[session->changed_kernel].name,
                              initial->global[d], d, local);
    }
    return CLOPT_OK;
}

/* Refuses a launch with the same buffer as two arguments, if the variant is for distinct ones. */
static enum clopt_status check_distinct(struct clopt_session *session,
                                        const struct clopt_argument *arguments, size_t count)
{
    for (size_t i = 0; i < count && session->variant.change.distinct_buffers; i++)
        for (size_t k = i + 1; k < count; k++)
            if (arguments[i].kind == CLOPT_ARGUMENT_BUFFER &&
                arguments[k].kind == CLOPT_ARGUMENT_BUFFER &&
                arguments[i].buffer == arguments[k].buffer)
                return clopt_fail(&session->error, CLOPT_INFEASIBLE,
                                  "%s: arguments %zu and %zu are the same buffer, the variant "
                                  "needs distinct ones",
                                  session->app->kernels[session->changed_kernel].name, i, k);
    return CLOPT_OK;
}

static enum clopt_status get_time(struct clopt_session *session, cl_event event,
                                  cl_profiling_info what, cl_ulong *time_ns)
{
    cl_int code = clGetEventProfilingInfo(event, what, sizeof *time_ns, time_ns, NULL);
    return code == CL_SUCCESS ? CLOPT_OK
                              : clopt_fail_cl(&session->error, "clGetEventProfilingInfo", code);
}

/* Waits for a kernel's first launch by itself: what lies between SUBMIT and START is compilation
 * that the driver put off. */
static enum clopt_status finish_first_launch(struct clopt_session *session, unsigned kernel,
                                             cl_event event)
{
    cl_int code = clFinish(session->workspace->context.queue);
    if (code != CL_SUCCESS)
        return fail_launch(session, kernel, "clFinish", code, NULL);
    cl_ulong submit, start;
    enum clopt_status status = get_time(session, event, CL_PROFILING_COMMAND_SUBMIT, &submit);
    if (!status)
        status = get_time(session, event, CL_PROFILING_COMMAND_START, &start);
    if (!status && start > submit)
        session->deferred_ns += (int64_t)(start - submit);
    session->launched[kernel] = true;
    return status;
}

/* Waits for a launch whose doings on the processor are counted. */
static enum clopt_status finish_counted_launch(struct clopt_session *session, unsigned kernel)
{
    cl_int code = clFinish(session->workspace->context.queue);
    if (code != CL_SUCCESS)
        return fail_launch(session, kernel, "clFinish", code, NULL);
    return clopt_hardware_end(session->hardware,
                              session->counted + kernel * CLOPT_HARDWARE_COUNTERS, &session->error);
}

enum clopt_status clopt_launch_arguments(struct clopt_session *session, unsigned kernel,
                                         struct clopt_ndrange ndrange,
                                         const struct clopt_argument *arguments, size_t count)
{
    if (kernel >= session->kernel_count)
        return clopt_fail(&session->error, CLOPT_FAILED, "kernel number %u does not exist", kernel);
    enum clopt_status status = CLOPT_OK;
    clopt_trace_launch(session, kernel, &ndrange, arguments, count);
    if (kernel == session->changed_kernel) {
        status = check_multiple(session, &ndrange);
        if (!status)
            status = check_distinct(session, arguments, count);
    }
    if (!status)
        status = order_buffers(session, kernel, &ndrange, arguments, count);
    if (kernel == session->changed_kernel) {
        if (!status)
            status = set_added(session, kernel, &ndrange, arguments, count);
        ndrange = clopt_ndrange_map(&ndrange, &session->variant.change);
    }
    if (!status)
        status = set_arguments(session, kernel, arguments, count);
    if (!status &&
        !clopt_array_grow(&session->launches, session->launch_count, sizeof *session->launches))
        status = clopt_fail_memory(&session->error);
    if (status)
        return status;
    cl_command_queue queue = session->workspace->context.queue;
    cl_int code;
    bool first = !session->launched[kernel];
    bool counted = session->hardware && !first;
    if ((first || counted) && (code = clFinish(queue)) != CL_SUCCESS)
        return fail_launch(session, kernel, "clFinish", code, NULL);
    if (counted && clopt_hardware_begin(session->hardware, &session->error))
        return session->error.status;
    cl_event event;
    code = clEnqueueNDRangeKernel(queue, session->kernels[kernel], ndrange.dimensions, NULL,
                                  ndrange.global, ndrange.local, 0, NULL, &event);
    if (code != CL_SUCCESS)
        return fail_launch(session, kernel, "clEnqueueNDRangeKernel", code, &ndrange);
    session->launches[session->launch_count++] =
        (struct clopt_launch_record){.kernel = kernel, .event = event};
    return first     ? finish_first_launch(session, kernel, event)
           : counted ? finish_counted_launch(session, kernel)
                     : CLOPT_OK;
}

void clopt_session_drop_launches(struct clopt_session *session)
{
    for (size_t i = 0; i < session->launch_count; i++)
        clReleaseEvent(session->launches[i].event);
    session->launch_count = 0;
}

enum clopt_status clopt_session_collect(struct clopt_session *session,
                                        struct clopt_run_times *times)
{
    cl_int code = clFinish(session->workspace->context.queue);
    enum clopt_status status =
        code == CL_SUCCESS ? CLOPT_OK : clopt_fail_cl(&session->error, "clFinish", code);
    for (unsigned k = 0; times && k < session->kernel_count; k++)
        times->kernels_ns[k] = 0;
    cl_ulong first = 0, last = 0;
    for (size_t i = 0; i < session->launch_count && !status; i++) {
        const struct clopt_launch_record *launch = &session->launches[i];
        cl_int state = CL_COMPLETE;
        code = clGetEventInfo(launch->event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state,
                              &state, NULL);
        if (code == CL_SUCCESS && state < 0)
            code = state;
        if (code != CL_SUCCESS) {
            status = fail_launch(session, launch->kernel, "kernel execution", code, NULL);
            break;
        }
        cl_ulong start, end;
        status = get_time(session, launch->event, CL_PROFILING_COMMAND_START, &start);
        if (!status)
            status = get_time(session, launch->event, CL_PROFILING_COMMAND_END, &end);
        if (status || !times)
            continue;
        clopt_context_note_time(&session->workspace->context, end > start ? end - start : 0);
        times->kernels_ns[launch->kernel] += end > start ? (double)(end - start) : 0;
        first = i == 0 || start < first ? start : first;
        last = end > last ? end : last;
    }
    if (times)
        times->whole_ns = (double)(last - first);
    clopt_session_drop_launches(session);
    return status;
}
