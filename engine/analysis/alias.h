/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells which variables may share memory: a pointer and what it may point to form one class, by
 * unification. */
#pragma once

#include <clopt/source.h>

#include "text/arena.h"

struct clopt_aliases {
    size_t *class_of; /* union-find over variables */
    bool *shared;     /* by class: has more than one variable */
};

/* Starts with a class for each variable, in memory of an arena, which says when that runs out. */
void clopt_aliases_init(struct clopt_aliases *aliases, struct clopt_arena *arena, size_t variables);

/* Unites what assignments, declarations and calls below a node may let point to each other. */
void clopt_aliases_follow(struct clopt_aliases *aliases, const struct clopt_node *node);

size_t clopt_aliases_class(const struct clopt_aliases *aliases, size_t variable);
