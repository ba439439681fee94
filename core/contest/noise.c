/* SPDX-License-Identifier: BSD-3-Clause */
/* The noise of a contest's measurements, by the initial code and its double. */
#include <math.h>

#include "base/ratio.h"
#include "base/text.h"
#include "contest/contest.h"

/* How far from 1 the ratio of the initial code to its double may be; NaN where unknown. */
static enum clopt_status noise_of(const struct clopt_contest *contest, size_t column, double *noise,
                                  struct clopt_error *error)
{
    const struct clopt_medians *one = clopt_contender_medians(contest->contenders[0], column);
    const struct clopt_medians *other = clopt_contender_medians(contest->contenders[1], column);
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

enum clopt_status clopt_contest_put_noise(const struct clopt_contest *contest,
                                          struct clopt_error *error)
{
    const struct clopt_contender *initial = clopt_contest_initial(contest);
    if (initial->count == 0 || contest->contenders[1]->count == 0)
        return CLOPT_OK;
    enum clopt_status status = CLOPT_OK;
    for (size_t column = 0; column <= contest->kernel_count && !status; column++) {
        const char *kernel = column < contest->kernel_count ? contest->kernels[column].name : "";
        double noise = NAN;
        status = noise_of(contest, column, &noise, error);
        if (!status)
            status = clopt_store_put_noise(
                contest->run->store, contest->device_row, contest->problem_row, kernel, noise,
                contest->members > 1 ? NAN : drift_of(initial, column), error);
    }
    return status;
}
