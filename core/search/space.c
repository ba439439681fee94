/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws points, and finds those beside a point. */
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

size_t clopt_search_space_neighbour_limit(const struct clopt_search_space *space)
{
    size_t limit = 0;
    for (size_t i = 0; i < space->count; i++)
        limit += space->domains[i].count - 1;
    return limit;
}

size_t clopt_search_space_neighbours(const struct clopt_search_space *space, const size_t *point,
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

/* ---- a hash table of points, with open addresses ---- */

#define FIRST_CAPACITY  64
#define SLOTS_PER_POINT 2

const size_t *clopt_points_at(const struct clopt_points *points, size_t number)
{
    return points->values + number * points->width;
}

/* Finds the slot of a point: its own, or the empty one that it would have. */
static size_t *find_slot(const struct clopt_points *points, const size_t *point)
{
    size_t slot_count = SLOTS_PER_POINT * points->capacity;
    uint64_t hash = 0;
    for (size_t i = 0; i < points->width; i++) {
        struct clopt_random random = {hash ^ point[i]};
        hash = clopt_random_next(&random);
    }
    size_t at = hash % slot_count;
    while (points->slots[at] && memcmp(clopt_points_at(points, points->slots[at] - 1), point,
                                       points->width * sizeof *point) != 0)
        at = (at + 1) % slot_count;
    return &points->slots[at];
}

size_t clopt_points_find(const struct clopt_points *points, const size_t *point)
{
    return points->capacity ? *find_slot(points, point) - 1 : CLOPT_NO_POINT;
}

static void make_room(struct clopt_points *points)
{
    size_t capacity = points->capacity ? 2 * points->capacity : FIRST_CAPACITY;
    size_t *slots = clopt_calloc(SLOTS_PER_POINT * capacity, sizeof *slots);
    points->values =
        clopt_realloc(points->values, capacity, (points->width + 1) * sizeof *points->values);
    free(points->slots);
    points->slots = slots;
    points->capacity = capacity;
    for (size_t i = 0; i < points->count; i++)
        *find_slot(points, clopt_points_at(points, i)) = i + 1;
}

void clopt_points_add(struct clopt_points *points, const size_t *point)
{
    if (points->count == points->capacity)
        make_room(points);
    memcpy(points->values + points->count * points->width, point, points->width * sizeof *point);
    *find_slot(points, point) = points->count + 1;
    points->count++;
}

void clopt_points_fini(struct clopt_points *points)
{
    free(points->values);
    free(points->slots);
    *points = (struct clopt_points){0};
}
