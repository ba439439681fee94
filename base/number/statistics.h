/* SPDX-License-Identifier: BSD-3-Clause */
/* Medians and their confidence intervals, where samples come from several processes. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A median with its 95% confidence interval. */
struct clopt_interval {
    double median;
    double low;
    double high;
    size_t samples;
    size_t processes;
    bool attained; /* false: too few independent samples for 95%, the interval is their range */
};

/* Estimates the median of `count` samples; samples[i] was taken in process number process[i]
 * (NULL: each in another one).
 *
 * The interval is distribution-free, from order statistics (David and Nagaraja, Order Statistics,
 * 2003, 7.1). Samples of one process resemble each other, so their number counts only as n / (1 +
 * (m - 1) r), where m is the mean number of samples a process, each process weighted by its
 * samples, and r the intraclass correlation of their ranks (one-way analysis of variance; Kish,
 * Survey Sampling, 1965, 5.4), as Woodruff does for medians of clustered samples (JASA 47, 1952).
 * Few processes tell little about r: the count shrinks further by (t(n - 1) / t(k - 1))^2 for k
 * processes (Korn and Graubard, Survey Methodology 24, 1998). One process tells nothing about
 * others: never attained. No samples, or a NaN among them, give NaN. */
struct clopt_interval clopt_interval_estimate(const double *samples, const uint32_t *process,
                                              size_t count);

/* How samples lie: the least and the largest, and those between which the middle half is. */
struct clopt_quartiles {
    double least;
    double first_quarter;
    double third_quarter;
    double most;
};

/* Finds it, and sorts the samples; all NaN where there are none. */
struct clopt_quartiles clopt_quartiles_find(double *samples, size_t count);

/* Whether two intervals overlap: neither median can be said to be smaller. */
bool clopt_interval_overlap(const struct clopt_interval *a, const struct clopt_interval *b);

/* What one process says of a median. */
struct clopt_process_median {
    uint32_t process;
    size_t samples;
    double log_median;
    double log_variance; /* of the median as an estimate; 0 where one sample cannot tell */
};

/* The processes of some samples, by number: all that a ratio needs. */
struct clopt_medians {
    struct clopt_process_median *items;
    size_t count;
};

/* Takes the median of each process, of its logarithms, with its variance from order statistics
 * (Price and Bonett, Journal of Statistical Computation and Simulation 68, 2001). Without samples,
 * or with one that is not a positive number, there are no medians. */
void clopt_medians_init(struct clopt_medians *medians, const double *samples,
                        const uint32_t *process, size_t count);
void clopt_medians_fini(struct clopt_medians *medians);

/* Compares numbers, or structures that begin with one, for qsort() and bsearch(). */
int clopt_numbers_compare(const void *a, const void *b);

/* The 97.5% point of Student's t with so many degrees of freedom, and how probably a variable with
 * that distribution lies below `t`. */
double clopt_student_t(size_t freedom);
double clopt_student_below(double t, size_t freedom);
