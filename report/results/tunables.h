/* SPDX-License-Identifier: BSD-3-Clause */
/* Variants as other auto-tuners see them: values of tunable parameters. */
#pragma once

#include "results/results.h"

#define CLOPT_TUNABLE_ORDER "combine.products"

/* The variants of a table on a device. A parameter of an optimization is called
 * "geometry.granularity", of one that a variant applies a second time "geometry.2.granularity", and
 * a macro by its own name; "combine.products" is the order of the optimizations, where variants
 * differ in it. Those of which all variants have the same value are left out. */
struct clopt_tunables {
    json_t *values; /* an object: of each parameter an array of all its values */
    json_t **rows;  /* an object for each row of the table, with all parameters, whose values are
                     * those of `values`; NULL: not there */
    size_t row_count;
};

/* Finds them. A parameter that a variant does not set has the value that changes nothing, as far as
 * another variant tells it, or else null. CLOPT_FAILED also where two variants have the same
 * values. */
enum clopt_status clopt_tunables_init(struct clopt_tunables *tunables,
                                      const struct clopt_results_table *table, size_t device,
                                      struct clopt_error *error);
void clopt_tunables_fini(struct clopt_tunables *tunables);

/* Appends "+" and the name of a step to those before it: its optimization, and "geometry.2" where
 * that was there before. Returns where the name begins. */
size_t clopt_tunable_step(struct clopt_text *product, struct clopt_piece optimization);

/* Makes a number of a text that is an integer, written as all programs do; else a text. */
json_t *clopt_tunable_value(const char *text);
