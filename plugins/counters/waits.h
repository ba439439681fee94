/* SPDX-License-Identifier: BSD-3-Clause */
/* How long the threads of this process wait for a processor that others use. */
#pragma once

#include "opencl/counter.h"

/* What a thread did in some time. */
struct clopt_thread_time {
    uint64_t ran_ns;
    uint64_t waited_ns; /* it could have run, and another thread did */
};

/* The share of a launch of `wall_ns` that was lost by waiting: a launch takes as long as its
 * busiest threads, those that ran or waited for nearly as long as any other one, and what these
 * waited on average is what it took longer than on an idle machine. Threads that slept do not
 * count. */
double clopt_waits_share(const struct clopt_thread_time *threads, size_t count, double wall_ns);
