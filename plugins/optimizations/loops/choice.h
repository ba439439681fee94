/* SPDX-License-Identifier: BSD-3-Clause */
/* What a loop looks for: the greatest number or the least one, and where the first such one is.
 *
 *     if (e > best) {
 *         best = e;
 *         place = k;
 *     } */
#pragma once

#include <clopt/loop.h>

struct loop_choice {
    struct clopt_variable *best;
    struct clopt_variable *place; /* NULL: nobody asks */
    const char *better;           /* ">" or "<": what a number is to `best` that takes its place */
    const char *earlier;          /* the same of the counter's values */
};

#define MOST_CHOICES 4

struct loop_choices {
    struct loop_choice items[MOST_CHOICES];
    size_t count;
};

/* Finds what a loop looks for, and nothing else in it uses. Of floating-point numbers without a
 * place it is found with `reassociate` alone: 0 or -0 may be the first. `apart` gets true for the
 * variables, by number. */
void loop_choices_find(const struct clopt_node *loop, const struct clopt_trip *trip,
                       bool reassociate, struct loop_choices *choices, bool *apart);
