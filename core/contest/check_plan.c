/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides which trials are run under Oclgrind, and remembers those that have passed. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "contest/contest.h"

static const char salt[] = "checked by Oclgrind";

/* How large a problem is: the product of its inputs, or rather the logarithm of that. */
static double size_of(const struct clopt_values *inputs)
{
    double size = 0;
    for (size_t i = 0; i < inputs->count; i++)
        if (inputs->items[i].type == CLOPT_INTEGER && inputs->items[i].text)
            size += log(1 + fabs((double)inputs->items[i].integer));
    return size;
}

/* A contender's trial with one of the app's problems; it borrows from both. */
static struct clopt_trial with_problem(const struct clopt_contest *contest,
                                       const struct clopt_contender *contender, size_t problem)
{
    struct clopt_trial trial = contender->trial;
    trial.inputs = contest->app->problems[problem];
    return trial;
}

enum clopt_status clopt_contest_check_trial(const struct clopt_contest *contest,
                                            const struct clopt_contender *contender,
                                            struct clopt_trial *trial, struct clopt_error *error)
{
    struct clopt_trial other = with_problem(contest, contender, contender->check_problem);
    return clopt_trial_copy(&other, trial, error);
}

/* Finds the smallest problem at which the contender is feasible; its own is one. */
static size_t find_problem(const struct clopt_contender *contender,
                           const struct clopt_contest *contest,
                           const struct clopt_device_info *device)
{
    size_t problem = contest->where.problem;
    double least = size_of(contender->trial.inputs);
    for (size_t i = 0; i < contest->app->problem_count; i++) {
        struct clopt_trial trial = with_problem(contest, contender, i);
        double size = size_of(trial.inputs);
        if (size >= least || clopt_variant_check(&trial, device, NULL) != CLOPT_OK)
            continue;
        least = size;
        problem = i;
    }
    return problem;
}

/* Computes under which key the store knows that the check was passed. */
static enum clopt_status make_key(const struct clopt_contest *contest,
                                  struct clopt_contender *contender, struct clopt_error *error)
{
    const struct clopt_run *run = contest->run;
    struct clopt_trial trial = with_problem(contest, contender, contender->check_problem);
    enum clopt_status status =
        clopt_trial_key(&trial, &contest->source, &run->devices[run->study->device_count].info,
                        run->files, contender->check_key, error);
    if (!status)
        clopt_sha256_salt(salt, contender->check_key);
    return status;
}

enum clopt_status clopt_contest_plan_check(const struct clopt_contest *contest,
                                           struct clopt_contender *contender, bool own,
                                           bool *needed, struct clopt_error *error)
{
    const struct clopt_run *run = contest->run;
    struct clopt_store_trial row = {0};
    *needed = false;
    if (!run->study->measure.verify_oclgrind || contender->role > CLOPT_ROLE_INITIAL)
        return CLOPT_OK;
    contender->check_problem =
        own ? contest->where.problem
            : find_problem(contender, contest, &run->devices[run->study->device_count].info);
    enum clopt_status status = make_key(contest, contender, error);
    if (!status)
        status = clopt_store_find_trial(run->store, contender->check_key, &row, error);
    *needed = !row.complete;
    clopt_store_trial_fini(&row);
    return status;
}

enum clopt_status clopt_contest_pass_check(const struct clopt_contest *contest,
                                           struct clopt_contender *contender,
                                           struct clopt_error *error)
{
    struct clopt_store *store = contest->run->store;
    struct clopt_store_trial row = {.device = contest->device_row,
                                    .problem = contest->problem_row,
                                    .outcome = CLOPT_OUTCOME_OK,
                                    .complete = true,
                                    .verified = true};
    memcpy(row.key, contender->check_key, sizeof row.key);
    struct clopt_store_trial known = {0}; /* another contender may be the same trial */
    enum clopt_status status = clopt_store_find_trial(store, row.key, &known, error);
    if (!status && !known.id)
        status = clopt_store_put_trial(store, &row, error);
    clopt_store_trial_fini(&known);
    return status;
}
