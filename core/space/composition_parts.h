/* SPDX-License-Identifier: BSD-3-Clause */
/* What the dimensions of a composition are. */
#ifndef CLOPT_SPACE_COMPOSITION_PARTS_H
#define CLOPT_SPACE_COMPOSITION_PARTS_H

#include "space/composition.h"

#define CLOPT_ORDERS          SIZE_MAX       /* in place of an optimization: of orders, */
#define CLOPT_STUDY_PARAMETER (SIZE_MAX - 1) /* and of one of the study's parameters */
#define CLOPT_NO_PLACE        SIZE_MAX

struct clopt_dimension {
    char *name;
    struct clopt_number *numbers; /* of the values; NULL: texts */
    size_t optimization;          /* of the study, or as above */
    size_t parameter;             /* of the optimization, or of the app */
    bool added; /* the first value is the initial one, which the study does not list */
};

/* Finds the dimension of an optimization's parameter; CLOPT_NO_PLACE: it has but one value. */
size_t clopt_composition_dimension(const struct clopt_composition *composition, size_t optimization,
                                   size_t parameter);

/* Returns the value of a dimension that changes nothing, or the first. */
size_t clopt_composition_rest(const struct clopt_composition *composition, size_t dimension);

#endif
