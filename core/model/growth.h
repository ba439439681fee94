/* SPDX-License-Identifier: BSD-3-Clause */
/* Growing trees from values that are numbered once for all of them. */
#pragma once

#include <clopt/memory.h>

#include "model/regression.h"

/* The values of all features, as the number that each has among the different ones. */
struct clopt_codes {
    const struct clopt_observations *observations;
    const struct clopt_regression_rules *rules; /* by which trees grow */
    uint32_t *codes;                            /* row by row, as the observations' values */
    double **distinct; /* by feature: what they stand for, the smallest first */
    size_t *distinct_count;
};

void clopt_codes_init(struct clopt_codes *codes, const struct clopt_observations *observations,
                      const struct clopt_regression_rules *rules);
void clopt_codes_fini(struct clopt_codes *codes);

/* Grows a tree from some rows, which it sorts; a row may be there more than once. */
struct clopt_regression clopt_codes_grow(const struct clopt_codes *codes, uint32_t *rows,
                                         size_t count);
