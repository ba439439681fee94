/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws points. */
#include "search/space.h"

#include <clopt/memory.h>

#define MOST_DRAWN 100000

bool clopt_search_space_admits(const struct clopt_search_space *space, size_t *point)
{
    if (space->normalize)
        space->normalize(space->user, point);
    return space->is_feasible(space->user, point);
}

static void draw(const struct clopt_search_space *space, struct clopt_random *random, size_t *point)
{
    for (size_t i = 0; i < space->count; i++)
        point[i] = clopt_random_below(random, space->domains[i].count);
}

bool clopt_search_space_draw(const struct clopt_search_space *space, struct clopt_random *random,
                             size_t *point)
{
    if (space->get && space->size)
        space->get(space->user, clopt_random_below(random, space->size), point);
    if (space->get)
        return space->size > 0;
    for (size_t drawn = 0; drawn < MOST_DRAWN; drawn++) {
        if (space->draw)
            space->draw(space->user, random, point);
        else
            draw(space, random, point);
        if (clopt_search_space_admits(space, point))
            return true;
    }
    return false;
}
