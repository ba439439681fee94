/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans a race's time from its end: what the finalists need is known from the first process that
 * measures, and kept for them. All are shares of the race's time, at which something ends. */
#pragma once

#include "supervisor/schedule.h"

/* Gives the race that begins its share of the time that is left. */
void clopt_plan_begin(struct clopt_device_queue *queue);

/* Whether a race is to take no more time for what comes before such a share of it. The combined
 * variant has what is left, and is measured in one process at least. */
bool clopt_plan_is_late(const struct clopt_device_queue *queue, double share);

static inline double clopt_seconds_since(int64_t then_ns)
{
    return 1e-9 * (double)(clopt_now_ns() - then_ns);
}

/* Take note of the seconds of each stage ({"setup": 1.5, ...}) in an answer of a measurement about
 * a candidate, and of one that is ready to be sampled there. */
void clopt_plan_cost(struct clopt_race *race, const struct clopt_candidate *candidate,
                     const json_t *seconds);
void clopt_plan_candidate(struct clopt_race *race, const struct clopt_candidate *candidate);

/* Returns the seconds that a process in which finalists meet takes; 0: it is not known yet. */
double clopt_planned_process_s(const struct clopt_race *race);

/* Takes note that finals had nothing to compare: the next ones are expected to need the best. */
void clopt_plan_alone(struct clopt_race *race);

/* When nothing more is built. */
double clopt_planned_building(const struct clopt_device_queue *queue);

/* Whether a search whose finals are over has time to go on, so many seconds after it began. */
bool clopt_planned_search(const struct clopt_device_queue *queue, double passed_s);

/* When no process begins to measure any more, and when those that do are stopped, where one is
 * open; without one, variants that were built too late to be measured are left out. */
double clopt_planned_measuring(const struct clopt_device_queue *queue);
double clopt_planned_end(const struct clopt_device_queue *queue, bool is_open);

/* When finalists may meet in another process for the last time. */
double clopt_planned_finals(const struct clopt_device_queue *queue);

/* Returns how many seconds a search would need to have its best measured in as many processes as
 * the study asks for; 0: it had them. */
double clopt_planned_need_s(const struct clopt_device_queue *queue);
