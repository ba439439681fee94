/* SPDX-License-Identifier: BSD-3-Clause */
/* The trials that compete with each other. */
#include "contest/contest.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "contest/tuning.h"
#include "opencl/traits.h"

/* So many trials are looked at in one go: between two, others go on. */
#define LOOK 1000

/* The number of the first rival among a contest's rows, after those of all variants. */
#define FIRST_RIVAL ((uint64_t)INT64_MAX - UINT32_MAX)

/* Adds a contender; NULL: out of memory. */
static struct clopt_contender *add_contender(struct clopt_contest *contest, enum clopt_role role)
{
    struct clopt_contender *contender = calloc(1, sizeof *contender);
    if (!contender)
        return NULL;
    contender->role = role;
    contest->contenders[contest->count++] = contender;
    return contender;
}

/* Enters the initial code, once for each role. */
static enum clopt_status enter_initial(struct clopt_contest *contest, enum clopt_role role,
                                       struct clopt_error *error)
{
    struct clopt_contender *contender = add_contender(contest, role);
    if (!contender)
        return clopt_fail_memory(error);
    enum clopt_status status =
        clopt_space_trial(contest->run->study, contest->number, 0, &contender->trial, error);
    return status ? status : clopt_contest_enter(contest, contender, error);
}

/* Shows the initial code of each kernel: whatever a time limit leaves out, all else is compared
 * with it. */
static enum clopt_status show_initial(const struct clopt_contest *contest,
                                      struct clopt_error *error)
{
    const struct clopt_study *study = contest->run->study;
    enum clopt_status status = CLOPT_OK;
    for (size_t k = 0; k < contest->app->kernel_count && !status; k++) {
        struct clopt_contender shown = {.row.id = clopt_contest_initial(contest)->row.id};
        shown.index = clopt_space_first(study, contest->number, k);
        status = clopt_space_trial(study, contest->number, shown.index, &shown.trial, error);
        if (!status)
            status = clopt_contest_show(contest, &shown, NULL, error);
        clopt_trial_fini(&shown.trial);
    }
    return status;
}

/* Enters the native programs that solve the problem, and shows them. */
static enum clopt_status enter_rivals(struct clopt_contest *contest, struct clopt_error *error)
{
    const struct clopt_study *study = contest->run->study;
    const char *type = contest->run->devices[contest->where.device].info.type;
    enum clopt_status status = CLOPT_OK;
    for (size_t i = 0; i < study->rival_count && !status; i++) {
        const struct clopt_study_rival *rival = &study->rivals[i];
        if (!clopt_study_has_rival(study, rival, contest->where.app, contest->where.device, type))
            continue;
        struct clopt_contender *contender = add_contender(contest, CLOPT_ROLE_RIVAL);
        if (!contender)
            return clopt_fail_memory(error);
        contender->index = FIRST_RIVAL + i;
        status = clopt_space_trial(study, contest->number, 0, &contender->trial, error);
        if (!status) {
            contender->trial.rival = json_incref(rival->program);
            status = clopt_contest_enter(contest, contender, error);
        }
        if (!status)
            status = clopt_contest_show(contest, contender, NULL, error);
    }
    return status;
}

/* Writes the contest's problem into the store. */
static enum clopt_status put_problem(struct clopt_contest *contest, struct clopt_error *error)
{
    const struct clopt_plugin_entry *app = contest->app->entry;
    const struct clopt_values *inputs = contest->app->problems[contest->where.problem];
    char *label = clopt_inputs_label(app, inputs);
    json_t *json = clopt_values_to_json(inputs);
    char *text = json ? json_dumps(json, JSON_COMPACT) : NULL;
    json_decref(json);
    enum clopt_status status =
        label && text ? clopt_store_put_problem(contest->run->store, app->plugin->name, label, text,
                                                &contest->problem_row, error)
                      : clopt_fail_memory(error);
    free(label);
    free(text);
    return status;
}

enum clopt_status clopt_contest_init(struct clopt_contest *contest, const struct clopt_run *run,
                                     size_t number, struct clopt_error *error)
{
    struct clopt_space_group where = clopt_space_group(run->study, number);
    const struct clopt_study_app *app = &run->study->apps[where.app];
    const struct clopt_app *code = clopt_entry_app(app->entry);
    const struct clopt_device_info *device = &run->devices[where.device].info;
    bool on_cpu = clopt_device_is_cpu(device);
    *contest = (struct clopt_contest){
        .run = run,
        .number = number,
        .where = where,
        .device = &run->devices[where.device],
        .members = clopt_run_count_members(run, where.device),
        .on_cpu = on_cpu,
        .launches_first = on_cpu && (clopt_traits_find(device->platform)->compiles_at_launch ||
                                     run->study->measure.counters),
        .app = app,
        .kernels = code->kernels,
        .device_row = run->device_rows[where.device]};
    while (contest->kernels[contest->kernel_count].name)
        contest->kernel_count++;
    contest->order = clopt_space_order_make(run->study, number);
    size_t most =
        2 + run->study->rival_count + CLOPT_MOST_IN_HAND + contest->kernel_count * CLOPT_FINALISTS;
    contest->contenders = calloc(most, sizeof *contest->contenders);
    contest->standing = calloc(contest->kernel_count, sizeof *contest->standing);
    contest->lost = calloc(contest->members, sizeof *contest->lost);
    enum clopt_status status = contest->contenders && contest->standing && contest->lost
                                   ? put_problem(contest, error)
                                   : clopt_fail_memory(error);
    if (!status)
        status = clopt_app_source_read(code, run->kernel_path, &contest->source, error);
    if (!status && run->counts)
        status = clopt_contest_plan_counts(contest, error);
    if (!status)
        status = enter_initial(contest, CLOPT_ROLE_INITIAL, error);
    if (!status)
        status = enter_initial(contest, CLOPT_ROLE_AGAIN, error);
    if (!status)
        status = enter_rivals(contest, error);
    if (status)
        return status;
    for (size_t i = 0; i < contest->count && run->study->shard.count && !contest->order.count; i++)
        contest->contenders[i]->phase = CLOPT_PHASE_OVER; /* no variant is compared with it here */
    return run->study->search.strategy ? clopt_tuning_create(contest, &contest->tuning, error)
                                       : show_initial(contest, error);
}

void clopt_contest_fini(struct clopt_contest *contest)
{
    for (size_t i = 0; i < contest->count; i++)
        clopt_contender_destroy(contest->contenders[i]);
    free(contest->contenders);
    clopt_app_source_fini(&contest->source);
    clopt_tuning_destroy(contest->tuning);
    free(contest->standing);
    free(contest->retried);
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

struct clopt_contender *clopt_contest_initial(const struct clopt_contest *contest)
{
    return contest->contenders[0];
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

/* Makes the next trial; *more is false where a search has none. */
static enum clopt_status choose(struct clopt_contest *contest, struct clopt_contender *next,
                                bool *more, bool *asked, struct clopt_error *error)
{
    *asked = contest->position == contest->order.count;
    if (*asked) {
        clopt_fail(error, CLOPT_OK, "%s", "");
        *more = clopt_tuning_ask(contest, next, error);
        return error->status;
    }
    *more = true;
    next->index = clopt_space_order_at(&contest->order, contest->position++);
    return clopt_space_trial(contest->run->study, contest->number, next->index, &next->trial,
                             error);
}

/* Enters a trial, or shows why it is infeasible. One that a search has asked for is shown once it
 * is made. `stays` is set where it has to be measured. */
static enum clopt_status look_at(struct clopt_contest *contest, struct clopt_contender *next,
                                 bool asked, bool *stays, struct clopt_error *error)
{
    struct clopt_error reason = {0};
    enum clopt_status status = clopt_variant_check(&next->trial, &contest->device->info, &reason);
    if (status == CLOPT_INFEASIBLE)
        return clopt_contest_show(contest, next, reason.message, error);
    if (status)
        *error = reason;
    else
        status = clopt_contest_enter(contest, next, error);
    if (!status && !asked)
        status = clopt_contest_show(contest, next, NULL, error);
    *stays = !status && next->phase != CLOPT_PHASE_OVER && !is_known(contest, next) &&
             !clopt_trial_is_initial(&next->trial); /* the contest has that one already */
    return status;
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

enum clopt_status clopt_contest_look(struct clopt_contest *contest, struct clopt_error *error)
{
    size_t in_hand = clopt_contest_count(contest, clopt_contender_is_in_hand);
    enum clopt_status status = CLOPT_OK;
    for (unsigned looked = 0; looked < LOOK && in_hand < CLOPT_MOST_IN_HAND && !status &&
                              clopt_contest_has_next(contest);
         looked++) {
        bool stays = false, asked, more;
        struct clopt_contender *next = add_contender(contest, CLOPT_ROLE_VARIANT);
        if (!next) {
            status = clopt_fail_memory(error);
            break;
        }
        status = choose(contest, next, &more, &asked, error);
        if (!status && more)
            status = look_at(contest, next, asked, &stays, error);
        if (!status && more && asked)
            clopt_tuning_enter(contest->tuning, next);
        if (!stays)
            clopt_contender_destroy(contest->contenders[--contest->count]);
        in_hand += stays;
        contest->tally.over += more && !stays;
        contest->tally.skipped += more && !stays;
    }
    return status;
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

bool clopt_contest_is_unusable(const struct clopt_contest *contest)
{
    const struct clopt_contender *initial = clopt_contest_initial(contest);
    return clopt_contender_has_failed(initial) && initial->row.stage &&
           strcmp(initial->row.stage, clopt_stage_name(CLOPT_STAGE_SETUP)) == 0;
}

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

json_t *clopt_contest_request(unsigned id, const struct clopt_trial *trial, json_t *variant,
                              enum clopt_stage until)
{
    json_t *request = clopt_message_request(id, CLOPT_STAGE_MAKE, until);
    json_object_set_new(request, "trial", clopt_trial_to_json(trial));
    if (variant)
        clopt_message_set_variant(request, variant);
    return request;
}

void clopt_contest_tell_known(const struct clopt_contest *contest,
                              const struct clopt_contender *contender, json_t *request)
{
    const char *known =
        contender->digest[0] ? contender->digest : clopt_contest_initial(contest)->digest;
    if (*known)
        json_object_set_new(request, "known", json_string(known));
}
