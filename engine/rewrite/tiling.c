/* SPDX-License-Identifier: BSD-3-Clause */
/* Tiling: nests of loops are executed tile by tile.
 *
 *     for (int k0 = first; k0 < bound; k0 += 16)
 *         for (int k = k0; k < min(k0 + 16, bound); k++)
 *
 * A single loop has its order; where tiles may not fill it, what is left is a loop of its own, so
 * that tiles have a known size:
 *
 *     for (int k0 = 0; k0 < (bound & ~15); k0 += 16)
 *         for (int k = k0; k < k0 + 16; k++)
 *     for (int k = bound / 16 * 16; k < bound; k++)
 *
 * The loops of a nest must be permutable (Wolf, Lam: A data locality optimizing algorithm, PLDI
 * 1991). Where one begins at a value that is not known, tiles are counted in 64 bits, so that the
 * last of them does not wrap; one that begins at a known value would take 2^31 iterations. */
#include <clopt/loop.h>

enum clopt_status clopt_tiling_check(struct clopt_tiling *tiling, struct clopt_error *error)
{
    const struct clopt_source *source = tiling->source;
    const struct clopt_node *loop = tiling->loop;
    struct clopt_trip *trip = &tiling->trip;
    CLOPT_TRY(clopt_loop_check_order(source, loop, false, "tiled", trip, error));
    if (tiling->size < 2)
        return clopt_source_refuse(source, loop, error,
                                   "a tile has 2 iterations or more, and a given number");
    if (trip->count_known && trip->count <= tiling->size)
        return clopt_source_refuse(source, loop, error,
                                   "the loop has %lld iterations, so a tile of %lld is all of it",
                                   (long long)trip->count, (long long)tiling->size);
    if (trip->unequal && !trip->count_known)
        return clopt_source_refuse(source, loop, error, "a loop that ends by != has no tiles");
    if (trip->step < 0 && !trip->counter->is_signed)
        return clopt_source_refuse(source, loop, error,
                                   "an unsigned counter that goes down cannot be tiled");
    tiling->whole = trip->count_known && trip->count % tiling->size == 0;
    return CLOPT_OK;
}

/* Finds out whether the end of the last tile might not fit into the type of the counter. */
static enum clopt_status check_wrap(struct clopt_tiling *tiling, struct clopt_error *error)
{
    const struct clopt_trip *trip = &tiling->trip;
    const struct clopt_node *bound = trip->bound;
    bool small = bound->known && bound->value > -(1 << 30) && bound->value < 1 << 30;
    tiling->wide = !tiling->whole && !tiling->rest && !trip->first_known && !small;
    return tiling->wide && trip->counter->bits == 64
               ? clopt_source_refuse(tiling->source, tiling->loop, error,
                                     "a counter of 64 bits that begins at a value that is not "
                                     "known cannot be tiled in a nest of loops")
               : CLOPT_OK;
}

/* ---- bounds ---- */

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

/* The type of what counts tiles. */
static const char *begin_type(const struct clopt_tiling *tiling)
{
    const char *type = cast_of(&tiling->trip);
    bool longer = type && strstr(type, "long");
    return !tiling->wide ? tiling->trip.counter->type : longer ? type : "long";
}

/* Returns where a tile ends that begins at the value of a counter. */
static struct clopt_node *build_end(const struct clopt_tiling *tiling,
                                    const struct clopt_variable *begin)
{
    struct clopt_source *source = tiling->source;
    const struct clopt_trip *trip = &tiling->trip;
    const char *name = trip->step < 0 ? "max" : "min";
    const char *type = cast_of(trip);
    const char *compared = type ? type : trip->counter->is_signed ? "int" : "uint";
    int64_t size = tiling->size - (*equal_of(trip) != '\0');
    struct clopt_node *end = clopt_build(source, trip->bound, "$v + $l", begin, trip->step * size);
    if (tiling->whole || tiling->rest)
        return end;
    if (tiling->wide && strcmp(begin_type(tiling), compared) != 0)
        return clopt_build(source, trip->bound, "($t)$s($n, (long)($t)$n)", compared, name, end,
                           compared, trip->bound);
    return type ? clopt_build(source, trip->bound, "$s(($t)($n), ($t)$n)", name, type, end, type,
                              trip->bound)
                : clopt_build(source, trip->bound, "$s($n, $n)", name, end, trip->bound);
}

/* Lets a loop go through the tile that begins at the value of a variable. */
static void enter_tile(const struct clopt_tiling *tiling, const struct clopt_variable *begin)
{
    struct clopt_source *source = tiling->source;
    const struct clopt_trip *trip = &tiling->trip;
    struct clopt_node *end = build_end(tiling, begin);
    if (trip->first)
        clopt_replace_by(source, (struct clopt_node *)trip->first, "$v", begin);
    clopt_replace_by(source, tiling->loop->condition, "$v $s$s $n", trip->counter,
                     trip->step < 0 ? ">" : "<", equal_of(trip), end);
}

static struct clopt_variable *get_begin(void *begin, const struct clopt_variable *variable)
{
    const struct clopt_variable *const *pair = begin;
    return variable == pair[0] ? (struct clopt_variable *)pair[1] : NULL;
}

/* Returns the condition under which a tile follows: where there is a rest, a whole one. */
static struct clopt_node *build_condition(const struct clopt_tiling *tiling,
                                          const struct clopt_variable *begin)
{
    struct clopt_trip over = tiling->trip;
    const struct clopt_variable *pair[] = {over.counter, begin};
    const struct clopt_cloning cloning = {
        .source = tiling->source, .user = pair, .variable = get_begin, .plain = true};
    const char *type = tiling->wide ? cast_of(&tiling->trip) : NULL;
    over.counter = begin;
    if (tiling->rest)
        return clopt_trip_condition(&cloning, tiling->loop, &over, (unsigned)tiling->size);
    return clopt_build(tiling->source, over.bound, type ? "$v $s$s ($t)$n" : "$v $s$s $n", begin,
                       over.step < 0 ? ">" : "<", equal_of(&over), type ? type : (void *)over.bound,
                       over.bound);
}

/* Returns where the first tile begins, as loops compare it. */
static struct clopt_node *build_first(const struct clopt_tiling *tiling, bool set)
{
    const struct clopt_trip *trip = &tiling->trip;
    struct clopt_source *source = tiling->source;
    const struct clopt_cloning plainly = {.source = source, .plain = true};
    const char *type = cast_of(trip), *own = trip->counter->type;
    bool held = set || !trip->first;
    bool as_is = !held && trip->first->bits == trip->counter->bits &&
                 trip->first->is_signed == trip->counter->is_signed;
    struct clopt_node *first = held ? clopt_build(source, tiling->loop, "$v", trip->counter)
                                    : clopt_clone(&plainly, trip->first);
    if (!tiling->wide || (type && strstr(type, "long")))
        type = NULL;
    if (tiling->wide && !held && !as_is)
        first = clopt_build(source, tiling->loop, "($t)$n", own, first);
    return type && strcmp(type, own) != 0 ? clopt_build(source, tiling->loop, "($t)$n", type, first)
                                          : first;
}

/* ---- edits ---- */

/* The first value of the counter of a loop that sets it. */
static struct clopt_node *first_of(const struct clopt_node *loop)
{
    return loop->init->kind == CLOPT_NODE_DECLARE ? loop->init->children[0]->condition
                                                  : loop->init->children[1];
}

/* Puts a loop over tiles in a target, from the value on that the counter has if it is `set`; where
 * they leave a rest, the loop follows once more. The tiles of one that counts from 0 by 1 end at a
 * multiple of their size. Returns what is to become the body of the new loop. */
static struct clopt_node *put_tiles(const struct clopt_tiling *tiling, struct clopt_node *target,
                                    bool set)
{
    const struct clopt_cloning plainly = {.source = tiling->source, .plain = true};
    struct clopt_source *source = tiling->source;
    const struct clopt_trip *trip = &tiling->trip;
    struct clopt_node *loop = tiling->loop;
    int64_t step = trip->step * tiling->size;
    struct clopt_node *rest = tiling->rest ? clopt_clone(&plainly, loop) : NULL;
    bool zero = trip->first_known && trip->first_value == 0 && trip->step == 1 &&
                !trip->inclusive && !cast_of(trip) && !set;
    struct clopt_variable *begin =
        clopt_variable_make(source, begin_type(tiling), "", "%s0", trip->counter->name);
    struct clopt_node *condition = build_condition(tiling, begin);
    struct clopt_node *declare =
        clopt_build(source, loop, "$V = $n;", begin, build_first(tiling, set));
    enter_tile(tiling, begin);
    struct clopt_node *tiles = clopt_build(source, loop, "for ($n; $n; $v += $l) ;",
                                           rest && !zero ? NULL : declare, condition, begin, step);
    if (!rest) {
        clopt_replace(source, target, tiles);
    } else if (zero) {
        clopt_replace_by(source, first_of(rest), "$n / $l * $l", trip->bound, step, step);
        clopt_replace_by(source, target, "{ $n $n }", tiles, rest);
    } else {
        clopt_replace_by(source, first_of(rest), "$v", begin);
        clopt_replace_by(source, target, "{ $n $n $n }", declare, tiles, rest);
    }
    return tiles->body;
}

enum clopt_status clopt_tilings_build(struct clopt_tiling *tilings, unsigned depth,
                                      struct clopt_error *error)
{
    struct clopt_source *source = tilings->source;
    const struct clopt_trip *trip = &tilings->trip;
    struct clopt_node *target = tilings->loop;
    if (target->parent->kind == CLOPT_NODE_ATTRIBUTED)
        target = target->parent;
    tilings->rest = depth == 1 && trip->first && !trip->unequal && !tilings->whole;
    for (unsigned i = 0; i < depth; i++)
        if (check_wrap(&tilings[i], error))
            return CLOPT_INFEASIBLE;
    struct clopt_node *whole = target;
    /* A counter that is read after its loop has a value even after 0 iterations. */
    bool set =
        !trip->declared && trip->first && !clopt_loop_ends_variable(tilings->loop, trip->counter);
    if (set)
        clopt_insert_before(source, target, tilings->loop->init);
    for (unsigned i = 0; i < depth; i++)
        target = put_tiles(&tilings[i], target, set);
    clopt_replace(source, target, whole);
    return CLOPT_OK;
}
