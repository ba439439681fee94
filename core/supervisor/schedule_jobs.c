/* SPDX-License-Identifier: BSD-3-Clause */
/* Hands out what workers build and check, apart from what they measure. */
#include "supervisor/schedule_jobs.h"

#include <math.h>

#include "supervisor/finalists.h"

#define MOST_BUILDS      10  /* a search gives up a build that takes as long as so many others, */
#define SHORTEST_BUILD_S 5.0 /* and at least this */

size_t clopt_schedule_count_jobs(const struct clopt_schedule *schedule)
{
    size_t count = 0;
    for (size_t i = 0; i < schedule->job_count; i++)
        count += schedule->jobs[i].contender != NULL;
    return count;
}

bool clopt_schedule_works_on(const struct clopt_schedule *schedule, const struct clopt_group *group)
{
    for (size_t i = 0; i < schedule->job_count; i++) {
        const struct clopt_job *job = &schedule->jobs[i];
        if (job->contender && job->group == group && job->kind != CLOPT_JOB_PREPARE)
            return true;
    }
    return false;
}

/* Finds the job that checks finalists with another problem, or is prepared to; NULL: none. */
static struct clopt_job *find_recheck(const struct clopt_schedule *schedule, unsigned problem)
{
    for (size_t i = 0; i < schedule->job_count; i++) {
        struct clopt_job *job = &schedule->jobs[i];
        if (job->contender && job->problem == problem && job->group == schedule->groups[0] &&
            (job->kind == CLOPT_JOB_RECHECK || job->kind == CLOPT_JOB_PREPARE))
            return job;
    }
    return NULL;
}

static void cancel_job(struct clopt_schedule *schedule, struct clopt_job *job)
{
    clopt_loop_cancel(schedule->loop, &job->task);
    clopt_job_end(job);
}

void clopt_schedule_cancel_builds(struct clopt_schedule *schedule, const struct clopt_group *group)
{
    for (size_t i = 0; i < schedule->job_count; i++) {
        struct clopt_job *job = &schedule->jobs[i];
        if (job->contender && job->group == group && job->kind < CLOPT_JOB_PREPARE)
            cancel_job(schedule, job);
    }
}

size_t clopt_schedule_count_sweeps(const struct clopt_schedule *schedule, bool busy)
{
    size_t count = 0;
    for (size_t i = 0; i < CLOPT_SWEEPS; i++)
        count += schedule->sweeps[i].group && !(busy && schedule->sweeps[i].task.waiting);
    return count;
}

bool clopt_schedule_goes_alone(const struct clopt_group *group)
{
    return clopt_group_count(group, clopt_contender_was_killed);
}

/* How many jobs may run now, those that do included. */
static size_t most_jobs(const struct clopt_schedule *schedule, const struct clopt_group *group)
{
    size_t sweeps = clopt_schedule_count_sweeps(schedule, true);
    bool second = group != schedule->groups[0];
    if (clopt_schedule_goes_alone(schedule->groups[0]))
        return sweeps || second ? 0 : 1;
    if ((sweeps && schedule->groups[0]->on_cpu) || (second && group->on_cpu))
        return 0;
    /* Processes that measure a GPU meanwhile, or get ready to, need a processor each. */
    return sweeps < schedule->job_count ? schedule->job_count - sweeps : 1;
}

/* Whether another worker that builds saves more time than it delays the others by, which open the
 * device, too: k workers need 1/k of the time that is left, k + 1 need 1/(k + 1). */
static bool pays(const struct clopt_schedule *schedule, const struct clopt_group *group)
{
    const double *seconds = schedule->loop->seconds;
    double workers = (double)clopt_schedule_count_jobs(schedule);
    uint64_t built = clopt_schedule_tally(schedule).built;
    if (workers < CLOPT_FIRST_WORKERS(schedule->job_count) || group->on_cpu)
        return true;
    if (!built)
        return false;
    double build_s = (seconds[CLOPT_STAGE_MAKE] + seconds[CLOPT_STAGE_BUILD]) / (double)built;
    uint64_t left =
        clopt_group_count(group, clopt_contender_waits) + group->order.count - group->position;
    double left_s = build_s * (double)left;
    return left_s > workers * (workers + 1) * clopt_loop_opening_s(schedule->loop);
}

void clopt_schedule_limit_builds(struct clopt_schedule *schedule)
{
    for (size_t i = 0; i < schedule->job_count; i++) {
        struct clopt_job *job = &schedule->jobs[i];
        const struct clopt_group *group = job->group;
        if (job->contender && group->tuning && !job->contender->role && group->tally.built)
            job->task.build_s =
                fmax(SHORTEST_BUILD_S, MOST_BUILDS * group->built_s / (double)group->tally.built);
    }
}

/* Begins a job where one may begin now; false: none may. */
static bool begin_job(struct clopt_schedule *schedule, enum clopt_job_kind kind,
                      struct clopt_group *group, struct clopt_contender *contender,
                      unsigned problem)
{
    struct clopt_error *failure = schedule->run->failure;
    size_t device = kind == CLOPT_JOB_CHECK   ? schedule->run->study->device_count
                    : kind == CLOPT_JOB_COUNT ? schedule->run->study->device_count + 1
                                              : group->where.device;
    if (clopt_schedule_count_jobs(schedule) >= most_jobs(schedule, group) ||
        (kind == CLOPT_JOB_BUILD && !clopt_loop_has_idle(schedule->loop, device) &&
         !pays(schedule, group)))
        return false;
    struct clopt_job *job = schedule->jobs;
    while (job->contender)
        job++;
    *job = (struct clopt_job){.kind = kind, .group = group, .problem = problem};
    if (clopt_job_init(job, contender, failure) == CLOPT_OK)
        clopt_loop_begin(schedule->loop, device, &job->task, failure);
    return !schedule->run->failure->status;
}

/* Whether a contender has to wait for the initial code, or shares its failure. */
static bool waits_for_initial(const struct clopt_group *group, struct clopt_contender *contender)
{
    const struct clopt_contender *initial = clopt_group_initial(group);
    bool same = contender->role == CLOPT_ROLE_AGAIN; /* compiled and checked once */
    if (clopt_group_is_unusable(group) || (same && clopt_contender_has_failed(initial)))
        clopt_contender_share_failure(contender, group->run, initial);
    return contender->phase == CLOPT_PHASE_OVER || (same && clopt_contender_is_unbuilt(initial));
}

void clopt_schedule_hand_out(struct clopt_schedule *schedule, struct clopt_group *group)
{
    for (size_t i = 0; i < group->count; i++) {
        struct clopt_contender *contender = group->contenders[i];
        enum clopt_job_kind kind = contender->phase == CLOPT_PHASE_CHECK   ? CLOPT_JOB_CHECK
                                   : contender->phase == CLOPT_PHASE_COUNT ? CLOPT_JOB_COUNT
                                                                           : CLOPT_JOB_BUILD;
        if (clopt_contender_waits(contender) && !waits_for_initial(group, contender) &&
            !begin_job(schedule, kind, group, contender, 0))
            return;
    }
}

/* ---- checks with other problems ---- */

void clopt_schedule_prepare_rechecks(struct clopt_schedule *schedule)
{
    struct clopt_group *group = schedule->groups[0];
    struct clopt_contender *initial = clopt_group_initial(group);
    size_t device = group->where.device;
    if (!initial->digest[0] ||
        schedule->job_count < CLOPT_OTHER_PROBLEMS * CLOPT_PROCESSORS_A_SWEEP)
        return;
    for (unsigned problem = 0; problem < CLOPT_OTHER_PROBLEMS; problem++)
        if (!((group->bad_problems | initial->rechecked) >> problem & 1) &&
            !find_recheck(schedule, problem) && clopt_loop_has_idle(schedule->loop, device))
            begin_job(schedule, CLOPT_JOB_PREPARE, group, initial, problem);
}

/* Has the finalists checked with one of the other problems. False: that is done. */
static bool recheck_with(struct clopt_schedule *schedule, unsigned problem)
{
    struct clopt_group *group = schedule->groups[0];
    struct clopt_job *job = find_recheck(schedule, problem);
    if (job && job->kind == CLOPT_JOB_RECHECK)
        return true;
    struct clopt_contender *next = clopt_finalists_to_recheck(group, problem);
    if (!job && next) {
        begin_job(schedule, CLOPT_JOB_RECHECK, group, next, problem);
    } else if (job && !next) {
        cancel_job(schedule, job);
    } else if (job && job->task.waiting) {
        job->kind = CLOPT_JOB_RECHECK;
        clopt_loop_wake(schedule->loop, &job->task);
    }
    return next;
}

bool clopt_schedule_recheck(struct clopt_schedule *schedule)
{
    bool more = false;
    for (unsigned problem = 0; problem < CLOPT_OTHER_PROBLEMS; problem++)
        more |= recheck_with(schedule, problem);
    return more;
}
