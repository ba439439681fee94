/* SPDX-License-Identifier: BSD-3-Clause */
/* Asks events for their times, and believes none that cannot be true. */
#include "opencl/event_time.h"

#include "opencl/name.h"

#define NOT_TIMED "no time of this device can be believed: use another driver of it"

cl_int clopt_event_time(cl_event event, cl_profiling_info info, cl_ulong *time_ns)
{
    *time_ns = 0;
    cl_int code = clGetEventProfilingInfo(event, info, sizeof *time_ns, time_ns, NULL);
    if (code != CL_SUCCESS)
        *time_ns = 0;
    return code;
}

enum clopt_status clopt_event_interval(cl_event event, cl_ulong *began_ns, cl_ulong *ended_ns,
                                       struct clopt_error *error)
{
    cl_int code = clopt_event_time(event, CL_PROFILING_COMMAND_START, began_ns);
    if (code == CL_SUCCESS)
        code = clopt_event_time(event, CL_PROFILING_COMMAND_END, ended_ns);
    CLOPT_TRY(clopt_check_cl(error, "clGetEventProfilingInfo", code));
    if (*began_ns && *ended_ns >= *began_ns)
        return CLOPT_OK;
    return clopt_fail(error, CLOPT_INFEASIBLE,
                      "clGetEventProfilingInfo: the driver says that a launch began at %llu ns and "
                      "ended at %llu ns: " NOT_TIMED,
                      (unsigned long long)*began_ns, (unsigned long long)*ended_ns);
}

enum clopt_status clopt_launch_time_check(double time_ns, const char *name,
                                          struct clopt_error *error)
{
    if (time_ns >= CLOPT_LEAST_LAUNCH_NS)
        return CLOPT_OK;
    return clopt_fail(error, CLOPT_INFEASIBLE,
                      "clGetEventProfilingInfo: the driver says that a launch of %s takes %g ns, "
                      "and none takes less than %d ns: " NOT_TIMED,
                      name, time_ns, CLOPT_LEAST_LAUNCH_NS);
}
