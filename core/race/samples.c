/* SPDX-License-Identifier: BSD-3-Clause */
/* The samples of a candidate, by process. */
#include "race/samples.h"

#include <clopt/memory.h>

void clopt_samples_fini(struct clopt_samples *samples)
{
    for (size_t c = 0; samples->columns && c < 2 * samples->column_count; c++) {
        clopt_medians_fini(&samples->columns[c].medians);
        free(samples->columns[c].times_ns);
    }
    free(samples->columns);
    free(samples->process);
}

static void grow(struct clopt_samples *samples)
{
    size_t columns = 2 * samples->column_count;
    samples->capacity = 2 * samples->count + 8;
    samples->process = clopt_realloc(samples->process, samples->capacity, sizeof(uint32_t));
    if (!samples->columns)
        samples->columns = clopt_calloc(columns, sizeof *samples->columns);
    for (size_t c = 0; c < columns; c++)
        samples->columns[c].times_ns =
            clopt_realloc(samples->columns[c].times_ns, samples->capacity, sizeof(double));
}

size_t clopt_samples_find(const struct clopt_samples *samples, uint32_t process, size_t *first)
{
    size_t count = 0;
    *first = 0;
    while (*first < samples->count && samples->process[*first] != process)
        ++*first;
    while (*first + count < samples->count && samples->process[*first + count] == process)
        count++;
    return count;
}

void clopt_samples_add(struct clopt_samples *samples, uint32_t process, const double *times_ns,
                       double waited)
{
    if (samples->count == samples->capacity)
        grow(samples);
    size_t first, position = clopt_samples_find(samples, process, &first) + first;
    size_t after = samples->count++ - position; /* of a process that takes some, too */
    for (size_t c = 0; c < 2 * samples->column_count; c++) {
        bool ran = c >= samples->column_count;
        double *times = samples->columns[c].times_ns + position;
        memmove(times + 1, times, after * sizeof *times);
        *times = ran ? times_ns[c - samples->column_count] * (1 - waited) : times_ns[c];
    }
    memmove(samples->process + position + 1, samples->process + position, after * sizeof process);
    samples->process[position] = process;
}

size_t clopt_samples_ran(const struct clopt_samples *samples, size_t column)
{
    return samples->column_count + column;
}

double clopt_samples_seconds(const struct clopt_samples *samples, enum clopt_objective objective,
                             size_t first, size_t count)
{
    if (objective != CLOPT_OBJECTIVE_TIME)
        return (double)count * CLOPT_ENERGY_SAMPLE_NS * 1e-9;
    double seconds = 0;
    for (size_t i = first; i < first + count; i++)
        seconds += samples->columns[samples->column_count - 1].times_ns[i] * 1e-9;
    return seconds;
}

struct clopt_interval clopt_samples_interval(const struct clopt_samples *samples, size_t column,
                                             uint32_t process, bool alone)
{
    size_t first, count = clopt_samples_find(samples, process, &first);
    if (!count)
        return clopt_interval_estimate(NULL, NULL, 0);
    return clopt_interval_estimate(samples->columns[column].times_ns + first,
                                   alone ? NULL : samples->process + first, count);
}

double clopt_samples_median(const struct clopt_samples *samples, size_t column)
{
    const double *times_ns = samples->count ? samples->columns[column].times_ns : NULL;
    return clopt_interval_estimate(times_ns, NULL, samples->count).median;
}

const struct clopt_medians *clopt_samples_medians(const struct clopt_samples *samples,
                                                  size_t column)
{
    static const struct clopt_medians none;
    struct clopt_sample_column *known = samples->columns ? &samples->columns[column] : NULL;
    if (!known)
        return &none;
    if (known->known != samples->count) {
        clopt_medians_fini(&known->medians);
        clopt_medians_init(&known->medians, known->times_ns, samples->process, samples->count);
        known->known = samples->count;
    }
    return &known->medians;
}
