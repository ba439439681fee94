/* SPDX-License-Identifier: BSD-3-Clause */
/* What one worker does for one contender, in one request, apart from measuring it. */
#include "supervisor/job.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "contest/finals.h"

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
    return job->kind & CLOPT_JOBS_RECHECKS;
}

/* ---- other problems ---- */

/* Makes a contender's trial with the problem of the job; false where there is none. */
static bool make_trial(struct clopt_job *job, const struct clopt_contender *contender)
{
    struct clopt_contest *contest = job->contest;
    struct clopt_trial trial = contender->trial; /* borrows */
    if (job->kind == CLOPT_JOB_CHECK)
        trial.inputs = contest->app->problems[contender->check_problem];
    else if (job->kind == CLOPT_JOB_COUNT)
        trial.inputs = contest->count_inputs;
    else if (is_recheck(job) && job->problem < OTHER_SEEDS)
        trial.seed += job->problem + 1;
    if (clopt_trial_copy(&trial, &job->trial, contest->run->failure))
        return false;
    if (!is_recheck(job) || job->problem < OTHER_SEEDS ||
        clopt_inputs_halve(job->trial.inputs, clopt_entry_app(trial.app)->inputs, true))
        return true;
    contest->bad_problems |= 1u << job->problem;
    clopt_trial_fini(&job->trial);
    return false;
}

/* Says in words with which problem a contender failed. */
static void name_problem(const struct clopt_job *job, struct clopt_error *error)
{
    char *label = clopt_inputs_label(job->trial.app, job->trial.inputs);
    if (job->kind == CLOPT_JOB_CHECK)
        clopt_fail_within(error, "under Oclgrind%s%s", label && *label ? " with " : "",
                          label ? label : "");
    else if (job->kind == CLOPT_JOB_RECHECK)
        clopt_fail_within(error, "right for this problem, but with %s and seed %llu",
                          label ? label : "other inputs", (unsigned long long)job->trial.seed);
    free(label);
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

void clopt_job_tell_known(const struct clopt_contest *contest,
                          const struct clopt_contender *contender, json_t *request)
{
    const char *known =
        contender->digest[0] ? contender->digest : clopt_contest_initial(contest)->digest;
    if (*known)
        json_object_set_new(request, "known", json_string(known));
}

/* The first request of a job. A build is made first: its program may be known. What is made of the
 * contender for another seed is what was made of it before; Oclgrind needs the lines of what it has
 * compiled itself. */
static json_t *first_request(const struct clopt_job *job)
{
    bool build = job->kind == CLOPT_JOB_BUILD, count = job->kind == CLOPT_JOB_COUNT;
    bool prepare = job->kind == CLOPT_JOB_PREPARE;
    bool same = build || (is_recheck(job) && job->problem < OTHER_SEEDS);
    json_t *variant = same ? job->contender->variant : NULL;
    json_t *request = clopt_job_request(0, &job->trial, variant,
                                        build || prepare ? CLOPT_STAGE_MAKE
                                        : count          ? CLOPT_STAGE_BUILD
                                                         : CLOPT_STAGE_VERIFY);
    if (count)
        json_object_set_new(request, "instructions", json_true());
    if (!build)
        json_object_set_new(request, "drop", json_true());
    else if (job->contender->role == CLOPT_ROLE_INITIAL && !variant)
        json_object_set_new(request, "patterns", json_true());
    if (prepare)
        json_object_set_new(request, "inputs", json_true());
    if (job->digest[0])
        json_object_set_new(request, "known", json_string(job->digest));
    return request;
}

/* The second request of a build. What was launched before is verified when it is measured. */
static json_t *build_request(const struct clopt_job *job)
{
    json_t *request = clopt_message_request(0, CLOPT_STAGE_BUILD,
                                            job->contest->launches_first ? CLOPT_STAGE_VERIFY
                                                                         : CLOPT_STAGE_BUILD);
    json_object_set_new(request, job->contender->wants_counters ? "counters" : "recall",
                        json_true());
    json_object_set_new(request, "profiles", json_true());
    json_object_set_new(request, "drop", json_true());
    clopt_job_tell_known(job->contest, job->contender, request);
    return request;
}

/* ---- answers ---- */

/* Writes how the kernels of the initial code access memory, or what those of the program do. */
static void put_analysis(const struct clopt_job *job, const json_t *answer, bool profiles)
{
    const struct clopt_run *run = job->contest->run;
    const struct clopt_store_trial *row = &job->contender->row;
    const char *kernel;
    json_t *found;
    json_object_foreach(json_object_get(answer, profiles ? "profiles" : "patterns"), kernel, found)
    {
        char *text = json_dumps(found, JSON_COMPACT | JSON_ENCODE_ANY);
        if (!text)
            clopt_fail_memory(run->failure);
        else if (profiles)
            clopt_store_put_profile(run->store, row->problem, kernel, row->fingerprint, text,
                                    run->failure);
        else
            clopt_store_put_patterns(run->store, row->problem, kernel, text, run->failure);
        free(text);
    }
}

/* Stores the counters of an answer. */
static void put_counters(const struct clopt_job *job, const json_t *answer)
{
    const struct clopt_run *run = job->contest->run;
    size_t i;
    json_t *item;
    json_array_foreach(json_object_get(answer, "counters"), i, item)
    {
        struct clopt_store_counter counter;
        if (json_unpack(item, "[s,s,F,s,s]", &counter.kernel, &counter.name, &counter.value,
                        &counter.unit, &counter.source))
            continue;
        if (strcmp(counter.source, "oclgrind") == 0)
            counter.source = job->contest->count_source;
        clopt_store_put_counter(run->store, job->contender->row.id, &counter, run->failure);
    }
}

/* Goes on with the contender's own problem, since the one of the check is none for it; NULL where
 * that has passed before. */
static json_t *use_own_problem(struct clopt_job *job, struct clopt_loss *loss)
{
    bool needed = clopt_contest_plan_check(job->contest, job->contender, true);
    clopt_trial_fini(&job->trial);
    if (needed)
        make_trial(job, job->contender);
    loss->error = *job->contest->run->failure;
    return needed && !loss->error.status ? first_request(job) : NULL;
}

/* The contender passed the job. */
static void pass(struct clopt_job *job)
{
    struct clopt_contender *contender = job->contender;
    const struct clopt_run *run = job->contest->run;
    switch (job->kind) {
    case CLOPT_JOB_BUILD:
        job->contest->tally.built++;
        job->contest->built_s += (double)contender->row.build_ns * 1e-9;
        if (contender->phase != CLOPT_PHASE_OVER) {
            contender->phase =
                contender->wants_counters && run->counts && !job->contest->uncountable
                    ? CLOPT_PHASE_COUNT
                    : clopt_contender_after_build(contender);
            clopt_contender_put(contender, run);
        }
        break;
    case CLOPT_JOB_COUNT:
        contender->phase = clopt_contender_after_build(contender);
        break;
    case CLOPT_JOB_CHECK:
        contender->phase = CLOPT_PHASE_BUILD;
        clopt_contest_pass_check(job->contest, contender);
        break;
    default:
        contender->rechecked |= 1u << job->problem;
    }
}

/* Goes on with a contender that could not be counted. Where the initial code cannot be, nothing is,
 * and it is said why. */
static void note_uncounted(struct clopt_job *job, const struct clopt_loss *loss)
{
    struct clopt_contender *contender = job->contender;
    contender->phase = clopt_contender_after_build(contender);
    if (contender->role != CLOPT_ROLE_INITIAL || job->contest->uncountable)
        return;
    job->contest->uncountable = true;
    for (size_t i = 0; i < job->contest->count; i++) {
        struct clopt_contender *other = job->contest->contenders[i];
        if (other->phase == CLOPT_PHASE_COUNT && !other->users)
            other->phase = clopt_contender_after_build(other);
    }
    clopt_text_print(job->contest->run->notices, "clopt: note: %s is not counted (%s): %s\n",
                     job->contest->app->entry->plugin->name, job->contest->count_source,
                     loss->error.message);
}

/* The contender failed the job. Where the initial code fails with another problem, that is to
 * blame, and nobody is checked with it. */
static void fail(struct clopt_job *job, struct clopt_loss *loss)
{
    if (is_recheck(job) && job->contender->role) {
        job->contest->bad_problems |= 1u << job->problem;
        return;
    }
    if (job->kind == CLOPT_JOB_COUNT) { /* that says nothing of it on its own device */
        note_uncounted(job, loss);
        return;
    }
    name_problem(job, &loss->error);
    if (!clopt_contender_has_failed(job->contender)) /* another recheck may have failed it */
        clopt_contender_fail(job->contender, job->contest->run, loss);
}

void clopt_job_end(struct clopt_job *job)
{
    if (job->kind & CLOPT_JOBS_SWEEPS)
        clopt_sweep_end(job);
    else
        job->contender->users--;
    job->contest = NULL;
    clopt_trial_fini(&job->trial);
}

/* Has the job work on a contender; false where there is no such problem, or no memory. */
static bool take_up(struct clopt_job *job, struct clopt_contender *contender)
{
    if (!make_trial(job, contender))
        return false;
    job->contender = contender;
    contender->users++;
    return true;
}

/* Takes the answer of a build; returns the request that follows, or NULL. */
static json_t *take_build(struct clopt_job *job, const json_t *answer, struct clopt_loss *loss)
{
    bool built = json_object_get(answer, "built");
    clopt_contest_take(job->contest, job->contender, answer, job->task.seat->process.paused_ns,
                       &loss->error);
    put_analysis(job, answer, true);
    if (built && !loss->error.status)
        put_counters(job, answer);
    if (built || loss->error.status)
        return NULL;
    put_analysis(job, answer, false);
    if (!job->contender->row.complete) /* it is built once more to be counted */
        clopt_contest_find_alias(job->contest, job->contender);
    return job->contender->phase == CLOPT_PHASE_OVER ? NULL : build_request(job);
}

/* Takes the answer of a check; returns the request that follows, or NULL. What the initial code
 * computes is known to be right for the finalists after it. */
static json_t *take_check(struct clopt_job *job, const json_t *answer, struct clopt_loss *loss)
{
    const char *digest = json_string_value(json_object_get(answer, "digest"));
    if (!clopt_message_get_error(answer, &loss->error) && job->kind == CLOPT_JOB_COUNT)
        put_counters(job, answer);
    if (digest && job->kind == CLOPT_JOB_RECHECK && job->contender->role && !loss->error.status)
        snprintf(job->digest, sizeof job->digest, "%s", digest);
    bool elsewhere = loss->error.status == CLOPT_INFEASIBLE && job->kind == CLOPT_JOB_CHECK &&
                     job->contender->check_problem != job->contest->where.problem;
    return elsewhere ? use_own_problem(job, loss) : NULL;
}

static json_t *next(struct clopt_task *task, const json_t *answer)
{
    struct clopt_job *job = (struct clopt_job *)task;
    struct clopt_loss loss = {.stage = task->seat->process.stage};
    if (!answer)
        return first_request(job);
    task->waiting = job->kind == CLOPT_JOB_PREPARE && !clopt_message_get_error(answer, &loss.error);
    if (task->waiting)
        return NULL;
    json_t *request = (job->kind == CLOPT_JOB_BUILD ? take_build : take_check)(job, answer, &loss);
    if (request)
        return request;
    /* Oclgrind's log has to be empty for the next contender. */
    task->spoiled = clopt_failure_spoils(task->seat, answer, loss.error.status) ||
                    (job->kind == CLOPT_JOB_CHECK && loss.error.status);
    if (loss.error.status)
        fail(job, &loss);
    else
        pass(job);
    struct clopt_contest *contest = job->contest;
    clopt_job_end(job);
    if (job->kind != CLOPT_JOB_RECHECK || task->spoiled)
        return NULL;
    struct clopt_contender *other = clopt_finals_to_recheck(contest, job->problem);
    job->contest = contest;
    if (other && take_up(job, other))
        return first_request(job);
    job->contest = NULL;
    return NULL;
}

static void lost(struct clopt_task *task, const json_t *parts, const struct clopt_loss *loss)
{
    struct clopt_job *job = (struct clopt_job *)task;
    struct clopt_loss why = *loss;
    struct clopt_error none;
    if (job->kind == CLOPT_JOB_BUILD)
        clopt_contender_take(job->contender, parts, task->seat->process.paused_ns, &none);
    if (job->kind == CLOPT_JOB_COUNT || !clopt_contender_excuses(job->contender, loss))
        fail(job, &why);
    clopt_job_end(job);
}

bool clopt_job_init(struct clopt_job *job, struct clopt_contender *contender)
{
    job->task = (struct clopt_task){
        .next = next, .lost = lost, .untimed = true, .fresh = contender->suspicions > 0};
    return take_up(job, contender);
}
