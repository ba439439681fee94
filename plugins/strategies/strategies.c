/* SPDX-License-Identifier: BSD-3-Clause */
/* Strategies of search: which variant is tried next. */
#include "strategies/strategies.h"

CLOPT_PLUGIN(CLOPT_EXTENSION(STRATEGY, "model",
                             "a forest of regression trees says which variants are promising",
                             &clopt_strategy_model),
             CLOPT_EXTENSION(STRATEGY, "genetic", "the best are combined and changed at random",
                             &clopt_strategy_genetic),
             CLOPT_EXTENSION(STRATEGY, "local",
                             "one parameter is changed at a time, from random starts",
                             &clopt_strategy_local),
             CLOPT_EXTENSION(STRATEGY, "random", "all are equally likely", &clopt_strategy_random),
             CLOPT_EXTENSION(STRATEGY, "exhaustive",
                             "one after the other, in the order of the space",
                             &clopt_strategy_exhaustive),
             CLOPT_EXTENSION(SECTION, "search", "which variants are tried, and for how long",
                             &clopt_section_search));
