/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of advice share. */
#ifndef CLOPT_ADVICE_PARTS_H
#define CLOPT_ADVICE_PARTS_H

#include "advice/advice.h"
#include "advice/features.h"

struct clopt_advice {
    struct clopt_training_record *records;
    size_t count;
};

struct clopt_advice_model {
    struct clopt_forest forest;
};

#endif
