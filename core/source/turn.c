/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints conditions under which a loop goes on for several turns. */
#include <clopt/loop.h>

#include <inttypes.h>

#include <clopt/rewrite.h>

static void put_parenthesized(const struct clopt_printer *printer, struct clopt_output *output,
                              const struct clopt_node *node)
{
    bool simple = node->kind == CLOPT_NODE_VARIABLE || node->kind == CLOPT_NODE_LITERAL ||
                  node->kind == CLOPT_NODE_PAREN;
    clopt_output_put(output, simple ? "" : "(");
    clopt_print(printer, output, node);
    clopt_output_put(output, simple ? "" : ")");
}

/* Integers of different types are compared as the wider one, or as unsigned, and so they are
 * subtracted. */
bool clopt_trip_is_comparable(const struct clopt_trip *trip)
{
    return !trip->unequal;
}

/* Whether the counter meets multiples of so many turns only, from 0 up to its bound, so that what
 * is above the last of them below the bound can be cut off the bound. */
static bool counts_multiples(const struct clopt_trip *trip, unsigned turns)
{
    return trip->step == 1 && !trip->inclusive && trip->first_known && trip->first_value == 0 &&
           trip->counter->is_signed == trip->bound->is_signed && (turns & (turns - 1)) == 0;
}

/* A bound that does not change is what compilers make the best of. Else what is subtracted must not
 * overflow: a counter that starts at 0 and is below its bound is fine, others are taken as
 * unsigned. */
void clopt_trip_put_condition(const struct clopt_printer *printer, struct clopt_output *output,
                              const struct clopt_node *loop, const struct clopt_trip *trip,
                              unsigned turns)
{
    int64_t step = trip->step < 0 ? -trip->step : trip->step;
    int64_t least = (int64_t)(turns - 1) * step;
    const char *than = trip->inclusive ? ">=" : ">";
    const char *name = trip->counter->name;
    bool wide = trip->counter->bits != trip->bound->bits && !trip->bound->known;
    bool small = trip->step > 0 && trip->counter->is_signed && trip->bound->is_signed && !wide &&
                 trip->first_known && trip->first_value == 0;
    if (counts_multiples(trip, turns)) {
        clopt_output_printf(output, "%s < (", name);
        put_parenthesized(printer, output, trip->bound);
        clopt_output_printf(output, " & ~%u)", turns - 1);
        return;
    }
    if (small) {
        put_parenthesized(printer, output, trip->bound);
        clopt_output_printf(output, " - %s %s %" PRId64, name, than, least);
        return;
    }
    const char *type = wide || trip->counter->bits == 64 ? "ulong" : "uint";
    clopt_print(printer, output, loop->condition);
    clopt_output_printf(output, " && (%s)", type);
    if (trip->step > 0) {
        put_parenthesized(printer, output, trip->bound);
        clopt_output_printf(output, " - (%s)%s", type, name);
    } else {
        clopt_output_printf(output, "%s - (%s)", name, type);
        put_parenthesized(printer, output, trip->bound);
    }
    clopt_output_printf(output, " %s %" PRId64, than, least);
}

struct clopt_node *clopt_trip_condition(struct clopt_source *source, const struct clopt_node *loop,
                                        const struct clopt_trip *trip, unsigned iterations)
{
    int64_t step = trip->step < 0 ? -trip->step : trip->step;
    int64_t least = (int64_t)(iterations - 1) * step;
    const char *than = trip->inclusive ? ">=" : ">";
    bool wide = trip->counter->bits != trip->bound->bits && !trip->bound->known;
    bool small = trip->step > 0 && trip->counter->is_signed && trip->bound->is_signed && !wide &&
                 trip->first_known && trip->first_value == 0;
    if (counts_multiples(trip, iterations))
        return clopt_build(source, loop, "$v < ($n & ~$u)", trip->counter, trip->bound,
                           iterations - 1);
    if (small)
        return clopt_build(source, loop, "$n - $v $s $l", trip->bound, trip->counter, than, least);
    const char *type = wide || trip->counter->bits == 64 ? "ulong" : "uint";
    return trip->step > 0
               ? clopt_build(source, loop, "$n && ($s)$n - ($s)$v $s $l", loop->condition, type,
                             trip->bound, type, trip->counter, than, least)
               : clopt_build(source, loop, "$n && ($s)$v - ($s)$n $s $l", loop->condition, type,
                             trip->counter, type, trip->bound, than, least);
}
