/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides with which problems trials are checked, and counted under Oclgrind, and whether the store
 * knows the answers. */
#include <math.h>

#include "race/race.h"

#define SMALLEST_SIZE 64  /* integers below are degrees, indices and the like, not sizes */
#define MOST_WORK     4e6 /* operations that are counted in seconds */
#define ITEM_WORK     32  /* of a work-item, where no more is known of it */

bool clopt_inputs_halve(struct clopt_values *inputs, const struct clopt_parameter *parameters,
                        bool odd)
{
    bool changed = false;
    for (size_t i = 0; i < inputs->count; i++) {
        struct clopt_value *value = &inputs->items[i];
        if (value->type == CLOPT_FILE && value->text)
            return false; /* the size is the file's */
        if (value->type != CLOPT_INTEGER || !value->text || value->integer < SMALLEST_SIZE)
            continue;
        char text[32];
        long long half = (long long)value->integer / 2;
        snprintf(text, sizeof text, "%lld", odd ? (half - 1) | 1 : half);
        changed |= clopt_values_set(inputs, &parameters[i], text, NULL) == CLOPT_OK;
    }
    return changed;
}

/* ---- counts ---- */

/* Says how much the initial code does with some inputs; infinite where they cannot go together. */
static double estimate_work(const struct clopt_race *race, const struct clopt_trial *initial,
                            struct clopt_values *inputs)
{
    double sum = 0;
    struct clopt_trial trial = *initial;
    CLOPT_HELD(clopt_values) knobs = NULL;
    trial.inputs = inputs;
    if (clopt_trial_knobs(&trial, &knobs, NULL))
        return INFINITY;
    for (size_t k = 0; k < race->kernel_count; k++) {
        struct clopt_kernel_work work;
        if (clopt_trial_describe(&trial, knobs, &race->kernels[k], &work, NULL))
            return INFINITY;
        double items = ITEM_WORK;
        for (unsigned d = 0; d < work.ndrange.dimensions; d++)
            items *= (double)work.ndrange.global[d];
        sum += fmax(items, work.operations + work.bytes / 4);
    }
    return sum;
}

/* The same with half the inputs; infinite where they cannot be halved, or are too little. */
static double halve(const struct clopt_race *race, const struct clopt_trial *initial,
                    struct clopt_values *inputs)
{
    const struct clopt_run *run = race->run;
    struct clopt_trial trial = *initial;
    trial.inputs = inputs;
    return clopt_inputs_halve(inputs, race->app->entry->extension->app->inputs, false) &&
                   clopt_variant_check(&trial, &run->devices[run->study->device_count + 1].info,
                                       NULL) == CLOPT_OK
               ? estimate_work(race, initial, inputs)
               : INFINITY;
}

void clopt_race_plan_counts(struct clopt_race *race)
{
    const struct clopt_run *run = race->run;
    const struct clopt_values *best = NULL;
    CLOPT_OWNED(clopt_trial) initial = {0};
    double least = INFINITY;
    if (clopt_space_trial(run->study, race->number, 0, &initial, run->failure))
        return;
    for (size_t i = 0; i < race->app->problem_count; i++) {
        double work = estimate_work(race, &initial, race->app->problems[i]);
        if (i && work >= least)
            continue;
        least = work;
        best = race->app->problems[i];
    }
    struct clopt_values *inputs = clopt_values_copy(best);
    while (least > MOST_WORK) {
        struct clopt_values *half = clopt_values_copy(inputs);
        double work = halve(race, &initial, half);
        bool smaller = work < least;
        clopt_values_destroy(smaller ? inputs : half);
        if (!smaller)
            break;
        inputs = half;
        least = work;
    }
    CLOPT_FREED char *label = clopt_inputs_label(race->app->entry, inputs);
    snprintf(race->count_source, sizeof race->count_source, "oclgrind%s%s", *label ? " " : "",
             label);
    race->count_inputs = inputs;
}

bool clopt_race_lacks_counters(const struct clopt_race *race,
                               const struct clopt_candidate *candidate)
{
    const struct clopt_run *run = race->run;
    bool has = false;
    if (!run->study->measure.counters || candidate->role > CLOPT_ROLE_INITIAL)
        return false;
    if (candidate->row.id)
        clopt_store_has_counters(run->store, candidate->row.id,
                                 run->counts ? race->count_source : "driver", &has, run->failure);
    return !has;
}

/* ---- checks ---- */

/* Finds the smallest problem at which a trial is feasible; its own is one. */
static size_t find_problem(const struct clopt_race *race, struct clopt_trial trial,
                           const struct clopt_device_info *device)
{
    size_t problem = race->where.problem;
    double least = clopt_inputs_size(trial.inputs);
    for (size_t i = 0; i < race->app->problem_count; i++) {
        trial.inputs = race->app->problems[i];
        double size = clopt_inputs_size(trial.inputs);
        if (size >= least || clopt_variant_check(&trial, device, NULL) != CLOPT_OK)
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
    enum clopt_verification verify = run->study->measure.verify;
    const struct clopt_device_info *device = verify == CLOPT_VERIFY_OBSERVER
                                                 ? &race->device->info
                                                 : &run->devices[run->study->device_count].info;
    CLOPT_OWNED(clopt_store_trial) row = {0};
    struct clopt_trial trial = candidate->trial; /* borrows from it */
    if (verify == CLOPT_VERIFY_RESULTS || candidate->role > CLOPT_ROLE_INITIAL)
        return false;
    candidate->checks.problem = own ? race->where.problem : find_problem(race, trial, device);
    trial.inputs = race->app->problems[candidate->checks.problem];
    if (clopt_trial_key(&trial, &race->source, device, run->files, candidate->checks.key,
                        run->failure))
        return false;
    CLOPT_FREED char *salt =
        verify == CLOPT_VERIFY_OCLGRIND
            ? clopt_strdup("checked by Oclgrind")
            : clopt_text_format("checked by clopt %s", run->study->measure.verifier);
    clopt_sha256_salt(salt, candidate->checks.key);
    clopt_store_find_trial(run->store, candidate->checks.key, &row, run->failure);
    bool passed = row.complete;
    return !passed && !run->failure->status;
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
