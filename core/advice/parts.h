/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of advice share. */
#pragma once

#include "advice/advice.h"

struct clopt_advice {
    struct clopt_training_record *records;
    size_t count;
};

/* ---- what the work of a kernel costs a device, counted instead of measured ---- */

/* Returns the gain of a variant by what its rewritten kernel and the initial code do, as a
 * logarithm to base 2. Costs are powers of two or close to them, as such devices' vendors document
 * their instructions; they were not fitted, but their author had seen which variants of the
 * recorded spaces were the best (doc/results.md). */
double clopt_count_gain(const struct clopt_advice_subject *subject,
                        const struct clopt_profile *variant);
