/* SPDX-License-Identifier: BSD-3-Clause */
/* What nodes are to each other. */
#include <clopt/source.h>

bool clopt_node_is_expression(const struct clopt_node *node)
{
    return node->kind >= CLOPT_NODE_LITERAL;
}

bool clopt_node_is_loop(const struct clopt_node *node)
{
    return node->kind == CLOPT_NODE_FOR || node->kind == CLOPT_NODE_WHILE ||
           node->kind == CLOPT_NODE_DO;
}

bool clopt_node_contains(const struct clopt_node *outer, const struct clopt_node *inner)
{
    return outer->begin <= inner->begin && inner->end <= outer->stop &&
           (outer->begin != inner->begin || outer->stop != inner->stop || outer == inner ||
            outer->index < inner->index);
}

struct clopt_node *clopt_node_target(const struct clopt_node *jump)
{
    struct clopt_node *node = jump->parent;
    while (node && !clopt_node_is_loop(node) &&
           !(jump->kind == CLOPT_NODE_BREAK && node->kind == CLOPT_NODE_SWITCH))
        node = node->parent;
    return node;
}
