/* SPDX-License-Identifier: BSD-3-Clause */
/* What forbids that the turns of a loop are executed in another order. */
#ifndef LOOPS_ORDER_H
#define LOOPS_ORDER_H

#include <clopt/loop.h>
#include <clopt/source.h>

/* Refuses a loop that does not count, or that holds jumps out of it, barriers, atomics and the
 * like, or pointers to private memory. `change` says what the loop is to be: "split". */
enum clopt_status order_check(const struct clopt_source *source, const struct clopt_node *loop,
                              const struct clopt_trip *trip, bool counts, const char *change,
                              struct clopt_error *error);

/* Calls `visit` for every private variable that is no array and that is touched below a node. */
void order_visit_variables(const struct clopt_node *node, clopt_access_visit visit, void *user);

/* Whether an array or variable is declared inside a node. */
bool order_is_inside(const struct clopt_node *node, const struct clopt_variable *variable);

#endif
