/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds conditions as masks: vectors of 0 and -1. */
#include "code.h"

static const char *const comparisons[] = {"<", ">=", ">", "<=", "==", "!="};

/* The number of a comparison, beside that of its opposite. -1: it is none. */
static int comparison_of(const struct clopt_node *node)
{
    for (int i = 0; node->kind == CLOPT_NODE_BINARY && i < 6; i++)
        if (clopt_node_is_operator(node, comparisons[i]))
            return i;
    return -1;
}

bool code_is_truth(const struct clopt_node *node)
{
    return comparison_of(node) >= 0 || clopt_node_is_logical(node) ||
           clopt_node_is_operator(node, "!");
}

/* LLVM makes one operation on single bits of what operators compute from a mask alone, and Oclgrind
 * 21.10 gets ~, == 0 and & 1 of these wrong. */
struct clopt_node *code_choose(struct code *code, struct clopt_node *mask, int set, int clear)
{
    return code_build(code, mask, "select((int$u)($d), (int$u)($d), $n)", code->width, clear,
                      code->width, set, mask);
}

static struct clopt_node *mask_of_lanes(struct code *code, const struct clopt_node *node,
                                        bool holds)
{
    struct clopt_nodes lanes = {0};
    code_note(code, node, "a condition that has to be evaluated lane by lane");
    for (unsigned lane = 0; lane < code->width; lane++)
        code_put(code, &lanes, node, holds ? "$n ? -1 : 0" : "$n ? 0 : -1",
                 code_lane(code, node, lane));
    return code_build(code, node, "(int$u)($N)", code->width, &lanes);
}

/* Returns `a op b` as a mask; `b` NULL: compared with zero. */
static struct clopt_node *compare(struct code *code, const struct clopt_node *a, const char *op,
                                  const struct clopt_node *b)
{
    enum clopt_scalar type = scalar_common(a->scalar, b ? b->scalar : a->scalar);
    if (b && a->scalar == b->scalar && a->scalar != CLOPT_SCALAR_BOOL)
        type = a->scalar; /* what promotes both alike changes no order */
    code->gains.operations++;
    struct clopt_node *left = code_value(code, a, type, false);
    struct clopt_node *right = b ? code_value(code, b, type, false) : code_build(code, a, "0");
    struct clopt_node *mask = code_build(code, a, "$n $s $n", left, op, right);
    return clopt_scalar_bits(type) != 32
               ? code_build(code, a, "convert_int$u($n)", code->width, mask)
               : mask;
}

/* Returns a comparison, or its opposite: of what is not a number, another comparison has none. */
static struct clopt_node *compare_operands(struct code *code, const struct clopt_node *node,
                                           bool holds)
{
    const struct clopt_node *a = node->children[0], *b = node->children[1];
    int op = comparison_of(node);
    bool opposite =
        !holds &&
        (op >= 4 || (clopt_scalar_is_integer(a->scalar) && clopt_scalar_is_integer(b->scalar)));
    struct clopt_node *mask = compare(code, a, comparisons[opposite ? op ^ 1 : op], b);
    return holds || opposite ? mask : code_choose(code, mask, 0, -1);
}

struct clopt_node *code_mask(struct code *code, const struct clopt_node *node, bool holds)
{
    if (!code_diverges(code, node))
        return code_build(code, node, holds ? "(int$u)($n ? -1 : 0)" : "(int$u)($n ? 0 : -1)",
                          code->width, code_lane(code, node, 0));
    if (node->kind == CLOPT_NODE_PAREN)
        return code_mask(code, node->children[0], holds);
    if (comparison_of(node) >= 0 && code_has_vectors(node->children[0]) &&
        code_has_vectors(node->children[1]))
        return compare_operands(code, node, holds);
    if (clopt_node_is_logical(node) && code_is_safe(node->children[1])) {
        code->gains.operations++;
        bool both = clopt_node_is_operator(node, "&&") == holds;
        struct clopt_node *left = code_mask(code, node->children[0], holds);
        struct clopt_node *right = code_mask(code, node->children[1], holds);
        return code_build(code, node, both ? "$n & $n" : "$n | $n", left, right);
    }
    if (clopt_node_is_operator(node, "!"))
        return code_mask(code, node->children[0], !holds);
    if (code_has_vectors(node) && !code_is_truth(node))
        return compare(code, node, holds ? "!=" : "==", NULL);
    return mask_of_lanes(code, node, holds);
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
