/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides with which problems trials are checked and counted, unless the store has the answers. */
#include "race/race.h"

bool clopt_race_lacks_counters(const struct clopt_race *race,
                               const struct clopt_candidate *candidate)
{
    const struct clopt_run *run = race->run;
    bool has = false;
    if (!run->study->measure.counters || candidate->role > CLOPT_ROLE_INITIAL)
        return false;
    if (candidate->row.id)
        clopt_store_has_counters(run->store, candidate->row.id,
                                 run->counts ? run->study->measure.counter->name : "driver", &has,
                                 run->failure);
    return !has;
}

size_t clopt_race_find_problem(const struct clopt_race *race,
                               const struct clopt_candidate *candidate)
{
    struct clopt_trial trial = candidate->trial; /* borrows from it */
    size_t problem = race->where.problem;
    double least = clopt_inputs_size(trial.inputs);
    for (size_t i = 0; i < race->app->problem_count; i++) {
        trial.inputs = race->app->problems[i];
        double size = clopt_inputs_size(trial.inputs);
        if (size >= least || clopt_variant_check(&trial, &race->device->info, NULL) != CLOPT_OK)
            continue;
        least = size;
        problem = i;
    }
    return problem;
}

bool clopt_race_plan_check(const struct clopt_race *race, struct clopt_candidate *candidate,
                           bool own)
{
    const struct clopt_run *run = race->run;
    const struct clopt_measure *measure = &run->study->measure;
    CLOPT_OWNED(clopt_store_trial) row = {0};
    struct clopt_trial trial = candidate->trial; /* borrows from it */
    if (!measure->verifies || candidate->role > CLOPT_ROLE_INITIAL)
        return false;
    candidate->checks.problem =
        own ? race->where.problem : clopt_race_find_problem(race, candidate);
    trial.inputs = race->app->problems[candidate->checks.problem];
    if (clopt_trial_key(&trial, &race->source, &race->device->info, run->files,
                        candidate->checks.key, run->failure))
        return false;
    CLOPT_FREED char *salt = clopt_text_format("checked by clopt %s", measure->verifier);
    clopt_sha256_salt(salt, candidate->checks.key);
    clopt_store_find_trial(run->store, candidate->checks.key, &row, run->failure);
    return !row.complete && !run->failure->status;
}

void clopt_race_pass_check(const struct clopt_race *race, const struct clopt_candidate *candidate)
{
    const struct clopt_run *run = race->run;
    struct clopt_store_trial row = {.device = race->device_row,
                                    .problem = race->problem_row,
                                    .outcome = CLOPT_OUTCOME_OK,
                                    .complete = true,
                                    .verdict.right = true};
    CLOPT_OWNED(clopt_store_trial) known = {0}; /* another candidate may be the same trial */
    memcpy(row.key, candidate->checks.key, sizeof row.key);
    if (!clopt_store_find_trial(run->store, row.key, &known, run->failure) && !known.id)
        clopt_store_put_trial(run->store, &row, run->failure);
}
