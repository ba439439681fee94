/* SPDX-License-Identifier: BSD-3-Clause */
/* The trials that compete with each other. */
#include "supervisor/group.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "supervisor/enter.h"
#include "supervisor/finalists.h"
#include "supervisor/standing.h"

/* So many trials are looked at in one go, and one transaction: between two, others get their turn.
 */
#define LOOK 1000

static size_t count_kernels(const struct clopt_app *app)
{
    size_t count = 0;
    while (app->kernels[count].name)
        count++;
    return count;
}

/* Enters the initial code, or its double. */
static enum clopt_status enter_initial(struct clopt_group *group, struct clopt_contender *contender,
                                       struct clopt_error *error)
{
    enum clopt_status status =
        clopt_space_trial(group->run->study, group->number, 0, &contender->trial, error);
    return status ? status : clopt_group_enter(group, contender, error);
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

void clopt_group_fini(struct clopt_group *group)
{
    clopt_finalists_fini(group);
    for (size_t i = 0; i < group->pool_count; i++)
        clopt_contender_destroy(group->pool[i]);
    clopt_contender_fini(&group->initial);
    clopt_contender_fini(&group->again);
    clopt_app_source_fini(&group->source);
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
        return clopt_group_show(group, next, reason.message, error);
    if (status)
        *error = reason;
    else
        status = clopt_group_enter(group, next, error);
    if (!status)
        status = clopt_group_show(group, next, NULL, error);
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
            clopt_contender_destroy(next);
        group->over += !stays;
        group->skipped += !stays;
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
        bool unbuilt = clopt_contender_is_unbuilt(contender);
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

size_t clopt_group_count_unbuilt(struct clopt_group *group, size_t *waiting)
{
    size_t count = 0;
    const struct clopt_contender *contender;
    *waiting = 0;
    for (size_t i = 0; (contender = clopt_group_contender(group, i)); i++) {
        bool unbuilt = clopt_contender_is_unbuilt(contender);
        count += unbuilt;
        *waiting += unbuilt && !contender->users;
    }
    return count;
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
        if (measured)
            clopt_finalists_rank(group, contender);
        if (!contender->places)
            clopt_contender_destroy(contender);
    }
    bool some = left < group->pool_count;
    group->pool_count = left;
    if (some) /* one of them may have been a leader */
        clopt_standing_find_leaders(group);
}
