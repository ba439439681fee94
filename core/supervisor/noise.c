/* SPDX-License-Identifier: BSD-3-Clause */
/* The noise of a group's measurements, by the initial code and its double. */
#include <math.h>

#include "base/ratio.h"
#include "base/text.h"
#include "supervisor/group.h"

/* How far from 1 the ratio of the initial code to its double may be; NaN where unknown. */
static enum clopt_status noise_of(const struct clopt_group *group, size_t column, double *noise,
                                  struct clopt_error *error)
{
    const struct clopt_medians *one = clopt_contender_medians(group->contenders[0], column);
    const struct clopt_medians *other = clopt_contender_medians(group->contenders[1], column);
    if (!one || !other)
        return clopt_fail_memory(error);
    struct clopt_interval ratio = clopt_ratio_estimate(one, other, NULL);
    *noise = isnan(ratio.median) ? NAN : fmax(fabs(ratio.low - 1), fabs(ratio.high - 1));
    return CLOPT_OK;
}

/* How the initial code changed from its first process to its last; 0 where that may be chance. */
static double drift_of(const struct clopt_contender *initial, size_t column)
{
    struct clopt_interval begin =
        clopt_contender_interval(initial, column, initial->process[0], false);
    struct clopt_interval end =
        clopt_contender_interval(initial, column, initial->process[initial->count - 1], false);
    return clopt_interval_overlap(&begin, &end) ? 0 : end.median / begin.median - 1;
}

enum clopt_status clopt_group_put_noise(const struct clopt_group *group, struct clopt_error *error)
{
    const struct clopt_contender *initial = clopt_group_initial(group);
    if (initial->count == 0 || group->contenders[1]->count == 0)
        return CLOPT_OK;
    enum clopt_status status = CLOPT_OK;
    for (size_t column = 0; column <= group->kernel_count && !status; column++) {
        const char *kernel = column < group->kernel_count ? group->kernels[column].name : "";
        double noise = NAN;
        status = noise_of(group, column, &noise, error);
        if (!status)
            status = clopt_store_put_noise(group->run->store, group->device_row, group->problem_row,
                                           kernel, noise, drift_of(initial, column), error);
    }
    return status;
}
