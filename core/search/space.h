/* SPDX-License-Identifier: BSD-3-Clause */
/* What can be tried, as a table: parameters, their values, and which combinations are feasible. */
#pragma once

#include <clopt/random.h>

#include "space/configurations.h"

/* A point is the number of a value for each parameter. */
struct clopt_search_space {
    const struct clopt_domain *domains; /* values in an order in which neighbours resemble */
    size_t count;
    uint64_t size; /* of the feasible points; UINT64_MAX: nobody has counted them */
    /* Gives feasible point number `number`; NULL: they have no numbers, and are found by drawing
     * points and asking. */
    void (*get)(const void *user, uint64_t number, size_t *point);
    bool (*is_feasible)(const void *user, const size_t *point);
    /* Moves a point to the one of those that are the same variant which represents them; NULL: each
     * is another one. Only such points are feasible. */
    void (*normalize)(const void *user, size_t *point);
    /* Draws a point, feasible or not, where values should not be equally likely; may be NULL. */
    void (*draw)(const void *user, struct clopt_random *random, size_t *point);
    const void *user;
};

/* Whether a point, which is normalized first, is feasible. */
bool clopt_search_space_admits(const struct clopt_search_space *space, size_t *point);

/* Draws a feasible point; false where none was found. */
bool clopt_search_space_draw(const struct clopt_search_space *space, struct clopt_random *random,
                             size_t *point);
