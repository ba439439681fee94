/* SPDX-License-Identifier: BSD-3-Clause */
/* The levels of a graph's nodes: a search on the host, and the rules of Graph500. */
#pragma once

#include "graph.h"

/* What a search sees of a graph. */
struct bfs_extent {
    int64_t levels;   /* that have a node */
    int64_t reached;  /* nodes */
    int64_t edges;    /* of those nodes */
    int64_t downward; /* of those edges: the ones that lead to the next level */
};

/* Gives each node its distance from the source in edges, or -1 where no edges lead there. */
enum clopt_status bfs_levels_search(const struct bfs_graph *graph, size_t source, int32_t *levels,
                                    struct clopt_error *error);

/* Says whether levels can be right, by the rules that Graph500 validates results with, as far as
 * they are about levels, and for directed edges: the source alone has level 0; an edge from a node
 * that is reached leads to one that is reached, at most one level further down; and a node that is
 * reached has an edge that leads to it from one level further up. Fills `extent`;
 * CLOPT_WRONG_RESULT says which node breaks a rule. */
enum clopt_status bfs_levels_validate(const struct bfs_graph *graph, size_t source,
                                      const int32_t *levels, struct bfs_extent *extent,
                                      struct clopt_error *error);
