/* SPDX-License-Identifier: BSD-3-Clause */
/* What geometry decides where merged work-items differ: each does what diverges by itself, one
 * after the other. */
#pragma once

#include <clopt/coarsen.h>

#include "coarsen.h"

struct replication {
    struct clopt_coarsening coarsening;
    const struct clopt_divergence *divergence;
    unsigned fused; /* versions of regions around what is made */
};

/* Replaces the kernel's body; `replication` has its divergence, and of its coarsening the source
 * and the merging. */
enum clopt_status replicate_kernel(struct replication *replication, struct clopt_error *error);

static inline bool replication_diverges(const struct replication *replication,
                                        const struct clopt_node *node)
{
    return clopt_node_diverges(replication->divergence, node);
}

/* Returns a node as one replica executes it alone. */
static inline struct clopt_node *replication_replica(struct replication *replication,
                                                     const struct clopt_node *node,
                                                     unsigned replica)
{
    return clopt_coarsening_replica(&replication->coarsening, node, replica);
}

/* Joins conditions by an operator, && or ||; either may be NULL. */
struct clopt_node *replication_join(struct replication *replication, struct clopt_node *left,
                                    const char *op, struct clopt_node *right);

/* Joins what a condition is to each replica, or takes it once where they agree. */
struct clopt_node *replication_join_all(struct replication *replication,
                                        const struct clopt_node *condition, const char *op);

/* ---- versions ---- */

/* Versions of divergent regions. Copying a region for one merged work-item after the other gives up
 * what merging is for; where all of them take the same way, as they mostly do, it becomes what code
 * outside of regions becomes:
 *
 *     if (id < n) { ... }   ->   if (id_3 < n) { all together } else { one after the other }
 *
 * Only conditions are versioned that have no effects and read no memory, and that are likely to
 * hold (or fail) for neighbours alike. */

/* Makes a divergent `if` in versions; NULL if it is not worth it. */
struct clopt_node *fuse_if(struct replication *replication, const struct clopt_node *node);
