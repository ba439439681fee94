/* SPDX-License-Identifier: BSD-3-Clause */
/* Says, keeps and finds what devices can do at most. */
#include "results/peaks.h"

#include <math.h>

#include "number/number.h"
#include "store/cursor.h"

#define DIGITS 3               /* of a peak that is printed */
#define STEADY 0.9             /* a lowest measurement below this share of the best is told */
#define KEPT   "clopt peaks 1" /* changes whenever peaks that are kept would mean something else */

const char *clopt_arithmetic_unit(enum clopt_arithmetic arithmetic)
{
    bool floating = arithmetic == CLOPT_ARITHMETIC_SINGLE || arithmetic == CLOPT_ARITHMETIC_DOUBLE;
    return floating ? "GFLOP/s" : "Gop/s";
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
        clopt_text_printf(text, "%s%s ", before, clopt_arithmetic_name(kind));
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

bool clopt_peaks_known(const struct clopt_device_info *device, struct clopt_peaks *peaks)
{
    json_auto_t *json = clopt_kept_get(KEPT, device);
    *peaks = clopt_peaks_from_json(json);
    return clopt_peaks_any(peaks);
}

void clopt_peaks_keep(const struct clopt_device_info *device, struct clopt_peaks *peaks)
{
    struct clopt_peaks known;
    clopt_peaks_known(device, &known);
    double lowest = fmin(known.gbytes_per_s, known.lowest_gbytes_per_s);
    /* A number is more than NaN to both. */
    if (!isnan(lowest))
        peaks->lowest_gbytes_per_s = fmin(lowest, peaks->gbytes_per_s);
    peaks->gbytes_per_s = fmax(known.gbytes_per_s, peaks->gbytes_per_s);
    for (int kind = 0; kind < CLOPT_ARITHMETIC_COUNT; kind++)
        peaks->goperations_per_s[kind] =
            fmax(known.goperations_per_s[kind], peaks->goperations_per_s[kind]);
    json_auto_t *json = clopt_peaks_to_json(peaks);
    if (clopt_peaks_any(peaks))
        clopt_kept_put(KEPT, device, json);
}

enum clopt_status clopt_store_put_peaks(struct clopt_store *store, int64_t device,
                                        const struct clopt_peaks *peaks, struct clopt_error *error)
{
    enum clopt_status status =
        clopt_store_put(store, CLOPT_SQL_PUT_PEAKS, error, "idddd", device, peaks->gbytes_per_s,
                        peaks->goperations_per_s[CLOPT_ARITHMETIC_SINGLE],
                        peaks->goperations_per_s[CLOPT_ARITHMETIC_DOUBLE],
                        peaks->goperations_per_s[CLOPT_ARITHMETIC_INTEGER]);
    return status || !(peaks->lowest_gbytes_per_s > 0)
               ? status
               : clopt_store_put(store, CLOPT_SQL_PUT_LOWEST_PEAK, error, "id", device,
                                 peaks->lowest_gbytes_per_s);
}

enum clopt_status clopt_store_get_peaks(struct clopt_store *store, int64_t device,
                                        struct clopt_peaks *peaks, struct clopt_error *error)
{
    static const char *const columns[] = {
        [CLOPT_ARITHMETIC_SINGLE] = "single_goperations_per_s",
        [CLOPT_ARITHMETIC_DOUBLE] = "double_goperations_per_s",
        [CLOPT_ARITHMETIC_INTEGER] = "integer_goperations_per_s",
    };
    struct clopt_cursor rows = clopt_cursor_begin(store, CLOPT_SQL_GET_PEAKS, error, "i", device);
    clopt_cursor_next(&rows);
    *peaks = clopt_peaks_from_json(NULL);
    peaks->gbytes_per_s = clopt_cursor_real(&rows, "gbytes_per_s");
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        peaks->goperations_per_s[i] = clopt_cursor_real(&rows, columns[i]);
    if (clopt_cursor_end(&rows))
        return rows.status;
    rows = clopt_cursor_begin(store, CLOPT_SQL_GET_LOWEST_PEAK, error, "i", device);
    clopt_cursor_next(&rows);
    peaks->lowest_gbytes_per_s = clopt_cursor_real(&rows, "gbytes_per_s");
    return clopt_cursor_end(&rows);
}
