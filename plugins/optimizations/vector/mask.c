/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds conditions as masks: vectors of 0 and -1. */
#include "code.h"

static bool is_comparison(const struct clopt_node *node)
{
    static const char *const operators[] = {"<", ">", "<=", ">=", "==", "!="};
    for (size_t i = 0; node->kind == CLOPT_NODE_BINARY && i < 6; i++)
        if (clopt_node_is_operator(node, operators[i]))
            return true;
    return false;
}

bool code_is_truth(const struct clopt_node *node)
{
    return is_comparison(node) || clopt_node_is_logical(node) || clopt_node_is_operator(node, "!");
}

static struct clopt_node *mask_of_lanes(struct code *code, const struct clopt_node *node)
{
    struct clopt_nodes lanes = {0};
    code_note(code, node, "a condition that has to be evaluated lane by lane");
    for (unsigned lane = 0; lane < code->width; lane++)
        code_put(code, &lanes, node, "$n ? -1 : 0", code_lane(code, node, lane));
    return code_build(code, node, "(int$u)($N)", code->width, &lanes);
}

/* Returns `a op b` as a mask; `b` NULL: compared with zero. */
static struct clopt_node *compare(struct code *code, const struct clopt_node *a, const char *op,
                                  const struct clopt_node *b)
{
    enum clopt_scalar type = scalar_common(a->scalar, b ? b->scalar : a->scalar);
    code->gains.operations++;
    struct clopt_node *left = code_value(code, a, type, false);
    struct clopt_node *right = b ? code_value(code, b, type, false) : code_build(code, a, "0");
    struct clopt_node *mask = code_build(code, a, "$n $s $n", left, op, right);
    return clopt_scalar_bits(type) == 64
               ? code_build(code, a, "convert_int$u($n)", code->width, mask)
               : mask;
}

static struct clopt_node *combine(struct code *code, const struct clopt_node *node)
{
    code->gains.operations++;
    struct clopt_node *left = code_mask(code, node->children[0]);
    struct clopt_node *right = code_mask(code, node->children[1]);
    return code_build(code, node, clopt_node_is_operator(node, "&&") ? "$n & $n" : "$n | $n", left,
                      right);
}

struct clopt_node *code_mask(struct code *code, const struct clopt_node *node)
{
    if (!code_diverges(code, node))
        return code_build(code, node, "(int$u)($n ? -1 : 0)", code->width,
                          code_lane(code, node, 0));
    if (node->kind == CLOPT_NODE_PAREN)
        return code_mask(code, node->children[0]);
    if (is_comparison(node) && code_has_vectors(node->children[0]) &&
        code_has_vectors(node->children[1]))
        return compare(code, node->children[0], node->op, node->children[1]);
    if (clopt_node_is_logical(node) && code_is_safe(node->children[1]))
        return combine(code, node);
    if (clopt_node_is_operator(node, "!")) {
        code->gains.operations++;
        return code_build(code, node, "~$n", code_mask(code, node->children[0]));
    }
    if (code_has_vectors(node) && !code_is_truth(node))
        return compare(code, node, "!=", NULL);
    return mask_of_lanes(code, node);
}

struct clopt_node *code_mask_for(struct code *code, struct clopt_node *mask, enum clopt_scalar type)
{
    static const enum clopt_scalar masks[] = {CLOPT_SCALAR_CHAR, CLOPT_SCALAR_SHORT,
                                              CLOPT_SCALAR_INT, CLOPT_SCALAR_LONG};
    unsigned size = 0;
    while (clopt_scalar_bits(masks[size]) < clopt_scalar_bits(type))
        size++;
    if (masks[size] == CLOPT_SCALAR_INT)
        return mask;
    return code_build(code, mask, "convert_$s$u($n)", scalar_name(masks[size]), code->width, mask);
}
