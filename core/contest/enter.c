/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds contenders in the store. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "contest/contest.h"
#include "trial/rival.h"

#define AGAIN_SALT "initial code, again"

/* A bit for every kernel of the contest's app that the study reports, and a trial is of. */
static uint64_t reported_kernels(const struct clopt_contest *contest,
                                 const struct clopt_trial *trial)
{
    uint64_t mask = 0;
    for (size_t k = 0; !trial->rival && k < contest->app->kernel_count; k++)
        if (clopt_trial_is_of(trial, contest->app->kernels[k]))
            mask |= (uint64_t)1 << (contest->app->kernels[k] - contest->kernels);
    return mask;
}

enum clopt_status clopt_contest_show(const struct clopt_contest *contest,
                                     const struct clopt_contender *contender, const char *reason,
                                     struct clopt_error *error)
{
    char *name = clopt_trial_name(&contender->trial);
    json_t *json = clopt_trial_to_json(&contender->trial);
    char *text = json ? json_dumps(json, JSON_COMPACT) : NULL;
    json_decref(json);
    enum clopt_status status = CLOPT_OK;
    if (!name || !text)
        status = clopt_fail_memory(error);
    struct clopt_store_variant variant = {
        .trial = contender->row.id,
        .device = contest->device_row,
        .problem = contest->problem_row,
        .kernel = contender->trial.rival ? "" : contender->trial.kernel->name,
        .name = name,
        .trial_json = text,
        .reason = reason,
        .ordinal = (int64_t)contender->index};
    if (!status)
        status = clopt_store_put_variants(contest->run->store, &variant, 1, error);
    free(name);
    free(text);
    return status;
}

/* Reads what the store holds of a trial's samples. */
static enum clopt_status load_samples(const struct clopt_contest *contest,
                                      struct clopt_contender *contender, struct clopt_error *error)
{
    enum clopt_status status = CLOPT_OK;
    contender->columns = calloc(contender->column_count, sizeof *contender->columns);
    if (!contender->columns)
        return clopt_fail_memory(error);
    for (size_t c = 0; c < contender->column_count && !status; c++) {
        const char *kernel = c < contest->kernel_count ? contest->kernels[c].name : "";
        free(contender->process); /* the same for all columns */
        status = clopt_store_get_samples(contest->run->store, contender->row.id, kernel,
                                         &contender->columns[c].times_ns, &contender->process,
                                         &contender->count, error);
    }
    contender->capacity = contender->stored = contender->count;
    for (size_t i = 0; i < contender->count; i++)
        contender->sweeps += i == 0 || contender->process[i] != contender->process[i - 1];
    return status;
}

/* Whether the study asks for a trial that is over again, and has not done it again yet. */
static bool is_to_retry(const struct clopt_contest *contest, const struct clopt_store_trial *row)
{
    if (!row->id || !row->complete || !(contest->run->retry >> row->outcome & 1))
        return false;
    for (size_t i = 0; i < contest->retried_count; i++)
        if (contest->retried[i] == row->id)
            return false;
    return true;
}

/* Forgets how a trial ended, in the store and in its row here. */
static enum clopt_status retry(struct clopt_contest *contest, struct clopt_store_trial *row,
                               struct clopt_error *error)
{
    if (!clopt_array_grow(&contest->retried, contest->retried_count, sizeof *contest->retried))
        return clopt_fail_memory(error);
    contest->retried[contest->retried_count++] = row->id;
    char key[CLOPT_HASH_SIZE];
    memcpy(key, row->key, sizeof key);
    enum clopt_status status = clopt_store_reset_trial(contest->run->store, row->id, error);
    clopt_store_trial_fini(row);
    return status ? status : clopt_store_find_trial(contest->run->store, key, row, error);
}

/* Computes the key of a contender's trial. */
static enum clopt_status find_key(struct clopt_contest *contest, struct clopt_contender *contender,
                                  char key[CLOPT_HASH_SIZE], struct clopt_error *error)
{
    const struct clopt_run *run = contest->run;
    enum clopt_status status = clopt_trial_key(&contender->trial, &contest->source,
                                               &contest->device->info, run->files, key, error);
    if (status)
        return status;
    size_t number = run->study->devices[contest->where.device].number;
    if (number != CLOPT_NO_NUMBER) { /* nothing else tells it from its equals */
        char salt[48];
        snprintf(salt, sizeof salt, "device number %zu", number);
        clopt_sha256_salt(salt, key);
    }
    memcpy(contender->initial_key,
           contender->role == CLOPT_ROLE_INITIAL ? key : clopt_contest_initial(contest)->row.key,
           sizeof contender->initial_key);
    if (contender->role == CLOPT_ROLE_AGAIN) /* a trial of its own, though the same program */
        clopt_sha256_salt(AGAIN_SALT, key);
    return contender->trial.rival
               ? clopt_rival_key(contender->trial.rival, run->kernel_path, run->files, key, error)
               : CLOPT_OK;
}

enum clopt_status clopt_contest_enter(struct clopt_contest *contest,
                                      struct clopt_contender *contender, struct clopt_error *error)
{
    char key[CLOPT_HASH_SIZE];
    struct clopt_store *store = contest->run->store;
    struct clopt_store_trial *row = &contender->row;
    bool check = false;
    contender->column_count = contest->kernel_count + 1;
    contender->kernels = reported_kernels(contest, &contender->trial);
    enum clopt_status status = find_key(contest, contender, key, error);
    if (!status)
        status = clopt_store_find_trial(store, key, row, error);
    if (!status)
        status = clopt_contest_plan_check(contest, contender, false, &check, error);
    if (!status)
        status =
            clopt_contest_lacks_counters(contest, contender, &contender->wants_counters, error);
    if (status)
        return status;
    /* What was measured without a check counts for nothing where one is wanted. */
    bool unchecked = check && row->id && row->outcome == CLOPT_OUTCOME_OK;
    if (unchecked || is_to_retry(contest, row))
        status = retry(contest, row, error);
    if (status)
        return status;
    contender->phase = check ? CLOPT_PHASE_CHECK : CLOPT_PHASE_BUILD;
    if (row->complete && !(row->outcome == CLOPT_OUTCOME_OK && contender->wants_counters))
        contender->phase = CLOPT_PHASE_OVER;
    if (row->id == 0) {
        memcpy(row->key, key, sizeof row->key);
        row->device = contest->device_row;
        row->problem = contest->problem_row;
        return clopt_store_put_trial(store, row, error);
    }
    return !row->complete || contender->role ? load_samples(contest, contender, error) : CLOPT_OK;
}
