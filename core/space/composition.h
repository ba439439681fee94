/* SPDX-License-Identifier: BSD-3-Clause */
/* All compositions of a study's optimizations for one kernel, as points of a space that can be
 * searched: a point is a number for each dimension.
 *
 * Dimensions are the order in which optimizations are applied, the study's parameters, and each
 * parameter of each optimization, which may always keep the value that changes nothing; an
 * optimization of which nothing changes is left out. Orders are the products of [combine] that have
 * several members; without one, the order of the study, and those that differ from it by the place
 * of one optimization. */
#ifndef CLOPT_SPACE_COMPOSITION_H
#define CLOPT_SPACE_COMPOSITION_H

#include <clopt/random.h>

#include "space/component.h"
#include "space/settings.h"
#include "space/space.h"

struct clopt_dimension;

struct clopt_composition {
    struct clopt_subspace space;        /* the kernel's */
    struct clopt_domain *domains;       /* of the dimensions */
    struct clopt_dimension *dimensions; /* what they are */
    size_t count;
    struct clopt_settings *settings; /* of the study's optimizations; without values: not for it */
    struct clopt_product *orders;
    size_t order_count;
};

enum clopt_status clopt_composition_init(struct clopt_composition *composition,
                                         const struct clopt_study *study, size_t group,
                                         size_t kernel, struct clopt_error *error);
void clopt_composition_fini(struct clopt_composition *composition);

/* Gives what means nothing its first value that changes nothing, so that no two points are the same
 * variant. */
void clopt_composition_normalize(const struct clopt_composition *composition, size_t *point);

/* Draws a point: few optimizations with few changes are as likely as many. */
void clopt_composition_draw(const struct clopt_composition *composition,
                            struct clopt_random *random, size_t *point);

/* Finds the normalized point of a variant by its name; false where there is none. */
bool clopt_composition_find(const struct clopt_composition *composition, const char *name,
                            size_t *point);

/* Makes the point that changes one dimension alone, to a value in the middle of its list; false
 * where it changes nothing. */
bool clopt_composition_alone(const struct clopt_composition *composition, size_t dimension,
                             size_t *point);

/* Makes the variant of a normalized point. CLOPT_INFEASIBLE, without a message, where the study's
 * constraints forbid it. The caller ends it with clopt_trial_fini(). */
enum clopt_status clopt_composition_trial(const struct clopt_composition *composition,
                                          const size_t *point, struct clopt_trial *trial,
                                          struct clopt_error *error);

/* Numbers points: 1 .. 2^62. */
uint64_t clopt_composition_number(const struct clopt_composition *composition, const size_t *point);

#endif
