/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints a kernel for merged work-items: what differs between them once for each, the rest once. */
#ifndef GEOMETRY_REPLICATE_H
#define GEOMETRY_REPLICATE_H

#include <clopt/source.h>

#include "coarsen.h"

struct replication {
    struct clopt_merge request;
    struct clopt_source *source;
    const struct clopt_merging *merging;
    const struct clopt_divergence *divergence;
    struct clopt_output *output;
    struct clopt_printer printer;
    const char **names; /* [variable * factor + replica]; NULL: its own */
    unsigned replica;
    size_t region_begin; /* what is declared in a region that is copied whole keeps its name */
    size_t region_end;
    const char **flags;  /* room for `active` */
    const char **active; /* by replica: a variable that says whether it is still there; or NULL */
    const char *leave;   /* the label to go to instead of returning, or NULL */
    bool left;           /* it was used */
    const struct clopt_node *unguarded; /* what a replica that has left would do, or NULL */
};

/* Chooses names; `replication` has its first five fields set. */
enum clopt_status replicate_init(struct replication *replication, struct clopt_error *error);
void replicate_fini(struct replication *replication);

/* Puts the body of the kernel. CLOPT_INFEASIBLE where merged work-items cannot wait together. */
enum clopt_status replicate_kernel(struct replication *replication, struct clopt_error *error);

#endif
