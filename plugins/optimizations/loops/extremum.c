/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the branches by which a loop keeps the greatest number or the least one. */
#include "extremum.h"

size_t loop_count_uses(const struct clopt_node *loop, const struct clopt_variable *variable)
{
    size_t count = 0;
    for (const struct clopt_node *node = loop; node; node = clopt_node_next(node, loop))
        count += node->kind == CLOPT_NODE_VARIABLE && node->variable == variable;
    return count;
}

/* The private variable from outside of a loop that a node names, if the loop uses it so many times;
 * NULL: the node is something else. */
static struct clopt_variable *find_result(const struct clopt_node *loop,
                                          const struct clopt_node *node, size_t uses)
{
    struct clopt_variable *variable =
        node->kind == CLOPT_NODE_VARIABLE ? (struct clopt_variable *)node->variable : NULL;
    bool plain = variable && variable->space == CLOPT_SPACE_PRIVATE && !variable->is_array &&
                 !variable->is_pointer && !variable->is_record && !variable->is_volatile &&
                 variable->width == 1 && !clopt_node_declares(loop->body, variable) &&
                 loop_count_uses(loop, variable) == uses;
    return plain ? variable : NULL;
}

/* Reads e > best, best < e and their like; returns e. */
static const struct clopt_node *read_condition(const struct clopt_node *loop,
                                               const struct clopt_node *condition,
                                               struct extremum *extremum)
{
    const struct clopt_node *node = clopt_node_bare(condition);
    bool less = node->kind == CLOPT_NODE_BINARY && clopt_node_is_operator(node, "<");
    if (!less && !(node->kind == CLOPT_NODE_BINARY && clopt_node_is_operator(node, ">")))
        return NULL;
    for (unsigned i = 0; i < 2; i++) {
        const struct clopt_node *value = clopt_node_bare(node->children[1 - i]);
        extremum->best = find_result(loop, clopt_node_bare(node->children[i]), 2);
        extremum->better = less == (i == 1) ? "<" : ">";
        if (extremum->best && value->scalar == extremum->best->scalar && value->width == 1 &&
            !(clopt_node_effects(value) & ~(unsigned)CLOPT_EFFECT_MEMORY_READ))
            return value;
    }
    return NULL;
}

/* Reads best = e or index = k, each once. */
static bool read_assignment(const struct clopt_node *loop, const struct clopt_node *statement,
                            const struct clopt_node *value, const struct clopt_variable *counter,
                            struct extremum *extremum, bool *found)
{
    if (statement->kind != CLOPT_NODE_ASSIGN || !clopt_node_is_operator(statement, "="))
        return false;
    const struct clopt_node *to = clopt_node_bare(statement->children[0]);
    const struct clopt_node *from = clopt_node_bare(statement->children[1]);
    if (clopt_node_names(to, extremum->best)) {
        bool first = !*found;
        *found = true;
        return first && clopt_nodes_equal(from, value);
    }
    if (extremum->index || !clopt_node_names(from, counter))
        return false;
    extremum->index = find_result(loop, to, 1);
    return extremum->index && clopt_scalar_is_integer(extremum->index->scalar) &&
           extremum->index->bits >= counter->bits &&
           extremum->index->is_signed == counter->is_signed;
}

static bool read_branch(const struct clopt_node *loop, const struct clopt_node *branch,
                        const struct clopt_trip *trip, struct extremum *extremum)
{
    bool found = false;
    const struct clopt_node *body = branch->body;
    const struct clopt_node *value = read_condition(loop, branch->condition, extremum);
    if (!value || branch->otherwise)
        return false;
    extremum->earlier = trip->step < 0 ? ">" : "<";
    if (body->kind != CLOPT_NODE_COMPOUND)
        return read_assignment(loop, body, value, trip->counter, extremum, &found) && found;
    for (size_t i = 0; i < body->child_count; i++)
        if (!read_assignment(loop, body->children[i], value, trip->counter, extremum, &found))
            return false;
    return found;
}

void extrema_find(const struct clopt_node *loop, const struct clopt_trip *trip, bool reassociate,
                  struct extrema *extrema, bool *handled)
{
    const struct clopt_node *body = loop->body;
    extrema->count = 0;
    for (const struct clopt_node *node = body; node; node = clopt_node_next(node, body)) {
        struct extremum extremum = {0};
        if (node->kind != CLOPT_NODE_IF || extrema->count == MOST_EXTREMA ||
            !read_branch(loop, node, trip, &extremum))
            continue;
        if (!extremum.index && !reassociate && clopt_scalar_is_real(extremum.best->scalar))
            continue;
        extrema->items[extrema->count++] = extremum;
        handled[extremum.best->index] = true;
        if (extremum.index)
            handled[extremum.index->index] = true;
    }
}
