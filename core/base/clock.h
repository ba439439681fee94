/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells the time on the host. Never compare it with the times of OpenCL events. */
#ifndef CLOPT_BASE_CLOCK_H
#define CLOPT_BASE_CLOCK_H

#include <stdint.h>

/* Returns the monotonic clock in nanoseconds. */
int64_t clopt_now_ns(void);

#endif
