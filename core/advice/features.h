/* SPDX-License-Identifier: BSD-3-Clause */
/* What a model knows of a variant of a kernel on a device. */
#ifndef CLOPT_ADVICE_FEATURES_H
#define CLOPT_ADVICE_FEATURES_H

#include "advice/lesson.h"
#include "model/regression.h"

#define CLOPT_ADVICE_FEATURES 54

/* All are numbers. */
extern const struct clopt_feature clopt_advice_features[CLOPT_ADVICE_FEATURES];

/* Computes them, from what a variant's name says. */
void clopt_advice_describe(const struct clopt_profile *profile,
                           const struct clopt_lesson_device *device, const char *variant,
                           double values[CLOPT_ADVICE_FEATURES]);

#endif
