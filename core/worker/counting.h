/* SPDX-License-Identifier: BSD-3-Clause */
/* The counters of plugins that count on a device. */
#pragma once

#include "opencl/counter.h"
#include "plugin/registry.h"

struct clopt_counting;

/* Opens all counters that count launches of so many kernels on a device, or the first one that
 * tells its energy and is seen to move. CLOPT_INFEASIBLE: there are none for such devices. */
enum clopt_status clopt_counting_open(const struct clopt_registry *registry,
                                      const struct clopt_context *context,
                                      enum clopt_counter_use use, unsigned kernels,
                                      struct clopt_counting **counting, struct clopt_error *error);
void clopt_counting_close(struct clopt_counting *counting);
CLOPT_HOLDER(clopt_counting, clopt_counting_close);

enum clopt_status clopt_counting_begin(struct clopt_counting *counting, struct clopt_error *error);
enum clopt_status clopt_counting_end(struct clopt_counting *counting, unsigned kernel,
                                     struct clopt_error *error);

/* Calls `take` with all counts of a kernel. */
typedef void clopt_count_taker(void *user, unsigned kernel, const struct clopt_reading *count);
void clopt_counting_list(const struct clopt_counting *counting, unsigned kernel,
                         clopt_count_taker *take, void *user);

/* The one count of energy, or of waits. */
double clopt_counting_value(const struct clopt_counting *counting);

/* Opens what counts waits; NULL: nothing does, and the other two do nothing. Begins; and returns
 * the share since then. */
struct clopt_counting *clopt_waits_open(const struct clopt_registry *registry,
                                        const struct clopt_context *context);
void clopt_waits_begin(struct clopt_counting *waits);
double clopt_waits_end(struct clopt_counting *waits);

/* Measures a device by the counter of a use; `rates` is a new reference. */
enum clopt_status clopt_counter_measure(const struct clopt_registry *registry,
                                        const struct clopt_context *context,
                                        enum clopt_counter_use use, json_t **rates,
                                        struct clopt_error *error);

/* Measures the clocks of a device, once, by the counter that does. CLOPT_INFEASIBLE: neither that
 * of its events nor the host's is believed. */
enum clopt_status clopt_clock_measure(const struct clopt_registry *registry,
                                      struct clopt_context *context, struct clopt_error *error);
