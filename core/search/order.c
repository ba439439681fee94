/* SPDX-License-Identifier: BSD-3-Clause */
/* Strategies that learn nothing: all points in their order, or drawn at random. */
#include "search/strategy.h"
#include "text/text.h"

static enum clopt_status create(struct clopt_search *search, struct clopt_error *error)
{
    /* The next number where points have them, else the next combination, feasible or not. */
    search->state = calloc(search->space->count + 1, sizeof(size_t));
    return search->state ? CLOPT_OK : clopt_fail_memory(error);
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

static enum clopt_status next(struct clopt_search *search, size_t *point, bool *chosen,
                              struct clopt_error *error)
{
    const struct clopt_search_space *space = search->space;
    size_t *position = search->state;
    (void)error;
    *chosen = false;
    while (!*chosen && (space->get ? *position < space->size : !position[space->count])) {
        if (space->get)
            space->get(space->user, (*position)++, point);
        else {
            for (size_t i = 0; i < space->count; i++)
                point[i] = position[i];
            position[space->count] = !count_up(space, position);
        }
        *chosen = (space->get || space->is_feasible(space->user, point)) &&
                  clopt_search_find(search, point) == CLOPT_NO_TRIAL;
    }
    return CLOPT_OK;
}

static enum clopt_status draw(struct clopt_search *search, size_t *point, bool *chosen,
                              struct clopt_error *error)
{
    (void)search;
    (void)point;
    (void)error;
    *chosen = false; /* so that one is drawn */
    return CLOPT_OK;
}

const struct clopt_strategy_operations clopt_strategy_exhaustive = {
    .create = create, .destroy = destroy, .choose = next};

const struct clopt_strategy_operations clopt_strategy_random = {.choose = draw};
