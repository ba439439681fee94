/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds out whether turns of a loop may become lanes, and what they hold in common. */
#ifndef VECTOR_TURNS_H
#define VECTOR_TURNS_H

#include <clopt/loop.h>

#include "plan.h"

struct turns_facts {
    const struct clopt_source *source;
    const struct clopt_node *loop;
    struct clopt_trip trip;
    struct turns turns;
    bool *varying;          /* by variable: differs from turn to turn in any case */
    bool *results;          /* by variable: is accumulated */
    const char **operators; /* by variable: how; or NULL */
};

/* CLOPT_INFEASIBLE where `width` turns may not be executed together. Call fini in any case. */
enum clopt_status turns_find(struct turns_facts *facts, const struct clopt_source *source,
                             const struct clopt_node *loop, unsigned width, bool reassociate,
                             struct clopt_error *error);
void turns_fini(struct turns_facts *facts);

/* Refuses variables from outside the loop that vectors cannot hold, or that somebody reads behind
 * the loop. */
enum clopt_status turns_check_forms(const struct turns_facts *facts, const struct plan *plan,
                                    struct clopt_error *error);

#endif
