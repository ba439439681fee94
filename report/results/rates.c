/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes rates, and shares of peaks. */
#include "results/rates.h"

#include <math.h>

/* From this share of a peak on it is taken for what bounds a kernel; and up to this one memory may
 * have given it all, seeing that a peak is measured, too. */
#define NEAR_PEAK   0.5
#define MEMORY_MOST 1.1

const char *clopt_bound_name(enum clopt_bound bound)
{
    static const char *const names[] = {NULL, "arithmetic", "memory", "cache", "neither"};
    return names[bound];
}

/* Either share may be NaN. */
static enum clopt_bound find_bound(double operations_of_peak, double bytes_of_peak)
{
    if (bytes_of_peak > MEMORY_MOST)
        return CLOPT_BOUND_CACHE;
    if (operations_of_peak >= NEAR_PEAK && !(bytes_of_peak > operations_of_peak))
        return CLOPT_BOUND_ARITHMETIC;
    if (bytes_of_peak >= NEAR_PEAK)
        return CLOPT_BOUND_MEMORY;
    bool both = !isnan(operations_of_peak) && !isnan(bytes_of_peak);
    return both ? CLOPT_BOUND_NEITHER : CLOPT_BOUND_UNKNOWN;
}

struct clopt_rates clopt_rates_compute(enum clopt_arithmetic arithmetic, double operations,
                                       double bytes, double time_ns,
                                       const struct clopt_peaks *peaks)
{
    double peak = arithmetic < CLOPT_ARITHMETIC_COUNT ? peaks->goperations_per_s[arithmetic] : NAN;
    struct clopt_rates rates = {
        .goperations_per_s = operations > 0 && time_ns > 0 ? operations / time_ns : NAN,
        .gbytes_per_s = bytes > 0 && time_ns > 0 ? bytes / time_ns : NAN,
    };
    rates.operations_of_peak = rates.goperations_per_s / peak;
    rates.bytes_of_peak = rates.gbytes_per_s / peaks->gbytes_per_s;
    rates.bound = find_bound(rates.operations_of_peak, rates.bytes_of_peak);
    return rates;
}
