/* SPDX-License-Identifier: BSD-3-Clause */
/* What a parameter does to the best speed-up: what is found, and shown. */
#pragma once

#include "view/analysis.h"

/* The fastest variant that has one value. */
struct clopt_effect_point {
    const struct clopt_results_row *row; /* NULL: there is none with a time */
    struct clopt_interval speedup;       /* over the baseline; NaN as above */
};

/* A kernel and problem on a device. */
struct clopt_effect {
    const struct clopt_results_problem *problem;
    const char *kernel;
    size_t label_number;
    size_t device;
    const struct clopt_results *results; /* and the number of the device there */
    size_t own_device;
    const struct clopt_results_row *baseline;
    struct clopt_effect_point *points; /* one a column */
};

enum {
    CLOPT_EFFECT_INITIAL,
    CLOPT_EFFECT_NOT_SET,
    CLOPT_EFFECT_FIRST_VALUE
}; /* the first columns; the last one is the best value */

struct clopt_effects {
    const char *parameter; /* "granularity", "vector.across", or a macro */
    const char *added;     /* a second one, of "granularity+stride"; NULL: none */
    bool strict;           /* over the best local size of the initial code, and not its own */
    struct clopt_document *document;
    struct clopt_results **results; /* of each store */
    size_t result_count;
    const struct clopt_results_device **devices;
    size_t device_count;
    const char **columns; /* what a point is of: the initial code, values in ascending order, and
                           * the best of those that set the parameter */
    size_t column_count;
    const char **labels; /* of effects: the kernel, with its problem where others have its name */
    size_t label_count;
    struct clopt_effect *items; /* a device's are together */
    size_t count;
    struct clopt_arena arena; /* of columns, labels and points */
};

/* The column of the best. */
static inline size_t clopt_effects_best(const struct clopt_effects *effects)
{
    return effects->column_count - 1;
}

/* Returns what a variant sets a parameter to: several values are joined by *; NULL: nothing. It
 * is the effects'. */
char *clopt_effect_value(struct clopt_effects *effects, const char *variant, const char *parameter);

/* Finds a name in a list, or adds it; returns its number. */
size_t clopt_effect_number(const char ***names, size_t *count, const char *name);

/* Compares values for qsort(): numbers are in their order, before other values. */
int clopt_effect_compare_values(const void *a, const void *b);

/* Whether a row is the fastest so far, of those whose results are right. */
bool clopt_effect_is_faster(const struct clopt_results_row *row,
                            const struct clopt_results_row *best, size_t device);

/* Adds a table of what the second parameter adds on a device; rows of the same, for programs. */
void clopt_effects_tabulate_added(struct clopt_effects *effects, size_t device);
void clopt_effects_add_rows(struct clopt_effects *effects);

void clopt_effects_show(struct clopt_effects *effects);
