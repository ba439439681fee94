/* SPDX-License-Identifier: BSD-3-Clause */
/* One access on its way to a footprint. */
#ifndef CLOPT_ANALYSIS_FOOTPRINT_PARTS_H
#define CLOPT_ANALYSIS_FOOTPRINT_PARTS_H

#include <clopt/footprint.h>

#include "analysis/subscript.h"

struct clopt_footprint_candidate;

struct clopt_footprint_search {
    const struct clopt_source *source;
    const struct clopt_node *part;
    const size_t *local;
    struct clopt_subscripts subscripts;
    struct clopt_footprints *found;
    struct clopt_footprint_candidate *firsts; /* of the footprints */
};

/* What makes steps: local identities, then loops. */
enum { CLOPT_MOST_STEPS = 3 + CLOPT_FOOTPRINT_LOOPS };

/* What is found out of one access: a footprint of its own. */
struct clopt_footprint_candidate {
    struct clopt_footprint footprint;
    struct clopt_footprint_access access;
    struct clopt_form lengths[CLOPT_MOST_DIRECTIONS]; /* of the directions' steps */
    struct clopt_form coefficients[CLOPT_MOST_STEPS]; /* what one step adds to the index */
    struct clopt_form rest;                           /* what is the same for all */
    int64_t extents[CLOPT_MOST_STEPS];                /* how many steps there are, and one */
};

/* Why an index is refused that is too long. */
extern const char clopt_footprint_too_many[];

/* How many iterations a loop has, where that is a number: also from k to below k + 16; 0: not
 * known, or none. */
int64_t clopt_footprint_iterations(const struct clopt_node *loop);

/* Reads an index; returns why it cannot be, or NULL. */
const char *clopt_footprint_read(const struct clopt_footprint_search *search,
                                 const struct clopt_form *form,
                                 struct clopt_footprint_candidate *candidate);

/* Takes steps that are far longer than others out of a direction into one of their own. */
void clopt_footprint_split(struct clopt_footprint_candidate *candidate, unsigned index);

#endif
