/* SPDX-License-Identifier: BSD-3-Clause */
/* One access on its way to a footprint. */
#pragma once

#include <clopt/footprint.h>

#include "analysis/subscript.h"

struct clopt_footprint_candidate;

struct clopt_footprint_search {
    const struct clopt_footprint_part *part;
    struct clopt_subscripts subscripts;
    struct clopt_footprints *found;
    struct clopt_footprint_candidate *firsts; /* of the footprints */
};

/* What is found out of one access: a footprint of its own. */
struct clopt_footprint_candidate {
    struct clopt_footprint footprint;
    struct clopt_footprint_access access;
    struct clopt_affine strides[CLOPT_MOST_DIRECTIONS];
    struct clopt_affine coefficients[CLOPT_MOST_ITERATORS]; /* what each adds to the index */
    struct clopt_affine rest;                               /* what is the same for all */
    int64_t extents[CLOPT_MOST_ITERATORS];                  /* how many values each has */
};

/* Why an index is refused that is too long. */
extern const char clopt_footprint_too_many[];

/* Reads an index; returns why it cannot be, or NULL. */
const char *clopt_footprint_read(const struct clopt_footprint_search *search,
                                 const struct clopt_subscript *subscript,
                                 struct clopt_footprint_candidate *candidate);

/* Gives what moves far further than the rest of a direction one of its own; of `rows`, work-items
 * that move further. */
void clopt_footprint_split(struct clopt_footprint_candidate *candidate, unsigned index, bool rows);

/* Tells between what coordinates an access is made. */
void clopt_footprint_range(const struct clopt_footprint_candidate *candidate,
                           const struct clopt_coordinate *coordinate, int64_t *least,
                           int64_t *most);

/* Lets rows begin where the box of all accesses is the smallest, in each two directions of which
 * one is a multiple of the other: what merged work-items read of a short row is not taken for the
 * begin of the next one. `first` was the first of the accesses. */
void clopt_footprint_align(const struct clopt_footprint_candidate *first,
                           struct clopt_footprint *footprint);
