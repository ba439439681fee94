/* SPDX-License-Identifier: BSD-3-Clause */
/* The strategies that ship. */
#pragma once

#include "search/strategy.h"
#include "study/schema.h"

extern const struct clopt_strategy clopt_strategy_exhaustive, clopt_strategy_genetic,
    clopt_strategy_local, clopt_strategy_model, clopt_strategy_random;
extern const struct clopt_study_section clopt_section_search;

/* Appends the feasible neighbours of a point, of which one parameter has another value, to
 * `points`, which has room for clopt_neighbour_limit() of them; returns how many. */
size_t clopt_neighbours_find(const struct clopt_search_space *space, const size_t *point,
                             size_t *points);
size_t clopt_neighbour_limit(const struct clopt_search_space *space);
