/* SPDX-License-Identifier: BSD-3-Clause */
/* How tightly expressions bind, and which need parentheses. */
#include "kernel/tree.h"

static unsigned binary_level(const char *op)
{
    static const struct {
        const char *op;
        unsigned level;
    } levels[] = {
        {",", 1},  {"||", 4}, {"&&", 5}, {"|", 6},   {"^", 7},   {"&", 8},   {"==", 9},
        {"!=", 9}, {"<", 10}, {">", 10}, {"<=", 10}, {">=", 10}, {"<<", 11}, {">>", 11},
        {"+", 12}, {"-", 12}, {"*", 13}, {"/", 13},  {"%", 13},
    };
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
        if (strcmp(levels[i].op, op) == 0)
            return levels[i].level;
    return 0;
}

unsigned clopt_node_level(const struct clopt_node *node)
{
    switch (node->kind) {
    case CLOPT_NODE_BINARY:
        return binary_level(node->op);
    case CLOPT_NODE_ASSIGN:
        return 2;
    case CLOPT_NODE_CONDITIONAL:
        return 3;
    case CLOPT_NODE_UNARY:
    case CLOPT_NODE_CAST:
    case CLOPT_NODE_SIZEOF:
    case CLOPT_NODE_VECTOR:
        return 14;
    case CLOPT_NODE_POSTFIX:
    case CLOPT_NODE_CALL:
    case CLOPT_NODE_SUBSCRIPT:
    case CLOPT_NODE_MEMBER:
    case CLOPT_NODE_SWIZZLE:
    case CLOPT_NODE_AS_TYPE:
        return 15;
    default:
        return 16;
    }
}

/* How tightly a child must bind. */
static unsigned needed_level(const struct clopt_node *node, const struct clopt_node *child)
{
    bool first = node->children[0] == child;
    switch (node->kind) {
    case CLOPT_NODE_BINARY:
        return binary_level(node->op) + (first ? 0 : 1);
    case CLOPT_NODE_ASSIGN:
        return first ? 14 : 2;
    case CLOPT_NODE_CONDITIONAL:
        return first ? 4 : child == node->children[node->child_count - 1] ? 3 : 1;
    case CLOPT_NODE_UNARY:
    case CLOPT_NODE_CAST:
        return 14;
    case CLOPT_NODE_POSTFIX:
    case CLOPT_NODE_MEMBER:
    case CLOPT_NODE_SWIZZLE:
        return 15;
    case CLOPT_NODE_SUBSCRIPT:
        return first ? 15 : 1;
    case CLOPT_NODE_CALL:
    case CLOPT_NODE_VECTOR:
    case CLOPT_NODE_LIST:
    case CLOPT_NODE_DECLARATOR:
        return CLOPT_LEVEL_ARGUMENT;
    default:
        return 0;
    }
}

/* Whether operators that not all readers rank are one in the other. */
static bool is_mixed(const struct clopt_node *node, const struct clopt_node *child)
{
    if (node->kind != CLOPT_NODE_BINARY || child->kind != CLOPT_NODE_BINARY ||
        strcmp(node->op, child->op) == 0)
        return false;
    unsigned outer = binary_level(node->op);
    unsigned inner = binary_level(child->op);
    bool arithmetic = outer >= 12 && inner >= 12;
    bool logic = (outer == 1 || outer == 4 || outer == 5) && inner >= 9 && inner != 11;
    bool comparison = (outer == 9 || outer == 10) && inner >= 12;
    return !arithmetic && !logic && !comparison && outer != 1;
}

bool clopt_node_needs_parentheses(const struct clopt_node *node, const struct clopt_node *child)
{
    return (node->made || child->moved) && clopt_node_is_expression(child) &&
           (clopt_node_level(child) < needed_level(node, child) || is_mixed(node, child));
}
