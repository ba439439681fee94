/* SPDX-License-Identifier: BSD-3-Clause */
/* Hands out what workers build and check, apart from what they measure. */
#include <math.h>
#include <string.h>

#include "contest/finals.h"
#include "supervisor/schedule.h"

#define MOST_BUILDS      10  /* a search gives up a build that takes as long as so many others, */
#define SHORTEST_BUILD_S 5.0 /* and at least this */

/* The pool's number of the device on which builds and rechecks of a contest run. */
static size_t first_device(const struct clopt_contest *contest)
{
    return contest->devices[clopt_contest_first_member(contest)];
}

/* How many jobs may run now, those that do included. */
static size_t most_jobs(const struct clopt_track *track, const struct clopt_contest *contest)
{
    const struct clopt_schedule *schedule = track->schedule;
    size_t sweeps = clopt_schedule_count(schedule, CLOPT_JOBS_SWEEPS, true);
    bool second = contest != track->contests[0];
    if (clopt_schedule_yields(schedule, track, schedule->processors))
        return 0;
    if (clopt_schedule_goes_alone(track->contests[0]))
        return sweeps || second ? 0 : 1;
    if (track->contests[0]->on_cpu && (clopt_track_is_open(track) || second))
        return 0;
    /* Processes that measure a GPU meanwhile, or get ready to, need a processor each. */
    return sweeps < schedule->builders ? schedule->builders - sweeps : 1;
}

/* Whether another worker that builds saves more time than it delays the others by, which open the
 * device, too: k workers need 1/k of the time that is left, k + 1 need 1/(k + 1). */
static bool pays(const struct clopt_schedule *schedule, const struct clopt_contest *contest)
{
    const double *seconds = schedule->pool->seconds;
    double workers = (double)clopt_schedule_count(schedule, CLOPT_JOBS_APART, false);
    uint64_t built = clopt_schedule_tally(schedule).built;
    if (workers < CLOPT_FIRST_WORKERS(schedule->builders) || contest->on_cpu)
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
    struct clopt_job *job = NULL;
    while ((job = clopt_schedule_find(schedule, CLOPT_JOBS_APART, NULL, job))) {
        const struct clopt_contest *contest = job->contest;
        if (contest->tuning && !job->contender->role && contest->tally.built)
            job->task.build_s = fmax(SHORTEST_BUILD_S,
                                     MOST_BUILDS * contest->built_s / (double)contest->tally.built);
    }
}

/* Begins a job on a contender where one may begin now; false: none may. */
static bool begin_job(struct clopt_track *track, const struct clopt_job *job,
                      struct clopt_contender *contender)
{
    struct clopt_schedule *schedule = track->schedule;
    const struct clopt_contest *contest = job->contest;
    size_t emulator = schedule->run->study->device_count; /* to check, and the next to count */
    size_t device = job->kind == CLOPT_JOB_CHECK   ? emulator
                    : job->kind == CLOPT_JOB_COUNT ? emulator + 1
                                                   : first_device(contest);
    if (clopt_schedule_count(schedule, CLOPT_JOBS_APART, false) == schedule->builders ||
        clopt_schedule_count(schedule, CLOPT_JOBS_APART, true) >= most_jobs(track, contest) ||
        (job->kind == CLOPT_JOB_BUILD && !clopt_pool_has_idle(schedule->pool, device) &&
         !pays(schedule, contest)))
        return false;
    clopt_schedule_begin(schedule, job, contender, device);
    return !schedule->run->failure->status;
}

/* Whether a contender has to wait for the initial code, or shares its failure: where it was the first
 * to find that the problem cannot be set up, no variant can do better. */
static bool waits_for_initial(const struct clopt_contest *contest,
                              struct clopt_contender *contender)
{
    const struct clopt_contender *initial = clopt_contest_initial(contest);
    const char *stage = initial->row.stage ? initial->row.stage : "";
    bool same = contender->role == CLOPT_ROLE_AGAIN; /* compiled and checked once */
    if (clopt_contender_has_failed(initial) &&
        (same || strcmp(stage, clopt_stage_name(CLOPT_STAGE_SETUP)) == 0))
        clopt_contender_share_failure(contender, contest->run, initial);
    return contender->phase == CLOPT_PHASE_OVER || (same && clopt_contender_is_unbuilt(initial));
}

void clopt_schedule_hand_out(struct clopt_track *track, struct clopt_contest *contest)
{
    for (size_t i = 0; i < contest->count; i++) {
        struct clopt_contender *contender = contest->contenders[i];
        const struct clopt_job job = {.kind = 1 << contender->phase, .contest = contest};
        if (clopt_contender_waits(contender) && !waits_for_initial(contest, contender) &&
            !begin_job(track, &job, contender))
            return;
    }
}

/* ---- checks with other problems ---- */

/* Finds the job that checks finalists with another problem, or is prepared to; NULL: none. */
static struct clopt_job *find_recheck(const struct clopt_track *track, unsigned problem)
{
    struct clopt_job *job = NULL;
    while ((job = clopt_schedule_find(track->schedule, CLOPT_JOBS_RECHECKS, track->contests[0],
                                      job)) &&
           job->problem != problem)
        ;
    return job;
}

void clopt_schedule_prepare_rechecks(struct clopt_track *track)
{
    struct clopt_contest *contest = track->contests[0];
    struct clopt_contender *initial = clopt_contest_initial(contest);
    const struct clopt_schedule *schedule = track->schedule;
    if (!initial->digest[0] || schedule->builders < CLOPT_OTHER_PROBLEMS * CLOPT_PROCESSORS_A_SWEEP)
        return;
    for (unsigned problem = 0; problem < CLOPT_OTHER_PROBLEMS; problem++) {
        const struct clopt_job job = {
            .kind = CLOPT_JOB_PREPARE, .contest = contest, .problem = problem};
        if (!((contest->bad_problems | initial->rechecked) >> problem & 1) &&
            !find_recheck(track, problem) &&
            clopt_pool_has_idle(schedule->pool, first_device(contest)))
            begin_job(track, &job, initial);
    }
}

bool clopt_schedule_recheck(struct clopt_track *track)
{
    struct clopt_contest *contest = track->contests[0];
    struct clopt_schedule *schedule = track->schedule;
    bool more = false;
    for (unsigned problem = 0; problem < CLOPT_OTHER_PROBLEMS; problem++) {
        const struct clopt_job recheck = {
            .kind = CLOPT_JOB_RECHECK, .contest = contest, .problem = problem};
        struct clopt_job *job = find_recheck(track, problem);
        struct clopt_contender *next = clopt_finals_to_recheck(contest, problem);
        more |= next || (job && job->kind == CLOPT_JOB_RECHECK);
        if (!job && next)
            begin_job(track, &recheck, next);
        if (!job || job->kind == CLOPT_JOB_RECHECK)
            continue;
        if (next && job->task.waiting) {
            job->kind = CLOPT_JOB_RECHECK;
            clopt_pool_wake(schedule->pool, &job->task);
        }
    }
    if (!more) /* what was made ready is not needed */
        clopt_schedule_cancel(schedule, CLOPT_JOB_PREPARE, contest);
    return more;
}
