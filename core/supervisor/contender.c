/* SPDX-License-Identifier: BSD-3-Clause */
/* A trial in the supervisor's hands. */
#include "supervisor/contender.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

#define SETUP_DEATHS_EXCUSED 1
#define KILLS_EXCUSED        1
#define SWEEPS_AT_MOST       3 /* times the number of processes that the study asks for */

void clopt_contender_fini(struct clopt_contender *contender)
{
    clopt_store_trial_fini(&contender->row);
    clopt_trial_fini(&contender->trial);
    json_decref(contender->variant);
    free(contender->times_ns);
    free(contender->process);
    *contender = (struct clopt_contender){0};
}

enum clopt_status clopt_contender_add(struct clopt_contender *contender, uint32_t process,
                                      const double *times_ns, size_t count,
                                      struct clopt_error *error)
{
    if (contender->count + count > contender->capacity) {
        size_t capacity = 2 * (contender->count + count);
        double *times = realloc(contender->times_ns,
                                capacity * contender->columns * sizeof *contender->times_ns);
        if (times)
            contender->times_ns = times;
        uint32_t *processes =
            times ? realloc(contender->process, capacity * sizeof *contender->process) : NULL;
        if (!processes)
            return clopt_fail_memory(error);
        contender->process = processes;
        contender->capacity = capacity;
    }
    memcpy(contender->times_ns + contender->count * contender->columns, times_ns,
           count * contender->columns * sizeof *times_ns);
    for (size_t i = 0; i < count; i++)
        contender->process[contender->count + i] = process;
    contender->count += count;
    return CLOPT_OK;
}

/* Estimates the median of a column; of one process only, unless `process` is UINT32_MAX. Where
 * `alone`, nothing is said of other processes: each sample stands for itself. */
static struct clopt_interval estimate(const struct clopt_contender *contender, size_t column,
                                      uint32_t process, bool alone)
{
    struct clopt_interval interval = {0};
    double *times = calloc(contender->count + 1, sizeof *times);
    uint32_t *processes = calloc(contender->count + 1, sizeof *processes);
    size_t count = 0;
    for (size_t i = 0; times && processes && i < contender->count; i++) {
        if (process != UINT32_MAX && contender->process[i] != process)
            continue;
        times[count] = contender->times_ns[i * contender->columns + column];
        processes[count] = alone ? (uint32_t)count : contender->process[i];
        count++;
    }
    interval = clopt_interval_estimate(times, processes, count);
    free(times);
    free(processes);
    return interval;
}

struct clopt_interval clopt_contender_interval(const struct clopt_contender *contender,
                                               size_t column, uint32_t process)
{
    return estimate(contender, column, process, false);
}

bool clopt_contender_medians(const struct clopt_contender *contender, size_t column,
                             struct clopt_medians *medians)
{
    double *times = calloc(contender->count + 1, sizeof *times);
    for (size_t i = 0; times && i < contender->count; i++)
        times[i] = contender->times_ns[i * contender->columns + column];
    *medians = (struct clopt_medians){0};
    bool good = times && clopt_medians_init(medians, times, contender->process, contender->count);
    free(times);
    return good;
}

bool clopt_contender_is_precise(const struct clopt_contender *contender, double precision,
                                uint32_t process)
{
    for (size_t k = 0; k + 1 < contender->columns; k++) {
        if (!(contender->kernels >> k & 1))
            continue;
        struct clopt_interval interval = estimate(contender, k, process, process != UINT32_MAX);
        if (!interval.attained || !(clopt_interval_precision(&interval) <= precision))
            return false;
    }
    return true;
}

bool clopt_contender_is_hopeless(const struct clopt_contender *contender, double factor,
                                 const double *best_ns)
{
    if (contender->is_initial || contender->is_again || contender->count == 0)
        return false;
    for (size_t k = 0; k + 1 < contender->columns; k++) {
        if (!(contender->kernels >> k & 1))
            continue;
        struct clopt_interval interval = clopt_contender_interval(contender, k, UINT32_MAX);
        if (!(interval.low > factor * best_ns[k]))
            return false;
    }
    return true;
}

void clopt_contender_decide(struct clopt_contender *contender, const struct clopt_measure *measure)
{
    if (contender->decided)
        return;
    bool spread = contender->sweeps >= measure->processes;
    bool spent = contender->count >= measure->max_samples ||
                 contender->sampled_s >= measure->max_time_s ||
                 contender->sweeps >= SWEEPS_AT_MOST * measure->processes;
    contender->decided =
        spread && (spent || clopt_contender_is_precise(contender, measure->precision, UINT32_MAX));
}

bool clopt_contender_excuses_death(struct clopt_contender *contender, enum clopt_stage stage,
                                   const struct clopt_error *error, int signal_number)
{
    if (stage == CLOPT_STAGE_OPEN)
        return true;
    if (signal_number == SIGKILL)
        return contender->kills++ < KILLS_EXCUSED;
    if (stage != CLOPT_STAGE_SETUP || error->status == CLOPT_TIMED_OUT)
        return false;
    return contender->setup_deaths++ < SETUP_DEATHS_EXCUSED;
}
