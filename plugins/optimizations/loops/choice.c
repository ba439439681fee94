/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the branches by which a loop looks for the greatest number or the least one. */
#include "choice.h"

static size_t count_uses(const struct clopt_node *loop, const struct clopt_variable *variable)
{
    size_t count = 0;
    for (const struct clopt_node *node = loop; node; node = clopt_node_next(node, loop))
        count += node->kind == CLOPT_NODE_VARIABLE && node->variable == variable;
    return count;
}

/* The private variable that a node names, where a loop uses it so many times and hands it on; NULL:
 * it is something else. */
static struct clopt_variable *handed_on(const struct clopt_node *loop,
                                        const struct clopt_node *node, size_t uses)
{
    struct clopt_variable *variable =
        node->kind == CLOPT_NODE_VARIABLE ? (struct clopt_variable *)node->variable : NULL;
    bool plain = variable && variable->space == CLOPT_SPACE_PRIVATE && !variable->is_array &&
                 !variable->is_pointer && !variable->is_record && !variable->is_volatile &&
                 variable->width == 1 && !clopt_node_declares(loop->body, variable) &&
                 count_uses(loop, variable) == uses;
    return plain ? variable : NULL;
}

/* Reads e > best, best < e and their like; returns e. */
static const struct clopt_node *read_condition(const struct clopt_node *loop,
                                               const struct clopt_node *condition,
                                               struct loop_choice *choice)
{
    const struct clopt_node *node = clopt_node_bare(condition);
    bool less = node->kind == CLOPT_NODE_BINARY && clopt_node_is_operator(node, "<");
    if (!less && !(node->kind == CLOPT_NODE_BINARY && clopt_node_is_operator(node, ">")))
        return NULL;
    for (unsigned i = 0; i < 2; i++) {
        const struct clopt_node *value = clopt_node_bare(node->children[1 - i]);
        choice->best = handed_on(loop, clopt_node_bare(node->children[i]), 2);
        choice->better = less == (i == 1) ? "<" : ">";
        if (choice->best && value->scalar == choice->best->scalar && value->width == 1 &&
            !(clopt_node_effects(value) & ~(unsigned)CLOPT_EFFECT_MEMORY_READ))
            return value;
    }
    return NULL;
}

/* Reads best = e or place = k, each once. */
static bool read_assignment(const struct clopt_node *loop, const struct clopt_node *statement,
                            const struct clopt_node *value, const struct clopt_variable *counter,
                            struct loop_choice *choice, bool *found)
{
    if (statement->kind != CLOPT_NODE_ASSIGN || !clopt_node_is_operator(statement, "="))
        return false;
    const struct clopt_node *to = clopt_node_bare(statement->children[0]);
    const struct clopt_node *from = clopt_node_bare(statement->children[1]);
    if (clopt_node_names(to, choice->best)) {
        bool first = !*found;
        *found = true;
        return first && clopt_nodes_equal(from, value);
    }
    if (choice->place || !clopt_node_names(from, counter))
        return false;
    choice->place = handed_on(loop, to, 1);
    return choice->place && clopt_scalar_is_integer(choice->place->scalar) &&
           choice->place->bits >= counter->bits && choice->place->is_signed == counter->is_signed;
}

static bool read_branch(const struct clopt_node *loop, const struct clopt_node *branch,
                        const struct clopt_trip *trip, struct loop_choice *choice)
{
    bool found = false;
    const struct clopt_node *body = branch->body;
    const struct clopt_node *value = read_condition(loop, branch->condition, choice);
    if (!value || branch->otherwise)
        return false;
    choice->earlier = trip->step < 0 ? ">" : "<";
    if (body->kind != CLOPT_NODE_COMPOUND)
        return read_assignment(loop, body, value, trip->counter, choice, &found) && found;
    for (size_t i = 0; i < body->child_count; i++)
        if (!read_assignment(loop, body->children[i], value, trip->counter, choice, &found))
            return false;
    return found;
}

void loop_choices_find(const struct clopt_node *loop, const struct clopt_trip *trip,
                       bool reassociate, struct loop_choices *choices, bool *apart)
{
    const struct clopt_node *body = loop->body;
    choices->count = 0;
    for (const struct clopt_node *node = body; node; node = clopt_node_next(node, body)) {
        struct loop_choice choice = {0};
        if (node->kind != CLOPT_NODE_IF || choices->count == MOST_CHOICES ||
            !read_branch(loop, node, trip, &choice))
            continue;
        if (!choice.place && !reassociate && clopt_scalar_is_real(choice.best->scalar))
            continue;
        choices->items[choices->count++] = choice;
        apart[choice.best->index] = true;
        if (choice.place)
            apart[choice.place->index] = true;
    }
}
