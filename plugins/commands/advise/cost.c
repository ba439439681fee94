/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts what a kernel costs: the instructions of a work-item, times the work-items, and what keeps
 * a device from executing them at its full rate. */
#include "commands/advise/advice.h"

#include <math.h>

#define LEAST_FLOATS 8  /* in the initial code: fewer do not tell how much work is done */
#define MOST_CODE    12 /* operators and operands that instruction caches hold */

static double count_of(const struct clopt_profile *profile, enum clopt_profile_feature feature)
{
    return exp2(profile->values[feature]) - 1;
}

/* Work-items of a group, as a logarithm. */
static double find_group(const struct clopt_profile *profile)
{
    return log2(fmax(count_of(profile, CLOPT_PROFILE_GROUP_X), 1)) +
           log2(fmax(count_of(profile, CLOPT_PROFILE_GROUP_Y), 1));
}

/* What is done by all work-items together is what the initial code does, however it is divided: a
 * profile has more where loops of unknown length were rewritten. */
static double find_excess(const struct clopt_profile *initial, const struct clopt_profile *variant)
{
    double before =
        count_of(initial, CLOPT_PROFILE_FLOATS) + count_of(initial, CLOPT_PROFILE_FUNCTIONS);
    double after =
        count_of(variant, CLOPT_PROFILE_FLOATS) + count_of(variant, CLOPT_PROFILE_FUNCTIONS);
    return before < LEAST_FLOATS
               ? 0
               : log2(fmax(after, 1) / before) + variant->values[CLOPT_PROFILE_WORK_ITEMS] -
                     initial->values[CLOPT_PROFILE_WORK_ITEMS];
}

/* A lane computes one element at a time, and many wait for memory while others compute: what counts
 * is elements, lanes that are used, and work-items that there is room for. */
static double count_gpu(const struct clopt_profile *profile, double units, double excess)
{
    const double *values = profile->values;
    double group = find_group(profile), work_items = values[CLOPT_PROFILE_WORK_ITEMS];
    double bytes = values[CLOPT_PROFILE_PRIVATE_BYTES];
    double accesses = count_of(profile, CLOPT_PROFILE_ELEMENTS) *
                      (1 + 3 * fmin(values[CLOPT_PROFILE_SCATTERED], 1));
    double instructions = count_of(profile, CLOPT_PROFILE_FLOATS) / 2 +
                          count_of(profile, CLOPT_PROFILE_FUNCTIONS) * 8 +
                          count_of(profile, CLOPT_PROFILE_INTEGERS) / 4 + 4 * accesses +
                          count_of(profile, CLOPT_PROFILE_LOCAL_ELEMENTS) * 4 +
                          count_of(profile, CLOPT_PROFILE_ATOMICS) * 16 +
                          count_of(profile, CLOPT_PROFILE_BARRIERS) * 8;
    double idle_lanes = fmax(5 - group, 0) + fmax(6 - group, 0) / 2;
    double idle_units = fmax(8 - (work_items - units), 0);
    double registers = fmax(bytes - 8, 0) / 2 + fmax(bytes - 10, 0);
    return log2(instructions * exp2(-excess) + 20) + work_items + idle_lanes + idle_units +
           registers;
}

/* An instruction computes a vector; work-items are iterations of a loop, from barrier to barrier.
 */
static double count_cpu(const struct clopt_profile *profile, double units, double excess)
{
    const double *values = profile->values;
    double group = find_group(profile), work_items = values[CLOPT_PROFILE_WORK_ITEMS];
    double accesses =
        (count_of(profile, CLOPT_PROFILE_READS) + count_of(profile, CLOPT_PROFILE_WRITES)) *
        (1 + fmin(values[CLOPT_PROFILE_SCATTERED], 1));
    double instructions =
        count_of(profile, CLOPT_PROFILE_FLOAT_INSTRUCTIONS) +
        count_of(profile, CLOPT_PROFILE_FUNCTIONS) * 8 / values[CLOPT_PROFILE_VECTOR_WIDTH] +
        count_of(profile, CLOPT_PROFILE_INTEGER_INSTRUCTIONS) / 4 + accesses +
        count_of(profile, CLOPT_PROFILE_LOCAL) + count_of(profile, CLOPT_PROFILE_ATOMICS) * 20 +
        count_of(profile, CLOPT_PROFILE_BARRIERS) * 10;
    double idle_units = fmax(2 - (work_items - group - units), 0);
    double registers = fmax(values[CLOPT_PROFILE_PRIVATE_BYTES] - 11, 0) / 2;
    return log2(instructions * exp2(-excess) + 10 + 1000 / exp2(group)) + work_items + idle_units +
           registers;
}

static double count_time(const struct clopt_advice_subject *subject,
                         const struct clopt_profile *profile)
{
    double units = log2(fmax(subject->device.compute_units, 1));
    double excess = find_excess(&subject->profile, profile);
    double time = strcmp(subject->device.type, "gpu") == 0 ? count_gpu(profile, units, excess)
                                                           : count_cpu(profile, units, excess);
    return time + fmax(profile->values[CLOPT_PROFILE_SIZE] - MOST_CODE, 0) / 2;
}

double clopt_count_gain(const struct clopt_advice_subject *subject,
                        const struct clopt_profile *variant)
{
    return count_time(subject, &subject->profile) - count_time(subject, variant);
}
