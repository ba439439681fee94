/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves that a launch which fails while peaks are measured adds no time to those before it. */
#include "counters/peak_parts.h"

#include <setjmp.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static int launches; /* that work */

/* What the meter calls of OpenCL, in front of the loader's: events say that launches take 12 ns
 * each. */
cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                              const size_t *offset, const size_t *global, const size_t *local,
                              cl_uint count, const cl_event *list, cl_event *event)
{
    (void)queue, (void)kernel, (void)dimensions, (void)offset, (void)global, (void)local;
    (void)count, (void)list;
    *event = NULL;
    return launches-- > 0 ? CL_SUCCESS : CL_OUT_OF_RESOURCES;
}

cl_int clWaitForEvents(cl_uint count, const cl_event *events)
{
    (void)count, (void)events;
    return CL_SUCCESS;
}

cl_int clGetEventProfilingInfo(cl_event event, cl_profiling_info info, size_t size, void *value,
                               size_t *needed)
{
    (void)event, (void)needed;
    cl_ulong time = info == CL_PROFILING_COMMAND_START ? 100 : 112;
    memcpy(value, &time, size);
    return CL_SUCCESS;
}

cl_int clReleaseEvent(cl_event event)
{
    (void)event;
    return CL_SUCCESS;
}

/* Fills the stack that the next call finds with times that are shorter than any. */
static void leave_values(void)
{
    volatile double values[4096];
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        values[i] = -1;
}

static void try_launches(int working, enum clopt_status status, double shortest_ns)
{
    /* An overhead that explains whatever the host's clock says. */
    struct clopt_context context = {.clock = {.source = CLOPT_CLOCK_EVENTS, .overhead_ns = 1e9}};
    struct clopt_error error = {0};
    struct clopt_runner runner = {.context = &context, .error = &error};
    struct clopt_own_launch launch = {.name = "k", .global = 1, .local = 1};
    launches = working;
    leave_values();
    assert_true(clopt_peak_try(&runner, &launch) == shortest_ns);
    assert_int_equal(runner.status, status);
    if (status)
        assert_string_equal(error.message, "clEnqueueNDRangeKernel: CL_OUT_OF_RESOURCES (-5)");
}

static void a_failed_launch_has_no_time(void **state)
{
    (void)state;
    try_launches(100, CLOPT_OK, 12);
    try_launches(1, CLOPT_OUT_OF_RESOURCES, 12);
    try_launches(0, CLOPT_OUT_OF_RESOURCES, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_failed_launch_has_no_time)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
