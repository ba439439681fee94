/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides with which problem Oclgrind counts what variants execute, and keeps what is counted. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "contest/contest.h"

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

/* Says how much the initial code does with the inputs of a trial; infinite where they cannot go
 * together. */
static double estimate_work(const struct clopt_contest *contest, const struct clopt_trial *trial)
{
    double sum = 0;
    struct clopt_values *knobs;
    if (clopt_trial_knobs(trial, &knobs, NULL))
        return INFINITY;
    for (size_t k = 0; k < contest->kernel_count; k++) {
        struct clopt_kernel_work work;
        if (clopt_trial_describe(trial, knobs, &contest->kernels[k], &work, NULL)) {
            sum = INFINITY;
            break;
        }
        double items = ITEM_WORK;
        for (unsigned d = 0; d < work.ndrange.dimensions; d++)
            items *= (double)work.ndrange.global[d];
        sum += fmax(items, work.operations + work.bytes / 4);
    }
    clopt_values_destroy(knobs);
    return sum;
}

/* Finds the app's problem that is the least work. */
static enum clopt_status find_least(const struct clopt_contest *contest, struct clopt_trial *trial,
                                    double *least, struct clopt_error *error)
{
    struct clopt_values *own = trial->inputs, *best = own;
    for (size_t i = 0; i < contest->app->problem_count; i++) {
        trial->inputs = contest->app->problems[i];
        double work = estimate_work(contest, trial);
        if (i == 0 || work < *least) {
            *least = work;
            best = trial->inputs;
        }
    }
    trial->inputs = clopt_values_copy(best);
    clopt_values_destroy(own);
    return trial->inputs ? CLOPT_OK : clopt_fail_memory(error);
}

/* Halves the sizes of a trial's problem as long as it is too much work. */
static enum clopt_status shrink(const struct clopt_contest *contest, struct clopt_trial *trial,
                                double work, struct clopt_error *error)
{
    const struct clopt_run *run = contest->run;
    const struct clopt_device_info *device = &run->devices[run->study->device_count + 1].info;
    const struct clopt_parameter *parameters = clopt_entry_app(contest->app->entry)->inputs;
    while (work > MOST_WORK) {
        struct clopt_values *large = trial->inputs;
        trial->inputs = clopt_values_copy(large);
        if (!trial->inputs) {
            trial->inputs = large;
            return clopt_fail_memory(error);
        }
        double less = clopt_inputs_halve(trial->inputs, parameters, false) &&
                              clopt_variant_check(trial, device, NULL) == CLOPT_OK
                          ? estimate_work(contest, trial)
                          : INFINITY;
        bool smaller = less < work;
        clopt_values_destroy(smaller ? large : trial->inputs);
        if (!smaller) {
            trial->inputs = large;
            break;
        }
        work = less;
    }
    return CLOPT_OK;
}

enum clopt_status clopt_contest_plan_counts(struct clopt_contest *contest,
                                            struct clopt_error *error)
{
    struct clopt_trial trial = {0};
    double work = 0;
    enum clopt_status status =
        clopt_space_trial(contest->run->study, contest->number, 0, &trial, error);
    if (!status)
        status = find_least(contest, &trial, &work, error);
    if (!status)
        status = shrink(contest, &trial, work, error);
    char *label = status ? NULL : clopt_inputs_label(contest->app->entry, trial.inputs);
    if (!status && !label)
        status = clopt_fail_memory(error);
    if (!status) {
        snprintf(contest->count_source, sizeof contest->count_source, "oclgrind%s%s",
                 *label ? " " : "", label);
        contest->count_inputs = trial.inputs;
        trial.inputs = NULL;
    }
    free(label);
    clopt_trial_fini(&trial);
    return status;
}

enum clopt_status clopt_contest_lacks_counters(const struct clopt_contest *contest,
                                               const struct clopt_contender *contender, bool *lacks,
                                               struct clopt_error *error)
{
    bool has = false;
    enum clopt_status status = CLOPT_OK;
    bool wanted = contest->run->study->measure.counters && contender->role <= CLOPT_ROLE_INITIAL;
    if (wanted && contender->row.id)
        status = clopt_store_has_counters(contest->run->store, contender->row.id,
                                          contest->run->counts ? contest->count_source : "driver",
                                          &has, error);
    *lacks = wanted && !has;
    return status;
}

json_t *clopt_contest_count_request(const struct clopt_contest *contest,
                                    const struct clopt_contender *contender)
{
    struct clopt_trial trial = contender->trial; /* for this request alone */
    trial.inputs = contest->count_inputs;
    json_t *request = clopt_contest_request(0, &trial, NULL, CLOPT_STAGE_BUILD);
    json_object_set_new(request, "instructions", json_true());
    json_object_set_new(request, "drop", json_true());
    return request;
}

void clopt_contest_put_counters(const struct clopt_contest *contest,
                                const struct clopt_contender *contender, const json_t *answer)
{
    size_t i;
    json_t *item;
    json_array_foreach(json_object_get(answer, "counters"), i, item)
    {
        struct clopt_store_counter counter;
        if (json_unpack(item, "[s,s,F,s,s]", &counter.kernel, &counter.name, &counter.value,
                        &counter.unit, &counter.source))
            continue;
        if (strcmp(counter.source, "oclgrind") == 0)
            counter.source = contest->count_source;
        clopt_store_put_counter(contest->run->store, contender->row.id, &counter,
                                contest->run->failure);
    }
}
