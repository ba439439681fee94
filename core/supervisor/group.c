/* SPDX-License-Identifier: BSD-3-Clause */
/* The trials that compete with each other. */
#include "supervisor/group.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "opencl/traits.h"
#include "supervisor/tuning.h"

/* So many trials are looked at in one go, and one transaction: between two, others go on. */
#define LOOK 1000

/* Adds a contender; NULL: out of memory. */
static struct clopt_contender *add_contender(struct clopt_group *group, enum clopt_role role)
{
    struct clopt_contender *contender = calloc(1, sizeof *contender);
    if (!contender)
        return NULL;
    contender->role = role;
    group->contenders[group->count++] = contender;
    return contender;
}

/* Enters the initial code, once for each role. */
static enum clopt_status enter_initial(struct clopt_group *group, enum clopt_role role,
                                       struct clopt_error *error)
{
    struct clopt_contender *contender = add_contender(group, role);
    if (!contender)
        return clopt_fail_memory(error);
    enum clopt_status status =
        clopt_space_trial(group->run->study, group->number, 0, &contender->trial, error);
    return status ? status : clopt_group_enter(group, contender, error);
}

/* Shows the initial code of each kernel: whatever a time limit leaves out, all else is compared
 * with it. */
static enum clopt_status show_initial(const struct clopt_group *group, struct clopt_error *error)
{
    const struct clopt_study *study = group->run->study;
    enum clopt_status status = CLOPT_OK;
    for (size_t k = 0; k < group->app->kernel_count && !status; k++) {
        struct clopt_contender shown = {.row.id = clopt_group_initial(group)->row.id};
        shown.index = clopt_space_first(study, group->number, k);
        status = clopt_space_trial(study, group->number, shown.index, &shown.trial, error);
        if (!status)
            status = clopt_group_show(group, &shown, NULL, error);
        clopt_trial_fini(&shown.trial);
    }
    return status;
}

/* Writes the group's problem into the store. */
static enum clopt_status put_problem(struct clopt_group *group, struct clopt_error *error)
{
    const struct clopt_plugin_entry *app = group->app->entry;
    const struct clopt_values *inputs = group->app->problems[group->where.problem];
    char *label = clopt_inputs_label(app, inputs);
    json_t *json = clopt_values_to_json(inputs);
    char *text = json ? json_dumps(json, JSON_COMPACT) : NULL;
    json_decref(json);
    enum clopt_status status =
        label && text ? clopt_store_put_problem(group->run->store, app->plugin->name, label, text,
                                                &group->problem_row, error)
                      : clopt_fail_memory(error);
    free(label);
    free(text);
    return status;
}

enum clopt_status clopt_group_init(struct clopt_group *group, const struct clopt_run *run,
                                   size_t number, struct clopt_error *error)
{
    struct clopt_space_group where = clopt_space_group(run->study, number);
    const struct clopt_study_app *app = &run->study->apps[where.app];
    const struct clopt_app *code = clopt_entry_app(app->entry);
    const struct clopt_device_info *device = &run->devices[where.device].info;
    bool on_cpu = strcmp(device->type, "cpu") == 0;
    *group = (struct clopt_group){
        .run = run,
        .number = number,
        .where = where,
        .on_cpu = on_cpu,
        .launches_first = on_cpu && clopt_traits_find(device->platform)->compiles_at_launch,
        .app = app,
        .kernels = code->kernels,
        .device_row = run->device_rows[where.device]};
    while (group->kernels[group->kernel_count].name)
        group->kernel_count++;
    group->order =
        clopt_permutation_make(clopt_space_count(run->study, number), run->study->seed + number);
    size_t most = 2 + CLOPT_POOL + group->kernel_count * CLOPT_FINALISTS;
    group->contenders = calloc(most, sizeof *group->contenders);
    group->standing = calloc(group->kernel_count, sizeof *group->standing);
    enum clopt_status status =
        group->contenders && group->standing ? put_problem(group, error) : clopt_fail_memory(error);
    if (!status)
        status = clopt_app_source_read(code, run->kernel_path, &group->source, error);
    if (!status && run->counts)
        status = clopt_group_plan_counts(group, error);
    if (!status)
        status = enter_initial(group, CLOPT_ROLE_INITIAL, error);
    if (!status)
        status = enter_initial(group, CLOPT_ROLE_AGAIN, error);
    if (status)
        return status;
    return run->study->search.strategy ? clopt_tuning_create(group, &group->tuning, error)
                                       : show_initial(group, error);
}

void clopt_group_fini(struct clopt_group *group)
{
    for (size_t i = 0; i < group->count; i++)
        clopt_contender_destroy(group->contenders[i]);
    free(group->contenders);
    clopt_app_source_fini(&group->source);
    clopt_tuning_destroy(group->tuning);
    free(group->standing);
    free(group->retried);
    clopt_values_destroy(group->count_inputs);
    *group = (struct clopt_group){0};
}

struct clopt_contender *clopt_group_initial(const struct clopt_group *group)
{
    return group->contenders[0];
}

size_t clopt_group_count(const struct clopt_group *group,
                         bool (*is)(const struct clopt_contender *contender))
{
    size_t count = 0;
    for (size_t i = 0; i < group->count; i++)
        count += is(group->contenders[i]);
    return count;
}

/* ---- trials that are looked at ---- */

/* Whether another contender has the same key: a variant of several kernels is one trial. */
static bool is_known(const struct clopt_group *group, const struct clopt_contender *contender)
{
    for (size_t i = 0; i < group->count; i++)
        if (group->contenders[i] != contender &&
            strcmp(group->contenders[i]->row.key, contender->row.key) == 0)
            return true;
    return false;
}

/* Makes the next trial; *more is false where a search has none. */
static enum clopt_status choose(struct clopt_group *group, struct clopt_contender *next, bool *more,
                                bool *asked, struct clopt_error *error)
{
    *asked = group->position == group->order.count;
    if (*asked) {
        clopt_fail(error, CLOPT_OK, "%s", "");
        *more = clopt_tuning_ask(group, next, error);
        return error->status;
    }
    *more = true;
    next->index = clopt_permutation_at(&group->order, group->position++);
    return clopt_space_trial(group->run->study, group->number, next->index, &next->trial, error);
}

/* Enters a trial, or shows why it is infeasible. One that a search has asked for is shown once it
 * is made. `stays` is set where it has to be measured. */
static enum clopt_status look_at(struct clopt_group *group, struct clopt_contender *next,
                                 bool asked, bool *stays, struct clopt_error *error)
{
    const struct clopt_run *run = group->run;
    struct clopt_error reason = {0};
    enum clopt_status status =
        clopt_variant_check(&next->trial, &run->devices[group->where.device].info, &reason);
    if (status == CLOPT_INFEASIBLE)
        return clopt_group_show(group, next, reason.message, error);
    if (status)
        *error = reason;
    else
        status = clopt_group_enter(group, next, error);
    if (!status && !asked)
        status = clopt_group_show(group, next, NULL, error);
    *stays = !status && next->phase != CLOPT_PHASE_OVER && !is_known(group, next) &&
             !clopt_trial_is_initial(&next->trial); /* the group has that one already */
    return status;
}

bool clopt_group_is_exhausted(const struct clopt_group *group)
{
    return group->position == group->order.count &&
           (!group->tuning || clopt_tuning_is_over(group->tuning));
}

bool clopt_group_has_next(const struct clopt_group *group)
{
    return group->position < group->order.count ||
           (group->tuning && clopt_tuning_wants(group->tuning));
}

enum clopt_status clopt_group_look(struct clopt_group *group, struct clopt_error *error)
{
    size_t in_hand = clopt_group_count(group, clopt_contender_is_in_hand);
    enum clopt_status status = clopt_store_begin(group->run->store, error);
    if (status)
        return status;
    for (unsigned looked = 0;
         looked < LOOK && in_hand < CLOPT_POOL && !status && clopt_group_has_next(group);
         looked++) {
        bool stays = false, asked, more;
        struct clopt_contender *next = add_contender(group, CLOPT_ROLE_VARIANT);
        if (!next) {
            status = clopt_fail_memory(error);
            break;
        }
        status = choose(group, next, &more, &asked, error);
        if (!status && more)
            status = look_at(group, next, asked, &stays, error);
        if (!status && more && asked)
            clopt_tuning_enter(group->tuning, next);
        if (!stays)
            clopt_contender_destroy(group->contenders[--group->count]);
        in_hand += stays;
        group->tally.over += more && !stays;
        group->tally.skipped += more && !stays;
    }
    return clopt_store_finish(group->run->store, status, error);
}

void clopt_group_leave_out(struct clopt_group *group, bool built)
{
    group->tally.not_reached += group->order.count - group->position;
    group->position = group->order.count;
    if (group->tuning)
        clopt_tuning_stop(group->tuning);
    for (size_t i = 0; i < group->count; i++) {
        struct clopt_contender *contender = group->contenders[i];
        if (contender->users || contender->phase == CLOPT_PHASE_OVER ||
            (!clopt_contender_is_unbuilt(contender) && !built))
            continue;
        if (contender->phase == CLOPT_PHASE_COUNT && !built) {
            contender->phase = clopt_contender_after_build(contender);
            continue;
        }
        contender->phase = CLOPT_PHASE_OVER;
        group->tally.not_reached += contender->count == 0;
    }
}

/* ---- results ---- */

bool clopt_group_is_unusable(const struct clopt_group *group)
{
    const struct clopt_contender *initial = clopt_group_initial(group);
    return clopt_contender_has_failed(initial) && initial->row.stage &&
           strcmp(initial->row.stage, clopt_stage_name(CLOPT_STAGE_SETUP)) == 0;
}

/* Finds a contender that is the same program as another one. */
static struct clopt_contender *find_twin(const struct clopt_group *group,
                                         const struct clopt_contender *contender)
{
    for (size_t i = 0; i < group->count; i++) {
        struct clopt_contender *other = group->contenders[i];
        if (other != contender && other->role != CLOPT_ROLE_AGAIN && !other->is_alias &&
            other->variant && strcmp(other->row.fingerprint, contender->row.fingerprint) == 0)
            return other;
    }
    return NULL;
}

void clopt_group_find_alias(struct clopt_group *group, struct clopt_contender *contender)
{
    struct clopt_store_trial *row = &contender->row;
    struct clopt_store *store = group->run->store;
    if (contender->role || !row->fingerprint || contender->count)
        return;
    struct clopt_contender *twin = find_twin(group, contender);
    int64_t known = twin && twin->row.complete ? twin->row.id : 0;
    if (!twin)
        clopt_store_find_twin(store, row->device, row->problem, row->fingerprint, &known,
                              group->run->failure);
    if (!twin && !known)
        return;
    contender->is_alias = true;
    contender->phase = CLOPT_PHASE_OVER;
    clopt_contender_put(contender, group->run);
    if (twin)
        twin->has_aliases = true;
    if (known)
        clopt_store_share_outcome(store, known, group->run->failure);
}

enum clopt_status clopt_group_take(const struct clopt_group *group,
                                   struct clopt_contender *contender, const json_t *answer,
                                   int64_t paused_ns, struct clopt_error *error)
{
    const struct clopt_contender *initial = clopt_group_initial(group);
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

json_t *clopt_group_request(unsigned id, const struct clopt_trial *trial, json_t *variant,
                            enum clopt_stage until)
{
    json_t *request = clopt_message_request(id, CLOPT_STAGE_MAKE, until);
    json_object_set_new(request, "trial", clopt_trial_to_json(trial));
    if (variant)
        json_object_set(request, "variant", variant);
    return request;
}

void clopt_group_tell_known(const struct clopt_group *group,
                            const struct clopt_contender *contender, json_t *request)
{
    const char *known =
        contender->digest[0] ? contender->digest : clopt_group_initial(group)->digest;
    if (*known)
        json_object_set_new(request, "known", json_string(known));
}
