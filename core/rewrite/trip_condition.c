/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds conditions under which a loop has several more iterations. */
#include <clopt/loop.h>

#include <clopt/rewrite.h>

/* Whether the counter meets multiples of so many iterations only, from 0 up to its bound, so that
 * what is above the last of them below the bound can be cut off the bound. */
static bool counts_multiples(const struct clopt_trip *trip, unsigned iterations)
{
    return trip->step == 1 && !trip->inclusive && trip->first_known && trip->first_value == 0 &&
           trip->counter->is_signed == trip->bound->is_signed &&
           (iterations & (iterations - 1)) == 0;
}

/* A bound that does not change is what compilers make the best of. Else what is subtracted must not
 * overflow: a counter that starts at 0 and is below its bound is fine, others are taken as
 * unsigned. */
struct clopt_node *clopt_trip_condition(const struct clopt_cloning *cloning,
                                        const struct clopt_node *loop,
                                        const struct clopt_trip *trip, unsigned iterations)
{
    struct clopt_source *source = cloning->source;
    struct clopt_node *bound = clopt_clone(cloning, trip->bound);
    int64_t least = (int64_t)(iterations - 1) * (trip->step < 0 ? -trip->step : trip->step);
    const char *than = trip->inclusive ? ">=" : ">";
    bool wide = trip->counter->bits != trip->bound->bits && !trip->bound->known;
    const char *type = wide || trip->counter->bits == 64 ? "ulong" : "uint";
    if (counts_multiples(trip, iterations))
        return clopt_build(source, loop, "$v < ($n & ~$u)", trip->counter, bound, iterations - 1);
    if (trip->step > 0 && trip->counter->is_signed && trip->bound->is_signed && !wide &&
        trip->first_known && trip->first_value == 0)
        return clopt_build(source, loop, "$n - $v $s $l", bound, trip->counter, than, least);
    struct clopt_node *condition = clopt_clone(cloning, loop->condition);
    return trip->step > 0 ? clopt_build(source, loop, "$n && ($t)$n - ($t)$v $s $l", condition,
                                        type, bound, type, trip->counter, than, least)
                          : clopt_build(source, loop, "$n && ($t)$v - ($t)$n $s $l", condition,
                                        type, trip->counter, type, bound, than, least);
}
