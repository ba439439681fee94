/* SPDX-License-Identifier: BSD-3-Clause */
/* Strategies that learn nothing: all points in their order, or drawn at random. */
#include "strategies/strategies.h"
#include "text/text.h"

static void create(struct clopt_search *search)
{
    /* The next number where points have them, else the next combination, feasible or not. */
    search->state = clopt_calloc(search->space->count + 1, sizeof(size_t));
}

static void destroy(struct clopt_search *search)
{
    free(search->state);
}

/* Counts combinations up, the last parameter fastest; false after the last one. */
static bool count_up(const struct clopt_search_space *space, size_t *point)
{
    for (size_t i = space->count; i-- > 0; point[i] = 0)
        if (++point[i] < space->domains[i].count)
            return true;
    return false;
}

static bool next(struct clopt_search *search, size_t *point)
{
    const struct clopt_search_space *space = search->space;
    size_t *position = search->state;
    while (space->get ? *position < space->size : !position[space->count]) {
        if (space->get)
            space->get(space->user, (*position)++, point);
        else {
            memcpy(point, position, space->count * sizeof *point);
            position[space->count] = !count_up(space, position);
        }
        if ((space->get || space->is_feasible(space->user, point)) &&
            clopt_keys_find(&search->points, point) == CLOPT_NO_TRIAL)
            return true;
    }
    return false;
}

const struct clopt_strategy clopt_strategy_exhaustive = {
    .create = create, .destroy = destroy, .choose = next};

const struct clopt_strategy clopt_strategy_random = {.choose = NULL};
