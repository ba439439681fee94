/* SPDX-License-Identifier: BSD-3-Clause */
/* vector: vector code, by rewriting, by the compiler, or by the app's own layout. */
#include <clopt/clopt.h>

#include "hint.h"

static const struct clopt_parameter parameters[] = {
    {.name = "hint",
     .type = CLOPT_INTEGER,
     .legal = "1, 4, 8, 16",
     .help = "work-items that the compiler's own vectorizer takes together, by"
             " cl_intel_vec_len_hint; 1: it stays off"},
    {.name = "transposed",
     .type = CLOPT_INTEGER,
     .help = "1: the app's data layout that makes neighbours of what is vectorized",
     .knob = true},
    {.name = NULL},
};

static enum clopt_status check(const struct clopt_transform *transform,
                               const struct clopt_values *values, struct clopt_error *error)
{
    return clopt_values_has(values, "hint") ? hint_check(transform, error) : CLOPT_OK;
}

static enum clopt_status apply(struct clopt_transform *transform, const struct clopt_values *values,
                               struct clopt_error *error)
{
    if (!clopt_values_has(values, "hint"))
        return CLOPT_OK;
    return hint_apply(transform, (unsigned)clopt_values_integer(values, "hint"), error);
}

static const struct clopt_optimization optimization = {
    .parameters = parameters,
    .check = check,
    .apply = apply,
};

CLOPT_OPTIMIZATION_PLUGIN("vector", "vector code", &optimization);
