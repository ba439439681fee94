/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes a kernel ready for the merging of its work-groups. */
#ifndef GEOMETRY_GROUPS_H
#define GEOMETRY_GROUPS_H

#include <clopt/optimization.h>
#include <clopt/source.h>

/* Gives the kernel one more parameter, the number of work-groups in a dimension, and lets groups
 * from there on return at once: a merged group may reach behind the last one. CLOPT_INFEASIBLE
 * where the host says how much local memory a group gets. */
enum clopt_status groups_prepare(const struct clopt_transform *transform, unsigned dimension,
                                 struct clopt_source **source, struct clopt_error *error);

#endif
