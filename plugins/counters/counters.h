/* SPDX-License-Identifier: BSD-3-Clause */
/* The counters that ship. */
#pragma once

#include "opencl/counter.h"

extern const struct clopt_counter clopt_counter_access, clopt_counter_clock, clopt_counter_nvml,
    clopt_counter_peaks, clopt_counter_perf, clopt_counter_powercap, clopt_counter_waits;
