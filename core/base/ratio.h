/* SPDX-License-Identifier: BSD-3-Clause */
/* Ratios of medians that the same processes took, and how much processes change ratios. */
#ifndef CLOPT_BASE_RATIO_H
#define CLOPT_BASE_RATIO_H

#include "base/statistics.h"

/* Makes the ratios of two medians, a process that has both for a process: `above` over `below`.
 * They are used as medians are. False: out of memory. */
bool clopt_medians_divide(const struct clopt_medians *above, const struct clopt_medians *below,
                          struct clopt_medians *ratios);

struct clopt_spread {
    double squares;    /* of the logarithms of ratios, each less the mean of its ratio */
    size_t freedom;    /* degrees of freedom that these have */
    size_t processes;  /* the most that one ratio has */
    double within;     /* sum of what variance the samples within processes explain */
    double per_sample; /* the same, of a single sample */
    size_t pairs;      /* that these are sums over */
};

void clopt_spread_add(struct clopt_spread *spread, const struct clopt_medians *above,
                      const struct clopt_medians *below);

struct clopt_interval clopt_ratio_estimate(const struct clopt_medians *above,
                                           const struct clopt_medians *below,
                                           const struct clopt_spread *spread);

struct clopt_interval clopt_ratio_estimate_through(const struct clopt_medians *above,
                                                   const struct clopt_medians *below,
                                                   const struct clopt_medians *reference,
                                                   const struct clopt_spread *spread);
#endif
