/* SPDX-License-Identifier: BSD-3-Clause */
/* Divergent branches that become selects. */
#ifndef BRANCHES_FLATTEN_H
#define BRANCHES_FLATTEN_H

#include <clopt/optimization.h>

/* Turns all divergent branches of the kernel into selects that are safe and take no more than
 * `cost` operations; CLOPT_INFEASIBLE says why the first one cannot, if none can. */
enum clopt_status flatten_apply(struct clopt_transform *transform, unsigned cost,
                                struct clopt_error *error);

#endif
