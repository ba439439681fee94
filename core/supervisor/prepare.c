/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds one contender ahead of its measurement. */
#include "supervisor/tasks.h"

#include <stdlib.h>

#include "base/text.h"

enum { MAKE, MADE, BUILT, VERIFIED, DROPPED };

static const enum clopt_stage stages[] = {
    [MADE] = CLOPT_STAGE_MAKE, [BUILT] = CLOPT_STAGE_BUILD, [VERIFIED] = CLOPT_STAGE_VERIFY};

/* The contender is done with: the task may get another one. */
static json_t *finish(struct clopt_prepare *prepare)
{
    prepare->contender->prepared = true;
    prepare->contender = NULL;
    return NULL;
}

static json_t *fail(struct clopt_prepare *prepare, const struct clopt_error *cause)
{
    prepare->task.spoiled = clopt_failure_spoils(cause->status);
    clopt_task_fail_contender(prepare->context, prepare->contender, cause,
                              clopt_task_stage(&prepare->task, stages[prepare->step]), 0);
    if (prepare->step == MADE || prepare->task.spoiled)
        return finish(prepare);
    prepare->step = DROPPED;
    return clopt_request_simple("drop", 0);
}

/* Writes what is known of the contender by now. */
static void keep(struct clopt_prepare *prepare)
{
    struct clopt_error error = {0};
    if (clopt_store_put_trial(prepare->context->store, &prepare->contender->row, &error))
        *prepare->context->error = error;
}

/* Whether the contender, now that it is made, turns out to be the same as another one. */
static bool is_alias(struct clopt_prepare *prepare)
{
    struct clopt_error error = {0};
    if (clopt_batch_find_alias(prepare->batch, prepare->context->store, prepare->contender, &error))
        *prepare->context->error = error;
    return prepare->contender->is_alias;
}

/* Asks for the variant, and with the initial code for how its kernels access memory. */
static json_t *request_make(const struct clopt_contender *contender)
{
    json_t *request = clopt_request_make(0, &contender->trial, contender->variant);
    if (contender->is_initial && !contender->variant)
        json_object_set_new(request, "patterns", json_true());
    return request;
}

/* Writes how the kernels access memory. */
static void keep_patterns(struct clopt_prepare *prepare, const json_t *answer)
{
    const char *kernel;
    json_t *patterns;
    json_object_foreach(json_object_get(answer, "patterns"), kernel, patterns)
    {
        struct clopt_error error = {0};
        char *text = json_dumps(patterns, JSON_COMPACT | JSON_ENCODE_ANY);
        if (!text)
            clopt_fail_memory(&error);
        else
            clopt_store_put_patterns(prepare->context->store, prepare->contender->row.problem,
                                     kernel, text, &error);
        if (error.status)
            *prepare->context->error = error;
        free(text);
    }
}

static json_t *next(struct clopt_task *task, const json_t *answer)
{
    struct clopt_prepare *prepare = (struct clopt_prepare *)task;
    struct clopt_contender *contender = prepare->contender;
    struct clopt_error cause = {0};
    switch (prepare->step) {
    case MAKE:
        prepare->step = MADE;
        return request_make(contender);
    case MADE:
        if (clopt_take_make(contender, answer, &cause))
            return fail(prepare, &cause);
        keep_patterns(prepare, answer);
        if (is_alias(prepare))
            break;
        prepare->step = BUILT;
        return json_pack("{s:s,s:i,s:b}", "op", "build", "id", 0, "unless_launched", 1);
    case BUILT:
        if (clopt_take_build(contender, answer, &cause))
            return fail(prepare, &cause);
        /* What was launched before is built and verified when it is measured. */
        if (prepare->verify && !json_is_true(json_object_get(answer, "launched"))) {
            prepare->step = VERIFIED;
            return clopt_request_simple("verify", 0);
        }
        break;
    case VERIFIED:
        if (clopt_take_verify(contender, answer, &cause))
            return fail(prepare, &cause);
        break;
    default:
        return finish(prepare);
    }
    if (!contender->is_alias)
        keep(prepare);
    prepare->step = DROPPED;
    return clopt_request_simple("drop", 0);
}

static void died(struct clopt_task *task, const struct clopt_error *error, enum clopt_stage stage,
                 int signal_number)
{
    struct clopt_prepare *prepare = (struct clopt_prepare *)task;
    if (!clopt_contender_excuses_death(prepare->contender, stage, error, signal_number)) {
        clopt_task_fail_contender(prepare->context, prepare->contender, error, stage,
                                  signal_number);
        finish(prepare);
    }
    prepare->contender = NULL; /* not prepared: it will be given to a worker again */
}

void clopt_prepare_init(struct clopt_prepare *prepare, const struct clopt_task_context *context,
                        struct clopt_batch *batch, struct clopt_contender *contender, bool verify)
{
    *prepare = (struct clopt_prepare){.task = {.next = next, .died = died, .untimed = true},
                                      .context = context,
                                      .batch = batch,
                                      .contender = contender,
                                      .verify = verify};
}
