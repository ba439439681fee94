/* SPDX-License-Identifier: BSD-3-Clause */
/* How often a loop turns, and by what it counts. */
#ifndef LOOPS_TRIP_H
#define LOOPS_TRIP_H

#include <clopt/source.h>

/* A variable that is known to have a value, or stands for an expression, in a copy of a body. */
struct binding {
    const struct binding *outer;
    const struct clopt_variable *variable;
    bool known;
    int64_t value;    /* where known */
    int64_t distance; /* else: the copy sees the variable plus this */
};

/* A loop that counts: for (v = first; v < bound; v += step), or downwards. */
struct trip {
    const struct clopt_variable *counter;
    const struct clopt_node *first; /* the initial value, NULL if the head has none */
    const struct clopt_node *bound;
    bool declared;  /* in the loop's head */
    bool inclusive; /* <= or >= */
    bool unequal;   /* != */
    int64_t step;   /* negative downwards */
    bool first_known;
    int64_t first_value;
    bool count_known;
    int64_t count;
};

/* Finds out whether a loop counts; false where it does something else. */
bool trip_find(const struct clopt_node *loop, const struct binding *bindings, struct trip *trip);

/* Evaluates an integer expression under bindings. */
bool trip_evaluate(const struct clopt_node *node, const struct binding *bindings, int64_t *value);

#endif
