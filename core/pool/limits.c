/* SPDX-License-Identifier: BSD-3-Clause */
/* What a worker may take. */
#include "pool/pool.h"

#define PERIOD_NS   ((int64_t)100 * 1000 * 1000)
#define MOST_OUTPUT ((uint64_t)16 << 20) /* bytes that a worker may print for a request */

double clopt_limits_stage(const struct clopt_limits *limits, enum clopt_stage stage,
                          const char **key)
{
    switch (stage) {
    case CLOPT_STAGE_OPEN:
    case CLOPT_STAGE_SETUP:
        *key = "setup";
        return limits->setup_s;
    case CLOPT_STAGE_MAKE:
    case CLOPT_STAGE_BUILD:
        *key = "build";
        return limits->build_s;
    case CLOPT_STAGE_PEAKS:
    case CLOPT_STAGE_LAUNCH:
    case CLOPT_STAGE_COUNT:
        *key = "launch";
        return limits->launch_s;
    default:
        *key = "trial";
        return limits->trial_s;
    }
}

uint64_t clopt_limits_memory(const struct clopt_pool *pool, const struct clopt_host *host)
{
    uint64_t asked = pool->limits.memory_bytes;
    return !host ? pool->memory_bytes : asked ? asked : host->memory_bytes;
}

/* Looks at what a worker takes of memory and, by printing, of the disk. */
static void check_usage(const struct clopt_pool *pool, const struct clopt_process *process,
                        struct clopt_error *error)
{
    const char *stage = clopt_stage_name(process->stage);
    uint64_t memory = clopt_process_memory(process);
    uint64_t most = clopt_limits_memory(pool, process->distant.host);
    if (memory > most)
        clopt_fail(error, CLOPT_OUT_OF_RESOURCES,
                   "the worker took %.2f GiB of memory in stage %s, the limit is %.2f GiB "
                   "([limits] memory)",
                   (double)memory / 0x1p30, stage, (double)most / 0x1p30);
    else if (clopt_process_printed(process) > MOST_OUTPUT)
        clopt_fail(
            error, CLOPT_OUT_OF_RESOURCES,
            "the worker printed more than %llu MiB in stage %s: does the kernel call printf?",
            (unsigned long long)(MOST_OUTPUT >> 20), stage);
}

enum clopt_status clopt_limits_check(const struct clopt_pool *pool, struct clopt_seat *seat,
                                     struct clopt_error *error)
{
    struct clopt_process *process = &seat->process;
    const struct clopt_limits *limits = &pool->limits;
    double most_s = limits->setup_s + limits->build_s + limits->launch_s + limits->trial_s;
    int64_t now = pool->read_ns;
    if (!process->busy || process->clock.paused_since_ns ||
        now - process->clock.checked_ns < PERIOD_NS)
        return CLOPT_OK;
    process->clock.checked_ns = now;
    if (clopt_process_take_notes(process, error))
        return error->status;
    int64_t lost_ns = (int64_t)(clopt_lost_time(&process->clock.use, process->pid) * 1e9);
    process->clock.stage_began_ns += lost_ns;
    process->clock.request_began_ns += lost_ns;
    const char *key;
    double limit = clopt_limits_stage(limits, process->stage, &key);
    double worth_s = seat->task && strcmp(key, "build") == 0 ? seat->task->build_s : 0;
    if (worth_s > 0 && worth_s < limit &&
        (double)(now - process->clock.stage_began_ns) * 1e-9 > worth_s)
        clopt_fail(error, CLOPT_TIMED_OUT,
                   "stage %s took longer than %.3g s, many times what others take: the search goes "
                   "on without it",
                   clopt_stage_name(process->stage), worth_s);
    else if ((double)(now - process->clock.stage_began_ns) * 1e-9 > limit)
        clopt_fail(error, CLOPT_TIMED_OUT, "stage %s took longer than %g s ([limits] %s)",
                   clopt_stage_name(process->stage), limit, key);
    else if ((double)(now - process->clock.request_began_ns) * 1e-9 > most_s)
        clopt_fail(error, CLOPT_TIMED_OUT, "took longer than %g s ([limits] trial)",
                   limits->trial_s);
    else
        check_usage(pool, process, error);
    return error->status;
}
