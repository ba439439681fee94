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
#include "supervisor/rules.h"

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

/* Whether a measurement has something to wait for: what is built joins it. Those in hand may leave
 * no room for others until the next measurement has measured them, too. */
static bool expects_others(const struct clopt_race *race)
{
    return clopt_race_count(race, clopt_candidate_is_unbuilt) || clopt_race_wants_trials(race) ||
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
    for (size_t i = 0; i < 2 && races[i] && !failure->status; i++) {
        if (races[i]->tuning)
            clopt_tuning_advance(races[i]);
        races[i]->filling = clopt_race_wants_trials(races[i]);
        if (races[i]->filling)
            clopt_race_look(races[i]);
    }
}

/* ---- builds ---- */

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

/* Hands candidates that are not built out to workers that are idle. */
static void hand_out(struct clopt_device_queue *queue, struct clopt_race *race)
{
    for (size_t i = 0; i < race->count; i++) {
        struct clopt_candidate *candidate = race->candidates[i];
        const struct clopt_want build = {
            .race = race, .phase = candidate->phase, .candidate = candidate};
        if (clopt_candidate_waits(candidate) && !waits_for_initial(race, candidate) &&
            !clopt_schedule_begin(queue, &build))
            return;
    }
}

/* ---- checks with other problems ---- */

/* The candidate that is to be checked with another problem next; NULL: none. */
static struct clopt_candidate *next_of(struct clopt_race *race, unsigned problem, bool early)
{
    struct clopt_candidate *initial = clopt_race_initial(race);
    unsigned done = race->bad_problems | initial->checks.passed;
    if (!early)
        return clopt_finals_to_recheck(race, problem);
    return initial->checks.digest[0] && !(done >> problem & 1) ? initial : NULL;
}

/* Has the finalists checked with the other problems, a worker each; or `early`, while the first
 * problem is measured, has the inputs made for that. False: that is done. */
static bool recheck(struct clopt_device_queue *queue, bool early)
{
    struct clopt_race *race = queue->races[0];
    bool more = false;
    for (unsigned problem = 0; problem < CLOPT_OTHER_PROBLEMS; problem++) {
        struct clopt_candidate *next = next_of(race, problem, early);
        const struct clopt_want want = {race, CLOPT_PHASE_OVER, early, next, 0, problem};
        struct clopt_job *job = clopt_schedule_find_wanted(
            queue->schedule, CLOPT_JOBS_RECHECK | CLOPT_JOBS_STANDBY, &want);
        more |= next || (job && !job->standby);
        if (!job && next)
            clopt_schedule_begin(queue, &want);
        if (job && job->standby && next && job->task.waiting && !early) {
            job->standby = false;
            clopt_pool_wake(queue->schedule->pool, &job->task);
        }
    }
    if (!more && !race->presorts && !early) /* what was made ready is not needed */
        clopt_schedule_cancel(queue->schedule, CLOPT_JOBS_RECHECK | CLOPT_JOBS_STANDBY, race);
    return more;
}

/* ---- measurements ---- */

bool clopt_device_queue_is_open(const struct clopt_device_queue *queue)
{
    const struct clopt_race *race = queue->races[0];
    return race &&
           clopt_schedule_find(queue->schedule, CLOPT_JOBS_MEASURE, race, CLOPT_NO_DEVICE, NULL);
}

/* Ends the measurements whose task is over, or whose member is lost, and decides whose samples are
 * enough. */
static void collect(struct clopt_device_queue *queue)
{
    struct clopt_race *race = queue->races[0];
    struct clopt_job *measurement = NULL;
    bool changed = false;
    while ((measurement = clopt_schedule_find(queue->schedule, CLOPT_JOBS_OF_DEVICE, race,
                                              CLOPT_NO_DEVICE, measurement))) {
        if (measurement->task.seat && race->lost[measurement->member])
            clopt_pool_cancel(queue->schedule->pool, &measurement->task);
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
        clopt_finals_end_measurement(race, measurement->member);
    }
    if (changed)
        clopt_ranking_decide(race);
}

/* Has the processes of a device's next measurements get ready. */
static void prepare_measurements(struct clopt_device_queue *queue, size_t member)
{
    struct clopt_race *race = queue->races[0];
    const struct clopt_schedule *schedule = queue->schedule;
    const struct clopt_want next = {race, CLOPT_PHASE_MEASURE, true, NULL, member, 0};
    const struct clopt_job *active =
        clopt_schedule_find_wanted(schedule, CLOPT_JOBS_MEASURE, &next);
    size_t most = CLOPT_EARLY_STANDBY(schedule->builders);
    struct clopt_job *measurement = NULL;
    while ((measurement = clopt_schedule_find(schedule, CLOPT_JOBS_OF_DEVICE, race,
                                              race->devices[member], measurement))) {
        if (measurement->member != member || !measurement->standby || !measurement->task.seat)
            continue;
        measurement->told.loads |= active && clopt_rules_is_settled(active);
        if (measurement->task.waiting && clopt_measurement_joining(measurement))
            clopt_pool_wake(schedule->pool, &measurement->task);
    }
    clopt_schedule_begin(queue, &next);
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
    measurement->told.held = clopt_rules_yields(queue, measurement->device, true);
    if (measurement->task.waiting && !measurement->told.held &&
        (!measurement->told.expects || clopt_measurement_joining(measurement)))
        clopt_pool_wake(schedule->pool, &measurement->task);
    if (!alone && !measurement->told.held && measurement->task.seat)
        prepare_measurements(queue, measurement->member);
    if (!alone && !queue->expects_more)
        recheck(queue, true);
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
                                                      CLOPT_NO_DEVICE, measurement)))
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
    if (queue->schedule->run->study->measure.precision_named)
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
        const struct clopt_want next = {
            .race = race, .phase = CLOPT_PHASE_MEASURE, .member = (first + i) % race->members};
        struct clopt_job *measurement =
            clopt_schedule_find_wanted(queue->schedule, CLOPT_JOBS_MEASURE, &next);
        if (race->lost[next.member])
            continue;
        if (measurement)
            go_on_with_measurement(queue, measurement);
        open |= measurement || (clopt_rules_wants_device(queue, next.member) &&
                                clopt_schedule_begin(queue, &next));
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
    const struct clopt_want first = {
        .race = race, .phase = CLOPT_PHASE_MEASURE, .member = clopt_race_first_member(race)};
    size_t device;
    bool late = clopt_plan_is_late(queue, clopt_planned_finals(queue));
    race->presorts = race->rounds == 0 && !late;
    if (race->presorts && recheck(queue, false))
        return true;
    race->presorts = false;
    if (!late && !clopt_schedule_find(queue->schedule, builds, race, CLOPT_NO_DEVICE, NULL)) {
        if (clopt_rules_hold(queue, &first, &device))
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
        clopt_plan_alone(race);
    }
    clopt_schedule_cancel(queue->schedule, CLOPT_JOBS_OF_DEVICE, race);
    return search_again(queue) || recheck(queue, false);
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
    /* Many variants of a search make demands of launches that an odd size does not meet. */
    race->presorts = race->tuning && race->on_cpu && !clopt_device_queue_is_open(queue) &&
                     !clopt_plan_is_late(queue, clopt_planned_building(queue));
    if (race->presorts)
        recheck(queue, false);
    race->presorts = false;
    bool more = clopt_race_count(race, clopt_candidate_is_in_hand) || expects_more(race);
    if (race->wanting.alone && !clopt_device_queue_is_open(queue))
        clopt_schedule_cancel(queue->schedule, CLOPT_JOBS_OF_DEVICE, race);
    if (go_on_measuring(queue))
        return;
    for (size_t member = 0; more && member < race->members; member++)
        if (!race->on_cpu && !queue->wants_device && !race->wanting.alone && !race->lost[member])
            prepare_measurements(queue, member);
    if (more || enter_prefixes(queue, 0) || go_on_with_finalists(queue) || enter_prefixes(queue, 1))
        return;
    if (clopt_combined_enter(race))
        queue->finals_began_ns = 0; /* combined variants have their own */
    else
        end_race(queue);
}

void clopt_device_queue_advance(struct clopt_device_queue *queue)
{
    const struct clopt_error *failure = queue->schedule->run->failure;
    struct clopt_race **races = queue->races;
    for (size_t i = 0; i < 2 && races[i]; i++)
        clopt_race_lose_members(races[i]);
    collect(queue);
    for (size_t i = 0; i < 2 && races[i]; i++) {
        clopt_ranking_release(races[i]);
        clopt_race_share(races[i]);
    }
    if (!failure->status)
        go_on(queue);
    for (size_t i = 0; i < 2 && races[i] && !failure->status; i++)
        hand_out(queue, races[i]);
}
