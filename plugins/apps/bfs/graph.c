/* SPDX-License-Identifier: BSD-3-Clause */
/* Sorts edges by the node where they begin, and makes random ones. */
#include "graph.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "graph_file.h"

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

/* Stores an edge at the node's next place; `starting` moves until reset_places(). */
static void store_edge(struct bfs_node *nodes, int32_t *edges, int32_t from, int32_t to)
{
    edges[nodes[from].starting++] = to;
}

static void reset_places(struct bfs_node *nodes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        nodes[i].starting -= nodes[i].no_of_edges;
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

/* Counts the edges of each node, and returns how many there are. */
static uint64_t count_edges(struct bfs_node *nodes, const struct bfs_pairs *pairs, bool mirrored)
{
    uint64_t count = pairs->count;
    for (size_t i = 0; i < pairs->count; i++) {
        const struct bfs_pair *pair = &pairs->items[i];
        nodes[pair->from].no_of_edges++;
        if (mirrored && pair->from != pair->to) {
            nodes[pair->to].no_of_edges++;
            count++;
        }
    }
    return count;
}

/* Makes the graph and leaves the edges to the caller. */
static enum clopt_status build(struct bfs_graph *graph, size_t node_count,
                               const struct bfs_pairs *pairs, bool mirrored,
                               struct clopt_error *error)
{
    if (node_count > PLENTY_OF_NODES && node_count / NODES_PER_EDGE > pairs->count)
        return clopt_fail(error, CLOPT_INVALID,
                          "%zu nodes for %zu edges: most of them are alone; number the others anew",
                          node_count, pairs->count);
    struct bfs_node *nodes = calloc(node_count, sizeof *nodes);
    uint64_t edge_count = nodes ? count_edges(nodes, pairs, mirrored) : 0;
    int32_t *edges = edge_count <= BFS_MOST_EDGES
                         ? malloc((size_t)(edge_count ? edge_count : 1) * sizeof *edges)
                         : NULL;
    enum clopt_status status = CLOPT_OK;
    if (edge_count > BFS_MOST_EDGES)
        status = clopt_fail(error, CLOPT_INVALID, "more than %d edges", BFS_MOST_EDGES);
    else if (!nodes || !edges)
        status = clopt_fail(error, CLOPT_OUT_OF_RESOURCES, "no memory for a graph of %zu nodes",
                            node_count);
    if (status == CLOPT_OK) {
        place_edges(nodes, node_count);
        for (size_t i = 0; i < pairs->count; i++) {
            const struct bfs_pair *pair = &pairs->items[i];
            store_edge(nodes, edges, pair->from, pair->to);
            if (mirrored && pair->from != pair->to)
                store_edge(nodes, edges, pair->to, pair->from);
        }
        reset_places(nodes, node_count);
        *graph = (struct bfs_graph){.node_count = node_count,
                                    .edge_count = (size_t)edge_count,
                                    .nodes = nodes,
                                    .edges = edges,
                                    .source = -1};
    } else {
        free(nodes);
        free(edges);
    }
    return status;
}

enum clopt_status bfs_graph_build(struct bfs_graph *graph, size_t node_count,
                                  struct bfs_pairs *pairs, bool mirrored, struct clopt_error *error)
{
    enum clopt_status status = build(graph, node_count, pairs, mirrored, error);
    free(pairs->items);
    *pairs = (struct bfs_pairs){0};
    return status;
}

/* ---- random graphs ---- */

struct generator {
    struct clopt_random random;
    uint64_t nodes;
    uint64_t pairs;
    uint64_t seed;
    bool rmat;
    unsigned scale; /* nodes are at most 2^scale */
};

/* Two different nodes, all being as likely, but for one in 2^32. */
static struct bfs_pair draw_uniform(struct generator *generator)
{
    uint64_t bits = clopt_random_next(&generator->random);
    uint64_t from = ((bits >> 32) * generator->nodes) >> 32;
    uint64_t to = ((bits & UINT32_MAX) * (generator->nodes - 1)) >> 32;
    return (struct bfs_pair){(int32_t)from, (int32_t)(to + (to >= from))};
}

/* R-MAT (Chakrabarti, Zhan, Faloutsos, SDM 2004) with the probabilities of Graph500: each digit of
 * the two nodes' numbers is 00 with 0.57, 01 and 10 with 0.19, 11 with 0.05. Nodes that are not in
 * the graph are drawn again. Numbers are not mixed: hubs have small ones. */
static struct bfs_pair draw_rmat(struct generator *generator)
{
    for (;;) {
        uint64_t from = 0;
        uint64_t to = 0;
        uint64_t bits = 0;
        for (unsigned digit = 0; digit < generator->scale; digit++, bits >>= 16) {
            if (digit % 4 == 0)
                bits = clopt_random_next(&generator->random);
            unsigned chance = bits & 0xffff; /* of 65536 */
            from = 2 * from + (chance >= 49807);
            to = 2 * to + ((chance >= 37356 && chance < 49807) || chance >= 62259);
        }
        if (from < generator->nodes && to < generator->nodes)
            return (struct bfs_pair){(int32_t)from, (int32_t)to};
    }
}

static struct bfs_pair draw(struct generator *generator)
{
    if (generator->nodes == 1)
        return (struct bfs_pair){0, 0};
    return generator->rmat ? draw_rmat(generator) : draw_uniform(generator);
}

/* Draws all edges twice, first to count them: that needs no memory to keep them in. */
static enum clopt_status fill(void *user, void *data, size_t bytes, struct clopt_error *error)
{
    struct generator *generator = user;
    struct bfs_node *nodes = data;
    int32_t *edges = (int32_t *)(nodes + generator->nodes);
    (void)error;
    memset(data, 0, bytes);
    generator->random = clopt_random_seed(generator->seed, 0);
    for (uint64_t i = 0; i < generator->pairs; i++) {
        struct bfs_pair pair = draw(generator);
        nodes[pair.from].no_of_edges++;
        nodes[pair.to].no_of_edges++;
    }
    place_edges(nodes, (size_t)generator->nodes);
    generator->random = clopt_random_seed(generator->seed, 0);
    for (uint64_t i = 0; i < generator->pairs; i++) {
        struct bfs_pair pair = draw(generator);
        store_edge(nodes, edges, pair.from, pair.to);
        store_edge(nodes, edges, pair.to, pair.from);
    }
    reset_places(nodes, (size_t)generator->nodes);
    return CLOPT_OK;
}

static enum clopt_status make_random(const struct clopt_problem *problem, struct bfs_graph *graph,
                                     struct clopt_error *error)
{
    uint64_t nodes = (uint64_t)clopt_values_integer(problem->inputs, "nodes");
    uint64_t degree = (uint64_t)clopt_values_integer(problem->inputs, "degree");
    uint64_t edges = bfs_random_edges(nodes, degree);
    struct generator generator = {
        .nodes = nodes,
        .pairs = edges / 2,
        .seed = problem->seed,
        .rmat = strcmp(clopt_values_text(problem->inputs, "graph"), "rmat") == 0,
    };
    while ((nodes - 1) >> generator.scale)
        generator.scale++;
    size_t bytes = (size_t)(nodes * sizeof(struct bfs_node) + (edges + 1) * sizeof(int32_t));
    const void *data = NULL;
    enum clopt_status status =
        clopt_cached(problem, "graph", bytes, fill, &generator, &data, error);
    if (status == CLOPT_OK)
        *graph = (struct bfs_graph){
            .node_count = (size_t)nodes,
            .edge_count = (size_t)edges,
            .nodes = data,
            .edges = (const int32_t *)((const struct bfs_node *)data + nodes),
            .source = -1,
            .cached_bytes = bytes,
        };
    return status;
}

enum clopt_status bfs_graph_create(const struct clopt_problem *problem, struct bfs_graph *graph,
                                   struct clopt_error *error)
{
    *graph = (struct bfs_graph){0};
    const char *path = clopt_values_text(problem->inputs, "input");
    if (!path)
        return make_random(problem, graph, error);
    FILE *stream = fopen(path, "r");
    if (!stream)
        return clopt_fail(error, CLOPT_INVALID, "%s: %s", path, strerror(errno));
    enum clopt_status status = bfs_graph_read(graph, stream, path, BFS_MOST_NODES, error);
    fclose(stream);
    return status;
}

void bfs_graph_destroy(struct bfs_graph *graph)
{
    if (graph->cached_bytes)
        clopt_cached_release(graph->nodes, graph->cached_bytes);
    else {
        free((void *)graph->nodes);
        free((void *)graph->edges);
    }
    *graph = (struct bfs_graph){0};
}
