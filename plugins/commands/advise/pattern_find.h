/* SPDX-License-Identifier: BSD-3-Clause */
/* What the parts that find patterns share. */
#pragma once

#include "analysis/subscript.h"
#include "commands/advise/kernel_pattern.h"

#define CLOPT_PATTERN_ROW 32 /* the fewest elements of a row that work-items share */

/* What an index multiplies the local identity of a dimension with; false: it does not know. */
bool clopt_pattern_coefficient(const struct clopt_subscripts *subscripts,
                               const struct clopt_subscript *access, unsigned dimension,
                               struct clopt_affine *coefficient);

/* Whether neighbours along a dimension access neighbours. */
bool clopt_pattern_is_along(const struct clopt_subscripts *subscripts,
                            const struct clopt_subscript *access, unsigned dimension);

/* Whether a statement is a loop, or holds one. */
bool clopt_pattern_holds_loop(const struct clopt_node *top);

/* Returns the iterations of some loops, each in the other ones; 0: they are not known. */
int64_t clopt_pattern_trips(const struct clopt_subscripts *subscripts, unsigned loops);

/* Notes a kind, and the accesses that show it. */
void clopt_pattern_note(const struct clopt_source *source, enum clopt_kernel_kind kind,
                        const struct clopt_subscript *a, const struct clopt_subscript *b,
                        struct clopt_kernel_pattern *pattern);

/* Find rows of work-items, rows that all want, and columns. */
void clopt_pattern_find_rows(const struct clopt_source *source,
                             const struct clopt_subscripts *subscripts,
                             struct clopt_kernel_pattern *pattern);
void clopt_pattern_find_shared(const struct clopt_source *source,
                               const struct clopt_subscripts *subscripts,
                               struct clopt_kernel_pattern *pattern);
void clopt_pattern_find_columns(const struct clopt_source *source,
                                const struct clopt_subscripts *subscripts,
                                struct clopt_kernel_pattern *pattern);

/* Finds what a long loop reads for all work-items alike. */
void clopt_pattern_find_each(const struct clopt_source *source,
                             const struct clopt_subscripts *subscripts,
                             struct clopt_kernel_pattern *pattern);

/* Whether neighbours along dimension 0 read neighbours in a loop, of which iterations do. */
bool clopt_pattern_slides(const struct clopt_subscripts *subscripts);
