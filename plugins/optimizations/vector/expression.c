/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds expressions as vector code. What the source computes in one expression stays one, so that
 * compilers contract the same multiplications and additions. */
#include "code.h"

static struct clopt_node *own_value(struct code *code, const struct clopt_node *node);

bool code_has_vectors(const struct clopt_node *node)
{
    return node->scalar != CLOPT_SCALAR_NONE && node->width == 1 && !node->is_pointer &&
           !node->is_array && !node->is_record;
}

/* Whether a node changes a variable of the kernel; functions may change their own. */
static bool is_change(const struct clopt_node *node, const void *user)
{
    (void)user;
    bool leads = node->is_pointer || node->is_array || node->is_record;
    return clopt_node_written(node) || (leads && node->parent->callee);
}

bool code_has_effects(const struct clopt_node *node)
{
    unsigned effects = clopt_node_effects(node) & ~(unsigned)CLOPT_EFFECT_MEMORY_READ;
    return effects &&
           (effects != CLOPT_EFFECT_PRIVATE_WRITE || clopt_node_search(node, is_change, NULL));
}

/* Whether a node may read what is not there, or calls what may. */
static bool is_risky(const struct clopt_node *node, const void *user)
{
    (void)user;
    return (node->kind == CLOPT_NODE_SUBSCRIPT && !node->children[1]->known) || node->callee ||
           (node->kind == CLOPT_NODE_UNARY && clopt_node_is_operator(node, "*"));
}

bool code_is_safe(const struct clopt_node *node)
{
    return !clopt_node_effects(node) && !clopt_node_find_trap(node) &&
           !clopt_node_search(node, is_risky, NULL);
}

/* ---- what is not computed on vectors ---- */

/* Returns an expression lane by lane. */
static struct clopt_node *by_lanes(struct code *code, const struct clopt_node *node,
                                   const char *reason)
{
    struct clopt_nodes lanes = {0};
    code_note(code, node, reason);
    for (unsigned lane = 0; lane < code->width; lane++)
        code_add(code, &lanes, code_lane(code, node, lane));
    return code_build(code, node, "($s$u)($N)", scalar_name(node->scalar), code->width, &lanes);
}

/* Whether an operand of a type may be next to a vector of another one as it is. */
static bool fits(const struct clopt_node *node, enum clopt_scalar type)
{
    if (node->scalar == type)
        return true;
    return node->kind == CLOPT_NODE_LITERAL && node->known && node->value >= 0 &&
           node->value < 128 && node->scalar == CLOPT_SCALAR_INT &&
           (!clopt_scalar_is_integer(type) || clopt_scalar_bits(type) >= 32);
}

/* Returns what all lanes agree on. */
static struct clopt_node *uniform(struct code *code, const struct clopt_node *node,
                                  enum clopt_scalar type, bool splat)
{
    struct clopt_node *value = code_lane(code, node, 0);
    if (splat)
        return code_build(code, node, "($s$u)($n)", scalar_name(type), code->width, value);
    return fits(node, type) ? value : code_build(code, node, "($s)$n", scalar_name(type), value);
}

/* ---- values ---- */

struct clopt_node *code_value(struct code *code, const struct clopt_node *node,
                              enum clopt_scalar type, bool splat)
{
    if (!code_diverges(code, node))
        return uniform(code, node, type, splat);
    int64_t stride = 0;
    bool moves = !node->is_pointer && plan_stride(code->plan, node, &stride) && stride != 0;
    struct clopt_node *value =
        moves ? code_build(code, node, "$n + $l * $v", code_lane(code, node, 0), stride,
                           code_numbers(code, node->scalar))
              : own_value(code, node);
    return scalar_held(node->scalar) == type
               ? value
               : code_build(code, node, "convert_$s$u($n)", scalar_name(type), code->width, value);
}

/* Returns a truth value as C has it: 0 or 1. */
static struct clopt_node *truth(struct code *code, const struct clopt_node *node)
{
    bool inverted = clopt_node_is_operator(node, "!");
    struct clopt_node *mask = code_mask(code, inverted ? node->children[0] : node, true);
    return code_choose(code, mask, !inverted, inverted);
}

static struct clopt_node *unary(struct code *code, const struct clopt_node *node)
{
    code->gains.operations++;
    return code_build(code, node, "$s$n", node->op,
                      code_value(code, node->children[0], node->scalar, false));
}

static struct clopt_node *binary(struct code *code, const struct clopt_node *node)
{
    if (clopt_node_is_operator(node, ",") || !code_has_vectors(node->children[0]) ||
        !code_has_vectors(node->children[1]))
        return by_lanes(code, node, "an operator on values that vectors cannot hold");
    code->gains.operations++;
    bool shifts = clopt_node_is_operator(node, "<<") || clopt_node_is_operator(node, ">>");
    struct clopt_node *left = code_value(code, node->children[0], node->scalar, shifts);
    struct clopt_node *right = code_value(code, node->children[1], node->scalar, false);
    return code_build(code, node, "$n $s $n", left, node->op, right);
}

static struct clopt_node *conditional(struct code *code, const struct clopt_node *node)
{
    const struct clopt_node *condition = node->children[0];
    enum clopt_scalar type = scalar_held(node->scalar);
    bool together = !code_diverges(code, condition);
    bool sides = code_has_vectors(node->children[1]) && code_has_vectors(node->children[2]);
    if (!sides ||
        (!together && (!code_is_safe(node->children[1]) || !code_is_safe(node->children[2]))))
        return by_lanes(code, node,
                        "a conditional expression whose sides are not safe to evaluate");
    code->gains.operations++;
    struct clopt_node *mask = together
                                  ? code_lane(code, condition, 0)
                                  : code_mask_for(code, code_mask(code, condition, true), type);
    struct clopt_node *left = code_value(code, node->children[1], type, true);
    struct clopt_node *right = code_value(code, node->children[2], type, true);
    return code_build(code, node, "$n ? $n : $n", mask, left, right);
}

/* ---- functions of OpenCL ---- */

static bool is_named(const char *name, const char *const *names)
{
    for (; *names; names++)
        if (strcmp(name, *names) == 0)
            return true;
    return false;
}

/* Whether all arguments have the type of the first one. */
static bool is_alike(const struct clopt_node *call)
{
    for (size_t i = 1; i < call->child_count; i++)
        if (call->children[i]->scalar != call->children[0]->scalar)
            return false;
    return call->child_count > 0;
}

/* Whether only the accuracy of a function's result is defined. */
static bool is_approximate(const char *name)
{
    static const char *const names[] = {
        "acos",  "acosh", "acospi", "asin",  "asinh", "asinpi", "atan",  "atan2", "atan2pi",
        "atanh", "cbrt",  "cos",    "cosh",  "cospi", "erf",    "erfc",  "exp",   "exp10",
        "exp2",  "expm1", "hypot",  "log",   "log10", "log1p",  "log2",  "pow",   "powr",
        "rsqrt", "sin",   "sinh",   "sinpi", "tan",   "tanh",   "tanpi", NULL,
    };
    return is_named(name, names) || strncmp(name, "native_", 7) == 0 ||
           strncmp(name, "half_", 5) == 0;
}

/* Whether arguments and result of a function of OpenCL have one type. Functions whose result is
 * defined to the last bit are taken for vectors, and a few that every implementation computes by
 * one instruction. What is only accurate to some units in the last place may come out otherwise for
 * vectors, and is called once a lane unless that is allowed. */
static bool has_one_type(const struct code *code, const struct clopt_node *call)
{
    static const char *const names[] = {
        "fma",   "mad",   "fabs",   "fmin",    "fmax",    "floor",    "ceil",  "trunc", "rint",
        "round", "sqrt",  "min",    "max",     "clamp",   "copysign", "mad24", "mul24", "mul_hi",
        "hadd",  "rhadd", "rotate", "add_sat", "sub_sat", "popcount", "clz",   NULL,
    };
    return is_named(call->name, names) ? clopt_scalar_is_real(call->scalar) || is_alike(call)
                                       : code->functions && is_approximate(call->name);
}

static bool is_conversion(const struct clopt_node *call)
{
    return strncmp(call->name, "convert_", 8) == 0 && call->child_count == 1;
}

bool code_takes_vectors(const struct code *code, const struct clopt_node *call)
{
    static const char *const own[] = {"abs", "abs_diff", NULL}; /* a result of a type of its own */
    bool takes = !call->callee && (has_one_type(code, call) || is_conversion(call) ||
                                   (is_named(call->name, own) && is_alike(call)));
    for (size_t i = 0; i < call->child_count; i++)
        takes = takes && code_has_vectors(call->children[i]);
    return takes;
}

/* Returns the call of a function of OpenCL that works on vectors as it does on scalars. */
static struct clopt_node *call(struct code *code, const struct clopt_node *node)
{
    bool same = has_one_type(code, node);
    struct clopt_nodes arguments = {0};
    if (!code_takes_vectors(code, node))
        return by_lanes(code, node, "a function that takes one work-item's value at a time");
    code->gains.operations++;
    code->gains.functions |= is_approximate(node->name);
    for (size_t i = 0; i < node->child_count; i++) {
        const struct clopt_node *argument = node->children[i];
        enum clopt_scalar type = same ? node->scalar : argument->scalar;
        code_add(code, &arguments, code_value(code, argument, scalar_held(type), true));
    }
    if (!is_conversion(node))
        return code_build(code, node, "$s($N)", node->name, &arguments);
    const char *type = node->name + strlen("convert_");
    return code_build(code, node, "convert_$s$u$s($N)", scalar_name(node->scalar), code->width,
                      type + strcspn(type, "_"), &arguments);
}

/* ---- lvalues ---- */

static struct clopt_node *lvalue(struct code *code, const struct clopt_node *node)
{
    int64_t stride = 0;
    if (code->shared && code->shared[node->index])
        return code_build(code, node, "$v", code->shared[node->index]);
    if (code_is_vector_lvalue(code, node))
        return code_vector_lvalue(code, node);
    if (code_is_row(code, node, &stride))
        return code_load(code, node, stride);
    return by_lanes(code, node, "memory where neighbours do not read adjacent elements");
}

static struct clopt_node *cast(struct code *code, const struct clopt_node *node)
{
    const struct clopt_node *child = node->children[0];
    if (!code_has_vectors(child))
        return by_lanes(code, node, "a cast of values that vectors cannot hold");
    return node->scalar == CLOPT_SCALAR_BOOL ? truth(code, child)
                                             : code_value(code, child, node->scalar, false);
}

static struct clopt_node *as_type(struct code *code, const struct clopt_node *node)
{
    const struct clopt_node *child = node->children[0];
    if (!code_has_vectors(child) ||
        clopt_scalar_bits(child->scalar) != clopt_scalar_bits(node->scalar))
        return by_lanes(code, node, "as_type of values that vectors cannot hold");
    return code_build(code, node, "as_$s$u($n)", scalar_name(node->scalar), code->width,
                      code_value(code, child, child->scalar, true));
}

/* Returns a divergent expression as a vector of its own type. */
static struct clopt_node *own_value(struct code *code, const struct clopt_node *node)
{
    if (code_is_truth(node))
        return truth(code, node);
    switch (node->kind) {
    case CLOPT_NODE_VARIABLE:
    case CLOPT_NODE_SUBSCRIPT:
        return lvalue(code, node);
    case CLOPT_NODE_PAREN:
        return own_value(code, node->children[0]);
    case CLOPT_NODE_CAST:
        return cast(code, node);
    case CLOPT_NODE_AS_TYPE:
        return as_type(code, node);
    case CLOPT_NODE_UNARY:
        if (clopt_node_is_operator(node, "*"))
            return lvalue(code, node);
        if (strchr("-+~", node->op[0]) && !clopt_node_is_step(node))
            return unary(code, node);
        return by_lanes(code, node, "an operator with an effect inside an expression");
    case CLOPT_NODE_BINARY:
        return binary(code, node);
    case CLOPT_NODE_CONDITIONAL:
        return conditional(code, node);
    case CLOPT_NODE_CALL:
        return call(code, node);
    default:
        return by_lanes(code, node, "an expression that vectors do not know");
    }
}
