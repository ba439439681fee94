/* SPDX-License-Identifier: BSD-3-Clause */
/* Searches a graph serially, and validates what another search found. */
#include "levels.h"

#include <stdlib.h>

enum clopt_status bfs_levels_search(const struct bfs_graph *graph, size_t source, int32_t *levels,
                                    struct clopt_error *error)
{
    int32_t *queue = malloc(graph->node_count * sizeof *queue);
    if (!queue)
        return clopt_fail(error, CLOPT_OUT_OF_RESOURCES, "no memory for the reference");
    for (size_t i = 0; i < graph->node_count; i++)
        levels[i] = -1;
    size_t first = 0;
    size_t last = 0;
    levels[source] = 0;
    queue[last++] = (int32_t)source;
    while (first < last) {
        int32_t from = queue[first++];
        const struct bfs_node *node = &graph->nodes[from];
        for (int32_t i = 0; i < node->no_of_edges; i++) {
            int32_t to = graph->edges[node->starting + i];
            if (levels[to] >= 0)
                continue;
            levels[to] = levels[from] + 1;
            queue[last++] = to;
        }
    }
    free(queue);
    return CLOPT_OK;
}

/* Looks at the edges of one node that is reached, and marks the nodes of the next level. */
static enum clopt_status follow_edges(const struct bfs_graph *graph, size_t from,
                                      const int32_t *levels, char *has_parent,
                                      struct bfs_extent *extent, struct clopt_error *error)
{
    const struct bfs_node *node = &graph->nodes[from];
    for (int32_t i = 0; i < node->no_of_edges; i++) {
        int32_t to = graph->edges[node->starting + i];
        if (levels[to] < 0 || levels[to] > levels[from] + 1)
            return clopt_fail(error, CLOPT_WRONG_RESULT,
                              "an edge leads from node %zu of level %d to node %d of level %d",
                              from, levels[from], to, levels[to]);
        if (levels[to] == levels[from] + 1) {
            has_parent[to] = 1;
            extent->downward++;
        }
    }
    extent->edges += node->no_of_edges;
    return CLOPT_OK;
}

/* Levels that can be at all come first: later on, one more than a level must be a number. */
static enum clopt_status check_range(const struct bfs_graph *graph, size_t source,
                                     const int32_t *levels, struct clopt_error *error)
{
    for (size_t i = 0; i < graph->node_count; i++)
        if (levels[i] < -1 || levels[i] >= (int64_t)graph->node_count ||
            (levels[i] == 0) != (i == source))
            return clopt_fail(error, CLOPT_WRONG_RESULT, "node %zu has level %d; the source is %zu",
                              i, levels[i], source);
    return CLOPT_OK;
}

static enum clopt_status validate(const struct bfs_graph *graph, size_t source,
                                  const int32_t *levels, char *has_parent,
                                  struct bfs_extent *extent, struct clopt_error *error)
{
    enum clopt_status status = check_range(graph, source, levels, error);
    for (size_t i = 0; i < graph->node_count && status == CLOPT_OK; i++) {
        if (levels[i] < 0)
            continue;
        extent->reached++;
        extent->levels = levels[i] + 1 > extent->levels ? levels[i] + 1 : extent->levels;
        status = follow_edges(graph, i, levels, has_parent, extent, error);
    }
    for (size_t i = 0; i < graph->node_count && status == CLOPT_OK; i++)
        if (levels[i] > 0 && !has_parent[i])
            status = clopt_fail(error, CLOPT_WRONG_RESULT,
                                "no edge leads from level %d to node %zu of level %d",
                                levels[i] - 1, i, levels[i]);
    return status;
}

enum clopt_status bfs_levels_validate(const struct bfs_graph *graph, size_t source,
                                      const int32_t *levels, struct bfs_extent *extent,
                                      struct clopt_error *error)
{
    *extent = (struct bfs_extent){0};
    char *has_parent = calloc(graph->node_count, 1);
    if (!has_parent)
        return clopt_fail(error, CLOPT_OUT_OF_RESOURCES, "no memory for validation");
    enum clopt_status status = validate(graph, source, levels, has_parent, extent, error);
    free(has_parent);
    return status;
}
