/* SPDX-License-Identifier: BSD-3-Clause */
/* Between which numbers an integer expression is, by its types, masks and bounds. */
#pragma once

#include <clopt/source.h>

struct range {
    int64_t least;
    int64_t most;
};

/* Finds the range of an expression; that of its type where nothing more is known, and a very large
 * one for 64 bits. */
struct range range_of(const struct clopt_node *node);
