/* SPDX-License-Identifier: BSD-3-Clause */
/* Versions of divergent regions. Copying a region for one merged work-item after the other gives up
 * what merging is for; where all of them take the same way, as they mostly do, it becomes what code
 * outside of regions becomes:
 *
 *     if (id < n) { ... }   ->   if (id_3 < n) { all together } else { one after the other }
 *
 * Only conditions are versioned that have no effects and read no memory, and that are likely to
 * hold (or fail) for neighbours alike. */
#ifndef GEOMETRY_FUSE_H
#define GEOMETRY_FUSE_H

#include "replication.h"

/* What fuse_enter saves for fuse_leave. */
struct fusion {
    const struct clopt_divergence *outer;
    struct clopt_divergence *inner;
    struct clopt_variable **active;
};

/* Makes a divergent `if` in versions; NULL if it is not worth it. */
struct clopt_node *fuse_if(struct replication *replication, const struct clopt_node *node);

/* Appends statements of a list from number `first` on, up to a barrier or a declaration, after a
 * return that only some take: in one version for when nobody has left, and one for when some have.
 * Returns how many, 0 if it is not worth it. */
size_t fuse_active(void *user, const struct clopt_node *list, size_t first,
                   struct clopt_nodes *made);

/* Whether what follows a divergent `if (c) return;` is worth a version for when nobody returns. */
bool fuse_may_stay(const struct replication *replication, const struct clopt_node *node);

/* Makes an expression that is true where no replica's condition is. */
struct clopt_node *fuse_make_none(struct replication *replication,
                                  const struct clopt_node *condition);

/* Starts and ends what replicas do together, although the condition of `node` diverges. Appends
 * declarations of what differs only here; `end` is where that is over in the source. */
bool fuse_enter(struct replication *replication, const struct clopt_node *node, size_t end,
                struct fusion *fusion, struct clopt_nodes *made);
void fuse_leave(struct replication *replication, struct fusion *fusion);

#endif
