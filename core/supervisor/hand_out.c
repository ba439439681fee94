/* SPDX-License-Identifier: BSD-3-Clause */
/* Hands out what workers build and check, apart from what they measure. */
#include <math.h>

#include "race/finals.h"
#include "supervisor/schedule.h"

#define MOST_BUILDS      10  /* a search gives up a build that takes as long as so many others, */
#define SHORTEST_BUILD_S 5.0 /* and at least this; */
#define FIRST_BUILD      0.2 /* until there is one, as long as this share of the search, */
#define FIRST_BUILDS     3   /* and at least so many times what the initial code takes */

/* Returns the device for the next build or recheck of a race: the first member, or that of the host
 * where the most workers are free. SIZE_MAX: all are lost. */
static size_t choose_device(const struct clopt_schedule *schedule, const struct clopt_race *race)
{
    size_t best = SIZE_MAX, most = 0;
    for (size_t m = 0; m < race->members; m++) {
        size_t device = race->devices[m];
        size_t builders = clopt_schedule_builders(schedule, device);
        size_t taken = clopt_schedule_count(schedule, CLOPT_JOBS_OF_BUILDERS, false, device);
        size_t left = builders > taken ? builders - taken : 0;
        if (race->lost[m] || (best != SIZE_MAX && left <= most))
            continue;
        best = device;
        most = left;
    }
    return best;
}

/* How many jobs may run now on the host of a device, those that do included. */
static size_t most_jobs(const struct clopt_device_queue *queue, const struct clopt_race *race,
                        size_t device)
{
    const struct clopt_schedule *schedule = queue->schedule;
    size_t builders = clopt_schedule_builders(schedule, device);
    size_t measurements = clopt_schedule_count(schedule, CLOPT_JOBS_OF_DEVICE, true, device);
    bool second = race != queue->races[0];
    if (clopt_schedule_yields(schedule, queue, schedule->processors))
        return 0;
    if (queue->races[0]->wanting.alone)
        return measurements || second ? 0 : 1;
    if (queue->races[0]->on_cpu && (clopt_device_queue_is_open(queue) || second))
        return 0;
    /* Processes that measure a GPU meanwhile, or get ready to, need a processor each. */
    return measurements < builders ? builders - measurements : 1;
}

/* Whether another worker that builds saves more time than it delays the others by, which open the
 * device, too: k workers need 1/k of the time that is left, k + 1 need 1/(k + 1). */
static bool pays(const struct clopt_schedule *schedule, const struct clopt_race *race,
                 size_t device)
{
    const double *seconds = schedule->pool->seconds;
    double workers = (double)clopt_schedule_count(schedule, CLOPT_JOBS_OF_BUILDERS, false, device);
    uint64_t built = clopt_schedule_tally(schedule).built;
    size_t builders = clopt_schedule_builders(schedule, device);
    if (workers < CLOPT_FIRST_WORKERS(builders) || race->on_cpu)
        return true;
    if (!built)
        return false;
    double build_s = (seconds[CLOPT_STAGE_MAKE] + seconds[CLOPT_STAGE_BUILD]) / (double)built;
    uint64_t left =
        clopt_race_count(race, clopt_candidate_waits) + race->order.count - race->position;
    double left_s = build_s * (double)left;
    return left_s > workers * (workers + 1) * clopt_pool_opening_s(schedule->pool);
}

void clopt_schedule_limit_builds(struct clopt_schedule *schedule)
{
    const struct clopt_measure *measure = &schedule->run->study->measure;
    struct clopt_job *job = NULL;
    while ((job = clopt_schedule_find(schedule, CLOPT_JOBS_OF_BUILDERS, NULL, job))) {
        const struct clopt_race *race = job->race;
        if (!race->tuning || job->candidate->role || !race->tally.built)
            continue;
        double each_s = race->built_s / (double)race->tally.built;
        double first_s = fmax(FIRST_BUILDS * each_s, FIRST_BUILD * measure->time_s);
        job->task.build_s = fmax(SHORTEST_BUILD_S, MOST_BUILDS * each_s);
        if (race->tally.built < CLOPT_ANY_BUILT && clopt_race_has_time(race))
            job->task.build_s = fmin(job->task.build_s, first_s);
    }
}

/* Begins a job on a candidate where one may begin now; false: none may. */
static bool begin_job(struct clopt_device_queue *queue, const struct clopt_job *job,
                      struct clopt_candidate *candidate)
{
    struct clopt_schedule *schedule = queue->schedule;
    const struct clopt_race *race = job->race;
    size_t device = choose_device(schedule, race);
    if (device == SIZE_MAX ||
        clopt_schedule_count(schedule, CLOPT_JOBS_OF_BUILDERS, false, device) >=
            clopt_schedule_builders(schedule, device) ||
        clopt_schedule_count(schedule, CLOPT_JOBS_OF_BUILDERS, true, device) >=
            most_jobs(queue, race, device) ||
        (job->phase == CLOPT_PHASE_BUILD && !clopt_pool_has_idle(schedule->pool, device) &&
         !pays(schedule, race, device)))
        return false;
    clopt_schedule_begin(schedule, job, candidate, device);
    return !schedule->run->failure->status;
}

/* Whether a candidate has to wait for the initial code, which is compiled and checked once, or may
 * be why the candidate's problem could not be set up. */
static bool waits_for_initial(const struct clopt_race *race, struct clopt_candidate *candidate)
{
    const struct clopt_candidate *initial = clopt_race_initial(race);
    bool same = candidate->role == CLOPT_ROLE_AGAIN;
    if (same && clopt_candidate_has_failed(initial))
        clopt_candidate_share_failure(candidate, race->run, initial);
    return candidate->phase == CLOPT_PHASE_OVER ||
           ((same || candidate->losses.setups) && clopt_candidate_is_unbuilt(initial));
}

void clopt_schedule_hand_out(struct clopt_device_queue *queue, struct clopt_race *race)
{
    for (size_t i = 0; i < race->count; i++) {
        struct clopt_candidate *candidate = race->candidates[i];
        const struct clopt_job job = {.phase = candidate->phase, .race = race};
        if (clopt_candidate_waits(candidate) && !waits_for_initial(race, candidate) &&
            !begin_job(queue, &job, candidate))
            return;
    }
}

/* ---- checks with other problems ---- */

/* Finds the job that checks finalists with another problem, or is prepared to; NULL: none. */
static struct clopt_job *find_recheck(const struct clopt_device_queue *queue, unsigned problem)
{
    struct clopt_job *job = NULL;
    while ((job = clopt_schedule_find(queue->schedule, CLOPT_JOBS_RECHECK | CLOPT_JOBS_STANDBY,
                                      queue->races[0], job)) &&
           job->recheck.problem != problem)
        ;
    return job;
}

void clopt_schedule_prepare_rechecks(struct clopt_device_queue *queue)
{
    struct clopt_race *race = queue->races[0];
    struct clopt_candidate *initial = clopt_race_initial(race);
    const struct clopt_schedule *schedule = queue->schedule;
    if (!initial->checks.digest[0] ||
        schedule->builders < CLOPT_OTHER_PROBLEMS * CLOPT_PROCESSORS_A_MEASUREMENT)
        return;
    for (unsigned problem = 0; problem < CLOPT_OTHER_PROBLEMS; problem++) {
        const struct clopt_job job = {
            .phase = CLOPT_PHASE_OVER, .standby = true, .race = race, .recheck.problem = problem};
        if (!((race->bad_problems | initial->checks.passed) >> problem & 1) &&
            !find_recheck(queue, problem) &&
            clopt_pool_has_idle(schedule->pool, race->devices[clopt_race_first_member(race)]))
            begin_job(queue, &job, initial);
    }
}

bool clopt_schedule_recheck(struct clopt_device_queue *queue)
{
    struct clopt_race *race = queue->races[0];
    struct clopt_schedule *schedule = queue->schedule;
    bool more = false;
    for (unsigned problem = 0; problem < CLOPT_OTHER_PROBLEMS; problem++) {
        const struct clopt_job recheck = {
            .phase = CLOPT_PHASE_OVER, .race = race, .recheck.problem = problem};
        struct clopt_job *job = find_recheck(queue, problem);
        struct clopt_candidate *next = clopt_finals_to_recheck(race, problem);
        more |= next || (job && !job->standby);
        if (!job && next)
            begin_job(queue, &recheck, next);
        if (job && job->standby && next && job->task.waiting) {
            job->standby = false;
            clopt_pool_wake(schedule->pool, &job->task);
        }
    }
    if (!more && !race->presorts) /* what was made ready is not needed */
        clopt_schedule_cancel(schedule, CLOPT_JOBS_RECHECK | CLOPT_JOBS_STANDBY, race);
    return more;
}
