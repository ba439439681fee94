/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the statements of a kernel's body, and returns that only some of the merged work-items
 * take: they guard what follows. */
#ifndef GEOMETRY_LEAVE_H
#define GEOMETRY_LEAVE_H

#include "replication.h"

/* Work-items may meet again only behind a plain `if (c) return;`: CLOPT_INFEASIBLE otherwise. */
enum clopt_status leave_check(const struct replication *replication, const struct clopt_node *body,
                              struct clopt_error *error);

/* Puts what stands in the kernel's body from offset `at` on, which is in front of its statement
 * number `first`, up to its last brace. */
void leave_emit_body(struct replication *replication, const struct clopt_node *body, size_t first,
                     size_t at);

#endif
