/* SPDX-License-Identifier: BSD-3-Clause */
/* Upper bounds of indices, as sums of products of sizes: for guesses at how long buffers are. */
#pragma once

#include <clopt/affine.h>

/* The sizes in a product, which are its symbols: parameters of the kernel, then the global sizes
 * that the kernel has no parameter for, the numbers of work-groups, and local sizes. */
enum { KERNEL_PARAMETER = 1, KERNEL_GLOBAL_SIZE = 65, KERNEL_GROUPS = 68, KERNEL_LOCAL_SIZE = 71 };

struct kernel_bound {
    bool known;
    struct clopt_affine sum;
};

struct kernel_bound kernel_bound_constant(int64_t value);
struct kernel_bound kernel_bound_size(unsigned size);

/* Compute a + factor * b, a + value, and a * b. What cannot be computed, or does not fit, is not
 * known. */
struct kernel_bound kernel_bound_add(struct kernel_bound a, struct kernel_bound b, int64_t factor);
struct kernel_bound kernel_bound_plus(struct kernel_bound a, int64_t value);
struct kernel_bound kernel_bound_multiply(struct kernel_bound a, struct kernel_bound b);

/* Divides a bound of one term by a size; false where that is none of its factors. */
bool kernel_bound_divide(struct kernel_bound *bound, unsigned size);

/* Divides each term by a number, and rounds it up: what comes out is never too small. */
struct kernel_bound kernel_bound_divide_up(struct kernel_bound bound, int64_t number);

/* Whether a is never below b, for sizes that are 1 at least. */
bool kernel_bound_covers(struct kernel_bound a, struct kernel_bound b);
bool kernel_bound_equal(struct kernel_bound a, struct kernel_bound b);

/* Whether it is a number, and which; whether a size is in it. */
bool kernel_bound_is_number(const struct kernel_bound *bound, int64_t *number);
bool kernel_bound_has(const struct kernel_bound *bound, unsigned size);

/* Computes it, where `value` gives that of a size; 0 where it is not known or not positive. */
uint64_t kernel_bound_evaluate(const struct kernel_bound *bound, clopt_affine_symbol_value value,
                               const void *user);

/* Takes away what makes it smaller, where something larger is left: n of n - 1. */
struct kernel_bound kernel_bound_round_up(struct kernel_bound bound);
