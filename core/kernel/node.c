/* SPDX-License-Identifier: BSD-3-Clause */
/* What nodes are to each other. */
#include "kernel/tree.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned clopt_scalar_integer(enum clopt_scalar scalar, unsigned width, bool *is_signed)
{
    bool integer = width == 1 && scalar >= CLOPT_SCALAR_CHAR && scalar <= CLOPT_SCALAR_ULONG;
    *is_signed = integer && clopt_scalar_is_signed(scalar);
    return integer ? clopt_scalar_bits(scalar) : 0;
}

void clopt_scalar_print(enum clopt_scalar scalar, unsigned width, char *type, size_t size)
{
    if (width > 1)
        snprintf(type, size, "%s%u", clopt_scalar_name(scalar), width);
    else
        snprintf(type, size, "%s", clopt_scalar_name(scalar));
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

bool clopt_node_changes(const struct clopt_node *statement, const struct clopt_node *expression)
{
    const struct clopt_variable *variable = expression->variable;
    if (expression->kind == CLOPT_NODE_VARIABLE && !variable->is_array &&
        (clopt_node_uses(statement, variable) & (CLOPT_WRITE | CLOPT_ADDRESS)))
        return true;
    for (size_t i = 0; i < expression->child_count; i++)
        if (clopt_node_changes(statement, expression->children[i]))
            return true;
    return false;
}
