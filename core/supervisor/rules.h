/* SPDX-License-Identifier: BSD-3-Clause */
/* Who may begin: the thresholds of the schedule, and the rules that hold a job back. */
#pragma once

#include "supervisor/schedule.h"

#define CLOPT_MEASUREMENTS 3 /* of a device: one that samples, and the next ones, on standby */
#define CLOPT_ANY_BUILT    3 /* so many have a variant among them: two are the initial code */

/* Of so many workers that may build these do so whatever it costs to open the device; and so many
 * processes may be on standby before it is known that they are needed. */
#define CLOPT_FIRST_WORKERS(builders) (((builders) + 3) / 4)
#define CLOPT_EARLY_STANDBY(builders) ((builders) / 4)

/* Says why a job may not begin now; NULL: it may, on this device. That of a measurement is its
 * member's, others take that on whose host the most workers are free. */
const char *clopt_rules_hold(struct clopt_device_queue *queue, const struct clopt_want *want,
                             size_t *device);

/* Whether a queue has to wait on a device for another one, which needs processors beside those that
 * it takes while it samples; or beside all. */
bool clopt_rules_yields(const struct clopt_device_queue *queue, size_t device, bool samples);

/* Whether samples are wanted of a member, and what they come after is over: on a processor all in
 * hand is built before. */
bool clopt_rules_wants_device(const struct clopt_device_queue *queue, size_t member);

/* Whether those who cannot win have left a measurement, which nothing else joins. */
bool clopt_rules_is_settled(const struct clopt_job *measurement);

/* Has a search give up builds that take many times what others take. */
void clopt_rules_limit_builds(const struct clopt_schedule *schedule);
