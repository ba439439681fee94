/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes overlapping vectors from two of them. */
#ifndef VECTOR_SHARE_H
#define VECTOR_SHARE_H

#include "code.h"

/* Makes what the sharing of loads in a kernel needs; NULL when memory runs out. */
struct share *share_create(const struct clopt_source *source);

/* How many loads became shuffles. */
size_t share_count(const struct share *share);

/* Adds what a statement and those after it have in common, to be called before the statement is
 * built: of three or more vectors that overlap in memory within twice their width, the first and
 * the last one, and the others from these (Fang, Varbanescu: Evaluating vector data type usage in
 * OpenCL kernels, data sharing). All of them are loaded by the kernel as it is, in any case, and
 * nothing is written in between. */
void share_add(struct code *code, const struct clopt_node *statement, struct clopt_nodes *list);

/* Marks what is shared so far, and drops what was shared since; nothing where `share` is NULL. */
void share_mark(const struct share *share, struct code_mark *mark);
void share_drop(struct share *share, const struct code_mark *mark);

/* Returns the vector that holds what a node loads; NULL: none. */
struct clopt_variable *share_find(const struct share *share, const struct clopt_node *node);

#endif
