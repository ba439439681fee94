/* SPDX-License-Identifier: BSD-3-Clause */
/* Counters: what devices do, take and can do at most. */
#include "counters/counters.h"

#include <clopt/plugin.h>

CLOPT_PLUGIN(CLOPT_EXTENSION(COUNTER, "access", "how fast memory is in each pattern of access",
                             &clopt_counter_access),
             CLOPT_EXTENSION(COUNTER, "clock", "whether events agree with the host's clock",
                             &clopt_counter_clock),
             CLOPT_EXTENSION(COUNTER, "nvml", "the energy of NVIDIA's GPUs", &clopt_counter_nvml),
             CLOPT_EXTENSION(COUNTER, "peaks", "the highest rates of arithmetic and memory",
                             &clopt_counter_peaks),
             CLOPT_EXTENSION(COUNTER, "perf", "what kernels do on a processor (perf_event_open)",
                             &clopt_counter_perf),
             CLOPT_EXTENSION(COUNTER, "powercap", "the energy of processors' packages (RAPL)",
                             &clopt_counter_powercap),
             CLOPT_EXTENSION(COUNTER, "waits", "how long threads wait for a processor (schedstat)",
                             &clopt_counter_waits));
