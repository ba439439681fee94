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

/* Makes of what a measurement found the best that any has found on this device and driver, which
 * clopt's cache keeps. */
void clopt_peaks_keep(const struct clopt_device_info *device, struct clopt_peaks *peaks);

/* Whether any is known. */
bool clopt_peaks_any(const struct clopt_peaks *peaks);

/* Appends those that are known: "single 400 GFLOP/s, integer 100 Gop/s, memory 14 GB/s (7.1 at the
 * lowest)", this where measurements differ. */
void clopt_peaks_say(struct clopt_text *text, const struct clopt_peaks *peaks);

/* Turn peaks into JSON and back: "gbytes_per_s", and "goperations_per_s", an object by the names of
 * the arithmetics, "lowest_gbytes_per_s" where it is known; of the others what is not known is
 * null, and what is no number is not known. */
json_t *clopt_peaks_to_json(const struct clopt_peaks *peaks);
struct clopt_peaks clopt_peaks_from_json(const json_t *json);

/* Finds a kind of arithmetic by its name: single, double, integer. CLOPT_ARITHMETIC_COUNT: there
 * is none of that name. */
enum clopt_arithmetic clopt_arithmetic_find(const char *name);

/* Returns the name of a kind of arithmetic, as a study has it; NULL for CLOPT_ARITHMETIC_COUNT. */
const char *clopt_arithmetic_name(enum clopt_arithmetic arithmetic);

/* Returns the unit of its rates: "GFLOP/s", or "Gop/s" where it is not of floating point, or not
 * known (CLOPT_ARITHMETIC_COUNT). */
const char *clopt_arithmetic_unit(enum clopt_arithmetic arithmetic);

/* ---- what processes do to ratios ---- */

/* Adds what a race has seen to what clopt's cache knows of a device and driver, and finds it there.
 * What is older counts for less. */
void clopt_spread_keep(const struct clopt_device_info *device, const struct clopt_spread *spread);
struct clopt_spread clopt_spread_recall(const struct clopt_device_info *device);

/* ---- access to global memory in each pattern (Fang, Varbanescu: CLVectorizer, 2011) ---- */

/* What is probed. */
enum clopt_access_kind {
    CLOPT_ACCESS_SINGLE,     /* each work-item one element, its neighbour the next one */
    CLOPT_ACCESS_ROW,        /* all work-items of a group along the same row */
    CLOPT_ACCESS_COLUMN,     /* each down a column, its neighbour down the next one */
    CLOPT_ACCESS_BLOCK,      /* each a block of 5 x 5, its neighbour one element further on */
    CLOPT_ACCESS_NEIGHBOURS, /* each the four elements around one */
    CLOPT_ACCESS_APART,      /* each along a row of its own */
    CLOPT_ACCESS_STRIDED,    /* each one element, its neighbour some elements further on */
    CLOPT_ACCESS_SCATTERED,  /* each one element anywhere */
    CLOPT_ACCESS_KINDS
};

/* Point p is a vector width of 2^p elements, or of CLOPT_ACCESS_STRIDED a distance of 2^p. */
#define CLOPT_ACCESS_POINTS 7

/* GB of the elements that scalar code would access in a second, by kind and point; NaN: unknown. */
struct clopt_access_rates {
    double gbytes_per_s[CLOPT_ACCESS_KINDS][CLOPT_ACCESS_POINTS];
};

/* How many points a kind has. */
unsigned clopt_access_points(enum clopt_access_kind kind);

/* "single", and "one element each, side by side". CLOPT_ACCESS_KINDS: there is none of a name. */
const char *clopt_access_kind_name(enum clopt_access_kind kind);
const char *clopt_access_kind_words(enum clopt_access_kind kind);
enum clopt_access_kind clopt_access_kind_find(const char *name);

bool clopt_access_any(const struct clopt_access_rates *rates);

/* Turn rates into JSON and back: lists by the names of the kinds; what is no number is unknown. */
json_t *clopt_access_to_json(const struct clopt_access_rates *rates);
struct clopt_access_rates clopt_access_from_json(const json_t *json);

/* Keep the rates of a device and driver in clopt's cache, and find them there. */
void clopt_access_keep(const struct clopt_device_info *device,
                       const struct clopt_access_rates *rates);
struct clopt_access_rates clopt_access_recall(const struct clopt_device_info *device);
