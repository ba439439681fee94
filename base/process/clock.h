/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells the time on the host. Never compare it with the times of OpenCL events. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns the monotonic clock in nanoseconds. */
int64_t clopt_now_ns(void);

/* Returns the processor time of this process in seconds, and of its children that have ended. */
double clopt_used_seconds(bool with_children);

/* Returns how many processors this process may use: all, unless it is bound to some of them. */
size_t clopt_usable_processors(void);
