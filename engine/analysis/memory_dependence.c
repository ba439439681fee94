/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells which memory accesses alias, and whether they depend on each other in a nest of loops. */
#include "analysis/bounds.h"
#include "number/number.h"

#define MOST_FACTOR (INT64_C(1) << 28) /* times the number of iterations, it fits */
#define MOST_TRIES  1024               /* of a nest of two loops */

static bool is_restrict(const struct clopt_variable *variable)
{
    return strstr(variable->type, "restrict") != NULL;
}

bool clopt_accesses_alias(const struct clopt_access *a, const struct clopt_access *b)
{
    if (a->space != b->space || a->space == CLOPT_SPACE_GENERIC)
        return a->space == CLOPT_SPACE_GENERIC || b->space == CLOPT_SPACE_GENERIC;
    if (!a->root || !b->root || a->root == b->root)
        return true;
    if (a->space != CLOPT_SPACE_GLOBAL)
        return false; /* arrays, and parameters of local memory, are apart */
    return !is_restrict(a->root) && !is_restrict(b->root);
}

/* Whether difference + the sum of factors times distances can be 0. */
static bool can_vanish(int64_t difference, const int64_t *factors,
                       const struct clopt_distance *distances, unsigned depth, bool wraps)
{
    int64_t least = difference;
    int64_t most = difference;
    int64_t divisor = 0;
    for (unsigned i = 0; i < depth; i++) {
        bool falls = factors[i] < 0;
        least += factors[i] * (falls ? distances[i].most : distances[i].least);
        most += factors[i] * (falls ? distances[i].least : distances[i].most);
        divisor = clopt_greatest_divisor(divisor, factors[i]);
    }
    if (wraps && (least <= -(INT64_C(1) << 32) || most >= INT64_C(1) << 32))
        return true;
    if (least > 0 || most < 0)
        return false;
    if (divisor && difference % divisor != 0)
        return false;
    if (depth < 2 || distances[0].most - distances[0].least > MOST_TRIES >> 5 * (depth - 2))
        return true;
    for (int64_t iterations = distances[0].least; iterations <= distances[0].most; iterations++)
        if (can_vanish(difference + factors[0] * iterations, factors + 1, distances + 1, depth - 1,
                       false))
            return true;
    return false;
}

/* What two indices are made of, seen from a nest of loops. */
struct indices {
    const struct clopt_nest *nest;
    struct clopt_symbols symbols;
    struct clopt_affine factors[CLOPT_MOST_NEST]; /* of the counters */
    int64_t difference;                           /* of what is left */
    bool wraps;
};

/* Splits two forms into the factors of the counters, which must be the same, and the rest. */
static bool split(struct indices *indices, struct clopt_affine x, struct clopt_affine y)
{
    const struct clopt_nest *nest = indices->nest;
    const struct clopt_node *outer = nest->loops[0];
    for (unsigned i = 0; i < nest->depth; i++) {
        const struct clopt_variable *counter = nest->trips[i]->counter;
        struct clopt_affine *factor = &indices->factors[i];
        struct clopt_affine other;
        if (!clopt_affine_take_variable(&indices->symbols, &x, counter, factor) ||
            !clopt_affine_take_variable(&indices->symbols, &y, counter, &other) ||
            !clopt_affine_equals(&other, factor) ||
            !clopt_affine_is_invariant(&indices->symbols, outer, factor))
            return false;
    }
    bool invariant =
        clopt_affine_is_invariant(&indices->symbols, outer, &x) && clopt_affine_add(&y, &x, -1);
    indices->wraps = y.wraps;
    return invariant && clopt_affine_is_constant(&y, &indices->difference);
}

/* Whether one iteration of a loop moves an index further than all of the others and the difference
 * do: a row of n columns, of which j < n is one. */
static bool outdoes(struct indices *indices, unsigned row, const struct clopt_distance *distances)
{
    const struct clopt_nest *nest = indices->nest;
    struct clopt_affine way = indices->factors[row];
    int64_t others = llabs(indices->difference);
    for (unsigned i = 0; i < nest->depth; i++) {
        const struct clopt_trip *trip = nest->trips[i];
        struct clopt_affine counter;
        int64_t factor = 0;
        if (i == row || (!distances[i].least && !distances[i].most) || !indices->factors[i].count)
            continue;
        if (!clopt_affine_is_constant(&indices->factors[i], &factor) || factor < 0 ||
            trip->step < 0 || !trip->first_known ||
            !clopt_affine_read(&indices->symbols, NULL, nest->loops[i]->step->children[0],
                               &counter) ||
            !clopt_affine_add(&way, &counter, -factor))
            return false;
        others -= factor * trip->first_value;
    }
    return clopt_affine_exceeds(&indices->symbols, nest->loops[nest->depth - 1]->body, &way,
                                others);
}

/* Whether two forms may be the same. */
static bool forms_meet(struct indices *indices, const struct clopt_affine *x,
                       const struct clopt_affine *y, const struct clopt_distance *distances)
{
    const struct clopt_nest *nest = indices->nest;
    int64_t factors[CLOPT_MOST_NEST] = {0};
    bool known = true;
    if (!split(indices, *x, *y))
        return true;
    for (unsigned i = 0; i < nest->depth; i++) {
        known &= clopt_affine_is_constant(&indices->factors[i], &factors[i]);
        factors[i] *= nest->trips[i]->step;
        if (known && llabs(factors[i]) > MOST_FACTOR)
            return true;
    }
    if (known)
        return can_vanish(indices->difference, factors, distances, nest->depth, indices->wraps);
    /* Factors that are not known, such as the n of n * i + j. */
    for (unsigned i = 0; i < nest->depth && !indices->wraps; i++)
        if ((distances[i].least > 0 || distances[i].most < 0) && outdoes(indices, i, distances))
            return false;
    return true;
}

/* Takes the row out of an index row * width + column, where that is one of the `width` columns. */
static bool take_row(struct clopt_symbols *symbols, const struct clopt_node *where, unsigned width,
                     struct clopt_affine *column, struct clopt_affine *row)
{
    struct clopt_affine left = clopt_affine_symbol(width);
    return clopt_affine_take(column, width, row) && row->count &&
           clopt_affine_exceeds(symbols, where, column, -1) &&
           clopt_affine_add(&left, column, -1) && clopt_affine_exceeds(symbols, where, &left, 0);
}

/* Whether an index may be the same for both. Rows and columns are the same only where their sums
 * are, which tells n * i + j and n * j + i apart. */
static bool index_meets(const struct clopt_nest *nest, const struct clopt_access *a,
                        const struct clopt_access *b, unsigned number,
                        const struct clopt_distance *distances)
{
    struct indices indices = {.nest = nest};
    struct clopt_symbols *symbols = &indices.symbols;
    const struct clopt_node *outer = nest->loops[0];
    struct clopt_affine x = {.count = 0}, y = {.count = 0};
    if ((a->indices[number] && !clopt_affine_read(symbols, outer, a->indices[number], &x)) ||
        (b->indices[number] && !clopt_affine_read(symbols, outer, b->indices[number], &y)))
        return true;
    bool meet = forms_meet(&indices, &x, &y, distances);
    for (unsigned s = 1, count = symbols->count; meet && s <= count && !x.wraps && !y.wraps; s++) {
        struct clopt_affine left = x, right = y, row, other;
        const struct clopt_affine width = clopt_affine_symbol(s);
        meet = !clopt_affine_is_invariant(symbols, outer, &width) ||
               !take_row(symbols, a->node, s, &left, &row) ||
               !take_row(symbols, b->node, s, &right, &other) ||
               !clopt_affine_add(&left, &row, 1) || !clopt_affine_add(&right, &other, 1) ||
               forms_meet(&indices, &left, &right, distances);
    }
    return meet;
}

/* Distances that the trip count allows. */
static struct clopt_distance limit(const struct clopt_trip *trip, struct clopt_distance distance)
{
    int64_t most = trip->count_known ? trip->count - 1 : CLOPT_MANY_ITERATIONS;
    if (distance.most > most)
        distance.most = most;
    if (distance.least < -most)
        distance.least = -most;
    return distance;
}

bool clopt_accesses_depend(const struct clopt_nest *nest, const struct clopt_access *a,
                           const struct clopt_access *b, const struct clopt_distance *distances)
{
    struct clopt_distance limited[CLOPT_MOST_NEST];
    if ((!a->writes && !b->writes) || !clopt_accesses_alias(a, b) ||
        clopt_node_declares(nest->loops[nest->depth - 1]->body, a->root))
        return false;
    for (unsigned i = 0; i < nest->depth; i++) {
        limited[i] = limit(nest->trips[i], distances[i]);
        if (limited[i].least > limited[i].most)
            return false;
    }
    if (a->anywhere || b->anywhere || !a->base || a->base != b->base ||
        a->index_count != b->index_count)
        return true;
    if (!a->base->is_array && a->base->is_pointer &&
        clopt_node_uses(nest->loops[0], a->base) & CLOPT_WRITE)
        return true; /* a pointer that is another one in each iteration */
    for (unsigned i = 0; i < a->index_count; i++)
        if (!index_meets(nest, a, b, i, limited))
            return false;
    return true;
}
