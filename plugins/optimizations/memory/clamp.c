/* SPDX-License-Identifier: BSD-3-Clause */
/* Indices that are limited: in a[min(x, n - 1)], where x is made of an identity, work-items past
 * the end read what the last one does. Footprints are found as if they read on; what a tile has in
 * their place is read at the last index again, which is in the buffer. */
#include "tile.h"

/* The number that an expression of one identity is where that has a value; false: it is another
 * one. The dimension is noted. */
static bool evaluate(const struct clopt_node *node, int64_t item, unsigned *dimension,
                     int64_t *value)
{
    int64_t right = 0;
    unsigned asked = clopt_node_dimension(node, "get_global_id");
    *value = node->known ? node->value : item;
    if (node->known)
        return true;
    if (asked < 3) {
        bool same = *dimension == 3 || *dimension == asked;
        *dimension = asked;
        return same;
    }
    if (node->kind == CLOPT_NODE_PAREN || node->kind == CLOPT_NODE_CAST)
        return node->bits >= 32 && evaluate(node->children[0], item, dimension, value);
    if (node->kind != CLOPT_NODE_BINARY || !strchr("+*/%", *node->op) || node->op[1] ||
        !evaluate(node->children[0], item, dimension, value) ||
        !evaluate(node->children[1], item, dimension, &right))
        return false;
    bool divides = *node->op == '/' || *node->op == '%';
    if ((divides && (!node->children[1]->known || right == 0)) || *value < 0 || right < 0 ||
        *value > INT32_MAX || right > INT32_MAX)
        return false;
    *value = *node->op == '+'   ? *value + right
             : *node->op == '*' ? *value * right
             : *node->op == '/' ? *value / right
                                : *value % right;
    return true;
}

/* Whether an integer is the same wherever it is computed: made of numbers and arguments. */
static bool is_fixed(const struct clopt_node *node)
{
    if (node->known)
        return true;
    if (node->kind == CLOPT_NODE_VARIABLE)
        return node->variable->is_parameter && !node->variable->changed;
    for (size_t i = 0; i < node->child_count; i++)
        if (!is_fixed(node->children[i]))
            return false;
    return node->kind == CLOPT_NODE_PAREN || node->kind == CLOPT_NODE_CAST ||
           node->kind == CLOPT_NODE_BINARY;
}

/* The dimension by whose identity a node limits an index; 3: it does not. */
static unsigned clamp_dimension(const struct clopt_node *node)
{
    unsigned dimension = 3;
    int64_t value;
    bool limits = clopt_node_calls(node, "min") && node->child_count == 2 && node->bits >= 32 &&
                  evaluate(node->children[0], 0, &dimension, &value) && is_fixed(node->children[1]);
    return limits ? dimension : 3;
}

void clamps_hide(struct clamps *clamps, struct clopt_source *source, const size_t local[3])
{
    struct clopt_node *body = source->kernel->body;
    for (struct clopt_node *node = body; node; node = clopt_node_next(node, body)) {
        unsigned dimension = clamp_dimension(node);
        if (dimension == 3 || local[dimension] < 2)
            continue;
        clopt_nodes_add(source, &clamps->hidden[dimension], node);
        node->kind = CLOPT_NODE_PAREN;
        node->child_count = 1;
    }
}

void clamps_show(struct clamps *clamps)
{
    for (unsigned d = 0; d < 3; d++)
        while (clamps->hidden[d].count) {
            struct clopt_node *node = clamps->hidden[d].items[--clamps->hidden[d].count];
            node->kind = CLOPT_NODE_CALL;
            node->child_count = 2;
        }
}

/* ---- accesses ---- */

/* What an index is limited by in a dimension. */
struct looking {
    const struct clopt_nodes *hidden;
    const struct clopt_node *access;
    unsigned dimension;
    const struct clopt_node *clamp; /* NULL: none */
    bool other; /* something else of that dimension, or that is not known, is in it */
};

/* The value that a variable of an access has where it is not known to change but by loops; NULL: it
 * has none, as parameters. */
static const struct clopt_node *value_of(struct looking *looking,
                                         const struct clopt_variable *variable)
{
    struct clopt_trip trip;
    for (const struct clopt_node *loop = looking->access; loop; loop = loop->parent)
        if (clopt_node_is_loop(loop) && clopt_trip_find(loop, NULL, &trip) &&
            trip.counter == variable)
            return trip.first;
    looking->other |= variable->changed && !variable->is_array;
    return variable->declarator ? variable->declarator->condition : NULL;
}

static void look(struct looking *looking, const struct clopt_node *node)
{
    for (size_t i = 0; i < looking->hidden->count; i++)
        if (looking->hidden->items[i] == node) {
            looking->other |= looking->clamp && looking->clamp != node;
            looking->clamp = node;
            return;
        }
    const struct clopt_node *value =
        node->kind == CLOPT_NODE_VARIABLE ? value_of(looking, node->variable) : NULL;
    looking->other |= clopt_node_dimension(node, "get_global_id") == looking->dimension ||
                      clopt_node_dimension(node, "get_local_id") == looking->dimension;
    if (value)
        look(looking, value);
    for (size_t i = 0; i < node->child_count; i++)
        look(looking, node->children[i]);
}

/* Whether work-items of a group read what the clamp's values are apart from the first one's, in one
 * direction alone, which nothing else moves along. */
static bool follows(const struct tile *tile, size_t number, const struct clopt_node *clamp,
                    const struct looking *first, size_t items, unsigned direction)
{
    const struct clopt_footprint *footprint = tile->footprint;
    const struct clopt_coordinate *own = footprint->accesses[number].coordinates;
    unsigned dimension = first->dimension;
    int64_t begin, value;
    for (unsigned i = 0; i < CLOPT_MOST_ITERATORS; i++)
        for (unsigned d = 0; d < footprint->direction_count; d++)
            if (own[d].factors[i] && (i == dimension) != (d == direction))
                return false;
    evaluate(first->clamp->children[0], 0, &dimension, &begin);
    for (size_t item = 0; item < items; item++) {
        evaluate(clamp->children[0], (int64_t)item, &dimension, &value);
        if (value - begin != own[direction].factors[dimension] * (int64_t)item +
                                 own[direction].offset -
                                 footprint->accesses[0].coordinates[direction].offset)
            return false;
    }
    return clopt_nodes_equal(clamp->children[1], first->clamp->children[1]);
}

/* Finds how a footprint is limited in a dimension; false: that is not known. */
static bool find_clamp(const struct clamps *clamps, struct tile *tile, unsigned dimension,
                       size_t items)
{
    const struct clopt_footprint *footprint = tile->footprint;
    struct looking first = {.clamp = NULL};
    unsigned direction = 0;
    while (direction + 1 < footprint->direction_count &&
           !footprint->accesses[0].coordinates[direction].factors[dimension])
        direction++;
    for (size_t i = 0; i < footprint->access_count; i++) {
        const struct clopt_node *access = footprint->accesses[i].node;
        struct looking looking = {
            .hidden = &clamps->hidden[dimension], .access = access, .dimension = dimension};
        for (size_t k = 0; k < access->child_count; k++)
            look(&looking, access->children[k]);
        first = i ? first : looking;
        if (looking.other || !looking.clamp != !first.clamp ||
            (looking.clamp && !follows(tile, i, looking.clamp, &first, items, direction)))
            return false;
    }
    if (first.clamp)
        tile->clamps[direction] = first.clamp;
    return true;
}

bool clamps_find(const struct clamps *clamps, struct tile *tile, const size_t local[3])
{
    for (unsigned d = 0; d < 3; d++)
        if (clamps->hidden[d].count && !find_clamp(clamps, tile, d, local[d]))
            return false;
    return true;
}
