/* SPDX-License-Identifier: BSD-3-Clause */
/* The trials that compete with each other. */
#include "contest/contest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "base/variant_name.h"
#include "contest/joint.h"
#include "contest/tuning.h"
#include "opencl/traits.h"
#include "trial/rival.h"

/* So many trials are looked at in one go: between two, others go on. */
#define LOOK 1000

#define AGAIN_SALT "initial code, again"

/* ---- the store ---- */

/* Under which name a trial is shown. */
static const char *kernel_of(const struct clopt_trial *trial, uint64_t index)
{
    bool whole = index >= CLOPT_FIRST_JOINT && index < CLOPT_FIRST_RIVAL;
    return trial->rival ? "" : whole ? CLOPT_WHOLE_RUN : trial->kernel->name;
}

void clopt_contest_show(const struct clopt_contest *contest, const struct clopt_trial *trial,
                        uint64_t index, int64_t row, const char *reason)
{
    char *name = clopt_trial_name(trial);
    json_t *json = clopt_trial_to_json(trial);
    char *text = json ? json_dumps(json, JSON_COMPACT) : NULL;
    json_decref(json);
    const struct clopt_store_variant variant = {.trial = row,
                                                .device = contest->device_row,
                                                .problem = contest->problem_row,
                                                .kernel = kernel_of(trial, index),
                                                .name = name,
                                                .trial_json = text,
                                                .reason = reason,
                                                .ordinal = (int64_t)index};
    if (name && text)
        clopt_store_put_variants(contest->run->store, &variant, 1, contest->run->failure);
    else
        clopt_fail_memory(contest->run->failure);
    free(name);
    free(text);
}

/* Reads what the store holds of a trial's samples. */
static void load_samples(const struct clopt_contest *contest, struct clopt_contender *contender)
{
    struct clopt_error *failure = contest->run->failure;
    contender->columns = calloc(contender->column_count, sizeof *contender->columns);
    if (!contender->columns)
        clopt_fail_memory(failure);
    for (size_t c = 0; c < contender->column_count && !failure->status; c++) {
        const char *kernel = c < contest->kernel_count ? contest->kernels[c].name : "";
        free(contender->process); /* the same for all columns */
        clopt_store_get_samples(contest->run->store, contender->row.id, kernel,
                                &contender->columns[c].times_ns, &contender->process,
                                &contender->count, failure);
    }
    contender->capacity = contender->stored = contender->count;
    for (size_t i = 0; i < contender->count; i++)
        contender->sweeps += i == 0 || contender->process[i] != contender->process[i - 1];
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
static void retry(struct clopt_contest *contest, const char *key, struct clopt_store_trial *row)
{
    const struct clopt_run *run = contest->run;
    int64_t *retried =
        clopt_array_add(&contest->retried, &contest->retried_count, sizeof *contest->retried);
    if (!retried) {
        clopt_fail_memory(run->failure);
        return;
    }
    *retried = row->id;
    if (clopt_store_reset_trial(run->store, row->id, run->failure))
        return;
    clopt_store_trial_fini(row);
    clopt_store_find_trial(run->store, key, row, run->failure);
}

/* Computes the key of a contender's trial. */
static enum clopt_status find_key(const struct clopt_contest *contest,
                                  struct clopt_contender *contender, char key[CLOPT_HASH_SIZE])
{
    const struct clopt_run *run = contest->run;
    if (clopt_trial_key(&contender->trial, &contest->source, &contest->device->info, run->files,
                        key, run->failure))
        return run->failure->status;
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
    return contender->trial.rival ? clopt_rival_key(contender->trial.rival, run->kernel_path,
                                                    run->files, key, run->failure)
                                  : CLOPT_OK;
}

void clopt_contest_enter(struct clopt_contest *contest, struct clopt_contender *contender)
{
    const struct clopt_run *run = contest->run;
    const struct clopt_error *failure = run->failure;
    struct clopt_store_trial *row = &contender->row;
    char key[CLOPT_HASH_SIZE];
    contender->column_count = contest->kernel_count + 1;
    for (size_t k = 0; !contender->trial.rival && k < contest->app->kernel_count; k++)
        if (clopt_trial_is_of(&contender->trial, contest->app->kernels[k]))
            contender->kernels |= (uint64_t)1 << (contest->app->kernels[k] - contest->kernels);
    if (clopt_trial_is_joint(&contender->trial))
        contender->kernels = (uint64_t)1 << contest->kernel_count;
    if (find_key(contest, contender, key) ||
        clopt_store_find_trial(run->store, key, row, run->failure))
        return;
    bool check = clopt_contest_plan_check(contest, contender, false);
    contender->wants_counters = clopt_contest_lacks_counters(contest, contender);
    /* What was measured without a check counts for nothing where one is wanted. */
    bool unchecked = check && row->id && row->outcome == CLOPT_OUTCOME_OK;
    if (!failure->status && (unchecked || is_to_retry(contest, row)))
        retry(contest, key, row);
    if (failure->status)
        return;
    contender->phase = check ? CLOPT_PHASE_CHECK : CLOPT_PHASE_BUILD;
    if (row->complete && !(row->outcome == CLOPT_OUTCOME_OK && contender->wants_counters))
        contender->phase = CLOPT_PHASE_OVER;
    if (row->id == 0) {
        memcpy(row->key, key, sizeof row->key);
        row->device = contest->device_row;
        row->problem = contest->problem_row;
        clopt_contender_put(contender, run);
    } else if (!row->complete || contender->role ||
               (row->outcome == CLOPT_OUTCOME_OK &&
                (clopt_joint_is_wanted(contest) || clopt_contest_has_time(contest)))) {
        load_samples(contest, contender);
    }
}

/* ---- the contest ---- */

struct clopt_contender *clopt_contest_add(struct clopt_contest *contest, enum clopt_role role)
{
    struct clopt_contender *contender = calloc(1, sizeof *contender);
    if (contender) {
        contender->role = role;
        contest->contenders[contest->count++] = contender;
    } else {
        clopt_fail_memory(contest->run->failure);
    }
    return contender;
}

/* Enters the initial code, or a native program that solves its problem, which is shown. */
static void enter_initial(struct clopt_contest *contest, enum clopt_role role,
                          const struct clopt_study_rival *rival)
{
    const struct clopt_run *run = contest->run;
    struct clopt_contender *contender =
        run->failure->status ? NULL : clopt_contest_add(contest, role);
    if (!contender ||
        clopt_space_trial(run->study, contest->number, 0, &contender->trial, run->failure))
        return;
    if (rival)
        contender->trial.rival = json_incref(rival->program);
    clopt_contest_enter(contest, contender);
    if (!rival || run->failure->status)
        return;
    contender->index = CLOPT_FIRST_RIVAL + (uint64_t)(rival - run->study->rivals);
    clopt_contest_show(contest, &contender->trial, contender->index, contender->row.id, NULL);
}

/* Shows the initial code of each kernel: whatever a time limit leaves out, all else is compared
 * with it. */
static void show_initial(const struct clopt_contest *contest)
{
    const struct clopt_run *run = contest->run;
    for (size_t k = 0; k < contest->app->kernel_count && !run->failure->status; k++) {
        struct clopt_trial trial = {0};
        uint64_t index = clopt_space_first(run->study, contest->number, k);
        if (!clopt_space_trial(run->study, contest->number, index, &trial, run->failure))
            clopt_contest_show(contest, &trial, index, clopt_contest_initial(contest)->row.id,
                               NULL);
        clopt_trial_fini(&trial);
    }
}

/* Enters those that a contest has whatever its variants are. */
static void enter_fixed(struct clopt_contest *contest)
{
    const struct clopt_study *study = contest->run->study;
    enter_initial(contest, CLOPT_ROLE_INITIAL, NULL);
    enter_initial(contest, CLOPT_ROLE_AGAIN, NULL);
    for (size_t i = 0; i < study->rival_count; i++)
        if (clopt_study_has_rival(study, &study->rivals[i], contest->where.app,
                                  contest->where.device, contest->device->info.type))
            enter_initial(contest, CLOPT_ROLE_RIVAL, &study->rivals[i]);
    for (size_t i = 0; i < contest->count && study->shard.count && !contest->order.count; i++)
        contest->contenders[i]->phase = CLOPT_PHASE_OVER; /* no variant is compared with it here */
}

/* Writes the contest's problem into the store. */
static void put_problem(struct clopt_contest *contest)
{
    const struct clopt_run *run = contest->run;
    const struct clopt_plugin_entry *app = contest->app->entry;
    const struct clopt_values *inputs = contest->app->problems[contest->where.problem];
    char *label = clopt_inputs_label(app, inputs);
    json_t *json = clopt_values_to_json(inputs);
    char *text = json ? json_dumps(json, JSON_COMPACT) : NULL;
    json_decref(json);
    if (label && text)
        clopt_store_put_problem(run->store, app->plugin->name, label, text, &contest->problem_row,
                                run->failure);
    else
        clopt_fail_memory(run->failure);
    free(label);
    free(text);
}

/* Makes room for what the contest knows of its contenders and members. */
static bool allocate(struct clopt_contest *contest)
{
    const struct clopt_run *run = contest->run;
    size_t columns = contest->kernel_count + 1;
    size_t most = 2 + run->study->rival_count + CLOPT_MOST_IN_HAND + columns * CLOPT_MOST_FINALISTS;
    contest->contenders = calloc(most, sizeof *contest->contenders);
    contest->standing = calloc(columns, sizeof *contest->standing);
    contest->devices = calloc(contest->members, sizeof *contest->devices);
    contest->lost = calloc(contest->members, sizeof *contest->lost);
    if (!contest->contenders || !contest->standing || !contest->devices || !contest->lost) {
        clopt_fail_memory(run->failure);
        return false;
    }
    contest->devices[0] = contest->where.device;
    for (size_t m = 1; m < contest->members; m++)
        contest->devices[m] = run->devices[contest->devices[m - 1]].next;
    return true;
}

void clopt_contest_init(struct clopt_contest *contest, const struct clopt_run *run, size_t number)
{
    const struct clopt_study *study = run->study;
    struct clopt_space_group where = clopt_space_group(study, number);
    const struct clopt_app *code = clopt_entry_app(study->apps[where.app].entry);
    const struct clopt_device_info *device = &run->devices[where.device].info;
    bool on_cpu = clopt_device_is_cpu(device);
    size_t members = clopt_run_count_members(run, where.device);
    *contest = (struct clopt_contest){
        .run = run,
        .number = number,
        .where = where,
        .device = &run->devices[where.device],
        .members = members,
        .left = members,
        .on_cpu = on_cpu,
        .launches_first = on_cpu && (clopt_traits_find(device->platform)->compiles_at_launch ||
                                     study->measure.counters),
        .app = &study->apps[where.app],
        .kernels = code->kernels,
        .device_row = run->device_rows[where.device],
        .order = clopt_space_order_make(study, number)};
    while (contest->kernels[contest->kernel_count].name)
        contest->kernel_count++;
    if (!allocate(contest) ||
        clopt_app_source_read(code, run->kernel_path, &contest->source, run->failure))
        return;
    put_problem(contest);
    if (run->counts && !run->failure->status)
        clopt_contest_plan_counts(contest);
    enter_fixed(contest);
    if (run->failure->status)
        return;
    if (study->search.strategy)
        contest->tuning = clopt_tuning_create(contest);
    else
        show_initial(contest);
}

void clopt_contest_fini(struct clopt_contest *contest)
{
    for (size_t i = 0; i < contest->count; i++)
        clopt_contender_destroy(contest->contenders[i]);
    free(contest->contenders);
    clopt_app_source_fini(&contest->source);
    clopt_tuning_destroy(contest->tuning);
    clopt_joint_destroy(contest->joint);
    free(contest->standing);
    free(contest->retried);
    free(contest->devices);
    free(contest->lost);
    clopt_values_destroy(contest->count_inputs);
    *contest = (struct clopt_contest){0};
}

void clopt_tally_add(struct clopt_tally *sum, const struct clopt_tally *tally)
{
    sum->built += tally->built;
    sum->over += tally->over;
    sum->skipped += tally->skipped;
    sum->not_reached += tally->not_reached;
}

size_t clopt_contest_count(const struct clopt_contest *contest,
                           bool (*is)(const struct clopt_contender *contender))
{
    size_t count = 0;
    for (size_t i = 0; i < contest->count; i++)
        count += is(contest->contenders[i]);
    return count;
}

/* ---- trials that are looked at ---- */

/* Whether another contender has the same key: a variant of several kernels is one trial. */
static bool is_known(const struct clopt_contest *contest, const struct clopt_contender *contender)
{
    for (size_t i = 0; i < contest->count; i++)
        if (contest->contenders[i] != contender &&
            strcmp(contest->contenders[i]->row.key, contender->row.key) == 0)
            return true;
    return false;
}

/* Enters a trial, or shows why it is infeasible. One that a search has asked for is shown once it
 * is made. Whether it has to be measured, or was, and may be a finalist yet. */
static bool look_at(struct clopt_contest *contest, struct clopt_contender *next, bool asked)
{
    const struct clopt_error *failure = contest->run->failure;
    struct clopt_error reason = {0};
    if (clopt_variant_check(&next->trial, &contest->device->info, &reason) == CLOPT_OK)
        clopt_contest_enter(contest, next);
    else if (reason.status != CLOPT_INFEASIBLE)
        *contest->run->failure = reason;
    bool infeasible = reason.status;
    if ((!asked || infeasible) && !failure->status)
        clopt_contest_show(contest, &next->trial, next->index, next->row.id,
                           infeasible ? reason.message : NULL);
    if (asked)
        clopt_tuning_enter(contest->tuning, next);
    bool measured = clopt_contender_is_measured(next);
    if (infeasible || failure->status || is_known(contest, next) ||
        clopt_trial_is_initial(&next->trial)) /* the contest has that one already */
        return false;
    bool stays = next->phase != CLOPT_PHASE_OVER || (clopt_contest_has_time(contest) && measured);
    contest->blind |= !stays && next->row.outcome == CLOPT_OUTCOME_OK;
    return stays;
}

bool clopt_contest_is_exhausted(const struct clopt_contest *contest)
{
    return contest->position == contest->order.count &&
           (!contest->tuning || clopt_tuning_is_over(contest->tuning));
}

bool clopt_contest_has_next(const struct clopt_contest *contest)
{
    return contest->position < contest->order.count ||
           (contest->tuning && clopt_tuning_wants(contest->tuning));
}

void clopt_contest_look(struct clopt_contest *contest)
{
    const struct clopt_run *run = contest->run;
    size_t in_hand = clopt_contest_count(contest, clopt_contender_is_in_hand);
    for (unsigned looked = 0; looked < LOOK && in_hand < CLOPT_MOST_IN_HAND &&
                              !run->failure->status && clopt_contest_has_next(contest);
         looked++) {
        bool asked = contest->position == contest->order.count, more;
        struct clopt_contender *next = clopt_contest_add(contest, CLOPT_ROLE_VARIANT);
        if (!next)
            return;
        if (!asked)
            next->index = clopt_space_order_at(&contest->order, contest->position++);
        more = asked ? clopt_tuning_ask(contest, next)
                     : !clopt_space_trial(run->study, contest->number, next->index, &next->trial,
                                          run->failure);
        bool stays = more && look_at(contest, next, asked);
        if (!stays) {
            clopt_joint_note(contest, next);
            clopt_contender_destroy(contest->contenders[--contest->count]);
        }
        in_hand += stays;
        contest->tally.over += more && !stays;
        contest->tally.skipped += more && (!stays || next->phase == CLOPT_PHASE_OVER);
    }
}

void clopt_contest_leave_out(struct clopt_contest *contest, bool built)
{
    contest->tally.not_reached += contest->order.count - contest->position;
    contest->position = contest->order.count;
    if (contest->tuning)
        clopt_tuning_stop(contest->tuning);
    for (size_t i = 0; i < contest->count; i++) {
        struct clopt_contender *contender = contest->contenders[i];
        if (contender->users || contender->phase == CLOPT_PHASE_OVER ||
            (!clopt_contender_is_unbuilt(contender) && !built))
            continue;
        if (contender->phase == CLOPT_PHASE_COUNT && !built) {
            contender->phase = clopt_contender_after_build(contender);
            continue;
        }
        contender->phase = CLOPT_PHASE_OVER;
        contest->tally.not_reached += contender->count == 0;
    }
}

/* ---- results ---- */

/* Finds a contender that is the same program as another one. */
static struct clopt_contender *find_twin(const struct clopt_contest *contest,
                                         const struct clopt_contender *contender)
{
    for (size_t i = 0; i < contest->count; i++) {
        struct clopt_contender *other = contest->contenders[i];
        if (other != contender && other->role != CLOPT_ROLE_AGAIN && !other->is_alias &&
            other->variant && strcmp(other->row.fingerprint, contender->row.fingerprint) == 0)
            return other;
    }
    return NULL;
}

void clopt_contest_find_alias(struct clopt_contest *contest, struct clopt_contender *contender)
{
    struct clopt_store_trial *row = &contender->row;
    struct clopt_store *store = contest->run->store;
    if (contender->role || !row->fingerprint || contender->count)
        return;
    struct clopt_contender *twin = find_twin(contest, contender);
    int64_t known = twin && twin->row.complete ? twin->row.id : 0;
    if (!twin)
        clopt_store_find_twin(store, row->device, row->problem, row->fingerprint, &known,
                              contest->run->failure);
    if (!twin && !known)
        return;
    contender->is_alias = true;
    contender->phase = CLOPT_PHASE_OVER;
    clopt_contender_put(contender, contest->run);
    if (twin)
        twin->has_aliases = true;
    if (known)
        clopt_store_share_outcome(store, known, contest->run->failure);
}

/* Stores how long a run permutes buffers for a variant that has them in another order. */
static void put_permuting(const struct clopt_contest *contest,
                          const struct clopt_contender *contender, const json_t *answer)
{
    const json_t *permuted_ns = json_object_get(answer, "permuted_ns");
    const struct clopt_store_counter counter = {contender->trial.kernel->name,
                                                CLOPT_COUNTER_PERMUTING,
                                                json_number_value(permuted_ns), "ns", "clopt"};
    if (permuted_ns)
        clopt_store_put_counter(contest->run->store, contender->row.id, &counter,
                                contest->run->failure);
}

enum clopt_status clopt_contest_take(const struct clopt_contest *contest,
                                     struct clopt_contender *contender, const json_t *answer,
                                     int64_t paused_ns, struct clopt_error *error)
{
    const struct clopt_contender *initial = clopt_contest_initial(contest);
    bool verified = contender->digest[0];
    enum clopt_status status = clopt_contender_take(contender, answer, paused_ns, error);
    if (!status)
        put_permuting(contest, contender, answer);
    if (verified || contender == initial || !contender->digest[0] ||
        strcmp(contender->digest, initial->digest) != 0)
        return status;
    contender->row.verify_error = initial->row.verify_error;
    contender->row.verify_bound = initial->row.verify_bound;
    free(contender->row.verify_text);
    contender->row.verify_text = initial->row.verify_text ? strdup(initial->row.verify_text) : NULL;
    return status;
}
