/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums of products: what analyses do with them. */
#ifndef CLOPT_ANALYSIS_SUM_H
#define CLOPT_ANALYSIS_SUM_H

#include <clopt/loop.h>

/* Adds another sum so many times; false where there are too many terms. */
bool clopt_sum_add_product(struct clopt_sum *sum, const struct clopt_sum *other, int64_t factor);

/* Finds what a sum is at least where a node is, from the heads of the loops around it; false
 * where they do not tell. */
bool clopt_sum_least(const struct clopt_node *where, struct clopt_sum sum, int64_t *least);

/* Takes the terms with a variable alone out of a sum and returns their factor. False where the
 * variable is part of another term. */
bool clopt_sum_take(struct clopt_sum *sum, const struct clopt_variable *variable, int64_t *factor);

/* The same where the factor is a sum itself: n of n * i + j. */
bool clopt_sum_split(struct clopt_sum *sum, const struct clopt_variable *variable,
                     struct clopt_sum *factor);

/* Whether all atoms of a sum have the same value in every iteration of a loop. */
bool clopt_loop_is_invariant_sum(const struct clopt_node *loop, const struct clopt_sum *sum);

#endif
