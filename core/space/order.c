/* SPDX-License-Identifier: BSD-3-Clause */
/* Deals the trials of a study out to its shards. */
#include "space/order.h"

#include "space/space.h"

/* Returns the place of a group's first trial among the shards, when those before are dealt out. */
static uint64_t count_before(const struct clopt_study *study, size_t group, uint64_t shards)
{
    uint64_t place = 0;
    for (size_t i = 0; i < group; i++)
        place = (place + clopt_space_count(study, i) % shards) % shards;
    return place;
}

struct clopt_space_order clopt_space_order_make(const struct clopt_study *study, size_t group)
{
    uint64_t all = clopt_space_count(study, group), step = 1, first = 0;
    if (study->shard.count) {
        step = study->shard.count;
        first = (study->shard.number - 1 + step - count_before(study, group, step)) % step;
    }
    return (struct clopt_space_order){.all = clopt_permutation_make(all, study->seed + group),
                                      .first = first,
                                      .step = step,
                                      .count = first < all ? (all - 1 - first) / step + 1 : 0};
}

uint64_t clopt_space_order_at(const struct clopt_space_order *order, uint64_t position)
{
    return clopt_permutation_at(&order->all, order->first + position * order->step);
}

bool clopt_space_order_has(const struct clopt_space_order *order, uint64_t index)
{
    return order->step == 1 ||
           clopt_permutation_find(&order->all, index) % order->step == order->first;
}
