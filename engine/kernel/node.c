/* SPDX-License-Identifier: BSD-3-Clause */
/* What nodes are to each other. */
#include "kernel/tree.h"

#include <ctype.h>
#include <stdlib.h>

unsigned clopt_scalar_integer(enum clopt_scalar scalar, unsigned width, bool *is_signed)
{
    bool integer = width == 1 && clopt_scalar_is_number(scalar) && !clopt_scalar_is_real(scalar);
    *is_signed = integer && clopt_scalar_is_signed(scalar);
    return integer ? clopt_scalar_bits(scalar) : 0;
}

struct clopt_node *clopt_node_next(const struct clopt_node *node, const struct clopt_node *top)
{
    if (node->child_count)
        return node->children[0];
    for (; node != top; node = node->parent) {
        size_t next = clopt_node_position(node) + 1;
        if (next < node->parent->child_count)
            return node->parent->children[next];
    }
    return NULL;
}

const struct clopt_node *clopt_node_search(const struct clopt_node *node, clopt_node_test test,
                                           const void *user)
{
    const struct clopt_node *found = node;
    while (found && !test(found, user))
        found = clopt_node_next(found, node);
    return found;
}

bool clopt_node_number(const struct clopt_source *source, const struct clopt_node *node,
                       double *number)
{
    node = clopt_node_bare(node);
    bool minus = node->kind == CLOPT_NODE_UNARY && clopt_node_is_operator(node, "-");
    node = minus ? clopt_node_bare(node->children[0]) : node;
    const char *text = node->made ? node->name : source->text + node->begin;
    char *end = NULL;
    if (!node->known && (node->kind != CLOPT_NODE_LITERAL || !text))
        return false;
    double value = node->known ? (double)node->value : strtod(text, &end);
    if (!node->known && end == text)
        return false;
    *number = minus ? -value : value;
    return true;
}

bool clopt_condition_parts(const struct clopt_node *condition, bool holds,
                           clopt_condition_part part, void *user)
{
    condition = clopt_node_bare(condition);
    if (clopt_node_is_operator(condition, "!"))
        return clopt_condition_parts(condition->children[0], !holds, part, user);
    if (clopt_node_is_operator(condition, holds ? "&&" : "||"))
        return clopt_condition_parts(condition->children[0], holds, part, user) &&
               clopt_condition_parts(condition->children[1], holds, part, user);
    return part(user, condition, holds);
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

/* What an expression is without parentheses, casts, and names for values. */
static const struct clopt_node *resolve(const struct clopt_node *node, unsigned bits)
{
    for (;;) {
        const struct clopt_node *declarator =
            node->kind == CLOPT_NODE_VARIABLE ? node->variable->declarator : NULL;
        if (node->kind == CLOPT_NODE_PAREN || (node->kind == CLOPT_NODE_CAST && node->bits >= bits))
            node = node->children[0];
        else if (declarator && declarator->condition && !node->variable->changed &&
                 node->variable->bits >= bits)
            node = declarator->condition;
        else
            return node;
    }
}

unsigned clopt_node_identity(const struct clopt_node *node, unsigned bits)
{
    node = resolve(node, bits);
    for (unsigned i = 0; clopt_node_is_operator(node, "+") && i < 2; i++) {
        const struct clopt_node *product = resolve(node->children[i], bits);
        unsigned d =
            node->child_count == 2
                ? clopt_node_dimension(resolve(node->children[1 - i], bits), "get_local_id")
                : 3;
        for (unsigned k = 0; d < 3 && product->child_count == 2 && k < 2; k++)
            if (clopt_node_is_operator(product, "*") &&
                clopt_node_dimension(resolve(product->children[k], bits), "get_group_id") == d &&
                clopt_node_dimension(resolve(product->children[1 - k], bits), "get_local_size") ==
                    d)
                return d;
    }
    return clopt_node_dimension(node, "get_global_id");
}
