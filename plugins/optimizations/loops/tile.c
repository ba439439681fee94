/* SPDX-License-Identifier: BSD-3-Clause */
/* Tiling: nests of loops are executed tile by tile.
 *
 *     for (int k0 = first; k0 < bound; k0 += 16)
 *         for (int k = k0; k < min(k0 + 16, bound); k++)
 *
 * A single loop has its order; where tiles may not fill it, what is left is a loop of its own, so
 * that tiles have a known size:
 *
 *     for (int k0 = 0; k0 < bound - 15; k0 += 16)
 *         for (int k = k0; k < k0 + 16; k++)
 *     for (int k = bound / 16 * 16; k < bound; k++)
 *
 * The loops of a nest must be permutable (Wolf, Lam: A data locality
 * optimizing algorithm, PLDI 1991). Bounds that are not known are taken to be a tile below the
 * largest value of their type. */
#include "tile.h"

#include <stdio.h>
#include <string.h>

#include <clopt/rewrite.h>

#include "nest.h"

struct tiling {
    struct nest nest;
    int64_t sizes[CLOPT_MOST_NEST]; /* of a tile in each loop, in iterations */
};

static enum clopt_status refuse(const struct tiling *tiling, unsigned index, const char *reason,
                                struct clopt_error *error)
{
    return clopt_source_refuse(tiling->nest.source, tiling->nest.loops[index], error, "%s", reason);
}

/* ---- legality ---- */

/* What a loop on its own must be. */
static enum clopt_status check_loop(struct tiling *tiling, unsigned index,
                                    struct clopt_error *error)
{
    const struct clopt_node *loop = tiling->nest.loops[index];
    struct clopt_trip *trip = &tiling->nest.trips[index];
    int64_t size = tiling->sizes[index];
    if (!clopt_trip_find(loop, NULL, trip))
        return refuse(tiling, index,
                      "only a loop that counts from a value to another one can be tiled", error);
    const struct clopt_node *jump = clopt_loop_find_jump(loop, CLOPT_NODE_BREAK);
    if (jump)
        return clopt_source_refuse(tiling->nest.source, jump, error,
                                   "break out of a loop that is to be tiled");
    jump = clopt_node_find_effect(loop, CLOPT_EFFECT_GOTO);
    if (jump)
        return clopt_source_refuse(tiling->nest.source, jump, error,
                                   "goto in a loop that is to be tiled");
    if (size < 2)
        return refuse(tiling, index, "a tile has 2 iterations or more, and a given number", error);
    if (trip->count_known && trip->count <= size)
        return clopt_source_refuse(tiling->nest.source, loop, error,
                                   "the loop has %lld iterations, so a tile of %lld is all of it",
                                   (long long)trip->count, (long long)size);
    if (trip->unequal && !trip->count_known)
        return refuse(tiling, index, "a loop that ends by != has no tiles", error);
    if (trip->step < 0 && !trip->counter->is_signed)
        return refuse(tiling, index, "an unsigned counter that goes down cannot be tiled", error);
    return CLOPT_OK;
}

/* ---- edits ---- */

/* Whether what is left of a loop by its tiles becomes a loop of its own. */
static bool has_rest(const struct tiling *tiling)
{
    const struct clopt_trip *trip = &tiling->nest.trips[0];
    bool known = trip->count_known && trip->count % tiling->sizes[0] == 0;
    return tiling->nest.depth == 1 && trip->declared && trip->first && !trip->unequal && !known;
}

static bool is_inclusive(const struct clopt_trip *trip)
{
    return trip->inclusive && !trip->unequal;
}

/* The type in which a counter and its bound are compared. */
static const char *common_type(const struct clopt_trip *trip)
{
    const struct clopt_variable *counter = trip->counter;
    const struct clopt_node *bound = trip->bound;
    bool is_signed = counter->bits > bound->bits   ? counter->is_signed
                     : counter->bits < bound->bits ? bound->is_signed
                                                   : counter->is_signed && bound->is_signed;
    return counter->bits == 64 || bound->bits == 64 ? is_signed ? "long" : "ulong"
           : is_signed                              ? "int"
                                                    : "uint";
}

/* Whether a counter and its bound have one type, on every device. */
static bool has_one_type(const struct clopt_trip *trip)
{
    const struct clopt_variable *counter = trip->counter;
    const struct clopt_node *bound = trip->bound;
    bool alike = counter->bits == bound->bits && counter->is_signed == bound->is_signed;
    bool size = bound->bits == 64 && !bound->is_signed; /* size_t has 32 bits on some */
    return alike && (!size || (bound->kind == CLOPT_NODE_VARIABLE &&
                               strcmp(bound->variable->type, counter->type) == 0));
}

/* Whether all tiles of a loop are whole: where they are known to be, or what is left is apart. */
static bool is_filled(const struct tiling *tiling, unsigned index)
{
    const struct clopt_trip *trip = &tiling->nest.trips[index];
    bool known = trip->count_known && trip->count % tiling->sizes[index] == 0;
    return known || has_rest(tiling);
}

/* Returns where a tile ends that begins at the value of a counter. */
static struct clopt_node *build_end(const struct tiling *tiling, unsigned index,
                                    const struct clopt_variable *begin)
{
    struct clopt_source *source = tiling->nest.source;
    const struct clopt_trip *trip = &tiling->nest.trips[index];
    const struct clopt_node *bound = trip->bound;
    const char *name = trip->step < 0 ? "max" : "min";
    const char *type = common_type(trip);
    int64_t way = trip->step * (tiling->sizes[index] - is_inclusive(trip));
    struct clopt_node *end =
        clopt_build(source, bound, way < 0 ? "$v - $l" : "$v + $l", begin, way < 0 ? -way : way);
    if (is_filled(tiling, index))
        return end;
    return has_one_type(trip)
               ? clopt_build(source, bound, "$s($n, $n)", name, end, bound)
               : clopt_build(source, bound, "$s(($t)($n), ($t)$n)", name, type, end, type, bound);
}

/* Lets a loop go through the tile that begins at the value of a counter. */
static void enter_tile(const struct tiling *tiling, unsigned index, struct clopt_variable *begin)
{
    struct clopt_source *source = tiling->nest.source;
    const struct clopt_trip *trip = &tiling->nest.trips[index];
    struct clopt_node *loop = tiling->nest.loops[index];
    struct clopt_node *end = build_end(tiling, index, begin);
    if (trip->first)
        clopt_replace(source,
                      loop->init->kind == CLOPT_NODE_DECLARE ? loop->init->children[0]->condition
                                                             : loop->init->children[1],
                      clopt_build(source, loop, "$v", begin));
    if (trip->unequal)
        clopt_replace(
            source, loop->condition,
            clopt_build(source, loop, "$v $s $n", trip->counter, trip->step < 0 ? ">" : "<", end));
    else
        clopt_replace(source,
                      loop->condition->children[loop->condition->children[1] == trip->bound], end);
}

/* Returns a loop over the tiles of a loop, whose body is to be put in. */
static struct clopt_node *build_tiles(const struct tiling *tiling, unsigned index,
                                      struct clopt_variable *begin, bool set)
{
    struct clopt_source *source = tiling->nest.source;
    const struct clopt_trip *trip = &tiling->nest.trips[index];
    struct clopt_node *loop = tiling->nest.loops[index];
    struct clopt_node *first = set || !trip->first ? clopt_build(source, loop, "$v", trip->counter)
                                                   : (struct clopt_node *)trip->first;
    int64_t step = trip->step * tiling->sizes[index];
    return clopt_build(source, loop, "for ($V = $n; $v $s$s $n; $v $s $l) ;", begin, first, begin,
                       step < 0 ? ">" : "<", is_inclusive(trip) ? "=" : "", trip->bound, begin,
                       step < 0 ? "-=" : "+=", step < 0 ? -step : step);
}

/* Whether a loop counts from 0 by 1, so that its tiles end at a multiple of their size. */
static bool counts_from_zero(const struct clopt_trip *trip)
{
    return trip->first_known && trip->first_value == 0 && trip->step == 1 && !trip->inclusive &&
           has_one_type(trip);
}

/* Returns whether a tile that begins at a counter is whole: its last iteration is `last` away. What
 * is signed is moved to the side of the bound, which then does not change. */
static struct clopt_node *build_whole(const struct tiling *tiling,
                                      const struct clopt_variable *begin, int64_t last)
{
    struct clopt_source *source = tiling->nest.source;
    const struct clopt_trip *trip = &tiling->nest.trips[0];
    bool is_signed = trip->counter->is_signed && trip->bound->is_signed;
    const char *sign = (last < 0) == is_signed ? "+" : "-";
    const char *than = last < 0 ? ">" : "<";
    const char *equal = is_inclusive(trip) ? "=" : "";
    int64_t size = last < 0 ? -last : last;
    if (is_signed)
        return clopt_build(source, trip->bound, "$v $s$s $n $s $l", begin, than, equal, trip->bound,
                           sign, size);
    return clopt_build(source, trip->bound, "$v $s $l $s$s $n", begin, sign, size, than, equal,
                       trip->bound);
}

/* Puts a loop's tiles, and the loop once more for what they leave, in its place. */
static void edit_with_rest(struct tiling *tiling)
{
    struct clopt_source *source = tiling->nest.source;
    const struct clopt_trip *trip = &tiling->nest.trips[0];
    struct clopt_node *loop = tiling->nest.loops[0];
    struct clopt_node *place = loop->parent->kind == CLOPT_NODE_ATTRIBUTED ? loop->parent : loop;
    struct clopt_node *rest =
        clopt_clone(&(struct clopt_cloning){.source = source, .plain = true}, loop);
    struct clopt_node **rest_first = &rest->init->children[0]->condition;
    int64_t step = trip->step * tiling->sizes[0];
    bool zero = counts_from_zero(trip);
    char name[64];
    snprintf(name, sizeof name, "%.60s0", trip->counter->name);
    struct clopt_variable *begin = clopt_variable_make(source, trip->counter->type, name, "");
    struct clopt_node *declare = clopt_build(source, loop, "$V = $n;", begin, trip->first);
    struct clopt_node *tiles =
        clopt_build(source, loop, "for ($n; $n; $v $s $l) ;", zero ? declare : NULL,
                    build_whole(tiling, begin, step - trip->step), begin,
                    step < 0 ? "-=" : "+=", step < 0 ? -step : step);
    clopt_replace(source, *rest_first,
                  zero ? clopt_build(source, loop, "$n / $l * $l", trip->bound, step, step)
                       : clopt_build(source, loop, "$v", begin));
    enter_tile(tiling, 0, begin);
    clopt_replace(source, place,
                  clopt_build(source, loop, zero ? "{ $n $n }" : "{ $n $n $n }",
                              zero ? tiles : declare, zero ? rest : tiles, rest));
    clopt_replace(source, tiles->body, place);
}

static void edit(struct tiling *tiling)
{
    struct nest *nest = &tiling->nest;
    struct clopt_source *source = nest->source;
    const struct clopt_trip *outer = &nest->trips[0];
    struct clopt_node *place = nest->loops[0];
    if (place->parent->kind == CLOPT_NODE_ATTRIBUTED)
        place = place->parent;
    struct clopt_node *whole = place;
    /* A counter that is read after its loop has a value even if there is no iteration. */
    bool set = !outer->declared && outer->first &&
               !clopt_loop_ends_variable(nest->loops[0], outer->counter);
    if (set)
        clopt_insert_before(
            source, place,
            clopt_clone(&(struct clopt_cloning){.source = source}, nest->loops[0]->init));
    for (unsigned i = 0; i < nest->depth; i++) {
        char name[64];
        snprintf(name, sizeof name, "%.60s0", nest->trips[i].counter->name);
        struct clopt_variable *begin =
            clopt_variable_make(source, nest->trips[i].counter->type, name, "");
        struct clopt_node *tiles = build_tiles(tiling, i, begin, set);
        enter_tile(tiling, i, begin);
        clopt_replace(source, place, tiles);
        place = tiles->body;
    }
    clopt_replace(source, place, whole);
}

static enum clopt_status change(void *user, struct clopt_rewriting *rewriting,
                                struct clopt_node *loop, struct clopt_error *error)
{
    struct tiling tiling = {.nest = {.source = rewriting->source}};
    enum clopt_status status = CLOPT_OK;
    (void)user;
    while (loop && tiling.nest.depth < CLOPT_MOST_NEST && rewriting->factors[loop->index] >= 0) {
        tiling.sizes[tiling.nest.depth] = rewriting->factors[loop->index];
        tiling.nest.loops[tiling.nest.depth++] = loop;
        loop = nest_inner(loop);
    }
    for (unsigned i = 0; i < tiling.nest.depth && !status; i++)
        status = check_loop(&tiling, i, error);
    if (!status && tiling.nest.depth > 1)
        status = nest_check(&tiling.nest, "tiled", error);
    if (status)
        return status;
    for (unsigned i = 0; i < tiling.nest.depth; i++)
        rewriting->factors[tiling.nest.loops[i]->index] = -1;
    if (has_rest(&tiling))
        edit_with_rest(&tiling);
    else
        edit(&tiling);
    return CLOPT_OK;
}

enum clopt_status tile_apply(struct clopt_transform *transform, const char *loops, unsigned tile,
                             struct clopt_error *error)
{
    return clopt_loops_rewrite(transform, loops, tile, change, NULL, error);
}
