/* SPDX-License-Identifier: BSD-3-Clause */
/* Bounds what is said of a variant by the time for which its threads had processors. Load lengthens
 * what is longer than a time slice, and spares what fits into one: so the initial code seems slower
 * than it is, and nothing that is common to both takes that out. */
#include <math.h>

#include "results/results.h"
#include "store/cursor.h"

#define MOST_WAITED 0.99

enum clopt_status clopt_result_gather_waited(struct clopt_store *store, struct clopt_result *result,
                                             struct clopt_error *error)
{
    struct clopt_cursor rows =
        clopt_cursor_begin(store, CLOPT_SQL_GET_WAITED, error, "i", result->trial.id);
    while (clopt_cursor_next(&rows)) {
        double share = clopt_cursor_real(&rows, "share");
        struct clopt_waited *waited =
            clopt_array_add(&result->waited, &result->waited_count, sizeof *result->waited);
        *waited = (struct clopt_waited){(uint32_t)clopt_cursor_integer(&rows, "process"),
                                        share > 0 ? fmin(share, MOST_WAITED) : 0};
    }
    return clopt_cursor_end(&rows);
}

/* The medians less what threads waited. */
static struct clopt_medians lessen(const struct clopt_result *result, enum clopt_scope scope)
{
    const struct clopt_medians *medians = &result->medians[scope];
    struct clopt_medians lessened = {clopt_calloc(medians->count, sizeof *medians->items),
                                     medians->count};
    size_t next = 0; /* both are by process */
    for (size_t i = 0; i < medians->count; i++) {
        lessened.items[i] = medians->items[i];
        while (next < result->waited_count &&
               result->waited[next].process < medians->items[i].process)
            next++;
        if (next < result->waited_count &&
            result->waited[next].process == medians->items[i].process)
            lessened.items[i].log_median += log1p(-result->waited[next].share);
    }
    return lessened;
}

void clopt_result_bound(const struct clopt_result *initial, const struct clopt_result *result,
                        const struct clopt_spread *spread, struct clopt_result_time *time)
{
    enum clopt_scope scope = (enum clopt_scope)(time - result->times);
    const struct clopt_result *measured = clopt_result_measured(result);
    time->by_clock = 0;
    if (!initial->waited_count || !(time->speedup.median > 1))
        return;
    const struct clopt_result *reference = initial->row->table->noise[initial->device].reference;
    struct clopt_medians above = lessen(initial, scope), below = lessen(measured, scope);
    struct clopt_medians through = lessen(reference, scope);
    struct clopt_spread own = *spread;
    own.apart = reference == initial ? NULL : &above;
    struct clopt_interval ran = clopt_ratio_estimate_through(&above, &below, &through, &own);
    clopt_medians_fini(&above);
    clopt_medians_fini(&below);
    clopt_medians_fini(&through);
    if (!ran.attained || !(ran.median < time->speedup.median / CLOPT_CLOCKS_AGREE))
        return;
    time->by_clock = time->speedup.median;
    ran.low = fmin(ran.low, time->speedup.low);
    ran.high = fmax(ran.high, time->speedup.high); /* what it is without load is between both */
    time->speedup = ran;
}
