/* SPDX-License-Identifier: BSD-3-Clause */
/* The device that a command line names, for what is read before anything runs there. */
#pragma once

#include <clopt/device.h>

#include "main/command.h"
#include "space/study.h"

/* Describes the device that a pattern means, for the caller to free; NULL where the pattern is. Its
 * extensions and features are macros that a source may ask for. A worker opens OpenCL for it. */
enum clopt_status clopt_ask_device(const struct clopt_global_options *global, const char *pattern,
                                   struct clopt_device_info **device, struct clopt_error *error);

/* Chooses the one of `devices` that `wanted` (NULL: nothing was said) means: the device of the
 * study (may be NULL) with this label, or its only one; else a pattern. */
enum clopt_status clopt_choose_device(const struct clopt_study *study, const char *wanted,
                                      const struct clopt_device_info *devices, size_t count,
                                      size_t *index, struct clopt_error *error);
