/* SPDX-License-Identifier: BSD-3-Clause */
/* What the sizes of a drafted study are called, and which values they get. */
#ifndef KERNEL_DRAFT_SIZES_H
#define KERNEL_DRAFT_SIZES_H

#include <clopt/app.h>
#include <clopt/source.h>

#include "guess.h"

/* A study while it is written. */
struct kernel_drafting {
    const struct clopt_draft *draft;
    FILE *study;
    struct kernel_guess guess;
    char local[3][64];                     /* local sizes as expressions, and */
    char number[3][16];                    /* those of the initial code */
    char renamed[KERNEL_MOST_GUESSES][64]; /* sizes that cannot have the names of parameters */
    char own[3][64];                       /* names of global sizes that no parameter has */
    char groups[3][256];
    unsigned sizes[KERNEL_MOST_GUESSES + 3]; /* of [size], by number */
    size_t size_count;
    unsigned halvings; /* of sizes, so that loops take milliseconds */
};

/* Names everything, once there are guesses. */
void kernel_drafting_name(struct kernel_drafting *drafting);

/* The names of a parameter, and of a size by its number; a bound as an expression: of what is the
 * same for all variants, or of `local` memory. */
const char *kernel_drafting_parameter(const struct kernel_drafting *drafting, unsigned index);
const char *kernel_drafting_size(const void *user, unsigned size);
void kernel_drafting_put_bound(const struct kernel_drafting *drafting,
                               const struct kernel_bound *bound, bool local);

/* The macro that gives the local size in a dimension; NULL: none. */
const struct clopt_outline_macro *kernel_drafting_local_macro(
    const struct kernel_drafting *drafting, unsigned d);

/* Whether the kernel tests its index in all dimensions. */
bool kernel_drafting_is_guarded(const struct kernel_guess *guess);

/* Whether [size] has a parameter, or the global size of a dimension under a name of its own. */
bool kernel_drafting_lists_size(const struct kernel_guess *guess, size_t parameter);
bool kernel_drafting_owns_size(const struct kernel_guess *guess, unsigned d);

/* Whether a buffer has as many elements for each work-group. */
bool kernel_drafting_follows_groups(const struct kernel_bound *length);

/* A value for a size; in small runs, from 1, each has another one. */
unsigned kernel_drafting_suggest(const struct kernel_drafting *drafting, unsigned size,
                                 unsigned run);

/* The value of a size, also of local sizes and numbers of groups, in small run `run`, from 0. */
uint64_t kernel_drafting_value(const void *user, unsigned run, unsigned size);

#endif
