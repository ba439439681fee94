/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the points beside a point. */
#include "strategies/strategies.h"

size_t clopt_neighbour_limit(const struct clopt_search_space *space)
{
    size_t limit = 0;
    for (size_t i = 0; i < space->count; i++)
        limit += space->domains[i].count - 1;
    return limit;
}

size_t clopt_neighbours_find(const struct clopt_search_space *space, const size_t *point,
                             size_t *points)
{
    size_t found = 0;
    for (size_t i = 0; i < space->count; i++)
        for (size_t value = 0; value < space->domains[i].count; value++) {
            size_t *next = points + found * space->count;
            if (value == point[i])
                continue;
            memcpy(next, point, space->count * sizeof *next);
            next[i] = value;
            found += clopt_search_space_admits(space, next) &&
                     memcmp(next, point, space->count * sizeof *next) != 0;
        }
    return found;
}
