/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells which variables may share memory: a pointer and what it may point to form one class, by
 * unification. */
#ifndef CLOPT_ANALYSIS_ALIAS_H
#define CLOPT_ANALYSIS_ALIAS_H

#include <clopt/source.h>

#include "frontend/arena.h"

struct clopt_aliases {
    size_t *class_of; /* union-find over variables */
    bool *shared;     /* by class: has more than one variable */
};

/* Starts with a class for each variable, in memory of an arena, which says when that runs out. */
void clopt_aliases_init(struct clopt_aliases *aliases, struct clopt_arena *arena, size_t variables);

/* Unites what assignments, declarations and calls below a node may let point to each other. */
void clopt_aliases_follow(struct clopt_aliases *aliases, const struct clopt_node *node);

size_t clopt_aliases_class(const struct clopt_aliases *aliases, size_t variable);

/* Whether every access to an array in local memory names it and its element, so that what is
 * written to it can be seen: nothing has its address. */
bool clopt_local_is_followed(const struct clopt_node *body, const struct clopt_variable *array);

/* Returns the array of which an assignment, ++ or -- writes an element; NULL for other nodes. */
const struct clopt_variable *clopt_local_written(const struct clopt_node *node);

#endif
