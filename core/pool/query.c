/* SPDX-License-Identifier: BSD-3-Clause */
/* A few questions to workers, one at a time. */
#include "pool/query.h"

#include "opencl/traits.h"

#define ATTEMPTS     3
#define MOST_DEVICES 1024

/* ---- one question ---- */

static json_t *next(struct clopt_task *task, const json_t *answer)
{
    struct clopt_question *question = (struct clopt_question *)task;
    json_t *request = question->request;
    question->request = NULL;
    if (request)
        return request;
    question->reply.answer = json_deep_copy(answer);
    question->reply.stage = task->seat->process.stage;
    clopt_message_get_error(answer, &question->reply.cause);
    return NULL;
}

static void lost(struct clopt_task *task, const json_t *parts, const struct clopt_loss *loss)
{
    struct clopt_question *question = (struct clopt_question *)task;
    question->reply.answer = json_deep_copy(parts);
    question->reply.cause = loss->error;
    question->reply.stage = loss->stage;
}

bool clopt_pool_is_to_stop(const struct clopt_pool *pool)
{
    return pool->settings.stop && *pool->settings.stop;
}

enum clopt_status clopt_question_begin(struct clopt_pool *pool, struct clopt_host *host,
                                       size_t device, json_t *request,
                                       struct clopt_question *question, struct clopt_error *error)
{
    bool untimed = device == CLOPT_NO_DEVICE;
    question->task = (struct clopt_task){
        .next = next, .lost = lost, .host = host, .untimed = untimed, .fresh = !untimed};
    question->request = request;
    question->reply = (struct clopt_reply){0};
    return clopt_pool_begin(pool, device, &question->task, error);
}

void clopt_question_end(struct clopt_pool *pool, struct clopt_question *question)
{
    if (question->task.seat) {
        clopt_pool_cancel(pool, &question->task);
        clopt_fail(&question->reply.cause, CLOPT_INTERRUPTED, "interrupted");
    }
    json_decref(question->request);
    question->request = NULL;
}

enum clopt_status clopt_pool_ask(struct clopt_pool *pool, size_t device, json_t *request,
                                 struct clopt_reply *reply, struct clopt_error *error)
{
    struct clopt_question question = {0};
    enum clopt_status status = clopt_question_begin(pool, NULL, device, request, &question, error);
    while (!status && question.task.seat && !clopt_pool_is_to_stop(pool))
        status = clopt_pool_wait(pool, error);
    clopt_question_end(pool, &question);
    *reply = question.reply;
    return status;
}

/* ---- devices ---- */

static enum clopt_status take_devices(const json_t *list, struct clopt_device_info **devices,
                                      size_t *count, struct clopt_error *error)
{
    *count = json_array_size(list);
    if (*count > MOST_DEVICES)
        return clopt_fail(error, CLOPT_FAILED, "%zu OpenCL devices, more than %d", *count,
                          MOST_DEVICES);
    *devices = clopt_calloc(*count, sizeof **devices);
    for (size_t i = 0; i < *count; i++)
        CLOPT_TRY(clopt_device_from_json(json_array_get(list, i), &(*devices)[i], error));
    return CLOPT_OK;
}

enum clopt_status clopt_reply_take_devices(const struct clopt_reply *reply,
                                           struct clopt_device_info **devices, size_t *count,
                                           struct clopt_error *error)
{
    if (!reply->cause.status)
        return take_devices(json_object_get(reply->answer, "devices"), devices, count, error);
    *error = reply->cause;
    return reply->answer ? error->status : clopt_fail_within(error, CLOPT_LISTING);
}

bool clopt_reply_lacks(const struct clopt_reply *reply, unsigned attempts)
{
    return attempts < ATTEMPTS && !reply->answer && reply->cause.status &&
           reply->cause.status != CLOPT_TIMED_OUT && reply->cause.status != CLOPT_INTERRUPTED;
}

enum clopt_status clopt_pool_list(struct clopt_pool *pool, struct clopt_device_info **devices,
                                  size_t *count, struct clopt_error *error)
{
    struct clopt_reply reply = {.cause.status = CLOPT_CRASHED};
    enum clopt_status status = CLOPT_OK;
    for (unsigned i = 0; !status && clopt_reply_lacks(&reply, i); i++)
        status =
            clopt_pool_ask(pool, CLOPT_NO_DEVICE, json_pack("{s:s}", "op", "list"), &reply, error);
    if (!status)
        status = clopt_reply_take_devices(&reply, devices, count, error);
    if (reply.cause.status && status && !pool->settings.wrapper)
        status = clopt_driver_accuse(pool->settings.stop, error);
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
    return clopt_pool_list(&query->pool, &query->devices, &query->count, error);
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
