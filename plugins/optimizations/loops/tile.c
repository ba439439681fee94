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
#include <stdio.h>
#include <string.h>

#include "loops.h"
#include "nest.h"

struct tiling {
    struct nest nest;
    int64_t sizes[CLOPT_MOST_NEST]; /* of a tile in each loop, in iterations */
};

/* What a loop on its own must be. */
static enum clopt_status check_loop(struct tiling *tiling, unsigned index,
                                    struct clopt_error *error)
{
    const struct clopt_source *source = tiling->nest.source;
    const struct clopt_node *loop = tiling->nest.loops[index];
    struct clopt_trip *trip = &tiling->nest.trips[index];
    long long size = tiling->sizes[index];
    enum clopt_status status = clopt_loop_check_order(source, loop, false, "tiled", trip, error);
    if (status)
        return status;
    if (size < 2)
        return clopt_source_refuse(source, loop, error,
                                   "a tile has 2 iterations or more, and a given number");
    if (trip->count_known && trip->count <= size)
        return clopt_source_refuse(source, loop, error,
                                   "the loop has %lld iterations, so a tile of %lld is all of it",
                                   (long long)trip->count, size);
    if (trip->unequal && !trip->count_known)
        return clopt_source_refuse(source, loop, error, "a loop that ends by != has no tiles");
    if (trip->step < 0 && !trip->counter->is_signed)
        return clopt_source_refuse(source, loop, error,
                                   "an unsigned counter that goes down cannot be tiled");
    return CLOPT_OK;
}

/* ---- bounds ---- */

/* Whether all tiles of a loop are known to be whole. */
static bool is_multiple(const struct tiling *tiling, unsigned index)
{
    const struct clopt_trip *trip = &tiling->nest.trips[index];
    return trip->count_known && trip->count % tiling->sizes[index] == 0;
}

/* Whether what is left of a loop by its tiles becomes a loop of its own. */
static bool has_rest(const struct tiling *tiling)
{
    const struct clopt_trip *trip = &tiling->nest.trips[0];
    return tiling->nest.depth == 1 && trip->declared && trip->first && !trip->unequal &&
           !is_multiple(tiling, 0);
}

/* "=" where a bound is part of the loop. */
static const char *equal_of(const struct clopt_trip *trip)
{
    return trip->inclusive && !trip->unequal ? "=" : "";
}

/* The type in which a counter and its bound are compared; NULL: both have it, on every device. */
static const char *cast_of(const struct clopt_trip *trip)
{
    static const char *const types[2][2] = {{"uint", "int"}, {"ulong", "long"}};
    const struct clopt_variable *counter = trip->counter;
    const struct clopt_node *bound = trip->bound;
    unsigned bits = counter->bits > bound->bits ? counter->bits : bound->bits;
    bool is_signed =
        (counter->bits < bits || counter->is_signed) && (bound->bits < bits || bound->is_signed);
    bool alike = counter->bits == bound->bits && counter->is_signed == bound->is_signed;
    bool size =
        bound->bits == 64 && !bound->is_signed && /* size_t has 32 bits on some */
        (bound->kind != CLOPT_NODE_VARIABLE || strcmp(bound->variable->type, counter->type) != 0);
    return alike && !size ? NULL : types[bits == 64][is_signed];
}

/* Returns where a tile ends that begins at the value of a counter. */
static struct clopt_node *build_end(const struct tiling *tiling, unsigned index,
                                    const struct clopt_variable *begin)
{
    struct clopt_source *source = tiling->nest.source;
    const struct clopt_trip *trip = &tiling->nest.trips[index];
    const struct clopt_node *bound = trip->bound;
    const char *name = trip->step < 0 ? "max" : "min";
    int64_t size = tiling->sizes[index] - (*equal_of(trip) != '\0');
    struct clopt_node *end = clopt_build(source, bound, "$v + $l", begin, trip->step * size);
    if (is_multiple(tiling, index) || has_rest(tiling))
        return end;
    const char *type = cast_of(trip);
    return type ? clopt_build(source, bound, "$s(($t)($n), ($t)$n)", name, type, end, type, bound)
                : clopt_build(source, bound, "$s($n, $n)", name, end, bound);
}

/* Lets a loop go through the tile that begins at the value of a variable, which is made. */
static struct clopt_variable *enter_tile(const struct tiling *tiling, unsigned index)
{
    struct clopt_source *source = tiling->nest.source;
    const struct clopt_trip *trip = &tiling->nest.trips[index];
    struct clopt_node *loop = tiling->nest.loops[index];
    char name[64];
    snprintf(name, sizeof name, "%.60s0", trip->counter->name);
    struct clopt_variable *begin = clopt_variable_make(source, trip->counter->type, name, "");
    struct clopt_node *end = build_end(tiling, index, begin);
    if (trip->first)
        clopt_replace(source, (struct clopt_node *)trip->first,
                      clopt_build(source, loop, "$v", begin));
    if (trip->unequal)
        end = clopt_build(source, loop, "$v $s $n", trip->counter, trip->step < 0 ? ">" : "<", end);
    clopt_replace(source, trip->unequal ? loop->condition : (struct clopt_node *)trip->bound, end);
    return begin;
}

/* ---- edits ---- */

/* Returns whether a tile that begins at a counter is whole: its last iteration is `last` away. What
 * is signed is moved to the side of the bound, which then does not change. */
static struct clopt_node *build_whole(struct clopt_source *source, const struct clopt_trip *trip,
                                      const struct clopt_variable *begin, int64_t last)
{
    const char *than = last < 0 ? ">" : "<";
    if (trip->counter->is_signed && trip->bound->is_signed)
        return clopt_build(source, trip->bound, "$v $s$s $n - $l", begin, than, equal_of(trip),
                           trip->bound, last);
    return clopt_build(source, trip->bound, "$v + $l $s$s $n", begin, last, than, equal_of(trip),
                       trip->bound);
}

/* Puts a loop over tiles, whose first one begins at `first`, in a place; where they leave a rest,
 * the loop follows once more. The tiles of one that counts from 0 by 1 end at a multiple of their
 * size. Returns what is to become the body of the new loop. */
static struct clopt_node *put_tiles(const struct tiling *tiling, unsigned index,
                                    struct clopt_node *place, struct clopt_node *first)
{
    struct clopt_source *source = tiling->nest.source;
    const struct clopt_trip *trip = &tiling->nest.trips[index];
    struct clopt_node *loop = tiling->nest.loops[index];
    int64_t step = trip->step * tiling->sizes[index];
    struct clopt_node *rest =
        has_rest(tiling)
            ? clopt_clone(&(struct clopt_cloning){.source = source, .plain = true}, loop)
            : NULL;
    bool zero = trip->first_known && trip->first_value == 0 && trip->step == 1 &&
                !trip->inclusive && !cast_of(trip);
    struct clopt_variable *begin = enter_tile(tiling, index);
    struct clopt_node *declare = clopt_build(source, loop, "$V = $n;", begin, first);
    struct clopt_node *condition =
        rest ? build_whole(source, trip, begin, step - trip->step)
             : clopt_build(source, loop, "$v $s$s $n", begin, step < 0 ? ">" : "<", equal_of(trip),
                           trip->bound);
    struct clopt_node *tiles =
        clopt_build(source, loop, "for ($n; $n; $n) ;", rest && !zero ? NULL : declare, condition,
                    clopt_build(source, loop, "$v += $l", begin, step));
    if (rest)
        clopt_replace(source, rest->init->children[0]->condition,
                      zero ? clopt_build(source, loop, "$n / $l * $l", trip->bound, step, step)
                           : clopt_build(source, loop, "$v", begin));
    clopt_replace(source, place,
                  !rest  ? tiles
                  : zero ? clopt_build(source, loop, "{ $n $n }", tiles, rest)
                         : clopt_build(source, loop, "{ $n $n $n }", declare, tiles, rest));
    return tiles->body;
}

static void edit(const struct tiling *tiling, struct clopt_node *place)
{
    const struct nest *nest = &tiling->nest;
    struct clopt_source *source = nest->source;
    struct clopt_node *whole = place;
    /* A counter that is read after its loop has a value even if there is no iteration. */
    bool set = !nest->trips[0].declared && nest->trips[0].first &&
               !clopt_loop_ends_variable(nest->loops[0], nest->trips[0].counter);
    if (set)
        clopt_insert_before(
            source, place,
            clopt_clone(&(struct clopt_cloning){.source = source}, nest->loops[0]->init));
    for (unsigned i = 0; i < nest->depth; i++) {
        const struct clopt_trip *trip = &nest->trips[i];
        place = put_tiles(tiling, i, place,
                          set || !trip->first ? clopt_build(source, place, "$v", trip->counter)
                                              : (struct clopt_node *)trip->first);
    }
    clopt_replace(source, place, whole);
}

static enum clopt_status change(void *user, struct clopt_rewriting *rewriting,
                                struct clopt_node *loop, struct clopt_error *error)
{
    struct tiling tiling = {.nest = {.source = rewriting->source}};
    struct nest *nest = &tiling.nest;
    struct clopt_node *place = loop->parent->kind == CLOPT_NODE_ATTRIBUTED ? loop->parent : loop;
    enum clopt_status status = CLOPT_OK;
    (void)user;
    while (loop && nest->depth < CLOPT_MOST_NEST && rewriting->factors[loop->index] >= 0) {
        tiling.sizes[nest->depth] = rewriting->factors[loop->index];
        nest->loops[nest->depth++] = loop;
        loop = nest_inner(loop);
    }
    for (unsigned i = 0; i < nest->depth && !status; i++)
        status = check_loop(&tiling, i, error);
    if (!status && nest->depth > 1)
        status = nest_check(nest, "tiled", error);
    if (status)
        return status;
    for (unsigned i = 0; i < nest->depth; i++)
        rewriting->factors[nest->loops[i]->index] = -1;
    edit(&tiling, place);
    return CLOPT_OK;
}

enum clopt_status tile_apply(struct clopt_transform *transform, const char *loops, unsigned tile,
                             struct clopt_error *error)
{
    return clopt_loops_rewrite(transform, loops, tile, change, NULL, error);
}
