/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells what a kernel does with its arrays in local memory. */
#include "analysis/local_array.h"

/* The element that a name is part of, table[i][j], or less. */
static const struct clopt_node *element_of(const struct clopt_node *name)
{
    const struct clopt_node *parent = name->parent;
    while (parent && parent->children[0] == name &&
           (parent->kind == CLOPT_NODE_SUBSCRIPT || parent->kind == CLOPT_NODE_PAREN)) {
        name = parent;
        parent = name->parent;
    }
    return name;
}

static bool names_element(const struct clopt_node *name)
{
    const struct clopt_node *element = element_of(name);
    const struct clopt_node *parent = element->parent;
    return element->kind != CLOPT_NODE_VARIABLE && !element->is_array && !element->is_volatile &&
           !element->is_record && parent && !clopt_node_is_operator(parent, "&") &&
           parent->kind != CLOPT_NODE_MEMBER;
}

bool clopt_local_is_followed(const struct clopt_node *body, const struct clopt_variable *array)
{
    if (!array->is_array ||
        (body->kind == CLOPT_NODE_VARIABLE && body->variable == array && !names_element(body)))
        return false;
    for (size_t i = 0; i < body->child_count; i++)
        if (!clopt_local_is_followed(body->children[i], array))
            return false;
    return true;
}

const struct clopt_variable *clopt_local_written(const struct clopt_node *node)
{
    bool writes = node->kind == CLOPT_NODE_ASSIGN || clopt_node_is_step(node);
    const struct clopt_node *target = writes ? node->children[0] : NULL;
    while (target && (target->kind == CLOPT_NODE_SUBSCRIPT || target->kind == CLOPT_NODE_PAREN ||
                      target->kind == CLOPT_NODE_SWIZZLE))
        target = target->children[0];
    return target && target->kind == CLOPT_NODE_VARIABLE &&
                   target->variable->space == CLOPT_SPACE_LOCAL
               ? target->variable
               : NULL;
}
