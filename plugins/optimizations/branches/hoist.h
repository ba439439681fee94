/* SPDX-License-Identifier: BSD-3-Clause */
/* Conditions that leave loops. */
#ifndef BRANCHES_HOIST_H
#define BRANCHES_HOIST_H

#include <clopt/optimization.h>

/* Decides branches on what is the same for a work-group and for all iterations of a loop in front
 * of the loop (loop unswitching), which then is there for either case, and no loop more than
 * `growth` times. CLOPT_INFEASIBLE says why the first branch in a loop cannot, if none can. */
enum clopt_status hoist_apply(struct clopt_transform *transform, unsigned growth,
                              struct clopt_error *error);

#endif
