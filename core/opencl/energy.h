/* SPDX-License-Identifier: BSD-3-Clause */
/* How much energy a device has taken: NVIDIA's NVML for its GPUs, powercap (RAPL) for processors.
 */
#pragma once

#include "opencl/context.h"

struct clopt_energy;

/* Opens the counter of a device, and sees that it moves. CLOPT_FAILED says why there is none.
 * CLOPT_POWERCAP_PATH in the environment is the folder of powercap's zones, /sys/class/powercap
 * without it. */
enum clopt_status clopt_energy_open(const struct clopt_context *context,
                                    struct clopt_energy **energy, struct clopt_error *error);
void clopt_energy_close(struct clopt_energy *energy);
CLOPT_HOLDER(clopt_energy, clopt_energy_close);

/* Reads how much the device has taken since the counter was opened, in nJ, idle power included. A
 * counter that wraps must be read once in a round. */
enum clopt_status clopt_energy_read(struct clopt_energy *energy, double *energy_nj,
                                    struct clopt_error *error);
