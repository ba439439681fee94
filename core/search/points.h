/* SPDX-License-Identifier: BSD-3-Clause */
/* Points of a space, by number, and the number of a point. */
#ifndef CLOPT_SEARCH_POINTS_H
#define CLOPT_SEARCH_POINTS_H

#include <stdbool.h>
#include <stddef.h>

#define CLOPT_NO_POINT ((size_t)-1)

struct clopt_points {
    size_t width; /* values of a point */
    size_t count;
    size_t capacity;
    size_t *values; /* of all points, one after the other */
    size_t *slots;  /* a hash table: the number of a point + 1, or 0 */
};

/* Adds a point that is not there; false when memory runs out. */
bool clopt_points_add(struct clopt_points *points, const size_t *point);
void clopt_points_fini(struct clopt_points *points);

/* Returns the number of a point; CLOPT_NO_POINT: it is not there. */
size_t clopt_points_find(const struct clopt_points *points, const size_t *point);

/* Returns a point, which is valid until the next one is added. */
const size_t *clopt_points_at(const struct clopt_points *points, size_t number);

#endif
