/* SPDX-License-Identifier: BSD-3-Clause */
/* The graph that bfs searches: made from a seed, or read from a file. */
#ifndef BFS_GRAPH_H
#define BFS_GRAPH_H

#include <clopt/clopt.h>

/* The kernels count nodes and edges in int; work-items are rounded up to whole work-groups. */
#define BFS_MOST_NODES 1000000000
#define BFS_MOST_EDGES INT32_MAX

/* A node as the kernels see it. */
struct bfs_node {
    int32_t starting; /* the first of its edges */
    int32_t no_of_edges;
};

/* A directed graph; an undirected one has each edge in both directions. */
struct bfs_graph {
    size_t node_count;
    size_t edge_count;
    const struct bfs_node *nodes;
    const int32_t *edges; /* where they lead to; memory for one at least */
    int64_t source;       /* the node from which the file says to search, or -1 */
    const void *cached;   /* clopt's data that has nodes and edges; NULL: each has its own memory */
    size_t cached_bytes;
};

/* Makes or reads the graph of a problem, or finds what was made or read before. */
enum clopt_status bfs_graph_create(const struct clopt_problem *problem, struct bfs_graph *graph,
                                   struct clopt_error *error);
void bfs_graph_destroy(struct bfs_graph *graph);

/* Edges in the order of a file. */
struct bfs_pair {
    int32_t from;
    int32_t to;
};

struct bfs_pairs {
    struct bfs_pair *items;
    size_t count;
    size_t capacity;
};

/* Appends an edge; CLOPT_OUT_OF_RESOURCES, or CLOPT_INVALID for one too many. */
enum clopt_status bfs_pairs_add(struct bfs_pairs *pairs, uint64_t from, uint64_t to,
                                struct clopt_error *error);

/* Makes a graph of a file's edges, and frees them. `mirrored`: each edge leads back as well. A
 * short file must not ask for gigabytes: too many nodes without edges are CLOPT_INVALID. */
enum clopt_status bfs_graph_build(struct bfs_graph *graph, size_t node_count,
                                  struct bfs_pairs *pairs, bool mirrored,
                                  struct clopt_error *error);

#endif
