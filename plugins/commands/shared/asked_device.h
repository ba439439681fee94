/* SPDX-License-Identifier: BSD-3-Clause */
/* The device that a command line names, for what is read before anything runs there. */
#pragma once

#include <clopt/device.h>

#include "main/command.h"

/* Describes the device that a pattern means, for the caller to free; NULL where the pattern is. Its
 * extensions and features are macros that a source may ask for. A worker opens OpenCL for it. */
enum clopt_status clopt_ask_device(const struct clopt_global_options *global, const char *pattern,
                                   struct clopt_device_info **device, struct clopt_error *error);
