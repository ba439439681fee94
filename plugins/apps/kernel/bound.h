/* SPDX-License-Identifier: BSD-3-Clause */
/* Upper bounds of indices, as sums of products of sizes: for guesses at how long buffers are. */
#ifndef KERNEL_BOUND_H
#define KERNEL_BOUND_H

#include <clopt/source.h>

#define KERNEL_MOST_TERMS   12
#define KERNEL_MOST_FACTORS 4

/* The sizes in a product, by number: parameters of the kernel count from 0, then come the global
 * sizes that the kernel has no parameter for, and the numbers of work-groups. */
enum { KERNEL_GLOBAL_SIZE = 64, KERNEL_GROUPS = 67, KERNEL_NO_SIZE = 255 };

struct kernel_term {
    int64_t factor;
    unsigned char sizes[KERNEL_MOST_FACTORS]; /* ascending; KERNEL_NO_SIZE: none */
};

/* A sum; the empty one is 0. */
struct kernel_bound {
    bool known;
    size_t count;
    struct kernel_term terms[KERNEL_MOST_TERMS];
};

struct kernel_bound kernel_bound_constant(int64_t value);
struct kernel_bound kernel_bound_size(unsigned size);

/* What cannot be computed, or does not fit, is not known. */
struct kernel_bound kernel_bound_add(struct kernel_bound a, const struct kernel_bound *b,
                                     int64_t factor);
struct kernel_bound kernel_bound_multiply(const struct kernel_bound *a,
                                          const struct kernel_bound *b);

/* Whether a is never below b, for sizes that are 1 at least. */
bool kernel_bound_covers(const struct kernel_bound *a, const struct kernel_bound *b);
bool kernel_bound_equal(const struct kernel_bound *a, const struct kernel_bound *b);

/* Prints it as an expression of a study; `name` gives the text for a size. */
void kernel_bound_print(const struct kernel_bound *bound,
                        const char *(*name)(const void *user, unsigned size), const void *user,
                        struct clopt_output *output);

#endif
