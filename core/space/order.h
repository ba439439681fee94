/* SPDX-License-Identifier: BSD-3-Clause */
/* The order in which the trials of a group are tried: all of them, or those of one shard. */
#ifndef CLOPT_SPACE_ORDER_H
#define CLOPT_SPACE_ORDER_H

#include "number/permutation.h"
#include "space/study.h"

/* Shards deal the shuffled trials out like cards, and the next group where the last one ended: the
 * largest shard has one trial more than the smallest. */
struct clopt_space_order {
    struct clopt_permutation all;
    uint64_t first; /* place of the shard's first trial among all */
    uint64_t step;
    uint64_t count; /* of the shard's trials */
};

struct clopt_space_order clopt_space_order_make(const struct clopt_study *study, size_t group);

/* Returns the number, in its group, of the trial that is the `position`-th (below count). */
uint64_t clopt_space_order_at(const struct clopt_space_order *order, uint64_t position);

/* Whether a trial, by its number in its group, is among them. */
bool clopt_space_order_has(const struct clopt_space_order *order, uint64_t index);

#endif
