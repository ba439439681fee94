/* SPDX-License-Identifier: BSD-3-Clause */
/* What a worker may take of time, memory and the disk. */
#ifndef CLOPT_POOL_LIMITS_H
#define CLOPT_POOL_LIMITS_H

#include "pool/pool.h"

/* Says, ten times a second, whether a seat's worker oversteps a limit, and which. `error` is all
 * zero before. */
enum clopt_status clopt_limits_check(const struct clopt_pool *pool, struct clopt_seat *seat,
                                     struct clopt_error *error);

#endif
