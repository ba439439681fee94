/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells which variables may share memory. */
#include "analysis/alias.h"

void clopt_aliases_init(struct clopt_aliases *aliases, struct clopt_arena *arena, size_t variables)
{
    aliases->class_of = clopt_arena_get(arena, variables * sizeof *aliases->class_of);
    aliases->shared = clopt_arena_get(arena, variables * sizeof *aliases->shared);
    for (size_t i = 0; i < variables; i++)
        aliases->class_of[i] = i;
}

size_t clopt_aliases_class(const struct clopt_aliases *aliases, size_t variable)
{
    size_t *class_of = aliases->class_of;
    while (class_of[variable] != variable) {
        class_of[variable] = class_of[class_of[variable]];
        variable = class_of[variable];
    }
    return variable;
}

static void unite(struct clopt_aliases *aliases, const struct clopt_variable *a,
                  const struct clopt_variable *b)
{
    size_t x = clopt_aliases_class(aliases, a->index);
    size_t y = clopt_aliases_class(aliases, b->index);
    if (x == y)
        return;
    aliases->class_of[x] = y;
    aliases->shared[y] = true;
}

static bool may_point(const struct clopt_variable *variable)
{
    return variable->is_record ||
           (variable->is_pointer && clopt_space_may_be_private(variable->pointee));
}

/* Unites what a value may point to, and the variable that gets it; returns that, or where it is
 * NULL the first that the value points to. */
static const struct clopt_variable *unite_pointees(struct clopt_aliases *aliases,
                                                   const struct clopt_variable *target,
                                                   const struct clopt_node *value)
{
    for (const struct clopt_node *node = value; node; node = clopt_node_next(node, value)) {
        unsigned access = clopt_node_use(node, value);
        const struct clopt_variable *variable = node->variable;
        bool points = (access & CLOPT_ADDRESS) || ((access & CLOPT_READ) && may_point(variable));
        if (!points || variable->space != CLOPT_SPACE_PRIVATE || variable->function == NULL)
            continue;
        if (target)
            unite(aliases, target, variable);
        else
            target = variable;
    }
    return target;
}

static struct clopt_variable *base_variable(const struct clopt_node *lvalue)
{
    while (lvalue->kind != CLOPT_NODE_VARIABLE) {
        if (!lvalue->child_count)
            return NULL;
        lvalue = lvalue->children[0];
    }
    return lvalue->variable;
}

void clopt_aliases_follow(struct clopt_aliases *aliases, const struct clopt_node *node)
{
    const struct clopt_variable *target = NULL;
    if (node->kind == CLOPT_NODE_DECLARATOR && node->condition &&
        (may_point(node->variable) || node->variable->is_array)) {
        unite_pointees(aliases, node->variable, node->condition);
    } else if (node->kind == CLOPT_NODE_ASSIGN &&
               (node->children[0]->is_pointer || node->children[0]->is_record)) {
        target = base_variable(node->children[0]);
        if (target && target->space == CLOPT_SPACE_PRIVATE)
            unite_pointees(aliases, target, node->children[1]);
    } else if (node->kind == CLOPT_NODE_CALL) {
        /* One argument may be stored where another one leads to. */
        bool both = false;
        for (size_t i = 0; i < node->child_count; i++)
            both |= node->children[i]->is_pointer || node->children[i]->is_record;
        for (size_t i = 0; both && i < node->child_count; i++)
            if (node->children[i]->is_pointer || node->children[i]->is_array ||
                node->children[i]->is_record)
                target = unite_pointees(aliases, target, node->children[i]);
    }
    for (size_t i = 0; i < node->child_count; i++)
        clopt_aliases_follow(aliases, node->children[i]);
}
