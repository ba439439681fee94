/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether medians changed from one series of processes to another, and how many such findings among
 * many are false. */
#pragma once

#include "number/statistics.h"

/* The ratio of two series, the later one above the line, with its 95% interval. */
struct clopt_change {
    double before; /* geometric means of the processes' medians */
    double after;
    double ratio;
    double low;
    double high;
    double p; /* how likely so large a difference is without a change */
};

/* Compares two series of processes, of which none is in both, by Welch's t-test of the logarithms
 * of their medians (Biometrika 34, 1947): the process is the unit. The error of a series is at
 * least what the samples within its processes leave open, and half a thousandth a process, since
 * clocks tick. All NaN where a series has less than two processes. */
struct clopt_change clopt_change_estimate(const struct clopt_medians *before,
                                          const struct clopt_medians *after);

/* Turns the p-values of many findings into the false discovery rate at which each is found
 * (Benjamini and Hochberg, Journal of the Royal Statistical Society B 57, 1995). NaN is no finding,
 * and stays. */
void clopt_discovery_rates(const double *p, double *rates, size_t count);

/* The probability that Student's t with `freedom` degrees is farther from 0 than `t`. */
double clopt_student_p(double t, double freedom);
