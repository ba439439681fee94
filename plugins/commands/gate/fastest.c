/* SPDX-License-Identifier: BSD-3-Clause */
/* What the fastest samples of processes say. */
#include "commands/gate/fastest.h"

#include <clopt/memory.h>

#define FASTEST 5 /* one of so many samples of a process counts, */
#define LEAST   3 /* and at least so many */

struct sample {
    uint32_t process;
    double time_ns;
};

static int compare_samples(const void *a, const void *b)
{
    const struct sample *one = a, *other = b;
    if (one->process != other->process)
        return one->process < other->process ? -1 : 1;
    return one->time_ns < other->time_ns ? -1 : one->time_ns > other->time_ns;
}

/* Leaves of each process the fastest of its samples, as times and their processes. */
static size_t keep_fastest(double *times_ns, uint32_t *process, size_t count)
{
    CLOPT_FREED struct sample *samples = clopt_calloc(count + 1, sizeof *samples);
    size_t left = 0, end;
    for (size_t i = 0; i < count; i++)
        samples[i] = (struct sample){process[i], times_ns[i]};
    qsort(samples, count, sizeof *samples, compare_samples);
    for (size_t begin = 0; begin < count; begin = end) {
        for (end = begin; end < count && samples[end].process == samples[begin].process; end++)
            ;
        size_t most = (end - begin) / FASTEST > LEAST ? (end - begin) / FASTEST : LEAST;
        for (size_t i = begin; i < end && i < begin + most; i++) {
            process[left] = samples[i].process;
            times_ns[left++] = samples[i].time_ns;
        }
    }
    return left;
}

enum clopt_status clopt_fastest_read(struct clopt_store *store,
                                     const struct clopt_results_table *table,
                                     const struct clopt_result *result,
                                     struct clopt_medians *medians, struct clopt_error *error)
{
    CLOPT_FREED double *times_ns = NULL;
    CLOPT_FREED uint32_t *process = NULL;
    size_t count = 0;
    CLOPT_TRY(clopt_store_get_samples(store, clopt_result_measured(result)->trial.id, table->kernel,
                                      &times_ns, &process, &count, error));
    clopt_medians_init(medians, times_ns, process, keep_fastest(times_ns, process, count));
    return CLOPT_OK;
}

enum clopt_status clopt_fastest_speed(struct clopt_store *store,
                                      const struct clopt_results_table *table,
                                      const struct clopt_result *initial,
                                      const struct clopt_result *row, struct clopt_medians *speed,
                                      struct clopt_error *error)
{
    CLOPT_OWNED(clopt_medians) above = {0}, below = {0};
    CLOPT_TRY(clopt_fastest_read(store, table, initial, &above, error));
    CLOPT_TRY(clopt_fastest_read(store, table, row, &below, error));
    clopt_medians_divide(&above, &below, speed);
    return CLOPT_OK;
}
