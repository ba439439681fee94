/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps what is known of a space, and lets a strategy choose. */
#include "search/search.h"

#include <math.h>

#include "search/strategy.h"
#include "text/text.h"

#define MOST_DRAWN 1000

/* One choice in this many is for values that were seldom drawn: the best of so many points. */
#define ONE_EXPLORES 4
#define MOST_RARE    30

struct clopt_search *clopt_search_create(const struct clopt_strategy *strategy,
                                         const struct clopt_search_space *space, uint64_t seed)
{
    struct clopt_search *search = clopt_calloc(1, sizeof *search);
    search->strategy = strategy;
    search->space = space;
    search->random = clopt_random_seed(seed, 0);
    search->points.bytes = search->suggested.bytes = space->count * sizeof(size_t);
    search->best = CLOPT_NO_TRIAL;
    if (strategy->create)
        strategy->create(search);
    return search;
}

void clopt_search_destroy(struct clopt_search *search)
{
    if (!search)
        return;
    if (search->strategy->destroy)
        search->strategy->destroy(search);
    clopt_keys_fini(&search->points);
    clopt_keys_fini(&search->suggested);
    free(search->trials);
    free(search);
}

const size_t *clopt_search_point(const struct clopt_search *search, size_t trial)
{
    return clopt_keys_at(&search->points, trial);
}

/* ---- asking and telling ---- */

/* Draws a feasible point that is not known; false where none was found. */
static bool draw_point(struct clopt_search *search, size_t *point)
{
    const struct clopt_search_space *space = search->space;
    for (size_t i = 0; i < MOST_DRAWN && search->points.count < space->size; i++) {
        if (!clopt_search_space_draw(space, &search->random, point))
            return false;
        if (clopt_keys_find(&search->points, point) == CLOPT_NO_TRIAL)
            return true;
    }
    if (!space->get || search->points.count >= space->size)
        return false;
    uint64_t start = clopt_random_below(&search->random, space->size);
    for (uint64_t i = 0; i < space->size; i++) {
        space->get(space->user, (start + i) % space->size, point);
        if (clopt_keys_find(&search->points, point) == CLOPT_NO_TRIAL)
            return true;
    }
    return false;
}

/* Has the strategy choose; what it chooses wrongly, a stranger's may, is as none. */
static bool choose(struct clopt_search *search, size_t *point)
{
    const struct clopt_search_space *space = search->space;
    if (!search->strategy->choose || !search->strategy->choose(search, point))
        return false;
    for (size_t i = 0; i < space->count; i++)
        if (point[i] >= space->domains[i].count)
            return false;
    return space->is_feasible(space->user, point) &&
           clopt_keys_find(&search->points, point) == CLOPT_NO_TRIAL;
}

void clopt_search_suggest(struct clopt_search *search, const size_t *point)
{
    if (search->strategy->learns && clopt_keys_find(&search->suggested, point) == CLOPT_NO_KEY)
        clopt_keys_add(&search->suggested, point);
}

/* Takes the next feasible point that was suggested; false where there is none. */
static bool take_suggestion(struct clopt_search *search, size_t *point)
{
    const struct clopt_search_space *space = search->space;
    while (search->next < search->suggested.count) {
        memcpy(point, clopt_keys_at(&search->suggested, search->next++),
               space->count * sizeof *point);
        if (clopt_keys_find(&search->points, point) == CLOPT_NO_TRIAL &&
            space->is_feasible(space->user, point))
            return true;
    }
    return false;
}

/* Returns how often the value of a point was tried that was tried least. */
static size_t find_rarest(const struct clopt_search *search, const size_t *point)
{
    size_t least = SIZE_MAX;
    for (size_t d = 0; d < search->space->count; d++) {
        size_t count = 0;
        for (size_t i = 0; i < search->points.count; i++)
            count += clopt_search_point(search, i)[d] == point[d];
        least = count < least ? count : least;
    }
    return least;
}

/* Draws the point with the value that was tried least, where values are not equally likely. */
static bool explore(struct clopt_search *search, size_t *point)
{
    size_t width = search->space->count, least = SIZE_MAX;
    CLOPT_FREED size_t *drawn = clopt_calloc(width + 1, sizeof *drawn);
    bool due = search->space->draw && search->strategy->learns &&
               search->points.count % ONE_EXPLORES == ONE_EXPLORES - 1;
    for (size_t i = 0; due && least && i < MOST_RARE; i++) {
        size_t rarest = draw_point(search, drawn) ? find_rarest(search, drawn) : SIZE_MAX;
        if (rarest < least)
            memcpy(point, drawn, width * sizeof *point);
        least = rarest < least ? rarest : least;
    }
    return least < SIZE_MAX;
}

bool clopt_search_ask(struct clopt_search *search, size_t *trial)
{
    CLOPT_FREED size_t *point = clopt_calloc(search->space->count, sizeof *point);
    if (!take_suggestion(search, point) && !explore(search, point) && !choose(search, point) &&
        !draw_point(search, point))
        return false;
    *trial = search->points.count;
    clopt_keys_add(&search->points, point);
    clopt_array_grow(&search->trials, *trial, sizeof *search->trials);
    search->trials[*trial] = (struct clopt_search_trial){.state = CLOPT_SEARCH_PENDING};
    return true;
}

void clopt_search_tell(struct clopt_search *search, size_t trial, double time, double cost_s)
{
    const struct clopt_strategy *strategy = search->strategy;
    bool right = isfinite(time) && time > 0;
    search->trials[trial] =
        (struct clopt_search_trial){right ? CLOPT_SEARCH_RIGHT : CLOPT_SEARCH_FAILED, time, cost_s};
    if (right && (search->best == CLOPT_NO_TRIAL || time < search->trials[search->best].time))
        search->best = trial;
    if (strategy->told)
        strategy->told(search, trial);
}
