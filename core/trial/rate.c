/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps what was measured of devices. */
#include "trial/rate.h"

#include <math.h>

#include "file/cache.h"
#include "text/json.h"

#define FOLDER "access" /* in clopt's cache */

static void make_key(const char *name, const struct clopt_device_info *device,
                     char key[CLOPT_HASH_SIZE])
{
    const char *const parts[] = {
        name,           device->platform,       device->platform_version, device->name,
        device->vendor, device->opencl_version, device->driver_version};
    struct clopt_sha256 hash;
    clopt_sha256_init(&hash);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        clopt_sha256_add_string(&hash, parts[i]);
    clopt_sha256_end(&hash, key);
}

void clopt_kept_put(const char *name, const struct clopt_device_info *device, const json_t *json)
{
    char key[CLOPT_HASH_SIZE];
    CLOPT_FREED char *text = json_dumps(json, JSON_COMPACT), *folder = clopt_cache_folder(FOLDER);
    make_key(name, device, key);
    if (folder)
        clopt_cache_put(folder, key, text, strlen(text));
}

json_t *clopt_kept_get(const char *name, const struct clopt_device_info *device)
{
    char key[CLOPT_HASH_SIZE], *folder = clopt_cache_folder(FOLDER);
    size_t bytes = 0;
    make_key(name, device, key);
    const void *data = folder ? clopt_cache_find(folder, key, &bytes) : NULL;
    json_t *json = data ? json_loadb(data, bytes, 0, NULL) : NULL;
    clopt_cache_release(data, bytes);
    free(folder);
    return json;
}

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

/* ---- what processes do to ratios ---- */

#define KEPT_SPREAD  "clopt spread 1"
#define MOST_FREEDOM 400 /* degrees that are kept: more make room for newer ones */

struct clopt_spread clopt_spread_recall(const struct clopt_device_info *device)
{
    json_auto_t *json = clopt_kept_get(KEPT_SPREAD, device);
    double squares = json_number_value(json_object_get(json, "squares"));
    json_int_t freedom = json_integer_value(json_object_get(json, "freedom"));
    struct clopt_spread spread = {0};
    if (squares >= 0 && squares < INFINITY && freedom > 0 && freedom <= MOST_FREEDOM) {
        spread.squares = squares;
        spread.freedom = (size_t)freedom;
    }
    return spread;
}

void clopt_spread_keep(const struct clopt_device_info *device, const struct clopt_spread *spread)
{
    struct clopt_spread sum = clopt_spread_recall(device);
    if (!spread->freedom)
        return;
    double freedom = (double)(sum.freedom + spread->freedom);
    double kept = fmin(floor(freedom), MOST_FREEDOM);
    json_auto_t *json =
        json_pack("{s:f,s:I}", "squares", (sum.squares + spread->squares) * kept / freedom,
                  "freedom", (json_int_t)kept);
    clopt_kept_put(KEPT_SPREAD, device, json);
}
