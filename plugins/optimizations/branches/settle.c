/* SPDX-License-Identifier: BSD-3-Clause */
/* Declarations take the assignments that follow them: int u = x + i; if (u < 0) u = 0; becomes
 * int u = x + i < 0 ? 0 : x + i, so that a variable has one value. */
#include "branches.h"

#include <clopt/loop.h>

#define MOST_NODES 16 /* of a value that may be there several times */

/* A signed integer of the kernel, and the declarator that takes assignments. */
struct settling {
    struct clopt_source *source;
    const struct clopt_node *declarator;
};

/* Whether an expression has the variable's type, and may be computed anywhere and often. */
static bool is_plain(const struct settling *settling, const struct clopt_node *node)
{
    const struct clopt_variable *variable = settling->declarator->variable;
    return node->is_signed && node->bits == variable->bits && node->width == 1 &&
           !clopt_node_effects(node) && !clopt_node_find_trap(node) &&
           clopt_node_count(node) <= MOST_NODES;
}

/* Whether all that a condition or value names has there what it has at the declaration. */
static bool is_ready(const struct settling *settling, const struct clopt_node *node)
{
    const struct clopt_variable *variable = node->variable;
    if (node->kind == CLOPT_NODE_VARIABLE && variable != settling->declarator->variable &&
        ((variable->declarator &&
          !clopt_node_is_before(variable->declarator, settling->declarator)) ||
         clopt_node_is_exposed(node, NULL)))
        return false;
    for (size_t i = 0; i < node->child_count; i++)
        if (!is_ready(settling, node->children[i]))
            return false;
    return true;
}

/* Returns what the variable is after a statement that does no more than assign it; NULL: it does
 * something else. */
static const struct clopt_node *form_value(const struct settling *settling,
                                           const struct clopt_node *node)
{
    struct clopt_variable *variable = settling->declarator->variable;
    if (node->kind == CLOPT_NODE_COMPOUND && node->child_count == 1)
        return form_value(settling, node->children[0]);
    if (node->kind == CLOPT_NODE_ASSIGN && clopt_node_is_operator(node, "=") &&
        clopt_node_names(clopt_node_bare(node->children[0]), variable))
        return is_plain(settling, node->children[1]) ? node->children[1] : NULL;
    if (node->kind != CLOPT_NODE_IF || clopt_node_effects(node->condition) ||
        clopt_node_find_trap(node->condition))
        return NULL;
    const struct clopt_node *value = form_value(settling, node->body);
    const struct clopt_node *other = node->otherwise
                                         ? form_value(settling, node->otherwise)
                                         : clopt_build(settling->source, node, "$v", variable);
    return value && other
               ? clopt_build(settling->source, node, "$n ? $n : $n", node->condition, value, other)
               : NULL;
}

static struct clopt_node *form_initial(void *user, const struct clopt_node *node)
{
    const struct settling *settling = user;
    const struct clopt_cloning plain = {.source = settling->source, .plain = true};
    return clopt_node_names(node, settling->declarator->variable)
               ? clopt_clone(&plain, settling->declarator->condition)
               : NULL;
}

/* Whether what is declared or done between a declarator and a statement of its block leaves a
 * value as it is. */
static bool is_kept(const struct settling *settling, size_t until, const struct clopt_node *value)
{
    const struct clopt_node *declaration = settling->declarator->parent;
    const struct clopt_variable *variable = settling->declarator->variable;
    for (size_t i = clopt_node_position(settling->declarator) + 1; i < declaration->child_count;
         i++)
        if (clopt_node_uses(declaration->children[i], variable))
            return false;
    for (size_t i = clopt_node_position(declaration) + 1; i < until; i++) {
        const struct clopt_node *statement = declaration->parent->children[i];
        if (statement->kind == CLOPT_NODE_CASE || statement->kind == CLOPT_NODE_DEFAULT ||
            clopt_node_uses(statement, variable) || clopt_node_changes(statement, value))
            return false;
    }
    return true;
}

/* Puts the first assignment after a declaration into it; false: it cannot be. */
static bool join(const struct settling *settling)
{
    const struct clopt_node *declaration = settling->declarator->parent;
    const struct clopt_node *block = declaration->parent;
    const struct clopt_variable *variable = settling->declarator->variable;
    struct clopt_cloning cloning = {
        .source = settling->source, .user = (void *)settling, .node = form_initial, .plain = true};
    size_t i = clopt_node_position(declaration) + 1;
    while (i < block->child_count && !clopt_node_uses(block->children[i], variable))
        i++;
    struct clopt_node *statement = i < block->child_count ? block->children[i] : NULL;
    const struct clopt_node *value = statement ? form_value(settling, statement) : NULL;
    if (!value || !is_ready(settling, value) || !is_kept(settling, i, value))
        return false;
    clopt_replace(settling->source, settling->declarator->condition, clopt_clone(&cloning, value));
    clopt_remove(settling->source, statement);
    return true;
}

static bool can_settle(const struct settling *settling)
{
    const struct clopt_node *declarator = settling->declarator;
    const struct clopt_variable *variable = declarator->variable;
    const struct clopt_node *block = declarator->parent->parent;
    return declarator->condition && variable->changed && variable->is_signed &&
           variable->bits >= 32 && variable->space == CLOPT_SPACE_PRIVATE &&
           !variable->is_pointer && !variable->is_array && !variable->is_volatile &&
           !(variable->uses & CLOPT_ADDRESS) && block && block->kind == CLOPT_NODE_COMPOUND &&
           is_plain(settling, declarator->condition);
}

enum clopt_status settle_edit(void *user, struct clopt_source *source, struct clopt_error *error)
{
    (void)user;
    size_t count = source->kernel->effects & CLOPT_EFFECT_GOTO ? 0 : source->variable_count;
    bool changed = false;
    for (size_t i = 0; i < count; i++) {
        const struct clopt_variable *variable = source->variables[i];
        const struct settling settling = {source, variable->declarator};
        if (variable->function == source->kernel && variable->declarator)
            while (can_settle(&settling) && join(&settling))
                changed = true;
    }
    return changed ? CLOPT_OK
                   : clopt_fail(error, CLOPT_INFEASIBLE, "%s assigns nothing that it declared",
                                source->kernel->name);
}
