/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells what the kernels of a program do: their accesses to global memory, and their profiles. */
#ifndef CLOPT_TRIAL_PATTERNS_H
#define CLOPT_TRIAL_PATTERNS_H

#include <jansson.h>

#include "trial/variant.h"

/* Returns {"KERNEL": [{"array": ..., "access": ..., ...}, ...], ...} of a trial's program. A kernel
 * that cannot be analyzed has {"KERNEL": "why"}. NULL when memory runs out. */
json_t *clopt_patterns_to_json(const struct clopt_trial *trial, const struct clopt_variant *variant,
                               const char *file);

/* Returns {"KERNEL": profile, ...} of those kernels that the trial is one of, and that can be
 * analyzed. NULL when memory runs out. */
json_t *clopt_profiles_to_json(const struct clopt_trial *trial, const struct clopt_variant *variant,
                               const char *file);

#endif
