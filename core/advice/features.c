/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes what a model knows of a variant: what its steps do, what the kernel is like, and what
 * both mean together. */
#include "advice/features.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/variant_name.h"

#define FULL       64 /* what unrolling fully counts as */
#define NEAR       16 /* work-items merged closer than that do not access neighbours at once */
#define PLAIN_FLOP 8  /* operations a byte, of a device of which they are not known */

const struct clopt_feature clopt_advice_features[CLOPT_ADVICE_FEATURES] = {
    /* of the steps; sizes are logarithms to base 2 */
    {.name = "across"},
    {.name = "within"},
    {.name = "merged_x"},
    {.name = "merged_y"},
    {.name = "merged_groups"},
    {.name = "stride"},
    {.name = "local_x"},
    {.name = "local_y"},
    {.name = "local_items"},
    {.name = "local_set"},
    {.name = "unroll"},
    {.name = "unroll_all"},
    {.name = "tile"},
    {.name = "registers"},
    {.name = "restrict"},
    {.name = "stage"},
    {.name = "constant"},
    {.name = "pad"},
    {.name = "branches"},
    {.name = "reorder"},
    {.name = "pragma"},
    {.name = "macros"},
    {.name = "steps"},
    {.name = "vector_after"},
    /* of steps and kernel together */
    {.name = "replicas"},
    {.name = "items_left"},
    {.name = "uncoalesced"},
    {.name = "contiguous_lanes"},
    {.name = "scattered_lanes"},
    {.name = "reuse"},
    {.name = "reuse_y"},
    {.name = "body"},
    /* of the kernel */
    {.name = "intensity"},
    {.name = "floats"},
    {.name = "functions"},
    {.name = "integers"},
    {.name = "double_share"},
    {.name = "contiguous"},
    {.name = "focused"},
    {.name = "scattered"},
    {.name = "focused_y"},
    {.name = "neighbours"},
    {.name = "barriers"},
    {.name = "atomics"},
    {.name = "divergent"},
    {.name = "loops"},
    {.name = "loop_depth"},
    {.name = "trip_count"},
    {.name = "local_access"},
    {.name = "dimensions"},
    {.name = "work_items"},
    {.name = "group_x"},
    /* of the device */
    {.name = "compute_units"},
    {.name = "balance"},
};

/* What the steps of a variant do. */
struct composition {
    double across, within, merged[3], groups, stride, local[3];
    double unroll, unroll_all, tile, registers, restricts, stage, constant, pad;
    double branches, reorder, pragma, macros, steps, vector_after;
};

static double number_of(struct clopt_piece value)
{
    return clopt_piece_is(value, "full") ? FULL : fmax(strtod(value.text, NULL), 0);
}

/* What one step of geometry says so far. */
struct merging {
    size_t step;
    double granularity, dimension, stride;
    bool groups;
};

static void merge(struct composition *made, const struct merging *merging)
{
    if (merging->granularity <= 1)
        return;
    if (merging->groups)
        made->groups *= merging->granularity;
    else
        made->merged[(size_t)fmin(merging->dimension, 2)] *= merging->granularity;
    if (!merging->groups && merging->dimension < 1)
        made->stride = fmax(made->stride, merging->stride);
}

static void take_geometry(struct composition *made, struct merging *merging,
                          const struct clopt_name_value *value)
{
    if (merging->step != value->number) {
        merge(made, merging);
        *merging = (struct merging){.step = value->number, .stride = 1};
    }
    if (clopt_piece_is(value->name, "granularity"))
        merging->granularity = number_of(value->value);
    else if (clopt_piece_is(value->name, "dimension"))
        merging->dimension = number_of(value->value);
    else if (clopt_piece_is(value->name, "stride"))
        merging->stride = number_of(value->value);
    else if (clopt_piece_is(value->name, "merge"))
        merging->groups = clopt_piece_is(value->value, "groups");
    else if (clopt_piece_is(value->name, "local_size")) {
        const char *at = value->value.text, *end = at + value->value.length;
        for (unsigned d = 0; d < 3 && at && at < end; d++) {
            made->local[d] = strtod(at, NULL);
            at = memchr(at, 'x', (size_t)(end - at));
            at = at ? at + 1 : NULL;
        }
    }
}

/* Where the value of a parameter goes that is a number, or yes. */
struct place {
    const char *optimization;
    const char *name;
    size_t offset;
};

static void take_value(struct composition *made, const struct clopt_name_value *value)
{
    static const struct place places[] = {
        {"vector", "across", offsetof(struct composition, across)},
        {"vector", "within", offsetof(struct composition, within)},
        {"loops", "unroll", offsetof(struct composition, unroll)},
        {"loops", "tile", offsetof(struct composition, tile)},
        {"loops", "registers", offsetof(struct composition, registers)},
        {"loops", "restrict", offsetof(struct composition, restricts)},
        {"loops", "interchange", offsetof(struct composition, reorder)},
        {"loops", "fission", offsetof(struct composition, reorder)},
        {"loops", "pragma", offsetof(struct composition, pragma)},
        {"memory", "stage", offsetof(struct composition, stage)},
        {"memory", "constant", offsetof(struct composition, constant)},
        {"memory", "pad", offsetof(struct composition, pad)},
        {"branches", "flatten", offsetof(struct composition, branches)},
        {"branches", "hoist", offsetof(struct composition, branches)},
    };
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (clopt_piece_is(value->optimization, places[i].optimization) &&
            clopt_piece_is(value->name, places[i].name)) {
            double *to = (double *)((char *)made + places[i].offset);
            *to = fmax(*to, fmax(number_of(value->value), 1)); /* yes, or names of buffers: 1 */
        }
    if (clopt_piece_is(value->optimization, "loops") && clopt_piece_is(value->name, "loops"))
        made->unroll_all = clopt_piece_is(value->value, "all") ? 1 : 0.5;
}

static struct composition read_composition(const char *variant)
{
    struct composition made = {.across = 1,
                               .within = 1,
                               .merged = {1, 1, 1},
                               .groups = 1,
                               .stride = 1,
                               .unroll = 1,
                               .tile = 1};
    struct merging merging = {.step = SIZE_MAX, .stride = 1};
    struct clopt_name_value value = clopt_name_begin(variant);
    bool merged = false;
    while (clopt_name_next(&value)) {
        made.steps = (double)value.number + 1;
        made.macros += value.optimization.length == 0;
        if (clopt_piece_is(value.optimization, "geometry")) {
            take_geometry(&made, &merging, &value);
            merged = true;
        } else {
            take_value(&made, &value);
            made.vector_after += merged && clopt_piece_is(value.optimization, "vector");
        }
    }
    merge(&made, &merging);
    return made;
}

static double balance_of(const struct clopt_peaks *peaks)
{
    double flops = peaks->goperations_per_s[CLOPT_ARITHMETIC_SINGLE], bytes = peaks->gbytes_per_s;
    return flops > 0 && bytes > 0 ? log2(flops / bytes) : log2(PLAIN_FLOP);
}

/* The local size in a dimension, once work-items are merged. */
static double local_of(const struct composition *made, const struct clopt_profile *profile,
                       unsigned d)
{
    double initial = exp2(profile->values[CLOPT_PROFILE_GROUP_X + d]) - 1;
    double local = made->local[d] > 0 ? made->local[d] : fmax(initial, 1);
    return fmax(local / made->merged[d] / (d ? 1 : made->across), 1);
}

void clopt_advice_describe(const struct clopt_profile *profile,
                           const struct clopt_lesson_device *device, const char *variant,
                           double values[CLOPT_ADVICE_FEATURES])
{
    struct composition made = read_composition(variant);
    const double *kernel = profile->values;
    double across = log2(made.across), x = log2(made.merged[0]), y = log2(made.merged[1]);
    double groups = log2(made.groups), unroll = log2(made.unroll);
    double local_x = local_of(&made, profile, 0), local_y = local_of(&made, profile, 1);
    double trip_count = kernel[CLOPT_PROFILE_TRIP_COUNT];
    double merged = across + x + y + groups + log2(made.merged[2]);
    double unrolled = trip_count > 0 ? fmin(unroll, trip_count) : unroll;
    double operations = exp2(kernel[CLOPT_PROFILE_FLOATS]) + exp2(kernel[CLOPT_PROFILE_FUNCTIONS]) +
                        exp2(kernel[CLOPT_PROFILE_INTEGERS]);
    const double all[CLOPT_ADVICE_FEATURES] = {
        across,
        log2(made.within),
        x,
        y,
        groups,
        log2(fmax(made.stride, 1)),
        log2(local_x),
        log2(local_y),
        log2(local_x * local_y),
        made.local[0] > 0,
        unroll,
        made.unroll_all,
        log2(made.tile),
        made.registers,
        made.restricts,
        made.stage,
        made.constant,
        made.pad,
        made.branches,
        made.reorder,
        made.pragma,
        made.macros,
        made.steps,
        made.vector_after,
        merged + unrolled,
        kernel[CLOPT_PROFILE_WORK_ITEMS] - merged - log2(device->compute_units),
        made.stride < NEAR ? x * kernel[CLOPT_PROFILE_CONTIGUOUS] : 0,
        across * kernel[CLOPT_PROFILE_CONTIGUOUS],
        across * kernel[CLOPT_PROFILE_SCATTERED],
        (across + x) * kernel[CLOPT_PROFILE_FOCUSED] + y * kernel[CLOPT_PROFILE_FOCUSED_Y],
        y * kernel[CLOPT_PROFILE_FOCUSED_Y],
        log2(operations) + merged + unrolled,
        kernel[CLOPT_PROFILE_INTENSITY],
        kernel[CLOPT_PROFILE_FLOATS],
        kernel[CLOPT_PROFILE_FUNCTIONS],
        kernel[CLOPT_PROFILE_INTEGERS],
        kernel[CLOPT_PROFILE_DOUBLE],
        kernel[CLOPT_PROFILE_CONTIGUOUS],
        kernel[CLOPT_PROFILE_FOCUSED],
        kernel[CLOPT_PROFILE_SCATTERED],
        kernel[CLOPT_PROFILE_FOCUSED_Y],
        kernel[CLOPT_PROFILE_NEIGHBOURS],
        kernel[CLOPT_PROFILE_BARRIERS],
        kernel[CLOPT_PROFILE_ATOMICS],
        kernel[CLOPT_PROFILE_DIVERGENT],
        kernel[CLOPT_PROFILE_LOOPS],
        kernel[CLOPT_PROFILE_DEPTH],
        trip_count,
        kernel[CLOPT_PROFILE_LOCAL],
        kernel[CLOPT_PROFILE_DIMENSIONS],
        kernel[CLOPT_PROFILE_WORK_ITEMS],
        kernel[CLOPT_PROFILE_GROUP_X],
        log2(device->compute_units),
        balance_of(&device->peaks),
    };
    memcpy(values, all, sizeof all);
}
