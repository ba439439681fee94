/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts what the kernels of a variant do. */
#pragma once

#include "analysis/profile.h"
#include "trial/variant.h"

/* Makes the profile of one of the kernels of a variant, which its file names in messages. */
enum clopt_status clopt_variant_profile(const struct clopt_trial *trial,
                                        const struct clopt_variant *variant, const char *file,
                                        const struct clopt_kernel *kernel,
                                        struct clopt_profile *profile, struct clopt_error *error);
