/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses winners by size: a small tree over global sizes, whose leaves are ranges with a variant
 * each, and what is lost by it at sizes that it was not grown from. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* What was measured: a row a variant, the initial code first, a column a size. */
struct clopt_size_table {
    size_t size_count, variant_count;
    unsigned dimensions;
    const size_t (*global)[3]; /* of each size: over what the initial code is launched */
    const double *losses; /* to the best of the size, as a share of its time; NaN: not measured */
    const double *gains;  /* over the initial code: > 0 surely faster, < 0 surely slower, else 0 */
    double precision;     /* what is less than that is no loss, for all that is known */

    /* What tells the times of launches in between (between.c); all zero: nothing does. */
    const double *best_ns; /* of each size */
    size_t compute_units;
    size_t (*count_groups)(const void *user, size_t variant, const size_t global[3]);
    const void *user;

    /* Of how many sizes an entry is worth; NULL: of one each. Those after the first `measured` were
     * not measured, but computed; 0: there are none. */
    const double *weights;
    size_t measured;
};

/* What is made of such a table: with computed sizes between the measured ones, or with sizes left
 * out. */
struct clopt_size_columns {
    struct clopt_size_table table;
    size_t (*global)[3];
    double *losses, *gains, *best_ns, *weights;
};

struct clopt_size_range {
    size_t low[3], high[3]; /* SIZE_MAX: any */
    size_t variant;
    size_t largest;       /* of the sizes in it, the one with the most work-items */
    size_t least[3];      /* in each dimension, of the sizes in it; 0: none is in it */
    size_t sizes, tested; /* sizes in it; those of which the loss is known: */
    double mean, most;    /* the loss at them, where a tree of the other sizes chooses */
    double bound;         /* of the loss at any other size, with 95%; 0: not known */
};

struct clopt_size_ranges {
    struct clopt_size_range *items; /* they have no size in common, and leave none out */
    size_t count;
};

/* How sizes between the measured ones get their variants. */
enum clopt_size_choice {
    CLOPT_SIZES_BEST,    /* as in the one of these that loses less at sizes that are left out */
    CLOPT_SIZES_NEAREST, /* as the nearest measured one */
    CLOPT_SIZES_ROUNDS,  /* by the times that are computed for them */
};

/* Grows the tree: of the variants that were measured at all sizes of a range, that are surely
 * faster than the initial code at one of them and surely slower at none, or the initial code, the
 * one with the least loss. A further range has to pay: the mean loss of all sizes becomes less by
 * 1%; where times in between are computed, the loss of one size by the precision. */
struct clopt_size_ranges clopt_size_ranges_grow(const struct clopt_size_table *table,
                                                enum clopt_size_choice choice);
void clopt_size_ranges_fini(struct clopt_size_ranges *ranges);

/* Makes the table of all sizes but those that are equal to `without` (NULL: of all). */
struct clopt_size_columns clopt_size_columns_copy(const struct clopt_size_table *table,
                                                  const size_t *without);
void clopt_size_columns_fini(struct clopt_size_columns *columns);

/* Makes a table with sizes between each two neighbours of a table in addition, and what variants
 * lose there by what is computed. */
struct clopt_size_columns clopt_size_columns_between(const struct clopt_size_table *table);

/* Returns the range in which a size is. */
struct clopt_size_range *clopt_size_ranges_find(const struct clopt_size_ranges *ranges,
                                                unsigned dimensions, const size_t global[3]);
