/* SPDX-License-Identifier: BSD-3-Clause */
/* What a model knows of a variant of a kernel on a device. */
#ifndef CLOPT_ADVICE_FEATURES_H
#define CLOPT_ADVICE_FEATURES_H

#include "advice/advice.h"
#include "model/regression.h"

#define CLOPT_ADVICE_FEATURES (CLOPT_PROFILE_COUNT + 3)

extern const struct clopt_feature clopt_advice_features[CLOPT_ADVICE_FEATURES];

/* Computes them, from the profile of a variant. */
void clopt_advice_describe(const struct clopt_advice_subject *subject,
                           const struct clopt_profile *variant,
                           double values[CLOPT_ADVICE_FEATURES]);

#endif
