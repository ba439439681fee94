/* SPDX-License-Identifier: BSD-3-Clause */
/* What coarsening does with a merging. */
#pragma once

#include <clopt/coarsen.h>

/* Chooses the copies. CLOPT_INFEASIBLE: see clopt_merging_prepare(). */
enum clopt_status clopt_merging_init(struct clopt_merging *merging, struct clopt_source *source,
                                     struct clopt_merge merge, struct clopt_error *error);

/* Returns what takes the place of a node of the original where merged work-item `item` executes it:
 * an identity or a size of the initial NDRange, or the call of a copied function, whose arguments
 * `cloning` clones. NULL for other nodes. */
struct clopt_node *clopt_merging_node(const struct clopt_merging *merging,
                                      const struct clopt_cloning *cloning,
                                      const struct clopt_node *node, unsigned item);

/* Makes the copies of functions, and divides the sizes in the kernel's attributes; the kernel's
 * body is the caller's to edit. CLOPT_INFEASIBLE where a size is not a multiple. */
enum clopt_status clopt_merging_finish(const struct clopt_merging *merging,
                                       struct clopt_error *error);
