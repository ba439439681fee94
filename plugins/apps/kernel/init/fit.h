/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds expressions of sizes for lengths that runs have shown. */
#pragma once

#include <clopt/app.h>

#include "bound.h"

/* What runs have shown, and with what. */
struct kernel_fit {
    uint64_t counts[CLOPT_DRAFT_RUNS]; /* of elements that there must be; 0: not known */
    const unsigned *sizes;             /* of which lengths may consist */
    size_t size_count;
    unsigned dimensions;             /* whose local sizes may be in them, too */
    clopt_affine_symbol_value value; /* of a size, for each run: */
    const void *runs[CLOPT_DRAFT_RUNS];
};

/* Returns a bound that is large enough in all runs: `guess`, where that is, or as many times as it
 * takes in both; or else the smallest product of sizes. */
struct kernel_bound kernel_fit(const struct kernel_fit *fit, const struct kernel_bound *guess);
