/* SPDX-License-Identifier: BSD-3-Clause */
/* Interchange: two loops, one right inside the other, change places. */
#ifndef LOOPS_INTERCHANGE_H
#define LOOPS_INTERCHANGE_H

#include <clopt/optimization.h>

/* Lets each chosen loop change places with the loop inside it, or an innermost one with the loop
 * around it: by number all of them, else those that can; CLOPT_INFEASIBLE where there is none. */
enum clopt_status interchange_apply(struct clopt_transform *transform, const char *loops,
                                    struct clopt_error *error);

#endif
