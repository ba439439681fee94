/* SPDX-License-Identifier: BSD-3-Clause */
/* Arithmetic of affine forms. */
#pragma once

#include <clopt/form.h>

CLOPT_API struct clopt_affine clopt_affine_constant(int64_t value);
CLOPT_API struct clopt_affine clopt_affine_symbol(unsigned symbol);

/* Add `factor` times `b` to `a`, or multiply; false where the result does not fit. */
CLOPT_API bool clopt_affine_add(struct clopt_affine *a, const struct clopt_affine *b,
                                int64_t factor);
CLOPT_API bool clopt_affine_multiply(struct clopt_affine *a, const struct clopt_affine *b);

/* Orders forms; 0: they are equal. */
CLOPT_API int clopt_affine_compare(const struct clopt_affine *a, const struct clopt_affine *b);

static inline bool clopt_affine_equals(const struct clopt_affine *a, const struct clopt_affine *b)
{
    return clopt_affine_compare(a, b) == 0;
}

/* Tells whether a form is a number, and which. */
CLOPT_API bool clopt_affine_is_constant(const struct clopt_affine *affine, int64_t *value);

/* Whether a symbol is in a form. */
CLOPT_API bool clopt_affine_has(const struct clopt_affine *affine, unsigned symbol);

/* Whether a form is a number times a symbol, plus what has no more of it; tells the number. */
CLOPT_API bool clopt_affine_factor(const struct clopt_affine *affine, unsigned symbol,
                                   int64_t *factor);
