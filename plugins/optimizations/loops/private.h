/* SPDX-License-Identifier: BSD-3-Clause */
/* Private variables of a loop. */
#ifndef LOOPS_PRIVATE_H
#define LOOPS_PRIVATE_H

#include <clopt/loop.h>
#include <clopt/source.h>

/* Calls `visit` for every private variable that is no array and that is touched below a node. */
void private_visit(const struct clopt_node *node, clopt_access_visit visit, void *user);

/* Whether an array or variable is declared inside a node. */
bool private_is_inside(const struct clopt_node *node, const struct clopt_variable *variable);

#endif
