/* SPDX-License-Identifier: BSD-3-Clause */
/* The trials that compete with each other. */
#include "race/race.h"

#include "opencl/traits.h"
#include "race/combined.h"
#include "race/tuning.h"
#include "store/cursor.h"
#include "text/variant_name.h"
#include "trial/rate.h"
#include "trial/rival.h"

/* So many trials are looked at in one go: between two, others go on. */
#define LOOK 1000

/* A member that measures one has others built, and another one waits for its turn. */
#define IN_HAND_A_MEMBER 3

#define AGAIN_SALT "initial code, again"

/* ---- the store ---- */

void clopt_race_show(const struct clopt_race *race, const struct clopt_trial *trial, uint64_t index,
                     int64_t row, const char *reason)
{
    CLOPT_FREED char *name = clopt_trial_name(trial);
    json_auto_t *json = clopt_trial_to_json(trial);
    CLOPT_FREED char *text = json_dumps(json, JSON_COMPACT);
    bool whole = index >= CLOPT_FIRST_COMBINED && index < CLOPT_FIRST_RIVAL;
    const struct clopt_store_variant variant = {.trial = row,
                                                .device = race->device_row,
                                                .problem = race->problem_row,
                                                .kernel = trial->rival ? ""
                                                          : whole      ? CLOPT_WHOLE_RUN
                                                                       : trial->kernel->name,
                                                .name = name,
                                                .trial_json = text,
                                                .reason = reason,
                                                .ordinal = (int64_t)index};
    clopt_store_put_variants(race->run->store, &variant, 1, race->run->failure);
}

/* Reads what the store holds of a trial's samples. */
static void load_samples(const struct clopt_race *race, struct clopt_candidate *candidate)
{
    struct clopt_error *failure = race->run->failure;
    struct clopt_samples *samples = &candidate->samples;
    samples->columns = clopt_calloc(2 * samples->column_count, sizeof *samples->columns);
    for (size_t c = 0; c < samples->column_count && !failure->status; c++) {
        const char *kernel = c < race->kernel_count ? race->kernels[c].name : "";
        free(samples->process); /* the same for all columns */
        clopt_store_get_samples(race->run->store, candidate->row.id, kernel,
                                &samples->columns[c].times_ns, &samples->process, &samples->count,
                                failure);
        double *ran = clopt_calloc(samples->count, sizeof *ran);
        if (samples->count)
            memcpy(ran, samples->columns[c].times_ns, samples->count * sizeof *ran);
        samples->columns[clopt_samples_ran(samples, c)].times_ns = ran;
    }
    samples->capacity = samples->stored = samples->count;
    for (size_t i = 0; i < samples->count; i++)
        samples->measurements += i == 0 || samples->process[i] != samples->process[i - 1];
}

/* Whether the study asks for a trial that is over again, and has not done it again yet. */
static bool is_to_retry(const struct clopt_race *race, const struct clopt_store_trial *row)
{
    if (!row->id || !row->complete || !(race->run->retry >> row->outcome & 1))
        return false;
    for (size_t i = 0; i < race->retried_count; i++)
        if (race->retried[i] == row->id)
            return false;
    return true;
}

/* Forgets how a trial ended, in the store and in its row here. */
static void retry(struct clopt_race *race, const char *key, struct clopt_store_trial *row)
{
    const struct clopt_run *run = race->run;
    int64_t *retried = clopt_array_add(&race->retried, &race->retried_count, sizeof *race->retried);
    *retried = row->id;
    if (clopt_store_reset_trial(run->store, row->id, run->failure))
        return;
    clopt_store_trial_fini(row);
    clopt_store_find_trial(run->store, key, row, run->failure);
}

/* Computes the key of a candidate's trial. */
static enum clopt_status find_key(const struct clopt_race *race, struct clopt_candidate *candidate,
                                  char key[CLOPT_HASH_SIZE])
{
    const struct clopt_run *run = race->run;
    if (clopt_trial_key(&candidate->trial, &race->source, &race->device->info, run->files, key,
                        run->failure))
        return run->failure->status;
    size_t number = run->study->devices[race->where.device].number;
    if (number != CLOPT_NO_NUMBER) { /* nothing else tells it from its equals */
        char salt[48];
        snprintf(salt, sizeof salt, "device number %zu", number);
        clopt_sha256_salt(salt, key);
    }
    memcpy(candidate->initial_key,
           candidate->role == CLOPT_ROLE_INITIAL ? key : clopt_race_initial(race)->row.key,
           sizeof candidate->initial_key);
    if (candidate->role == CLOPT_ROLE_AGAIN) /* a trial of its own, though the same program */
        clopt_sha256_salt(AGAIN_SALT, key);
    if (!candidate->trial.rival)
        return CLOPT_OK;
    const struct clopt_rival *kind = run->study->rivals[candidate->index - CLOPT_FIRST_RIVAL].kind;
    return kind->key(candidate->trial.rival, run->kernel_path, run->files, key, run->failure);
}

/* Whether another candidate has the same key: a variant of several kernels is one trial. */
static bool is_known(const struct clopt_race *race, const struct clopt_candidate *candidate)
{
    for (size_t i = 0; i < race->count; i++)
        if (race->candidates[i] != candidate &&
            strcmp(race->candidates[i]->row.key, candidate->row.key) == 0)
            return true;
    return false;
}

/* Finds a candidate's row in the store, or writes one, and what it needs next. */
static void enter(struct clopt_race *race, struct clopt_candidate *candidate)
{
    const struct clopt_run *run = race->run;
    const struct clopt_error *failure = run->failure;
    struct clopt_store_trial *row = &candidate->row;
    char key[CLOPT_HASH_SIZE];
    candidate->samples.column_count = race->kernel_count + 1;
    for (size_t k = 0; !candidate->trial.rival && k < race->app->kernel_count; k++)
        if (clopt_trial_is_of(&candidate->trial, race->app->kernels[k]))
            candidate->kernels |= (uint64_t)1 << (race->app->kernels[k] - race->kernels);
    if (clopt_trial_is_combined(&candidate->trial))
        candidate->kernels = (uint64_t)1 << race->kernel_count;
    if (find_key(race, candidate, key) ||
        clopt_store_find_trial(run->store, key, row, run->failure))
        return;
    bool check = clopt_race_plan_check(race, candidate, false);
    candidate->wants_counters = clopt_race_lacks_counters(race, candidate);
    /* What was measured without a check counts for nothing where one is wanted. */
    bool unchecked = check && row->id && row->outcome == CLOPT_OUTCOME_OK;
    if (!failure->status && (unchecked || is_to_retry(race, row)))
        retry(race, key, row);
    if (failure->status)
        return;
    candidate->phase = check ? CLOPT_PHASE_CHECK : CLOPT_PHASE_BUILD;
    if (row->complete && !(row->outcome == CLOPT_OUTCOME_OK && candidate->wants_counters))
        candidate->phase = CLOPT_PHASE_OVER;
    if (row->id == 0) {
        memcpy(row->key, key, sizeof row->key);
        row->device = race->device_row;
        row->problem = race->problem_row;
        clopt_candidate_put(candidate, run);
    } else if (!row->complete || candidate->role ||
               (row->outcome == CLOPT_OUTCOME_OK &&
                (clopt_combined_is_wanted(race) || clopt_race_has_time(race)))) {
        load_samples(race, candidate);
    }
}

void clopt_race_enter_made(struct clopt_race *race, struct clopt_trial *trial, uint64_t index)
{
    struct clopt_error reason = {0}, *failure = race->run->failure;
    struct clopt_candidate *candidate = clopt_race_add(race, CLOPT_ROLE_VARIANT);
    candidate->trial = *trial;
    candidate->index = index;
    bool combined = clopt_trial_is_combined(trial);
    bool fits = !clopt_variant_check(trial, &race->device->info, &reason);
    if (fits)
        enter(race, candidate);
    else if (combined && reason.status != CLOPT_INFEASIBLE)
        *failure = reason;
    if (!failure->status && (fits || combined))
        clopt_race_show(race, trial, index, candidate->row.id, fits ? NULL : reason.message);
    if (!fits || failure->status || candidate->phase == CLOPT_PHASE_OVER ||
        (!combined && is_known(race, candidate)))
        clopt_candidate_destroy(race->candidates[--race->count]);
}

/* ---- the race ---- */

struct clopt_candidate *clopt_race_add(struct clopt_race *race, enum clopt_role role)
{
    struct clopt_candidate *candidate = clopt_calloc(1, sizeof *candidate);
    candidate->role = role;
    race->candidates[race->count++] = candidate;
    return candidate;
}

/* Enters the initial code, or a native program that solves its problem, which is shown. */
static void enter_initial(struct clopt_race *race, enum clopt_role role,
                          const struct clopt_study_rival *rival)
{
    const struct clopt_run *run = race->run;
    if (run->failure->status)
        return;
    struct clopt_candidate *candidate = clopt_race_add(race, role);
    if (clopt_space_trial(run->study, race->number, 0, &candidate->trial, run->failure))
        return;
    if (rival) {
        candidate->trial.rival = json_incref(rival->program);
        candidate->index = CLOPT_FIRST_RIVAL + (uint64_t)(rival - run->study->rivals);
    }
    enter(race, candidate);
    if (rival && !run->failure->status)
        clopt_race_show(race, &candidate->trial, candidate->index, candidate->row.id, NULL);
}

/* Shows the initial code of each kernel: all is compared with it, whatever is left out. */
static void show_initial(const struct clopt_race *race)
{
    const struct clopt_run *run = race->run;
    for (size_t k = 0; k < race->app->kernel_count && !run->failure->status; k++) {
        CLOPT_OWNED(clopt_trial) trial = {0};
        uint64_t index = clopt_space_first(run->study, race->number, k);
        if (!clopt_space_trial(run->study, race->number, index, &trial, run->failure))
            clopt_race_show(race, &trial, index, clopt_race_initial(race)->row.id, NULL);
    }
}

/* Enters those that a race has whatever its variants are. */
static void enter_fixed(struct clopt_race *race)
{
    const struct clopt_study *study = race->run->study;
    enter_initial(race, CLOPT_ROLE_INITIAL, NULL);
    enter_initial(race, CLOPT_ROLE_AGAIN, NULL);
    for (size_t i = 0; i < study->rival_count; i++)
        if (clopt_study_has_rival(study, &study->rivals[i], race->where.app, race->where.device,
                                  race->device->info.type))
            enter_initial(race, CLOPT_ROLE_RIVAL, &study->rivals[i]);
    for (size_t i = 0; i < race->count && study->shard.count && !race->order.count; i++)
        race->candidates[i]->phase = CLOPT_PHASE_OVER; /* no variant is compared with it here */
}

/* Writes the race's problem into the store. */
static void put_problem(struct clopt_race *race)
{
    const struct clopt_run *run = race->run;
    const struct clopt_plugin_entry *app = race->app->entry;
    const struct clopt_values *inputs = race->app->problems[race->where.problem];
    CLOPT_FREED char *label = clopt_inputs_label(app, inputs);
    json_auto_t *json = clopt_values_to_json(inputs);
    CLOPT_FREED char *text = json_dumps(json, JSON_COMPACT);
    if (text)
        clopt_store_put_problem(run->store, app->extension->name, label, text, &race->problem_row,
                                run->failure);
    else
        clopt_fail(run->failure, CLOPT_INVALID, "[app %s]: an input is not UTF-8",
                   app->extension->name);
}

/* Makes room for what the race knows of its candidates and members. */
static void allocate(struct clopt_race *race)
{
    const struct clopt_run *run = race->run;
    size_t columns = race->kernel_count + 1;
    size_t most = 2 + run->study->rival_count + race->most_in_hand + columns * CLOPT_MOST_FINALISTS;
    race->candidates = clopt_calloc(most, sizeof *race->candidates);
    race->ranking = clopt_calloc(columns, sizeof *race->ranking);
    race->devices = clopt_calloc(race->members, sizeof *race->devices);
    race->lost = clopt_calloc(race->members, sizeof *race->lost);
    race->in_finals = clopt_calloc(race->members, sizeof *race->in_finals);
    race->shares = clopt_calloc(race->members, sizeof *race->shares);
    race->devices[0] = race->where.device;
    for (size_t m = 1; m < race->members; m++)
        race->devices[m] = run->devices[race->devices[m - 1]].next;
}

/* Finds what the device's history lets expect, which reports are to know, too. */
static void expect(struct clopt_race *race)
{
    const struct clopt_run *run = race->run;
    struct clopt_spread past = clopt_spread_recall(&race->device->info);
    clopt_store_put(run->store, CLOPT_SQL_PUT_EXPECTED, run->failure, "rid", race->device_row,
                    clopt_spread_prior(race->on_cpu, &past));
    struct clopt_cursor rows = clopt_cursor_begin(run->store, CLOPT_SQL_GET_EXPECTED, run->failure,
                                                  "ri", race->device_row);
    clopt_cursor_next(&rows);
    race->expected = clopt_cursor_real(&rows, "deviation");
    clopt_cursor_end(&rows);
}

void clopt_race_init(struct clopt_race *race, const struct clopt_run *run, size_t number)
{
    const struct clopt_study *study = run->study;
    struct clopt_space_group where = clopt_space_group(study, number);
    const struct clopt_app *code = study->apps[where.app].entry->extension->app;
    const struct clopt_device_info *device = &run->devices[where.device].info;
    bool on_cpu = clopt_device_is_cpu(device);
    size_t members = clopt_run_count_members(run, where.device);
    *race = (struct clopt_race){
        .run = run,
        .number = number,
        .where = where,
        .device = &run->devices[where.device],
        .members = members,
        .left = members,
        .most_in_hand = members < CLOPT_MOST_IN_HAND / IN_HAND_A_MEMBER
                            ? CLOPT_MOST_IN_HAND
                            : IN_HAND_A_MEMBER * members,
        .on_cpu = on_cpu,
        .launches_first = on_cpu && (clopt_traits_find(device->platform)->compiles_at_launch ||
                                     study->measure.counters),
        .app = &study->apps[where.app],
        .kernels = code->kernels,
        .device_row = run->device_rows[where.device],
        .order = clopt_space_order_make(study, number)};
    while (race->kernels[race->kernel_count].name)
        race->kernel_count++;
    allocate(race);
    if (clopt_app_source_read(code, run->kernel_path, &race->source, run->failure))
        return;
    put_problem(race);
    expect(race);
    enter_fixed(race);
    if (run->failure->status)
        return;
    if (study->search.strategy)
        race->tuning = clopt_tuning_create(race);
    else
        show_initial(race);
}

void clopt_race_fini(struct clopt_race *race)
{
    for (size_t i = 0; i < race->count; i++)
        clopt_candidate_destroy(race->candidates[i]);
    free(race->candidates);
    clopt_app_source_fini(&race->source);
    clopt_tuning_destroy(race->tuning);
    clopt_combined_destroy(race->combined);
    free(race->ranking);
    free(race->retried);
    free(race->devices);
    free(race->lost);
    free(race->in_finals);
    free(race->shares);
    *race = (struct clopt_race){0};
}

size_t clopt_race_count(const struct clopt_race *race,
                        bool (*is)(const struct clopt_candidate *candidate))
{
    size_t count = 0;
    for (size_t i = 0; i < race->count; i++)
        count += is(race->candidates[i]);
    return count;
}

/* ---- trials that are looked at ---- */

/* Enters a trial, or shows why it is infeasible. One that a search has asked for is shown once it
 * is made. Whether it has to be measured, or was, and may be a finalist yet. */
static bool look_at(struct clopt_race *race, struct clopt_candidate *next, bool asked)
{
    const struct clopt_error *failure = race->run->failure;
    struct clopt_error reason = {0};
    if (clopt_variant_check(&next->trial, &race->device->info, &reason) == CLOPT_OK)
        enter(race, next);
    else if (reason.status != CLOPT_INFEASIBLE)
        *race->run->failure = reason;
    bool infeasible = reason.status;
    if ((!asked || infeasible) && !failure->status)
        clopt_race_show(race, &next->trial, next->index, next->row.id,
                        infeasible ? reason.message : NULL);
    if (asked)
        clopt_tuning_enter(race->tuning, next);
    bool measured = clopt_candidate_is_measured(next);
    if (infeasible || failure->status || is_known(race, next) ||
        clopt_trial_is_initial(&next->trial)) /* the race has that one already */
        return false;
    bool stays = next->phase != CLOPT_PHASE_OVER || (clopt_race_has_time(race) && measured);
    race->blind |= !stays && next->row.outcome == CLOPT_OUTCOME_OK;
    return stays;
}

bool clopt_race_is_exhausted(const struct clopt_race *race)
{
    return race->position == race->order.count &&
           (!race->tuning || clopt_tuning_is_over(race->tuning));
}

static bool has_next(const struct clopt_race *race)
{
    return race->position < race->order.count || (race->tuning && clopt_tuning_wants(race->tuning));
}

bool clopt_race_wants_trials(const struct clopt_race *race)
{
    size_t in_hand = clopt_race_count(race, clopt_candidate_is_in_hand);
    return has_next(race) && in_hand < race->most_in_hand &&
           (!race->on_cpu || race->tuning || in_hand <= race->most_in_hand / 2 || race->filling);
}

void clopt_race_look(struct clopt_race *race)
{
    const struct clopt_run *run = race->run;
    size_t in_hand = clopt_race_count(race, clopt_candidate_is_in_hand);
    for (unsigned looked = 0;
         looked < LOOK && in_hand < race->most_in_hand && !run->failure->status && has_next(race);
         looked++) {
        bool asked = race->position == race->order.count, more;
        struct clopt_candidate *next = clopt_race_add(race, CLOPT_ROLE_VARIANT);
        if (!asked)
            next->index = clopt_space_order_at(&race->order, race->position++);
        more = asked ? clopt_tuning_ask(race, next)
                     : !clopt_space_trial(run->study, race->number, next->index, &next->trial,
                                          run->failure);
        bool stays = more && look_at(race, next, asked);
        if (!stays) {
            clopt_combined_note(race, next);
            clopt_candidate_destroy(race->candidates[--race->count]);
        }
        in_hand += stays;
        race->tally.over += more && !stays;
        race->tally.skipped += more && (!stays || next->phase == CLOPT_PHASE_OVER);
    }
}

void clopt_race_leave_out(struct clopt_race *race, bool built)
{
    race->tally.not_reached += race->order.count - race->position;
    race->position = race->order.count;
    if (race->tuning)
        clopt_tuning_stop(race->tuning);
    for (size_t i = 0; i < race->count; i++) {
        struct clopt_candidate *candidate = race->candidates[i];
        if (candidate->users || candidate->phase == CLOPT_PHASE_OVER ||
            (!clopt_candidate_is_unbuilt(candidate) && !built))
            continue;
        if (candidate->phase == CLOPT_PHASE_COUNT && !built) {
            candidate->phase = clopt_candidate_after_build(candidate);
            continue;
        }
        if (candidate->unexplained) {
            clopt_candidate_explain(candidate, race->run,
                                    "why is not known, as the time was over: run clopt check");
            continue;
        }
        candidate->phase = CLOPT_PHASE_OVER;
        race->tally.not_reached += candidate->samples.count == 0;
        if (race->tuning && candidate->samples.count == 0)
            clopt_tuning_leave_out(race->tuning, candidate);
    }
}

/* ---- results ---- */

/* Finds a candidate that is the same program as another one. */
static struct clopt_candidate *find_duplicate(const struct clopt_race *race,
                                              const struct clopt_candidate *candidate)
{
    for (size_t i = 0; i < race->count; i++) {
        struct clopt_candidate *other = race->candidates[i];
        if (other != candidate && other->role != CLOPT_ROLE_AGAIN && !other->is_alias &&
            other->variant && strcmp(other->row.fingerprint, candidate->row.fingerprint) == 0)
            return other;
    }
    return NULL;
}

void clopt_race_find_alias(struct clopt_race *race, struct clopt_candidate *candidate)
{
    struct clopt_store_trial *row = &candidate->row;
    struct clopt_store *store = race->run->store;
    if (candidate->role || !row->fingerprint || candidate->samples.count)
        return;
    struct clopt_candidate *duplicate = find_duplicate(race, candidate);
    int64_t known = duplicate && duplicate->row.complete ? duplicate->row.id : 0;
    if (!duplicate)
        clopt_store_find_duplicate(store, row->device, row->problem, row->fingerprint, &known,
                                   race->run->failure);
    if (!duplicate && !known)
        return;
    candidate->is_alias = true;
    candidate->phase = CLOPT_PHASE_OVER;
    clopt_candidate_put(candidate, race->run);
    if (duplicate)
        duplicate->has_aliases = true;
    if (known)
        clopt_store_put(store, CLOPT_SQL_SHARE_OUTCOME, race->run->failure, "i", known);
}

enum clopt_status clopt_race_take(const struct clopt_race *race, struct clopt_candidate *candidate,
                                  const json_t *answer, int64_t paused_ns,
                                  struct clopt_error *error)
{
    const struct clopt_candidate *initial = clopt_race_initial(race);
    bool verified = candidate->checks.digest[0];
    enum clopt_status status = clopt_candidate_take(candidate, answer, paused_ns, error);
    if (!status) {
        const json_t *permuted_ns = json_object_get(answer, "permuted_ns");
        if (permuted_ns)
            clopt_store_put(race->run->store, CLOPT_SQL_PUT_COUNTER, race->run->failure, "issdss",
                            candidate->row.id, candidate->trial.kernel->name,
                            CLOPT_COUNTER_PERMUTING, json_number_value(permuted_ns), "ns", "clopt");
    }
    if (verified || candidate == initial || !candidate->checks.digest[0] ||
        strcmp(candidate->checks.digest, initial->checks.digest) != 0)
        return status;
    free(candidate->row.verdict.text);
    candidate->row.verdict = initial->row.verdict;
    candidate->row.verdict.right = true;
    candidate->row.verdict.text =
        initial->row.verdict.text ? clopt_strdup(initial->row.verdict.text) : NULL;
    return status;
}
