/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts what the kernels of a variant do. */
#include "analysis/variant_profile.h"

enum clopt_status clopt_variant_profile(const struct clopt_trial *trial,
                                        const struct clopt_variant *variant, const char *file,
                                        const struct clopt_kernel *kernel,
                                        struct clopt_profile *profile, struct clopt_error *error)
{
    CLOPT_HELD(clopt_source) tree = NULL;
    struct clopt_kernel_work work;
    CLOPT_TRY(clopt_trial_describe(trial, variant->knobs, kernel, &work, error));
    CLOPT_TRY(clopt_source_create(file, variant->source, NULL, variant->dialect, kernel->name,
                                  &tree, error));
    const struct clopt_ndrange_change *change = clopt_variant_change(variant, kernel);
    if (change)
        work.ndrange = clopt_ndrange_map(&work.ndrange, change);
    clopt_profile_find(tree, &work.ndrange, profile);
    return CLOPT_OK;
}
