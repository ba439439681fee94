/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes the elements of buffers apart that are structures or vectors. */
#pragma once

#include <clopt/rewrite.h>

/* Rewrites all accesses to what a parameter of the kernel points to, so that each of the numbers of
 * its elements has an array of its own, of `rows` (a parameter) elements; fills in the size of the
 * numbers, and how many an element has. CLOPT_INFEASIBLE names what cannot be rewritten; the tree
 * is as it was then. */
enum clopt_status clopt_records_split(struct clopt_source *source, struct clopt_variable *parameter,
                                      struct clopt_variable *rows, struct clopt_layout *layout,
                                      struct clopt_error *error);
