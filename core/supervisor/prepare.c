/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds one contender ahead of its measurement. */
#include "supervisor/tasks.h"

#include <stdlib.h>

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

static json_t *next(struct clopt_task *task, const json_t *answer)
{
    struct clopt_prepare *prepare = (struct clopt_prepare *)task;
    struct clopt_contender *contender = prepare->contender;
    struct clopt_error cause = {0};
    switch (prepare->step) {
    case MAKE:
        prepare->step = MADE;
        return clopt_request_make(0, &contender->trial, contender->variant);
    case MADE:
        if (clopt_take_make(contender, answer, &cause))
            return fail(prepare, &cause);
        if (is_alias(prepare))
            break;
        prepare->step = BUILT;
        return clopt_request_build(0, prepare->context, contender->row.key);
    case BUILT:
        if (clopt_take_build(contender, answer, &cause))
            return fail(prepare, &cause);
        if (prepare->verify) {
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
    if (!clopt_contender_excuses_death(prepare->contender, stage, error)) {
        clopt_task_fail_contender(prepare->context, prepare->contender, error, stage,
                                  signal_number);
        finish(prepare);
    }
    prepare->contender = NULL; /* not prepared: it will be given to a worker again */
}

void clopt_prepare_init(struct clopt_prepare *prepare, struct clopt_task_context *context,
                        struct clopt_batch *batch, struct clopt_contender *contender, bool verify)
{
    *prepare = (struct clopt_prepare){.task = {.next = next, .died = died},
                                      .context = context,
                                      .batch = batch,
                                      .contender = contender,
                                      .verify = verify};
}
