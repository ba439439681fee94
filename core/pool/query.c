/* SPDX-License-Identifier: BSD-3-Clause */
/* A few questions to workers, one at a time. */
#include "pool/query.h"

#include "opencl/traits.h"

#define ATTEMPTS 3

/* ---- one question ---- */

struct question {
    struct clopt_task task;
    json_t *request; /* NULL: asked */
    struct clopt_reply *reply;
};

static json_t *next(struct clopt_task *task, const json_t *answer)
{
    struct question *question = (struct question *)task;
    json_t *request = question->request;
    question->request = NULL;
    if (request)
        return request;
    question->reply->answer = json_deep_copy(answer);
    question->reply->stage = task->seat->process.stage;
    clopt_message_get_error(answer, &question->reply->cause);
    return NULL;
}

static void lost(struct clopt_task *task, const json_t *parts, const struct clopt_loss *loss)
{
    struct question *question = (struct question *)task;
    question->reply->answer = json_deep_copy(parts);
    question->reply->cause = loss->error;
    question->reply->stage = loss->stage;
}

/* Asks on a device, or without one on a host (NULL: this one). */
static enum clopt_status ask(struct clopt_pool *pool, struct clopt_host *host, size_t device,
                             json_t *request, struct clopt_reply *reply, struct clopt_error *error)
{
    const volatile sig_atomic_t *stop = pool->settings.stop;
    struct question question = {
        .task = {.next = next, .lost = lost, .host = host}, .request = request, .reply = reply};
    question.task.untimed = device == CLOPT_NO_DEVICE;
    question.task.fresh = !question.task.untimed;
    *reply = (struct clopt_reply){0};
    enum clopt_status status = clopt_pool_begin(pool, device, &question.task, error);
    while (!status && question.task.seat && !(stop && *stop))
        status = clopt_pool_wait(pool, error);
    if (question.task.seat) {
        clopt_pool_cancel(pool, &question.task);
        clopt_fail(&reply->cause, CLOPT_INTERRUPTED, "interrupted");
    }
    json_decref(question.request);
    return status;
}

enum clopt_status clopt_pool_ask(struct clopt_pool *pool, size_t device, json_t *request,
                                 struct clopt_reply *reply, struct clopt_error *error)
{
    return ask(pool, NULL, device, request, reply, error);
}

/* ---- devices ---- */

static enum clopt_status take_devices(const json_t *list, struct clopt_device_info **devices,
                                      size_t *count, struct clopt_error *error)
{
    *count = json_array_size(list);
    *devices = clopt_calloc(*count, sizeof **devices);
    for (size_t i = 0; i < *count; i++)
        CLOPT_TRY(clopt_device_from_json(json_array_get(list, i), &(*devices)[i], error));
    return CLOPT_OK;
}

/* A worker that was killed meanwhile says nothing about the devices. */
enum clopt_status clopt_pool_list(struct clopt_pool *pool, struct clopt_host *host,
                                  struct clopt_device_info **devices, size_t *count,
                                  struct clopt_error *error)
{
    struct clopt_reply reply = {.cause.status = CLOPT_CRASHED};
    enum clopt_status status = CLOPT_OK;
    for (int i = 0;
         i < ATTEMPTS && !status && !reply.answer && reply.cause.status &&
         reply.cause.status != CLOPT_TIMED_OUT && reply.cause.status != CLOPT_INTERRUPTED;
         i++)
        status = ask(pool, host, CLOPT_NO_DEVICE, json_pack("{s:s}", "op", "list"), &reply, error);
    if (!status && reply.cause.status) {
        *error = reply.cause;
        status = reply.answer ? error->status : clopt_fail_within(error, CLOPT_LISTING);
        if (!pool->settings.oclgrind && !host)
            status = clopt_driver_accuse(pool->settings.stop, error);
    }
    if (!status)
        status = take_devices(json_object_get(reply.answer, "devices"), devices, count, error);
    json_decref(reply.answer);
    return status;
}

enum clopt_status clopt_query_open(struct clopt_query *query,
                                   const struct clopt_process_settings *settings,
                                   const struct clopt_limits *limits, struct clopt_error *error)
{
    *query = (struct clopt_query){0};
    CLOPT_TRY(clopt_temporary_create(&query->scratch, error));
    struct clopt_process_settings own = *settings;
    own.scratch = query->scratch.path;
    clopt_pool_init(&query->pool, &own, limits, 1);
    return clopt_pool_list(&query->pool, NULL, &query->devices, &query->count, error);
}

void clopt_query_fini(struct clopt_query *query)
{
    clopt_pool_fini(&query->pool);
    clopt_temporary_fini(&query->scratch);
    free(query->devices);
    *query = (struct clopt_query){0};
}

void clopt_query_use(struct clopt_query *query, size_t device)
{
    query->device = (struct clopt_pool_device){
        .info = query->devices[device], .ordinal = clopt_device_ordinal(query->devices, device)};
    query->pool.devices = &query->device;
}

/* ---- peaks ---- */

bool clopt_peaks_make_sense(const struct clopt_device_info *device)
{
    return device->available && device->compiler_available &&
           !clopt_traits_find(device->platform)->checks_accesses;
}

enum clopt_status clopt_pool_measure(struct clopt_pool *pool, size_t device, const char *what,
                                     json_t **found, struct clopt_error *cause,
                                     struct clopt_error *error)
{
    struct clopt_reply reply;
    enum clopt_status status =
        clopt_pool_ask(pool, device, json_pack("{s:s}", "op", what), &reply, error);
    *found = reply.cause.status ? NULL : json_incref(json_object_get(reply.answer, what));
    *cause = reply.cause;
    json_decref(reply.answer);
    return status;
}
