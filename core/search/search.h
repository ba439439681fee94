/* SPDX-License-Identifier: BSD-3-Clause */
/* Searches a space: says which point to try next, from what became of those before. */
#pragma once

#include "plugin/registry.h"
#include "search/space.h"

struct clopt_strategy;

struct clopt_search;

/* Starts a search. `space` must outlive it. The same seed, asked and told the same, chooses the
 * same points. */
struct clopt_search *clopt_search_create(const struct clopt_strategy *strategy,
                                         const struct clopt_search_space *space, uint64_t seed);
void clopt_search_destroy(struct clopt_search *search);

/* Chooses a feasible point that nobody has asked for, and gives its number, which counts up from 0.
 * Several may be asked for before any is told. False: none is left. */
bool clopt_search_ask(struct clopt_search *search, size_t *trial);

/* Has a point, which is normalized, chosen before any that the strategy would choose, where it is
 * feasible when its turn comes: those that are suggested first come first. */
void clopt_search_suggest(struct clopt_search *search, const size_t *point);

/* Returns a point that was asked for; valid until the next one is. */
const size_t *clopt_search_point(const struct clopt_search *search, size_t trial);

/* Tells what became of it: its time in any unit, or NaN where it failed, and what trying it cost in
 * seconds; NaN: unknown. */
void clopt_search_tell(struct clopt_search *search, size_t trial, double time, double cost_s);
