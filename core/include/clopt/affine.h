/* SPDX-License-Identifier: BSD-3-Clause */
/* Affine forms: integers as sums of products of symbols, which are numbered from 1. What a symbol
 * means is the user's affair. */
#pragma once

#include <stdint.h>

#include <clopt/error.h>

enum {
    CLOPT_AFFINE_TERMS = 12,
    CLOPT_TERM_SYMBOLS = 4,
};

/* factor * symbol * symbol * symbol, in rising order; 0 is none, at the end. */
struct clopt_term {
    int64_t factor;
    unsigned short symbols[CLOPT_TERM_SYMBOLS];
};

/* A sum of terms, ordered by their symbols, none of them 0: equal forms are equal structures. */
struct clopt_affine {
    struct clopt_term terms[CLOPT_AFFINE_TERMS];
    unsigned count;
    bool wraps; /* 32-bit unsigned arithmetic: it is true modulo 2^32 */
};

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

/* Computes a form from the values of its symbols; false where one is not known, or it overflows. */
typedef bool (*clopt_affine_symbol_value)(const void *user, unsigned symbol, int64_t *value);
CLOPT_API bool clopt_affine_compute(const struct clopt_affine *affine,
                                    clopt_affine_symbol_value value_of, const void *user,
                                    int64_t *value);

/* Returns a form as text, the longest products first, for the caller to free: "2*n + 1" where
 * `times` is "*". NULL: a symbol has no name. */
typedef const char *(*clopt_affine_name)(const void *user, unsigned symbol);
CLOPT_API char *clopt_affine_print(const struct clopt_affine *affine, const char *times,
                                   clopt_affine_name name, const void *user);
