/* SPDX-License-Identifier: BSD-3-Clause */
/* Holds a driver's events against the host's clock: launches of two lengths, of which overhead is
 * less than some percent, must take the same by both to 5%. */
#include <math.h>

#include "counters/counters.h"
#include "number/number.h"
#include "number/statistics.h"
#include "opencl/runner.h"

#define EMPTY_LAUNCHES  33
#define LEAST_NS        1e6 /* of the shorter launches; the longer ones have LONGER as many steps */
#define LONGER          4
#define LEAST_OVERHEADS 10 /* that the shorter ones take, too */
#define FIRST_STEPS     16u
#define MOST_STEPS      (1u << 16) /* of the longer ones */
#define TOLERANCE       0.05
#define EXACT           0.01 /* a launch is within what the host's clock says of it, but for this */
#define AGREEING        2    /* launches of each length that must agree, */
#define LEAST_TRIES     4    /* of so many at least where they do not; */
#define MOST_TRIES      40   /* on a loaded machine the host hears of an end late */
#define MOST_ROUNDS     8    /* of comparing clocks while other programs may disturb it: */
#define NEAR            0.5  /* events say that a launch took so much of what the host waited */

/* One work-item: what it takes goes with its steps alone, and no compiler can shorten it. Mesa's
 * llvmpipe leaves loops after 65,535 iterations, and this one has fewer. */
static const char source[] = "#define NEXT x = x * 1664525u + 1013904223u; x ^= x >> 7;\n"
                             "#define NEXT8 NEXT NEXT NEXT NEXT NEXT NEXT NEXT NEXT\n"
                             "__kernel void clock_steps(__global uint *end, uint steps)\n"
                             "{\n"
                             "    uint x = 1;\n"
                             "    for (uint i = 0; i < steps; i++) {\n"
                             "        NEXT8 NEXT8 NEXT8 NEXT8 NEXT8 NEXT8 NEXT8 NEXT8\n"
                             "    }\n"
                             "    *end = x;\n"
                             "}\n";

static cl_uint end_of(cl_uint steps)
{
    cl_uint x = 1;
    for (cl_uint i = 0; i < 64 * steps; i++) {
        x = x * 1664525u + 1013904223u;
        x ^= x >> 7;
    }
    return x;
}

/* The kernel, and what was found so far. */
struct watch {
    struct clopt_runner runner;
    struct clopt_own_launch launch;
    cl_mem end;
    struct clopt_clock *clock;
    int64_t tick_ns; /* all times of events are multiples of it */
    double closest;  /* how far the launch in which both agree best is away from 1 */
};

static struct clopt_launch_time time_steps(struct watch *watch, cl_uint steps)
{
    struct clopt_launch_time time = {0};
    clopt_runner_set(&watch->runner, &watch->launch, 1, sizeof steps, &steps);
    clopt_runner_time(&watch->runner, &watch->launch, &time);
    if (time.event_ns > 0)
        watch->tick_ns = clopt_greatest_divisor((int64_t)time.event_ns, watch->tick_ns);
    return time;
}

/* Finds what an empty launch takes by the host's clock, and how much less than the median it may
 * take: the first one may compile, and other programs make some longer. */
static void measure_overhead(struct watch *watch)
{
    double times_ns[EMPTY_LAUNCHES];
    struct clopt_clock *clock = watch->clock;
    for (size_t i = 0; i < EMPTY_LAUNCHES; i++)
        times_ns[i] = time_steps(watch, 0).host_ns;
    qsort(times_ns, EMPTY_LAUNCHES, sizeof *times_ns, clopt_numbers_compare);
    clock->overhead_ns = times_ns[EMPTY_LAUNCHES / 4];
    clock->host_resolution_ns =
        fmax(times_ns[EMPTY_LAUNCHES / 2] - times_ns[EMPTY_LAUNCHES / 10], 1);
}

/* Finds with how many steps a launch takes long enough. */
static cl_uint lengthen(struct watch *watch)
{
    cl_uint steps = FIRST_STEPS;
    double time_ns = 0, wanted_ns = fmax(LEAST_NS, LEAST_OVERHEADS * watch->clock->overhead_ns);
    while (!watch->runner.status && steps < MOST_STEPS / LONGER / 8) {
        time_ns = INFINITY;
        for (unsigned i = 0; i < LEAST_TRIES; i++)
            time_ns = fmin(time_ns, time_steps(watch, steps).host_ns - watch->clock->overhead_ns);
        if (time_ns >= wanted_ns)
            break;
        steps *= time_ns < wanted_ns / 8 ? 8 : 2;
    }
    return steps;
}

/* Whether events say the same of a launch as the host's clock, but for what its overhead explains,
 * all or nothing of which they may count; what none can take is a reason. */
static bool agree(struct watch *watch, const struct clopt_launch_time *time)
{
    struct clopt_clock *clock = watch->clock;
    double least_ns = clopt_clock_host_time(clock, time->host_ns);
    double agreement = time->event_ns < least_ns        ? time->event_ns / least_ns
                       : time->event_ns > time->host_ns ? time->event_ns / time->host_ns
                                                        : 1;
    if (!clock->reason[0])
        snprintf(clock->reason, sizeof clock->reason, "%s", time->reason);
    if (clock->reason[0])
        return false;
    if (agreement > 1 + EXACT)
        snprintf(clock->reason, sizeof clock->reason,
                 "events say that a launch takes %.3g ms, which is over after %.3g ms",
                 time->event_ns * 1e-6, time->host_ns * 1e-6);
    if (!(fabs(agreement - 1) >= watch->closest)) {
        watch->closest = fabs(agreement - 1);
        clock->agreement = agreement;
    }
    return time->host_ns - time->event_ns <= 2 * clock->overhead_ns + TOLERANCE * time->host_ns;
}

/* Compares launches of so many steps; returns the shortest by the host's clock. */
static double compare_clocks(struct watch *watch, cl_uint steps)
{
    struct clopt_clock *clock = watch->clock;
    struct clopt_launch_time time = {0};
    double shortest_ns = INFINITY;
    unsigned agreeing = 0, tries = 0;
    watch->closest = NAN;
    while (!watch->runner.status && agreeing < AGREEING &&
           tries < (clock->reason[0] ? LEAST_TRIES : MOST_TRIES)) {
        time = time_steps(watch, steps);
        agreeing += agree(watch, &time);
        shortest_ns = fmin(shortest_ns, time.host_ns);
        tries++;
    }
    if (agreeing < AGREEING && !clock->reason[0])
        snprintf(clock->reason, sizeof clock->reason,
                 "events say that a launch of %.3g ms takes %.3g ms", time.host_ns * 1e-6,
                 time.event_ns * 1e-6);
    return shortest_ns - clock->overhead_ns;
}

/* Compares the clocks by launches of both lengths, and the result with what it should be. */
static void measure(struct watch *watch)
{
    struct clopt_clock *clock = watch->clock;
    struct clopt_runner *runner = &watch->runner;
    measure_overhead(watch);
    cl_uint steps = lengthen(watch);
    double short_ns = compare_clocks(watch, steps);
    double long_ns = compare_clocks(watch, LONGER * steps);
    CLOPT_FREED cl_uint *end = clopt_runner_read(runner, watch->end, sizeof *end);
    if (!runner->status && *end != end_of(LONGER * steps))
        runner->status = clopt_fail(runner->error, CLOPT_WRONG_RESULT, "clock_steps: wrong result");
    /* Launches that are far too short were taken for long ones, which others had held up. */
    clock->host_works = short_ns > LEAST_NS / 8 && long_ns > LONGER / 2 * short_ns;
    clock->source = !clock->reason[0] ? CLOPT_CLOCK_EVENTS : CLOPT_CLOCK_HOST;
    clock->resolution_ns =
        clock->reason[0] ? clock->host_resolution_ns : fmax((double)watch->tick_ns, 1);
}

/* Compares the clocks until they agree, or differ by more than other programs explain: these may
 * have disturbed it where neither can be believed, or events came near to the host's clock. */
static void measure_undisturbed(struct watch *watch)
{
    struct clopt_clock *clock = watch->clock, working = {0};
    for (unsigned i = 0;
         i < MOST_ROUNDS && !watch->runner.status && clock->source != CLOPT_CLOCK_EVENTS &&
         (!clock->host_works || (clock->agreement >= NEAR && clock->agreement <= 1));
         i++) {
        working = clock->host_works ? *clock : working;
        *clock = (struct clopt_clock){.agreement = NAN};
        measure(watch);
    }
    if (clock->source == CLOPT_CLOCK_HOST && !clock->host_works && working.host_works)
        *clock = working;
}

static enum clopt_status measure_clock(const struct clopt_context *context, json_t **found,
                                       struct clopt_error *error)
{
    struct clopt_clock clock = {0};
    struct watch watch = {.runner = {.context = context, .error = error},
                          .launch = {.name = "clock_steps", .global = 1, .local = 1},
                          .clock = &clock};
    struct clopt_runner *runner = &watch.runner;
    clopt_runner_build(runner, "clock", source, "");
    clopt_runner_prepare(runner, &watch.launch);
    watch.end = clopt_runner_create_buffer(runner, sizeof(cl_uint), NULL);
    clopt_runner_set(runner, &watch.launch, 0, sizeof watch.end, &watch.end);
    measure_undisturbed(&watch);
    clopt_runner_release_launch(&watch.launch);
    clopt_runner_release(watch.end);
    if (runner->program)
        clReleaseProgram(runner->program);
    if (runner->status)
        return clopt_fail_within(error, "clopt's own clock");
    *found = clopt_clock_to_json(&clock);
    json_object_set_new(*found, "host_works", json_boolean(clock.host_works));
    json_object_set_new(*found, "host_resolution_ns", json_real(clock.host_resolution_ns));
    return CLOPT_OK;
}

const struct clopt_counter clopt_counter_clock = {.use = CLOPT_MEASURES_CLOCK,
                                                  .measure = measure_clock};
