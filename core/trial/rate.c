/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes rates, and shares of peaks. */
#include "trial/rate.h"

#include <math.h>

#include "number/number.h"
#include "text/json.h"
#include "trial/kept.h"

#define DIGITS 3               /* of a peak that is printed */
#define STEADY 0.9             /* a lowest measurement below this share of the best is told */
#define KEPT   "clopt peaks 1" /* changes whenever peaks that are kept would mean something else */

/* From this share of a peak on it is taken for what bounds a kernel; and up to this one memory may
 * have given it all, seeing that a peak is measured, too. */
#define NEAR_PEAK   0.5
#define MEMORY_MOST 1.1

static const char *const arithmetic_names[CLOPT_ARITHMETIC_COUNT] = {"single", "double", "integer"};

const char *clopt_arithmetic_name(enum clopt_arithmetic arithmetic)
{
    return arithmetic < CLOPT_ARITHMETIC_COUNT ? arithmetic_names[arithmetic] : NULL;
}

enum clopt_arithmetic clopt_arithmetic_find(const char *name)
{
    enum clopt_arithmetic arithmetic = 0;
    while (arithmetic < CLOPT_ARITHMETIC_COUNT && strcmp(arithmetic_names[arithmetic], name) != 0)
        arithmetic++;
    return arithmetic;
}

const char *clopt_arithmetic_unit(enum clopt_arithmetic arithmetic)
{
    bool floating = arithmetic == CLOPT_ARITHMETIC_SINGLE || arithmetic == CLOPT_ARITHMETIC_DOUBLE;
    return floating ? "GFLOP/s" : "Gop/s";
}

const char *clopt_bound_name(enum clopt_bound bound)
{
    static const char *const names[] = {NULL, "arithmetic", "memory", "cache", "neither"};
    return names[bound];
}

struct clopt_peaks clopt_peaks_unknown(void)
{
    return clopt_peaks_from_json(NULL);
}

bool clopt_peaks_any(const struct clopt_peaks *peaks)
{
    bool any = !isnan(peaks->gbytes_per_s);
    for (int kind = 0; kind < CLOPT_ARITHMETIC_COUNT; kind++)
        any = any || !isnan(peaks->goperations_per_s[kind]);
    return any;
}

void clopt_peaks_say(struct clopt_text *text, const struct clopt_peaks *peaks)
{
    const char *before = "";
    for (enum clopt_arithmetic kind = 0; kind < CLOPT_ARITHMETIC_COUNT; kind++) {
        if (isnan(peaks->goperations_per_s[kind]))
            continue;
        clopt_text_printf(text, "%s%s ", before, arithmetic_names[kind]);
        clopt_number_append(text, peaks->goperations_per_s[kind], DIGITS);
        clopt_text_printf(text, " %s", clopt_arithmetic_unit(kind));
        before = ", ";
    }
    if (isnan(peaks->gbytes_per_s))
        return;
    clopt_text_printf(text, "%smemory ", before);
    clopt_number_append(text, peaks->gbytes_per_s, DIGITS);
    clopt_text_append(text, " GB/s");
    if (!(peaks->lowest_gbytes_per_s > 0 &&
          peaks->lowest_gbytes_per_s < STEADY * peaks->gbytes_per_s))
        return;
    clopt_text_append(text, " (");
    clopt_number_append(text, peaks->lowest_gbytes_per_s, DIGITS);
    clopt_text_append(text, " at the lowest)");
}

json_t *clopt_peaks_to_json(const struct clopt_peaks *peaks)
{
    json_t *operations = json_object();
    for (int kind = 0; kind < CLOPT_ARITHMETIC_COUNT; kind++)
        json_object_set_new(operations, arithmetic_names[kind],
                            clopt_json_real(peaks->goperations_per_s[kind]));
    json_t *lowest = peaks->lowest_gbytes_per_s > 0 ? json_real(peaks->lowest_gbytes_per_s) : NULL;
    return json_pack("{s:o,s:o,s:o*}", "gbytes_per_s", clopt_json_real(peaks->gbytes_per_s),
                     "goperations_per_s", operations, "lowest_gbytes_per_s", lowest);
}

/* A peak is a positive number. */
static double number_from_json(const json_t *json)
{
    double number = json_number_value(json);
    return number > 0 ? number : NAN;
}

struct clopt_peaks clopt_peaks_from_json(const json_t *json)
{
    const json_t *operations = json_object_get(json, "goperations_per_s");
    struct clopt_peaks peaks = {
        .gbytes_per_s = number_from_json(json_object_get(json, "gbytes_per_s")),
        .lowest_gbytes_per_s = number_from_json(json_object_get(json, "lowest_gbytes_per_s"))};
    for (int kind = 0; kind < CLOPT_ARITHMETIC_COUNT; kind++)
        peaks.goperations_per_s[kind] =
            number_from_json(json_object_get(operations, arithmetic_names[kind]));
    return peaks;
}

void clopt_peaks_keep(const struct clopt_device_info *device, struct clopt_peaks *peaks)
{
    json_t *json = clopt_kept_get(KEPT, device);
    struct clopt_peaks known = clopt_peaks_from_json(json);
    double lowest = fmin(known.gbytes_per_s, known.lowest_gbytes_per_s);
    json_decref(json);
    /* A number is more than NaN to both. */
    if (!isnan(lowest))
        peaks->lowest_gbytes_per_s = fmin(lowest, peaks->gbytes_per_s);
    peaks->gbytes_per_s = fmax(known.gbytes_per_s, peaks->gbytes_per_s);
    for (int kind = 0; kind < CLOPT_ARITHMETIC_COUNT; kind++)
        peaks->goperations_per_s[kind] =
            fmax(known.goperations_per_s[kind], peaks->goperations_per_s[kind]);
    json = clopt_peaks_to_json(peaks);
    if (clopt_peaks_any(peaks))
        clopt_kept_put(KEPT, device, json);
    json_decref(json);
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
