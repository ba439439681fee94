/* SPDX-License-Identifier: BSD-3-Clause */
/* Tiles: how they are filled and read. */
#include "tile.h"

/* More work-items than a launch has, to which a little can be added. */
#define BEYOND ((int64_t)1 << 30)

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

/* Whether work-items read different elements of a direction. */
static bool tells_apart(const struct clopt_footprint *footprint, unsigned direction)
{
    for (size_t i = 0; i < footprint->access_count; i++)
        for (unsigned d = 0; d < 3; d++)
            if (footprint->accesses[i].coordinates[direction].factors[d])
                return true;
    return false;
}

bool tile_reads_columns(const struct clopt_footprint *footprint)
{
    unsigned count = footprint->direction_count;
    return count > 1 && tells_apart(footprint, count - 2) && !tells_apart(footprint, count - 1);
}

/* Returns the direction that an index of the array is of. */
static unsigned direction_of(const struct tile *tile, unsigned index)
{
    unsigned last = tile->footprint->direction_count - 1;
    return tile->turned && index + 1 >= last ? 2 * last - 1 - index : index;
}

/* ---- moving accesses ---- */

/* What takes the place of a variable in an access that is made earlier, as the first work-item of
 * the group makes it: the first value of a counter, or what a variable is defined as; NULL: itself.
 */
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
    bool defined = declarator && !variable->changed && !variable->is_array &&
                   (!clopt_node_is_before(declarator, tile->before) ||
                    clopt_variable_diverges(tile->divergence, variable));
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

/* Whether a variable counts a loop around the lvalue where the tile is filled. */
static bool counts_around(const struct tile *tile, const struct clopt_variable *variable)
{
    struct clopt_trip trip;
    for (const struct clopt_node *loop = tile->before->parent; loop; loop = loop->parent)
        if (clopt_node_is_loop(loop) && clopt_trip_find(loop, NULL, &trip) &&
            trip.counter == variable)
            return true;
    return false;
}

/* Whether an expression has, in front of the tile's statement, the value that it has where it is;
 * `defines`: it is that of a variable that was declared before. */
static bool can_move(const struct tile *tile, const struct clopt_accesses *all,
                     const struct clopt_node *node, bool defines)
{
    const struct clopt_node *value = moved_value(tile, node);
    if (value) /* the first value of a counter is computed where its loop begins */
        return can_move(tile, all, value, defines || !clopt_node_contains(tile->before, value));
    if (node->kind == CLOPT_NODE_VARIABLE) {
        const struct clopt_variable *variable = node->variable;
        if (clopt_variable_diverges(tile->divergence, variable) ||
            (variable->declarator && !clopt_node_is_before(variable->declarator, tile->before)))
            return false;
        bool changes = defines && variable->changed && !counts_around(tile, variable);
        if (!variable->is_array &&
            (changes || (clopt_node_uses(tile->before, variable) & (CLOPT_WRITE | CLOPT_ADDRESS))))
            return false;
    }
    for (size_t i = 0; i < node->child_count; i++)
        if (!can_move(tile, all, node->children[i], defines))
            return false;
    return !reads_written(tile, all, node) &&
           !(clopt_node_effects(node) & ~(unsigned)CLOPT_EFFECT_MEMORY_READ);
}

bool tile_can_move(const struct tile *tile, const struct clopt_accesses *all,
                   const struct clopt_node *access)
{
    for (size_t i = 0; i < access->child_count; i++)
        if (!can_move(tile, all, access->children[i], false))
            return false;
    return !(clopt_node_effects(access) & ~(unsigned)CLOPT_EFFECT_MEMORY_READ);
}

struct moving {
    struct clopt_source *source;
    const struct tile *tile;
};

/* Makes a part of an index as the first work-item of the group computes it in front of the tile's
 * statement. */
static struct clopt_node *move_node(void *user, const struct clopt_node *node)
{
    const struct moving *moving = user;
    struct clopt_source *source = moving->source;
    const struct clopt_cloning cloning = {source, user, move_node, NULL, true};
    const struct clopt_node *value = moved_value(moving->tile, node);
    unsigned global = clopt_node_dimension(node, "get_global_id");
    if (global < 3)
        return clopt_build(source, node, "get_global_id($u) - get_local_id($u)", global, global);
    if (clopt_node_dimension(node, "get_local_id") < 3)
        return clopt_build(source, node, "0");
    if (node->kind == CLOPT_NODE_PAREN)
        return clopt_clone(&cloning, node->children[0]);
    if (node->kind == CLOPT_NODE_BINARY && clopt_node_is_operator(node, "+"))
        return clopt_build(source, node, "$n + $n", clopt_clone(&cloning, node->children[0]),
                           clopt_clone(&cloning, node->children[1]));
    if (!value)
        return NULL;
    if (value->known)
        return clopt_build(source, node, "$l", value->value);
    const struct clopt_variable *variable = node->variable;
    bool same = variable->is_pointer ||
                (value->bits == variable->bits && value->is_signed == variable->is_signed);
    struct clopt_node *clone = clopt_clone(&cloning, value);
    return same ? clone
                : clopt_build(source, node, "($t)$n", clopt_scalar_name(variable->scalar), clone);
}

/* ---- work-items that have returned ---- */

struct filling {
    struct clopt_source *source;
    const struct tile *tile;
    const struct returns *returns;
    const size_t *local; /* the size of groups */
};

bool tile_can_limit(const struct tile *tile, const struct returns *returns)
{
    const struct clopt_footprint *footprint = tile->footprint;
    for (size_t l = 0; l < returns->limit_count; l++)
        for (size_t i = 0; i < footprint->access_count; i++)
            for (unsigned d = 0; d < footprint->direction_count; d++) {
                unsigned dimension = returns->limits[l].dimension;
                const struct clopt_coordinate *coordinate = &footprint->accesses[i].coordinates[d];
                int64_t factor = footprint->accesses[0].coordinates[d].factors[dimension];
                int64_t step = coordinate->factors[dimension];
                bool several = coordinate->factors[(dimension + 1) % 3] ||
                               coordinate->factors[(dimension + 2) % 3];
                if ((step && (step != 1 || several)) ||
                    (returns->limits[l].smaller && step != factor))
                    return false;
            }
    return true;
}

static struct clopt_node *join(struct clopt_source *source, struct clopt_node *a,
                               struct clopt_node *b)
{
    return a && b ? clopt_build(source, NULL, "$n && $n", a, b) : a ? a : b;
}

/* Whether an expression subtracts, or a variable of it is declared so. */
static bool subtracts(const struct clopt_node *node, const void *user)
{
    const struct clopt_variable *variable =
        node->kind == CLOPT_NODE_VARIABLE ? node->variable : NULL;
    const struct clopt_node *value =
        variable && variable->declarator ? variable->declarator->condition : NULL;
    return clopt_node_is_operator(node, "-") ||
           (value && clopt_node_search(value, subtracts, user));
}

/* Returns a limit as an int. An unsigned one that may have wrapped around below 0 is beyond all
 * work-items. */
static struct clopt_node *limit_value(struct clopt_source *source, const struct limit *limit,
                                      int64_t more)
{
    const struct clopt_node *bound = limit->bound;
    const char *type = bound->bits == 64 ? "ulong" : "uint";
    more += limit->more;
    if (bound->known)
        return clopt_build(source, NULL, "$l", bound->value + more);
    if (!bound->is_signed && clopt_node_search(bound, subtracts, NULL))
        return clopt_build(source, NULL, "(int)$s(($t)($n), ($t)$l) + $l", "min", type, bound, type,
                           BEYOND, more);
    bool is_int = bound->bits == 32 && bound->is_signed;
    return clopt_build(source, NULL, is_int ? "$n + $l" : "(int)($n + $l)", bound, more);
}

/* Adds to a condition that `number` work-items from the group's first one on there is one that
 * stays, or was one `halo` before. */
static struct clopt_node *add_limit(struct clopt_source *source, struct clopt_node *all,
                                    const struct limit *limit, const struct clopt_node *number,
                                    int64_t halo)
{
    struct clopt_node *compared =
        clopt_build(source, NULL, "(int)(get_global_id($u) - get_local_id($u)) + $n $s $n",
                    limit->dimension, limit->dimension, number, limit->smaller ? ">=" : "<",
                    limit_value(source, limit, limit->smaller ? 0 : halo));
    return join(source, all, compared);
}

struct clopt_node *tile_any_stays(struct clopt_source *source, const struct returns *returns,
                                  const size_t local[3])
{
    struct clopt_node *all = NULL;
    for (size_t l = 0; l < returns->limit_count; l++) {
        const struct limit *limit = &returns->limits[l];
        int64_t last = limit->smaller ? (int64_t)local[limit->dimension] - 1 : 0;
        all = add_limit(source, all, limit, clopt_build(source, NULL, "$l", last), 0);
        for (size_t m = 0; m < returns->limit_count; m++) {
            const struct limit *other = &returns->limits[m];
            if (limit->smaller && !other->smaller && other->dimension == limit->dimension)
                all = join(source, all,
                           clopt_build(source, NULL, "$n < $n", limit_value(source, limit, 0),
                                       limit_value(source, other, 0)));
        }
    }
    return all;
}

/* Adds to a condition that elements at `number` of a direction are in a box and read by a work-item
 * that stays. Work-item v reads what is up to the halo away from v steps. */
static struct clopt_node *add_box(const struct filling *filling, struct clopt_node *all,
                                  const struct clopt_box *box, unsigned d,
                                  const struct clopt_node *number)
{
    struct clopt_source *source = filling->source;
    const struct clopt_footprint *footprint = filling->tile->footprint;
    const struct clopt_direction *direction = &footprint->directions[d];
    int64_t before = box->least[d] - direction->least;
    if (before)
        all = join(source, all, clopt_build(source, NULL, "$n >= $l", number, before));
    if (box->most[d] < direction->most)
        all = join(source, all,
                   clopt_build(source, NULL, "$n <= $l", number, box->most[d] - direction->least));
    for (size_t l = 0; l < filling->returns->limit_count; l++) {
        const struct limit *limit = &filling->returns->limits[l];
        int64_t last = (int64_t)filling->local[limit->dimension] - 1;
        if (footprint->accesses[0].coordinates[d].factors[limit->dimension])
            all =
                add_limit(source, all, limit, clopt_build(source, NULL, "$n - $l", number, before),
                          box->most[d] - box->least[d] - last);
    }
    return all;
}

/* Adds to a condition that an element is read, of whose directions `numbers` are. */
static struct clopt_node *add_boxes(const struct filling *filling, struct clopt_node *condition,
                                    struct clopt_node *const numbers[])
{
    const struct clopt_footprint *footprint = filling->tile->footprint;
    struct clopt_node *any = NULL;
    for (unsigned b = 0; b < footprint->box_count; b++) {
        struct clopt_node *all = footprint->box_count == 1 ? condition : NULL;
        for (unsigned d = 0; d < footprint->direction_count; d++)
            if (numbers[d])
                all = add_box(filling, all, &footprint->boxes[b], d, numbers[d]);
        if (!all || footprint->box_count == 1)
            return all ? all : condition;
        any = any ? clopt_build(filling->source, NULL, "$n || $n", any, all) : all;
    }
    return join(filling->source, condition, any);
}

/* ---- filling ---- */

/* Returns what a part of the first access to the buffer is to the first work-item, in front of the
 * tile's statement: 0 the address, 1 the index. */
static struct clopt_node *first_part(struct clopt_source *source, const struct tile *tile,
                                     size_t part)
{
    const struct clopt_node *access = tile->footprint->accesses[0].node;
    struct moving moving = {source, tile};
    const struct clopt_cloning cloning = {source, &moving, move_node, NULL, true};
    return part < access->child_count ? clopt_clone(&cloning, access->children[part])
                                      : clopt_build(source, access, "0");
}

/* Returns how far to go from the first work-item's element where its index is limited. */
static struct clopt_node *limit_steps(const struct filling *filling, const struct clopt_node *clamp,
                                      struct clopt_node *steps)
{
    struct clopt_source *source = filling->source;
    struct moving moving = {source, filling->tile};
    const struct clopt_cloning cloning = {source, &moving, move_node, NULL, true};
    bool is_int = clamp->bits == 32 && clamp->is_signed;
    return clopt_build(source, NULL, is_int ? "min($n, $n - $n)" : "min($n, (int)($n - $n))", steps,
                       clamp->children[1], clopt_clone(&cloning, clamp->children[0]));
}

/* Returns the statement that copies element number `index`, counted through the box. */
static struct clopt_node *copy_element(const struct filling *filling, struct clopt_variable *index)
{
    struct clopt_source *source = filling->source;
    const struct clopt_footprint *footprint = filling->tile->footprint;
    struct clopt_node *lvalue = clopt_build(source, NULL, "$v", filling->tile->array);
    struct clopt_node *element = first_part(source, filling->tile, 1), *number;
    struct clopt_node *numbers[CLOPT_MOST_DIRECTIONS] = {NULL};
    int64_t inner = (int64_t)footprint->elements;
    struct clopt_node *condition = inner % clopt_items_of(filling->local)
                                       ? clopt_build(source, NULL, "$v < $l", index, inner)
                                       : NULL;
    for (unsigned d = 0; d < footprint->direction_count; d++) {
        const struct clopt_direction *direction = &footprint->directions[d];
        bool outermost = inner == (int64_t)footprint->elements;
        const struct clopt_coordinate *first = &footprint->accesses[0].coordinates[d];
        struct clopt_node *steps = clopt_build(source, NULL, "0");
        if (extent(direction) > 1) {
            inner /= extent(direction);
            numbers[d] = steps = clopt_build(source, NULL, outermost ? "$v / $l" : "$v / $l % $l",
                                             index, inner, extent(direction));
        }
        steps = clopt_build(source, NULL, "$n - $l", steps, first->offset - direction->least);
        if (filling->tile->clamps[d])
            steps = limit_steps(filling, filling->tile->clamps[d], steps);
        element =
            clopt_build(source, NULL, "$n + $n * $n", element, steps, distance(source, direction));
    }
    for (unsigned i = 0; i < footprint->direction_count; i++)
        if ((number = numbers[direction_of(filling->tile, i)]))
            lvalue = clopt_build(source, NULL, "$n[$n]", lvalue, number);
    condition = add_boxes(filling, condition, numbers);
    element = clopt_build(source, NULL, "$n[$n]", first_part(source, filling->tile, 0), element);
    element->name = footprint->accesses[0].node->name;
    if (filling->tile->factor)
        element = clopt_build(source, NULL, "$n * $n", filling->tile->factor, element);
    struct clopt_node *copy = clopt_build(
        source, NULL, footprint->elements > 1 ? "$n = $n;" : "$n[0] = $n;", lvalue, element);
    return condition ? clopt_build(source, NULL, "if ($n) $n", condition, copy) : copy;
}

struct clopt_node *tile_fill(struct clopt_source *source, const struct tile *tile,
                             const struct returns *returns, const size_t local[3])
{
    const struct filling filling = {source, tile, returns, local};
    struct clopt_dealing dealing = {
        .elements = (int64_t)tile->footprint->elements,
        .index = clopt_variable_make(source, "const int", "", "index"),
    };
    dealing.statement = copy_element(&filling, dealing.index);
    return clopt_dealing_build(source, tile->before, &dealing, local);
}

/* ---- elements that are multiplied ---- */

/* The product of an access that is itself multiplied, as alpha * a[i] in alpha * a[i] * b[i]: to
 * round it when the tile is filled is to round it as before. NULL: there is none. */
static struct clopt_node *product_of(const struct clopt_node *access)
{
    struct clopt_node *product = access->parent, *outer = product->parent;
    bool same = product->kind == CLOPT_NODE_BINARY && clopt_node_is_operator(product, "*") &&
                product->scalar == access->scalar && product->width == access->width;
    while (same && outer->kind == CLOPT_NODE_PAREN)
        outer = outer->parent;
    return same && outer->kind == CLOPT_NODE_BINARY && clopt_node_is_operator(outer, "*") ? product
                                                                                          : NULL;
}

/* Finds what all accesses are multiplied by, an argument or a number. */
static const struct clopt_node *find_factor(const struct clopt_footprint *footprint)
{
    const struct clopt_node *factor = NULL;
    for (size_t i = 0; i < footprint->access_count; i++) {
        const struct clopt_node *access = footprint->accesses[i].node;
        const struct clopt_node *product = product_of(access);
        const struct clopt_node *other =
            product ? product->children[product->children[0] == access] : NULL;
        bool fixed = other && (other->kind == CLOPT_NODE_LITERAL ||
                               (other->kind == CLOPT_NODE_VARIABLE &&
                                other->variable->is_parameter && !other->variable->changed));
        if (!fixed || (factor && !clopt_nodes_equal(factor, other)))
            return NULL;
        factor = other;
    }
    return factor;
}

/* ---- the array ---- */

enum clopt_scalar tile_scalar(const struct clopt_footprint *footprint)
{
    const struct clopt_node *first = footprint->accesses[0].node;
    for (size_t i = 1; i < footprint->access_count; i++)
        if (clopt_node_is_loaded(footprint->accesses[i].node) != clopt_node_is_loaded(first))
            return CLOPT_SCALAR_NONE;
    return clopt_node_is_loaded(first) ? first->scalar : footprint->array->pointee_scalar;
}

struct clopt_node *tile_declare(struct clopt_source *source, struct tile *tile)
{
    const struct clopt_footprint *footprint = tile->footprint;
    const struct clopt_variable *array = footprint->array;
    char scalar[32], type[64], dimensions[128] = "";
    size_t length = 0;
    clopt_scalar_print(tile_scalar(footprint), array->pointee_width, scalar, sizeof scalar);
    snprintf(type, sizeof type, "__local %s", scalar);
    for (unsigned i = 0; i < footprint->direction_count; i++) {
        int64_t size = extent(&footprint->directions[direction_of(tile, i)]);
        if (size > 1)
            length += (size_t)snprintf(dimensions + length, sizeof dimensions - length,
                                       "[%" PRId64 "]", size);
    }
    tile->factor = find_factor(footprint);
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

void tile_read(struct clopt_source *source, const struct tile *tile,
               const struct clopt_footprint_access *access)
{
    const struct clopt_footprint *footprint = tile->footprint;
    struct clopt_node *lvalue = clopt_build(source, access->node, "$v", tile->array);
    for (unsigned i = 0; i < footprint->direction_count; i++) {
        unsigned d = direction_of(tile, i);
        const struct clopt_coordinate *coordinate = &access->coordinates[d];
        struct clopt_node *index = clopt_build(source, NULL, "0");
        if (extent(&footprint->directions[d]) == 1)
            continue;
        for (unsigned k = 0; k < 3; k++)
            index = clopt_build(source, NULL, "$n + $l * get_local_id($u)", index,
                                coordinate->factors[k], k);
        for (unsigned k = 0; k < footprint->loop_count; k++)
            index = clopt_build(source, NULL, "$n + $l * $n", index, coordinate->factors[3 + k],
                                iteration(source, footprint->loops[k]));
        lvalue = clopt_build(source, access->node, "$n[$n + $l]", lvalue, index,
                             coordinate->offset - footprint->directions[d].least);
    }
    if (footprint->elements == 1)
        lvalue = clopt_build(source, access->node, "$n[0]", lvalue);
    clopt_replace(source,
                  tile->factor ? product_of(access->node) : (struct clopt_node *)access->node,
                  lvalue);
}
