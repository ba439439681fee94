/* SPDX-License-Identifier: BSD-3-Clause */
/* Medians of nine by fewer exchanges.
 *
 * Exchanges of a private array by min and max, of which one element alone is read later, are a
 * network that selects an element of a rank. That it does is proved by all inputs of zeros and ones
 * (Knuth: The Art of Computer Programming, volume 3, 5.3.4, theorem Z), as min and max keep any
 * order. The median of three by three is that of the largest least, the middle one of the middles,
 * and the least largest of three columns, which neighbours along a row share. */
#include <clopt/loop.h>

#include "analysis/trip.h"
#include "branches.h"

#define ELEMENTS       9
#define MEDIAN         4
#define MOST_EXCHANGES 64

struct exchange {
    unsigned lesser; /* the element that gets the lesser one */
    unsigned greater;
};

struct network {
    const struct clopt_variable *array;
    struct exchange exchanges[MOST_EXCHANGES];
    size_t count;
};

/* ---- reading exchanges ---- */

/* Reads the number of an element of the network's array. */
static bool read_element(struct network *network, const struct clopt_node *node,
                         const struct clopt_binding *bindings, unsigned *element)
{
    int64_t value;
    const struct clopt_node *bare = clopt_node_bare(node);
    const struct clopt_node *base =
        bare->kind == CLOPT_NODE_SUBSCRIPT ? clopt_node_bare(bare->children[0]) : bare;
    if (bare == base || base->kind != CLOPT_NODE_VARIABLE ||
        (network->array && base->variable != network->array) ||
        !clopt_trip_evaluate(bare->children[1], bindings, &value) || value < 0 || value >= ELEMENTS)
        return false;
    network->array = base->variable;
    *element = (unsigned)value;
    return true;
}

/* Whether a node calls min or max with the two elements of an exchange. */
static bool calls_with(struct network *network, const struct clopt_node *node, const char *name,
                       const struct clopt_binding *bindings, const struct exchange *exchange)
{
    unsigned a, b;
    const struct clopt_node *call = clopt_node_bare(node);
    return clopt_node_calls(call, name) && call->child_count == 2 &&
           read_element(network, call->children[0], bindings, &a) &&
           read_element(network, call->children[1], bindings, &b) &&
           ((a == exchange->lesser && b == exchange->greater) ||
            (b == exchange->lesser && a == exchange->greater));
}

/* Reads { t = min(a, b); b = max(a, b); a = t; } and its mirror image. */
static bool read_exchange(struct network *network, const struct clopt_node *block,
                          const struct clopt_binding *bindings)
{
    struct exchange exchange;
    struct clopt_node *const *statements = block->children;
    if (block->child_count != 3 || network->count == MOST_EXCHANGES ||
        statements[0]->kind != CLOPT_NODE_DECLARE || statements[0]->child_count != 1 ||
        !statements[0]->children[0]->condition || !clopt_node_written(statements[1]) ||
        !clopt_node_written(statements[2]))
        return false;
    const struct clopt_node *first = statements[0]->children[0];
    bool least = clopt_node_calls(clopt_node_bare(first->condition), "min");
    unsigned *of_first = least ? &exchange.lesser : &exchange.greater;
    unsigned *of_second = least ? &exchange.greater : &exchange.lesser;
    if (!read_element(network, clopt_node_written(statements[1]), bindings, of_second) ||
        !read_element(network, clopt_node_written(statements[2]), bindings, of_first) ||
        !clopt_node_is_operator(statements[1], "=") ||
        !clopt_node_is_operator(statements[2], "=") ||
        !clopt_node_names(clopt_node_bare(statements[2]->children[1]), first->variable) ||
        first->variable->scalar != network->array->scalar ||
        !calls_with(network, first->condition, least ? "min" : "max", bindings, &exchange) ||
        !calls_with(network, statements[1]->children[1], least ? "max" : "min", bindings,
                    &exchange))
        return false;
    network->exchanges[network->count++] = exchange;
    return true;
}

/* Reads all exchanges of a statement; false: it does something else. */
static bool read_statement(struct network *network, const struct clopt_node *node,
                           const struct clopt_binding *bindings)
{
    struct clopt_trip trip;
    if (node->kind == CLOPT_NODE_ATTRIBUTED)
        return read_statement(network, node->body, bindings);
    if (node->kind == CLOPT_NODE_COMPOUND) {
        if (read_exchange(network, node, bindings))
            return true;
        for (size_t i = 0; i < node->child_count; i++)
            if (!read_statement(network, node->children[i], bindings))
                return false;
        return node->child_count;
    }
    if (node->kind != CLOPT_NODE_FOR || !clopt_trip_find(node, bindings, &trip) || !trip.declared ||
        !trip.first_known || !trip.count_known)
        return false;
    for (int64_t i = 0; i < trip.count; i++) {
        const struct clopt_binding binding = {.outer = bindings,
                                              .variable = trip.counter,
                                              .known = true,
                                              .value = trip.first_value + i * trip.step};
        if (!read_statement(network, node->body, &binding))
            return false;
    }
    return true;
}

/* ---- proving what is selected ---- */

/* Whether a network leaves the median of all elements in its place. */
static bool selects_median(const struct network *network)
{
    for (unsigned input = 0; input < 1u << ELEMENTS; input++) {
        unsigned state = input, ones = 0;
        for (unsigned i = 0; i < ELEMENTS; i++)
            ones += input >> i & 1;
        for (size_t i = 0; i < network->count; i++) {
            unsigned a = 1u << network->exchanges[i].lesser;
            unsigned b = 1u << network->exchanges[i].greater;
            if ((state & a) && !(state & b))
                state = (state & ~a) | b;
        }
        if ((state >> MEDIAN & 1) != (ones > ELEMENTS / 2))
            return false;
    }
    return true;
}

/* Whether a function uses an array after a statement as v[MEDIAN] alone, and nowhere but in lists
 * that are executed once. */
static bool reads_median_alone(const struct clopt_node *statement,
                               const struct clopt_variable *array)
{
    const struct clopt_node *body = clopt_node_function(statement);
    for (const struct clopt_node *at = statement->parent; at; at = at->parent)
        if (clopt_node_is_loop(at))
            return false;
    for (const struct clopt_node *at = body; at; at = clopt_node_next(at, body)) {
        const struct clopt_node *element = at->parent;
        if (!clopt_node_names(at, array) || at->index < clopt_node_end(statement))
            continue;
        if (element->kind != CLOPT_NODE_SUBSCRIPT || !element->children[1]->known ||
            element->children[1]->value != MEDIAN ||
            (clopt_node_use(at, body) & (CLOPT_WRITE | CLOPT_ADDRESS)))
            return false;
    }
    return !(array->uses & CLOPT_ADDRESS);
}

/* ---- the edit ---- */

/* What makes a network's place. */
struct selecting {
    struct clopt_source *source;
    const struct clopt_node *at;
    const struct clopt_variable *array;
    struct clopt_nodes statements;
};

/* Declares a value; returns the variable. */
#define PUT(selecting, name, ...)                                                                  \
    put(selecting, name, clopt_build((selecting)->source, (selecting)->at, __VA_ARGS__))

static struct clopt_variable *put(struct selecting *selecting, const char *name,
                                  struct clopt_node *value)
{
    struct clopt_variable *variable = clopt_variable_make(
        selecting->source, clopt_scalar_name(selecting->array->scalar), "", "%s", name);
    clopt_nodes_put(selecting->source, &selecting->statements, selecting->at, "$V = $n;", variable,
                    value);
    return variable;
}

/* Puts the median of three values; returns it. */
static struct clopt_variable *put_median(struct selecting *selecting,
                                         struct clopt_variable *const *v)
{
    return PUT(selecting, "middle", "max(min($v, $v), min(max($v, $v), $v))", v[0], v[1], v[0],
               v[1], v[2]);
}

/* Returns a block that leaves the median of all elements in its place. */
static struct clopt_node *form_median(struct selecting *selecting)
{
    struct clopt_source *source = selecting->source;
    const struct clopt_variable *v = selecting->array;
    struct clopt_variable *least[3], *middle[3], *most[3], *whole[3];
    for (unsigned c = 0; c < 3; c++) {
        struct clopt_variable *low = PUT(selecting, "low", "min($v[$u], $v[$u])", v, c, v, c + 3);
        struct clopt_variable *high = PUT(selecting, "high", "max($v[$u], $v[$u])", v, c, v, c + 3);
        least[c] = PUT(selecting, "least", "min($v, $v[$u])", low, v, c + 6);
        middle[c] = PUT(selecting, "middle", "max($v, min($v, $v[$u]))", low, high, v, c + 6);
        most[c] = PUT(selecting, "most", "max($v, $v[$u])", high, v, c + 6);
    }
    whole[0] = PUT(selecting, "least", "max(max($v, $v), $v)", least[0], least[1], least[2]);
    whole[1] = put_median(selecting, middle);
    whole[2] = PUT(selecting, "most", "min(min($v, $v), $v)", most[0], most[1], most[2]);
    clopt_nodes_put(source, &selecting->statements, selecting->at, "$v[$u] = $v;", v,
                    (unsigned)MEDIAN, put_median(selecting, whole));
    return clopt_build(source, selecting->at, "{ $N }", &selecting->statements);
}

/* Reads the exchanges that a list has from a statement on; returns the number after the last. */
static size_t read_list(struct network *network, const struct clopt_node *list, size_t first)
{
    size_t next = first;
    for (struct network more = *network; next < list->child_count; next++) {
        if (!read_statement(&more, list->children[next], NULL))
            break;
        *network = more;
    }
    return next;
}

/* Whether exchanges of an array are a median that takes fewer. */
static bool can_be_less(const struct network *network)
{
    const struct clopt_variable *array = network->array;
    return network->count && array->space == CLOPT_SPACE_PRIVATE && array->width == 1 &&
           clopt_variable_extent(array, 0) == ELEMENTS && clopt_scalar_is_integer(array->scalar) &&
           !array->is_volatile && selects_median(network);
}

enum clopt_status network_edit(void *user, struct clopt_source *source, struct clopt_error *error)
{
    struct clopt_node *body = source->kernel->body;
    (void)user;
    for (struct clopt_node *list = body; list; list = clopt_node_next(list, body))
        for (size_t i = 0; list->kind == CLOPT_NODE_COMPOUND && i < list->child_count; i++) {
            struct network network = {.count = 0};
            size_t end = read_list(&network, list, i);
            if (!can_be_less(&network) ||
                !reads_median_alone(list->children[end - 1], network.array))
                continue;
            struct selecting selecting = {source, list->children[i], network.array, {0}};
            struct clopt_node *median = form_median(&selecting);
            while (--end > i)
                clopt_remove(source, list->children[end]);
            clopt_replace(source, list->children[i], median);
            return CLOPT_OK;
        }
    return clopt_fail(error, CLOPT_INFEASIBLE, "%s selects no median of nine",
                      source->kernel->name);
}
