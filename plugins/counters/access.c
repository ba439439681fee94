/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures how fast a device accesses global memory in each pattern. */
#include <math.h>

#include "counters/counters.h"
#include "counters/peak_parts.h"
#include "process/clock.h"
#include "shared/access_rates.h"

#define BUDGET_NS  ((int64_t)30 * 1000 * 1000 * 1000)
#define SIDE       ((size_t)4096) /* of the matrix: as source has it */
#define LENGTH     ((size_t)1024) /* of a row or column that a work-item reads */
#define MORE       ((size_t)8)    /* rows that blocks at the edge reach into */
#define LOCAL      ((size_t)64)
#define LONG_NS    3e6
#define BLOCK_SIDE 5

/* All of the matrix are ones, so that it is known what a kernel computes. Bytes are those that
 * scalar code accesses: what a wider kernel reads once for several elements counts as often. */
static const char source[] =
    "#define SIDE 4096u\n"
    "#define LENGTH 1024u\n"
    "#define LOAD1(o, p) (*(p))\n"
    "#define STORE1(v, o, p) (*(p) = (v))\n"
    "#define SUM1(v) (v)\n"
    "#define SUM2(v) ((v).x + (v).y)\n"
    "#define SUM4(v) SUM2((v).lo + (v).hi)\n"
    "#define SUM8(v) SUM4((v).lo + (v).hi)\n"
    "#define SUM16(v) SUM8((v).lo + (v).hi)\n"
    "#define DOWN1(p) (*(p))\n"
    "#define DOWN2(p) (float2)(DOWN1(p), DOWN1((p) + SIDE))\n"
    "#define DOWN4(p) (float4)(DOWN2(p), DOWN2((p) + 2 * SIDE))\n"
    "#define DOWN8(p) (float8)(DOWN4(p), DOWN4((p) + 4 * SIDE))\n"
    "#define DOWN16(p) (float16)(DOWN8(p), DOWN8((p) + 8 * SIDE))\n"
    "#define HEAD(name) __kernel void name(__global const float *in, __global float *out, uint "
    "log)\n"
    "#define WHERE(W) size_t x = get_global_id(0) * W, y = get_global_id(1), i = y * SIDE + x;\n"
    "#define WIDE(W, T, LOAD, STORE, SUM)                                                  \\\n"
    "    HEAD(single##W) { WHERE(W) STORE(LOAD(0, in + i), 0, out + i); }                  \\\n"
    "    HEAD(row##W)                                                                      \\\n"
    "    {                                                                                 \\\n"
    "        WHERE(W)                                                                      \\\n"
    "        T sum = 0, factor = (T)(float)x;                                              \\\n"
    "        for (uint k = 0; k < LENGTH; k++)                                             \\\n"
    "            sum += in[y * SIDE + k] * factor;                                         \\\n"
    "        STORE(sum, 0, out + i);                                                       \\\n"
    "    }                                                                                 \\\n"
    "    HEAD(column##W)                                                                   \\\n"
    "    {                                                                                 \\\n"
    "        WHERE(W)                                                                      \\\n"
    "        T sum = 0;                                                                    \\\n"
    "        for (uint k = 0; k < LENGTH; k++)                                             \\\n"
    "            sum += LOAD(0, in + k * SIDE + x);                                        \\\n"
    "        STORE(sum, 0, out + i);                                                       \\\n"
    "    }                                                                                 \\\n"
    "    HEAD(block##W)                                                                    \\\n"
    "    {                                                                                 \\\n"
    "        WHERE(W)                                                                      \\\n"
    "        T sum = 0;                                                                    \\\n"
    "        for (uint r = 0; r < 5; r++)                                                  \\\n"
    "            for (uint c = 0; c < 5; c++)                                              \\\n"
    "                sum += LOAD(0, in + i + r * SIDE + c);                                \\\n"
    "        STORE(sum, 0, out + i);                                                       \\\n"
    "    }                                                                                 \\\n"
    "    HEAD(neighbours##W)                                                               \\\n"
    "    {                                                                                 \\\n"
    "        WHERE(W)                                                                      \\\n"
    "        STORE(LOAD(0, in + i + 1) + LOAD(0, in + i + SIDE) +                          \\\n"
    "              LOAD(0, in + i + SIDE + 2) + LOAD(0, in + i + 2 * SIDE + 1), 0, out + i);  \\\n"
    "    }                                                                                 \\\n"
    "    HEAD(row_within##W)                                                           \\\n"
    "    {                                                                             \\\n"
    "        WHERE(1)                                                                  \\\n"
    "        T sum = 0;                                                                \\\n"
    "        float factor = x;                                                         \\\n"
    "        for (uint k = 0; k < LENGTH; k += W)                                      \\\n"
    "            sum += LOAD(0, in + y * SIDE + k) * factor;                           \\\n"
    "        out[i] = SUM(sum);                                                        \\\n"
    "    }                                                                             \\\n"
    "    HEAD(column_within##W)                                                        \\\n"
    "    {                                                                             \\\n"
    "        WHERE(1)                                                                  \\\n"
    "        T sum = 0;                                                                \\\n"
    "        for (uint k = 0; k < LENGTH; k += W)                                      \\\n"
    "            sum += DOWN##W(in + k * SIDE + x);                                    \\\n"
    "        out[i] = SUM(sum);                                                        \\\n"
    "    }                                                                             \\\n"
    "    HEAD(apart##W)                                                                    \\\n"
    "    {                                                                                 \\\n"
    "        size_t i = get_global_id(1) * SIDE + get_global_id(0);                        \\\n"
    "        T sum = 0;                                                                    \\\n"
    "        for (uint k = 0; k < LENGTH; k += W)                                          \\\n"
    "            sum += LOAD(0, in + i * LENGTH + k);                                      \\\n"
    "        out[i] = SUM(sum);                                                            \\\n"
    "    }\n"
    "WIDE(1, float, LOAD1, STORE1, SUM1)\n"
    "WIDE(2, float2, vload2, vstore2, SUM2)\n"
    "WIDE(4, float4, vload4, vstore4, SUM4)\n"
    "WIDE(8, float8, vload8, vstore8, SUM8)\n"
    "WIDE(16, float16, vload16, vstore16, SUM16)\n"
    "HEAD(strided1)\n"
    "{\n"
    "    WHERE(1)\n"
    "    size_t parts = (size_t)SIDE * SIDE >> log;\n"
    "    out[i] = in[((i & (parts - 1)) << log) + i / parts];\n"
    "}\n"
    "HEAD(scattered1) { WHERE(1) out[i] = in[(uint)i * 2654435761u & (SIDE * SIDE - 1)]; }\n";

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
    clopt_runner_build(runner, "kernels", source, "");
    if (runner->status)
        return runner->status;
    runner->deadline_ns = clopt_now_ns() + BUDGET_NS;
    make_buffers(&probing);
    for (enum clopt_access_kind kind = 0; kind < CLOPT_ACCESS_KINDS; kind++)
        for (unsigned point = 0; point < clopt_access_points(kind) && !runner->status; point++)
            if (clopt_now_ns() < runner->deadline_ns) {
                double rate = measure(&probing, kind, point);
                found.gbytes_per_s[kind][point] = runner->status ? NAN : rate;
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
