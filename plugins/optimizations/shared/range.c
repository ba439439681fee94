/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranges of integer expressions. Results of operations count only where neither they nor what they
 * are made of wrap around in the type of the operation. */
#include "range.h"

#define FAR     (INT64_C(1) << 62) /* of what has 64 bits, or is no integer */
#define DEEPEST 16

static struct range of_type(unsigned bits, bool is_signed)
{
    int64_t half = bits && bits < 64 ? INT64_C(1) << (bits - 1) : FAR;
    return is_signed || half == FAR ? (struct range){-half, half - 1}
                                    : (struct range){0, 2 * half - 1};
}

/* Of a vector, what all elements have. */
static bool is_signed(const struct clopt_node *node)
{
    return node->width > 1 ? clopt_scalar_is_signed(node->scalar) : node->is_signed;
}

static struct range type_of(const struct clopt_node *node)
{
    bool vector = node->width > 1 && clopt_scalar_is_integer(node->scalar);
    return of_type(vector ? clopt_scalar_bits(node->scalar) : node->bits, is_signed(node));
}

static bool holds(struct range outer, struct range inner)
{
    return inner.least >= outer.least && inner.most <= outer.most;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* ---- operators ---- */

static struct range multiply(struct range a, struct range b)
{
    const int64_t most = INT64_C(1) << 30;
    const struct range small = {-most, most};
    if (!holds(small, a) || !holds(small, b))
        return (struct range){-FAR, FAR};
    int64_t p = a.least * b.least, q = a.least * b.most, r = a.most * b.least, s = a.most * b.most;
    return (struct range){smaller(smaller(p, q), smaller(r, s)),
                          larger(larger(p, q), larger(r, s))};
}

/* What a % b, a / b or a >> b is for a constant b that is not negative. */
static struct range divide(char op, struct range a, int64_t b)
{
    if (op == '%' && a.least >= 0)
        return (struct range){0, smaller(a.most, b - 1)};
    if (op == '%')
        return (struct range){1 - b, b - 1};
    return op == '/' ? (struct range){a.least / b, a.most / b}
                     : (struct range){a.least >> b, a.most >> b};
}

/* Combines operands that the operation does not convert, unless it is unsigned and of 64 bits: then
 * what seems negative is very large. */
static struct range combine(const struct clopt_node *node, struct range a, struct range b)
{
    const char *op = node->op;
    bool odd = !is_signed(node) && (a.least < 0 || b.least < 0);
    bool constant = b.least == b.most && b.least > (*op == '>' ? -1 : 0);
    if (strcmp(op, "&") == 0 && (a.least >= 0 || b.least >= 0)) {
        int64_t most = a.least < 0 ? b.most : b.least < 0 ? a.most : smaller(a.most, b.most);
        return (struct range){0, most};
    }
    if (strcmp(op, "%") == 0 && constant && odd)
        return (struct range){0, b.least - 1};
    if (odd)
        return type_of(node);
    if (constant && (strcmp(op, "%") == 0 || strcmp(op, "/") == 0))
        return divide(*op, a, b.least);
    if (constant && strcmp(op, ">>") == 0 && b.least < 32)
        return divide(*op, a, b.least);
    if (strcmp(op, "+") == 0)
        return (struct range){a.least + b.least, a.most + b.most};
    return strcmp(op, "*") == 0 ? multiply(a, b) : type_of(node);
}

/* ---- expressions ---- */

static struct range find(const struct clopt_node *node, unsigned depth);

static struct range of_call(const struct clopt_node *call, unsigned depth)
{
    bool bounds = clopt_node_calls(call, "min") || clopt_node_calls(call, "max");
    if (call->callee)
        return type_of(call);
    if (strncmp(call->name, "convert_", 8) == 0 && call->child_count == 1)
        return find(call->children[0], depth);
    if (bounds && call->child_count == 2) {
        struct range a = find(call->children[0], depth), b = find(call->children[1], depth);
        return call->name[1] == 'i'
                   ? (struct range){smaller(a.least, b.least), smaller(a.most, b.most)}
                   : (struct range){larger(a.least, b.least), larger(a.most, b.most)};
    }
    if (clopt_node_calls(call, "clamp") && call->child_count == 3)
        return (struct range){find(call->children[1], depth).least,
                              find(call->children[2], depth).most};
    return type_of(call);
}

static struct range of_binary(const struct clopt_node *node, unsigned depth)
{
    struct range a = find(node->children[0], depth), b = find(node->children[1], depth);
    bool fits = holds(type_of(node), a) && holds(type_of(node), b);
    if (clopt_node_compares(node) || clopt_node_is_logical(node))
        return node->width > 1 ? (struct range){-1, 0} : (struct range){0, 1};
    return fits ? combine(node, a, b) : type_of(node);
}

/* Reads what a node computes, before it is converted to its type. */
static struct range computed(const struct clopt_node *node, unsigned depth)
{
    const struct clopt_node *value =
        node->kind == CLOPT_NODE_VARIABLE ? clopt_variable_value(node->variable) : NULL;
    struct range a, b;
    switch (node->kind) {
    case CLOPT_NODE_PAREN:
    case CLOPT_NODE_CAST:
    case CLOPT_NODE_SWIZZLE:
        return find(node->children[0], depth);
    case CLOPT_NODE_VARIABLE:
        return value && !node->variable->is_parameter ? find(value, depth) : type_of(node);
    case CLOPT_NODE_CALL:
        return of_call(node, depth);
    case CLOPT_NODE_BINARY:
        return of_binary(node, depth);
    case CLOPT_NODE_CONDITIONAL:
        a = find(node->children[1], depth);
        b = find(node->children[2], depth);
        return (struct range){smaller(a.least, b.least), larger(a.most, b.most)};
    default:
        return type_of(node);
    }
}

static struct range find(const struct clopt_node *node, unsigned depth)
{
    struct range type = type_of(node);
    if (node->known && node->value > -FAR && node->value < FAR)
        return (struct range){node->value, node->value};
    struct range range = depth < DEEPEST ? computed(node, depth + 1) : type;
    return holds(type, range) ? range : type;
}

struct range range_of(const struct clopt_node *node)
{
    return find(node, 0);
}
