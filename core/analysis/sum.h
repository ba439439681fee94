/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums of products: what analyses do with them. */
#ifndef CLOPT_ANALYSIS_SUM_H
#define CLOPT_ANALYSIS_SUM_H

#include <clopt/loop.h>

enum {
    CLOPT_MOST_ATOMS = 3,
    CLOPT_MOST_TERMS = 12,
};

/* A product of expressions that are not taken apart further. */
struct clopt_product {
    int64_t factor;
    unsigned count;
    const struct clopt_node *atoms[CLOPT_MOST_ATOMS];
};

/* An integer expression as a sum of products. */
struct clopt_sum {
    int64_t constant;
    bool wraps; /* 32-bit unsigned arithmetic: true modulo 2^32 */
    unsigned count;
    struct clopt_product terms[CLOPT_MOST_TERMS];
};

/* Writes an expression as a sum. Variables that `loop` declares and that do not change are replaced
 * by their initial values; none if it is NULL. False where there are too many terms. */
bool clopt_sum_find(const struct clopt_node *loop, const struct clopt_node *node,
                    struct clopt_sum *sum);

/* Subtracts one sum from another; false where there are too many terms. */
bool clopt_sum_subtract(struct clopt_sum *sum, const struct clopt_sum *other);

/* Whether two expressions are spelled alike, about the same variables. */
bool clopt_nodes_equal(const struct clopt_node *a, const struct clopt_node *b);

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
