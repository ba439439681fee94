/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints expressions as vector code. What the source computes in one expression stays one, so that
 * compilers contract the same multiplications and additions. */

#include "builtin.h"
#include "code.h"
#include "scalar.h"
#include "share.h"

static void put_own(struct code *code, const struct clopt_node *node);

bool code_has_vectors(const struct clopt_node *node)
{
    return node->scalar != CLOPT_SCALAR_NONE && node->width == 1 && !node->is_pointer &&
           !node->is_array && !node->is_record;
}

/* Whether an expression changes a variable of the kernel; functions may change their own. */
static bool changes_variables(const struct clopt_node *node)
{
    bool steps = node->kind == CLOPT_NODE_UNARY || node->kind == CLOPT_NODE_POSTFIX;
    if (node->kind == CLOPT_NODE_ASSIGN ||
        (steps && (clopt_node_is_operator(node, "++") || clopt_node_is_operator(node, "--"))))
        return true;
    for (size_t i = 0; i < node->child_count; i++) {
        const struct clopt_node *child = node->children[i];
        if (node->callee && (child->is_pointer || child->is_array || child->is_record))
            return true;
        if (changes_variables(child))
            return true;
    }
    return false;
}

bool code_has_effects(const struct clopt_node *node)
{
    unsigned effects = clopt_node_effects(node) & ~(unsigned)CLOPT_EFFECT_MEMORY_READ;
    return effects == CLOPT_EFFECT_PRIVATE_WRITE ? changes_variables(node) : effects != 0;
}

bool code_is_safe(const struct clopt_node *node)
{
    if (clopt_node_effects(node))
        return false;
    bool divides = node->kind == CLOPT_NODE_BINARY &&
                   (clopt_node_is_operator(node, "/") || clopt_node_is_operator(node, "%")) &&
                   scalar_is_integer(node->scalar);
    if (divides && (!node->children[1]->known || node->children[1]->value <= 0))
        return false;
    if (node->kind == CLOPT_NODE_SUBSCRIPT && !node->children[1]->known)
        return false;
    if (node->callee || (node->kind == CLOPT_NODE_UNARY && clopt_node_is_operator(node, "*")))
        return false;
    for (size_t i = 0; i < node->child_count; i++)
        if (!code_is_safe(node->children[i]))
            return false;
    return true;
}

void code_put_type(struct code *code, enum clopt_scalar type)
{
    code_printf(code, "%s%u", scalar_name(type), code->width);
}

/* ---- what is not computed on vectors ---- */

/* Puts what a lane makes of an expression as one element of a list. */
static void put_element(struct code *code, const struct clopt_node *node, unsigned lane)
{
    bool lists = node->kind == CLOPT_NODE_BINARY && clopt_node_is_operator(node, ",");
    code_put(code, lists ? "(" : "");
    code_put_lane(code, node, lane);
    code_put(code, lists ? ")" : "");
}

/* Puts an expression lane by lane. */
static void put_lanes(struct code *code, const struct clopt_node *node, const char *reason)
{
    code_note(code, node, reason);
    code_put(code, "(");
    code_put_type(code, scalar_held(node->scalar));
    code_put(code, ")(");
    for (unsigned lane = 0; lane < code->width; lane++) {
        code_put(code, lane ? ", " : "");
        put_element(code, node, lane);
    }
    code_put(code, ")");
}

/* Whether an operand of a type may stand next to a vector of another one as it is. */
static bool fits(const struct clopt_node *node, enum clopt_scalar type)
{
    if (node->scalar == type)
        return true;
    return node->kind == CLOPT_NODE_LITERAL && node->known && node->value >= 0 &&
           node->value < 128 && node->scalar == CLOPT_SCALAR_INT &&
           (!scalar_is_integer(type) || scalar_bits(type) >= 32);
}

/* Puts what all lanes agree on. */
static void put_uniform(struct code *code, const struct clopt_node *node, enum clopt_scalar type,
                        bool splat)
{
    bool bare = node->kind == CLOPT_NODE_LITERAL || node->kind == CLOPT_NODE_VARIABLE ||
                node->kind == CLOPT_NODE_SUBSCRIPT || node->kind == CLOPT_NODE_PAREN;
    bool closed = splat || (!fits(node, type) && !bare);
    if (splat) {
        code_put(code, "(");
        code_put_type(code, type);
        code_put(code, ")");
    } else if (!fits(node, type)) {
        code_printf(code, "(%s)", scalar_name(type));
    }
    code_put(code, closed ? "(" : "");
    put_element(code, node, 0);
    code_put(code, closed ? ")" : "");
}

/* Puts the vector 0, 1, 2, ... times a stride. */
static void put_numbers(struct code *code, enum clopt_scalar type, int64_t stride)
{
    if (!code->numbers[type])
        code->numbers[type] = code_fresh(code, "lanes", scalar_bits(type));
    if (stride != 1 && stride != -1)
        code_printf(code, "%lld * ", (long long)(stride < 0 ? -stride : stride));
    code_put(code, code->numbers[type]);
}

/* Puts what lane 0 has plus what the others are ahead of it. */
static void put_affine(struct code *code, const struct clopt_node *node, int64_t stride)
{
    bool closed = node->kind == CLOPT_NODE_BINARY && clopt_node_is_operator(node, "<<");
    code_put(code, closed ? "((" : "(");
    code_put_lane(code, node, 0);
    code_put(code, closed ? ")" : "");
    code_put(code, stride < 0 ? " - " : " + ");
    put_numbers(code, node->scalar, stride);
    code_put(code, ")");
}

/* ---- values ---- */

void code_put_value(struct code *code, const struct clopt_node *node, enum clopt_scalar type,
                    bool splat)
{
    if (!code_diverges(code, node)) {
        put_uniform(code, node, type, splat);
        return;
    }
    enum clopt_scalar own = scalar_held(node->scalar);
    int64_t stride = 0;
    if (own != type)
        code_printf(code, "convert_%s%u(", scalar_name(type), code->width);
    if (!node->is_pointer && plan_stride(code->plan, node, &stride) && stride != 0)
        put_affine(code, node, stride);
    else
        put_own(code, node);
    code_put(code, own != type ? ")" : "");
}

/* Puts a truth value as C has it: 0 or 1. */
static void put_truth(struct code *code, const struct clopt_node *node)
{
    code_put(code, "(");
    code_put_mask(code, node, true);
    code_put(code, " & 1)");
}

static void put_unary(struct code *code, const struct clopt_node *node)
{
    if (clopt_node_is_operator(node, "!")) {
        put_truth(code, node);
        return;
    }
    code_printf(code, "%s", node->operator);
    code->gains++;
    bool again = node->children[0]->kind == CLOPT_NODE_UNARY;
    code_put(code, again ? "(" : "");
    code_put_value(code, node->children[0], node->scalar, false);
    code_put(code, again ? ")" : "");
}

static void put_binary(struct code *code, const struct clopt_node *node)
{
    if (code_is_truth(node)) {
        put_truth(code, node);
        return;
    }
    if (clopt_node_is_operator(node, ",") || !code_has_vectors(node->children[0]) ||
        !code_has_vectors(node->children[1])) {
        put_lanes(code, node, "an operator on what vectors cannot hold");
        return;
    }
    code->gains++;
    bool shifts = clopt_node_is_operator(node, "<<") || clopt_node_is_operator(node, ">>");
    code_put_value(code, node->children[0], node->scalar, shifts);
    code_printf(code, " %s ", node->operator);
    code_put_value(code, node->children[1], node->scalar, false);
}

static void put_conditional(struct code *code, const struct clopt_node *node)
{
    const struct clopt_node *condition = node->children[0];
    bool together = !code_diverges(code, condition);
    bool sides = code_has_vectors(node->children[1]) && code_has_vectors(node->children[2]);
    if (!sides ||
        (!together && (!code_is_safe(node->children[1]) || !code_is_safe(node->children[2])))) {
        put_lanes(code, node, "a conditional expression whose sides are not safe to evaluate");
        return;
    }
    enum clopt_scalar type = scalar_held(node->scalar);
    code->gains++;
    code_put(code, "(");
    if (together) {
        code_put_lane(code, condition, 0);
    } else if (scalar_bits(type) == 32) {
        code_put_mask(code, condition, true);
    } else {
        code_printf(code, "convert_%s%u(",
                    scalar_bits(type) == 64   ? "long"
                    : scalar_bits(type) == 16 ? "short"
                                              : "char",
                    code->width);
        code_put_mask(code, condition, false);
        code_put(code, ")");
    }
    code_put(code, " ? ");
    code_put_value(code, node->children[1], type, true);
    code_put(code, " : ");
    code_put_value(code, node->children[2], type, true);
    code_put(code, ")");
}

/* Puts the call of a function of OpenCL that works on vectors as it does on scalars. */
static void put_call(struct code *code, const struct clopt_node *node)
{
    enum builtin_kind kind = node->callee ? BUILTIN_LANES : builtin_find(node);
    for (size_t i = 0; i < node->child_count; i++)
        if (!code_has_vectors(node->children[i]))
            kind = BUILTIN_LANES;
    if (kind == BUILTIN_LANES) {
        put_lanes(code, node, "a function that takes one work-item's value at a time");
        return;
    }
    code->gains++;
    if (kind == BUILTIN_CONVERT)
        builtin_put_convert(code->output, node, code->width);
    else
        code_put(code, node->name);
    code_put(code, "(");
    for (size_t i = 0; i < node->child_count; i++) {
        const struct clopt_node *argument = node->children[i];
        enum clopt_scalar type =
            kind == BUILTIN_SAME ? scalar_held(node->scalar) : scalar_held(argument->scalar);
        code_put(code, i ? ", " : "");
        code_put_value(code, argument, type, true);
    }
    code_put(code, ")");
}

/* ---- places ---- */

static void put_place(struct code *code, const struct clopt_node *node)
{
    int64_t stride = 0;
    const char *shared = share_name(code->share, node);
    if (shared) {
        code_put(code, shared);
    } else if (code_is_vector_place(code, node)) {
        code_put_vector_place(code, node);
    } else if (code_is_row(code, node, &stride)) {
        code->gains++;
        if (code_is_aligned_row(code, node, stride)) {
            code_put_aligned_row(code, node);
            return;
        }
        code_printf(code, "vload%u(0, ", code->width);
        code_put_row_address(code, node, stride);
        code_put(code, ")");
        if (stride < 0)
            code_put_reversal(code);
    } else {
        put_lanes(code, node, "memory that is not read by neighbours at neighbouring places");
    }
}

/* Puts a divergent expression as a vector of its own type. */
static void put_own(struct code *code, const struct clopt_node *node)
{
    const struct clopt_node *child = node->child_count ? node->children[0] : NULL;
    switch (node->kind) {
    case CLOPT_NODE_VARIABLE:
    case CLOPT_NODE_SUBSCRIPT:
        put_place(code, node);
        break;
    case CLOPT_NODE_PAREN:
        code_put(code, "(");
        put_own(code, child);
        code_put(code, ")");
        break;
    case CLOPT_NODE_CAST:
        if (!code_has_vectors(child))
            put_lanes(code, node, "a cast of what vectors cannot hold");
        else if (node->scalar == CLOPT_SCALAR_BOOL)
            put_truth(code, child);
        else
            code_put_value(code, child, node->scalar, false);
        break;
    case CLOPT_NODE_AS_TYPE:
        if (!code_has_vectors(child) || scalar_bits(child->scalar) != scalar_bits(node->scalar)) {
            put_lanes(code, node, "as_type of what vectors cannot hold");
            break;
        }
        code_printf(code, "as_%s%u(", scalar_name(node->scalar), code->width);
        code_put_value(code, child, child->scalar, true);
        code_put(code, ")");
        break;
    case CLOPT_NODE_UNARY:
        if (clopt_node_is_operator(node, "*"))
            put_place(code, node);
        else if (clopt_node_is_operator(node, "-") || clopt_node_is_operator(node, "+") ||
                 clopt_node_is_operator(node, "~") || clopt_node_is_operator(node, "!"))
            put_unary(code, node);
        else
            put_lanes(code, node, "an operator with an effect inside an expression");
        break;
    case CLOPT_NODE_BINARY:
        put_binary(code, node);
        break;
    case CLOPT_NODE_CONDITIONAL:
        put_conditional(code, node);
        break;
    case CLOPT_NODE_CALL:
        put_call(code, node);
        break;
    default:
        put_lanes(code, node, "an expression that vectors do not know");
        break;
    }
}
