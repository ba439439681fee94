/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures what a device can do at most, with kernels that do nothing else. */
#pragma once

#include "opencl/context.h"
#include "trial/rate.h"

/* Measures the peaks of an idle device: the highest rate of several
 * kernels and samples, in about a second. What takes longer than some seconds is left unknown, and
 * so is double precision where the device has none. */
enum clopt_status clopt_peaks_measure(const struct clopt_context *context,
                                      struct clopt_peaks *peaks, struct clopt_error *error);

/* ---- measures how fast a device accesses global memory in each pattern ---- */

/* Measures every kind and point on an idle device, in some seconds; what
 * would take longer is left unknown. */
enum clopt_status clopt_access_measure(const struct clopt_context *context,
                                       struct clopt_access_rates *rates, struct clopt_error *error);
