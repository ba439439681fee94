/* SPDX-License-Identifier: BSD-3-Clause */
/* What coarsening does with a merging, and with returns. */
#pragma once

#include <clopt/coarsen.h>

/* Chooses the copies. CLOPT_INFEASIBLE: see clopt_merging_prepare(). */
enum clopt_status clopt_merging_init(struct clopt_merging *merging, struct clopt_source *source,
                                     struct clopt_merge merge, struct clopt_error *error);

/* Returns the opposite of a condition. */
struct clopt_node *clopt_condition_opposite(struct clopt_source *source,
                                            const struct clopt_node *condition);
