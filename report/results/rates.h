/* SPDX-License-Identifier: BSD-3-Clause */
/* How much a kernel does in a second, beside what its device can do at most. */
#pragma once

#include "results/peaks.h"

/* What a kernel runs into, after Williams, Waterman and Patterson, "Roofline" (2009). */
enum clopt_bound {
    CLOPT_BOUND_UNKNOWN,
    CLOPT_BOUND_ARITHMETIC, /* half of its peak or more, and a larger share than of memory's */
    CLOPT_BOUND_MEMORY,     /* half of its peak or more, and a larger share than of arithmetic's */
    CLOPT_BOUND_CACHE,      /* it gets more than memory has: caches must have it */
    CLOPT_BOUND_NEITHER,    /* it does less than half of both */
};

/* Returns "arithmetic" and so on; NULL for CLOPT_BOUND_UNKNOWN. */
const char *clopt_bound_name(enum clopt_bound bound);

/* What a kernel does, NaN where unknown. */
struct clopt_rates {
    double goperations_per_s;
    double gbytes_per_s;
    double operations_of_peak; /* the share of the peak: 0.5 */
    double bytes_of_peak;
    enum clopt_bound bound;
};

/* Computes the rates of a kernel that did so many operations and bytes (0: unknown) in a time. */
struct clopt_rates clopt_rates_compute(enum clopt_arithmetic arithmetic, double operations,
                                       double bytes, double time_ns,
                                       const struct clopt_peaks *peaks);
