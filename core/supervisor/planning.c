/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans a race's time from its end. */
#include "supervisor/planning.h"

#include <math.h>

#include "race/combined.h"
#include "race/ranking.h"
#include "supervisor/rules.h"

/* What shares of a time limit pass before nothing more is built, at the earliest, and nothing more
 * is measured: the rest is for what is in hand, and for checks. */
#define BUILDING  0.6
#define SEARCHING 0.75 /* a search at the latest, once it has measured a generation */
#define MEASURING 0.9
#define LAST      0.97 /* where the best is still open */

#define LEAST_SEARCH 0.4 /* whatever the finals need, a search has so much */
#define FOR_FINALS   0.2 /* of the time; more processes than are missing do not take more */

#define FINALS       3 /* processes, where no search is planned */
#define SIDE_ENTRIES 2 /* beside the finalists: the initial code, and the same once more */

#define JOINING 0.8 /* times what is planned, where the best of several kernels come after that */

void clopt_plan_begin(struct clopt_device_queue *queue)
{
    const struct clopt_schedule *schedule = queue->schedule;
    double limit_s = schedule->run->study->measure.time_s;
    size_t races = queue->races_left + 1 + (queue->races[1] != NULL);
    queue->building_since_ns = queue->race_began_ns = clopt_now_ns();
    queue->finals_began_ns = 0;
    double left_s = limit_s - (double)(queue->race_began_ns - schedule->began_ns) * 1e-9;
    queue->share_s = limit_s > 0 ? fmax(left_s, 0) / (double)races : INFINITY;
}

/* Whether what a process takes to set a problem up is what later ones take, too: the first one of
 * an app that a study describes makes inputs and references, which the others find in the cache. */
static bool is_usual_setup(const struct clopt_race *race)
{
    return race->cost.candidates || !race->app->entry->extension->app->defined;
}

void clopt_plan_cost(struct clopt_race *race, const struct clopt_candidate *candidate,
                     const json_t *seconds)
{
    const char *stage;
    json_t *spent;
    json_object_foreach((json_t *)seconds, stage, spent)
    {
        double spent_s = json_number_value(spent);
        if (clopt_stage_find(stage) != CLOPT_STAGE_SETUP) {
            race->cost.work_s += spent_s;
            race->cost.initial_s += candidate->role ? spent_s : 0;
        } else if (is_usual_setup(race)) {
            race->cost.setup_s += spent_s;
        }
    }
}

void clopt_plan_candidate(struct clopt_race *race, const struct clopt_candidate *candidate)
{
    if (candidate == clopt_race_reference(race))
        race->cost.processes += is_usual_setup(race);
    race->cost.initials += candidate->role != CLOPT_ROLE_VARIANT;
    race->cost.candidates++;
}

/* What a variant takes in a process, or where none was measured yet, any candidate. */
static double variant_s(const struct clopt_race *race)
{
    size_t variants = race->cost.candidates - race->cost.initials;
    return variants ? (race->cost.work_s - race->cost.initial_s) / (double)variants
                    : race->cost.work_s / (double)race->cost.candidates;
}

/* What the initial code takes in a process. */
static double initial_s(const struct clopt_race *race)
{
    return race->cost.initial_s / fmax((double)race->cost.initials, 1);
}

/* What a process takes in which so many finalists meet: what they are measured beside is one of
 * them, or the initial code and the same once more. */
static double process_s(const struct clopt_race *race, unsigned finalists)
{
    const struct clopt_pool *pool = race->run->pool;
    double opening_s =
        pool->opened ? (pool->start_s + pool->seconds[CLOPT_STAGE_OPEN]) / (double)pool->opened : 0;
    double setup_s = race->cost.setup_s / fmax((double)race->cost.processes, 1);
    double side_s = race->reference ? 0 : !race->cost.initials ? variant_s(race) : initial_s(race);
    return opening_s + setup_s + finalists * variant_s(race) + SIDE_ENTRIES * side_s;
}

double clopt_planned_process_s(const struct clopt_race *race)
{
    return !race->cost.candidates || race->cost.round_s > 0 ? race->cost.round_s
                                                            : process_s(race, CLOPT_FINALISTS);
}

void clopt_plan_alone(struct clopt_race *race)
{
    if (race->cost.candidates && !(race->cost.round_s > 0))
        race->cost.round_s = process_s(race, 1);
}

/* Whether a race is planned so: a search whose time ends. */
static bool is_planned(const struct clopt_device_queue *queue)
{
    return queue->races[0]->tuning && isfinite(queue->share_s) && queue->share_s > 0;
}

/* Whether more may be lost by what finals have named than the study accepts. */
static bool is_uncertain(const struct clopt_race *race)
{
    for (size_t k = clopt_race_open_column(race); k < clopt_race_columns(race); k++)
        if (race->ranking[k].regret.high > race->run->study->measure.precision)
            return true;
    return false;
}

/* Whether a variant is the best so far, and may be no faster than the initial code. */
static bool is_open(const struct clopt_race *race)
{
    for (size_t k = clopt_race_open_column(race); k < clopt_race_columns(race); k++) {
        const struct clopt_candidate *leader = race->ranking[k].leader;
        if (leader && leader->role == CLOPT_ROLE_VARIANT &&
            !clopt_ranking_judge(race, leader, k).different)
            return true;
    }
    return false;
}

/* What finals need of the initial code beside what a process takes: where others are measured
 * beside another one, it is measured once more. */
static double initial_more_s(const struct clopt_race *race)
{
    return race->reference && clopt_ranking_needs_initial(race, true) ? initial_s(race) : 0;
}

double clopt_planned_finals(const struct clopt_device_queue *queue)
{
    const struct clopt_race *race = queue->races[0];
    if (!is_planned(queue))
        return MEASURING;
    double share = LAST - (clopt_planned_process_s(race) + initial_more_s(race)) / queue->share_s;
    return is_open(race) ? share : fmin(share, MEASURING);
}

static bool is_measured_variant(const struct clopt_candidate *candidate)
{
    return candidate->role == CLOPT_ROLE_VARIANT && clopt_candidate_is_measured(candidate);
}

/* Whether a variant has a time, or is built to get one. */
static bool may_have_time(const struct clopt_candidate *candidate)
{
    return is_measured_variant(candidate) ||
           (candidate->role == CLOPT_ROLE_VARIANT && clopt_candidate_wants_samples(candidate));
}

double clopt_planned_measuring(const struct clopt_device_queue *queue)
{
    const struct clopt_race *race = queue->races[0];
    if (!is_planned(queue) || !clopt_race_count(race, is_measured_variant))
        return MEASURING; /* what a process takes says nothing without a variant to measure in it */
    if (queue->finals_began_ns)
        return clopt_planned_finals(queue);
    double process_s = clopt_planned_process_s(race);
    double processes = (double)race->run->study->measure.processes;
    double kept_s =
        fmin(processes * process_s, fmax((processes - 1) * process_s, FOR_FINALS * queue->share_s));
    if (race->cost.round_s > 0 && is_uncertain(race))
        kept_s = fmax(kept_s, FOR_FINALS * queue->share_s);
    kept_s += initial_more_s(race);
    if (!clopt_race_initial(race)->checks.passed) /* it tells what is right with other inputs */
        kept_s += initial_s(race);
    return fmin(MEASURING, fmax(LEAST_SEARCH, LAST - kept_s / queue->share_s));
}

double clopt_planned_end(const struct clopt_device_queue *queue, bool is_open)
{
    return is_open && queue->finals_began_ns && is_planned(queue) ? LAST
                                                                  : clopt_planned_measuring(queue);
}

double clopt_planned_building(const struct clopt_device_queue *queue)
{
    const struct clopt_race *race = queue->races[0];
    bool searches = race->tuning && clopt_race_initial(race)->samples.count;
    if (is_planned(queue) && (clopt_candidate_is_unbuilt(clopt_race_initial(race)) ||
                              !clopt_race_count(race, may_have_time)))
        return race->cost.candidates ? MEASURING : SEARCHING; /* nothing else to do with the time */
    if (!race->cost.candidates)
        return BUILDING;
    double each_s = variant_s(race) / (double)(race->left ? race->left : 1);
    double measuring = clopt_planned_measuring(queue);
    size_t left = clopt_race_count(race, clopt_candidate_is_in_hand);
    left += is_planned(queue) ? 0 : FINALS * CLOPT_FINALISTS;
    double share = measuring - (double)left * each_s / queue->share_s;
    double least = fmin(BUILDING, SEARCHING * measuring);
    return fmin(fmax(least, share), searches && !race->cost.round_s ? SEARCHING : 1);
}

bool clopt_planned_search(const struct clopt_device_queue *queue, double passed_s)
{
    const struct clopt_race *race = queue->races[0];
    double end_s = clopt_planned_building(queue) * queue->share_s;
    return is_planned(queue) && race->cost.round_s > 0 && passed_s + race->cost.round_s < end_s;
}

double clopt_planned_need_s(const struct clopt_device_queue *queue)
{
    const struct clopt_race *race = queue->races[0];
    uint64_t processes = race->run->study->measure.processes, least = processes;
    bool none = !clopt_race_count(race, is_measured_variant);
    if (!is_planned(queue) || !(none ? race->cost.candidates : is_open(race)))
        return 0;
    for (size_t k = clopt_race_open_column(race); k < clopt_race_columns(race); k++) {
        const struct clopt_candidate *leader = race->ranking[k].leader;
        size_t has = none     ? 0
                     : leader ? clopt_samples_medians(&leader->samples, k)->count
                              : processes;
        least = has < least ? has : least;
    }
    double more_s = (double)(processes - least) * clopt_planned_process_s(race);
    double more = (none ? fmax(more_s, queue->share_s) : more_s) / queue->share_s;
    return least < processes ? ceil(race->run->study->measure.time_s * (1 + more)) : 0;
}

bool clopt_plan_is_late(const struct clopt_device_queue *queue, double share)
{
    const struct clopt_race *race = queue->races[0];
    double passed = clopt_seconds_since(queue->race_began_ns) / queue->share_s;
    if (race->stepped)
        share = fmax(share, clopt_planned_measuring(queue));
    return race->joined ? passed > 1 && !clopt_race_count(race, clopt_candidate_is_untried)
                        : passed > (clopt_combined_is_wanted(race) ? JOINING * share : share);
}
