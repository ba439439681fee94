/* SPDX-License-Identifier: BSD-3-Clause */
/* All variants of a kernel, as points of a space: a point is a number for each dimension.
 *
 * Dimensions are the order in which optimizations are applied, the study's parameters, and each
 * parameter of each optimization, which may always keep the value that changes nothing; an
 * optimization of which nothing changes is left out. One that an order has several times has as
 * many sets of values. Orders are the products of [combine], whose variants have numbers (space.h).
 * A search takes those that have several members; without one, the order of the study, and those
 * that differ from it by the place of one optimization. */
#pragma once

#include <clopt/random.h>

#include "space/settings.h"
#include "space/space.h"

#define CLOPT_ORDERS          SIZE_MAX       /* in place of a slot: of orders, */
#define CLOPT_STUDY_PARAMETER (SIZE_MAX - 1) /* and of one of the study's parameters */
#define CLOPT_NO_POSITION     SIZE_MAX

struct clopt_dimension {
    char *name;
    struct clopt_number *numbers; /* of the values; NULL: texts */
    size_t slot;                  /* or as above */
    size_t parameter;             /* of the optimization, or of the app */
    bool added; /* the first value is the initial one, which the study does not list */
};

struct clopt_composition {
    const struct clopt_study *study;
    const struct clopt_study_app *app;
    const struct clopt_kernel *kernel;
    struct clopt_domain *domains;       /* of the dimensions */
    struct clopt_dimension *dimensions; /* what they are */
    size_t count;
    struct clopt_settings *slots; /* of the study's optimizations, and once more of those that an
                                     order has several times; without a pointer: not for it */
    size_t slot_count;
    struct clopt_product *orders; /* of slots */
    size_t order_count;
};

/* Finds the variants of all kernels of a study; the parameters are there. */
void clopt_study_compose(struct clopt_study *study);
void clopt_compositions_destroy(struct clopt_composition *compositions, size_t count);

/* Finds the dimension of an optimization's parameter; CLOPT_NO_POSITION: it has but one value. */
size_t clopt_composition_dimension(const struct clopt_composition *composition, size_t slot,
                                   size_t parameter);

/* Gives all dimensions of a slot (CLOPT_NO_POSITION: all) that value. */
void clopt_composition_reset(const struct clopt_composition *composition, size_t slot,
                             size_t *point);

/* Gives a parameter value number `listed` of its list; SIZE_MAX: one that changes nothing. */
void clopt_composition_set(const struct clopt_composition *composition, size_t slot,
                           size_t parameter, size_t listed, size_t *point);

/* Gives what means nothing its first value that changes nothing, so that no two points are the same
 * variant. */
void clopt_composition_normalize(const struct clopt_composition *composition, size_t *point);

/* Draws a point: few optimizations with few changes are as likely as many. */
void clopt_composition_draw(const struct clopt_composition *composition,
                            struct clopt_random *random, size_t *point);

/* Finds the normalized point of a variant by its name; false where there is none. */
bool clopt_composition_find(const struct clopt_subspace *space, const char *name, size_t *point);

/* Makes the point that changes one dimension alone, to a value in the middle of its list; false
 * where it changes nothing. */
bool clopt_composition_alone(const struct clopt_composition *composition, size_t dimension,
                             size_t *point);

/* Makes the variant of a normalized point (NULL: the initial code). CLOPT_INFEASIBLE, without a
 * message, where the study's constraints forbid it. The caller ends it with clopt_trial_fini(). */
enum clopt_status clopt_composition_trial(const struct clopt_subspace *space, const size_t *point,
                                          struct clopt_trial *trial, struct clopt_error *error);

/* Numbers points: 1 .. 2^62. */
uint64_t clopt_composition_number(const struct clopt_composition *composition, const size_t *point);
