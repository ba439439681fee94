/* SPDX-License-Identifier: BSD-3-Clause */
/* Affine forms (clopt/affine.h) of expressions. What a symbol means is said by a table: by
 * expressions that are not taken apart further (below), or by what a walk through a kernel has
 * found (subscript.h). */
#pragma once

#include <clopt/loop.h>

/* ---- arithmetic besides what is installed ---- */

/* Computes `a` with an operator and another form: + - * or <<; false for others too. */
bool clopt_affine_operate(struct clopt_affine *a, const char *op, const struct clopt_affine *b);

/* Takes the terms with a symbol out, and gives what they multiply it with; false where it is
 * multiplied with itself. */
bool clopt_affine_take(struct clopt_affine *affine, unsigned symbol,
                       struct clopt_affine *coefficient);

/* ---- of expressions ---- */

enum { CLOPT_MOST_SYMBOLS = 64 }; /* in a table of expressions */

/* What symbols mean: symbol 1 is the first; all zero is empty. */
struct clopt_symbols {
    const struct clopt_node *nodes[CLOPT_MOST_SYMBOLS];
    unsigned count;
};

/* Reads an expression. Variables that `loop` declares and that do not change are replaced by their
 * initial values; none if it is NULL. False where it does not fit. */
bool clopt_affine_read(struct clopt_symbols *symbols, const struct clopt_node *loop,
                       const struct clopt_node *node, struct clopt_affine *affine);

/* Takes the terms with a variable out of a form; false where it is part of another symbol, too. */
bool clopt_affine_take_variable(const struct clopt_symbols *symbols, struct clopt_affine *affine,
                                const struct clopt_variable *variable,
                                struct clopt_affine *coefficient);

/* Whether all symbols of a form have the same value in every iteration of a loop. */
bool clopt_affine_is_invariant(const struct clopt_symbols *symbols, const struct clopt_node *loop,
                               const struct clopt_affine *affine);

/* Whether two indices, of which NULL is 0, differ wherever a node in a loop is executed. */
bool clopt_indices_differ(const struct clopt_node *where, const struct clopt_node *a,
                          const struct clopt_node *b);
