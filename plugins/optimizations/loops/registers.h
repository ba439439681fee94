/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps what loops accumulate in arrays in private variables. */
#ifndef LOOPS_REGISTERS_H
#define LOOPS_REGISTERS_H

#include <clopt/optimization.h>

/* Rewrites the kernel where the chosen loops write an element of local or global memory at the same
 * subscripts in each iteration (scalar replacement). CLOPT_INFEASIBLE where none does. */
enum clopt_status registers_apply(struct clopt_transform *transform, const char *loops,
                                  struct clopt_error *error);

#endif
