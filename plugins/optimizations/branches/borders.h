/* SPDX-License-Identifier: BSD-3-Clause */
/* What a nest of loops computes inside of borders: forms of integers, by counters and by what has
 * one value all through the nest. */
#pragma once

#include <clopt/affine.h>
#include <clopt/divergence.h>

#include "branches.h"
#include "flatten.h"

#define MOST_COUNTERS 8
#define MOST_SYMBOLS  24

/* A loop of a nest, and where its counter begins and ends. */
struct counter {
    const struct clopt_node *loop;
    struct clopt_trip trip;
    bool at_most; /* the value that is asked for is the largest one */
};

/* Between which values of a counter, in front of the nest, its iterations are inside; NULL: there
 * is no such end. */
struct clamp {
    struct clopt_node *low, *high;
};

struct borders {
    struct clopt_source *source;
    struct clopt_cloning cloning;
    const struct clopt_node *nest; /* the outermost loop, with its #pragma; NULL: outside of all */
    size_t rest; /* in a kernel without such loops: where the statements begin that are two versions
                    instead; 0: there are such loops */
    const struct clopt_node *near;          /* the loop near a border that is being cloned */
    struct counter counters[MOST_COUNTERS]; /* symbols 1, 2, ... */
    unsigned counter_count;
    const struct clopt_node *symbols[MOST_SYMBOLS]; /* the symbols after them */
    unsigned symbol_count;
    unsigned depth;
    size_t node_count;      /* of the original */
    unsigned char *decided; /* by node: 1: holds in all iterations inside, 2: in none; of a call,
                               the number of the argument that it returns there; of %, 1: the
                               dividend, 2: without the size that is in it */
    bool counted;           /* a counter is in a condition that is being decided */
    bool never;             /* no work-item is inside */
    const struct clopt_divergence *divergence;
    const struct clopt_divergence *columns; /* what differs along dimension 0 alone, and stays as it
                                               is; NULL: nothing does */
    struct clamp clamps[MOST_COUNTERS];
    bool clamping;                  /* loops are clamped in the clone that is being made */
    struct clopt_variable **copies; /* by variable, in such a loop; NULL: outside of all */
    const struct counter *zero;     /* a counter of value 0 in what is being cloned; NULL: none */
    size_t parts;                   /* of conditions that are decided */
    struct clopt_nodes guards;
    struct clopt_cloning ends; /* gives conditions the values at an end */
    size_t changed;
};

/* Whether an expression has one value all through the nest, which is there in front of it. */
bool border_is_outer(const struct borders *borders, const struct clopt_node *node);

/* Whether a node calls min, max or clamp, or divides a sum by a size, as in (x + 1) % n, and so
 * limits it; a test for searches. */
bool border_is_limit(const struct clopt_node *node, const void *unused);

/* Whether no part of a condition is left inside. */
bool border_is_decided(const struct borders *borders, const struct clopt_node *node);

/* Returns a sum without a size that is in it, cloned, or NULL. */
struct clopt_node *border_form_below(const struct clopt_cloning *cloning,
                                     const struct clopt_node *node, const struct clopt_node *size);

/* What ?:, or what limits a sum, is inside; NULL: that is not decided, or not in the kernel. */
const struct clopt_node *border_value(const struct borders *borders, const struct clopt_node *node);

/* Returns what it is inside, cloned; NULL: that is not decided. */
struct clopt_node *border_form_value(const struct borders *borders,
                                     const struct clopt_cloning *cloning,
                                     const struct clopt_node *node);

/* Reads the form of an integer inside; false where it has none. */
bool border_read(struct borders *borders, const struct clopt_node *node, struct clopt_affine *form);

/* Adds the counters of the loops in a nest whose ends are known in front of it. */
void border_add_counters(struct borders *borders, const struct clopt_node *node);

/* Finds the end of each counter at which a margin is least, and leaves it the least one; false
 * where a counter is in it otherwise. */
bool border_find_ends(struct borders *borders, struct clopt_affine *margin);

/* Returns what takes the place of a counter, or of what an iteration computes from it. */
struct clopt_node *border_form_end(void *user, const struct clopt_node *node);

/* Returns the least or largest value of a counter; what a loop with unknown bounds may have. */
struct clopt_node *border_build_end(const struct borders *borders, const struct counter *counter,
                                    const struct clopt_node *at);

/* Whether work-items next to each other differ by an expression, which then is asked as before. */
bool border_stays(const struct borders *borders, const struct clopt_node *node);

/* Reads by how much a comparison holds: it does where that is 0 or more. */
bool border_read_margin(struct borders *borders, const struct clopt_node *node, bool holds,
                        struct clopt_affine *margin);

/* Has a guard asked for in front of the nest, once. */
void border_add_guard(struct borders *borders, struct clopt_node *guard);

/* Whether a statement changes a variable in private memory that it does not declare. */
bool border_changes(const struct clopt_node *statement, const struct clopt_variable *variable);

/* Finds loops whose counters alone decide, of what stays, which iterations are inside, asks for one
 * that is, and decides it; false: there is none. */
bool border_clamp(struct borders *borders);

/* Returns such a loop, all of whose iterations do what one inside does; NULL: it is none. */
struct clopt_node *border_form_clamped(struct borders *borders, const struct clopt_node *loop);
