/* SPDX-License-Identifier: BSD-3-Clause */
/* Expressions as affine forms: the one evaluator of integers, and what is asked of its forms. */

#include "analysis/bounds.h"
#include "analysis/trip.h"
#include "kernel/tree.h"

/* Factors stay so small that no product of two overflows. */
#define LARGEST INT32_MAX

#define MOST_DEPTH 32 /* of definitions inside definitions */

bool clopt_nodes_equal(const struct clopt_node *a, const struct clopt_node *b)
{
    a = clopt_node_bare(a);
    b = clopt_node_bare(b);
    if (a == b)
        return true;
    if (a->known && b->known)
        return a->value == b->value && a->bits == b->bits && a->is_signed == b->is_signed;
    if (a->kind != b->kind || a->variable != b->variable || a->child_count != b->child_count ||
        a->bits != b->bits || a->is_signed != b->is_signed || a->width != b->width ||
        !clopt_node_is_operator(a, b->op) || (!a->name != !b->name) ||
        (a->name && strcmp(a->name, b->name) != 0))
        return false;
    /* These are more than their children: their name says it, if they have one. */
    bool named = a->kind == CLOPT_NODE_LITERAL || a->kind == CLOPT_NODE_SIZEOF ||
                 a->kind == CLOPT_NODE_AS_TYPE || a->kind == CLOPT_NODE_VECTOR ||
                 (a->kind == CLOPT_NODE_CAST && !a->bits);
    if (named && !a->name)
        return false;
    for (size_t i = 0; i < a->child_count; i++)
        if (!clopt_nodes_equal(a->children[i], b->children[i]))
            return false;
    return true;
}

/* ---- reading ---- */

static bool is_unsigned(const struct clopt_node *node)
{
    return node->bits == 32 && !node->is_signed;
}

/* Whether a 32-bit value becomes another one in a type of the same width. */
static bool changes_sign(const struct clopt_node *value, bool is_signed)
{
    return value->bits == 32 && value->is_signed != is_signed;
}

/* Whether a value is made of identities and sizes alone, which are 0 or more: no launch has so many
 * work-items that an int cannot tell them apart. */
static bool is_of_identities(const struct clopt_node *node)
{
    node = clopt_node_bare(node);
    if (node->known)
        return node->value >= 0;
    if (node->kind == CLOPT_NODE_BINARY && strchr("+*/%", *node->op) && !node->op[1])
        return is_of_identities(node->children[0]) && is_of_identities(node->children[1]);
    return clopt_node_dimension(node, "get_global_id") < 3 ||
           clopt_node_dimension(node, "get_local_id") < 3 || clopt_node_group_begin(node) < 3 ||
           clopt_node_asks_size(node);
}

static bool is_small(const struct clopt_affine *affine)
{
    for (unsigned i = 0; i < affine->count; i++)
        if (affine->terms[i].factor > LARGEST || affine->terms[i].factor < -LARGEST)
            return false;
    return true;
}

/* Notes that a value is one modulo 2^32, unless it is a number that all types hold. */
static bool wrap(struct clopt_affine *affine, bool wraps)
{
    int64_t value;
    affine->wraps |= wraps && !(clopt_affine_is_constant(affine, &value) && value >= 0);
    return is_small(affine);
}

/* Compares two numbers as their types are. */
static bool compare_numbers(const struct clopt_node *node, int64_t a, int64_t b, int64_t *value)
{
    bool equal = a == b, inclusive = node->op[1] == '=';
    bool as_is =
        (a >= 0 && b >= 0) || (node->children[0]->is_signed && node->children[1]->is_signed);
    switch (node->op[0]) {
    case '<':
    case '>':
        *value = equal ? inclusive : (a < b) == (*node->op == '<');
        return as_is && node->op[1] != node->op[0];
    case '=':
    case '!':
        *value = equal == (*node->op == '=');
        return as_is;
    default:
        return false;
    }
}

/* Reads two operands that are numbers. */
static bool read_numbers(const struct clopt_affine_reader *reader, const struct clopt_node *node,
                         struct clopt_affine *affine)
{
    struct clopt_affine left, right;
    int64_t a, b, value;
    if (!clopt_affine_evaluate(reader, node->children[0], &left) ||
        !clopt_affine_is_constant(&left, &a) || left.wraps ||
        !clopt_affine_evaluate(reader, node->children[1], &right) ||
        !clopt_affine_is_constant(&right, &b) || right.wraps ||
        (!clopt_constant_operate(node->op, a, b, &value) && !compare_numbers(node, a, b, &value)))
        return false;
    *affine = clopt_affine_constant(value);
    return is_small(affine);
}

static bool read_binary(const struct clopt_affine_reader *reader, const struct clopt_node *node,
                        struct clopt_affine *affine)
{
    struct clopt_affine right;
    if (!strchr("+-*", *node->op) &&
        !(clopt_node_is_operator(node, "<<") && node->children[1]->known))
        return read_numbers(reader, node, affine) || reader->read(reader->user, node, affine);
    return clopt_affine_evaluate(reader, node->children[0], affine) &&
           clopt_affine_evaluate(reader, node->children[1], &right) &&
           clopt_affine_operate(affine, node->op, &right) && wrap(affine, is_unsigned(node));
}

static bool read_cast(const struct clopt_affine_reader *reader, const struct clopt_node *node,
                      struct clopt_affine *affine)
{
    const struct clopt_node *child = node->children[0];
    int64_t value;
    if (child->bits < 32)
        return reader->read(reader->user, node, affine);
    bool fits = clopt_affine_evaluate(reader, child, affine);
    if (child->bits > node->bits && !is_of_identities(child) &&
        !(fits && clopt_affine_is_constant(affine, &value) && value >= 0 && !affine->wraps))
        return reader->read(reader->user, node, affine);
    return fits && wrap(affine, node->bits == 32 && changes_sign(child, node->is_signed));
}

bool clopt_affine_evaluate(const struct clopt_affine_reader *reader, const struct clopt_node *node,
                           struct clopt_affine *affine)
{
    struct clopt_affine right;
    *affine = clopt_affine_constant(node->known ? node->value : 0);
    if (node->known)
        return is_small(affine);
    if (node->bits < 32 || (reader->is_whole && reader->is_whole(reader->user, node)))
        return reader->read(reader->user, node, affine);
    switch (node->kind) {
    case CLOPT_NODE_PAREN:
        return clopt_affine_evaluate(reader, node->children[0], affine);
    case CLOPT_NODE_CAST:
        return read_cast(reader, node, affine);
    case CLOPT_NODE_UNARY:
        if (!clopt_node_is_operator(node, "-"))
            break;
        return clopt_affine_evaluate(reader, node->children[0], &right) &&
               clopt_affine_add(affine, &right, -1) && wrap(affine, is_unsigned(node));
    case CLOPT_NODE_BINARY:
        return read_binary(reader, node, affine);
    default:
        break;
    }
    return reader->read(reader->user, node, affine);
}

/* ---- numbers ---- */

static bool read_bound(void *user, const struct clopt_node *node, struct clopt_affine *affine)
{
    const struct clopt_binding *binding = user;
    while (binding && (node->kind != CLOPT_NODE_VARIABLE || binding->variable != node->variable))
        binding = binding->outer;
    bool known = binding && binding->known && llabs(binding->value) <= LARGEST / 2;
    *affine = clopt_affine_constant(known ? binding->value : 0);
    return known;
}

bool clopt_trip_evaluate(const struct clopt_node *node, const struct clopt_binding *bindings,
                         int64_t *value)
{
    const struct clopt_affine_reader reader = {.read = read_bound, .user = (void *)bindings};
    struct clopt_affine form;
    return clopt_affine_evaluate(&reader, node, &form) && clopt_affine_is_constant(&form, value) &&
           !form.wraps && llabs(*value) <= LARGEST / 2;
}

/* ---- symbols ---- */

struct reading {
    struct clopt_symbols *symbols;
    const struct clopt_node *loop; /* whose definitions are looked up, or NULL */
    unsigned depth;                /* of definitions */
};

/* The initial value of a variable that the loop declares and that has no other one; else NULL. */
static const struct clopt_node *definition_of(const struct reading *reading,
                                              const struct clopt_node *node)
{
    const struct clopt_variable *variable = node->variable;
    const struct clopt_node *declarator =
        node->kind == CLOPT_NODE_VARIABLE && node->bits >= 32 ? variable->declarator : NULL;
    if (!reading->loop || reading->depth == MOST_DEPTH || !declarator || !declarator->condition ||
        declarator->condition->bits < 32 || !clopt_node_contains(reading->loop->body, declarator) ||
        variable->is_volatile || variable->changed)
        return NULL;
    return declarator->condition;
}

static bool set_symbol(struct clopt_symbols *symbols, const struct clopt_node *node,
                       struct clopt_affine *affine)
{
    unsigned i = 0;
    /* i++ - i++ is not 0. */
    if (clopt_node_effects(node) & ~(unsigned)CLOPT_EFFECT_MEMORY_READ)
        return false;
    while (i < symbols->count && !clopt_nodes_equal(symbols->nodes[i], node))
        i++;
    if (i == CLOPT_MOST_SYMBOLS)
        return false;
    if (i == symbols->count)
        symbols->nodes[symbols->count++] = node;
    *affine = clopt_affine_symbol(i + 1);
    return true;
}

static bool read_symbol(void *user, const struct clopt_node *node, struct clopt_affine *affine)
{
    struct reading *reading = user;
    const struct clopt_node *value = definition_of(reading, node);
    if (!value)
        return set_symbol(reading->symbols, node, affine);
    reading->depth++;
    bool fits = clopt_affine_evaluate(
        &(struct clopt_affine_reader){.read = read_symbol, .user = user}, value, affine);
    reading->depth--;
    return fits && wrap(affine, changes_sign(value, node->is_signed) ||
                                    (value->bits > node->bits && !is_of_identities(value)));
}

bool clopt_affine_read(struct clopt_symbols *symbols, const struct clopt_node *loop,
                       const struct clopt_node *node, struct clopt_affine *affine)
{
    struct reading reading = {symbols, loop, 0};
    const struct clopt_affine_reader reader = {.read = read_symbol, .user = &reading};
    return clopt_affine_evaluate(&reader, node, affine);
}

/* ---- what is asked of forms ---- */

bool clopt_affine_take_variable(const struct clopt_symbols *symbols, struct clopt_affine *affine,
                                const struct clopt_variable *variable,
                                struct clopt_affine *coefficient)
{
    unsigned found = CLOPT_MOST_SYMBOLS + 1; /* no symbol of the form */
    for (unsigned i = 0; i < symbols->count; i++) {
        const struct clopt_node *node = symbols->nodes[i];
        if (clopt_node_names(node, variable))
            found = i + 1;
        else if (clopt_affine_has(affine, i + 1) && clopt_node_uses(node, variable))
            return false;
    }
    return clopt_affine_take(affine, found, coefficient);
}

bool clopt_affine_is_invariant(const struct clopt_symbols *symbols, const struct clopt_node *loop,
                               const struct clopt_affine *affine)
{
    for (unsigned i = 0; i < symbols->count; i++)
        if (clopt_affine_has(affine, i + 1) && !clopt_loop_is_invariant(loop, symbols->nodes[i]))
            return false;
    return true;
}

/* Reads how much more an expression is than another one; NULL is 0. */
static bool read_difference(struct clopt_symbols *symbols, const struct clopt_node *loop,
                            const struct clopt_node *a, const struct clopt_node *b,
                            struct clopt_affine *difference)
{
    struct clopt_affine less = {.count = 0};
    *difference = less;
    return (!a || clopt_affine_read(symbols, loop, a, difference)) &&
           (!b || clopt_affine_read(symbols, loop, b, &less)) &&
           clopt_affine_add(difference, &less, -1);
}

bool clopt_subscript_distance(const struct clopt_node *a, const struct clopt_node *b,
                              int64_t *distance)
{
    struct clopt_symbols symbols = {.count = 0};
    struct clopt_affine difference, less;
    if (!(a->children[0]->is_pointer || a->children[0]->is_array) ||
        !clopt_nodes_equal(a->children[0], b->children[0]))
        return false;
    bool named = clopt_index_read(&symbols, b->children[1], &difference) &&
                 clopt_index_read(&symbols, a->children[1], &less);
    return (named ? clopt_affine_add(&difference, &less, -1)
                  : read_difference(&symbols, NULL, b->children[1], a->children[1], &difference)) &&
           !difference.wraps && clopt_affine_is_constant(&difference, distance);
}

/* ---- loops and accesses ---- */

/* Whether a value may be below 0, and without a sign more than all others then. */
static bool may_go_below(struct clopt_symbols *symbols, const struct clopt_node *loop,
                         const struct clopt_node *node)
{
    struct clopt_affine form;
    bool below = !clopt_affine_read(symbols, loop, node, &form);
    for (unsigned i = 0; !below && i < form.count; i++)
        below = form.terms[i].factor < 0;
    return below;
}

/* Reads how far a loop's counter goes; false where that does not tell how many iterations it has.
 */
static bool read_way(struct clopt_symbols *symbols, const struct clopt_node *loop,
                     const struct clopt_trip *trip, struct clopt_affine *way)
{
    bool up = trip->step > 0;
    bool is_signed =
        trip->first && trip->counter->is_signed && trip->first->is_signed && trip->bound->is_signed;
    return trip->first && !trip->unequal &&
           (is_signed || !(may_go_below(symbols, loop, trip->first) ||
                           may_go_below(symbols, loop, trip->bound))) &&
           read_difference(symbols, loop, up ? trip->bound : trip->first,
                           up ? trip->first : trip->bound, way);
}

int64_t clopt_trip_count(const struct clopt_node *loop)
{
    struct clopt_trip trip;
    struct clopt_symbols symbols = {.count = 0};
    struct clopt_affine way;
    int64_t distance = 0;
    if (!clopt_trip_find(loop, NULL, &trip))
        return 0;
    if (trip.count_known)
        return trip.count;
    if (!read_way(&symbols, loop, &trip, &way) || !clopt_affine_is_constant(&way, &distance))
        return 0;
    int64_t size = llabs(trip.step);
    distance += trip.inclusive;
    return distance > 0 ? (distance + size - 1) / size : 0;
}

bool clopt_loop_iterations(const struct clopt_node *loop, const struct clopt_trip *trip)
{
    struct clopt_symbols symbols = {.count = 0};
    struct clopt_affine way;
    if (trip->count_known)
        return trip->count > 0;
    return read_way(&symbols, loop, trip, &way) &&
           clopt_affine_exceeds(&symbols, loop, &way, -(int)trip->inclusive);
}

bool clopt_indices_differ(const struct clopt_node *where, const struct clopt_node *a,
                          const struct clopt_node *b)
{
    struct clopt_symbols symbols = {.count = 0};
    struct clopt_affine more, less = {.count = 0};
    const struct clopt_node *loop = where;
    int64_t number;
    while (loop->parent && !clopt_node_is_loop(loop))
        loop = loop->parent;
    if (!clopt_node_is_loop(loop) || !read_difference(&symbols, loop, a, b, &more) ||
        !clopt_affine_add(&less, &more, -1))
        return false;
    if (clopt_affine_is_constant(&more, &number))
        return number != 0;
    return clopt_affine_exceeds(&symbols, where, &more, 0) ||
           clopt_affine_exceeds(&symbols, where, &less, 0);
}
