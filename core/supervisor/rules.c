/* SPDX-License-Identifier: BSD-3-Clause */
/* Who may begin: all thresholds of the schedule, and the rules that hold a job back. */
#include "supervisor/rules.h"

#include <math.h>

#include "race/finals.h"
#include "supervisor/planning.h"

#define STRAGGLER_S     0.3       /* after one build processors wait so long for the last ones */
#define GENERATION      (1 / 6.0) /* of its time a search builds before it measures, at most */
#define SETTLING_ROUNDS 3         /* then those who cannot win have left a measurement */

#define MOST_BUILDS      10  /* a search gives up a build that takes as long as so many others, */
#define SHORTEST_BUILD_S 5.0 /* and at least this; */
#define FIRST_BUILD      0.2 /* until there is one, as long as this share of the search, */
#define FIRST_BUILDS     3   /* and at least so many times what the initial code takes */

/* A job that is wanted on a device, and what its host does meanwhile. */
struct asked {
    struct clopt_device_queue *queue;
    const struct clopt_want *want;
    size_t device;
    size_t builders;  /* workers that may build, */
    size_t taken;     /* those of them that have a job, though it be paused or wait, */
    size_t building;  /* and those that work; */
    size_t measuring; /* processes that work to measure, or to get ready for that, */
    size_t sampling;  /* and those of them that may use their device */
};

static struct asked look(struct clopt_device_queue *queue, const struct clopt_want *want,
                         size_t device)
{
    const struct clopt_schedule *schedule = queue->schedule;
    const struct clopt_host *host = schedule->run->devices[device].host;
    struct asked asked = {queue, want, device, host ? host->builders : schedule->builders,
                          0,     0,    0,      0};
    const struct clopt_job *other = NULL;
    while ((other = clopt_schedule_find(schedule, ~0u, NULL, device, other))) {
        bool works = other->task.seat && !other->task.waiting;
        bool builds = clopt_job_is_of(other, CLOPT_JOBS_OF_BUILDERS);
        asked.taken += builds;
        asked.building += works && builds;
        asked.measuring += works && !builds;
        asked.sampling += works && !builds && !other->standby;
    }
    return asked;
}

/* Chooses the device for a job; SIZE_MAX: all members are lost. */
static size_t choose_device(struct clopt_device_queue *queue, const struct clopt_want *want)
{
    const struct clopt_race *race = want->race;
    size_t best = SIZE_MAX, most = 0;
    if (want->phase == CLOPT_PHASE_MEASURE)
        return race->devices[want->member];
    for (size_t m = 0; m < race->members; m++) {
        const struct asked asked = look(queue, want, race->devices[m]);
        size_t left = asked.builders > asked.taken ? asked.builders - asked.taken : 0;
        if (race->lost[m] || (best != SIZE_MAX && left <= most))
            continue;
        best = asked.device;
        most = left;
    }
    return best;
}

/* ---- processors ---- */

/* How many processors a queue takes while it samples. */
static size_t count_processors(const struct clopt_device_queue *queue)
{
    const struct clopt_race *race = queue->races[0];
    const size_t all = queue->schedule->processors, units = race->device->info.compute_units;
    if (race->wanting.alone)
        return all;
    return !race->on_cpu ? race->members : units < all ? units : all;
}

/* How urgently a queue needs processors that nothing else uses; 0: it does not. What is being
 * measured goes on to its end, and a worker that was killed for want of memory is tried alone. */
static unsigned urgency(const struct clopt_device_queue *queue)
{
    const struct clopt_race *race = queue->races[0];
    if (!race)
        return 0;
    if (race->on_cpu && clopt_device_queue_is_open(queue))
        return 3;
    if (race->wanting.alone)
        return 2;
    return race->on_cpu && queue->wants_device;
}

/* Whether a race has a device on the host of another one. */
static bool is_beside(const struct clopt_race *race, size_t device)
{
    const struct clopt_pool_device *devices = race->run->devices;
    for (size_t m = 0; m < race->members; m++)
        if (devices[race->devices[m]].host == devices[device].host)
            return true;
    return false;
}

bool clopt_rules_yields(const struct clopt_device_queue *queue, size_t device, bool samples)
{
    size_t processors = samples ? count_processors(queue) : queue->schedule->processors;
    const struct clopt_schedule *schedule = queue->schedule;
    unsigned own = urgency(queue);
    for (size_t t = 0; t < schedule->run->study->device_count; t++) {
        const struct clopt_device_queue *other = &schedule->queues[t];
        unsigned theirs = other == queue ? 0 : urgency(other);
        if (theirs && (theirs > own || (theirs == own && other < queue)) &&
            count_processors(other) + processors > schedule->processors &&
            is_beside(other->races[0], device))
            return true;
    }
    return false;
}

/* Whether a search on a processor is to measure what is built, though more is to be: a compiler may
 * take longer for some variants than the search has for all. */
static bool ends_generation(const struct clopt_device_queue *queue)
{
    const struct clopt_race *race = queue->races[0];
    return race->tuning && race->on_cpu && !clopt_candidate_is_unbuilt(clopt_race_initial(race)) &&
           clopt_seconds_since(queue->building_since_ns) > GENERATION * queue->share_s &&
           clopt_race_wants_samples(race, clopt_race_first_member(race));
}

bool clopt_rules_wants_device(const struct clopt_device_queue *queue, size_t member)
{
    struct clopt_race *race = queue->races[0];
    if (!clopt_race_wants_samples(race, member) ||
        clopt_plan_is_late(queue, clopt_planned_measuring(queue)))
        return false;
    bool builds = !race->wanting.alone && !ends_generation(queue) &&
                  (clopt_race_count(race, clopt_candidate_waits) || clopt_race_wants_trials(race));
    if (!race->on_cpu || !(builds || clopt_candidate_is_unbuilt(clopt_race_initial(race))))
        return true;
    race->busy_until_ns = clopt_now_ns();
    return false;
}

bool clopt_rules_is_settled(const struct clopt_job *measurement)
{
    return !measurement->standby && !measurement->told.expects &&
           measurement->rounds.ended >= SETTLING_ROUNDS;
}

/* ---- what holds a job back ---- */

/* Whether another worker that builds may delay the others, which open the device, too, by more than
 * it saves: k workers need 1/k of the time that is left, k + 1 need 1/(k + 1). */
static bool costs_more(const struct asked *asked)
{
    const struct clopt_schedule *schedule = asked->queue->schedule;
    const struct clopt_race *race = asked->want->race;
    const double *seconds = schedule->pool->seconds;
    double workers = (double)asked->taken;
    uint64_t built = clopt_schedule_tally(schedule).built;
    if (race->on_cpu || workers < CLOPT_FIRST_WORKERS(asked->builders) ||
        clopt_pool_has_idle(schedule->pool, asked->device))
        return false;
    if (!built)
        return true;
    double build_s = (seconds[CLOPT_STAGE_MAKE] + seconds[CLOPT_STAGE_BUILD]) / (double)built;
    uint64_t left =
        clopt_race_count(race, clopt_candidate_waits) + race->order.count - race->position;
    return build_s * (double)left <= workers * (workers + 1) * clopt_pool_opening_s(schedule->pool);
}

/* What is built, or checked with another problem. */
static const char *hold_build(const struct asked *asked)
{
    struct clopt_device_queue *queue = asked->queue;
    size_t most = asked->measuring < asked->builders ? asked->builders - asked->measuring : 1;
    if (asked->taken >= asked->builders)
        return "all workers that build have a job";
    bool ends = asked->want->phase != CLOPT_PHASE_OVER && ends_generation(queue);
    if (queue->races[0]->on_cpu &&
        (asked->want->race != queue->races[0] || clopt_device_queue_is_open(queue) || ends))
        return "nothing is built while a processor is measured";
    if (asked->building >= most)
        return "a process that measures a GPU needs a processor, too";
    if (asked->want->phase == CLOPT_PHASE_BUILD && costs_more(asked))
        return "one more worker costs the others more than it saves";
    if (asked->want->standby &&
        (CLOPT_EARLY_STANDBY(queue->schedule->builders) < CLOPT_OTHER_PROBLEMS ||
         !clopt_pool_has_idle(queue->schedule->pool, asked->device)))
        return "no processor is to spare";
    return NULL;
}

/* What gets ready to use a device: early where there are processors enough, else when it is known
 * that it is needed. */
static const char *hold_standby(const struct asked *asked)
{
    const struct clopt_race *race = asked->want->race;
    const struct clopt_schedule *schedule = asked->queue->schedule;
    const struct clopt_job *other = NULL;
    bool settled = false;
    size_t all = 0;
    while (
        (other = clopt_schedule_find(schedule, CLOPT_JOBS_OF_DEVICE, race, asked->device, other)))
        if (other->member == asked->want->member) {
            all++;
            settled |= clopt_rules_is_settled(other);
        }
    uint64_t swept = clopt_race_initial(race)->samples.measurements / race->members;
    bool early = all * race->members <= CLOPT_EARLY_STANDBY(schedule->builders) &&
                 swept + all < schedule->run->study->measure.processes;
    bool late = all == 1 && settled && clopt_race_wants_samples(race, asked->want->member);
    if (all >= CLOPT_MEASUREMENTS || !(early || late))
        return "it is not needed, as far as is known";
    return clopt_race_count(race, clopt_candidate_is_finalist) ? "finalists meet" : NULL;
}

/* What measures a processor: alone, but for builds that take much longer than all others, or than a
 * search may build, which are paused. */
static const char *hold_processor(const struct asked *asked)
{
    struct clopt_race *race = asked->want->race;
    const struct clopt_schedule *schedule = asked->queue->schedule;
    size_t processors = count_processors(asked->queue) + asked->sampling;
    bool over = ends_generation(asked->queue);
    const char *why = NULL;
    if (asked->building == asked->builders && !over)
        why = "all workers that build do so";
    else if (!clopt_pool_can_pause(schedule->pool))
        why = "a worker that builds cannot be paused yet";
    else if (race->tuning &&
             clopt_schedule_find(schedule, CLOPT_JOBS_RECHECK, race, asked->device, NULL))
        why = "what a check finds to be infeasible need not be measured";
    else if (clopt_schedule_find(schedule, CLOPT_JOBS_MEASURE, race, asked->device, NULL))
        why = "another member is measured there";
    else if (asked->sampling && processors > schedule->processors)
        why = "other devices are measured there";
    if (why)
        race->busy_until_ns = clopt_now_ns();
    else if (asked->building && !over && clopt_seconds_since(race->busy_until_ns) <= STRAGGLER_S)
        why = "the last builds may be about to end";
    return why;
}

const char *clopt_rules_hold(struct clopt_device_queue *queue, const struct clopt_want *want,
                             size_t *device)
{
    const struct clopt_race *first = queue->races[0];
    const bool samples = want->phase == CLOPT_PHASE_MEASURE && !want->standby;
    *device = choose_device(queue, want);
    if (*device == SIZE_MAX)
        return "all members are lost";
    const struct asked asked = look(queue, want, *device);
    queue->wants_device |= samples;
    if (clopt_rules_yields(queue, *device, samples))
        return "another queue needs the processors";
    if (first->wanting.alone && (want->race != first || asked.building || asked.measuring))
        return "a worker was killed, as where memory is short: one at a time goes on";
    if (want->phase != CLOPT_PHASE_MEASURE)
        return hold_build(&asked);
    if (want->standby)
        return hold_standby(&asked);
    return first->on_cpu ? hold_processor(&asked) : NULL;
}

/* ---- builds that are given up ---- */

void clopt_rules_limit_builds(const struct clopt_schedule *schedule)
{
    const struct clopt_measure *measure = &schedule->run->study->measure;
    struct clopt_job *job = NULL;
    while (
        (job = clopt_schedule_find(schedule, CLOPT_JOBS_OF_BUILDERS, NULL, CLOPT_NO_DEVICE, job))) {
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
