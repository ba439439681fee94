/* SPDX-License-Identifier: BSD-3-Clause */
/* Leaves unrolling to the compiler. */
#ifndef LOOPS_PRAGMA_H
#define LOOPS_PRAGMA_H

#include "unroll.h"

/* Puts #pragma unroll in front of the chosen loops, with their factor if that is not 0. */
enum clopt_status pragma_apply(struct clopt_transform *transform,
                               const struct unroll_request *request, struct clopt_error *error);

#endif
