/* SPDX-License-Identifier: BSD-3-Clause */
/* What a pool's time goes into, and the machine's. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* sched_getaffinity() */
#endif
#include <math.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "pool/pool.h"

/* Returns the time until now in which some seat was doing so. */
static double wall_seconds(const struct clopt_pool_wall *wall, int64_t now_ns)
{
    return wall->seconds + (wall->since_ns ? (double)(now_ns - wall->since_ns) * 1e-9 : 0);
}

/* Takes note of a seat that does so, or not, from now on. */
static void note_wall(struct clopt_pool_wall *wall, bool does, bool *did)
{
    wall->seats += (size_t)does - *did;
    *did = does;
    if ((wall->seats != 0) == (wall->since_ns != 0))
        return;
    int64_t now_ns = clopt_now_ns();
    wall->seconds = wall_seconds(wall, now_ns);
    wall->since_ns = wall->seats ? now_ns : 0;
}

void clopt_pool_note_busy(struct clopt_pool *pool, struct clopt_seat *seat)
{
    note_wall(&pool->busy, seat->process.busy, &seat->was_busy);
    note_wall(&pool->opening, seat->process.busy && !seat->opened, &seat->was_opening);
}

double clopt_pool_opening_s(const struct clopt_pool *pool)
{
    return pool->opened ? wall_seconds(&pool->opening, clopt_now_ns()) / (double)pool->opened : 0;
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

void clopt_pool_count_lost(struct clopt_pool *pool, struct clopt_seat *seat)
{
    struct clopt_process *process = &seat->process;
    struct clopt_error none;
    if (!process->busy)
        return;
    clopt_process_take_notes(process, &none);
    int64_t since = process->clock.paused_since_ns, now = since ? since : clopt_now_ns();
    for (enum clopt_stage stage = 0; stage < CLOPT_STAGES; stage++)
        pool->seconds[stage] += process->clock.seconds[stage];
    pool->seconds[process->stage] += 1e-9 * (double)(now - process->clock.stage_began_ns);
    pool->requests_s += 1e-9 * (double)(now - process->clock.request_began_ns);
}

struct clopt_load clopt_pool_load(const struct clopt_pool *pool)
{
    unsigned long long all = 0, idle = 0;
    struct clopt_load load = {NAN, NAN, clopt_used_seconds(true)};
    double second = (double)sysconf(_SC_CLK_TCK);
    cpu_set_t usable;
    CLOPT_CLOSED FILE *stream = fopen("/proc/stat", "re");
    bool known = stream && sched_getaffinity(0, sizeof usable, &usable) == 0;
    for (char line[256], *at; known && fgets(line, sizeof line, stream);) {
        bool is_one = strncmp(line, "cpu", 3) == 0 && line[3] != ' '; /* else of all */
        unsigned long number = is_one ? strtoul(line + 3, &at, 10) : CPU_SETSIZE;
        /* user, nice, system, idle, waiting for a disk, interrupts twice, stolen by others */
        for (int i = 0; i < 8 && number < CPU_SETSIZE && CPU_ISSET(number, &usable); i++) {
            unsigned long long ticks = strtoull(at, &at, 10);
            all += ticks;
            idle += i == 3 || i == 4 ? ticks : 0;
        }
    }
    if (all) {
        load.all_s = (double)all / second;
        load.used_s = (double)(all - idle) / second;
    }
    for (size_t i = 0; i < pool->seat_count; i++)
        if (pool->seats[i].process.pid > 0)
            load.own_s += clopt_processor_time_of(pool->seats[i].process.pid);
    return load;
}

double clopt_load_of_others(const struct clopt_load *from, const struct clopt_load *to)
{
    double others_s = to->used_s - from->used_s - (to->own_s - from->own_s);
    return isnan(others_s) ? NAN : fmax(others_s, 0);
}
