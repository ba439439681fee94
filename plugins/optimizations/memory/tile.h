/* SPDX-License-Identifier: BSD-3-Clause */
/* A tile: the part of a buffer that a work-group has in local memory. */
#ifndef MEMORY_TILE_H
#define MEMORY_TILE_H

#include <clopt/footprint.h>
#include <clopt/rewrite.h>

/* ---- returns ---- */

#define RETURNS_MOST 4

/* Work-items of a dimension whose global identity is `bound` or more have returned. */
struct limit {
    unsigned dimension;
    const struct clopt_node *bound;
    int64_t more; /* that is to be added to bound: 1 where it is the last one that stays */
};

struct returns {
    struct clopt_node *statements[RETURNS_MOST];
    size_t count;
    struct limit limits[2 * RETURNS_MOST];
    size_t limit_count;
    struct clopt_variable *active;
};

/* Reads `if (...) return;` of the kernel's body. False, and nothing is added, where it is something
 * else, or compares something else than identities with bounds. */
bool returns_add(struct returns *returns, struct clopt_node *statement);

/* Whether a statement is one of them. */
bool returns_has(const struct returns *returns, const struct clopt_node *statement);

/* Whether work-items that would have returned go through the loops around a statement as the others
 * do: what these depend on is not guarded. */
bool returns_follow(const struct returns *returns, const struct clopt_node *statement);

/* Lets work-items stay that would have returned: all statements after that are guarded, down to
 * those that hold one of the `count` statements in `met`, to which all come. */
void returns_guard(struct clopt_source *source, struct returns *returns,
                   struct clopt_node *const *met, size_t count);

/* ---- tiles ---- */

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
