/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws random edges, each from its own stream of the seed: any number of threads draws the same.
 */
#include "graph.h"

struct generator {
    uint64_t nodes; /* two or more */
    uint64_t seed;
    bool rmat;
    unsigned scale; /* nodes are at most 2^scale */
};

/* Two different nodes, all being as likely, but for one in 2^32. */
static struct bfs_pair draw_uniform(const struct generator *generator, struct clopt_random *random)
{
    uint64_t bits = clopt_random_next(random);
    uint64_t from = ((bits >> 32) * generator->nodes) >> 32;
    uint64_t to = ((bits & UINT32_MAX) * (generator->nodes - 1)) >> 32;
    return (struct bfs_pair){(int32_t)from, (int32_t)(to + (to >= from))};
}

/* R-MAT (Chakrabarti, Zhan, Faloutsos, SDM 2004) with the probabilities of Graph500: each digit of
 * the two nodes' numbers is 00 with 0.57, 01 and 10 with 0.19, 11 with 0.05. Nodes that are not in
 * the graph, and equal ones, are drawn again. Numbers are not mixed: hubs have small ones. */
static struct bfs_pair draw_rmat(const struct generator *generator, struct clopt_random *random)
{
    for (;;) {
        uint64_t from = 0;
        uint64_t to = 0;
        uint64_t bits = 0;
        for (unsigned digit = 0; digit < generator->scale; digit++, bits >>= 16) {
            if (digit % 4 == 0)
                bits = clopt_random_next(random);
            unsigned chance = bits & 0xffff; /* of 65536 */
            from = 2 * from + (chance >= 49807);
            to = 2 * to + ((chance >= 37356 && chance < 49807) || chance >= 62259);
        }
        if (from < generator->nodes && to < generator->nodes && from != to)
            return (struct bfs_pair){(int32_t)from, (int32_t)to};
    }
}

static struct bfs_pair draw(const struct generator *generator, uint64_t number)
{
    struct clopt_random random = clopt_random_seed(generator->seed, number);
    return generator->rmat ? draw_rmat(generator, &random) : draw_uniform(generator, &random);
}

enum clopt_status bfs_random_draw(const struct clopt_problem *problem, struct bfs_pairs *pairs,
                                  struct clopt_error *error)
{
    uint64_t degree = (uint64_t)clopt_values_integer(problem->inputs, "degree");
    struct generator generator = {
        .nodes = (uint64_t)clopt_values_integer(problem->inputs, "nodes"),
        .seed = problem->seed,
        .rmat = strcmp(clopt_values_text(problem->inputs, "graph"), "rmat") == 0,
    };
    while ((generator.nodes - 1) >> generator.scale)
        generator.scale++;
    size_t count = (size_t)bfs_random_edges(generator.nodes, degree) / 2;
    *pairs = (struct bfs_pairs){.count = count, .capacity = count};
    pairs->items = malloc((count ? count : 1) * sizeof *pairs->items);
    if (!pairs->items)
        return clopt_fail(error, CLOPT_OUT_OF_RESOURCES, "no memory for %zu edges", count);
#pragma omp parallel for
    for (size_t i = 0; i < count; i++)
        pairs->items[i] = draw(&generator, i);
    return CLOPT_OK;
}
