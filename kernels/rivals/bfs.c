/* SPDX-License-Identifier: BSD-3-Clause */
/* Breadth-first search, with OpenMP: level by level from a queue with a bitmap of what was visited;
 * where the front is large and each edge leads both ways, from the nodes that are left instead. */
#include <rival.h>

#include <omp.h>

#define OWN        4096 /* nodes that a thread collects before it appends them to the queue */
#define AHEAD      16   /* nodes of the queue that are fetched before they are needed */
#define LARGE_PART 14   /* edges of the front, and so many times as many are more than all left */

struct node {
    int32_t starting, count;
};

struct search {
    const struct node *nodes;
    const int32_t *edges;
    int32_t *levels, *queue, *next;
    uint32_t *visited;
    size_t node_count, next_count;
};

static void append(struct search *search, const int32_t *own, size_t count)
{
    size_t at = __atomic_fetch_add(&search->next_count, count, __ATOMIC_RELAXED);
    memcpy(search->next + at, own, count * sizeof *own);
}

/* Visits the neighbours of the queue's nodes. */
static void go_down(struct search *search, size_t count, int32_t level)
{
#pragma omp parallel
    {
        int32_t own[OWN];
        size_t held = 0;
#pragma omp for schedule(dynamic, 256) nowait
        for (size_t i = 0; i < count; i++) {
            if (i + AHEAD < count)
                __builtin_prefetch(&search->nodes[search->queue[i + AHEAD]]);
            const struct node node = search->nodes[search->queue[i]];
            for (int32_t e = node.starting; e < node.starting + node.count; e++) {
                int32_t to = search->edges[e];
                uint32_t *word = &search->visited[to >> 5], bit = 1u << (to & 31);
                if ((__atomic_load_n(word, __ATOMIC_RELAXED) & bit) ||
                    (__atomic_fetch_or(word, bit, __ATOMIC_RELAXED) & bit))
                    continue;
                search->levels[to] = level;
                own[held++] = to;
                if (held == OWN) {
                    append(search, own, held);
                    held = 0;
                }
            }
        }
        append(search, own, held);
    }
}

/* Has the nodes that are left look for a neighbour in the level above. */
static void go_up(struct search *search, int32_t level)
{
#pragma omp parallel
    {
        int32_t own[OWN];
        size_t held = 0;
#pragma omp for schedule(dynamic, 64) nowait
        for (size_t word = 0; word < (search->node_count + 31) / 32; word++)
            for (uint32_t left = ~search->visited[word]; left; left &= left - 1) {
                size_t i = 32 * word + (size_t)__builtin_ctz(left);
                if (i >= search->node_count)
                    break;
                const struct node node = search->nodes[i];
                int32_t e = 0;
                while (e < node.count &&
                       search->levels[search->edges[node.starting + e]] != level - 1)
                    e++;
                if (e == node.count)
                    continue;
                search->levels[i] = level;
                own[held++] = (int32_t)i;
                if (held == OWN) {
                    append(search, own, held);
                    held = 0;
                }
            }
        append(search, own, held);
    }
#pragma omp parallel for schedule(static, 4096)
    for (size_t i = 0; i < search->next_count; i++)
        __atomic_fetch_or(&search->visited[search->next[i] >> 5], 1u << (search->next[i] & 31),
                          __ATOMIC_RELAXED);
}

static int64_t count_edges(const struct search *search, size_t count)
{
    int64_t edges = 0;
#pragma omp parallel for reduction(+ : edges)
    for (size_t i = 0; i < count; i++)
        edges += search->nodes[search->queue[i]].count;
    return edges;
}

static void run(struct search *search, int32_t source, int64_t left, int both_ways)
{
    size_t count = 1;
    search->queue[0] = source;
    search->levels[source] = 0;
    search->visited[source >> 5] |= 1u << (source & 31);
    for (int32_t level = 1; count > 0; level++) {
        int64_t edges = both_ways ? count_edges(search, count) : 0;
        left -= edges;
        search->next_count = 0;
        if (both_ways && edges * LARGE_PART > left)
            go_up(search, level);
        else
            go_down(search, count, level);
        int32_t *queue = search->queue;
        search->queue = search->next;
        search->next = queue;
        count = search->next_count;
    }
}

int main(int argc, char **argv)
{
    struct rival rival = rival_begin(argc, argv);
    size_t node_bytes, edge_bytes;
    struct search search = {.nodes = rival_input(&rival, "nodes", &node_bytes),
                            .edges = rival_input(&rival, "edges", &edge_bytes)};
    search.node_count = node_bytes / sizeof *search.nodes;
    size_t level_bytes = search.node_count * sizeof *search.levels,
           bits = search.node_count / 8 + 4;
    search.levels = rival_result(&rival, "cost", level_bytes);
    search.queue = rival_memory(level_bytes);
    search.next = rival_memory(level_bytes);
    search.visited = rival_memory(bits);
    while (rival_next(&rival)) {
        memset(search.levels, 0xFF, level_bytes);
        memset(search.visited, 0, bits);
        rival_start(&rival);
        run(&search, (int32_t)rival_integer(&rival, "source", 0),
            (int64_t)(edge_bytes / sizeof *search.edges), !rival_text(&rival, "input"));
        rival_stop(&rival);
    }
    return 0;
}
