/* SPDX-License-Identifier: BSD-3-Clause */
/* What a strategy sees of a search, and what it does for it. */
#pragma once

#include "search/search.h"

#define CLOPT_NO_TRIAL CLOPT_NO_POINT

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
    struct clopt_points points;        /* of the trials, by their number */
    struct clopt_points suggested;     /* to be chosen first */
    size_t next;                       /* of them */
    struct clopt_search_trial *trials; /* what became of them */
    size_t best;                       /* trial; CLOPT_NO_TRIAL: none is right */
    void *state;                       /* the strategy's own */
};

struct clopt_strategy_operations {
    bool learns; /* from what was tried: what is suggested, and what is seldom drawn, helps it */
    /* Makes `search->state`; may be NULL. */
    void (*create)(struct clopt_search *search);
    void (*destroy)(struct clopt_search *search); /* may be NULL */
    /* Chooses a feasible point that is not known; false, or no function: it knows none. Then one is
     * drawn. */
    bool (*choose)(struct clopt_search *search, size_t *point);
    /* Hears of a trial that `choose` has chosen or that was drawn for it; may be NULL. */
    void (*told)(struct clopt_search *search, size_t trial);
};

/* All strategies: the name, of which clopt_strategy_NAME has the operations, and what is said of
 * it. A new strategy is a row here, and a file. */
#define CLOPT_STRATEGIES(STRATEGY)                                                                 \
    STRATEGY(model, "a forest of regression trees says which variants are promising")              \
    STRATEGY(genetic, "the best are combined and changed at random")                               \
    STRATEGY(local, "one parameter is changed at a time, from random starts")                      \
    STRATEGY(random, "all are equally likely")                                                     \
    STRATEGY(exhaustive, "one after the other, in the order of the space")

#define CLOPT_DECLARE_STRATEGY(NAME, HELP)                                                         \
    extern const struct clopt_strategy_operations clopt_strategy_##NAME;
CLOPT_STRATEGIES(CLOPT_DECLARE_STRATEGY)
