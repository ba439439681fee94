/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions by a branch: the greatest number or the least one, and the index of the first such
 * one.
 *
 *     if (e > best) {
 *         best = e;
 *         index = k;
 *     } */
#pragma once

#include <clopt/loop.h>

struct extremum {
    struct clopt_variable *best;
    struct clopt_variable *index; /* NULL: the branch keeps none */
    const char *better;           /* ">" or "<": what a number is to the one that it replaces */
    const char *earlier;          /* the same of the counter's values */
};

#define MOST_EXTREMA 4

struct extrema {
    struct extremum items[MOST_EXTREMA];
    size_t count;
};

/* Finds the extrema of a loop, whose variables nothing else in it uses. Without an index, those of
 * floating-point numbers need `reassociate`: the first may be 0 or -0. Marks their variables, by
 * number, as handled. */
void extrema_find(const struct clopt_node *loop, const struct clopt_trip *trip, bool reassociate,
                  struct extrema *extrema, bool *handled);

/* Counts how often a loop names a variable. */
size_t loop_count_uses(const struct clopt_node *loop, const struct clopt_variable *variable);
