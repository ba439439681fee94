/* SPDX-License-Identifier: BSD-3-Clause */
/* What it takes to print a kernel for merged work-items: names, and expressions as each of them
 * sees them. */
#ifndef GEOMETRY_REPLICATION_H
#define GEOMETRY_REPLICATION_H

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
    const char **active; /* by replica: a variable that says whether it is still there, NULL: it is;
                            NULL: all are */
    const char *leave;   /* the label to go to instead of returning, or NULL */
    bool left;           /* it was used */
    unsigned fused;      /* versions of regions around what is printed: see fuse.h */
    bool exhausted;      /* memory ran out */
    const char *guard;   /* a variable without which the values of a list are 0, or NULL */
    const struct clopt_node *unguarded; /* what a replica that has left would do, or NULL */
};

/* Chooses names; `replication` has its first five fields set. */
enum clopt_status replication_init(struct replication *replication, struct clopt_error *error);
void replication_fini(struct replication *replication);

/* Chooses names for the replicas of what diverges by now. */
bool replication_choose_names(struct replication *replication);

void replication_put(struct replication *replication, const char *text);
void replication_copy(struct replication *replication, size_t begin, size_t end);
bool replication_diverges(const struct replication *replication, const struct clopt_node *node);

/* Prints a node as the current replica sees it. */
void replication_print(struct replication *replication, const struct clopt_node *node);

/* Puts an expression for each replica, or once if they all agree on it. The parts of a comma
 * expression, which come one after the other anyhow, are looked at one by one. */
void replication_put_each(struct replication *replication, const struct clopt_node *node,
                          const char *separator);

bool replication_is_comma(const struct clopt_node *node);

#endif
