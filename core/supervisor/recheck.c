/* SPDX-License-Identifier: BSD-3-Clause */
/* Verifies finalists once more, with another seed or with another, odd size: who is right for one
 * input only must not win. */
#include "supervisor/tasks.h"

#include <stdlib.h>

#include "base/text.h"

enum { MAKE, MADE, BUILT, VERIFIED, DROPPED };

#define OTHER_SEEDS   (CLOPT_RECHECKS - 1) /* the last of the problems has an odd size */
#define SMALLEST_SIZE 64 /* integers below are degrees, indices and the like, not sizes */

/* Changes every input that looks like a size to an odd one about half as large. */
static bool make_odd(struct clopt_values *inputs, const struct clopt_parameter *parameters)
{
    bool changed = false;
    for (size_t i = 0; i < inputs->count; i++) {
        struct clopt_value *value = &inputs->items[i];
        if (value->type == CLOPT_FILE && value->text)
            return false; /* the size is the file's */
        if (value->type != CLOPT_INTEGER || !value->text || value->integer < SMALLEST_SIZE)
            continue;
        char text[32];
        snprintf(text, sizeof text, "%lld", (long long)(value->integer / 2 - 1) | 1);
        changed |= clopt_values_set(inputs, &parameters[i], text, NULL) == CLOPT_OK;
    }
    return changed;
}

/* The contender at hand: the initial code, or one of the batch. */
static struct clopt_contender *current(const struct clopt_recheck *recheck)
{
    return recheck->contender == 0 ? &recheck->batch->group->initial
                                   : &recheck->batch->items[recheck->contender - 1];
}

/* Copies a contender's trial with the other problem; false where there is no such problem. */
static bool make_trial(struct clopt_recheck *recheck)
{
    const struct clopt_trial *from = &current(recheck)->trial;
    clopt_trial_fini(&recheck->trial);
    struct clopt_trial *trial = &recheck->trial;
    bool good = clopt_trial_copy(from, trial, NULL) == CLOPT_OK;
    if (recheck->problem < OTHER_SEEDS)
        trial->seed += recheck->problem + 1;
    else
        good = good && make_odd(trial->inputs, clopt_entry_app(trial->app)->inputs);
    return good;
}

/* Whether the contender at hand still takes part. */
static bool takes_part(const struct clopt_recheck *recheck)
{
    if (recheck->contender == 0)
        return true;
    const struct clopt_store_trial *row = &current(recheck)->row;
    return row->outcome == CLOPT_OUTCOME_OK;
}

static json_t *end(struct clopt_recheck *recheck)
{
    recheck->active = false;
    recheck->over = true;
    return NULL;
}

/* What is made of the contender for another seed is what was made of it before. */
static bool is_same_variant(const struct clopt_recheck *recheck)
{
    return recheck->problem < OTHER_SEEDS;
}

/* Requests the contender at hand, or the next one that can be; NULL after the last one. */
static json_t *request(struct clopt_recheck *recheck)
{
    for (; recheck->contender <= recheck->batch->count; recheck->contender++) {
        if (!takes_part(recheck))
            continue;
        if (!make_trial(recheck))
            break;
        recheck->step = MADE;
        return clopt_request_make(0, &recheck->trial,
                                  is_same_variant(recheck) ? current(recheck)->variant : NULL);
    }
    return end(recheck);
}

static enum clopt_status take_make(struct clopt_recheck *recheck, const json_t *answer,
                                   struct clopt_error *error)
{
    if (is_same_variant(recheck))
        return clopt_take_make(current(recheck), answer, error);
    return clopt_message_get_error(answer, error);
}

/* Says in words which problem it was. */
static void name_problem(const struct clopt_recheck *recheck, struct clopt_error *cause)
{
    char *label = clopt_inputs_label(recheck->trial.app, recheck->trial.inputs);
    clopt_fail_within(cause, "right for this problem, but with %s and seed %llu",
                      label ? label : "other inputs", (unsigned long long)recheck->trial.seed);
    free(label);
}

/* The contender at hand failed. Where it is the initial code, the problem is to blame, and nobody
 * is checked with it. */
static void fail(struct clopt_recheck *recheck, struct clopt_error *cause, enum clopt_stage stage,
                 int signal_number)
{
    if (recheck->contender == 0) {
        end(recheck);
        return;
    }
    name_problem(recheck, cause);
    if (takes_part(recheck)) /* it may have failed with another problem meanwhile */
        clopt_task_fail_contender(recheck->context, current(recheck), cause, stage, signal_number);
    recheck->contender++;
}

static json_t *go_on_without(struct clopt_recheck *recheck, struct clopt_error *cause,
                             enum clopt_stage stage)
{
    bool spoils = clopt_failure_spoils(cause->status);
    fail(recheck, cause, stage, 0);
    if (!spoils && !recheck->over)
        return request(recheck);
    recheck->task.spoiled = spoils;
    recheck->active = false; /* to be begun again, from here, in another worker */
    return NULL;
}

static json_t *next(struct clopt_task *task, const json_t *answer)
{
    struct clopt_recheck *recheck = (struct clopt_recheck *)task;
    struct clopt_error cause = {0};
    switch (recheck->step) {
    case MAKE:
        return request(recheck);
    case MADE:
        if (take_make(recheck, answer, &cause))
            return go_on_without(recheck, &cause, CLOPT_STAGE_MAKE);
        recheck->step = BUILT;
        return clopt_request_simple("build", 0);
    case BUILT:
        if (clopt_message_get_error(answer, &cause))
            return go_on_without(recheck, &cause, CLOPT_STAGE_BUILD);
        recheck->step = VERIFIED;
        return clopt_request_simple("verify", 0);
    case VERIFIED:
        if (clopt_message_get_error(answer, &cause))
            return go_on_without(recheck, &cause, CLOPT_STAGE_VERIFY);
        recheck->step = DROPPED;
        return clopt_request_simple("drop", 0);
    default:
        recheck->contender++;
        return request(recheck);
    }
}

static void died(struct clopt_task *task, const struct clopt_error *error, enum clopt_stage stage,
                 int signal_number)
{
    struct clopt_recheck *recheck = (struct clopt_recheck *)task;
    struct clopt_error cause = *error;
    if (!clopt_contender_excuses_death(current(recheck), stage, error, signal_number))
        fail(recheck, &cause, stage, signal_number);
    recheck->active = false;
}

void clopt_recheck_init(struct clopt_recheck *recheck, const struct clopt_task_context *context,
                        struct clopt_batch *batch, size_t problem)
{
    *recheck = (struct clopt_recheck){.task = {.next = next, .died = died, .untimed = true},
                                      .context = context,
                                      .batch = batch,
                                      .problem = problem};
}

void clopt_recheck_resume(struct clopt_recheck *recheck)
{
    recheck->step = MAKE;
    recheck->task.spoiled = false;
    recheck->active = true;
}

void clopt_recheck_fini(struct clopt_recheck *recheck)
{
    clopt_trial_fini(&recheck->trial);
}
