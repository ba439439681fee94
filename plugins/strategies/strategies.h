/* SPDX-License-Identifier: BSD-3-Clause */
/* The strategies that ship. */
#pragma once

#include "search/strategy.h"

extern const struct clopt_strategy clopt_strategy_exhaustive, clopt_strategy_genetic,
    clopt_strategy_local, clopt_strategy_model, clopt_strategy_random;
