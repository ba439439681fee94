/* SPDX-License-Identifier: BSD-3-Clause */
/* What one worker does for one candidate, in one request, apart from measuring it. */
#include "supervisor/job.h"

#include "opencl/traits.h"
#include "race/finals.h"
#include "race/ranking.h"
#include "store/cursor.h"
#include "text/json.h"
#include "trial/observer.h"

#define OTHER_SEEDS (CLOPT_OTHER_PROBLEMS - 1) /* the last of the problems has an odd size */

bool clopt_failure_spoils(struct clopt_seat *seat, const json_t *answer, enum clopt_status status)
{
    seat->is_suspect |= status == CLOPT_WRONG_RESULT;
    return json_is_true(json_object_get(answer, "damaged")) ||
           (status != CLOPT_OK && status != CLOPT_INFEASIBLE && status != CLOPT_BUILD_FAILED &&
            status != CLOPT_WRONG_RESULT);
}

static bool is_recheck(const struct clopt_job *job)
{
    return job->phase == CLOPT_PHASE_OVER;
}

/* ---- other problems ---- */

/* Makes a candidate's trial with the problem of the job; false where there is none. */
static bool make_trial(struct clopt_job *job, const struct clopt_candidate *candidate)
{
    struct clopt_race *race = job->race;
    struct clopt_trial trial = candidate->trial; /* borrows */
    if (job->phase == CLOPT_PHASE_CHECK)
        trial.inputs = race->app->problems[candidate->checks.problem];
    else if (is_recheck(job) && job->recheck.problem < OTHER_SEEDS)
        trial.seed += job->recheck.problem + 1;
    clopt_trial_copy(&trial, &job->trial);
    if (!is_recheck(job) || job->recheck.problem < OTHER_SEEDS ||
        clopt_inputs_halve(job->trial.inputs, trial.app->extension->app->inputs, true))
        return true;
    race->bad_problems |= 1u << job->recheck.problem;
    clopt_trial_fini(&job->trial);
    return false;
}

/* Says in words with which problem a candidate failed. */
static void name_problem(const struct clopt_job *job, struct clopt_error *error)
{
    CLOPT_FREED char *label = clopt_inputs_label(job->trial.app, job->trial.inputs);
    const struct clopt_observer *verifies = job->race->run->study->measure.verifies;
    if (job->phase == CLOPT_PHASE_CHECK)
        clopt_fail_within(error, "%s%s%s", verifies->manner ? verifies->manner : "checked",
                          *label ? " with " : "", label);
    else if (is_recheck(job))
        clopt_fail_within(error, "right for this problem, but with %s and seed %llu", label,
                          (unsigned long long)job->trial.seed);
}

/* ---- requests ---- */

json_t *clopt_job_request(unsigned id, const struct clopt_trial *trial, json_t *variant,
                          enum clopt_stage until)
{
    json_t *request = clopt_message_request(id, CLOPT_STAGE_MAKE, until);
    json_object_set_new(request, "trial", clopt_trial_to_json(trial));
    if (variant)
        clopt_message_set_variant(request, variant);
    return request;
}

void clopt_job_tell_known(const struct clopt_race *race, const struct clopt_candidate *candidate,
                          json_t *request)
{
    const char *known = candidate->checks.digest[0] ? candidate->checks.digest
                                                    : clopt_race_initial(race)->checks.digest;
    if (*known)
        json_object_set_new(request, "known", json_string(known));
    json_object_set_new(request, "once_ns", json_real(clopt_ranking_once_ns(race)));
}

/* Names all that look at a variant. */
static void add_observers(const struct clopt_job *job, json_t *request)
{
    const struct clopt_list *observers = &job->race->run->study->measure.observers;
    json_t *names = json_array();
    for (size_t i = 0; i < observers->count; i++)
        json_array_append_new(names, json_string(observers->items[i]));
    json_object_set_new(request, "observers", names);
}

/* Has the counter of the study count a candidate with the smallest problem. */
static void add_count(const struct clopt_job *job, json_t *request)
{
    const struct clopt_race *race = job->race;
    struct clopt_trial trial = job->trial; /* borrows */
    trial.inputs = race->app->problems[clopt_race_find_problem(race, clopt_race_initial(race))];
    json_object_set_new(request, "count", clopt_trial_to_json(&trial));
    json_object_set_new(request, "observers",
                        json_pack("[s]", race->run->study->measure.counter->name));
}

/* The first request of a job. A build is made first: its program may be known. What is made of the
 * candidate for another seed is what was made of it before. */
static json_t *first_request(const struct clopt_job *job)
{
    bool build = job->phase == CLOPT_PHASE_BUILD, count = job->phase == CLOPT_PHASE_COUNT;
    bool same = build || count || (is_recheck(job) && job->recheck.problem < OTHER_SEEDS);
    json_t *variant = same ? job->candidate->variant : NULL;
    json_t *request =
        clopt_job_request(0, &job->trial, variant,
                          is_recheck(job) && !job->standby ? CLOPT_STAGE_VERIFY : CLOPT_STAGE_MAKE);
    add_observers(job, request);
    if (count)
        add_count(job, request);
    if (job->phase == CLOPT_PHASE_EXPLAIN)
        json_object_set_new(request, "explain", json_true());
    if (job->phase == CLOPT_PHASE_CHECK)
        json_object_set_new(request, "check", json_string(job->race->run->study->measure.verifier));
    if (!build)
        json_object_set_new(request, "drop", json_true());
    else if (job->candidate->role == CLOPT_ROLE_INITIAL && !variant)
        json_object_set_new(request, "initial", json_true());
    if (job->standby)
        json_object_set_new(request, "inputs", json_true());
    if (job->recheck.digest[0])
        json_object_set_new(request, "known", json_string(job->recheck.digest));
    json_object_set_new(request, "once_ns", json_real(clopt_ranking_once_ns(job->race)));
    return request;
}

/* The second request of a build. What was launched before is verified when it is measured, unless
 * it was wrong. */
static json_t *build_request(const struct clopt_job *job)
{
    json_t *request = clopt_message_request(
        0, CLOPT_STAGE_BUILD, job->race->launches_first ? CLOPT_STAGE_VERIFY : CLOPT_STAGE_BUILD);
    if (job->candidate->wants_counters || !job->task.cache)
        json_object_set_new(request, job->candidate->wants_counters ? "counters" : "recall",
                            json_true());
    add_observers(job, request);
    json_object_set_new(request, "drop", json_true());
    clopt_job_tell_known(job->race, job->candidate, request);
    return request;
}

/* ---- answers ---- */

/* Writes how the kernels of the initial code access memory, or what those of the program do. */
static void put_analysis(const struct clopt_job *job, const json_t *answer, bool profiles)
{
    const struct clopt_run *run = job->race->run;
    const struct clopt_store_trial *row = &job->candidate->row;
    const char *kernel;
    json_t *found;
    json_object_foreach(json_object_get(answer, profiles ? "profiles" : "patterns"), kernel, found)
    {
        CLOPT_FREED char *text = json_dumps(found, JSON_COMPACT | JSON_ENCODE_ANY);
        if (profiles)
            clopt_store_put(run->store, CLOPT_SQL_PUT_PROFILE, run->failure, "isss", row->problem,
                            kernel, row->fingerprint, text);
        else
            clopt_store_put(run->store, CLOPT_SQL_PUT_PATTERNS, run->failure, "iss", row->problem,
                            kernel, text);
    }
}

/* Stores the counters of an answer. */
static void put_counters(const struct clopt_job *job, const json_t *answer)
{
    const struct clopt_run *run = job->race->run;
    size_t i;
    json_t *item;
    json_array_foreach(json_object_get(answer, "counters"), i, item)
    {
        const char *kernel, *name, *unit, *source;
        double value;
        if (json_unpack(item, "[s,s,F,s,s]", &kernel, &name, &value, &unit, &source))
            continue;
        clopt_store_put(run->store, CLOPT_SQL_PUT_COUNTER, run->failure, "issdss",
                        job->candidate->row.id, kernel, name, value, unit, source);
    }
}

/* Goes on with the candidate's own problem, not that of the check; NULL: that has passed before. */
static json_t *use_own_problem(struct clopt_job *job, struct clopt_loss *loss)
{
    bool needed = clopt_race_plan_check(job->race, job->candidate, true);
    clopt_trial_fini(&job->trial);
    if (needed)
        make_trial(job, job->candidate);
    loss->error = *job->race->run->failure;
    return needed && !loss->error.status ? first_request(job) : NULL;
}

/* The candidate passed the job. */
static void pass(struct clopt_job *job)
{
    struct clopt_candidate *candidate = job->candidate;
    const struct clopt_run *run = job->race->run;
    switch (job->phase) {
    case CLOPT_PHASE_BUILD:
        job->race->tally.built++;
        job->race->built_s += (double)candidate->row.build.ns * 1e-9;
        if (candidate->phase != CLOPT_PHASE_OVER) {
            candidate->phase = candidate->wants_counters && run->counts && !job->race->uncountable
                                   ? CLOPT_PHASE_COUNT
                                   : clopt_candidate_after_build(candidate);
            clopt_candidate_put(candidate, run);
        }
        break;
    case CLOPT_PHASE_COUNT:
        candidate->phase = clopt_candidate_after_build(candidate);
        break;
    case CLOPT_PHASE_CHECK:
        candidate->phase = CLOPT_PHASE_BUILD;
        clopt_race_pass_check(job->race, candidate);
        break;
    default:
        candidate->checks.passed |= 1u << job->recheck.problem;
    }
}

/* Goes on with a candidate that could not be counted. Where the initial code cannot be, nothing is,
 * and it is said why. */
static void note_uncounted(struct clopt_job *job, const struct clopt_loss *loss)
{
    struct clopt_candidate *candidate = job->candidate;
    candidate->phase = clopt_candidate_after_build(candidate);
    if (candidate->role != CLOPT_ROLE_INITIAL || job->race->uncountable)
        return;
    job->race->uncountable = true;
    for (size_t i = 0; i < job->race->count; i++) {
        struct clopt_candidate *other = job->race->candidates[i];
        if (other->phase == CLOPT_PHASE_COUNT && !other->users)
            other->phase = clopt_candidate_after_build(other);
    }
    clopt_text_print(job->race->run->notices, "clopt: note: %s is not counted (%s): %s\n",
                     job->race->app->entry->extension->name,
                     job->race->run->study->measure.counter->name, loss->error.message);
}

void clopt_job_blame(const struct clopt_race *race, struct clopt_candidate *candidate,
                     const struct clopt_loss *loss)
{
    bool setup = loss->stage == CLOPT_STAGE_SETUP;
    const struct clopt_candidate *initial = clopt_race_initial(race);
    if (setup && !candidate->role &&
        (clopt_candidate_has_failed(initial) ||
         (!initial->row.complete &&
          (candidate->losses.setups++ == 0 || clopt_candidate_is_unbuilt(initial))))) {
        if (candidate->phase == CLOPT_PHASE_MEASURE) /* no process is kept for it */
            candidate->phase = CLOPT_PHASE_BUILD;
        return;
    }
    if (!setup || candidate->role != CLOPT_ROLE_INITIAL ||
        loss->error.status != CLOPT_WRONG_RESULT) {
        clopt_candidate_fail(candidate, race->run, loss);
        return;
    }
    candidate->unexplained = clopt_calloc(1, sizeof *loss);
    *candidate->unexplained = *loss;
    candidate->phase = CLOPT_PHASE_EXPLAIN;
}

/* The candidate failed the job. Where the initial code fails with another problem, that is to
 * blame, and nobody is checked with it. */
static void fail(struct clopt_job *job, struct clopt_loss *loss)
{
    if (is_recheck(job) && job->candidate->role) {
        job->race->bad_problems |= 1u << job->recheck.problem;
        return;
    }
    if (job->phase == CLOPT_PHASE_COUNT) { /* that says nothing of it on its own device */
        note_uncounted(job, loss);
        return;
    }
    name_problem(job, &loss->error);
    if (!clopt_candidate_has_failed(job->candidate)) /* another recheck may have failed it */
        clopt_job_blame(job->race, job->candidate, loss);
}

/* Ends a candidate whose failure a job was to explain, which nothing may have done. */
static void explain(const struct clopt_job *job, const json_t *answer,
                    const struct clopt_error *error)
{
    const char *found = clopt_json_string(answer, "explained");
    CLOPT_FREED char *why =
        found
            ? NULL
            : clopt_text_format("why is not known, as the checker failed (%.600s): run clopt check",
                                error->message);
    clopt_candidate_explain(job->candidate, job->race->run, found ? found : why);
}

void clopt_job_end(struct clopt_job *job)
{
    if (job->phase == CLOPT_PHASE_MEASURE)
        clopt_measurement_end(job);
    else
        job->candidate->users--;
    job->race->busy_until_ns = clopt_now_ns();
    job->race = NULL;
    clopt_trial_fini(&job->trial);
}

/* ---- wrong results ---- */

bool clopt_job_doubts(const struct clopt_job *job, struct clopt_candidate *candidate,
                      enum clopt_phase phase, const json_t *answer, const struct clopt_error *error)
{
    const char *platform = job->race->run->devices[job->device].info.platform;
    if (error->status != CLOPT_WRONG_RESULT || candidate->losses.wrong >> phase & 1 ||
        json_is_true(json_object_get(answer, "damaged")) ||
        !clopt_traits_find(platform)->cache_variable)
        return false;
    candidate->losses.wrong |= 1u << phase;
    return true;
}

/* Where a candidate is right that was wrong before, the run goes on with the cache of which that
 * came. It is said once. */
static void blame_cache(const struct clopt_job *job)
{
    const struct clopt_run *run = job->race->run;
    const struct clopt_pool_device *device = &run->devices[job->device];
    if (!(job->candidate->losses.wrong >> job->phase & 1) || !job->task.cache)
        return;
    bool first = !run->pool->settings.cache;
    run->pool->settings.cache = job->task.cache;
    if (!first)
        return;
    CLOPT_FREED char *name = clopt_trial_name(&job->trial);
    CLOPT_FREED char *folder =
        device->host ? clopt_text_format("that cache on host %s", device->host->name)
                     : clopt_traits_cache_folder(clopt_traits_find(device->info.platform));
    clopt_text_print(run->notices,
                     "clopt: note: %s on %s was wrong with the builds in the driver's cache, and "
                     "right with an empty cache, with which the run goes on: the cache held a "
                     "wrong build, unless results differ from run to run; delete %s\n",
                     name, run->study->devices[job->race->where.device].label, folder);
}

/* Has the job work on a candidate; false where there is no such problem. */
static bool take_up(struct clopt_job *job, struct clopt_candidate *candidate)
{
    if (!make_trial(job, candidate))
        return false;
    job->candidate = candidate;
    candidate->users++;
    return true;
}

/* Takes the answer of a build; returns the request that follows, or NULL. */
static json_t *take_build(struct clopt_job *job, const json_t *answer, struct clopt_loss *loss)
{
    bool built = json_object_get(answer, "built");
    clopt_race_take(job->race, job->candidate, answer, job->task.seat->process.clock.paused_ns,
                    &loss->error);
    put_analysis(job, answer, true);
    if (built && !loss->error.status) {
        put_counters(job, answer);
        clopt_ranking_take_launch(job->race, job->candidate, answer,
                                  job->task.seat->process.clock.paused_ns);
    }
    if (built || loss->error.status)
        return NULL;
    put_analysis(job, answer, false);
    /* Else it is built once more to be counted, or since it was wrong. */
    if (!job->candidate->row.complete && !job->task.cache)
        clopt_race_find_alias(job->race, job->candidate);
    return job->candidate->phase == CLOPT_PHASE_OVER ? NULL : build_request(job);
}

/* Takes the answer of a check; returns the request that follows, or NULL. What the initial code
 * computes is known to be right for the finalists after it. */
static json_t *take_check(struct clopt_job *job, const json_t *answer, struct clopt_loss *loss)
{
    const char *digest = json_string_value(json_object_get(answer, "digest"));
    if (!clopt_message_get_error(answer, &loss->error) && job->phase == CLOPT_PHASE_COUNT)
        put_counters(job, answer);
    if (digest && is_recheck(job) && job->candidate->role && !loss->error.status)
        snprintf(job->recheck.digest, sizeof job->recheck.digest, "%s", digest);
    bool unfit = loss->error.status == CLOPT_INFEASIBLE;
    bool elsewhere = unfit && job->phase == CLOPT_PHASE_CHECK &&
                     job->candidate->checks.problem != job->race->where.problem;
    if (unfit && is_recheck(job) && !job->candidate->role &&
        !json_is_true(json_object_get(job->candidate->variant, "demands")))
        loss->error.status = CLOPT_OK; /* no rewriting is why: it takes few sizes by itself */
    return elsewhere ? use_own_problem(job, loss) : NULL;
}

static json_t *next(struct clopt_task *task, const json_t *answer)
{
    struct clopt_job *job = (struct clopt_job *)task;
    struct clopt_loss loss = {.stage = task->seat->process.stage};
    if (!answer)
        return first_request(job);
    if (job->phase == CLOPT_PHASE_EXPLAIN) {
        clopt_message_get_error(answer, &loss.error);
        explain(job, answer, &loss.error);
        clopt_job_end(job);
        return NULL;
    }
    task->waiting = job->standby && !clopt_message_get_error(answer, &loss.error);
    if (task->waiting)
        return NULL;
    json_t *request =
        (job->phase == CLOPT_PHASE_BUILD ? take_build : take_check)(job, answer, &loss);
    if (request)
        return request;
    task->spoiled = clopt_failure_spoils(task->seat, answer, loss.error.status);
    if (!loss.error.status) {
        blame_cache(job);
        pass(job);
    } else if (clopt_job_doubts(job, job->candidate, job->phase, answer, &loss.error)) {
        task->spoiled = true; /* the worker has the build */
    } else {
        fail(job, &loss);
    }
    struct clopt_race *race = job->race;
    clopt_job_end(job);
    if (!is_recheck(job) || task->spoiled)
        return NULL;
    struct clopt_candidate *other = clopt_finals_to_recheck(race, job->recheck.problem);
    job->race = race;
    if (other && take_up(job, other))
        return first_request(job);
    job->race = NULL;
    return NULL;
}

static void lost(struct clopt_task *task, const json_t *parts, const struct clopt_loss *loss)
{
    struct clopt_job *job = (struct clopt_job *)task;
    struct clopt_loss why = *loss;
    struct clopt_error none;
    if (job->phase == CLOPT_PHASE_BUILD)
        clopt_candidate_take(job->candidate, parts, task->seat->process.clock.paused_ns, &none);
    if (job->phase == CLOPT_PHASE_EXPLAIN)
        explain(job, NULL, &why.error);
    else if (job->phase == CLOPT_PHASE_COUNT || !clopt_candidate_excuses(job->candidate, loss))
        fail(job, &why);
    clopt_job_end(job);
}

bool clopt_job_init(struct clopt_job *job, struct clopt_candidate *candidate)
{
    struct clopt_pool *pool = job->race->run->pool;
    bool doubted = candidate->losses.wrong >> job->phase & 1;
    job->task = (struct clopt_task){.next = next,
                                    .lost = lost,
                                    .untimed = true,
                                    .fresh = doubted || candidate->losses.suspicions > 0 ||
                                             job->phase == CLOPT_PHASE_EXPLAIN,
                                    .cache = doubted ? ++pool->caches : 0};
    return take_up(job, candidate);
}
