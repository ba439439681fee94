/* SPDX-License-Identifier: BSD-3-Clause */
/* The trials that compete with each other. */
#include "supervisor/group.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "supervisor/standing.h"

#define AGAIN_SALT "initial code, again"

/* So many trials are looked at in one go, and one transaction: between two, others get their turn.
 */
#define LOOK 1000

/* So many sweeps compare the finalists that may win. */
#define RACES 2

static size_t count_kernels(const struct clopt_app *app)
{
    size_t count = 0;
    while (app->kernels[count].name)
        count++;
    return count;
}

/* A bit for every kernel of the group's app that the study reports, and a trial is of. */
static uint64_t reported_kernels(const struct clopt_group *group, const struct clopt_trial *trial)
{
    const struct clopt_study_app *app =
        &group->run->study->apps[clopt_space_group(group->run->study, group->number).app];
    const struct clopt_kernel *first = clopt_entry_app(group->app)->kernels;
    uint64_t mask = 0;
    for (size_t k = 0; k < app->kernel_count; k++)
        if (clopt_trial_is_of(trial, app->kernels[k]))
            mask |= (uint64_t)1 << (app->kernels[k] - first);
    return mask;
}

/* Writes the row by which a report shows a trial. */
static enum clopt_status show(const struct clopt_group *group,
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
    struct clopt_store_variant variant = {.trial = contender->row.id,
                                          .device = group->device_row,
                                          .problem = group->problem_row,
                                          .kernel = contender->trial.kernel->name,
                                          .name = name,
                                          .trial_json = text,
                                          .reason = reason,
                                          .ordinal = (int64_t)contender->index};
    if (!status)
        status = clopt_store_put_variants(group->run->store, &variant, 1, error);
    free(name);
    free(text);
    return status;
}

/* Reads what the store holds of a trial's samples. */
static enum clopt_status load_samples(struct clopt_contender *contender, struct clopt_store *store,
                                      struct clopt_error *error)
{
    const struct clopt_kernel *kernels = clopt_entry_app(contender->trial.app)->kernels;
    double *rows = NULL;
    uint32_t *process = NULL;
    size_t count = 0;
    enum clopt_status status = CLOPT_OK;
    for (size_t column = 0; column < contender->columns && !status; column++) {
        const char *kernel = column + 1 < contender->columns ? kernels[column].name : "";
        double *times = NULL;
        uint32_t *processes = NULL;
        size_t got = 0;
        status = clopt_store_get_samples(store, contender->row.id, kernel, &times, &processes, &got,
                                         error);
        if (!status && !rows) {
            count = got;
            rows = calloc(count * contender->columns + 1, sizeof *rows);
            process = processes;
            processes = NULL;
        }
        for (size_t i = 0; rows && i < count && i < got; i++)
            rows[i * contender->columns + column] = times[i];
        free(times);
        free(processes);
        if (!status && !rows)
            status = clopt_fail_memory(error);
    }
    for (size_t i = 0; i < count && !status; i++) {
        status =
            clopt_contender_add(contender, process[i], rows + i * contender->columns, 1, error);
        contender->sampled_s += rows[i * contender->columns + contender->columns - 1] * 1e-9;
        contender->sweeps += i == 0 || process[i] != process[i - 1];
    }
    contender->unstored = false;
    free(rows);
    free(process);
    return status;
}

/* Whether the study asks for a trial that is over again, and has not done it again yet. */
static bool is_to_retry(const struct clopt_group *group, const struct clopt_store_trial *row)
{
    if (!row->id || !row->complete || !(group->run->retry >> row->outcome & 1))
        return false;
    for (size_t i = 0; i < group->retried_count; i++)
        if (group->retried[i] == row->id)
            return false;
    return true;
}

/* Forgets how a trial ended, in the store and in its row here. */
static enum clopt_status retry(struct clopt_group *group, struct clopt_store_trial *row,
                               struct clopt_error *error)
{
    int64_t *retried = realloc(group->retried, (group->retried_count + 1) * sizeof *group->retried);
    if (!retried)
        return clopt_fail_memory(error);
    group->retried = retried;
    group->retried[group->retried_count++] = row->id;
    char key[CLOPT_HASH_SIZE];
    memcpy(key, row->key, sizeof key);
    enum clopt_status status = clopt_store_reset_trial(group->run->store, row->id, error);
    clopt_store_trial_fini(row);
    return status ? status : clopt_store_find_trial(group->run->store, key, row, error);
}

/* Computes the key of a contender's trial. */
static enum clopt_status find_key(struct clopt_group *group, struct clopt_contender *contender,
                                  char key[CLOPT_HASH_SIZE], struct clopt_error *error)
{
    const struct clopt_run *run = group->run;
    enum clopt_status status =
        clopt_trial_key(&contender->trial, &group->source, &run->devices[group->device].info,
                        run->files, key, error);
    if (status)
        return status;
    memcpy(contender->initial_key, contender->is_initial ? key : group->initial.row.key,
           sizeof contender->initial_key);
    if (contender->is_again) { /* a trial of its own, though it is the same program */
        struct clopt_sha256 hash;
        clopt_sha256_init(&hash);
        clopt_sha256_add_string(&hash, AGAIN_SALT);
        clopt_sha256_add_string(&hash, key);
        clopt_sha256_end(&hash, key);
    }
    return CLOPT_OK;
}

/* Finds a contender's row in the store, or writes one, and what it needs next. */
static enum clopt_status enter(struct clopt_contender *contender, struct clopt_group *group,
                               struct clopt_error *error)
{
    char key[CLOPT_HASH_SIZE];
    struct clopt_store *store = group->run->store;
    struct clopt_store_trial *row = &contender->row;
    bool check = false;
    contender->columns = group->kernel_count + 1;
    contender->kernels = reported_kernels(group, &contender->trial);
    enum clopt_status status = find_key(group, contender, key, error);
    if (!status)
        status = clopt_store_find_trial(store, key, row, error);
    if (!status)
        status = clopt_group_plan_check(group, contender, false, &check, error);
    if (status)
        return status;
    /* What was measured without a check counts for nothing where one is wanted. */
    bool unchecked = check && row->id && row->outcome == CLOPT_OUTCOME_OK;
    if (unchecked || is_to_retry(group, row))
        status = retry(group, row, error);
    if (status)
        return status;
    contender->phase = row->complete ? CLOPT_PHASE_OVER
                       : check       ? CLOPT_PHASE_CHECK
                                     : CLOPT_PHASE_BUILD;
    if (row->id == 0) {
        memcpy(row->key, key, sizeof row->key);
        row->device = group->device_row;
        row->problem = group->problem_row;
        return clopt_store_put_trial(store, row, error);
    }
    if (!row->complete || contender->is_initial || contender->is_again)
        status = load_samples(contender, store, error);
    return status;
}

/* Enters the initial code, or its double. */
static enum clopt_status enter_initial(struct clopt_group *group, struct clopt_contender *contender,
                                       struct clopt_error *error)
{
    enum clopt_status status =
        clopt_space_trial(group->run->study, group->number, 0, &contender->trial, error);
    return status ? status : enter(contender, group, error);
}

/* Writes the group's problem into the store. */
static enum clopt_status put_problem(struct clopt_group *group, const struct clopt_values *inputs,
                                     struct clopt_error *error)
{
    char *label = clopt_inputs_label(group->app, inputs);
    json_t *json = clopt_values_to_json(inputs);
    char *text = json ? json_dumps(json, JSON_COMPACT) : NULL;
    json_decref(json);
    enum clopt_status status =
        label && text ? clopt_store_put_problem(group->run->store, group->app->plugin->name, label,
                                                text, &group->problem_row, error)
                      : clopt_fail_memory(error);
    free(label);
    free(text);
    return status;
}

enum clopt_status clopt_group_init(struct clopt_group *group, const struct clopt_run *run,
                                   size_t number, struct clopt_error *error)
{
    const struct clopt_study *study = run->study;
    struct clopt_space_group where = clopt_space_group(study, number);
    const struct clopt_study_app *app = &study->apps[where.app];
    *group = (struct clopt_group){.run = run,
                                  .number = number,
                                  .device = where.device,
                                  .app = app->entry,
                                  .device_row = run->device_rows[where.device],
                                  .initial.is_initial = true,
                                  .again.is_again = true};
    group->kernel_count = count_kernels(clopt_entry_app(app->entry));
    group->order = clopt_permutation_make(clopt_space_count(study, number), study->seed + number);
    group->finalists = calloc(group->kernel_count * CLOPT_FINALISTS, sizeof *group->finalists);
    group->racers = calloc(group->kernel_count * CLOPT_FINALISTS, sizeof *group->racers);
    group->spreads = calloc(group->kernel_count, sizeof *group->spreads);
    group->standing = calloc(group->kernel_count, sizeof *group->standing);
    enum clopt_status status =
        group->finalists && group->racers && group->spreads && group->standing
            ? put_problem(group, app->problems[where.problem], error)
            : clopt_fail_memory(error);
    if (!status)
        status = clopt_app_source_read(clopt_entry_app(app->entry), run->kernel_path,
                                       &group->source, error);
    if (!status)
        status = enter_initial(group, &group->initial, error);
    if (!status)
        status = enter_initial(group, &group->again, error);
    return status;
}

static void destroy(struct clopt_contender *contender)
{
    clopt_contender_fini(contender);
    free(contender);
}

void clopt_group_fini(struct clopt_group *group)
{
    for (size_t f = 0; group->finalists && f < group->kernel_count * CLOPT_FINALISTS; f++) {
        struct clopt_contender *finalist = group->finalists[f];
        if (finalist && (finalist->places &= ~((uint64_t)1 << f / CLOPT_FINALISTS)) == 0 &&
            finalist->phase == CLOPT_PHASE_OVER)
            destroy(finalist);
    }
    for (size_t i = 0; i < group->pool_count; i++)
        destroy(group->pool[i]);
    clopt_contender_fini(&group->initial);
    clopt_contender_fini(&group->again);
    clopt_app_source_fini(&group->source);
    free(group->finalists);
    free(group->racers);
    free(group->spreads);
    free(group->standing);
    free(group->retried);
    *group = (struct clopt_group){0};
}

/* ---- the pool ---- */

/* Finds a contender that has a key. */
static struct clopt_contender *find_in_pool(const struct clopt_group *group, const char *key)
{
    for (size_t i = 0; i < group->pool_count; i++)
        if (strcmp(group->pool[i]->row.key, key) == 0)
            return group->pool[i];
    return NULL;
}

/* Enters a trial, or shows why it is infeasible. A variant of several kernels is one trial: it must
 * be in the pool only once. `stays` is set where it has to be measured. */
static enum clopt_status look_at(struct clopt_group *group, struct clopt_contender *next,
                                 bool *stays, struct clopt_error *error)
{
    const struct clopt_run *run = group->run;
    struct clopt_error reason = {0};
    enum clopt_status status =
        clopt_space_trial(run->study, group->number, next->index, &next->trial, error);
    if (status)
        return status;
    status = clopt_variant_check(&next->trial, &run->devices[group->device].info, &reason);
    if (status == CLOPT_INFEASIBLE)
        return show(group, next, reason.message, error);
    if (status)
        *error = reason;
    else
        status = enter(next, group, error);
    if (!status)
        status = show(group, next, NULL, error);
    *stays = !status && next->phase != CLOPT_PHASE_OVER && !find_in_pool(group, next->row.key) &&
             !clopt_trial_is_initial(&next->trial); /* the group has that one already */
    return status;
}

bool clopt_group_is_exhausted(const struct clopt_group *group)
{
    return group->position == group->order.count;
}

enum clopt_status clopt_group_look(struct clopt_group *group, struct clopt_error *error)
{
    enum clopt_status status = clopt_store_begin(group->run->store, error);
    if (status)
        return status;
    for (unsigned looked = 0; looked < LOOK && group->pool_count < CLOPT_POOL && !status &&
                              !clopt_group_is_exhausted(group);
         looked++) {
        bool stays = false;
        struct clopt_contender *next = calloc(1, sizeof *next);
        if (next) {
            next->index = clopt_permutation_at(&group->order, group->position++);
            status = look_at(group, next, &stays, error);
        } else {
            status = clopt_fail_memory(error);
        }
        if (stays)
            group->pool[group->pool_count++] = next;
        else if (next)
            destroy(next);
        group->over += !stays;
    }
    return clopt_store_finish(group->run->store, status, error);
}

void clopt_group_skip(struct clopt_group *group)
{
    group->not_reached += group->order.count - group->position;
    group->position = group->order.count;
}

void clopt_group_leave_out(struct clopt_group *group, bool built)
{
    struct clopt_contender *contender;
    for (size_t i = 0; (contender = clopt_group_contender(group, i)); i++) {
        bool unbuilt =
            contender->phase == CLOPT_PHASE_CHECK || contender->phase == CLOPT_PHASE_BUILD;
        if (contender->users || contender->phase == CLOPT_PHASE_OVER || (!unbuilt && !built))
            continue;
        contender->phase = CLOPT_PHASE_OVER;
        group->not_reached += contender->count == 0;
    }
}

struct clopt_contender *clopt_group_contender(struct clopt_group *group, size_t index)
{
    if (index < 2)
        return index == 0 ? &group->initial : &group->again;
    index -= 2;
    if (index < group->pool_count)
        return group->pool[index];
    index -= group->pool_count;
    return index < group->racer_count ? group->racers[index] : NULL;
}

bool clopt_group_is_unusable(const struct clopt_group *group)
{
    const struct clopt_store_trial *row = &group->initial.row;
    return clopt_contender_has_failed(&group->initial) && row->stage &&
           strcmp(row->stage, clopt_stage_name(CLOPT_STAGE_SETUP)) == 0;
}

void clopt_group_condemn(const struct clopt_group *group, struct clopt_contender *contender)
{
    const struct clopt_store_trial *cause = &group->initial.row;
    struct clopt_store_trial *row = &contender->row;
    row->outcome = cause->outcome;
    row->verified = false;
    free(row->stage);
    free(row->reason);
    row->stage = strdup(cause->stage);
    row->reason = cause->reason ? strdup(cause->reason) : NULL;
    clopt_contender_end(contender, group->run);
}

/* Finds a contender that is the same program as another one. */
static struct clopt_contender *find_twin(struct clopt_group *group,
                                         const struct clopt_contender *contender)
{
    struct clopt_contender *other;
    for (size_t i = 0; (other = clopt_group_contender(group, i)); i++)
        if (other != contender && !other->is_again && !other->is_alias && other->variant &&
            strcmp(other->row.fingerprint, contender->row.fingerprint) == 0)
            return other;
    return NULL;
}

void clopt_group_find_alias(struct clopt_group *group, struct clopt_contender *contender)
{
    struct clopt_store_trial *row = &contender->row;
    struct clopt_store *store = group->run->store;
    struct clopt_error error = {0};
    if (contender->is_initial || contender->is_again || !row->fingerprint || contender->count)
        return;
    struct clopt_contender *twin = find_twin(group, contender);
    int64_t known = twin && twin->row.complete ? twin->row.id : 0;
    if (!twin)
        clopt_store_find_twin(store, row->device, row->problem, row->fingerprint, &known, &error);
    if (twin || known) {
        contender->is_alias = true;
        contender->phase = CLOPT_PHASE_OVER;
        clopt_contender_put(contender, group->run);
    }
    if (twin)
        twin->has_aliases = true;
    if (known && !error.status)
        clopt_store_share_outcome(store, known, &error);
    clopt_run_note(group->run, &error);
}

/* ---- results ---- */

enum clopt_status clopt_group_take(const struct clopt_group *group,
                                   struct clopt_contender *contender, const json_t *answer,
                                   int64_t paused_ns, struct clopt_error *error)
{
    const struct clopt_contender *initial = &group->initial;
    bool verified = contender->digest[0];
    enum clopt_status status = clopt_contender_take(contender, answer, paused_ns, error);
    if (verified || contender == initial || !contender->digest[0] ||
        strcmp(contender->digest, initial->digest) != 0)
        return status;
    contender->row.verify_error = initial->row.verify_error;
    contender->row.verify_bound = initial->row.verify_bound;
    free(contender->row.verify_text);
    contender->row.verify_text = initial->row.verify_text ? strdup(initial->row.verify_text) : NULL;
    return status;
}

void clopt_group_tell_known(const struct clopt_group *group,
                            const struct clopt_contender *contender, json_t *request)
{
    const char *known = contender->digest[0] ? contender->digest : group->initial.digest;
    if (request && *known)
        json_object_set_new(request, "known", json_string(known));
}

/* ---- the finalists ---- */

/* Takes a finalist off its place; without any it is not needed any more. */
static void unseat(struct clopt_contender *finalist, size_t kernel)
{
    if (!finalist)
        return;
    finalist->places &= ~((uint64_t)1 << kernel);
    if (!finalist->places && finalist->phase == CLOPT_PHASE_OVER)
        destroy(finalist);
}

/* Puts a contender at its place among a kernel's finalists. */
static void rank(struct clopt_group *group, struct clopt_contender *contender, size_t kernel)
{
    struct clopt_contender **finalists = &group->finalists[kernel * CLOPT_FINALISTS];
    size_t place = CLOPT_FINALISTS;
    while (place > 0 &&
           (!finalists[place - 1] ||
            clopt_standing_ratio(group, contender, finalists[place - 1], kernel).median < 1))
        place--;
    if (place == CLOPT_FINALISTS)
        return;
    contender->places |= (uint64_t)1 << kernel;
    unseat(finalists[CLOPT_FINALISTS - 1], kernel);
    memmove(finalists + place + 1, finalists + place,
            (CLOPT_FINALISTS - 1 - place) * sizeof *finalists);
    finalists[place] = contender;
}

void clopt_group_release(struct clopt_group *group)
{
    size_t left = 0;
    for (size_t i = 0; i < group->pool_count; i++) {
        struct clopt_contender *contender = group->pool[i];
        if (contender->phase != CLOPT_PHASE_OVER || contender->users) {
            group->pool[left++] = contender;
            continue;
        }
        group->over++;
        bool measured =
            contender->count && !contender->is_alias && !clopt_contender_has_failed(contender);
        for (size_t k = 0; k < group->kernel_count && measured; k++)
            if (contender->kernels >> k & 1) {
                clopt_standing_keep_spread(group, contender, k);
                rank(group, contender, k);
            }
        if (!contender->places)
            destroy(contender);
    }
    bool some = left < group->pool_count;
    group->pool_count = left;
    if (some) /* one of them may have been a leader */
        clopt_standing_find_leaders(group);
}

/* ---- races ---- */

/* Whether a finalist was seen before, at another kernel. */
static bool is_racer(const struct clopt_group *group, const struct clopt_contender *contender)
{
    for (size_t i = 0; i < group->racer_count; i++)
        if (group->racers[i] == contender)
            return true;
    return false;
}

void clopt_group_end_race(struct clopt_group *group)
{
    for (size_t i = 0; i < group->racer_count; i++)
        group->racers[i]->phase = CLOPT_PHASE_OVER;
    group->racer_count = 0;
    clopt_standing_find_leaders(group);
}

/* In how many processes both were sampled. */
static size_t count_common(const struct clopt_contender *one, const struct clopt_contender *other)
{
    size_t common = 0;
    for (size_t i = 0; i < one->count; i++) {
        bool seen = i > 0 && one->process[i] == one->process[i - 1];
        for (size_t k = 0; !seen && k < other->count; k++)
            if (other->process[k] == one->process[i]) {
                common++;
                break;
            }
    }
    return common;
}

/* Whether a racer has not met all others in as many processes as the study asks for. */
static bool has_to_race(const struct clopt_group *group, const struct clopt_contender *racer)
{
    for (size_t i = 0; i < group->racer_count; i++)
        if (count_common(racer, group->racers[i]) < group->run->study->measure.processes)
            return racer->races < RACES;
    return false;
}

size_t clopt_group_race(struct clopt_group *group)
{
    bool needed = false;
    for (size_t f = 0; f < group->kernel_count * CLOPT_FINALISTS; f++) {
        struct clopt_contender *finalist = group->finalists[f];
        if (finalist && !is_racer(group, finalist) && clopt_standing_may_win(group, finalist))
            group->racers[group->racer_count++] = finalist;
    }
    for (size_t i = 0; i < group->racer_count; i++)
        needed |= has_to_race(group, group->racers[i]);
    if (!needed)
        group->racer_count = 0;
    for (size_t i = 0; i < group->racer_count; i++) {
        group->racers[i]->phase = CLOPT_PHASE_MEASURE;
        group->racers[i]->races++;
    }
    return group->racer_count;
}

struct clopt_contender *clopt_group_to_recheck(struct clopt_group *group, unsigned problem)
{
    unsigned bit = 1u << problem;
    for (size_t f = 0; f < group->kernel_count * CLOPT_FINALISTS; f++) {
        struct clopt_contender *finalist = group->finalists[f];
        if (!finalist ||
            ((finalist->rechecked | finalist->rechecking | group->bad_problems) & bit) ||
            !clopt_standing_may_win(group, finalist))
            continue;
        return group->initial.rechecked & bit ? finalist : &group->initial;
    }
    return NULL;
}
