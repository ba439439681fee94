/* SPDX-License-Identifier: BSD-3-Clause */
/* The trials that compete with each other. */
#include "supervisor/group.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

#define AGAIN_SALT "initial code, again"

/* What is known of a trial whose worker was killed from outside: that is excused once. */
static const char killed_again[] =
    "; it was tried twice, the second time alone; --retry=out-of-resources tries it once more";

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
        &group->study->apps[clopt_space_group(group->study, group->number).app];
    const struct clopt_kernel *first = clopt_entry_app(group->app)->kernels;
    uint64_t mask = 0;
    for (size_t k = 0; k < app->kernel_count; k++)
        if (clopt_trial_is_of(trial, app->kernels[k]))
            mask |= (uint64_t)1 << (app->kernels[k] - first);
    return mask;
}

/* Writes the row by which a report shows a trial. */
static enum clopt_status show(struct clopt_store *store, const struct clopt_group *group,
                              const struct clopt_contender *contender, uint64_t index,
                              const char *reason, struct clopt_error *error)
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
                                          .ordinal = (int64_t)index};
    if (!status)
        status = clopt_store_put_variants(store, &variant, 1, error);
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
    free(rows);
    free(process);
    return status;
}

/* Whether the study asks for a trial that is over again, and has not done it again yet. */
static bool is_to_retry(const struct clopt_group *group, const struct clopt_group_context *context,
                        const struct clopt_store_trial *row)
{
    if (!row->id || !row->complete || !(context->retry >> row->outcome & 1))
        return false;
    for (size_t i = 0; i < group->retried_count; i++)
        if (group->retried[i] == row->id)
            return false;
    return true;
}

/* Forgets how a trial ended, in the store and in its row here. */
static enum clopt_status retry(struct clopt_group *group, struct clopt_store *store,
                               struct clopt_store_trial *row, struct clopt_error *error)
{
    int64_t *retried = realloc(group->retried, (group->retried_count + 1) * sizeof *group->retried);
    if (!retried)
        return clopt_fail_memory(error);
    group->retried = retried;
    group->retried[group->retried_count++] = row->id;
    char key[CLOPT_HASH_SIZE];
    memcpy(key, row->key, sizeof key);
    enum clopt_status status = clopt_store_reset_trial(store, row->id, error);
    clopt_store_trial_fini(row);
    return status ? status : clopt_store_find_trial(store, key, row, error);
}

/* Makes a contender of a trial (and takes it over): finds its row in the store or writes one. */
static enum clopt_status enter(struct clopt_contender *contender, struct clopt_group *group,
                               const struct clopt_group_context *context, struct clopt_error *error)
{
    contender->columns = group->kernel_count + 1;
    contender->kernels = reported_kernels(group, &contender->trial);
    char key[CLOPT_HASH_SIZE];
    const struct clopt_device_info *device = &context->devices[group->device].info;
    enum clopt_status status =
        clopt_trial_key(&contender->trial, &group->source, device, context->files, key, error);
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
    status = clopt_store_find_trial(context->store, key, &contender->row, error);
    if (status)
        return status;
    struct clopt_store_trial *row = &contender->row;
    status = clopt_contender_plan_check(contender, group, context, false, error);
    if (status)
        return status;
    /* What was measured without a check counts for nothing where one is wanted. */
    bool unchecked = contender->to_check && row->id && row->outcome == CLOPT_OUTCOME_OK;
    if (unchecked || is_to_retry(group, context, row))
        status = retry(group, context->store, row, error);
    if (status)
        return status;
    if (row->id == 0) {
        memcpy(row->key, key, sizeof row->key);
        row->device = group->device_row;
        row->problem = group->problem_row;
        return clopt_store_put_trial(context->store, row, error);
    }
    if (!row->complete || contender->is_initial || contender->is_again)
        status = load_samples(contender, context->store, error);
    return status;
}

/* Enters the initial code, or its double. */
static enum clopt_status enter_initial(struct clopt_group *group,
                                       const struct clopt_group_context *context,
                                       struct clopt_contender *contender, struct clopt_error *error)
{
    enum clopt_status status =
        clopt_space_trial(context->study, group->number, 0, &contender->trial, error);
    if (!status)
        status = enter(contender, group, context, error);
    contender->decided = contender->row.complete;
    return status;
}

enum clopt_status clopt_group_init(struct clopt_group *group,
                                   const struct clopt_group_context *context, size_t number,
                                   struct clopt_error *error)
{
    const struct clopt_study *study = context->study;
    struct clopt_space_group where = clopt_space_group(study, number);
    const struct clopt_study_app *app = &study->apps[where.app];
    *group = (struct clopt_group){.study = study,
                                  .number = number,
                                  .device = where.device,
                                  .app = app->entry,
                                  .device_row = context->device_rows[where.device]};
    group->kernel_count = count_kernels(clopt_entry_app(app->entry));
    group->order = clopt_permutation_make(clopt_space_count(study, number), study->seed + number);
    group->initial.is_initial = true;
    group->again.is_again = true;
    group->best_ns = calloc(group->kernel_count, sizeof *group->best_ns);
    group->finalists = calloc(group->kernel_count * CLOPT_FINALISTS, sizeof *group->finalists);
    const struct clopt_values *inputs = app->problems[where.problem];
    char *label = clopt_inputs_label(app->entry, inputs);
    json_t *json = clopt_values_to_json(inputs);
    char *inputs_json = json ? json_dumps(json, JSON_COMPACT) : NULL;
    json_decref(json);
    enum clopt_status status = CLOPT_OK;
    if (!group->best_ns || !group->finalists || !label || !inputs_json)
        status = clopt_fail_memory(error);
    for (size_t k = 0; !status && k < group->kernel_count; k++)
        group->best_ns[k] = INFINITY;
    if (!status)
        status = clopt_store_put_problem(context->store, app->entry->plugin->name, label,
                                         inputs_json, &group->problem_row, error);
    if (!status)
        status = clopt_app_source_read(clopt_entry_app(app->entry), context->kernel_path,
                                       &group->source, error);
    if (!status)
        status = enter_initial(group, context, &group->initial, error);
    if (!status)
        status = enter_initial(group, context, &group->again, error);
    free(label);
    free(inputs_json);
    return status;
}

void clopt_group_fini(struct clopt_group *group)
{
    clopt_contender_fini(&group->initial);
    clopt_contender_fini(&group->again);
    clopt_app_source_fini(&group->source);
    free(group->best_ns);
    free(group->finalists);
    free(group->retried);
    *group = (struct clopt_group){0};
}

/* Finds the contender of a batch that has a key. */
static struct clopt_contender *find_in_batch(const struct clopt_batch *batch, const char *key)
{
    for (size_t i = 0; i < batch->count; i++)
        if (strcmp(batch->items[i].row.key, key) == 0)
            return &batch->items[i];
    return NULL;
}

/* Looks at one trial: it becomes a contender of the batch where it has to be measured. A variant of
 * several kernels is one trial: it must be in one batch only. */
static enum clopt_status look_at(struct clopt_batch *batch, const struct clopt_batch *measured,
                                 const struct clopt_group_context *context,
                                 struct clopt_group *group, uint64_t index,
                                 struct clopt_error *error)
{
    struct clopt_contender next = {.index = index};
    enum clopt_status status =
        clopt_space_trial(context->study, group->number, index, &next.trial, error);
    if (status)
        return status;
    struct clopt_error reason = {0};
    status = clopt_variant_check(&next.trial, &context->devices[group->device].info, &reason);
    if (status == CLOPT_INFEASIBLE) {
        status = show(context->store, group, &next, index, reason.message, error);
        clopt_contender_fini(&next);
        return status;
    }
    if (status)
        *error = reason;
    else
        status = enter(&next, group, context, error);
    if (!status)
        status = show(context->store, group, &next, index, NULL, error);
    bool is_known =
        !status && (find_in_batch(batch, next.row.key) || find_in_batch(measured, next.row.key));
    bool is_initial = clopt_trial_is_initial(&next.trial); /* the group has that one already */
    if (status || is_known || next.row.complete || is_initial)
        clopt_contender_fini(&next);
    else
        batch->items[batch->count++] = next;
    return status;
}

static enum clopt_status batch_init(struct clopt_batch *batch, struct clopt_group *group,
                                    bool final, struct clopt_error *error)
{
    *batch = (struct clopt_batch){.group = group, .final = final};
    size_t most = final ? group->kernel_count * CLOPT_FINALISTS : CLOPT_BATCH;
    batch->items = calloc(most, sizeof *batch->items);
    return batch->items ? CLOPT_OK : clopt_fail_memory(error);
}

enum clopt_status clopt_batch_fill(struct clopt_batch *batch, const struct clopt_batch *measured,
                                   const struct clopt_group_context *context,
                                   struct clopt_group *group, uint64_t *looked_at,
                                   struct clopt_error *error)
{
    enum clopt_status status = batch->filling ? CLOPT_OK : batch_init(batch, group, false, error);
    if (!status)
        status = clopt_store_begin(context->store, error);
    if (status)
        return status;
    batch->filling = true;
    for (unsigned looked = 0; looked < CLOPT_LOOK && batch->filling && !status; looked++) {
        uint64_t index = clopt_permutation_at(&group->order, group->position++);
        status = look_at(batch, measured, context, group, index, error);
        batch->filling = batch->count < CLOPT_BATCH && group->position < group->order.count;
        ++*looked_at;
    }
    return clopt_store_finish(context->store, status, error);
}

enum clopt_status clopt_batch_fill_finalists(struct clopt_batch *batch,
                                             const struct clopt_group_context *context,
                                             struct clopt_group *group, struct clopt_error *error)
{
    enum clopt_status status = batch_init(batch, group, true, error);
    for (size_t f = 0; f < group->kernel_count * CLOPT_FINALISTS && !status; f++) {
        const struct clopt_finalist *finalist = &group->finalists[f];
        uint64_t kernel = (uint64_t)1 << (f / CLOPT_FINALISTS);
        if (!finalist->key[0])
            continue;
        struct clopt_contender *same = find_in_batch(batch, finalist->key);
        if (same) {
            same->kernels |= kernel;
            continue;
        }
        struct clopt_contender *next = &batch->items[batch->count++];
        *next = (struct clopt_contender){.index = finalist->index};
        status =
            clopt_space_trial(context->study, group->number, finalist->index, &next->trial, error);
        if (!status)
            status = enter(next, group, context, error);
        next->kernels = kernel;
        next->prepared = true;
    }
    return status;
}

void clopt_batch_fini(struct clopt_batch *batch)
{
    for (size_t i = 0; i < batch->count; i++)
        clopt_contender_fini(&batch->items[i]);
    free(batch->items);
    *batch = (struct clopt_batch){0};
}

struct clopt_contender *clopt_batch_contender(const struct clopt_batch *batch, size_t index)
{
    struct clopt_group *group = batch->group;
    bool idle = batch->count == 0 && group->initial.decided && group->again.decided;
    size_t references = batch->final || idle ? 0 : 2;
    if (index < references)
        return index == 0 ? &group->initial : &group->again;
    index -= references;
    return index < batch->count ? &batch->items[index] : NULL;
}

/* Finds a contender of the batch that is the same program as another one. */
static struct clopt_contender *find_twin(const struct clopt_batch *batch,
                                         const struct clopt_contender *contender)
{
    struct clopt_contender *other;
    for (size_t i = 0; (other = clopt_batch_contender(batch, i)); i++)
        if (other != contender && !other->is_again && !other->is_alias && other->variant &&
            strcmp(other->row.fingerprint, contender->row.fingerprint) == 0)
            return other;
    return NULL;
}

enum clopt_status clopt_batch_find_alias(struct clopt_batch *batch, struct clopt_store *store,
                                         struct clopt_contender *contender,
                                         struct clopt_error *error)
{
    struct clopt_store_trial *row = &contender->row;
    if (contender->is_initial || contender->is_again || !row->fingerprint || contender->count)
        return CLOPT_OK;
    const struct clopt_contender *twin = find_twin(batch, contender);
    int64_t known = twin && twin->row.complete ? twin->row.id : 0;
    enum clopt_status status = CLOPT_OK;
    if (!twin)
        status = clopt_store_find_twin(store, row->device, row->problem, row->fingerprint, &known,
                                       error);
    if (status || (!twin && !known))
        return status;
    contender->is_alias = contender->decided = true;
    status = clopt_store_put_trial(store, row, error);
    return status || !known ? status : clopt_store_share_outcome(store, known, error);
}

enum clopt_status clopt_batch_share_outcomes(struct clopt_batch *batch, struct clopt_store *store,
                                             struct clopt_error *error)
{
    bool aliases = false;
    for (size_t i = 0; i < batch->count; i++)
        aliases = aliases || batch->items[i].is_alias;
    enum clopt_status status = CLOPT_OK;
    const struct clopt_contender *contender;
    for (size_t i = 0; aliases && !status && (contender = clopt_batch_contender(batch, i)); i++)
        if (contender->row.complete && !contender->is_alias && !contender->is_again)
            status = clopt_store_share_outcome(store, contender->row.id, error);
    return status;
}

enum clopt_status clopt_contender_fail(struct clopt_contender *contender, struct clopt_store *store,
                                       const struct clopt_error *cause, enum clopt_stage stage,
                                       int signal_number, struct clopt_error *error)
{
    struct clopt_store_trial *row = &contender->row;
    row->outcome = clopt_outcome_from_status(cause->status);
    row->complete = true;
    row->verified = false;
    row->signal = signal_number;
    free(row->stage);
    free(row->reason);
    row->stage = strdup(clopt_stage_name(stage));
    struct clopt_text reason = {0};
    clopt_text_printf(&reason, "%s%s", cause->message,
                      signal_number == SIGKILL ? killed_again : "");
    row->reason = clopt_text_take(&reason);
    contender->decided = true;
    if (!row->stage || !row->reason)
        return clopt_fail_memory(error);
    return clopt_store_put_trial(store, row, error);
}

bool clopt_group_is_unusable(const struct clopt_group *group)
{
    const struct clopt_store_trial *row = &group->initial.row;
    return row->complete && row->outcome != CLOPT_OUTCOME_OK && row->stage &&
           strcmp(row->stage, clopt_stage_name(CLOPT_STAGE_SETUP)) == 0;
}

enum clopt_status clopt_contender_follow(struct clopt_contender *contender,
                                         const struct clopt_group *group, struct clopt_store *store,
                                         struct clopt_error *error)
{
    const struct clopt_store_trial *cause = &group->initial.row;
    struct clopt_store_trial *row = &contender->row;
    contender->prepared = contender->decided = row->complete = true;
    row->outcome = cause->outcome;
    row->verified = false;
    free(row->stage);
    free(row->reason);
    row->stage = strdup(cause->stage);
    row->reason = cause->reason ? strdup(cause->reason) : NULL;
    if (!row->stage || (cause->reason && !row->reason))
        return clopt_fail_memory(error);
    return clopt_store_put_trial(store, row, error);
}

/* Puts a contender at its place among a kernel's finalists. */
static void rank(struct clopt_finalist *finalists, const struct clopt_contender *contender,
                 uint64_t index, double median_ns)
{
    size_t place = CLOPT_FINALISTS;
    while (place > 0 &&
           (!finalists[place - 1].key[0] || finalists[place - 1].median_ns > median_ns))
        place--;
    if (place == CLOPT_FINALISTS)
        return;
    memmove(finalists + place + 1, finalists + place,
            (CLOPT_FINALISTS - 1 - place) * sizeof *finalists);
    finalists[place] = (struct clopt_finalist){.index = index, .median_ns = median_ns};
    memcpy(finalists[place].key, contender->row.key, sizeof finalists[place].key);
}

void clopt_group_rank(struct clopt_group *group, const struct clopt_batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        const struct clopt_contender *contender = &batch->items[i];
        if (contender->row.outcome != CLOPT_OUTCOME_OK || contender->row.abandoned ||
            contender->is_alias)
            continue;
        for (size_t k = 0; k < group->kernel_count; k++)
            if (contender->kernels >> k & 1)
                rank(&group->finalists[k * CLOPT_FINALISTS], contender, contender->index,
                     clopt_contender_interval(contender, k, UINT32_MAX).median);
    }
}
