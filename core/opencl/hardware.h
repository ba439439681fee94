/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts what the threads of this process do on the processor: by its hardware counters
 * (perf_event_open) where they can be read, and by what the system accounts for in any case. */
#pragma once

#include <clopt/error.h>

#define CLOPT_HARDWARE_EVENTS   10 /* that processors count */
#define CLOPT_HARDWARE_COUNTERS (CLOPT_HARDWARE_EVENTS + 3)

struct clopt_hardware;

/* What was counted in all that has been added. Of an event also for how long it was to be counted,
 * and was: there may be more events than counters, which the kernel lends to each in its turn. */
struct clopt_hardware_count {
    double value;
    double enabled_ns;
    double running_ns;
};

/* Opens what can be counted of all threads that there are, and of those that they start later. The
 * system's counters are always there. */
struct clopt_hardware *clopt_hardware_open(void);
void clopt_hardware_close(struct clopt_hardware *hardware);

/* Begins to count, and ends: what was counted is added to `counts`, CLOPT_HARDWARE_COUNTERS. */
enum clopt_status clopt_hardware_begin(struct clopt_hardware *hardware, struct clopt_error *error);
enum clopt_status clopt_hardware_end(struct clopt_hardware *hardware,
                                     struct clopt_hardware_count *counts,
                                     struct clopt_error *error);

/* Returns what a count is of all the time, as far as that can be told from a part of it; NaN: it
 * was never counted. */
double clopt_hardware_scale(const struct clopt_hardware_count *count);

/* Names a counter and its unit. */
const char *clopt_hardware_name(unsigned counter, const char **unit);

/* Says what a counter is from; of the system's, also why there are no hardware counters. */
const char *clopt_hardware_source(const struct clopt_hardware *hardware, unsigned counter);
