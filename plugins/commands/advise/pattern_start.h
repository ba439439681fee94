/* SPDX-License-Identifier: BSD-3-Clause */
/* What the parts of pattern_start.c share. */
#pragma once

#include "commands/advise/kernel_pattern.h"

/* A square of results of a work-group, and how it is dealt out to work-items. */
struct clopt_pattern_square {
    unsigned size;
    unsigned granularity;
    unsigned stride;
};

/* A kernel for which starts are added to a plan, and the pattern that they fit. */
struct clopt_pattern_start {
    const struct clopt_kernel_pattern *pattern;
    const char *kernel;
    struct clopt_search_plan *plan;
};

/* Adds a variant: what comes before work-items are merged, by tiles of so many iterations (0: the
 * loop stays whole), and a text. */
void clopt_pattern_add(const struct clopt_pattern_start *start, const char *device, unsigned tile,
                       const char *format, ...) CLOPT_PRINTF(4, 5);

/* Whether a square is a part of the results, or, where these are few, all of them. */
bool clopt_pattern_fits(const struct clopt_pattern_square *square,
                        const struct clopt_kernel_pattern *pattern);

/* Add what work-groups share where there are few results: products, and other long sums. */
void clopt_pattern_start_product(const struct clopt_pattern_start *start);
void clopt_pattern_start_shared(const struct clopt_pattern_start *start);

/* Adds a product whose inner loop is text, as a convolution's of a line: neighbours read the same
 * elements, which registers hold, and several results of both operands. */
void clopt_pattern_start_taps(const struct clopt_pattern_start *start);

/* Adds work-groups for each of few work-items. */
void clopt_pattern_start_few(const struct clopt_pattern_start *start);

/* Adds counters of a work-group, or of each work-item. */
void clopt_pattern_start_counters(const struct clopt_pattern_start *start);

/* Add rows that work-items have for themselves; what all read; vectors of neighbours; what serves
 * where nothing is known. */
void clopt_pattern_start_records(const struct clopt_pattern_start *start);
void clopt_pattern_start_each(const struct clopt_pattern_start *start);
void clopt_pattern_start_narrow(const struct clopt_pattern_start *start);
void clopt_pattern_start_other(const struct clopt_pattern_start *start);
