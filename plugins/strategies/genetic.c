/* SPDX-License-Identifier: BSD-3-Clause */
/* A genetic algorithm: a child of two of the best replaces the worst, if it is better. */
#include "strategies/strategies.h"
#include "text/text.h"

#define POPULATION 20
#define TOURNAMENT 4
#define MOST_TRIED 200

struct genetic {
    size_t members[POPULATION]; /* trials that are right */
    size_t count;
};

static void create(struct clopt_search *search)
{
    search->state = clopt_calloc(1, sizeof(struct genetic));
}

static void destroy(struct clopt_search *search)
{
    free(search->state);
}

static double time_of(const struct clopt_search *search, size_t member)
{
    const struct genetic *genetic = search->state;
    return search->trials[genetic->members[member]].time;
}

/* Returns the best of some members that are drawn. */
static const size_t *select_parent(struct clopt_search *search)
{
    const struct genetic *genetic = search->state;
    size_t best = clopt_random_below(&search->random, genetic->count);
    for (size_t i = 1; i < TOURNAMENT; i++) {
        size_t other = clopt_random_below(&search->random, genetic->count);
        best = time_of(search, other) < time_of(search, best) ? other : best;
    }
    return clopt_search_point(search, genetic->members[best]);
}

/* Takes each value from one parent, and changes one in each point on average: to the next value, or
 * to any. */
static void make_child(struct clopt_search *search, size_t *child)
{
    const size_t *first = select_parent(search), *second = select_parent(search);
    struct clopt_random *random = &search->random;
    for (size_t i = 0; i < search->space->count; i++) {
        size_t count = search->space->domains[i].count;
        child[i] = clopt_random_below(random, 2) ? first[i] : second[i];
        if (clopt_random_below(random, search->space->count) == 0)
            child[i] = clopt_random_below(random, count);
    }
}

static bool choose(struct clopt_search *search, size_t *point)
{
    const struct genetic *genetic = search->state;
    for (size_t i = 0; i < MOST_TRIED && genetic->count == POPULATION; i++) {
        make_child(search, point);
        if (clopt_search_space_admits(search->space, point) &&
            clopt_keys_find(&search->points, point) == CLOPT_NO_TRIAL)
            return true;
    }
    return false;
}

static void told(struct clopt_search *search, size_t trial)
{
    struct genetic *genetic = search->state;
    size_t worst = 0;
    if (search->trials[trial].state != CLOPT_SEARCH_RIGHT)
        return;
    if (genetic->count < POPULATION) {
        genetic->members[genetic->count++] = trial;
        return;
    }
    for (size_t i = 1; i < POPULATION; i++)
        worst = time_of(search, i) > time_of(search, worst) ? i : worst;
    if (search->trials[trial].time < time_of(search, worst))
        genetic->members[worst] = trial;
}

const struct clopt_strategy clopt_strategy_genetic = {
    .learns = true, .create = create, .destroy = destroy, .choose = choose, .told = told};
