/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops whose results one side of a choice alone takes, as in b[x] = j > i ? 0 : sum: a work-group
 * none of whose work-items takes that side does without the loop. Which side is taken is known
 * where the condition compares identities in two dimensions: the group's first and last ones do. */
#include <clopt/source.h>

#include "branches.h"

struct need {
    const struct clopt_node *body; /* of the kernel */
    const struct clopt_node *loop;
    unsigned small, large; /* the side is taken where this identity is at most that */
};

/* ---- conditions ---- */

/* Reads i <= j or i < j, or what does not hold where either does, also by a name; false: it is
 * found. */
static bool read_part(void *user, const struct clopt_node *node, bool holds)
{
    struct need *found = user;
    if (node->kind == CLOPT_NODE_VARIABLE) {
        const struct clopt_node *value = clopt_variable_value(node->variable);
        return !value || clopt_node_search(value, clopt_node_names, node->variable) ||
               clopt_condition_parts(value, holds, read_part, user);
    }
    if (node->kind != CLOPT_NODE_BINARY || !clopt_node_compares(node) || !strchr("<>", *node->op))
        return true;
    bool less = (*node->op == '<') == holds;
    unsigned small = clopt_node_identity(node->children[less ? 0 : 1], 32);
    unsigned large = clopt_node_identity(node->children[less ? 1 : 0], 32);
    if (small > 2 || large > 2 || small == large)
        return true;
    found->small = small;
    found->large = large;
    return false;
}

/* Whether a side of a choice tells what is looked for, or the same as was found. */
static bool side_tells(struct need *need, const struct clopt_node *choice,
                       const struct clopt_node *side)
{
    struct need found = {.small = 3, .large = 3};
    if (side == choice->children[0])
        return false;
    clopt_condition_parts(choice->children[0], side == choice->children[1], read_part, &found);
    if (found.small == 3 || (need->small != 3 && need->small != found.small) ||
        (need->large != 3 && need->large != found.large))
        return false;
    need->small = found.small;
    need->large = found.large;
    return true;
}

/* ---- results ---- */

static bool is_taken_alone(struct need *need, const struct clopt_variable *variable);

/* Whether a use of a result counts on that side of a choice alone, or is the value of a name that
 * does. */
static bool use_is_taken(struct need *need, const struct clopt_node *use)
{
    const struct clopt_node *child = use, *node = use->parent;
    for (; node && clopt_node_is_expression(node); child = node, node = node->parent)
        if (node->kind == CLOPT_NODE_CONDITIONAL && side_tells(need, node, child))
            return true;
    return node && node->kind == CLOPT_NODE_DECLARATOR && !node->variable->changed &&
           node->variable != use->variable && !clopt_node_contains(need->loop, node) &&
           is_taken_alone(need, node->variable);
}

/* Whether a node sets a variable as a whole, which needs nothing of what it was. */
static bool is_set(const struct clopt_node *node)
{
    const struct clopt_node *parent = node->parent;
    return parent->kind == CLOPT_NODE_ASSIGN && clopt_node_is_operator(parent, "=") &&
           parent->children[0] == node && !clopt_node_is_expression(parent->parent);
}

static bool is_taken_alone(struct need *need, const struct clopt_variable *variable)
{
    for (const struct clopt_node *node = need->body; node; node = clopt_node_next(node, need->body))
        if (clopt_node_names(node, variable) && !clopt_node_contains(need->loop, node) &&
            !is_set(node) && !use_is_taken(need, node))
            return false;
    return true;
}

/* ---- loops ---- */

/* Whether what a node of a loop leaves is nothing, or variables that are taken so. */
static bool node_is_spared(struct need *need, const struct clopt_node *node)
{
    const struct clopt_node *written = clopt_node_written(node);
    bool named = node->kind == CLOPT_NODE_VARIABLE;
    bool address = node->kind == CLOPT_NODE_UNARY && clopt_node_is_operator(node, "&");
    if (node->kind == CLOPT_NODE_RETURN || address ||
        (named && node->variable->space == CLOPT_SPACE_PRIVATE &&
         (node->variable->is_array ||
          (node->variable->is_pointer && clopt_space_may_be_private(node->variable->pointee)))))
        return false;
    if (!written)
        return true;
    written = clopt_node_whole(written);
    const struct clopt_variable *variable = written->variable;
    if (written->kind != CLOPT_NODE_VARIABLE || variable->space != CLOPT_SPACE_PRIVATE)
        return false;
    return (variable->declarator && clopt_node_contains(need->loop, variable->declarator)) ||
           is_taken_alone(need, variable);
}

/* A loop has its pragmas with it. */
static bool find_need(const struct clopt_node *body, const struct clopt_node *statement,
                      struct need *need)
{
    const struct clopt_node *loop =
        statement->kind == CLOPT_NODE_ATTRIBUTED ? statement->body : statement;
    const unsigned forbidden = CLOPT_EFFECT_MEMORY_WRITE | CLOPT_EFFECT_ORDERED |
                               CLOPT_EFFECT_COLLECTIVE | CLOPT_EFFECT_GOTO;
    *need = (struct need){body, loop, 3, 3};
    if (!clopt_node_repeats(loop) || clopt_node_effects(loop) & forbidden)
        return false;
    for (const struct clopt_node *node = loop; node; node = clopt_node_next(node, loop))
        if (!node_is_spared(need, node))
            return false;
    return need->small != 3;
}

/* Finds the outermost such loops, by number, before any is changed. */
static size_t find_needs(struct clopt_source *source, const struct clopt_node *node,
                         struct need *needs)
{
    if (find_need(source->kernel->body, node, &needs[node->index]))
        return 1;
    needs[node->index].loop = NULL;
    size_t count = 0;
    for (size_t i = 0; i < node->child_count; i++)
        if (!clopt_node_is_expression(node->children[i]))
            count += find_needs(source, node->children[i], needs);
    return count;
}

static void spare(struct clopt_source *source, struct clopt_node *node, const struct need *needs)
{
    const struct need *need = &needs[node->index];
    if (need->loop) {
        unsigned small = need->small, large = need->large;
        clopt_replace_by(source, node,
                         "if (get_global_id($u) - get_local_id($u) < "
                         "get_global_id($u) - get_local_id($u) + get_local_size($u)) { $n }",
                         small, small, large, large, large, node);
        return;
    }
    for (size_t i = 0; i < node->child_count; i++)
        if (!clopt_node_is_expression(node->children[i]))
            spare(source, node->children[i], needs);
}

enum clopt_status needs_edit(void *user, struct clopt_source *source, struct clopt_error *error)
{
    (void)user;
    struct need *needs = clopt_source_table(source, source->node_count, sizeof *needs);
    if (!find_needs(source, source->kernel->body, needs))
        return clopt_fail(error, CLOPT_INFEASIBLE, "%s: all groups need all loops",
                          source->kernel->name);
    spare(source, source->kernel->body, needs);
    return CLOPT_OK;
}
