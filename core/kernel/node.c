/* SPDX-License-Identifier: BSD-3-Clause */
/* What nodes are to each other. */
#include "kernel/tree.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *clopt_scalar_name(enum clopt_scalar scalar)
{
    static const char *const names[] = {
        [CLOPT_SCALAR_NONE] = "void",   [CLOPT_SCALAR_BOOL] = "bool",
        [CLOPT_SCALAR_CHAR] = "char",   [CLOPT_SCALAR_UCHAR] = "uchar",
        [CLOPT_SCALAR_SHORT] = "short", [CLOPT_SCALAR_USHORT] = "ushort",
        [CLOPT_SCALAR_INT] = "int",     [CLOPT_SCALAR_UINT] = "uint",
        [CLOPT_SCALAR_LONG] = "long",   [CLOPT_SCALAR_ULONG] = "ulong",
        [CLOPT_SCALAR_FLOAT] = "float", [CLOPT_SCALAR_DOUBLE] = "double",
    };
    return names[scalar];
}

void clopt_scalar_print(enum clopt_scalar scalar, unsigned width, char *type, size_t size)
{
    if (width > 1)
        snprintf(type, size, "%s%u", clopt_scalar_name(scalar), width);
    else
        snprintf(type, size, "%s", clopt_scalar_name(scalar));
}

struct clopt_node *clopt_node_target(const struct clopt_node *jump)
{
    struct clopt_node *node = jump->parent;
    while (node && !clopt_node_is_loop(node) &&
           !(jump->kind == CLOPT_NODE_BREAK && node->kind == CLOPT_NODE_SWITCH))
        node = node->parent;
    return node;
}

const struct clopt_node *clopt_node_find(const struct clopt_node *node, enum clopt_node_kind kind)
{
    if (node->kind == kind)
        return node;
    for (size_t i = 0; i < node->child_count; i++) {
        const struct clopt_node *found = clopt_node_find(node->children[i], kind);
        if (found)
            return found;
    }
    return NULL;
}

size_t clopt_variable_extent(const struct clopt_variable *array, size_t dimension)
{
    const char *at = strchr(array->type, '[');
    if (!array->is_array || strchr(array->type, '*'))
        return 0;
    for (; at && dimension; dimension--)
        at = strchr(at + 1, '[');
    return at && isdigit((unsigned char)at[1]) ? strtoul(at + 1, NULL, 10) : 0;
}
