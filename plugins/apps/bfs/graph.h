/* SPDX-License-Identifier: BSD-3-Clause */
/* The graph that bfs searches: made from a seed, or read from a file. */
#pragma once

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
void bfs_graph_fini(struct bfs_graph *graph);

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

void bfs_pairs_fini(struct bfs_pairs *pairs);

/* Appends an edge; CLOPT_OUT_OF_RESOURCES, or CLOPT_INVALID for one too many. */
enum clopt_status bfs_pairs_add(struct bfs_pairs *pairs, uint64_t from, uint64_t to,
                                struct clopt_error *error);

/* Makes a graph of a file's edges. `mirrored`: each edge leads back as well. A short file must not
 * ask for gigabytes: too many nodes without edges are CLOPT_INVALID. Here and below graphs and
 * edges are to be ended in any case. */
enum clopt_status bfs_graph_build(struct bfs_graph *graph, size_t node_count,
                                  const struct bfs_pairs *pairs, bool mirrored,
                                  struct clopt_error *error);

/* ---- random graphs: what edges they have ---- */

/* Returns how many edges a random graph has, counted in both directions. */
static inline uint64_t bfs_random_edges(uint64_t nodes, uint64_t degree)
{
    return nodes > 1 ? nodes * degree / 2 * 2 : 0;
}

/* Draws the edges of a problem's graph, each in one of its directions; none leads to the node where
 * it begins. */
enum clopt_status bfs_random_draw(const struct clopt_problem *problem, struct bfs_pairs *pairs,
                                  struct clopt_error *error);

/* ---- reads graphs from the files that people have ---- */

/* Reads a graph of at most `most` nodes. The format is told by how the file begins:
 *
 *     %%MatrixMarket   a square matrix in coordinate format: an edge an entry, from its row to its
 *                      column, counted from 0; symmetric ones lead back as well
 *     # or two numbers an edge list of SNAP: two nodes a line; where a comment says "Undirected",
 *                      edges lead back as well
 *     one number       the format of Rodinia and OpenDwarfs: number of nodes; per node its first
 *                      edge and their number; the source; number of edges; per edge where it leads
 *                      to and a weight, which is not used
 *
 * What is wrong is CLOPT_INVALID, as `name:line: what`. The stream must be one that rewinds. */
enum clopt_status bfs_graph_read(struct bfs_graph *graph, FILE *stream, const char *name,
                                 uint64_t most, struct clopt_error *error);
