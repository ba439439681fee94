/* SPDX-License-Identifier: BSD-3-Clause */
/* Integer polynomials over symbols: what subscripts are as functions of work-item and loop. */
#ifndef CLOPT_ANALYSIS_AFFINE_H
#define CLOPT_ANALYSIS_AFFINE_H

#include <stdbool.h>
#include <stdint.h>

#define CLOPT_FORM_TERMS   12
#define CLOPT_TERM_SYMBOLS 3

/* factor * symbol * symbol * symbol: symbols are numbered from 1, in rising order, 0 is
 * none, at the end. */
struct clopt_term {
    int64_t factor;
    unsigned short symbols[CLOPT_TERM_SYMBOLS];
};

/* A sum of terms, ordered by their symbols, none of them 0: equal sums are equal structures. */
struct clopt_form {
    struct clopt_term terms[CLOPT_FORM_TERMS];
    unsigned count;
};

struct clopt_form clopt_form_constant(int64_t value);
struct clopt_form clopt_form_symbol(unsigned symbol);

/* Add `factor` times `b` to `a`, or multiply; false where the result does not fit a form. */
bool clopt_form_add(struct clopt_form *a, const struct clopt_form *b, int64_t factor);
bool clopt_form_multiply(struct clopt_form *a, const struct clopt_form *b);

bool clopt_form_equals(const struct clopt_form *a, const struct clopt_form *b);

/* Tells whether a form is a number, and which. */
bool clopt_form_is_constant(const struct clopt_form *form, int64_t *value);

#endif
