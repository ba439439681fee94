/* SPDX-License-Identifier: BSD-3-Clause */
/* What was measured of a candidate: its samples, by process. */
#pragma once

#include "number/statistics.h"
#include "space/study.h"

/* The samples of a kernel or of the whole run, and what they say. */
struct clopt_sample_column {
    double *times_ns;
    struct clopt_medians medians;
    size_t known; /* samples that these are of */
};

/* What was measured of a candidate. */
struct clopt_samples {
    size_t count;
    size_t capacity;
    size_t stored;       /* of them, in the store */
    uint32_t *process;   /* one a sample; those of a process follow each other */
    size_t column_count; /* the app's kernels, then the whole run */
    struct clopt_sample_column
        *columns;          /* as many, and as many again: clopt_samples_ran(); NULL: none */
    unsigned measurements; /* that it took part in */
    unsigned rounds;       /* and those of them in which finalists meet */
};

void clopt_samples_fini(struct clopt_samples *samples);

/* Finds the samples of a process: returns how many there are, from number `first` on. */
size_t clopt_samples_find(const struct clopt_samples *samples, uint32_t process, size_t *first);

/* Adds a sample of a process, one time a column, to those that it has taken. `waited` is the share
 * of it in which its threads waited for processors. */
void clopt_samples_add(struct clopt_samples *samples, uint32_t process, const double *times_ns,
                       double waited);

/* Returns the column of the same times less what threads waited: what the variant would take on a
 * machine of its own. Those that the store has kept are as they were measured. */
size_t clopt_samples_ran(const struct clopt_samples *samples, size_t column);

/* Returns the seconds that so many of its samples took, from number `first` on. */
double clopt_samples_seconds(const struct clopt_samples *samples, enum clopt_objective objective,
                             size_t first, size_t count);

/* Estimates the median of one column in one process. Where `alone`, each sample counts as a process
 * of its own, since nothing is to be said of others. */
struct clopt_interval clopt_samples_interval(const struct clopt_samples *samples, size_t column,
                                             uint32_t process, bool alone);

/* Returns the median of one column in all processes; NaN: there is no sample. */
double clopt_samples_median(const struct clopt_samples *samples, size_t column);

/* Returns the medians of one column, process by process, for ratios to another candidate's. They
 * stay the candidate's, until it gets more samples. */
const struct clopt_medians *clopt_samples_medians(const struct clopt_samples *samples,
                                                  size_t column);
