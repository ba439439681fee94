/* SPDX-License-Identifier: BSD-3-Clause */
/* Updates: calls of atomic functions whose order changes nothing, as nobody asks for the result. */
#pragma once

#include <clopt/rewrite.h>

/* What an atomic function does. */
struct operation {
    const char *name;        /* after atomic_, atom_ or atomic_fetch_ */
    const char *joins;       /* the name of what unites parts of a result */
    const char *accumulates; /* something with a value */
    const char *op;          /* unites two parts; "": the function `joins` does */
    bool swaps;              /* floats, by a function of the user's that compares and swaps */
};

struct update {
    struct clopt_node *call;
    const struct clopt_node *index;    /* NULL: 0 */
    const struct operation *operation; /* NULL: it does not commute */
};

/* Finds the call of an atomic function that is given the address of an element of the buffer that a
 * node names; false: something else is done with it. The source may be NULL, where no index is
 * asked for. */
bool update_find(struct clopt_source *source, const struct clopt_node *name, struct update *update);

/* Whether a function does no more than add a float to what it is given the address of, by
 * compare-and-swap. */
bool swap_adds(const struct clopt_function *function);

/* What a part of a result begins with: it changes nothing. */
const char *update_start(const struct operation *operation, enum clopt_scalar scalar);

/* Returns an update of an array in local memory in place of one, the call by which what a work-item
 * has accumulated is added to such an element, and that by which this is added to the buffer. */
struct clopt_node *update_local(struct clopt_source *source, const struct update *update,
                                struct clopt_node *element);
struct clopt_node *update_gather(struct clopt_source *source, const struct update *update,
                                 struct clopt_node *element, const struct clopt_variable *sum);
struct clopt_node *update_join(struct clopt_source *source, const struct update *update,
                               struct clopt_node *element, const struct clopt_variable *value);

/* Returns an update in place of one of what a work-item has for itself. */
struct clopt_node *update_private(struct clopt_source *source, const struct update *update,
                                  struct clopt_node *own, enum clopt_scalar scalar);
