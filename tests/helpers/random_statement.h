/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the statements of random kernels. */
#pragma once

#include <clopt/random.h>

#include "random_kernel.h"
#include "text/text.h"

#define VARIABLES 6 /* x0, x1, ... */

struct maker {
    struct clopt_random random;
    struct clopt_text text;
    unsigned depth;
    unsigned loops;     /* open ones: their counters are c0, c1, ... */
    unsigned counters;  /* made so far */
    unsigned divergent; /* open branches and loops that may differ between work-items */
    unsigned budget;
    enum random_returns returns;
    unsigned values; /* declared between returns: y0, y1, ... */
};

static inline unsigned below(struct maker *maker, unsigned bound)
{
    return (unsigned)clopt_random_below(&maker->random, bound);
}

static inline void put(struct maker *maker, const char *text)
{
    clopt_text_append(&maker->text, text);
}

/* An expression; and one that all work-items of a group agree on. */
void expression(struct maker *maker, unsigned depth);
void uniform(struct maker *maker);

/* A condition that differs between work-items. */
void guard(struct maker *maker);

/* A statement; and one in which work-items exchange values in local memory. */
void statement(struct maker *maker);
void exchange(struct maker *maker);
