/* SPDX-License-Identifier: BSD-3-Clause */
/* Hands out what workers build and check, apart from what they measure. */
#include "supervisor/schedule_jobs.h"

#include <math.h>

#include "contest/finalists.h"
#include "supervisor/track.h"

#define MOST_BUILDS      10  /* a search gives up a build that takes as long as so many others, */
#define SHORTEST_BUILD_S 5.0 /* and at least this */

size_t clopt_schedule_count_jobs(const struct clopt_schedule *schedule, bool busy)
{
    size_t count = 0;
    for (size_t i = 0; i < schedule->job_count; i++)
        count += schedule->jobs[i].contender && !(busy && schedule->jobs[i].task.waiting);
    return count;
}

bool clopt_schedule_works_on(const struct clopt_schedule *schedule,
                             const struct clopt_contest *contest)
{
    for (size_t i = 0; i < schedule->job_count; i++) {
        const struct clopt_job *job = &schedule->jobs[i];
        if (job->contender && job->contest == contest && job->kind != CLOPT_JOB_PREPARE)
            return true;
    }
    return false;
}

/* Finds the job that checks finalists with another problem, or is prepared to; NULL: none. */
static struct clopt_job *find_recheck(const struct clopt_track *track, unsigned problem)
{
    const struct clopt_schedule *schedule = track->schedule;
    for (size_t i = 0; i < schedule->job_count; i++) {
        struct clopt_job *job = &schedule->jobs[i];
        if (job->contender && job->problem == problem && job->contest == track->contests[0] &&
            (job->kind == CLOPT_JOB_RECHECK || job->kind == CLOPT_JOB_PREPARE))
            return job;
    }
    return NULL;
}

static void cancel_job(struct clopt_schedule *schedule, struct clopt_job *job)
{
    clopt_pool_cancel(schedule->pool, &job->task);
    clopt_job_end(job);
}

void clopt_schedule_cancel_builds(struct clopt_schedule *schedule,
                                  const struct clopt_contest *contest)
{
    for (size_t i = 0; i < schedule->job_count; i++) {
        struct clopt_job *job = &schedule->jobs[i];
        if (job->contender && job->contest == contest && job->kind < CLOPT_JOB_PREPARE)
            cancel_job(schedule, job);
    }
}

size_t clopt_schedule_count_sweeps(const struct clopt_schedule *schedule, bool open)
{
    size_t count = 0;
    for (size_t t = 0; t < schedule->track_count; t++)
        for (size_t i = 0; i < schedule->tracks[t].sweep_count; i++) {
            const struct clopt_sweep *sweep = &schedule->tracks[t].sweeps[i];
            count += sweep->contest && sweep->task.seat && !sweep->task.waiting &&
                     (sweep->open || !open);
        }
    return count;
}

bool clopt_schedule_goes_alone(const struct clopt_contest *contest)
{
    return clopt_contest_count(contest, clopt_contender_was_killed);
}

/* How many jobs may run now, those that do included. */
static size_t most_jobs(const struct clopt_track *track, const struct clopt_contest *contest)
{
    const struct clopt_schedule *schedule = track->schedule;
    size_t sweeps = clopt_schedule_count_sweeps(schedule, false);
    bool second = contest != track->contests[0];
    if (clopt_schedule_yields(schedule, track, schedule->processors))
        return 0;
    if (clopt_schedule_goes_alone(track->contests[0]))
        return sweeps || second ? 0 : 1;
    if (track->contests[0]->on_cpu && (clopt_track_is_open(track) || second))
        return 0;
    /* Processes that measure a GPU meanwhile, or get ready to, need a processor each. */
    return sweeps < schedule->job_count ? schedule->job_count - sweeps : 1;
}

/* Whether another worker that builds saves more time than it delays the others by, which open the
 * device, too: k workers need 1/k of the time that is left, k + 1 need 1/(k + 1). */
static bool pays(const struct clopt_schedule *schedule, const struct clopt_contest *contest)
{
    const double *seconds = schedule->pool->seconds;
    double workers = (double)clopt_schedule_count_jobs(schedule, false);
    uint64_t built = clopt_schedule_tally(schedule).built;
    if (workers < CLOPT_FIRST_WORKERS(schedule->job_count) || contest->on_cpu)
        return true;
    if (!built)
        return false;
    double build_s = (seconds[CLOPT_STAGE_MAKE] + seconds[CLOPT_STAGE_BUILD]) / (double)built;
    uint64_t left = clopt_contest_count(contest, clopt_contender_waits) + contest->order.count -
                    contest->position;
    double left_s = build_s * (double)left;
    return left_s > workers * (workers + 1) * clopt_pool_opening_s(schedule->pool);
}

void clopt_schedule_limit_builds(struct clopt_schedule *schedule)
{
    for (size_t i = 0; i < schedule->job_count; i++) {
        struct clopt_job *job = &schedule->jobs[i];
        const struct clopt_contest *contest = job->contest;
        if (job->contender && contest->tuning && !job->contender->role && contest->tally.built)
            job->task.build_s = fmax(SHORTEST_BUILD_S,
                                     MOST_BUILDS * contest->built_s / (double)contest->tally.built);
    }
}

/* Begins a job where one may begin now; false: none may. */
static bool begin_job(struct clopt_track *track, enum clopt_job_kind kind,
                      struct clopt_contest *contest, struct clopt_contender *contender,
                      unsigned problem)
{
    struct clopt_schedule *schedule = track->schedule;
    struct clopt_error *failure = schedule->run->failure;
    size_t device = kind == CLOPT_JOB_CHECK   ? schedule->run->study->device_count
                    : kind == CLOPT_JOB_COUNT ? schedule->run->study->device_count + 1
                                              : clopt_contest_device(contest, SIZE_MAX);
    size_t under_way = clopt_schedule_count_jobs(schedule, false);
    if (under_way == schedule->job_count ||
        clopt_schedule_count_jobs(schedule, true) >= most_jobs(track, contest) ||
        (kind == CLOPT_JOB_BUILD && !clopt_pool_has_idle(schedule->pool, device) &&
         !pays(schedule, contest)))
        return false;
    struct clopt_job *job = schedule->jobs;
    while (job->contender)
        job++;
    *job = (struct clopt_job){.kind = kind, .contest = contest, .problem = problem};
    if (clopt_job_init(job, contender, failure) == CLOPT_OK)
        clopt_pool_begin(schedule->pool, device, &job->task, failure);
    return !schedule->run->failure->status;
}

/* Whether a contender has to wait for the initial code, or shares its failure. */
static bool waits_for_initial(const struct clopt_contest *contest,
                              struct clopt_contender *contender)
{
    const struct clopt_contender *initial = clopt_contest_initial(contest);
    bool same = contender->role == CLOPT_ROLE_AGAIN; /* compiled and checked once */
    if (clopt_contest_is_unusable(contest) || (same && clopt_contender_has_failed(initial)))
        clopt_contender_share_failure(contender, contest->run, initial);
    return contender->phase == CLOPT_PHASE_OVER || (same && clopt_contender_is_unbuilt(initial));
}

void clopt_schedule_hand_out(struct clopt_track *track, struct clopt_contest *contest)
{
    for (size_t i = 0; i < contest->count; i++) {
        struct clopt_contender *contender = contest->contenders[i];
        enum clopt_job_kind kind = contender->phase == CLOPT_PHASE_CHECK   ? CLOPT_JOB_CHECK
                                   : contender->phase == CLOPT_PHASE_COUNT ? CLOPT_JOB_COUNT
                                                                           : CLOPT_JOB_BUILD;
        if (clopt_contender_waits(contender) && !waits_for_initial(contest, contender) &&
            !begin_job(track, kind, contest, contender, 0))
            return;
    }
}

/* ---- checks with other problems ---- */

void clopt_schedule_prepare_rechecks(struct clopt_track *track)
{
    struct clopt_contest *contest = track->contests[0];
    struct clopt_schedule *schedule = track->schedule;
    struct clopt_contender *initial = clopt_contest_initial(contest);
    size_t device = clopt_contest_device(contest, SIZE_MAX);
    if (!initial->digest[0] ||
        schedule->job_count < CLOPT_OTHER_PROBLEMS * CLOPT_PROCESSORS_A_SWEEP)
        return;
    for (unsigned problem = 0; problem < CLOPT_OTHER_PROBLEMS; problem++)
        if (!((contest->bad_problems | initial->rechecked) >> problem & 1) &&
            !find_recheck(track, problem) && clopt_pool_has_idle(schedule->pool, device))
            begin_job(track, CLOPT_JOB_PREPARE, contest, initial, problem);
}

/* Has the finalists checked with one of the other problems. False: that is done. */
static bool recheck_with(struct clopt_track *track, unsigned problem)
{
    struct clopt_contest *contest = track->contests[0];
    struct clopt_schedule *schedule = track->schedule;
    struct clopt_job *job = find_recheck(track, problem);
    if (job && job->kind == CLOPT_JOB_RECHECK)
        return true;
    struct clopt_contender *next = clopt_finalists_to_recheck(contest, problem);
    if (!job && next) {
        begin_job(track, CLOPT_JOB_RECHECK, contest, next, problem);
    } else if (job && !next) {
        cancel_job(schedule, job);
    } else if (job && job->task.waiting) {
        job->kind = CLOPT_JOB_RECHECK;
        clopt_pool_wake(schedule->pool, &job->task);
    }
    return next;
}

bool clopt_schedule_recheck(struct clopt_track *track)
{
    bool more = false;
    for (unsigned problem = 0; problem < CLOPT_OTHER_PROBLEMS; problem++)
        more |= recheck_with(track, problem);
    return more;
}
