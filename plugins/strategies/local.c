/* SPDX-License-Identifier: BSD-3-Clause */
/* Greedy local search: goes to the first better neighbour, and starts again where there is none. */
#include "strategies/strategies.h"
#include "text/text.h"

struct local {
    size_t current;     /* trial; CLOPT_NO_TRIAL: a start is drawn */
    size_t *neighbours; /* of it, in an order that is drawn */
    size_t count;
    size_t next;
};

static void create(struct clopt_search *search)
{
    struct local *local = clopt_calloc(1, sizeof *local);
    search->state = local;
    size_t limit = clopt_neighbour_limit(search->space);
    local->current = CLOPT_NO_TRIAL;
    local->neighbours = clopt_calloc((limit + 1) * (search->space->count + 1), sizeof(size_t));
}

static void destroy(struct clopt_search *search)
{
    CLOPT_FREED struct local *local = search->state;
    free(local->neighbours);
}

static void go_to(struct clopt_search *search, size_t trial)
{
    struct local *local = search->state;
    local->current = trial;
    local->count =
        clopt_neighbours_find(search->space, clopt_search_point(search, trial), local->neighbours);
    local->next = 0;
}

static bool is_better(const struct clopt_search *search, size_t trial, size_t than)
{
    return search->trials[trial].state == CLOPT_SEARCH_RIGHT &&
           (than == CLOPT_NO_TRIAL || search->trials[trial].time < search->trials[than].time);
}

/* Draws the next neighbour out of those that are left. */
static const size_t *next_neighbour(struct clopt_search *search, size_t *point)
{
    struct local *local = search->state;
    size_t width = search->space->count;
    size_t drawn = local->next + clopt_random_below(&search->random, local->count - local->next);
    size_t *first = local->neighbours + local->next++ * width;
    memcpy(point, local->neighbours + drawn * width, width * sizeof *point);
    memcpy(local->neighbours + drawn * width, first, width * sizeof *point);
    return point;
}

static bool choose(struct clopt_search *search, size_t *point)
{
    struct local *local = search->state;
    while (local->current != CLOPT_NO_TRIAL && local->next < local->count) {
        size_t known = clopt_keys_find(&search->points, next_neighbour(search, point));
        if (known == CLOPT_NO_TRIAL)
            return true;
        if (is_better(search, known, local->current))
            go_to(search, known);
    }
    local->current = CLOPT_NO_TRIAL;
    return false;
}

static void told(struct clopt_search *search, size_t trial)
{
    const struct local *local = search->state;
    if (is_better(search, trial, local->current))
        go_to(search, trial);
}

const struct clopt_strategy clopt_strategy_local = {
    .learns = true, .create = create, .destroy = destroy, .choose = choose, .told = told};
