/* SPDX-License-Identifier: BSD-3-Clause */
/* The steps of branches, as clopt_transform_edit() takes them. */
#pragma once

#include <clopt/rewrite.h>

/* Takes conditions out that no launch needs which has at most as many work-items as its arguments
 * say: each launch is checked for that. CLOPT_INFEASIBLE: there is none. */
enum clopt_status guards_apply(struct clopt_transform *transform, struct clopt_error *error);

/* Takes out of a condition that holds, or does not, the parts of which a test says that they are
 * always so; false: nothing else is in it. */
bool guards_reduce(struct clopt_source *source, struct clopt_node *condition, bool holds,
                   clopt_condition_part test, void *user);

/* Lets work-items that a guard of the whole kernel leaves out do what the last of the others does,
 * but for what is stored. CLOPT_INFEASIBLE: there is no such guard, or the kernel does more than to
 * store. */
enum clopt_status stores_apply(struct clopt_transform *transform, struct clopt_error *error);

/* The value of a variable that has one alone, of the same type; NULL: it is another node. */
const struct clopt_node *node_value(const struct clopt_node *node);

/* Whether an integer is made of numbers and arguments of the kernel, by whatever names. */
bool node_is_fixed(const struct clopt_node *node);

/* Makes selects of a kernel's last branch whatever it costs, loops included, where it compares two
 * global identities and both sides store to the same place; CLOPT_INFEASIBLE says why not. */
enum clopt_status masks_apply(struct clopt_transform *transform, struct clopt_error *error);

/* Splits loops that end at a work-item's identity where the group's first work-item ends.
 * CLOPT_INFEASIBLE: there is none. */
enum clopt_status ends_edit(void *user, struct clopt_source *source, struct clopt_error *error);

/* Lets groups go without loops whose results only other work-items take, as in b[x] = j > i ? 0 :
 * sum, where i and j are global identities. CLOPT_INFEASIBLE: there is none. */
enum clopt_status needs_edit(void *user, struct clopt_source *source, struct clopt_error *error);

/* Refuses, for a step that asks something of launches, a kernel whose work-items an earlier one has
 * merged or divided. */
enum clopt_status launch_is_as_it_was(const struct clopt_transform *transform, const char *step,
                                      struct clopt_error *error);

/* Turns all divergent branches of the kernel into selects that are safe and take no more than
 * `cost` operations, an unsigned; CLOPT_INFEASIBLE says why the first one cannot, if none can. */
enum clopt_status flatten_edit(void *cost, struct clopt_source *source, struct clopt_error *error);

/* Decides branches on what is the same for a work-group and for all iterations of a loop in front
 * of the loop (loop unswitching), which then is there for either case, and no loop more than
 * `growth` times, an unsigned. CLOPT_INFEASIBLE says why the first branch in a loop cannot, if none
 * can. */
enum clopt_status hoist_edit(void *growth, struct clopt_source *source, struct clopt_error *error);

/* Gives integers that are declared and then assigned, as in int u = x + i; if (u < 0) u = 0; one
 * value each. CLOPT_INFEASIBLE: there are none. */
enum clopt_status settle_edit(void *user, struct clopt_source *source, struct clopt_error *error);

/* Lets loops ask once, in front of them, for conditions that hold in all of their iterations inside
 * of borders, and for what min, max and clamp return there; where `rows`, a bool, is true, not for
 * those by which work-items along dimension 0 differ. CLOPT_INFEASIBLE: there is none. */
enum clopt_status borders_edit(void *rows, struct clopt_source *source, struct clopt_error *error);

/* Takes the median of a private array of nine, which exchanges by min and max leave in its middle,
 * by fewer of them. CLOPT_INFEASIBLE: there is none. */
enum clopt_status network_edit(void *user, struct clopt_source *source, struct clopt_error *error);
