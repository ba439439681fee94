/* SPDX-License-Identifier: BSD-3-Clause */
/* When commands ran, by the clock of their driver. */
#pragma once

#include <CL/cl.h>

#include <clopt/error.h>

/* No device starts and ends a launch in less: drivers that answer so have no clock. */
#define CLOPT_LEAST_LAUNCH_NS 10

/* A clock that ticks no faster than this has launches of no tick. */
#define CLOPT_COARSE_TICK_NS 1000

/* Room for a reason why a time is none. */
#define CLOPT_EVENT_REASON 192

/* Asks for one time of an event; 0: the driver has left it unwritten, or its call failed. */
cl_int clopt_event_time(cl_event event, cl_profiling_info info, cl_ulong *time_ns);

/* Asks when a command began and ended, by a clock of a tick (0: not known). False: it cannot be
 * true, for this reason: the call failed, a time was not written, the end is before the start, or
 * hardly after it. */
bool clopt_event_interval(cl_event event, double tick_ns, cl_ulong *began_ns, cl_ulong *ended_ns,
                          char reason[CLOPT_EVENT_REASON]);
