/* SPDX-License-Identifier: BSD-3-Clause */
/* What devices can do at most. */
#pragma once

#include <jansson.h>

#include <clopt/app.h>

#include "number/ratio.h"

/* What a device can do at most; each NaN where it is not known. */
struct clopt_peaks {
    double gbytes_per_s; /* from global memory */
    double goperations_per_s[CLOPT_ARITHMETIC_COUNT];
    double lowest_gbytes_per_s; /* of all measurements of memory; NaN or 0: there was one */
};

/* Turn peaks into JSON and back: "gbytes_per_s", and "goperations_per_s", an object by the names of
 * the arithmetics, "lowest_gbytes_per_s" where it is known; of the others what is not known is
 * null, and what is no number is not known. */
json_t *clopt_peaks_to_json(const struct clopt_peaks *peaks);
struct clopt_peaks clopt_peaks_from_json(const json_t *json);

/* Finds a kind of arithmetic by its name: single, double, integer. CLOPT_ARITHMETIC_COUNT: none. */
enum clopt_arithmetic clopt_arithmetic_find(const char *name);

/* Returns the name of a kind of arithmetic, as a study has it; NULL for CLOPT_ARITHMETIC_COUNT. */
const char *clopt_arithmetic_name(enum clopt_arithmetic arithmetic);

/* ---- what processes do to ratios ---- */

/* Adds what a race has seen to what clopt's cache knows of a device and driver, and finds it there.
 * What is older counts for less. */
void clopt_spread_keep(const struct clopt_device_info *device, const struct clopt_spread *spread);
struct clopt_spread clopt_spread_recall(const struct clopt_device_info *device);

/* ---- what clopt's cache keeps of a device and driver ---- */

/* Rates of access to memory, in each pattern, as a counter measures them. */
#define CLOPT_KEPT_ACCESS "clopt access 1"

/* Keeps JSON under a name that says what it is and its version, and finds it there, a new
 * reference; NULL: there is none. What cannot be kept is measured again another time. */
void clopt_kept_put(const char *name, const struct clopt_device_info *device, const json_t *json);
json_t *clopt_kept_get(const char *name, const struct clopt_device_info *device);
