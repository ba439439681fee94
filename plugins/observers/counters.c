/* SPDX-License-Identifier: BSD-3-Clause */
/* Counters of a variant: what its driver tells, and what it does on the processor. Each is a list:
 * kernel, name, value, unit, source. */
#include "observers/observers.h"

#include <math.h>

#include <CL/cl_ext.h>

#include "observers/build_log.h"
#include "process/clock.h"
#include "worker/session.h"

#define COUNTING_NS 100000000 /* so long that the kernel has lent the counters to all events */

/* What is known of a kernel, and who says so. */
struct counter {
    const char *kernel, *name, *unit, *source;
};

static void add(json_t *list, struct counter counter, double value)
{
    json_array_append_new(list, json_pack("[s,s,f,s,s]", counter.kernel, counter.name, value,
                                          counter.unit, counter.source));
}

/* ---- the driver ---- */

/* Adds what clGetKernelWorkGroupInfo() says; the size of a value is that of its type. */
static void add_kernel_info(json_t *list, const struct clopt_session *session, unsigned kernel)
{
    static const struct {
        cl_kernel_work_group_info what;
        size_t bytes;
        const char *name;
        const char *unit;
    } infos[] = {
        {CL_KERNEL_PRIVATE_MEM_SIZE, sizeof(cl_ulong), "private_memory", "bytes"},
        {CL_KERNEL_LOCAL_MEM_SIZE, sizeof(cl_ulong), "local_memory", "bytes"},
        {CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, sizeof(size_t), "preferred_multiple", ""},
        {CL_KERNEL_WORK_GROUP_SIZE, sizeof(size_t), "work_group_limit", ""},
    };
    for (size_t i = 0; i < sizeof infos / sizeof *infos; i++) {
        cl_ulong value = 0; /* which a size_t is no larger than */
        if (clGetKernelWorkGroupInfo(session->kernels[kernel], session->workspace->context.id,
                                     infos[i].what, sizeof value, &value, NULL) == CL_SUCCESS)
            add(list,
                (struct counter){session->app->kernels[kernel].name, infos[i].name, infos[i].unit,
                                 "driver"},
                infos[i].bytes == sizeof(size_t) ? (double)(size_t)value : (double)value);
    }
}

/* Adds how large sub-groups are, where the device has any. */
static void add_sub_group(json_t *list, const struct clopt_session *session, unsigned kernel)
{
    typedef cl_int(CL_API_CALL * ask)(cl_kernel, cl_device_id, cl_uint, size_t, const void *,
                                      size_t, void *, size_t *);
    const struct clopt_context *context = &session->workspace->context;
    cl_platform_id platform;
    size_t size = 0;
    const struct clopt_ndrange_change *change =
        clopt_variant_change(&session->variant, &session->app->kernels[kernel]);
    size_t range[3] = {64, 1, 1};
    for (unsigned d = 0; d < 3 && change; d++)
        range[d] = change->local_size[d] ? change->local_size[d] : range[d];
    /* PoCL has the function, which crashes. */
    if (!strstr(context->info.extensions, "cl_khr_subgroups") ||
        clGetDeviceInfo(context->id, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL))
        return;
    void *address =
        clGetExtensionFunctionAddressForPlatform(platform, "clGetKernelSubGroupInfoKHR");
    ask function;
    memcpy(&function, &address, sizeof function);
    if (address &&
        function(session->kernels[kernel], context->id,
                 CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE_KHR, sizeof range, range, sizeof size,
                 &size, NULL) == CL_SUCCESS &&
        size)
        add(list,
            (struct counter){session->app->kernels[kernel].name, "sub_group_size", "", "driver"},
            (double)size);
}

/* Lists what the driver and its compiler tell of a built variant. */
static json_t *list_of_driver(const struct clopt_session *session)
{
    json_t *list = json_array();
    size_t bytes = 0;
    /* A driver that caches its builds by itself would make a binary to tell how large it is. */
    bool cheap = !session->workspace->context.traits->cache_variable;
    if (cheap && clGetProgramInfo(session->program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes,
                                  NULL) != CL_SUCCESS)
        bytes = 0;
    for (unsigned k = 0; k < session->kernel_count; k++) {
        const char *name, *unit, *kernel = session->app->kernels[k].name;
        double value;
        add_kernel_info(list, session, k);
        add_sub_group(list, session, k);
        if (bytes)
            add(list, (struct counter){kernel, "binary_size", "bytes", "driver"}, (double)bytes);
        for (unsigned fact = 0; (name = clopt_build_log_fact(fact, &unit)); fact++)
            if (clopt_build_log_find(session->build.log, kernel, fact, &value))
                add(list, (struct counter){kernel, name, unit, "compiler"}, value);
    }
    return list;
}

/* ---- counters of plugins ---- */

struct listing {
    const struct clopt_session *session;
    json_t *list;
    unsigned runs;
};

/* Adds what was counted in so many runs. */
static void list_count(void *user, unsigned kernel, const struct clopt_reading *count)
{
    const struct listing *listing = user;
    if (!isnan(count->value))
        add(listing->list,
            (struct counter){listing->session->app->kernels[kernel].name, count->name, count->unit,
                             count->source},
            count->value / listing->runs);
}

/* Runs a verified variant for a while, and adds what the counters of plugins count of each kernel
 * in its launches of one run. */
static enum clopt_status count_launches(struct clopt_session *session, json_t *counters)
{
    struct listing listing = {.session = session, .list = counters};
    const struct clopt_workspace *workspace = session->workspace;
    clopt_workspace_begin(session->workspace, CLOPT_STAGE_COUNT);
    enum clopt_status status =
        clopt_counting_open(workspace->registry, &workspace->context, CLOPT_COUNTS_LAUNCHES,
                            session->kernel_count, &session->counting, session->error);
    if (status == CLOPT_INFEASIBLE)
        return CLOPT_OK;
    int64_t began = clopt_now_ns();
    for (; !status && (listing.runs == 0 || clopt_now_ns() - began < COUNTING_NS); listing.runs++)
        status = clopt_session_run(session, NULL);
    for (unsigned k = 0; k < session->kernel_count && !status; k++)
        clopt_counting_list(session->counting, k, list_count, &listing);
    clopt_counting_close(session->counting);
    session->counting = NULL;
    return status;
}

static enum clopt_status report(struct clopt_session *session, const json_t *request,
                                json_t *answer)
{
    if (!json_is_true(json_object_get(request, "counters")) || !session->program)
        return CLOPT_OK;
    json_t *counters = list_of_driver(session);
    json_object_set_new(answer, "counters", counters);
    return count_launches(session, counters);
}

const struct clopt_observer clopt_counters_observer = {.report = report};
