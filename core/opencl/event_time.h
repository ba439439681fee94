/* SPDX-License-Identifier: BSD-3-Clause */
/* When commands ran, by the clock of their driver. */
#pragma once

#include <CL/cl.h>

#include <clopt/error.h>

/* No device starts and ends a launch in less: drivers that answer so have no clock. */
#define CLOPT_LEAST_LAUNCH_NS 10

/* Asks for one time of an event; 0: the driver has left it unwritten, or its call failed. */
cl_int clopt_event_time(cl_event event, cl_profiling_info info, cl_ulong *time_ns);

/* Asks when a command began and ended. What cannot be true is refused: a time that the driver has
 * not written, and an end before the start. */
enum clopt_status clopt_event_interval(cl_event event, cl_ulong *began_ns, cl_ulong *ended_ns,
                                       struct clopt_error *error);

/* Refuses the time of a launch, the mean of some maybe, that no device can be so fast as to take.
 */
enum clopt_status clopt_launch_time_check(double time_ns, const char *name,
                                          struct clopt_error *error);
