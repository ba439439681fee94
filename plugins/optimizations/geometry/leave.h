/* SPDX-License-Identifier: BSD-3-Clause */
/* Returns that only some of the merged work-items take, groups past the last one among them, and
 * what follows them. */
#ifndef GEOMETRY_LEAVE_H
#define GEOMETRY_LEAVE_H

#include "replication.h"

/* Makes a divergent region: a return that only some take, with what follows it if they need not
 * meet again there, or a branch. NULL: one replica after the other. */
struct clopt_node *leave_make_region(void *user, const struct clopt_node *node);

/* Makes a compound statement in which not all replicas do all; NULL: they do. */
struct clopt_node *leave_make_list(void *user, const struct clopt_node *list);

#endif
