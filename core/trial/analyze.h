/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints what differs between the work-items of a kernel. */
#pragma once

#include "trial/variant.h"

/* Prints a line for each variable, branch and loop of the kernel: uniform or divergent along a
 * dimension, which is given as text. */
enum clopt_status clopt_analyze(const struct clopt_transform *transform, const char *dimension,
                                struct clopt_error *error);

/* ---- accesses to global memory, and profiles ---- */

/* Returns {"KERNEL": [{"array": ..., "access": ..., ...}, ...], ...} of a trial's program. A kernel
 * that cannot be analyzed has {"KERNEL": "why"}. */
json_t *clopt_patterns_to_json(const struct clopt_trial *trial, const struct clopt_variant *variant,
                               const char *file);

/* Returns {"KERNEL": profile, ...} of those kernels that the trial is one of, and that can be
 * analyzed. */
json_t *clopt_profiles_to_json(const struct clopt_trial *trial, const struct clopt_variant *variant,
                               const char *file);
