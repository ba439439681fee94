/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes what a model knows of a variant: what its rewritten kernel does otherwise than the
 * initial code, and the device. No optimization and no parameter is known here. */
#include "advice/features.h"

#include <math.h>

#define PLAIN_FLOP 8 /* operations a byte, of a device of which they are not known */

const struct clopt_feature clopt_advice_features[CLOPT_ADVICE_FEATURES]; /* all are numbers */

static double balance_of(const struct clopt_peaks *peaks)
{
    double flops = peaks->goperations_per_s[CLOPT_ARITHMETIC_SINGLE], bytes = peaks->gbytes_per_s;
    return flops > 0 && bytes > 0 ? log2(flops / bytes) : log2(PLAIN_FLOP);
}

void clopt_advice_describe(const struct clopt_advice_subject *subject,
                           const struct clopt_profile *variant,
                           double values[CLOPT_ADVICE_FEATURES])
{
    const struct clopt_training_record_device *device = &subject->device;
    size_t count = 0;
    for (; count < CLOPT_PROFILE_COUNT; count++)
        values[count] = variant->values[count] - subject->profile.values[count];
    values[count++] = log2(device->compute_units);
    values[count++] = balance_of(&device->peaks);
    values[count] = strcmp(device->type, "gpu") == 0;
}
