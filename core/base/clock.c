/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells the time on the host. */
#include "base/clock.h"

#include <time.h>

int64_t clopt_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}
