/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells the time on the host. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* sched_getaffinity() */
#endif
#include "process/clock.h"

#include <sched.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

int64_t clopt_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

double clopt_used_seconds(bool with_children)
{
    double used_s = 0;
    for (int i = 0; i <= with_children; i++) {
        struct rusage usage;
        getrusage(i ? RUSAGE_CHILDREN : RUSAGE_SELF, &usage);
        used_s += (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                  1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
    }
    return used_s;
}

size_t clopt_usable_processors(void)
{
    cpu_set_t set;
    long all = sysconf(_SC_NPROCESSORS_ONLN);
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
        return (size_t)CPU_COUNT(&set);
    return all > 0 ? (size_t)all : 1;
}
