/* SPDX-License-Identifier: BSD-3-Clause */
/* The combinations of parameter values that satisfy constraints, by number.
 *
 * Parameters that constraints connect form a component. Each component is a layered graph: a layer
 * for each of its parameters, a node for all partial combinations that the constraints still to
 * come cannot tell apart, an edge for each value. It is made layer by layer, with each constraint
 * evaluated as soon as its parameters have values; a combination is a way through the graph, and is
 * found by the counts of ways that the nodes have. (As the chain of trees of Rasch, Schulze,
 * Steuwer and Gorlatch, ACM TACO 18, 2021, but with trees whose equal branches are one; the
 * numbering by counts is as in multi-valued decision diagrams.) So no product is ever filtered, and
 * what is kept depends on how far constraints reach, not on how many combinations there are. */
#pragma once

#include "space/component.h"

/* What combinations are asked for. Constraints may name other variables than domains: these are
 * looked up. */
struct clopt_configured {
    const struct clopt_domain *domains;
    size_t count;
    const struct clopt_constraint *const *constraints;
    size_t constraint_count;
    clopt_expression_lookup lookup;
    void *user;
};

struct clopt_configurations;

/* Finds the combinations. Lowers `budget` by the edges that it makes; CLOPT_INVALID where a
 * component needs more than are left, or where a constraint cannot be evaluated; the caller
 * destroys them then, too. */
enum clopt_status clopt_configurations_create(const struct clopt_configured *configured,
                                              uint64_t *budget,
                                              struct clopt_configurations **configurations,
                                              struct clopt_error *error);
void clopt_configurations_destroy(struct clopt_configurations *configurations);

/* How many combinations there are; UINT64_MAX where they are more than can be numbered. */
uint64_t clopt_configurations_count(const struct clopt_configurations *configurations);

/* Gives the value number of each parameter in combination number `index`. */
void clopt_configurations_get(const struct clopt_configurations *configurations, uint64_t index,
                              size_t *choice);

/* Finds the number of a combination; UINT64_MAX where it is none. */
uint64_t clopt_configurations_find(const struct clopt_configurations *configurations,
                                   const size_t *choice);
