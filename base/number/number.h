/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers: measured ones for people, with so many digits and never with a power of ten; decimal
 * ones that are read; and what divides integers. */
#pragma once

#include "text/text.h"

/* Returns how many decimals show so many digits of a value, rounded: 1 for 9.996, which three show
 * as 10.0. 0 where it is not above 0. */
int clopt_number_decimals(double value, int digits);

/* Appends a value with so many digits; more where it has as many in front of its point. */
void clopt_number_append(struct clopt_text *text, double value, int digits);

/* The same as a text, for one statement: clopt_number_text(value, 3).text. */
struct clopt_number_text {
    char text[64];
};
struct clopt_number_text clopt_number_text(double value, int digits);

/* Returns the greatest number that divides both, which is not negative; 0 divides nothing but 0. */
int64_t clopt_greatest_divisor(int64_t a, int64_t b);

/* Appends a share as a percentage, rounded up: "within 4.1%" promises no more than is known. */
void clopt_number_append_percent(struct clopt_text *text, double share);

/* ---- what a study minimizes, and how reports speak of it ---- */

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

/* Reads a signed integer of 1, 2, 4 or 8 bytes, as the machine has it in memory; false: it has
 * others. */
bool clopt_integer_read(const void *value, size_t bytes, int64_t *number);
