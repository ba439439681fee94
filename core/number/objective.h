/* SPDX-License-Identifier: BSD-3-Clause */
/* What a study minimizes, and how reports speak of it. */
#ifndef CLOPT_NUMBER_OBJECTIVE_H
#define CLOPT_NUMBER_OBJECTIVE_H

#include <stdbool.h>

/* Samples are in 1e-9 of the objective's unit: ns, nJ, nJ s. */
enum clopt_objective {
    CLOPT_OBJECTIVE_TIME,
    CLOPT_OBJECTIVE_ENERGY,
    CLOPT_OBJECTIVE_ENERGY_DELAY,
    CLOPT_OBJECTIVES
};

/* How long runs are repeated for one sample of energy: the slowest counters move ten times a
 * second. */
#define CLOPT_ENERGY_SAMPLE_NS 1e9

struct clopt_objective_words {
    const char *name;     /* in studies: "energy-delay" */
    const char *quantity; /* "execution time" */
    const char *unit;     /* of samples: "ns" */
    const char *as_good;  /* "as fast" */
    const char *better;   /* "faster" */
    const char *worse;    /* "slower" */
    const char *gain;     /* "Speed-up" */
};

const struct clopt_objective_words *clopt_objective_words(enum clopt_objective objective);

/* Finds the objective of a name; false where there is none. */
bool clopt_objective_find(const char *name, enum clopt_objective *objective);

/* Returns the objective that a study's effective configuration names. */
enum clopt_objective clopt_objective_of(const char *config);

/* The largest unit of which a value has at least one. */
struct clopt_unit {
    const char *name;
    double nanounits; /* 1e-9 of the objective's unit */
};
struct clopt_unit clopt_unit_choose(enum clopt_objective objective, double value);

#endif
