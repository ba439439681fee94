/* SPDX-License-Identifier: BSD-3-Clause */
/* What reports know of the objective of a study. */
#pragma once

#include "number/number.h"

/* Returns the objective that a study's effective configuration names. */
enum clopt_objective clopt_objective_of(const char *config);

/* The largest unit of which a value has at least one. */
struct clopt_unit {
    const char *name;
    double nanounits; /* 1e-9 of the objective's unit */
};
struct clopt_unit clopt_unit_choose(enum clopt_objective objective, double value);
