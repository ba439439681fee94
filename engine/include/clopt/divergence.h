/* SPDX-License-Identifier: BSD-3-Clause */
/* What differs between the work-items of a kernel, or between the iterations of a loop. */
#pragma once

#include <clopt/source.h>

struct clopt_divergence;

#define CLOPT_ANY_DIMENSION 3

/* By what the work-items that are told apart differ in `dimension`, or CLOPT_ANY_DIMENSION. Those
 * of different groups have local memory of their own. */
struct clopt_identity {
    unsigned dimension;
    /* With any dimension, the local sizes: where it is 1, nothing differs; NULL: not known. */
    const size_t *local;
    bool local_id;
    bool group_id;
    bool inside; /* what differs inside divergent regions is asked for too */
    /* If not NULL, no work-items are told apart but iterations of this loop, of whose body alone
     * something is asked; they differ by the variables that `varying` marks by their number. */
    const struct clopt_node *loop;
    const bool *varying;
    size_t block; /* their local and global identities divided by this are equal; 0: not known */
    /* If not NULL, what differs by `outer`, whose identity is taken, between work-items that take
     * the same way at `agreed`, an `if`, although its condition diverges: inside it or, if it
     * returns, after it. Variables that differ by `outer` still do. */
    const struct clopt_divergence *outer;
    const struct clopt_node *agreed;
};

/* Finds out what in a kernel differs between work-items that differ by `identity` alone, through
 * data and control, private arrays and pointers, and functions, to a fixed point (Magni, Dubach,
 * O'Boyle: A large-scale cross-architecture evaluation of thread-coarsening, SC 2013, 4.1). It
 * belongs to the source. */
CLOPT_API struct clopt_divergence *clopt_divergence_create(const struct clopt_source *source,
                                                           struct clopt_identity identity);

/* Whether a variable holds, or an expression has, a value that may differ. */
CLOPT_API bool clopt_variable_diverges(const struct clopt_divergence *divergence,
                                       const struct clopt_variable *variable);
CLOPT_API bool clopt_node_diverges(const struct clopt_divergence *divergence,
                                   const struct clopt_node *node);

/* Whether an expression is the identity itself, a variable that holds nothing else, or a cast of
 * either to 32 bits or more. Among the work-items of a group it grows with the identity. */
CLOPT_API bool clopt_node_is_identity(const struct clopt_divergence *divergence,
                                      const struct clopt_node *node);

/* Whether a statement is a divergent region: it is executed differently as a whole (its condition
 * diverges, or something leaves it that does not leave it for all). */
CLOPT_API bool clopt_node_is_region(const struct clopt_divergence *divergence,
                                    const struct clopt_node *statement);
