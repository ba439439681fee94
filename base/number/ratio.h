/* SPDX-License-Identifier: BSD-3-Clause */
/* Ratios of medians that the same processes took, and how much processes change ratios. */
#pragma once

#include "number/statistics.h"
#include "text/text.h"

/* Makes the ratios of two medians, a process that has both for a process: `above` over `below`.
 * They are used as medians are. */
void clopt_medians_divide(const struct clopt_medians *above, const struct clopt_medians *below,
                          struct clopt_medians *ratios);

/* What processes change a ratio by at most, with 95%, on a device of which nothing is known yet:
 * a factor. */
#define CLOPT_MOST_CHANGE_GPU 1.3
#define CLOPT_MOST_CHANGE_CPU 3

/* How much ratios differ from process to process, on the logarithmic scale, by all variants of a
 * kernel on a device; all zero: nothing is known. */
struct clopt_spread {
    double prior;      /* the standard deviation that is expected; 0: none is */
    double squares;    /* of the differences of each ratio's processes from their mean */
    double deviations; /* standard deviations of these, times their degrees of freedom */
    size_t freedom;    /* degrees of freedom, of all ratios */
    double per_sample; /* sum of the variances of single samples within processes */
    size_t medians;    /* that this is a sum over */
    const struct clopt_medians *apart; /* of whose ratios they say nothing; NULL: none */
};

/* Returns the standard deviation that is expected on a device, of which earlier runs know what
 * `past` has: that and the factor above, which weighs as much as one more ratio does. */
double clopt_spread_prior(bool on_cpu, const struct clopt_spread *past);

/* Adds what the processes of one ratio say. */
void clopt_spread_add(struct clopt_spread *spread, const struct clopt_medians *above,
                      const struct clopt_medians *below);

/* Returns the standard deviation that is usual, that of medians within processes included; NaN:
 * nothing is known. */
double clopt_spread_deviation(const struct clopt_spread *spread);

/* Estimates the ratio of two medians from the processes in which both were taken: what a process
 * does to its samples, it does to both, and the ratio does not see it.
 *
 * Each process gives one ratio of medians. The interval of the mean of their logarithms is that of
 * Student's t, and never narrower than what the samples within the processes alone allow. Few
 * processes may agree by chance, so the variance between them is moderated by that of all ratios,
 * which counts as two more degrees of freedom a process (G. K. Smyth, Statistical Applications in
 * Genetics and Molecular Biology 3, 2004): enough that one disturbed process is never taken for a
 * difference, however calm all others are. A ratio of a single process shows nothing of its own, so
 * what disturbed any other one counts in full. `spread` may be NULL.
 *
 * Where little or nothing is known of other ratios, the prior of the spread counts in their place,
 * again for two degrees of freedom a process. It narrows an interval, and never widens one: so a
 * factor of 17 in one process is known to be more than 1, and one of 1.05 is not.
 *
 * `samples` are those above the line. One process, no spread and no prior: not attained, and the
 * interval is that within it. No process in common gives NaN and 0 processes. */
struct clopt_interval clopt_ratio_estimate(const struct clopt_medians *above,
                                           const struct clopt_medians *below,
                                           const struct clopt_spread *spread);

/* The same, through the ratios of both to a third one where that says more: they have few processes
 * in common, or none. */
struct clopt_interval clopt_ratio_estimate_through(const struct clopt_medians *above,
                                                   const struct clopt_medians *below,
                                                   const struct clopt_medians *reference,
                                                   const struct clopt_spread *spread);

/* Above this noise floor, which is a fraction, only what is beyond it is decided, and nothing is
 * near the best. */
#define CLOPT_MOST_NOISE 0.5

/* How much slower than the best one of several may be that is named as the best: 0.02 is 2%. */
struct clopt_regret {
    double expected;
    double high; /* with 95% it is not more than this */
};

/* Computes that from the ratios of the named one's time to those of all others, or of those of them
 * that may be faster. What is known of a ratio is taken for Student's t with the degrees of freedom
 * that its processes have, borrowed ones included, and one ratio for independent of the others,
 * which makes the regret too large rather than too small. Nothing of a ratio that is NaN is known:
 * it does not count. Those that matter are moved to the front. */
struct clopt_regret clopt_regret_estimate(struct clopt_interval *ratios, size_t count);

/* Several, one of which is to be named as the best. */
struct clopt_field {
    const void *user;
    size_t count;
    struct clopt_interval (*ratio)(const void *user, size_t above, size_t below); /* of times */
    size_t (*changes)(const void *user, size_t number); /* how far it is from the initial code */
    double precision; /* so much may be lost by naming a simpler one */
    size_t initial;   /* the number of the initial code; `count` or more: it is none of them */
};

/* Finds the one that is fastest by its ratios; `count`: there is none. */
size_t clopt_field_lead(const struct clopt_field *field);

/* Names one: of those that cost at most the precision, with 95%, the one with the fewest changes;
 * where there are none, that which costs least. What is surely slower than the fastest is not
 * named, nor is what seems slower than the initial code. `regret` gets what it costs. Returns
 * `count` where there is none. */
size_t clopt_field_name(const struct clopt_field *field, struct clopt_regret *regret);

/* Computes what naming one of them costs. */
struct clopt_regret clopt_field_regret(const struct clopt_field *field, size_t named);
