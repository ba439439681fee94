/* SPDX-License-Identifier: BSD-3-Clause */
/* Counters: variables that are declared elsewhere but used only in the for loops that set them
 * alone, so that no value flows from one loop to the next. */
#ifndef CLOPT_ANALYSIS_COUNTER_H
#define CLOPT_ANALYSIS_COUNTER_H

#include <clopt/source.h>

/* Sets counters[i] for each of `count` variables that is one in a function's body. */
void clopt_counters_find(const struct clopt_node *body, bool *counters, size_t count);

/* The outermost loop around a use of a variable that sets it first; NULL where there is none. */
const struct clopt_node *clopt_counter_loop(const struct clopt_node *node,
                                            const struct clopt_variable *variable);

#endif
