/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints conditions as masks: vectors of 0 and -1. */
#include "code.h"
#include "scalar.h"

static bool is_one_of(const struct clopt_node *node, const char *const *operators, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (clopt_node_is_operator(node, operators[i]))
            return true;
    return false;
}

static bool is_comparison(const struct clopt_node *node)
{
    static const char *const operators[] = {"<", ">", "<=", ">=", "==", "!="};
    return node->kind == CLOPT_NODE_BINARY && is_one_of(node, operators, 6);
}

static bool is_logical(const struct clopt_node *node)
{
    return node->kind == CLOPT_NODE_BINARY &&
           (clopt_node_is_operator(node, "&&") || clopt_node_is_operator(node, "||"));
}

static bool is_not(const struct clopt_node *node)
{
    return node->kind == CLOPT_NODE_UNARY && clopt_node_is_operator(node, "!");
}

bool code_is_truth(const struct clopt_node *node)
{
    return is_comparison(node) || is_logical(node);
}

static void put_mask_lanes(struct code *code, const struct clopt_node *node)
{
    code_note(code, node, "a condition that has to be evaluated lane by lane");
    code_printf(code, "(int%u)(", code->width);
    for (unsigned lane = 0; lane < code->width; lane++) {
        code_put(code, lane ? ", (" : "(");
        code_put_lane(code, node, lane);
        code_put(code, ") ? -1 : 0");
    }
    code_put(code, ")");
}

/* Puts `a op b` as a mask; `b` NULL: compared with zero. */
static void put_comparison(struct code *code, const struct clopt_node *a, const char *operator,
                           const struct clopt_node * b, bool tight)
{
    enum clopt_scalar type = scalar_common(a->scalar, b ? b->scalar : a->scalar);
    bool wide = scalar_bits(type) == 64;
    code->gains++;
    if (wide)
        code_printf(code, "convert_int%u(", code->width);
    else
        code_put(code, tight ? "(" : "");
    bool closed = !b && a->kind == CLOPT_NODE_BINARY;
    code_put(code, closed ? "(" : "");
    code_put_value(code, a, type, false);
    code_put(code, closed ? ")" : "");
    code_printf(code, " %s ", operator);
    if (b)
        code_put_value(code, b, type, false);
    else
        code_put(code, "0");
    code_put(code, wide || tight ? ")" : "");
}

static void put_logical(struct code *code, const struct clopt_node *node, bool tight)
{
    code->gains++;
    code_put(code, tight ? "(" : "");
    code_put_mask(code, node->children[0], true);
    code_put(code, clopt_node_is_operator(node, "&&") ? " & " : " | ");
    code_put_mask(code, node->children[1], true);
    code_put(code, tight ? ")" : "");
}

void code_put_mask(struct code *code, const struct clopt_node *node, bool tight)
{
    if (!code_diverges(code, node)) {
        code_printf(code, "(int%u)((", code->width);
        code_put_lane(code, node, 0);
        code_put(code, ") ? -1 : 0)");
    } else if (node->kind == CLOPT_NODE_PAREN) {
        code_put_mask(code, node->children[0], tight);
    } else if (is_comparison(node) && code_has_vectors(node->children[0]) &&
               code_has_vectors(node->children[1])) {
        put_comparison(code, node->children[0], node->operator, node->children[1], tight);
    } else if (is_logical(node) && code_is_safe(node->children[1])) {
        put_logical(code, node, tight);
    } else if (is_not(node)) {
        code->gains++;
        code_put(code, "~");
        code_put_mask(code, node->children[0], true);
    } else if (code_has_vectors(node) && !code_is_truth(node)) {
        put_comparison(code, node, "!=", NULL, tight);
    } else {
        put_mask_lanes(code, node);
    }
}

void code_put_mask_for(struct code *code, const char *mask, enum clopt_scalar type)
{
    static const enum clopt_scalar masks[] = {CLOPT_SCALAR_CHAR, CLOPT_SCALAR_SHORT,
                                              CLOPT_SCALAR_INT, CLOPT_SCALAR_LONG};
    unsigned size = 0;
    while (scalar_bits(masks[size]) < scalar_bits(type))
        size++;
    if (masks[size] == CLOPT_SCALAR_INT)
        code_put(code, mask);
    else
        code_printf(code, "convert_%s%u(%s)", scalar_name(masks[size]), code->width, mask);
}
