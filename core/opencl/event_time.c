/* SPDX-License-Identifier: BSD-3-Clause */
/* Asks events for their times, and believes none that cannot be true. */
#include "opencl/event_time.h"

#include "opencl/name.h"

cl_int clopt_event_time(cl_event event, cl_profiling_info info, cl_ulong *time_ns)
{
    *time_ns = 0;
    cl_int code = clGetEventProfilingInfo(event, info, sizeof *time_ns, time_ns, NULL);
    if (code != CL_SUCCESS)
        *time_ns = 0;
    return code;
}

bool clopt_event_interval(cl_event event, double tick_ns, cl_ulong *began_ns, cl_ulong *ended_ns,
                          char reason[CLOPT_EVENT_REASON])
{
    cl_int code = clopt_event_time(event, CL_PROFILING_COMMAND_START, began_ns);
    if (code == CL_SUCCESS)
        code = clopt_event_time(event, CL_PROFILING_COMMAND_END, ended_ns);
    if (code != CL_SUCCESS)
        snprintf(reason, CLOPT_EVENT_REASON, "clGetEventProfilingInfo fails with %s (%d)",
                 clopt_cl_error_name(code), code);
    else if (!*began_ns || *ended_ns < *began_ns)
        snprintf(reason, CLOPT_EVENT_REASON,
                 "events say that a launch began at %llu ns and ended at %llu ns",
                 (unsigned long long)*began_ns, (unsigned long long)*ended_ns);
    else if (*ended_ns - *began_ns < CLOPT_LEAST_LAUNCH_NS && tick_ns < CLOPT_COARSE_TICK_NS)
        snprintf(reason, CLOPT_EVENT_REASON,
                 "events say that a launch takes %llu ns, and none takes less than %d ns",
                 (unsigned long long)(*ended_ns - *began_ns), CLOPT_LEAST_LAUNCH_NS);
    else
        return true;
    return false;
}
