/* SPDX-License-Identifier: BSD-3-Clause */
/* Promises that pointers do not overlap. */
#ifndef LOOPS_RESTRICT_H
#define LOOPS_RESTRICT_H

#include <clopt/optimization.h>

/* Declares the kernel's pointers to global and local memory restrict, and says that the kernel is
 * for distinct buffers. CLOPT_INFEASIBLE where all of them are, or there is none. */
enum clopt_status restrict_apply(struct clopt_transform *transform, struct clopt_error *error);

#endif
