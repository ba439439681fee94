/* SPDX-License-Identifier: BSD-3-Clause */
/* The arithmetic of affine forms (clopt/affine.h) besides what is installed. */
#pragma once

#include <clopt/affine.h>

/* How many symbols a term multiplies. */
unsigned clopt_term_degree(const struct clopt_term *term);

/* Computes `a` with an operator and another form: + - * or <<; false for others too. */
bool clopt_affine_operate(struct clopt_affine *a, const char *op, const struct clopt_affine *b);

/* Takes the terms with a symbol out, and gives what they multiply it with; false where it is
 * multiplied with itself. */
bool clopt_affine_take(struct clopt_affine *affine, unsigned symbol,
                       struct clopt_affine *coefficient);
