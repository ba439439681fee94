/* SPDX-License-Identifier: BSD-3-Clause */
/* Fission: a loop is split into several, each with a part of its statements. */
#ifndef LOOPS_FISSION_H
#define LOOPS_FISSION_H

#include <clopt/optimization.h>

/* Splits the chosen loops wherever their statements do not depend on each other: by number all of
 * them, else those that can be; CLOPT_INFEASIBLE where there is none. */
enum clopt_status fission_apply(struct clopt_transform *transform, const char *loops,
                                struct clopt_error *error);

#endif
