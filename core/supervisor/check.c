/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs one contender under Oclgrind before it may touch a device. */
#include <stdlib.h>

#include "supervisor/tasks.h"

enum { MAKE, MADE, BUILT, VERIFIED, DROPPED };

static const enum clopt_stage stages[] = {
    [MADE] = CLOPT_STAGE_MAKE, [BUILT] = CLOPT_STAGE_BUILD, [VERIFIED] = CLOPT_STAGE_VERIFY};

/* The contender is checked, or done with: the task may get another one. */
static json_t *finish(struct clopt_check *check)
{
    check->contender = NULL;
    return NULL;
}

static void note_failure(struct clopt_check *check, const struct clopt_error *failure)
{
    if (failure->status)
        *check->context->error = *failure;
}

/* Ends the contender: it is never prepared. */
static void condemn(struct clopt_check *check, const struct clopt_error *cause,
                    enum clopt_stage stage, int signal_number)
{
    struct clopt_error error = *cause;
    char *label = clopt_inputs_label(check->trial.app, check->trial.inputs);
    clopt_fail_within(&error, "under Oclgrind%s%s", label && *label ? " with " : "",
                      label ? label : "");
    free(label);
    clopt_task_fail_contender(check->context, check->contender, &error, stage, signal_number);
    check->contender->prepared = true;
}

static bool has_own_problem(const struct clopt_check *check)
{
    return check->contender->check_problem ==
           clopt_space_group(check->group->study, check->group->number).problem;
}

/* Begins again with the contender's own problem. */
static json_t *use_own_problem(struct clopt_check *check)
{
    struct clopt_error failure = {0};
    clopt_trial_fini(&check->trial);
    if (!clopt_contender_plan_check(check->contender, check->group, check->groups, true, &failure))
        clopt_contender_check_trial(check->contender, check->group, &check->trial, &failure);
    note_failure(check, &failure);
    if (failure.status || !check->contender->to_check)
        return finish(check);
    check->step = MADE;
    return clopt_request_make(0, &check->trial, NULL);
}

static json_t *fail(struct clopt_check *check, const struct clopt_error *cause)
{
    if (cause->status == CLOPT_INFEASIBLE && !has_own_problem(check))
        return use_own_problem(check);
    /* Oclgrind's log has to be empty for the next contender. */
    check->task.spoiled = check->step == VERIFIED || clopt_failure_spoils(cause->status);
    condemn(check, cause, clopt_task_stage(&check->task, stages[check->step]), 0);
    if (check->step == MADE || check->task.spoiled)
        return finish(check);
    check->step = DROPPED;
    return clopt_request_simple("drop", 0);
}

static json_t *next(struct clopt_task *task, const json_t *answer)
{
    struct clopt_check *check = (struct clopt_check *)task;
    struct clopt_error cause = {0};
    if (check->step != MAKE && check->step != DROPPED && clopt_message_get_error(answer, &cause))
        return fail(check, &cause);
    switch (check->step) {
    case MAKE:
        check->step = MADE;
        return clopt_request_make(0, &check->trial, NULL);
    case MADE:
        check->step = BUILT;
        return clopt_request_simple("build", 0);
    case BUILT:
        check->step = VERIFIED;
        return clopt_request_simple("verify", 0);
    case VERIFIED:
        clopt_contender_pass_check(check->contender, check->group, check->context->store, &cause);
        note_failure(check, &cause);
        check->step = DROPPED;
        return clopt_request_simple("drop", 0);
    default:
        return finish(check);
    }
}

static void died(struct clopt_task *task, const struct clopt_error *error, enum clopt_stage stage,
                 int signal_number)
{
    struct clopt_check *check = (struct clopt_check *)task;
    if (!clopt_contender_excuses_death(check->contender, stage, error, signal_number))
        condemn(check, error, stage, signal_number);
    finish(check);
}

enum clopt_status clopt_check_init(struct clopt_check *check,
                                   const struct clopt_task_context *context,
                                   const struct clopt_group_context *groups,
                                   struct clopt_group *group, struct clopt_contender *contender,
                                   struct clopt_error *error)
{
    clopt_check_fini(check);
    *check = (struct clopt_check){.task = {.next = next, .died = died, .untimed = true},
                                  .context = context,
                                  .groups = groups,
                                  .group = group,
                                  .contender = contender};
    return clopt_contender_check_trial(contender, group, &check->trial, error);
}

void clopt_check_fini(struct clopt_check *check)
{
    clopt_trial_fini(&check->trial);
}
