/* SPDX-License-Identifier: BSD-3-Clause */
/* Affine forms: integers as sums of products of symbols, which are numbered from 1. What a symbol
 * means is the user's affair. clopt/affine.h computes with them. */
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

/* Returns how many symbols a term multiplies. */
static inline unsigned clopt_term_degree(const struct clopt_term *term)
{
    unsigned degree = 0;
    while (degree < CLOPT_TERM_SYMBOLS && term->symbols[degree])
        degree++;
    return degree;
}

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
