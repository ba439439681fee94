/* SPDX-License-Identifier: BSD-3-Clause */
/* Feeds arbitrary bytes to the readers of graphs: whatever they accept must be in its bounds. */
#include "graph.h"

#include <stdlib.h>

#define MOST 1000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition)
{
    if (!condition)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    FILE *stream = size ? fmemopen((void *)data, size, "r") : NULL;
    if (!stream)
        return 0;
    struct clopt_error error = {0};
    struct bfs_graph graph;
    enum clopt_status status = bfs_graph_read(&graph, stream, "fuzz", MOST, &error);
    require(status == error.status && (status == CLOPT_OK) == (error.message[0] == '\0'));
    if (status == CLOPT_OK) {
        require(graph.node_count > 0 && graph.node_count <= MOST);
        require(graph.source < (int64_t)graph.node_count);
        for (size_t i = 0; i < graph.node_count; i++) {
            const struct bfs_node *node = &graph.nodes[i];
            require(node->starting >= 0 && node->no_of_edges >= 0);
            require((size_t)node->starting + (size_t)node->no_of_edges <= graph.edge_count);
        }
        for (size_t i = 0; i < graph.edge_count; i++)
            require(graph.edges[i] >= 0 && (size_t)graph.edges[i] < graph.node_count);
    }
    bfs_graph_fini(&graph);
    fclose(stream);
    return 0;
}
