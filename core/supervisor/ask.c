/* SPDX-License-Identifier: BSD-3-Clause */
/* Asks a worker for one thing, and waits for it. */
#include <stdlib.h>

#include "base/text.h"
#include "supervisor/loop.h"

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

enum clopt_status clopt_loop_ask(struct clopt_loop *loop, size_t device, json_t *request,
                                 const volatile sig_atomic_t *stop, struct clopt_reply *reply,
                                 struct clopt_error *error)
{
    struct question question = {
        .task = {.next = next, .lost = lost, .fresh = true}, .request = request, .reply = reply};
    *reply = (struct clopt_reply){0};
    if (!request)
        return clopt_fail_memory(error);
    enum clopt_status status = clopt_loop_begin(loop, device, &question.task, error);
    while (!status && question.task.seat && !(stop && *stop))
        status = clopt_loop_wait(loop, error);
    if (question.task.seat) {
        clopt_loop_cancel(loop, &question.task);
        clopt_fail(&reply->cause, CLOPT_INTERRUPTED, "interrupted");
    }
    json_decref(question.request);
    return status;
}

enum clopt_status clopt_loop_list_devices(struct clopt_loop *loop,
                                          struct clopt_device_info **devices, size_t *count,
                                          struct clopt_error *error)
{
    struct clopt_reply reply;
    enum clopt_status status = clopt_loop_ask(
        loop, CLOPT_NO_DEVICE, json_pack("{s:s}", "op", "list"), NULL, &reply, error);
    if (!status && reply.cause.status) {
        *error = reply.cause;
        status =
            reply.answer ? error->status : clopt_fail_within(error, "listing the OpenCL devices");
    }
    const json_t *list = json_object_get(reply.answer, "devices");
    *count = json_array_size(list);
    *devices = status ? NULL : calloc(*count + 1, sizeof **devices);
    if (!status && !*devices)
        status = clopt_fail_memory(error);
    for (size_t i = 0; i < *count && !status; i++)
        status = clopt_device_from_json(json_array_get(list, i), &(*devices)[i], error);
    if (status) {
        free(*devices);
        *devices = NULL;
    }
    json_decref(reply.answer);
    return status;
}
