/* SPDX-License-Identifier: BSD-3-Clause */
/* A tile: the part of a buffer that a work-group has in local memory. */
#ifndef MEMORY_TILE_H
#define MEMORY_TILE_H

#include <clopt/footprint.h>
#include <clopt/rewrite.h>

#include "returns.h"

struct tile {
    const struct clopt_footprint *footprint;
    struct clopt_node *before;    /* the statement in front of which it is filled */
    struct clopt_variable *array; /* in local memory */
};

/* Whether an access can be made in front of a statement, with the counters of the footprint's loops
 * at their first values: all other variables in it have got their values before. */
bool tile_can_move(const struct tile *tile, const struct clopt_node *access);

/* Makes the array, and returns its declaration. */
struct clopt_node *tile_declare(struct clopt_source *source, struct tile *tile);

/* Whether what work-items that have returned would have read can be left out. */
bool tile_can_limit(const struct tile *tile, const struct returns *returns);

/* Returns the statements by which the work-items of a group of `local` fill a tile together. */
struct clopt_node *tile_fill(struct clopt_source *source, const struct tile *tile,
                             const struct returns *returns, const size_t local[3]);

/* Returns what an access becomes. */
struct clopt_node *tile_read(struct clopt_source *source, const struct tile *tile,
                             const struct clopt_footprint_access *access);

#endif
