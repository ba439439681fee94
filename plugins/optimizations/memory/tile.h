/* SPDX-License-Identifier: BSD-3-Clause */
/* A tile: the part of a buffer that a work-group has in local memory. */
#pragma once

#include <clopt/coarsen.h>
#include <clopt/divergence.h>
#include <clopt/footprint.h>
#include <clopt/rewrite.h>

/* ---- returns ---- */

#define RETURNS_MOST 8 /* limits */

/* Work-items of a dimension have returned whose global identity is bound + more or larger, or
 * smaller than that. */
struct limit {
    unsigned dimension;
    const struct clopt_node *bound;
    int64_t more;
    bool smaller;
};

struct returns {
    struct clopt_nodes statements;
    struct limit limits[RETURNS_MOST];
    size_t limit_count;
};

/* Adds the limits of `if (...) return;`. False, and nothing is added, where it compares something
 * else than identities with bounds that a group agrees on. */
bool returns_add(struct returns *returns, const struct clopt_node *statement,
                 const struct clopt_divergence *divergence);

/* Whether the condition of a guard could be read so; not of one that has no loop, but comes after
 * one: it is around what is stored alone. */
bool returns_can_open(const struct clopt_node *condition);

/* ---- tiles ---- */

struct tile {
    const struct clopt_footprint *footprint;
    const struct clopt_divergence *divergence; /* what differs in a work-group */
    struct clopt_node *before;                 /* the statement in front of which it is filled */
    struct clopt_variable *array;              /* in local memory */
    bool turned;                               /* columns are its rows */
    const struct clopt_node *factor;           /* that its elements are multiplied by; NULL: none */
    /* By direction: min(x, last), which the first access has for what work-items move along. */
    const struct clopt_node *clamps[CLOPT_MOST_DIRECTIONS];
};

/* ---- limited indices ---- */

/* Calls min(x, last) that were hidden, by dimension: to analyses each is x. */
struct clamps {
    struct clopt_nodes hidden[3];
};

/* Hides them, where work-items of a group of `local` differ by it. */
void clamps_hide(struct clamps *clamps, struct clopt_source *source, const size_t local[3]);
void clamps_show(struct clamps *clamps);
static inline bool clamps_are_hidden(const struct clamps *clamps)
{
    return clamps->hidden[0].count || clamps->hidden[1].count || clamps->hidden[2].count;
}

/* Finds what limits the indices of a tile; false: that is not known. */
bool clamps_find(const struct clamps *clamps, struct tile *tile, const size_t local[3]);

/* ---- what tiles have ---- */

/* Returns the outermost loop around a node, or the node; NULL: there is none. */
const struct clopt_node *tile_outermost_loop(const struct clopt_node *node);

/* Returns the index of the last node while a tile is in use. */
size_t tile_end(const struct tile *tile);

/* Whether an access can be made in front of a statement as the first work-item of the group makes
 * it, with the counters of the footprint's loops at their first values: all other variables in it
 * have got their values before, and none of `all` accesses of the kernel writes meanwhile what it
 * reads for its index. */
bool tile_can_move(const struct tile *tile, const struct clopt_accesses *all,
                   const struct clopt_node *access);

/* Whether neighbours read columns of a tile, so that these had better be its rows. */
bool tile_reads_columns(const struct clopt_footprint *footprint);

/* The type of a tile's elements: those of halves that are loaded as floats stay these; NONE: it is
 * none, or not that of all accesses. */
enum clopt_scalar tile_scalar(const struct clopt_footprint *footprint);

/* Makes the array, and returns its declaration. */
struct clopt_node *tile_declare(struct clopt_source *source, struct tile *tile);

/* Whether what work-items that have returned would have read can be left out. */
bool tile_can_limit(const struct tile *tile, const struct returns *returns);

/* Returns whether any work-item of a group of `local` stays; NULL: all do. */
struct clopt_node *tile_any_stays(struct clopt_source *source, const struct returns *returns,
                                  const size_t local[3]);

/* Returns the statement by which the work-items of a group of `local` fill a tile together, where
 * any of them stays. */
struct clopt_node *tile_fill(struct clopt_source *source, const struct tile *tile,
                             const struct returns *returns, const size_t local[3]);

/* Replaces an access. */
void tile_read(struct clopt_source *source, const struct tile *tile,
               const struct clopt_footprint_access *access);
