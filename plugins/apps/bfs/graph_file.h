/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads graphs from the files that people have. */
#ifndef BFS_GRAPH_FILE_H
#define BFS_GRAPH_FILE_H

#include "graph.h"

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

#endif
