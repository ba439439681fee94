/* SPDX-License-Identifier: BSD-3-Clause */
/* What devices can do at most: in words, in clopt's cache and in a store. */
#pragma once

#include "store/store.h"

/* Makes of what a measurement found the best that any has found on this device and driver, which
 * clopt's cache keeps. */
void clopt_peaks_keep(const struct clopt_device_info *device, struct clopt_peaks *peaks);

/* Finds what that cache keeps; false where there is nothing. */
bool clopt_peaks_known(const struct clopt_device_info *device, struct clopt_peaks *peaks);

/* Whether any is known. */
bool clopt_peaks_any(const struct clopt_peaks *peaks);

/* Appends those that are known: "single 400 GFLOP/s, integer 100 Gop/s, memory 14 GB/s (7.1 at the
 * lowest)", this where measurements differ. */
void clopt_peaks_say(struct clopt_text *text, const struct clopt_peaks *peaks);

/* Returns the unit of its rates: "GFLOP/s", or "Gop/s" where it is not of floating point, or not
 * known (CLOPT_ARITHMETIC_COUNT). */
const char *clopt_arithmetic_unit(enum clopt_arithmetic arithmetic);

/* Keeps what a device can do at most, and finds it; unknown where nothing is kept. */
enum clopt_status clopt_store_put_peaks(struct clopt_store *store, int64_t device,
                                        const struct clopt_peaks *peaks, struct clopt_error *error);
enum clopt_status clopt_store_get_peaks(struct clopt_store *store, int64_t device,
                                        struct clopt_peaks *peaks, struct clopt_error *error);
