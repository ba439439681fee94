/* SPDX-License-Identifier: BSD-3-Clause */
/* Folds what edits make of integers: where a number takes the place of a counter, 0 * 3 + 1 is 1,
 * x + 0 is x, x + -1 is x - 1. Nothing is folded that its author wrote. */

#include "kernel/tree.h"

#define LARGEST INT32_MAX

/* Whether an expression is a number, also a negative one: -1u is not. */
static bool is_number(const struct clopt_node *node, int64_t *value)
{
    bool negative =
        node->kind == CLOPT_NODE_UNARY && clopt_node_is_operator(node, "-") && node->is_signed;
    const struct clopt_node *number = negative ? node->children[0] : node;
    *value = negative ? -number->value : number->value;
    return number->known && node->bits >= 32;
}

static bool is_made_number(const struct clopt_node *node)
{
    int64_t value;
    return node->made && is_number(node, &value);
}

/* Whether an operand has the type of what an operator makes of it. */
static bool has_type(const struct clopt_node *node, const struct clopt_node *operand)
{
    return operand->bits == node->bits && operand->is_signed == node->is_signed;
}

/* Takes an operand out of its operator. */
static struct clopt_node *take(struct clopt_node *operand)
{
    operand->parent = NULL;
    return operand;
}

static struct clopt_node *build_number(struct clopt_source *source, const struct clopt_node *node,
                                       int64_t value)
{
    static const char *const suffixes[2][2] = {{"u", ""}, {"UL", "L"}};
    return clopt_build(source, node, "$l$s", value, suffixes[node->bits == 64][node->is_signed]);
}

/* Returns x + a + b with one number, or NULL. */
static struct clopt_node *fold_sum(struct clopt_source *source, struct clopt_node *node,
                                   int64_t number)
{
    struct clopt_node *rest = node->children[0];
    int64_t inner = 0;
    bool folds = is_made_number(node->children[1]);
    int64_t sum = *node->op == '+' ? number : -number;
    bool nested = rest->kind == CLOPT_NODE_BINARY && strchr("+-", *rest->op) && !rest->op[1] &&
                  is_number(rest->children[1], &inner) && has_type(node, rest) &&
                  has_type(node, rest->children[0]);
    if (nested && (folds || is_made_number(rest->children[1]))) {
        sum += *rest->op == '+' ? inner : -inner;
        rest = rest->children[0];
        folds = true;
    }
    if (!folds || !has_type(node, rest) || sum > LARGEST || sum < -LARGEST)
        return NULL;
    return sum ? clopt_build(source, node, "$n $s $l", take(rest), sum < 0 ? "-" : "+",
                             sum < 0 ? -sum : sum)
               : take(rest);
}

/* Returns what is left of an operand and a number, or NULL. */
static struct clopt_node *fold_operand(struct clopt_source *source, const struct clopt_node *node,
                                       struct clopt_node *operand, int64_t number)
{
    bool multiplies = clopt_node_is_operator(node, "*");
    unsigned effects = clopt_node_effects(operand) & ~(unsigned)CLOPT_EFFECT_MEMORY_READ;
    if (multiplies && !number && !effects)
        return build_number(source, node, 0);
    bool same = (multiplies && number == 1) || (clopt_node_is_operator(node, "+") && !number);
    return same && has_type(node, operand) ? take(operand) : NULL;
}

static struct clopt_node *fold_binary(struct clopt_source *source, struct clopt_node *node)
{
    struct clopt_node *left = node->children[0], *right = node->children[1];
    int64_t a, b;
    bool left_known = is_number(left, &a), right_known = is_number(right, &b);
    if (left_known && right_known && (left->made || right->made)) {
        int64_t value;
        bool fits = a <= LARGEST && b <= LARGEST && a >= -LARGEST && b >= -LARGEST &&
                    clopt_constant_operate(node->op, a, b, &value) && value <= LARGEST &&
                    value >= -LARGEST && (node->is_signed || (a >= 0 && b >= 0 && value >= 0));
        return fits ? build_number(source, node, value) : NULL;
    }
    if (right_known && strchr("+-", *node->op) && !node->op[1])
        return fold_sum(source, node, b);
    if (right_known && right->made)
        return fold_operand(source, node, left, b);
    return left_known && left->made ? fold_operand(source, node, right, a) : NULL;
}

struct clopt_node *clopt_node_fold(struct clopt_source *source, struct clopt_node *node)
{
    struct clopt_node *folded = NULL;
    if (node->width != 1 || node->bits < 32)
        return node;
    if (node->kind == CLOPT_NODE_BINARY)
        folded = fold_binary(source, node);
    else if (node->kind == CLOPT_NODE_PAREN &&
             (is_made_number(node->children[0]) ||
              (node->children[0]->moved && node->children[0]->kind == CLOPT_NODE_VARIABLE)))
        folded = take(node->children[0]); /* which needs no parentheses */
    if (!folded)
        return node;
    folded->width = 1;
    folded->bits = node->bits;
    folded->is_signed = node->is_signed;
    folded->scalar = node->scalar;
    return folded;
}
