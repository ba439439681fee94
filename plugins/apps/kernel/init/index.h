/* SPDX-License-Identifier: BSD-3-Clause */
/* How far index expressions reach. */
#pragma once

#include "guess.h"

/* Strips what does not change a value: parentheses and casts. */
const struct clopt_node *kernel_plain(const struct clopt_node *node);

/* Whether a node is an operation with two operands, such as "+". */
static inline bool kernel_is_binary(const struct clopt_node *node, const char *op)
{
    return node->kind == CLOPT_NODE_BINARY && clopt_node_is_operator(node, op);
}

/* What a for loop counts with: its step changes that; NULL: nothing. */
const struct clopt_variable *kernel_counts(const struct clopt_node *loop);

/* Follows variables that have one value to what that is. */
const struct clopt_node *kernel_resolve(const struct clopt_node *node);

/* Returns the number of an integer parameter of the kernel that a node names; -1: it is none. */
int kernel_size_parameter(const struct kernel_guess *guess, const struct clopt_node *node);

/* Returns the dimension whose global identity a node is, also by way of a variable; -1: none. */
int kernel_identity_of(const struct clopt_node *node);

/* Whether a call asks for an identity or a size; tells the dimension. */
static inline bool kernel_is_query(const struct clopt_node *node, const char *name,
                                   unsigned *dimension)
{
    *dimension = clopt_node_dimension(node, name);
    return *dimension < 3;
}

/* Returns the largest value that an integer expression can have, or one that is not known. */
struct kernel_bound kernel_upper(const struct kernel_guess *guess, const struct clopt_node *node);

/* Calls `visit` for a node and all below it. */
typedef void (*kernel_visit)(struct kernel_guess *guess, const struct clopt_node *node);
void kernel_walk_nodes(struct kernel_guess *guess, const struct clopt_node *node,
                       kernel_visit visit);

/* Does so for all functions. */
void kernel_walk_all(struct kernel_guess *guess, kernel_visit visit);

/* Does the same for what a value comes from as well: the only values of variables, and the bounds
 * of loops. */
void kernel_walk_origins(struct kernel_guess *guess, const struct clopt_node *node,
                         kernel_visit visit);
