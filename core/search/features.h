/* SPDX-License-Identifier: BSD-3-Clause */
/* What trees may ask about a point: its values, and what times are known to follow from. */
#pragma once

#include "model/regression.h"
#include "search/space.h"

struct clopt_point_features {
    struct clopt_feature *items;
    struct clopt_point_source *sources; /* what each is computed from */
    size_t count;
};

/* Chooses them: each parameter; of numbers, the largest power of two that divides them (alignment,
 * whole vectors); and the product of each two (work-items of a group, size of a tile). */
void clopt_point_features_init(struct clopt_point_features *features,
                               const struct clopt_search_space *space);
void clopt_point_features_fini(struct clopt_point_features *features);

/* Computes them all. */
void clopt_point_features_fill(const struct clopt_point_features *features,
                               const struct clopt_search_space *space, const size_t *point,
                               double *values);
