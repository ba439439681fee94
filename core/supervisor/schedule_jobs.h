/* SPDX-License-Identifier: BSD-3-Clause */
/* Hands out what workers build and check, apart from what they measure. */
#ifndef CLOPT_SUPERVISOR_SCHEDULE_JOBS_H
#define CLOPT_SUPERVISOR_SCHEDULE_JOBS_H

#include "supervisor/schedule.h"

/* Of so many processors, one gets a process ready that will use the device later. */
#define CLOPT_PROCESSORS_A_SWEEP 4

/* Counts the jobs that are under way, or those that do something now. */
size_t clopt_schedule_count_jobs(const struct clopt_schedule *schedule, bool busy);

/* Whether one of them does something for a contest by which the device may be used. */
bool clopt_schedule_works_on(const struct clopt_schedule *schedule,
                             const struct clopt_contest *contest);

/* Ends the jobs that build a contest's contenders. */
void clopt_schedule_cancel_builds(struct clopt_schedule *schedule,
                                  const struct clopt_contest *contest);

/* Counts the sweeps that do something now, or those of them that may use a device. */
size_t clopt_schedule_count_sweeps(const struct clopt_schedule *schedule, bool open);

/* Whether one worker at a time goes on, since one was killed from outside. */
bool clopt_schedule_goes_alone(const struct clopt_contest *contest);

/* Has a search give up builds that take many times what others take. */
void clopt_schedule_limit_builds(struct clopt_schedule *schedule);

/* Hands contenders that are not built out to workers that are idle. */
void clopt_schedule_hand_out(struct clopt_track *track, struct clopt_contest *contest);

/* Has the inputs of the checks with other problems made while the first problem is measured, where
 * there are processors enough. */
void clopt_schedule_prepare_rechecks(struct clopt_track *track);

/* Has the finalists checked with the other problems, a worker each. False: that is done. */
bool clopt_schedule_recheck(struct clopt_track *track);

#endif
