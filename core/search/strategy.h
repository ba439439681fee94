/* SPDX-License-Identifier: BSD-3-Clause */
/* What a strategy sees of a search, and what it does for it: an extension of kind STRATEGY, whose
 * operations are a struct clopt_strategy. */
#pragma once

#include "search/search.h"
#include "space/keys.h"

#define CLOPT_NO_TRIAL CLOPT_NO_KEY

enum clopt_search_state { CLOPT_SEARCH_PENDING, CLOPT_SEARCH_RIGHT, CLOPT_SEARCH_FAILED };

struct clopt_search_trial {
    enum clopt_search_state state;
    double time;   /* where it is right */
    double cost_s; /* NaN: unknown */
};

struct clopt_search {
    const struct clopt_strategy *strategy;
    const struct clopt_search_space *space;
    struct clopt_random random;
    struct clopt_keys points;          /* of the trials, by their number */
    struct clopt_keys suggested;       /* to be chosen first */
    size_t next;                       /* of them */
    struct clopt_search_trial *trials; /* what became of them */
    size_t best;                       /* trial; CLOPT_NO_TRIAL: none is right */
    void *state;                       /* the strategy's own */
};

struct clopt_strategy {
    bool standard; /* searches use it unless they name another one */
    bool learns;   /* from what was tried: what is suggested, and what is seldom drawn, helps it */
    /* Makes `search->state`; may be NULL. */
    void (*create)(struct clopt_search *search);
    void (*destroy)(struct clopt_search *search); /* may be NULL */
    /* Chooses a feasible point that is not known; false, another point, or no function: it knows
     * none. Then one is drawn. */
    bool (*choose)(struct clopt_search *search, size_t *point);
    /* Hears of a trial that `choose` has chosen or that was drawn for it; may be NULL. */
    void (*told)(struct clopt_search *search, size_t trial);
};
