/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints statements for merged work-items. */
#ifndef GEOMETRY_STATEMENT_H
#define GEOMETRY_STATEMENT_H

#include "replication.h"

void statement_emit(struct replication *replication, const struct clopt_node *node);

/* Puts a statement without the braces that it may have. */
void statement_emit_inside(struct replication *replication, const struct clopt_node *node);

/* Puts a statement for each replica, as a whole. */
void statement_emit_region(struct replication *replication, const struct clopt_node *node);

/* Starts the statement of a replica that may have left. */
void statement_put_guard(struct replication *replication, unsigned replica);

#endif
