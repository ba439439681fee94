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

/* Reads how much the device has taken since the counter was opened, in nJ, idle power included. A
 * counter that wraps must be read once in a round. */
enum clopt_status clopt_energy_read(struct clopt_energy *energy, double *energy_nj,
                                    struct clopt_error *error);

/* ---- nVIDIA's management library, which tells the energy of a GPU ---- */

struct clopt_nvml {
    void *library; /* NULL: not open */
    void *device;
};

/* Loads the library, and finds the OpenCL device by its UUID. */
enum clopt_status clopt_nvml_open(const struct clopt_context *context, struct clopt_nvml *nvml,
                                  struct clopt_error *error);
void clopt_nvml_close(struct clopt_nvml *nvml);

/* Reads the energy since the driver was loaded. */
enum clopt_status clopt_nvml_read(const struct clopt_nvml *nvml, uint64_t *energy_mj,
                                  struct clopt_error *error);
