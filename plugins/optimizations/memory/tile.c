/* SPDX-License-Identifier: BSD-3-Clause */
/* Tiles: how they are filled and read. */
#include "tile.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Returns how long the steps of a direction are, in elements. */
static struct clopt_node *distance(struct clopt_source *source,
                                   const struct clopt_direction *direction)
{
    struct clopt_node *sum = clopt_build(source, NULL, "0");
    for (unsigned i = 0; i < direction->term_count; i++) {
        const struct clopt_stride_term *term = &direction->terms[i];
        struct clopt_node *product = clopt_build(source, NULL, "1");
        for (unsigned k = 0; k < term->count; k++)
            product = term->parameters[k]
                          ? clopt_build(source, NULL, "$n * $v", product, term->parameters[k])
                          : clopt_build(source, NULL, "$n * $n", product, term->expressions[k]);
        sum = clopt_build(source, NULL, "$n + $l * $n", sum, term->number, product);
    }
    return sum;
}

static int64_t extent(const struct clopt_direction *direction)
{
    return direction->most - direction->least + 1;
}

/* ---- moving accesses ---- */

/* What takes the place of a variable in an access that is made earlier: the first value of a
 * counter, or what a variable is defined as; NULL: itself. */
static const struct clopt_node *moved_value(const struct tile *tile, const struct clopt_node *node)
{
    const struct clopt_variable *variable = node->variable;
    struct clopt_trip trip;
    if (node->kind != CLOPT_NODE_VARIABLE)
        return NULL;
    for (unsigned i = 0; i < tile->footprint->loop_count; i++)
        if (clopt_trip_find(tile->footprint->loops[i], NULL, &trip) && trip.counter == variable)
            return trip.first;
    const struct clopt_node *declarator = variable->declarator;
    bool defined = declarator && !clopt_node_is_before(declarator, tile->before) &&
                   !variable->changed && !variable->is_array;
    return defined ? declarator->condition : NULL;
}

const struct clopt_node *tile_outermost_loop(const struct clopt_node *node)
{
    const struct clopt_node *found = NULL;
    for (; node; node = node->parent)
        if (clopt_node_is_loop(node))
            found = node;
    return found;
}

size_t tile_end(const struct tile *tile)
{
    const struct clopt_node *loop = tile_outermost_loop(tile->before);
    size_t end = loop ? clopt_node_end(loop) : tile->before->index;
    for (size_t i = 0; i < tile->footprint->access_count; i++)
        if (tile->footprint->accesses[i].node->index > end)
            end = tile->footprint->accesses[i].node->index;
    return end;
}

/* Whether a node reads memory that is written from where the tile is filled on, or before that in
 * the same loop. */
static bool reads_written(const struct tile *tile, const struct clopt_accesses *all,
                          const struct clopt_node *node)
{
    const struct clopt_node *loop = tile_outermost_loop(tile->before);
    size_t first = loop ? loop->index : tile->before->index;
    size_t end = tile_end(tile);
    for (size_t i = 0; i < all->count; i++)
        for (size_t j = 0; j < all->count && all->items[i].node == node; j++) {
            const struct clopt_access *access = &all->items[j];
            if (access->writes && access->node->index > first && access->node->index < end &&
                clopt_accesses_alias(&all->items[i], access))
                return true;
        }
    return false;
}

/* Whether an expression has, in front of the tile's statement, the value that it has where it is.
 */
static bool can_move(const struct tile *tile, const struct clopt_accesses *all,
                     const struct clopt_node *node)
{
    const struct clopt_node *value = moved_value(tile, node);
    if (value)
        return can_move(tile, all, value);
    if (node->kind == CLOPT_NODE_VARIABLE) {
        const struct clopt_variable *variable = node->variable;
        if (variable->declarator && !clopt_node_is_before(variable->declarator, tile->before))
            return false;
        if (!variable->is_array &&
            (clopt_node_uses(tile->before, variable) & (CLOPT_WRITE | CLOPT_ADDRESS)))
            return false;
    }
    for (size_t i = 0; i < node->child_count; i++)
        if (!can_move(tile, all, node->children[i]))
            return false;
    return !reads_written(tile, all, node) &&
           !(clopt_node_effects(node) & ~(unsigned)CLOPT_EFFECT_MEMORY_READ);
}

bool tile_can_move(const struct tile *tile, const struct clopt_accesses *all,
                   const struct clopt_node *access)
{
    for (size_t i = 0; i < access->child_count; i++)
        if (!can_move(tile, all, access->children[i]))
            return false;
    return !(clopt_node_effects(access) & ~(unsigned)CLOPT_EFFECT_MEMORY_READ);
}

struct moving {
    struct clopt_source *source;
    const struct tile *tile;
};

static struct clopt_node *move_variable(void *user, const struct clopt_node *node)
{
    const struct moving *moving = user;
    const struct clopt_cloning cloning = {moving->source, user, move_variable, NULL, true};
    const struct clopt_node *value = moved_value(moving->tile, node);
    return value ? clopt_clone(&cloning, value) : NULL;
}

/* ---- work-items that have returned ---- */

/* The step of the only local identity in a direction in which work-items return; 0: there is none,
 * or the limit is that of several. */
static int64_t limited_step(const struct clopt_coordinate *coordinate, unsigned dimension)
{
    for (unsigned d = 0; d < 3; d++)
        if (d != dimension && coordinate->factors[d])
            return 0;
    return coordinate->factors[dimension];
}

bool tile_can_limit(const struct tile *tile, const struct returns *returns)
{
    const struct clopt_footprint *footprint = tile->footprint;
    for (size_t l = 0; l < returns->limit_count; l++)
        for (size_t i = 0; i < footprint->access_count; i++)
            for (unsigned d = 0; d < footprint->direction_count; d++) {
                unsigned dimension = returns->limits[l].dimension;
                const struct clopt_coordinate *coordinate = &footprint->accesses[i].coordinates[d];
                if (coordinate->factors[dimension] && limited_step(coordinate, dimension) != 1)
                    return false;
            }
    return true;
}

static struct clopt_node *join(struct clopt_source *source, struct clopt_node *a,
                               struct clopt_node *b)
{
    return a && b ? clopt_build(source, NULL, "$n && $n", a, b) : a ? a : b;
}

/* Returns whether `number` work-items from the group's first one on there is one that stays, or was
 * one `halo` before. */
static struct clopt_node *compare_limit(struct clopt_source *source, const struct limit *limit,
                                        struct clopt_node *number, int64_t halo)
{
    return clopt_build(
        source, NULL, "(int)(get_global_id($u) - get_local_id($u)) + $n < (int)($n + $l)",
        limit->dimension, limit->dimension, number, limit->bound, halo + limit->more);
}

/* Returns whether any work-item of the group stays; NULL: all do. */
static struct clopt_node *any_stays(struct clopt_source *source, const struct returns *returns)
{
    struct clopt_node *all = NULL;
    for (size_t l = 0; l < returns->limit_count; l++)
        all = join(source, all,
                   compare_limit(source, &returns->limits[l], clopt_build(source, NULL, "0"), 0));
    return all;
}

/* Returns the condition under which elements at `number` of a direction are read by a work-item
 * that stays; NULL: all are. Work-item v reads what is up to the halo away from v steps. */
static struct clopt_node *limit_condition(struct clopt_source *source, const struct tile *tile,
                                          const struct returns *returns, unsigned d,
                                          struct clopt_node *number, const size_t local[3])
{
    const struct clopt_direction *direction = &tile->footprint->directions[d];
    struct clopt_node *all = NULL;
    for (size_t l = 0; l < returns->limit_count; l++) {
        const struct limit *limit = &returns->limits[l];
        unsigned dimension = limit->dimension;
        if (!tile->footprint->accesses[0].coordinates[d].factors[dimension])
            continue;
        int64_t halo = direction->most - direction->least - (int64_t)(local[dimension] - 1);
        all = join(source, all, compare_limit(source, limit, number, halo));
    }
    return all;
}

/* ---- filling ---- */

/* Returns how many steps of a direction the work-item itself makes from the corner in its first
 * iteration. */
static struct clopt_node *own_steps(struct clopt_source *source,
                                    const struct clopt_coordinate *coordinate, int64_t least)
{
    struct clopt_node *sum = clopt_build(source, NULL, "0");
    for (unsigned d = 0; d < 3; d++)
        sum = clopt_build(source, NULL, "$n + $l * (int)get_local_id($u)", sum,
                          coordinate->factors[d], d);
    return clopt_build(source, NULL, "$n + $l", sum, coordinate->offset - least);
}

/* Returns the address of the first element of the box. */
static struct clopt_node *corner(struct clopt_source *source, const struct tile *tile)
{
    const struct clopt_footprint_access *access = &tile->footprint->accesses[0];
    struct moving moving = {source, tile};
    struct clopt_cloning cloning = {source, &moving, move_variable, NULL, true};
    struct clopt_node *own = clopt_build(source, NULL, "0");
    for (unsigned d = 0; d < tile->footprint->direction_count; d++) {
        const struct clopt_direction *direction = &tile->footprint->directions[d];
        own = clopt_build(source, NULL, "$n + $n * $n", own,
                          own_steps(source, &access->coordinates[d], direction->least),
                          distance(source, direction));
    }
    return clopt_build(source, access->node, "&$n - $n", clopt_clone(&cloning, access->node), own);
}

/* Returns the number of a work-item in its group. */
static struct clopt_node *item_number(struct clopt_source *source, const size_t local[3])
{
    struct clopt_node *sum = clopt_build(source, NULL, "0");
    int64_t before = 1;
    for (unsigned d = 0; d < 3; d++) {
        if (local[d] > 1)
            sum = clopt_build(source, NULL, "$n + $l * (int)get_local_id($u)", sum, before, d);
        before *= (int64_t)local[d];
    }
    return sum;
}

/* Returns the element number `index`, counted through the box, in the tile and in the buffer. */
static struct clopt_node *copy_element(struct clopt_source *source, const struct tile *tile,
                                       const struct returns *returns, const size_t local[3],
                                       struct clopt_variable *from, struct clopt_variable *index)
{
    const struct clopt_footprint *footprint = tile->footprint;
    struct clopt_node *place = clopt_build(source, NULL, "$v", tile->array);
    struct clopt_node *element = clopt_build(source, NULL, "0");
    struct clopt_node *condition = NULL;
    int64_t inner = (int64_t)footprint->elements;
    for (unsigned d = 0; d < footprint->direction_count; d++) {
        const struct clopt_direction *direction = &footprint->directions[d];
        bool outermost = inner == (int64_t)footprint->elements;
        if (extent(direction) == 1)
            continue;
        inner /= extent(direction);
        struct clopt_node *steps = clopt_build(source, NULL, outermost ? "$v / $l" : "$v / $l % $l",
                                               index, inner, extent(direction));
        struct clopt_node *limit = limit_condition(source, tile, returns, d, steps, local);
        condition = join(source, condition, limit);
        place = clopt_build(source, NULL, "$n[$n]", place, steps);
        element =
            clopt_build(source, NULL, "$n + $n * $n", element, steps, distance(source, direction));
    }
    struct clopt_node *copy =
        clopt_build(source, NULL, footprint->elements > 1 ? "$n = $v[$n]" : "$n[0] = $v[$n]", place,
                    from, element);
    return condition ? clopt_build(source, NULL, "if ($n) $n;", condition, copy)
                     : clopt_build(source, NULL, "$n;", copy);
}

struct clopt_node *tile_fill(struct clopt_source *source, const struct tile *tile,
                             const struct returns *returns, const size_t local[3])
{
    const struct clopt_footprint *footprint = tile->footprint;
    int64_t items = (int64_t)(local[0] * local[1] * local[2]);
    int64_t elements = (int64_t)footprint->elements;
    int64_t whole = elements - elements % items;
    struct clopt_variable *from = clopt_variable_make(source, footprint->array->type, "", "corner");
    struct clopt_variable *item = clopt_variable_make(source, "const int", "", "item");
    struct clopt_variable *first = clopt_variable_make(source, "int", "", "first");
    struct clopt_variable *index = clopt_variable_make(source, "const int", "", "index");
    struct clopt_node *block = clopt_build(source, tile->before, "{ $V = $n; $V = $n; }", from,
                                           corner(source, tile), item, item_number(source, local));
    if (whole == items)
        clopt_append(source, block, copy_element(source, tile, returns, local, from, item));
    else if (whole)
        clopt_append(source, block,
                     clopt_build(source, tile->before,
                                 "for ($V = 0; $v < $l; $v += $l) { $V = $v + $v; $n }", first,
                                 first, whole, first, items, index, first, item,
                                 copy_element(source, tile, returns, local, from, index)));
    if (elements > whole)
        clopt_append(source, block,
                     clopt_build(source, tile->before, "if ($v < $l) { $V = $v + $l; $n }", item,
                                 elements - whole, index, item, whole,
                                 copy_element(source, tile, returns, local, from, index)));
    struct clopt_node *condition = any_stays(source, returns);
    return condition ? clopt_build(source, tile->before, "if ($n) $n", condition, block) : block;
}

/* ---- the array ---- */

struct clopt_node *tile_declare(struct clopt_source *source, struct tile *tile)
{
    const struct clopt_footprint *footprint = tile->footprint;
    const struct clopt_variable *array = footprint->array;
    char type[64], dimensions[128] = "";
    size_t length = 0;
    snprintf(type, sizeof type, "__local %s", clopt_scalar_name(array->pointee_scalar));
    if (array->pointee_width > 1)
        snprintf(type + strlen(type), sizeof type - strlen(type), "%u", array->pointee_width);
    for (unsigned d = 0; d < footprint->direction_count; d++)
        if (extent(&footprint->directions[d]) > 1)
            length += (size_t)snprintf(dimensions + length, sizeof dimensions - length,
                                       "[%" PRId64 "]", extent(&footprint->directions[d]));
    tile->array =
        clopt_variable_make(source, type, *dimensions ? dimensions : "[1]", "%s_tile", array->name);
    return clopt_build(source, NULL, "$V;", tile->array);
}

/* ---- reading ---- */

/* Returns how many iterations a loop has made. */
static struct clopt_node *iteration(struct clopt_source *source, const struct clopt_node *loop)
{
    struct clopt_trip trip;
    clopt_trip_find(loop, NULL, &trip);
    struct clopt_node *way = trip.step < 0
                                 ? clopt_build(source, NULL, "$n - $v", trip.first, trip.counter)
                             : trip.first_known && !trip.first_value
                                 ? clopt_build(source, NULL, "$v", trip.counter)
                                 : clopt_build(source, NULL, "$v - $n", trip.counter, trip.first);
    return clopt_build(source, NULL, "$n / $l", way, trip.step < 0 ? -trip.step : trip.step);
}

struct clopt_node *tile_read(struct clopt_source *source, const struct tile *tile,
                             const struct clopt_footprint_access *access)
{
    const struct clopt_footprint *footprint = tile->footprint;
    struct clopt_node *place = clopt_build(source, access->node, "$v", tile->array);
    for (unsigned d = 0; d < footprint->direction_count; d++) {
        const struct clopt_coordinate *coordinate = &access->coordinates[d];
        struct clopt_node *index = clopt_build(source, NULL, "0");
        if (extent(&footprint->directions[d]) == 1)
            continue;
        for (unsigned i = 0; i < 3; i++)
            index = clopt_build(source, NULL, "$n + $l * get_local_id($u)", index,
                                coordinate->factors[i], i);
        for (unsigned i = 0; i < footprint->loop_count; i++)
            index = clopt_build(source, NULL, "$n + $l * $n", index, coordinate->factors[3 + i],
                                iteration(source, footprint->loops[i]));
        place = clopt_build(source, access->node, "$n[$n + $l]", place, index,
                            coordinate->offset - footprint->directions[d].least);
    }
    return footprint->elements > 1 ? place : clopt_build(source, access->node, "$n[0]", place);
}
