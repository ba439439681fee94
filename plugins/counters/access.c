/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures how fast a device accesses global memory in each pattern. */
#include <math.h>
#include <unistd.h>

#include "counters/counters.h"
#include "counters/peak_parts.h"
#include "process/child.h"
#include "process/clock.h"
#include "shared/access_rates.h"

#define BUDGET_NS  ((int64_t)30 * 1000 * 1000 * 1000) /* without waiting for processors */
#define SIDE       ((size_t)4096)                     /* of the matrix: as source has it */
#define LENGTH     ((size_t)1024) /* of a row or column that a work-item reads */
#define MORE       ((size_t)8)    /* rows that blocks at the edge reach into */
#define LOCAL      ((size_t)64)
#define LONG_NS    3e6
#define BLOCK_SIDE 5

/* access.cl as a string. */
static const char source[] =
#include "plugins/counters/access_text.h"
    ;

/* What a work-item (of width 1) of each kind accesses, and how many rows of work-items there are.
 */
static const struct {
    size_t elements;
    size_t most_rows;
} probes[CLOPT_ACCESS_KINDS] = {
    [CLOPT_ACCESS_SINGLE] = {2, SIDE},
    [CLOPT_ACCESS_ROW] = {LENGTH + 1, SIDE},
    [CLOPT_ACCESS_COLUMN] = {LENGTH + 1, SIDE},
    [CLOPT_ACCESS_BLOCK] = {BLOCK_SIDE * BLOCK_SIDE + 1, SIDE},
    [CLOPT_ACCESS_NEIGHBOURS] = {5, SIDE},
    [CLOPT_ACCESS_APART] = {LENGTH + 1, SIDE / LENGTH},
    [CLOPT_ACCESS_ROW_WITHIN] = {LENGTH + 1, SIDE},
    [CLOPT_ACCESS_COLUMN_WITHIN] = {LENGTH + 1, SIDE},
    [CLOPT_ACCESS_STRIDED] = {2, SIDE},
    [CLOPT_ACCESS_SCATTERED] = {2, SIDE},
};

struct probing {
    struct clopt_runner runner;
    cl_mem in;
    cl_mem out;
};

/* What a kernel leaves in an element of its first row. */
static double expected(enum clopt_access_kind kind, size_t x, unsigned width)
{
    switch (kind) {
    case CLOPT_ACCESS_ROW:
        return (double)(LENGTH * (x - x % width));
    case CLOPT_ACCESS_ROW_WITHIN:
        return (double)(LENGTH * x);
    case CLOPT_ACCESS_COLUMN:
    case CLOPT_ACCESS_COLUMN_WITHIN:
    case CLOPT_ACCESS_APART:
        return (double)LENGTH;
    case CLOPT_ACCESS_BLOCK:
        return BLOCK_SIDE * BLOCK_SIDE;
    case CLOPT_ACCESS_NEIGHBOURS:
        return 4;
    default:
        return 1;
    }
}

static void check(struct probing *probing, const struct clopt_own_launch *launch,
                  enum clopt_access_kind kind, unsigned width)
{
    CLOPT_FREED float *row = clopt_runner_read(&probing->runner, probing->out, SIDE * sizeof *row);
    bool right = true;
    for (size_t x = 0; x < SIDE && !probing->runner.status; x++)
        right = right && (double)row[x] == expected(kind, x, width);
    clopt_peak_check_result(&probing->runner, launch, right);
}

/* Measures one point, with so many rows of work-items that a launch takes long enough. */
static double measure(struct probing *probing, enum clopt_access_kind kind, unsigned point)
{
    struct clopt_runner *runner = &probing->runner;
    unsigned width = kind == CLOPT_ACCESS_STRIDED ? 1 : 1u << point;
    char name[32];
    double time_ns = 0;
    cl_uint log = point;
    snprintf(name, sizeof name, "%s%u", clopt_access_kind_name(kind), width);
    struct clopt_own_launch launch = {.name = name, .local = LOCAL, .rows = 1};
    launch.global = clopt_access_is_within(kind) ? SIDE : SIDE / width;
    while (launch.local > runner->context->info.max_work_group_size)
        launch.local /= 2;
    clopt_runner_prepare(runner, &launch);
    clopt_runner_set(runner, &launch, 0, sizeof probing->in, &probing->in);
    clopt_runner_set(runner, &launch, 1, sizeof probing->out, &probing->out);
    clopt_runner_set(runner, &launch, 2, sizeof log, &log);
    for (;;) {
        time_ns = clopt_peak_try(runner, &launch);
        if (runner->status || time_ns >= LONG_NS || launch.rows == probes[kind].most_rows)
            break;
        launch.rows *= 2;
    }
    int64_t began = clopt_now_ns();
    for (unsigned taken = 0; clopt_peak_goes_on(runner, began, taken); taken++)
        time_ns = fmin(time_ns, clopt_runner_run(runner, &launch));
    clopt_peak_check_time(runner, &launch, time_ns);
    check(probing, &launch, kind, width);
    clopt_runner_release_launch(&launch);
    return (double)(SIDE * launch.rows * probes[kind].elements * sizeof(float)) / time_ns;
}

/* Makes the matrices. */
static void make_buffers(struct probing *probing)
{
    size_t count = SIDE * (SIDE + MORE);
    CLOPT_FREED float *ones = clopt_calloc(count, sizeof *ones);
    for (size_t i = 0; i < count; i++)
        ones[i] = 1;
    probing->in = clopt_runner_create_buffer(&probing->runner, count * sizeof *ones, ones);
    probing->out = clopt_runner_create_buffer(&probing->runner, count * sizeof *ones, NULL);
}

/* Measures every kind and point, in some seconds; what would take longer is left unknown. */
static enum clopt_status measure_access(const struct clopt_context *context, json_t **rates,
                                        struct clopt_error *error)
{
    struct probing probing = {.runner = {.context = context, .error = error}};
    struct clopt_runner *runner = &probing.runner;
    struct clopt_access_rates found = clopt_access_from_json(NULL);
    struct clopt_process_use use = {0};
    clopt_runner_build(runner, "kernels", source, "");
    if (runner->status)
        return runner->status;
    clopt_lost_time(&use, getpid());
    runner->deadline_ns = clopt_now_ns() + BUDGET_NS;
    make_buffers(&probing);
    for (enum clopt_access_kind kind = 0; kind < CLOPT_ACCESS_KINDS; kind++)
        for (unsigned point = 0; point < clopt_access_points(kind) && !runner->status; point++) {
            runner->deadline_ns += (int64_t)(clopt_lost_time(&use, getpid()) * 1e9);
            if (clopt_now_ns() < runner->deadline_ns) {
                double rate = measure(&probing, kind, point);
                found.gbytes_per_s[kind][point] = runner->status ? NAN : rate;
            }
        }
    clopt_runner_release(probing.in);
    clopt_runner_release(probing.out);
    clReleaseProgram(runner->program);
    if (runner->status)
        return clopt_fail_within(error, "clopt's own kernels");
    *rates = clopt_access_to_json(&found);
    return CLOPT_OK;
}

const struct clopt_counter clopt_counter_access = {.use = CLOPT_MEASURES_ACCESS,
                                                   .measure = measure_access};
