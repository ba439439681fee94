/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes overlapping vectors from two of them. */
#ifndef VECTOR_SHARE_H
#define VECTOR_SHARE_H

#include "code.h"

/* Makes what the sharing of loads in a kernel needs; NULL when memory runs out. */
struct share *share_create(const struct clopt_source *source);
void share_destroy(struct share *share);

/* How many loads became shuffles. */
size_t share_count(const struct share *share);

/* To be called before a statement is put: puts what it and those behind it have in common: of three
 * or more vectors that lie in memory within twice their width, the first and the last one, and the
 * others from these (Fang, Varbanescu: Evaluating vector data type usage in OpenCL kernels, data
 * sharing). All of them are loaded by the kernel as it is, in any case, and nothing is written in
 * between. */
void share_begin(struct code *code, const struct clopt_node *statement);

/* Takes back what was shared since a mark was set, because its text is dropped. */
struct share_mark share_begin_attempt(const struct share *share);
void share_forget(struct share *share, const struct share_mark *mark);

/* Returns the name of the vector that stands for what a node loads; NULL: none. */
const char *share_name(const struct share *share, const struct clopt_node *node);

#endif
