/* SPDX-License-Identifier: BSD-3-Clause */
/* Sorts edges by the node where they begin, and keeps what came out. */
#include "graph.h"

#ifdef _OPENMP
#include <omp.h>
#endif

/* A short file must not ask for gigabytes: above so many nodes, some have edges. */
#define PLENTY_OF_NODES ((size_t)1 << 20)
#define NODES_PER_EDGE  64

/* ---- from edges to nodes ---- */

/* Turns the nodes' numbers of edges into the places where those begin. */
static void place_edges(struct bfs_node *nodes, size_t count)
{
    int32_t next = 0;
    for (size_t i = 0; i < count; i++) {
        nodes[i].starting = next;
        next += nodes[i].no_of_edges;
    }
}

static void reset_places(struct bfs_node *nodes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        nodes[i].starting -= nodes[i].no_of_edges;
}

void bfs_pairs_fini(struct bfs_pairs *pairs)
{
    free(pairs->items);
    *pairs = (struct bfs_pairs){0};
}

enum clopt_status bfs_pairs_add(struct bfs_pairs *pairs, uint64_t from, uint64_t to,
                                struct clopt_error *error)
{
    if (pairs->count == BFS_MOST_EDGES)
        return clopt_fail(error, CLOPT_INVALID, "more than %d edges", BFS_MOST_EDGES);
    if (pairs->count == pairs->capacity) {
        size_t capacity = pairs->capacity ? pairs->capacity + pairs->capacity / 2 : 1024;
        void *items = realloc(pairs->items, capacity * sizeof *pairs->items);
        if (!items)
            return clopt_fail(error, CLOPT_OUT_OF_RESOURCES, "no memory for %zu edges", capacity);
        pairs->items = items;
        pairs->capacity = capacity;
    }
    pairs->items[pairs->count++] = (struct bfs_pair){(int32_t)from, (int32_t)to};
    return CLOPT_OK;
}

/* Some of the nodes: a thread's own. It goes through all edges for those that touch its nodes, so
 * that the order of a node's edges does not depend on how many threads there are. */
struct part {
    struct bfs_node *nodes; /* all */
    size_t first;
    size_t count;
    int32_t *edges; /* to be stored; NULL: they are counted */
};

static void add_edge(const struct part *part, int32_t from, int32_t to)
{
    if ((size_t)from - part->first >= part->count)
        return;
    struct bfs_node *node = &part->nodes[from];
    if (part->edges)
        part->edges[node->starting++] = to; /* moves until reset_places() */
    else
        node->no_of_edges++;
}

static void go_through(const struct part *part, const struct bfs_pairs *pairs, bool mirrored)
{
    for (size_t i = 0; i < pairs->count; i++) {
        struct bfs_pair pair = pairs->items[i];
        add_edge(part, pair.from, pair.to);
        if (mirrored && pair.from != pair.to)
            add_edge(part, pair.to, pair.from);
    }
}

/* All edges are gone through for each part: there should be no more than what is done at once. */
static size_t count_parts(void)
{
#ifdef _OPENMP
    return (size_t)omp_get_max_threads();
#else
    return 1;
#endif
}

/* Counts the edges of all nodes, or stores them. */
static void share_out(struct bfs_node *nodes, size_t node_count, int32_t *edges,
                      const struct bfs_pairs *pairs, bool mirrored)
{
    size_t size = node_count / count_parts() + 1;
#pragma omp parallel for schedule(static, 1)
    for (size_t first = 0; first < node_count; first += size) {
        struct part part = {nodes, first, size, edges};
        go_through(&part, pairs, mirrored);
    }
}

/* Makes a graph of edges that are sound. */
static enum clopt_status build(struct bfs_graph *graph, size_t node_count,
                               const struct bfs_pairs *pairs, bool mirrored,
                               struct clopt_error *error)
{
    struct bfs_node *nodes = calloc(node_count, sizeof *nodes);
    *graph = (struct bfs_graph){.node_count = node_count, .nodes = nodes, .source = -1};
    if (!nodes)
        return clopt_fail(error, CLOPT_OUT_OF_RESOURCES, "no memory for %zu nodes", node_count);
    share_out(nodes, node_count, NULL, pairs, mirrored);
    uint64_t sum = 0;
    for (size_t i = 0; i < node_count; i++)
        sum += (uint64_t)nodes[i].no_of_edges;
    uint64_t edge_count = sum;
    if (edge_count > BFS_MOST_EDGES)
        return clopt_fail(error, CLOPT_INVALID, "more than %d edges", BFS_MOST_EDGES);
    int32_t *edges = malloc((size_t)(edge_count ? edge_count : 1) * sizeof *edges);
    if (!edges)
        return clopt_fail(error, CLOPT_OUT_OF_RESOURCES, "no memory for %" PRIu64 " edges",
                          edge_count);
    graph->edges = edges;
    graph->edge_count = (size_t)edge_count;
    place_edges(nodes, node_count);
    share_out(nodes, node_count, edges, pairs, mirrored);
    reset_places(nodes, node_count);
    return CLOPT_OK;
}

enum clopt_status bfs_graph_build(struct bfs_graph *graph, size_t node_count,
                                  const struct bfs_pairs *pairs, bool mirrored,
                                  struct clopt_error *error)
{
    *graph = (struct bfs_graph){0};
    return node_count <= PLENTY_OF_NODES || node_count / NODES_PER_EDGE <= pairs->count
               ? build(graph, node_count, pairs, mirrored, error)
               : clopt_fail(error, CLOPT_INVALID,
                            "%zu nodes for %zu edges: most nodes have no edge; renumber the others",
                            node_count, pairs->count);
}

/* ---- what clopt keeps ---- */

/* What is kept on disk: nodes and edges follow. */
struct head {
    uint64_t node_count;
    uint64_t edge_count;
    int64_t source;
};

static enum clopt_status read_file(const char *path, struct bfs_graph *graph,
                                   struct clopt_error *error)
{
    CLOPT_CLOSED FILE *stream = NULL;
    CLOPT_TRY(clopt_file_open(path, &stream, error));
    return bfs_graph_read(graph, stream, path, BFS_MOST_NODES, error);
}

static enum clopt_status make_random(const struct clopt_problem *problem, struct bfs_graph *graph,
                                     struct clopt_error *error)
{
    CLOPT_OWNED(bfs_pairs) pairs = {0};
    size_t nodes = (size_t)clopt_values_integer(problem->inputs, "nodes");
    CLOPT_TRY(bfs_random_draw(problem, &pairs, error));
    return build(graph, nodes, &pairs, true, error);
}

/* Makes or reads the graph, and writes it as it is kept. */
static enum clopt_status write_graph(void *user, FILE *stream, struct clopt_error *error)
{
    const struct clopt_problem *problem = user;
    const char *path = clopt_values_text(problem->inputs, "input");
    CLOPT_OWNED(bfs_graph) graph = {0};
    CLOPT_TRY(path ? read_file(path, &graph, error) : make_random(problem, &graph, error));
    struct head head = {graph.node_count, graph.edge_count, graph.source};
    fwrite(&head, sizeof head, 1, stream);
    fwrite(graph.nodes, sizeof *graph.nodes, graph.node_count, stream);
    fwrite(graph.edges, sizeof *graph.edges, graph.edge_count, stream);
    fwrite(&head.source, sizeof head.source, 1, stream); /* memory for one edge at least */
    return CLOPT_OK;
}

enum clopt_status bfs_graph_create(const struct clopt_problem *problem, struct bfs_graph *graph,
                                   struct clopt_error *error)
{
    *graph = (struct bfs_graph){0};
    const void *data = NULL;
    CLOPT_TRY(clopt_cached_stream(problem, "graph", write_graph, (void *)problem, &data,
                                  &graph->cached_bytes, error));
    const struct head *head = data;
    const struct bfs_node *nodes = (const void *)(head + 1);
    graph->cached = data;
    graph->node_count = (size_t)head->node_count;
    graph->edge_count = (size_t)head->edge_count;
    graph->source = head->source;
    graph->nodes = nodes;
    graph->edges = (const void *)(nodes + head->node_count);
    return CLOPT_OK;
}

void bfs_graph_fini(struct bfs_graph *graph)
{
    if (graph->cached) {
        clopt_cached_release(graph->cached, graph->cached_bytes);
    } else {
        free((void *)graph->nodes);
        free((void *)graph->edges);
    }
    *graph = (struct bfs_graph){0};
}
