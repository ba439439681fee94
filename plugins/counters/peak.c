/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures what a device can do at most. */
#include <math.h>

#include "counters/counters.h"
#include "counters/peak_parts.h"
#include "process/clock.h"
#include "trial/rate.h"

#define BUDGET_NS ((int64_t)2 * 1000 * 1000 * 1000)

/* So many launches tell how long one takes: the first may compile something, another process may
 * be in the way of one. */
#define TRIES 3

/* So many samples at least, and for so long, in which the clock of an idle device goes up. */
#define SAMPLES    4
#define SAMPLES_NS ((int64_t)80 * 1000 * 1000)

/* peak.cl as a string. */
static const char source[] =
#include "plugins/counters/peak_text.h"
    ;

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

void clopt_peak_prepare(struct clopt_runner *runner, const char *name, size_t per_unit,
                        size_t local, struct clopt_own_launch *launch)
{
    const struct clopt_device_info *info = &runner->context->info;
    *launch = (struct clopt_own_launch){.name = name};
    launch->local =
        smaller(local, smaller(info->max_work_group_size, info->max_work_item_sizes[0]));
    launch->global = (info->compute_units * per_unit + launch->local - 1) / launch->local;
    launch->global *= launch->local;
    clopt_runner_prepare(runner, launch);
}

double clopt_peak_try(struct clopt_runner *runner, const struct clopt_own_launch *launch)
{
    double shortest_ns = clopt_runner_run(runner, launch);
    for (int i = 1; i < TRIES && !runner->status; i++) {
        double time_ns = clopt_runner_run(runner, launch);
        if (!runner->status)
            shortest_ns = fmin(shortest_ns, time_ns);
    }
    return shortest_ns;
}

bool clopt_peak_goes_on(const struct clopt_runner *runner, int64_t began_ns, unsigned taken)
{
    int64_t now = clopt_now_ns();
    return !runner->status && now < runner->deadline_ns &&
           (taken < SAMPLES || now - began_ns < SAMPLES_NS);
}

void clopt_peak_check_time(struct clopt_runner *runner, const struct clopt_own_launch *launch,
                           double time_ns)
{
    double least_ns = runner->context->clock.resolution_ns;
    if (!runner->status && !(time_ns > least_ns))
        runner->status =
            clopt_fail(runner->error, CLOPT_INFEASIBLE,
                       "%s takes %.3g ns, which the device's clock cannot tell (%.3g ns)",
                       launch->name, time_ns, least_ns);
}

void clopt_peak_check_result(struct clopt_runner *runner, const struct clopt_own_launch *launch,
                             bool right)
{
    if (!runner->status && !right)
        runner->status =
            clopt_fail(runner->error, CLOPT_WRONG_RESULT, "%s: wrong result", launch->name);
}

/* A width of vectors that OpenCL has: the device's, or of one that has none a small one, by which
 * some GPUs have more to do at a time. */
static unsigned wide(uint32_t native)
{
    unsigned width = 4;
    if (native > 1)
        for (width = 2; width < 16 && 2 * width <= native;)
            width *= 2;
    return width;
}

static void add_type(struct clopt_text *options, const char *name, const char *type, unsigned width)
{
    clopt_text_printf(options, " -D %s=%s%u -D %s_SUM=SUM%u", name, type, width, name, width);
}

static void build(struct clopt_runner *runner, const unsigned *widths)
{
    CLOPT_OWNED(clopt_text) options = {0};
    clopt_text_printf(&options, "-D HASH=%uu", CLOPT_PEAK_HASH);
    add_type(&options, "SINGLE", "float", widths[CLOPT_ARITHMETIC_SINGLE]);
    add_type(&options, "INTEGER", "uint", widths[CLOPT_ARITHMETIC_INTEGER]);
    if (runner->context->info.native_vector_width_double)
        add_type(&options, "DOUBLE", "double", widths[CLOPT_ARITHMETIC_DOUBLE]);
    clopt_runner_build(runner, "kernels", source, clopt_text_string(&options));
}

/* Measures the highest rate of several kernels and samples, in about a second. What takes longer
 * than some seconds is left unknown, and so is double precision where the device has none. */
static enum clopt_status measure_peaks(const struct clopt_context *context, json_t **rates,
                                       struct clopt_error *error)
{
    const struct clopt_device_info *info = &context->info;
    const unsigned widths[CLOPT_ARITHMETIC_COUNT] = {
        [CLOPT_ARITHMETIC_SINGLE] = wide(info->native_vector_width_float),
        [CLOPT_ARITHMETIC_DOUBLE] = wide(info->native_vector_width_double),
        [CLOPT_ARITHMETIC_INTEGER] = wide(info->native_vector_width_int),
    };
    struct clopt_runner runner = {.context = context, .error = error};
    struct clopt_peaks peaks = clopt_peaks_from_json(NULL);
    build(&runner, widths);
    if (runner.status)
        return runner.status;
    runner.deadline_ns = clopt_now_ns() + BUDGET_NS;
    clopt_peak_measure_memory(&runner, &peaks.gbytes_per_s);
    for (enum clopt_arithmetic kind = 0; kind < CLOPT_ARITHMETIC_COUNT; kind++)
        if (kind != CLOPT_ARITHMETIC_DOUBLE || info->native_vector_width_double)
            clopt_peak_measure_arithmetic(&runner, kind, widths[kind],
                                          &peaks.goperations_per_s[kind]);
    clReleaseProgram(runner.program);
    if (runner.status)
        return clopt_fail_within(error, "clopt's own kernels");
    *rates = clopt_peaks_to_json(&peaks);
    return CLOPT_OK;
}

const struct clopt_counter clopt_counter_peaks = {.use = CLOPT_MEASURES_PEAKS,
                                                  .measure = measure_peaks};
