/* SPDX-License-Identifier: BSD-3-Clause */
/* What merged work-items see as their identity. */
#ifndef GEOMETRY_IDENTITY_H
#define GEOMETRY_IDENTITY_H

#include "replicate.h"

/* Puts what stands for a call of an identity or size function; false for other calls. */
bool identity_replace(struct replication *replication, const struct clopt_node *call);

/* Refuses functions below a node that cannot be answered for merged work-items. */
enum clopt_status identity_check(const struct replication *replication,
                                 const struct clopt_node *node, struct clopt_error *error);

/* Whether a node calls an identity or size function in the coarsened dimension, itself or through
 * functions that it calls. */
bool identity_used(const struct replication *replication, const struct clopt_node *node);

#endif
