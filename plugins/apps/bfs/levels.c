/* SPDX-License-Identifier: BSD-3-Clause */
/* Searches a graph level by level, and validates what another search found. */
#include "levels.h"

/* Fewer nodes than these are not worth other threads. */
#define NODES_OF_ONE_THREAD 4096

/* A search on its way. */
struct search {
    const struct bfs_graph *graph;
    int32_t *levels;
    int32_t *queue; /* every node once, in the order of levels */
    size_t end;
};

/* Gives a level to the neighbours of a node that have none. Threads that want the same one agree on
 * who queues it; the level is the same. */
static void visit(struct search *search, int32_t from)
{
    const struct bfs_node *node = &search->graph->nodes[from];
    int32_t level = search->levels[from] + 1;
    for (int32_t i = 0; i < node->no_of_edges; i++) {
        int32_t to = search->graph->edges[node->starting + i];
        int32_t *where = &search->levels[to];
        int32_t none = -1;
        if (__atomic_load_n(where, __ATOMIC_RELAXED) < 0 &&
            __atomic_compare_exchange_n(where, &none, level, false, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
            search->queue[__atomic_fetch_add(&search->end, 1, __ATOMIC_RELAXED)] = to;
    }
}

enum clopt_status bfs_levels_search(const struct bfs_graph *graph, size_t source, int32_t *levels,
                                    struct clopt_error *error)
{
    struct search search = {graph, levels, malloc(graph->node_count * sizeof(int32_t)), 0};
    CLOPT_NEED(search.queue, error);
    for (size_t i = 0; i < graph->node_count; i++)
        levels[i] = -1;
    levels[source] = 0;
    search.queue[search.end++] = (int32_t)source;
    for (size_t first = 0; first < search.end;) {
        size_t end = search.end;
#pragma omp parallel for schedule(dynamic, 256) if (end - first > NODES_OF_ONE_THREAD)
        for (size_t i = first; i < end; i++)
            visit(&search, search.queue[i]);
        first = end;
    }
    free(search.queue);
    return CLOPT_OK;
}

/* Whether an edge may lead from a node that is reached to another one. */
static bool may_lead(int32_t from_level, int32_t to_level)
{
    return to_level >= 0 && to_level <= from_level + 1;
}

/* Looks at the edges of one node that is reached, and marks the nodes of the next level. Returns
 * whether they may be. */
static bool follow_edges(const struct bfs_graph *graph, size_t from, const int32_t *levels,
                         char *has_parent, struct bfs_extent *extent)
{
    const struct bfs_node *node = &graph->nodes[from];
    bool right = true;
    for (int32_t i = 0; i < node->no_of_edges; i++) {
        int32_t to = graph->edges[node->starting + i];
        right = right && may_lead(levels[from], levels[to]);
        if (levels[to] == levels[from] + 1) {
            __atomic_store_n(&has_parent[to], 1, __ATOMIC_RELAXED);
            extent->downward++;
        }
    }
    extent->reached++;
    extent->edges += node->no_of_edges;
    if (levels[from] >= extent->levels)
        extent->levels = levels[from] + 1;
    return right;
}

/* Says which edge of a node leads where it must not. */
static enum clopt_status fail_at_node(const struct bfs_graph *graph, size_t from,
                                      const int32_t *levels, struct clopt_error *error)
{
    const int32_t *to = graph->edges + graph->nodes[from].starting;
    while (may_lead(levels[from], levels[*to]))
        to++;
    return clopt_fail(error, CLOPT_WRONG_RESULT,
                      "an edge leads from node %zu of level %d to node %d of level %d", from,
                      levels[from], *to, levels[*to]);
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

static void add_extent(struct bfs_extent *sum, const struct bfs_extent *extent)
{
    sum->levels = extent->levels > sum->levels ? extent->levels : sum->levels;
    sum->reached += extent->reached;
    sum->edges += extent->edges;
    sum->downward += extent->downward;
}

/* Follows the edges of all nodes that are reached; returns the first node that has a wrong one, or
 * the number of nodes. */
static size_t follow_all(const struct bfs_graph *graph, const int32_t *levels, char *has_parent,
                         struct bfs_extent *extent)
{
    size_t wrong = graph->node_count;
#pragma omp parallel
    {
        struct bfs_extent own = {0};
        size_t own_wrong = graph->node_count;
#pragma omp for schedule(dynamic, 4096)
        for (size_t i = 0; i < graph->node_count; i++)
            if (levels[i] >= 0 && !follow_edges(graph, i, levels, has_parent, &own) &&
                i < own_wrong)
                own_wrong = i;
#pragma omp critical
        {
            add_extent(extent, &own);
            wrong = own_wrong < wrong ? own_wrong : wrong;
        }
    }
    return wrong;
}

enum clopt_status bfs_levels_validate(const struct bfs_graph *graph, size_t source,
                                      const int32_t *levels, struct bfs_extent *extent,
                                      struct clopt_error *error)
{
    *extent = (struct bfs_extent){0};
    CLOPT_FREED char *has_parent = calloc(graph->node_count, 1);
    CLOPT_NEED(has_parent, error);
    CLOPT_TRY(check_range(graph, source, levels, error));
    size_t wrong = follow_all(graph, levels, has_parent, extent);
    if (wrong < graph->node_count)
        return fail_at_node(graph, wrong, levels, error);
    for (size_t i = 0; i < graph->node_count; i++)
        if (levels[i] > 0 && !has_parent[i])
            return clopt_fail(error, CLOPT_WRONG_RESULT,
                              "no edge leads from level %d to node %zu of level %d", levels[i] - 1,
                              i, levels[i]);
    return CLOPT_OK;
}
