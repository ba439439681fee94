/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides what can be said of a ratio of two times. */
#include "number/verdict.h"

#include <math.h>

static bool is_noisy(double noise)
{
    return noise > CLOPT_MOST_NOISE;
}

/* Above that floor only what is beyond it is decided; a factor of two of it counts at most. */
static bool is_too_noisy(const struct clopt_interval *speedup, double noise)
{
    double floor = 1 + fmin(noise, 1);
    return is_noisy(noise) && speedup->median <= floor && speedup->median * floor >= 1;
}

double clopt_verdict_within(const struct clopt_interval *speedup, double noise)
{
    return fmax(fmax(speedup->high - 1, 1 / speedup->low - 1), noise); /* which may be NaN */
}

enum clopt_verdict_kind clopt_verdict_find_open(const struct clopt_interval *speedup, double noise)
{
    return clopt_verdict_within(speedup, noise) <= CLOPT_VERDICT_SAME_WITHIN
               ? CLOPT_VERDICT_SAME
               : CLOPT_VERDICT_TOO_NOISY;
}

enum clopt_verdict_kind clopt_verdict_find(const struct clopt_interval *speedup, double noise)
{
    if (isnan(speedup->median))
        return CLOPT_VERDICT_UNKNOWN;
    if (!speedup->attained)
        return CLOPT_VERDICT_TOO_FEW;
    if (is_too_noisy(speedup, noise))
        return CLOPT_VERDICT_TOO_NOISY;
    bool beyond = is_noisy(noise) || !(fabs(speedup->median - 1) <= noise);
    if (beyond && speedup->low > 1)
        return CLOPT_VERDICT_FASTER;
    if (beyond && speedup->high < 1)
        return CLOPT_VERDICT_SLOWER;
    enum clopt_verdict_kind open = clopt_verdict_find_open(speedup, noise);
    return open == CLOPT_VERDICT_TOO_NOISY && speedup->processes == 1 ? CLOPT_VERDICT_TOO_FEW
                                                                      : open;
}

bool clopt_verdict_has_interval(const struct clopt_interval *speedup, double noise)
{
    return speedup->attained && !is_too_noisy(speedup, noise);
}

bool clopt_verdict_allows_regret(const struct clopt_interval *speedup, double noise)
{
    enum clopt_verdict_kind kind = clopt_verdict_find(speedup, noise);
    return !is_noisy(noise) && kind != CLOPT_VERDICT_TOO_FEW && kind != CLOPT_VERDICT_TOO_NOISY;
}
