/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the sections that describe a kernel, for a first study of it. */
#pragma once

#include <clopt/app.h>

#include "guess.h"

/* A study while it is written. */
struct kernel_draft {
    const struct clopt_draft *asked;
    FILE *study;
    struct kernel_guess guess;
    char local[3][64];                     /* local sizes as expressions, and */
    char number[3][16];                    /* those of the initial code */
    char renamed[KERNEL_MOST_GUESSES][64]; /* sizes that cannot have the names of parameters */
    char own[3][64];                       /* names of global sizes that no parameter has */
    char groups[3][256];
    unsigned sizes[KERNEL_MOST_GUESSES + 3]; /* of [size], by number */
    size_t size_count;
    unsigned halvings[1 + CLOPT_DRAFT_RUNS]; /* of a run's sizes, so that loops take milliseconds */
};

enum clopt_status kernel_draft_write(const struct clopt_draft *asked, FILE *study,
                                     struct clopt_error *error);

/* Writes the lines of [arguments]. */
void kernel_draft_arguments(const struct kernel_draft *draft);

/* Whether halves are summed up in a loop: after some hundreds of additions sums in another order
 * differ by several hundredths. And whether inputs may then be of either sign: sums of positive
 * ones would be so equal that a wrong one could not be told from a right one. */
bool kernel_guess_sums_halves(const struct kernel_guess *guess);
bool kernel_guess_may_center(const struct kernel_guess *guess);

/* Names everything, once there are guesses. */
void kernel_draft_name(struct kernel_draft *draft);

/* The names of a parameter, and of a size by its number; a bound as an expression: of what is the
 * same for all variants, or of `local` memory. */
const char *kernel_draft_parameter(const struct kernel_draft *draft, size_t index);
const char *kernel_draft_size(const void *user, unsigned size);
void kernel_draft_put_bound(const struct kernel_draft *draft, const struct kernel_bound *bound,
                            bool local);

/* Whether an argument is a result. */
bool kernel_draft_is_result(const struct kernel_guess *guess, size_t index);

/* Whether the kernel tests its index in all dimensions. */
bool kernel_draft_is_guarded(const struct kernel_guess *guess);

/* Whether a buffer has as many elements for each work-group. */
bool kernel_draft_follows_groups(const struct kernel_bound *length);

/* The sizes of a run: 0 is that of the study; in small ones, from 1, each size has another value.
 */
struct kernel_draft_run {
    const struct kernel_draft *draft;
    unsigned number;
};

/* Tells the value of a size in a run, also of local sizes and numbers of groups. */
bool kernel_draft_value(const void *run, unsigned size, int64_t *value);
