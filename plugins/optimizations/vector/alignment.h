/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds arrays in local memory whose rows of lanes begin at multiples of a vector's size. */
#ifndef VECTOR_ALIGNMENT_H
#define VECTOR_ALIGNMENT_H

#include "plan.h"

struct alignment {
    const struct plan *plan;
    unsigned width;
    unsigned char *multiples; /* by variable: the power of two, `width` at most, that divides what
                                 an integer holds in lane 0 */
    bool *arrays;             /* by variable: it is to be aligned */
    bool changed;             /* while multiples are looked for */
};

/* Looks at a kernel whose work-items are merged into lanes, in which get_local_id(0) and
 * get_global_id(0) are multiples of `width`. */
enum clopt_status alignment_init(struct alignment *alignment, const struct plan *plan,
                                 unsigned width, struct clopt_error *error);

/* Whether a[i] is aligned like a vector of its type, if the array is; `alignment` may be NULL. */
bool alignment_holds(const struct alignment *alignment, const struct clopt_node *row);

#endif
