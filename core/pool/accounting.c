/* SPDX-License-Identifier: BSD-3-Clause */
/* What a pool's time goes into, and the machine's. */
#include <math.h>

#include "pool/pool.h"
#include "process/child.h"
#include "process/clock.h"

/* Adds up the time in which something is so: it is, or is not, from now on. */
static void note_wall(bool is, int64_t *since_ns, double *seconds)
{
    if (is == (*since_ns != 0))
        return;
    int64_t now = clopt_now_ns();
    if (!is)
        *seconds += (double)(now - *since_ns) * 1e-9;
    *since_ns = is ? now : 0;
}

void clopt_pool_note_busy(struct clopt_pool *pool, struct clopt_seat *seat)
{
    bool busy = seat->process.busy, opening = busy && !seat->opened;
    pool->busy += (size_t)busy - seat->was_busy;
    pool->opening += (size_t)opening - seat->was_opening;
    seat->was_busy = busy;
    seat->was_opening = opening;
    note_wall(pool->busy, &pool->busy_since_ns, &pool->busy_s);
    note_wall(pool->opening, &pool->opening_since_ns, &pool->opening_s);
}

double clopt_pool_opening_s(const struct clopt_pool *pool)
{
    double now_s =
        pool->opening_since_ns ? (double)(clopt_now_ns() - pool->opening_since_ns) * 1e-9 : 0;
    return pool->opened ? (pool->opening_s + now_s) / (double)pool->opened : 0;
}

double clopt_pool_count_seconds(struct clopt_pool *pool, const json_t *answer)
{
    const json_t *seconds = json_object_get(answer, "seconds");
    double sum = 0;
    for (enum clopt_stage stage = 0; stage < CLOPT_STAGES; stage++) {
        double own = json_number_value(json_object_get(seconds, clopt_stage_name(stage)));
        pool->seconds[stage] += own;
        sum += own;
    }
    return sum;
}

struct clopt_load clopt_pool_load(const struct clopt_pool *pool)
{
    struct clopt_load load = {clopt_machine_time(), clopt_used_seconds(true)};
    for (size_t i = 0; i < pool->seat_count; i++)
        if (pool->seats[i].process.pid > 0)
            load.own_s += clopt_processor_time_of(pool->seats[i].process.pid);
    return load;
}

double clopt_load_of_others(const struct clopt_load *from, const struct clopt_load *to)
{
    double others_s = to->machine.used_s - from->machine.used_s - (to->own_s - from->own_s);
    return isnan(others_s) ? NAN : fmax(others_s, 0);
}
