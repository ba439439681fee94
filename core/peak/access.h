/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures how fast a device accesses global memory in each pattern. */
#ifndef CLOPT_PEAK_ACCESS_H
#define CLOPT_PEAK_ACCESS_H

#include "opencl/context.h"
#include "trial/access.h"

/* Measures every kind and point on a device that does nothing else meanwhile, in some seconds; what
 * would take longer is left unknown. */
enum clopt_status clopt_access_measure(const struct clopt_context *context,
                                       struct clopt_access_rates *rates, struct clopt_error *error);

#endif
