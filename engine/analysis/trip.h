/* SPDX-License-Identifier: BSD-3-Clause */
/* What files that read the heads of loops share. */
#pragma once

#include <clopt/loop.h>

/* Returns the variable that the step of a for loop changes, and nothing else in its body does; NULL
 * where there is none. */
const struct clopt_variable *clopt_trip_counter(const struct clopt_node *loop);

/* Reads the initial value of trip->counter; false for a head that does something else. */
bool clopt_trip_read_first(const struct clopt_node *loop, struct clopt_trip *trip);

/* Evaluates an integer expression under bindings; false where its value is not known, or is so near
 * the limits of an int that a conversion may change it. */
bool clopt_trip_evaluate(const struct clopt_node *node, const struct clopt_binding *bindings,
                         int64_t *value);

/* Whether a loop has at least one iteration, whenever it is executed. */
bool clopt_loop_iterations(const struct clopt_node *loop, const struct clopt_trip *trip);

/* Sets counters[i] for each of `count` variables that is used in a body only in the for loops that
 * set it alone, so that no value flows from one loop to the next. */
void clopt_counters_find(const struct clopt_node *body, bool *counters, size_t count);

/* The outermost loop around a use of a variable that sets it first; NULL where there is none. */
const struct clopt_node *clopt_counter_loop(const struct clopt_node *node,
                                            const struct clopt_variable *variable);
