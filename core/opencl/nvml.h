/* SPDX-License-Identifier: BSD-3-Clause */
/* NVIDIA's management library, which tells the energy of a GPU. */
#ifndef CLOPT_OPENCL_NVML_H
#define CLOPT_OPENCL_NVML_H

#include "opencl/context.h"

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

#endif
