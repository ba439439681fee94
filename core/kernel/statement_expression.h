/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes statement expressions of GNU C, ({ ... }), out of a text. */
#ifndef CLOPT_KERNEL_STATEMENT_EXPRESSION_H
#define CLOPT_KERNEL_STATEMENT_EXPRESSION_H

#include "base/text.h"
#include "kernel/parse.h"

/* Replaces those that only name values, ({ int x = a; x < b ? x : b; }), by their value: what is
 * named must have no effect. Returns the new text for the caller to free; NULL when memory runs
 * out. Lines stay where they are. */
char *clopt_statement_expressions_inline(const char *text);

/* Returns a name that is not in use, with a number in it; NULL when memory runs out. */
typedef const char *(*clopt_unique_name)(void *user, unsigned number);

/* Puts the statements of the innermost ones in front of the statement that they are part of, where
 * they are executed once and before all else that counts. *hoisted gets the new text for the caller
 * to free, or NULL where there is nothing to do. False when memory runs out. */
bool clopt_statement_expressions_hoist(const struct clopt_parse *parse, const char *text,
                                       clopt_unique_name unique, void *user, char **hoisted);

#endif
