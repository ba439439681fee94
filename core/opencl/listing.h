/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists the devices of OpenCL. */
#pragma once

#include <CL/cl.h>

#include <clopt/device.h>
#include <clopt/error.h>

/* Lists the devices of all platforms, or of those called `platform` alone (NULL: all; opening a
 * driver that is not wanted may take a second), in the loader's order. Platforms and devices that
 * fail to answer are left out with a warning on stderr. No platform at all is CLOPT_FAILED. `ids`
 * (may be NULL) gets as many cl_device_id. The caller frees both. This opens OpenCL: the supervisor
 * must not call it. */
enum clopt_status clopt_device_list(const char *platform, struct clopt_device_info **devices,
                                    cl_device_id **ids, size_t *count, struct clopt_error *error);
