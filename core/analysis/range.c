/* SPDX-License-Identifier: BSD-3-Clause */
/* How small a sum can get, as far as the heads of the loops around it tell. */
#include <clopt/loop.h>

#include "analysis/sum.h"
#include "analysis/trip.h"

/* Adds what a loop's counter is at least, or at most, times a factor: between its first value and
 * its bound it goes one way. */
static bool add_limit(const struct clopt_node *loop, const struct clopt_trip *trip, int64_t factor,
                      struct clopt_sum *sum)
{
    struct clopt_sum limit;
    bool first = (factor > 0) == (trip->step > 0);
    const struct clopt_node *node = first ? trip->first : trip->bound;
    if (!node || (first ? !clopt_loop_is_invariant(loop, node) : trip->unequal) ||
        !clopt_sum_find(loop, node, &limit))
        return false;
    if (!first && !trip->inclusive)
        limit.constant += trip->step > 0 ? -1 : 1;
    return clopt_sum_add_product(sum, &limit, factor);
}

bool clopt_sum_least(const struct clopt_node *where, struct clopt_sum sum, int64_t *least)
{
    for (const struct clopt_node *loop = where->parent; loop && sum.count; loop = loop->parent) {
        struct clopt_trip trip;
        int64_t factor = 0;
        if (!clopt_node_is_loop(loop) || !clopt_node_contains(loop->body, where) ||
            !clopt_trip_find(loop, NULL, &trip))
            continue;
        if (!clopt_sum_take(&sum, trip.counter, &factor) ||
            (factor && !add_limit(loop, &trip, factor, &sum)))
            return false;
    }
    *least = sum.constant;
    return !sum.count && !sum.wraps;
}

bool clopt_loop_iterations(const struct clopt_node *loop, const struct clopt_trip *trip)
{
    struct clopt_sum way;
    struct clopt_sum other;
    int64_t least = 0;
    if (trip->count_known)
        return trip->count > 0;
    if (!trip->first || trip->unequal ||
        !clopt_sum_find(loop, trip->step > 0 ? trip->bound : trip->first, &way) ||
        !clopt_sum_find(loop, trip->step > 0 ? trip->first : trip->bound, &other) ||
        !clopt_sum_subtract(&way, &other) || !clopt_sum_least(loop, way, &least))
        return false;
    return least + trip->inclusive > 0;
}
