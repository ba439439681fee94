/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses the one device that a command line means. */
#ifndef CLOPT_MAIN_CHOOSE_DEVICE_H
#define CLOPT_MAIN_CHOOSE_DEVICE_H

#include "space/study.h"

/* Chooses the one of `devices` that `wanted` (NULL: nothing was said) means: the device of the
 * study (may be NULL) with this label, or its only one; else a pattern. */
enum clopt_status clopt_choose_device(const struct clopt_study *study, const char *wanted,
                                      const struct clopt_device_info *devices, size_t count,
                                      size_t *index, struct clopt_error *error);

#endif
