/* SPDX-License-Identifier: BSD-3-Clause */
/* What geometry decides where merged work-items differ: each does what diverges by itself, one
 * after the other. */
#ifndef GEOMETRY_REPLICATION_H
#define GEOMETRY_REPLICATION_H

#include <clopt/coarsen.h>

#include "coarsen.h"

struct replication {
    struct clopt_coarsening coarsening;
    struct clopt_merge request;
    const struct clopt_divergence *divergence;
    struct clopt_variable *flags[COARSENING_MOST]; /* room for `active` */
    struct clopt_variable **active; /* by replica: a variable that says whether it is still there,
                                       NULL: it is; NULL: all are */
    bool counted;                   /* groups past the last one are asked for by their number */
    unsigned fused;                 /* versions of regions around what is made: see fuse.h */
    bool failed;                    /* memory ran out */
    struct clopt_variable *guard;   /* without which the values of a list are 0, or NULL */
    const struct clopt_node *unguarded; /* what a replica that has left would do, or NULL */
};

/* Replaces the kernel's body; `replication` has its request, its divergence, and of its coarsening
 * the source and the merging. */
enum clopt_status replicate_kernel(struct replication *replication, struct clopt_error *error);

bool replication_diverges(const struct replication *replication, const struct clopt_node *node);

/* Builds the condition under which the group of a replica is none past the last one. */
struct clopt_node *replication_counts(const struct replication *replication, unsigned replica);

/* Joins conditions by an operator, && or ||; either may be NULL. */
struct clopt_node *replication_join(struct replication *replication, struct clopt_node *left,
                                    const char *op, struct clopt_node *right);

#endif
