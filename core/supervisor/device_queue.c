/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes the races on the devices that share hardware to their end, one after the other. */
#include "supervisor/schedule.h"

#include <math.h>

#include "race/combined.h"
#include "race/finals.h"
#include "race/prefixes.h"
#include "race/ranking.h"
#include "race/tuning.h"
#include "store/cursor.h"
#include "supervisor/planning.h"

#define STRAGGLER_S     0.3       /* after one build processors wait so long for the last ones */
#define GENERATION      (1 / 6.0) /* of its time a search builds before it measures, at most */
#define SETTLING_ROUNDS 3         /* then those who cannot win have left a measurement */

/* ---- races ---- */

static void begin_race(struct clopt_device_queue *queue, struct clopt_race **race)
{
    const struct clopt_schedule *schedule = queue->schedule;
    const struct clopt_study *study = schedule->run->study;
    while (schedule->queue_of[clopt_space_group(study, queue->next_race).device] != queue->number)
        queue->next_race++;
    *race = clopt_calloc(1, sizeof **race);
    queue->races_left--;
    clopt_race_init(*race, schedule->run, queue->next_race++);
}

/* Whether something of a race is still to be built. */
static bool expects_more(const struct clopt_race *race)
{
    return clopt_race_count(race, clopt_candidate_is_unbuilt) || !clopt_race_is_exhausted(race);
}

/* Whether a race takes more trials in hand now. On a CPU, where nothing is built while it is
 * measured, it takes many at once. */
static bool wants_trials(const struct clopt_race *race)
{
    size_t in_hand = clopt_race_count(race, clopt_candidate_is_in_hand);
    return clopt_race_has_next(race) && in_hand < race->most_in_hand &&
           (!race->on_cpu || race->tuning || in_hand <= race->most_in_hand / 2 || race->filling);
}

/* Whether a measurement has something to wait for: what is built joins it. Those in hand may leave
 * no room for others until the next measurement has measured them, too. */
static bool expects_others(const struct clopt_race *race)
{
    return clopt_race_count(race, clopt_candidate_is_unbuilt) || wants_trials(race) ||
           (!clopt_race_count(race, clopt_candidate_is_in_hand) && expects_more(race));
}

/* Sees to it that there is a race, and a second one where nothing of the first is left to build;
 * they look at their next trials. */
void clopt_device_queue_fill(struct clopt_device_queue *queue)
{
    const struct clopt_error *failure = queue->schedule->run->failure;
    struct clopt_race **races = queue->races;
    if (!races[0]) {
        races[0] = races[1];
        races[1] = NULL;
        if (!races[0] && queue->races_left)
            begin_race(queue, &races[0]);
        clopt_plan_begin(queue);
    } else if (!races[1] && queue->races_left && !races[0]->on_cpu && !expects_more(races[0])) {
        begin_race(queue, &races[1]);
    }
    for (size_t i = 0; i < 2 && !failure->status; i++)
        if (races[i] && races[i]->tuning)
            clopt_tuning_advance(races[i]);
    for (size_t i = 0; i < 2 && !failure->status; i++)
        if (races[i] && (races[i]->filling = wants_trials(races[i])))
            clopt_race_look(races[i]);
}

/* ---- measurements ---- */

/* Finds a member's measurement, or the first one on standby; NULL: there is none. */
static struct clopt_job *find_measurement(const struct clopt_device_queue *queue, size_t member,
                                          bool standby)
{
    const struct clopt_race *race = queue->races[0];
    size_t device = race->devices[member];
    struct clopt_job *measurement = NULL;
    while ((measurement = clopt_schedule_find_beside(queue->schedule, CLOPT_JOBS_OF_DEVICE, race,
                                                     device, measurement)) &&
           (measurement->member != member || measurement->standby != standby))
        ;
    return measurement;
}

bool clopt_device_queue_is_open(const struct clopt_device_queue *queue)
{
    const struct clopt_race *race = queue->races[0];
    return race && clopt_schedule_find(queue->schedule, CLOPT_JOBS_MEASURE, race, NULL);
}

size_t clopt_device_queue_processors(const struct clopt_device_queue *queue)
{
    const struct clopt_race *race = queue->races[0];
    const size_t all = queue->schedule->processors;
    if (!race)
        return 0;
    if (race->wanting.alone)
        return all;
    size_t units = race->device->info.compute_units;
    return !race->on_cpu ? race->members : units < all ? units : all;
}

/* The host of a member; NULL: this one. */
static struct clopt_host *host_of(const struct clopt_race *race, size_t member)
{
    return race->run->devices[race->devices[member]].host;
}

/* Ends the measurements whose task is over, and decides whose samples are enough. */
static void collect(struct clopt_device_queue *queue)
{
    struct clopt_race *race = queue->races[0];
    struct clopt_job *measurement = NULL;
    bool changed = false;
    while ((measurement =
                clopt_schedule_find(queue->schedule, CLOPT_JOBS_OF_DEVICE, race, measurement))) {
        bool over = !measurement->task.seat;
        if (measurement->task.waiting)
            clopt_measurement_release(measurement);
        changed |= measurement->changed || over;
        measurement->changed = false;
        if (!over)
            continue;
        clopt_job_end(measurement);
        if (measurement->standby)
            continue;
        queue->building_since_ns = clopt_now_ns();
        if (race->on_cpu)
            clopt_pool_pause(queue->schedule->pool, host_of(race, measurement->member), false);
        clopt_finals_end_measurement(race, measurement->member);
    }
    if (changed)
        clopt_ranking_decide(race);
    for (size_t i = 0; i < 2; i++)
        if (queue->races[i])
            clopt_ranking_release(queue->races[i]);
}

static void begin_measurement(struct clopt_device_queue *queue, size_t member, bool standby)
{
    struct clopt_race *race = queue->races[0];
    const struct clopt_job measurement = {
        .phase = CLOPT_PHASE_MEASURE, .standby = standby, .race = race, .member = member};
    clopt_schedule_begin(queue->schedule, &measurement, NULL, race->devices[member]);
}

/* Lets the measurement that has got ready use the device, or begins one. */
static void open_measurement(struct clopt_device_queue *queue, size_t member)
{
    struct clopt_job *next = find_measurement(queue, member, true);
    queue->idle_since_ns = 0; /* builds that it pauses get their time once it is over */
    if (queue->races[0]->on_cpu)
        clopt_pool_pause(queue->schedule->pool, host_of(queue->races[0], member), true);
    if (!next) {
        begin_measurement(queue, member, false);
        return;
    }
    clopt_measurement_open(next);
    clopt_pool_wake(queue->schedule->pool, &next->task);
}

/* Has the processes of a device's next measurements get ready: that of the first one while the
 * first candidates are built; further ones, too, where there are processors enough, else when it is
 * known that they are needed. */
static void prepare_measurements(struct clopt_device_queue *queue, size_t member)
{
    struct clopt_race *race = queue->races[0];
    const struct clopt_schedule *schedule = queue->schedule;
    const struct clopt_job *active = find_measurement(queue, member, false);
    uint64_t processes = schedule->run->study->measure.processes;
    bool settled = active && !active->told.expects && active->rounds.ended >= SETTLING_ROUNDS;
    size_t all = active != NULL, most = schedule->builders / CLOPT_PROCESSORS_A_MEASUREMENT;
    struct clopt_job *measurement = NULL;
    while ((measurement = clopt_schedule_find_beside(schedule, CLOPT_JOBS_OF_DEVICE, race,
                                                     race->devices[member], measurement))) {
        if (measurement->member != member || !measurement->standby)
            continue;
        all++;
        if (!measurement->task.seat)
            continue;
        measurement->told.loads = measurement->told.loads || settled;
        if (measurement->task.waiting && clopt_measurement_can_admit(measurement))
            clopt_pool_wake(schedule->pool, &measurement->task);
    }
    uint64_t swept = clopt_race_initial(race)->samples.measurements / race->members;
    bool early = all * race->members <= most && swept + all < processes;
    bool late = all == 1 && settled && clopt_race_wants_samples(race, member);
    if ((early || late) && all < CLOPT_MEASUREMENTS &&
        !clopt_race_count(race, clopt_candidate_is_finalist))
        begin_measurement(queue, member, true);
    if (!queue->expects_more) /* processors have nothing better to do */
        clopt_pool_warm(schedule->pool, most < CLOPT_MEASUREMENTS ? most : CLOPT_MEASUREMENTS,
                        schedule->run->failure);
}

/* Goes on with the measurement that uses a device. */
static void go_on_with_measurement(struct clopt_device_queue *queue, struct clopt_job *measurement)
{
    struct clopt_race *race = queue->races[0];
    struct clopt_schedule *schedule = queue->schedule;
    bool alone = race->on_cpu || measurement->told.stops || race->wanting.alone;
    measurement->told.expects = !alone && queue->expects_others;
    measurement->told.held =
        clopt_schedule_yields(schedule, queue, clopt_device_queue_processors(queue));
    if (measurement->task.waiting && !measurement->told.held &&
        (!measurement->told.expects || clopt_measurement_can_admit(measurement)))
        clopt_pool_wake(schedule->pool, &measurement->task);
    if (!alone && !measurement->told.held && measurement->task.seat)
        prepare_measurements(queue, measurement->member);
    if (!alone && !queue->expects_more)
        clopt_schedule_prepare_rechecks(queue);
}

/* Whether a search on a processor is to measure what is built, though more is to be: a compiler may
 * take longer for some variants than the search has for all. */
static bool is_generation_over(const struct clopt_device_queue *queue)
{
    const struct clopt_race *race = queue->races[0];
    return race->tuning && race->on_cpu &&
           clopt_seconds_since(queue->building_since_ns) > GENERATION * queue->share_s &&
           clopt_race_wants_samples(race, clopt_race_first_member(race));
}

/* Whether a measurement can begin as far as others are concerned: on a CPU not while something is
 * built, but for what takes much longer than all else, or than a search may build. */
static bool may_use_device(struct clopt_device_queue *queue, size_t member)
{
    struct clopt_schedule *schedule = queue->schedule;
    const struct clopt_race *race = queue->races[0];
    size_t device = race->devices[member];
    size_t busy = clopt_schedule_count(schedule, CLOPT_JOBS_OF_BUILDERS, true, device);
    bool over = is_generation_over(queue);
    queue->wants_device = true;
    if (clopt_schedule_yields(schedule, queue, clopt_device_queue_processors(queue)))
        return false;
    if (!race->on_cpu && !race->wanting.alone)
        return true;
    size_t open = clopt_schedule_count(schedule, CLOPT_JOBS_MEASURE, true, device);
    if (race->wanting.alone)
        return busy == 0 && open == 0;
    if ((busy == clopt_schedule_builders(schedule, device) && !over) ||
        !clopt_pool_can_pause(schedule->pool) ||
        clopt_schedule_find_beside(schedule, CLOPT_JOBS_MEASURE, race, device, NULL) ||
        (open && clopt_device_queue_processors(queue) + open > schedule->processors)) {
        queue->idle_since_ns = 0;
        return false;
    }
    if (!queue->idle_since_ns || queue->built != race->tally.built)
        queue->idle_since_ns = clopt_now_ns();
    queue->built = race->tally.built;
    return busy == 0 || over || clopt_seconds_since(queue->idle_since_ns) > STRAGGLER_S;
}

/* Whether a measurement can begin now. */
static bool may_measure(struct clopt_device_queue *queue, size_t member)
{
    const struct clopt_race *race = queue->races[0];
    if (!clopt_race_wants_samples(race, member) ||
        clopt_plan_is_late(queue, clopt_planned_measuring(queue)))
        return false;
    if (race->on_cpu && !race->wanting.alone && !is_generation_over(queue) &&
        (clopt_race_count(race, clopt_candidate_waits) || wants_trials(race))) {
        queue->idle_since_ns = 0;
        return false;
    }
    return may_use_device(queue, member);
}

/* ---- the time limit ---- */

/* Whether a race is in vain: a search compares all with its initial code, and where that has no
 * result, or one with which nothing can be compared, no variant can be told right or wrong. */
static bool is_vain(const struct clopt_race *race)
{
    const struct clopt_candidate *initial = clopt_race_initial(race);
    const struct clopt_defined *defined = race->app->entry->extension->app->defined;
    if (!clopt_candidate_has_failed(initial))
        return false;
    return race->tuning || clopt_stage_find(initial->row.stage) == CLOPT_STAGE_SETUP ||
           (defined && defined->learn && !defined->reference &&
            initial->row.outcome == CLOPT_OUTCOME_BUILD_FAILED);
}

/* Leaves out what is not built, or later what is not measured; a study goes on with it. */
static void leave_out(struct clopt_device_queue *queue)
{
    struct clopt_race *race = queue->races[0];
    bool is_open = clopt_device_queue_is_open(queue);
    bool late = clopt_plan_is_late(queue, clopt_planned_end(queue, is_open)) || is_vain(race);
    struct clopt_job *measurement = NULL;
    race->cut |= expects_more(race);
    clopt_schedule_cancel(queue->schedule, CLOPT_JOBS_BUILD, race);
    while (late && (measurement = clopt_schedule_find(queue->schedule, CLOPT_JOBS_MEASURE, race,
                                                      measurement)))
        measurement->told.stops = true;
    clopt_race_leave_out(race, late && !is_open);
    if (is_vain(race))
        race->tally.not_reached = 0; /* by a time limit */
}

/* ---- the whole ---- */

/* Whether a search whose finalists have met has time to go on. */
static bool can_search(const struct clopt_device_queue *queue)
{
    const struct clopt_race *race = queue->races[0];
    struct clopt_device_queue later = *queue;
    later.finals_began_ns = 0;
    return race->tuning && !race->joined && !is_vain(race) &&
           clopt_planned_search(&later, clopt_seconds_since(queue->race_began_ns)) &&
           clopt_tuning_can_resume(race->tuning);
}

/* Returns how many seconds the finalists may take yet, once they have met: a share of all that came
 * before, unless more was asked for; of a search's own time none, until nothing is left to try. */
static double finals_left(const struct clopt_device_queue *queue)
{
    const struct clopt_study *study = queue->schedule->run->study;
    if (study->measure.precision_named)
        return INFINITY;
    if (clopt_race_has_time(queue->races[0]))
        return can_search(queue) ? 0 : INFINITY;
    return CLOPT_FINALS_SHARE * 1e-9 * (double)(queue->finals_began_ns - queue->race_began_ns) -
           clopt_seconds_since(queue->finals_began_ns);
}

/* Names the best of each kernel. */
static void name_best(const struct clopt_device_queue *queue)
{
    struct clopt_race *race = queue->races[0];
    const struct clopt_watcher *watcher = queue->schedule->watcher;
    const struct clopt_ending ending = {
        .late = clopt_plan_is_late(queue, clopt_planned_measuring(queue)),
        .need_s = clopt_planned_need_s(queue),
        .spent = finals_left(queue) <= 0,
        .took_s = clopt_seconds_since(queue->finals_began_ns),
    };
    clopt_finals_name(race);
    clopt_finals_keep_sources(race);
    watcher->name(watcher->user, race, &ending);
    clopt_store_put(race->run->store, CLOPT_SQL_SHOW_PREFIXES, race->run->failure, "rii",
                    race->device_row, race->problem_row);
}

static void end_race(struct clopt_device_queue *queue)
{
    struct clopt_race *race = queue->races[0];
    if (!is_vain(race))
        name_best(queue);
    clopt_ranking_put_noise(race);
    race->tally.over = race->order.count;
    clopt_tally_add(&queue->schedule->tally, &race->tally);
    clopt_race_fini(race);
    free(race);
    queue->races[0] = NULL;
}

/* Goes on with all members; whether one is in use. */
static bool go_on_measuring(struct clopt_device_queue *queue)
{
    struct clopt_race *race = queue->races[0];
    bool open = false;
    queue->wants_device = false;
    size_t first =
        clopt_race_initial(race)->samples.measurements; /* on a CPU they have to alternate */
    for (size_t i = 0; i < race->members; i++) {
        size_t member = (first + i) % race->members;
        struct clopt_job *measurement = find_measurement(queue, member, false);
        if (race->lost[member] || (!measurement && !may_measure(queue, member)))
            continue;
        open = true;
        if (measurement)
            go_on_with_measurement(queue, measurement);
        else
            open_measurement(queue, member);
    }
    return open;
}

/* Has a search go on where its finals have left time; they meet again after that. */
static bool search_again(struct clopt_device_queue *queue)
{
    struct clopt_race *race = queue->races[0];
    if (!can_search(queue))
        return false;
    clopt_tuning_resume(race->tuning);
    queue->finals_began_ns = 0;
    queue->building_since_ns = clopt_now_ns();
    race->tally.not_reached = race->stepped = race->rounds = 0;
    race->cut = false;
    return true;
}

/* Compares the finalists that may win; checks them when the search is over. False: that is done. */
static bool go_on_with_finalists(struct clopt_device_queue *queue)
{
    struct clopt_race *race = queue->races[0];
    const unsigned builds = CLOPT_JOBS_BUILD | CLOPT_JOBS_RECHECK;
    bool late = clopt_plan_is_late(queue, clopt_planned_finals(queue));
    race->presorts = race->rounds == 0 && !late;
    if (race->presorts && clopt_schedule_recheck(queue))
        return true;
    race->presorts = false;
    if (!late && !clopt_schedule_find(queue->schedule, builds, race, NULL)) {
        if (!may_use_device(queue, clopt_race_first_member(race)))
            return true;
        if (!queue->finals_began_ns)
            queue->finals_began_ns = clopt_now_ns();
        if (!race->finals_left && race->rounds)
            race->cost.round_s = clopt_seconds_since(queue->finals_began_ns) / race->rounds;
        if (race->finals_left || clopt_finals_go_on(race, finals_left(queue))) {
            clopt_race_share(race);
            go_on_measuring(queue);
            return true;
        }
    }
    clopt_schedule_cancel(queue->schedule, CLOPT_JOBS_OF_DEVICE, race);
    return search_again(queue) || clopt_schedule_recheck(queue);
}

/* Enters what the best begin with, if that was done so often; whether there is any to measure. */
static bool enter_prefixes(struct clopt_device_queue *queue, unsigned times)
{
    struct clopt_race *race = queue->races[0];
    return race->stepped == times && !race->joined &&
           !clopt_plan_is_late(queue, clopt_planned_measuring(queue)) && clopt_prefixes_enter(race);
}

/* Takes the next step with the race that is measured. */
static void go_on(struct clopt_device_queue *queue)
{
    struct clopt_race *race = queue->races[0];
    queue->expects_more = expects_more(race);
    queue->expects_others = expects_others(race);
    if (is_vain(race) || clopt_plan_is_late(queue, clopt_planned_building(queue)))
        leave_out(queue);
    bool more = clopt_race_count(race, clopt_candidate_is_in_hand) || expects_more(race);
    if (race->wanting.alone && !clopt_device_queue_is_open(queue))
        clopt_schedule_cancel(queue->schedule, CLOPT_JOBS_OF_DEVICE, race);
    if (go_on_measuring(queue))
        return;
    if (!more && enter_prefixes(queue, 0))
        return;
    if (!more && !go_on_with_finalists(queue)) {
        if (enter_prefixes(queue, 1))
            return;
        if (clopt_combined_enter(race))
            queue->finals_began_ns = 0; /* combined variants have their own */
        else
            end_race(queue);
    }
    for (size_t member = 0; more && member < race->members; member++)
        if (!race->on_cpu && !queue->wants_device && !race->wanting.alone && !race->lost[member])
            prepare_measurements(queue, member);
}

/* Takes note of members that are lost: what still runs on one ends. */
static void lose_members(struct clopt_device_queue *queue)
{
    const struct clopt_race *race = queue->races[0];
    struct clopt_job *measurement = NULL;
    for (size_t i = 0; i < 2; i++)
        if (queue->races[i])
            clopt_race_lose_members(queue->races[i]);
    while ((measurement =
                clopt_schedule_find(queue->schedule, CLOPT_JOBS_OF_DEVICE, race, measurement)))
        if (measurement->task.seat && race->lost[measurement->member])
            clopt_pool_cancel(queue->schedule->pool, &measurement->task);
}

void clopt_device_queue_advance(struct clopt_device_queue *queue)
{
    const struct clopt_error *failure = queue->schedule->run->failure;
    lose_members(queue);
    collect(queue);
    for (size_t i = 0; i < 2; i++)
        if (queue->races[i])
            clopt_race_share(queue->races[i]);
    if (!failure->status)
        go_on(queue);
    for (size_t i = 0; i < 2 && queue->races[0] && !failure->status; i++)
        if (queue->races[i] && !is_generation_over(queue))
            clopt_schedule_hand_out(queue, queue->races[i]);
}
