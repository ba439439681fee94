/* SPDX-License-Identifier: BSD-3-Clause */
/* Random graphs: what edges they have. */
#ifndef BFS_RANDOM_H
#define BFS_RANDOM_H

#include "graph.h"

/* Returns how many edges a random graph has, counted in both directions. */
static inline uint64_t bfs_random_edges(uint64_t nodes, uint64_t degree)
{
    return nodes > 1 ? nodes * degree / 2 * 2 : 0;
}

/* Draws the edges of a problem's graph, each in one of its directions; none leads to the node where
 * it begins. */
enum clopt_status bfs_random_draw(const struct clopt_problem *problem, struct bfs_pairs *pairs,
                                  struct clopt_error *error);

#endif
