/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs one trial of a study once more. */
#include "supervisor/reproduce.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "supervisor/loop.h"
#include "supervisor/tasks.h"

enum { MAKE, MADE, BUILT, VERIFIED, SAMPLED, SAVED };

#define SAMPLES 10
#define TURN_MS 50

struct conversation {
    struct clopt_task task;
    const struct clopt_reproduce_options *options;
    struct clopt_reproduction *reproduction;
    struct clopt_error *failure; /* gets why there was no trial at all */
    bool for_binary;             /* the second time */
    bool over;
    int step;
    bool in_stage;
    enum clopt_stage stage;
    int64_t began_ns;
};

/* Writes how long the stage took that has begun. */
static void end_stage(struct conversation *conversation)
{
    if (conversation->in_stage && !conversation->for_binary)
        fprintf(conversation->options->stream, "%8.3f s\n",
                (double)(clopt_now_ns() - conversation->began_ns) * 1e-9);
    conversation->in_stage = false;
}

static void begin_stage(void *user, enum clopt_stage stage)
{
    struct conversation *conversation = user;
    end_stage(conversation);
    if (!conversation->for_binary)
        fprintf(conversation->options->stream, "  %-6s", clopt_stage_name(stage));
    fflush(conversation->options->stream);
    conversation->in_stage = true;
    conversation->stage = stage;
    conversation->began_ns = clopt_now_ns();
}

/* Ends the conversation because of a failure. */
static json_t *give_up(struct conversation *conversation, const struct clopt_error *cause,
                       enum clopt_stage stage)
{
    struct clopt_reproduction *reproduction = conversation->reproduction;
    conversation->over = true;
    if (conversation->for_binary) {
        reproduction->no_binary = *cause;
        return NULL;
    }
    reproduction->outcome = clopt_outcome_from_status(cause->status);
    reproduction->cause = *cause;
    reproduction->stage = stage;
    return NULL;
}

static json_t *finish(struct conversation *conversation)
{
    conversation->over = true;
    if (!conversation->for_binary)
        conversation->reproduction->outcome = CLOPT_OUTCOME_OK;
    return NULL;
}

static json_t *request_samples(const struct clopt_measure *measure)
{
    uint64_t count = measure->min_samples > SAMPLES ? measure->min_samples : SAMPLES;
    return json_pack("{s:s,s:i,s:I,s:I}", "op", "sample", "id", 0, "count", (json_int_t)count,
                     "max_ns", (json_int_t)(measure->max_time_s * 1e9));
}

/* Takes what an answer tells, and says what to ask for next. */
static json_t *take_answer(struct conversation *conversation, const json_t *answer, bool failed)
{
    struct clopt_reproduction *reproduction = conversation->reproduction;
    const struct clopt_reproduce_options *options = conversation->options;
    const char *log = json_string_value(json_object_get(answer, "log"));
    switch (conversation->step++) {
    case MADE:
        if (!reproduction->variant)
            reproduction->variant = json_incref(json_object_get(answer, "variant"));
        return failed ? NULL : json_pack("{s:s,s:i}", "op", "build", "id", 0);
    case BUILT:
        if (log && !reproduction->log)
            reproduction->log = strdup(log);
        if (failed)
            return NULL;
        reproduction->built = true;
        if (!conversation->for_binary)
            return clopt_request_simple("verify", 0);
        conversation->step = SAVED;
        return json_pack("{s:s,s:i,s:s}", "op", "save", "id", 0, "path", options->binary);
    case VERIFIED:
        reproduction->verdict = json_deep_copy(answer);
        return failed ? NULL : request_samples(options->measure);
    case SAMPLED:
        reproduction->samples = json_deep_copy(answer);
        return NULL;
    default:
        return NULL;
    }
}

static json_t *next(struct clopt_task *task, const json_t *answer)
{
    struct conversation *conversation = (struct conversation *)task;
    struct clopt_error cause = {0};
    end_stage(conversation);
    if (conversation->step == MAKE) {
        conversation->step = MADE;
        return json_pack("{s:s,s:i,s:O}", "op", "make", "id", 0, "trial",
                         conversation->options->trial);
    }
    bool failed = clopt_message_get_error(answer, &cause) != CLOPT_OK;
    json_t *request = take_answer(conversation, answer, failed);
    if (failed)
        return give_up(conversation, &cause, conversation->stage);
    return request ? request : finish(conversation);
}

static void died(struct clopt_task *task, const struct clopt_error *error, enum clopt_stage stage,
                 int signal_number)
{
    struct conversation *conversation = (struct conversation *)task;
    (void)signal_number; /* the message tells it */
    end_stage(conversation);
    conversation->over = true;
    if (stage == CLOPT_STAGE_OPEN)
        *conversation->failure = *error;
    else
        give_up(conversation, error, stage);
}

/* Finds the device among those that are there now: exactly the one that the store names. */
static enum clopt_status find_device(struct clopt_loop *loop,
                                     const struct clopt_reproduce_options *options,
                                     struct clopt_loop_device *device, struct clopt_error *error)
{
    struct clopt_device_info *all = NULL;
    size_t count = 0;
    enum clopt_status status = clopt_loop_list_devices(loop, &all, &count, error);
    if (status)
        return status;
    status =
        clopt_fail(error, CLOPT_DEVICE_LOST,
                   "%s / %s: the trial's device is not here; `clopt devices` lists those that are",
                   options->platform, options->device);
    for (size_t i = 0; i < count && status; i++)
        if (strcmp(all[i].platform, options->platform) == 0 &&
            strcmp(all[i].name, options->device) == 0) {
            *device = (struct clopt_loop_device){all[i], clopt_device_ordinal(all, i), NULL};
            status = CLOPT_OK;
        }
    free(all);
    return status;
}

/* Holds a conversation with a new worker, until it is over. */
static enum clopt_status converse(struct clopt_loop *loop, struct conversation *conversation,
                                  struct clopt_error *error)
{
    struct clopt_error failure = {0};
    conversation->task = (struct clopt_task){.next = next, .died = died, .fresh = true};
    conversation->failure = &failure;
    loop->settings.begins = begin_stage;
    loop->settings.user = conversation;
    enum clopt_status status =
        clopt_loop_begin(loop, &loop->seats[0], 0, &conversation->task, error);
    while (!status && !conversation->over)
        status = clopt_loop_turn(loop, TURN_MS, error);
    if (!status && failure.status) {
        *error = failure;
        status = failure.status;
    }
    return status;
}

enum clopt_status clopt_reproduce(const struct clopt_reproduce_options *options,
                                  struct clopt_reproduction *reproduction,
                                  struct clopt_error *error)
{
    *reproduction = (struct clopt_reproduction){0};
    struct clopt_loop loop;
    struct clopt_loop_device device;
    enum clopt_status status =
        clopt_loop_init(&loop, &options->settings, options->limits, 1, error);
    if (status)
        return status;
    status = find_device(&loop, options, &device, error);
    if (!status) {
        reproduction->device = device.info;
        loop.devices = &device;
        struct conversation conversation = {.options = options, .reproduction = reproduction};
        status = converse(&loop, &conversation, error);
    }
    if (!status && reproduction->built) {
        struct conversation conversation = {
            .options = options, .reproduction = reproduction, .for_binary = true};
        struct clopt_error late = {0};
        if (converse(&loop, &conversation, &late))
            reproduction->no_binary = late;
    }
    clopt_loop_fini(&loop);
    if (status)
        clopt_reproduction_fini(reproduction);
    return status;
}

void clopt_reproduction_fini(struct clopt_reproduction *reproduction)
{
    json_decref(reproduction->variant);
    json_decref(reproduction->verdict);
    json_decref(reproduction->samples);
    free(reproduction->log);
    *reproduction = (struct clopt_reproduction){0};
}
