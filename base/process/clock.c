/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells the time on the host. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* sched_getaffinity() */
#endif
#include "process/clock.h"

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

int64_t clopt_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

struct clopt_machine_time clopt_machine_time(void)
{
    /* user, nice, system, idle, waiting for a disk, interrupts twice, stolen by other machines */
    unsigned long long ticks[8] = {0}, all = 0;
    struct clopt_machine_time time = {NAN, NAN};
    FILE *stream = fopen("/proc/stat", "r");
    if (!stream)
        return time;
    int count = fscanf(stream, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", &ticks[0], &ticks[1],
                       &ticks[2], &ticks[3], &ticks[4], &ticks[5], &ticks[6], &ticks[7]);
    fclose(stream);
    for (size_t i = 0; i < sizeof ticks / sizeof *ticks; i++)
        all += ticks[i];
    double second = (double)sysconf(_SC_CLK_TCK);
    if (count == 8 && second > 0)
        time = (struct clopt_machine_time){(double)all / second,
                                           (double)(all - ticks[3] - ticks[4]) / second};
    return time;
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
