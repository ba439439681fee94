/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints assignments and other expressions that stand as statements. */
#include <string.h>

#include "code.h"
#include "scalar.h"

static bool is_comma(const struct clopt_node *node)
{
    return node->kind == CLOPT_NODE_BINARY && clopt_node_is_operator(node, ",");
}

/* ---- new values ---- */

static enum clopt_scalar computed_in(const struct clopt_node *node)
{
    enum clopt_scalar place = node->children[0]->scalar;
    if (clopt_node_is_step(node))
        return place;
    bool shifts = clopt_node_is_operator(node, "<<=") || clopt_node_is_operator(node, ">>=");
    return shifts ? scalar_promote(place) : scalar_common(place, node->children[1]->scalar);
}

/* Puts what ++ adds, or the right side of an assignment, fit to be an operand or not. */
static void put_change(struct code *code, const struct clopt_node *node, enum clopt_scalar type,
                       bool operand)
{
    if (clopt_node_is_step(node)) {
        if (scalar_is_integer(type) && scalar_bits(type) < 32)
            code_printf(code, "(%s)", scalar_name(type));
        code_put(code, "1");
        return;
    }
    const struct clopt_node *value = node->children[1];
    bool closed = operand && value->kind == CLOPT_NODE_BINARY;
    code_put(code, closed ? "(" : "");
    code_put_value(code, value, type, false);
    code_put(code, closed ? ")" : "");
}

void code_put_new_value(struct code *code, const struct clopt_node *node)
{
    const struct clopt_node *place = node->children[0];
    enum clopt_scalar type = place->scalar;
    if (node->kind == CLOPT_NODE_ASSIGN && clopt_node_is_operator(node, "=")) {
        code_put_value(code, node->children[1], type, true);
        return;
    }
    enum clopt_scalar inner = computed_in(node);
    if (inner != type)
        code_printf(code, "convert_%s%u(", scalar_name(type), code->width);
    code_put_value(code, place, inner, true);
    code_printf(code, " %.*s ", (int)strlen(node->operator) - 1, node->operator);
    put_change(code, node, inner, true);
    code_put(code, inner != type ? ")" : "");
    code->gains++;
}

/* Puts an assignment to a vector. */
static void put_vector_assignment(struct code *code, const struct clopt_node *node)
{
    const struct clopt_node *place = node->children[0];
    bool plain = node->kind == CLOPT_NODE_ASSIGN && clopt_node_is_operator(node, "=");
    code_put_vector_place(code, place);
    if (plain) {
        code_put(code, " = ");
        code_put_value(code, node->children[1], place->scalar, false);
    } else if (computed_in(node) != place->scalar) {
        code_put(code, " = ");
        code_put_new_value(code, node);
    } else {
        code_printf(code, " %c%s ", node->operator[0],
                    clopt_node_is_step(node) ? "=" : node->operator+ 1);
        put_change(code, node, place->scalar, false);
        code->gains++;
    }
}

/* Puts a store to neighbouring places. */
static void put_row_store(struct code *code, const struct clopt_node *node, int64_t stride)
{
    code->gains++;
    if (code_is_aligned_row(code, node->children[0], stride)) {
        code_put_aligned_row(code, node->children[0]);
        code_put(code, " = ");
        code_put_new_value(code, node);
        return;
    }
    code_printf(code, "vstore%u(", code->width);
    code_put(code, stride < 0 ? "(" : "");
    code_put_new_value(code, node);
    code_put(code, stride < 0 ? ")" : "");
    if (stride < 0)
        code_put_reversal(code);
    code_put(code, ", 0, ");
    code_put_row_address(code, node->children[0], stride);
    code_put(code, ")");
}

/* Puts stores to places that are no neighbours, of values that are computed as a vector; false, and
 * nothing, where that gains nothing. */
static bool put_scatter(struct code *code, const struct clopt_node *node)
{
    const struct clopt_node *place = node->children[0];
    if (!code_has_vectors(place) || place->scalar == CLOPT_SCALAR_BOOL ||
        clopt_node_is_step(node) || !code_has_vectors(node->children[1]))
        return false;
    struct clopt_output *outer = code->output;
    unsigned gains = code->gains;
    code->output = clopt_output_create();
    if (!code->output) {
        code->failed = true;
        code->output = outer;
        return false;
    }
    code_put_new_value(code, node);
    struct clopt_output *value = code->output;
    const char *text = clopt_output_text(value);
    code->output = outer;
    bool plain = clopt_node_is_operator(node, "=");
    bool worth = code->gains > gains + !plain && text;
    if (worth) {
        const char *name = code_number(code, "value");
        code_put(code, "const ");
        code_put_type(code, place->scalar);
        code_printf(code, " %s = ", name);
        code_put(code, text);
        for (unsigned lane = 0; lane < code->width; lane++) {
            code_put(code, ";\n");
            code_put_lane(code, place, lane);
            code_printf(code, " = %s.s%x", name, lane);
        }
        code_put(code, ";");
        code_note(code, place, "memory that is not written by neighbours at neighbouring places");
    } else {
        code->gains = gains;
    }
    code->failed |= !text;
    clopt_output_destroy(value);
    return worth;
}

/* What an expression is to do with vectors. */
enum shape { SHAPE_ONCE, SHAPE_VECTOR, SHAPE_ROW, SHAPE_SCATTER, SHAPE_LANES };

static enum shape shape_of(const struct code *code, const struct clopt_node *node, int64_t *stride)
{
    if (!code_diverges(code, node))
        return SHAPE_ONCE;
    if (node->kind != CLOPT_NODE_ASSIGN && !clopt_node_is_step(node))
        return SHAPE_LANES;
    const struct clopt_node *place = node->children[0];
    const struct clopt_node *value = clopt_node_is_step(node) ? NULL : node->children[1];
    const struct clopt_node *named = place;
    while (named->kind == CLOPT_NODE_PAREN)
        named = named->children[0];
    if (named->kind == CLOPT_NODE_VARIABLE &&
        code->plan->forms[named->variable->index] == FORM_AFFINE)
        return SHAPE_ONCE;
    if (code_has_effects(place) || (value && code_has_effects(value)))
        return SHAPE_LANES;
    if (value && !code_has_vectors(value))
        return SHAPE_LANES;
    if (code_is_vector_place(code, place))
        return SHAPE_VECTOR;
    if (code_is_row(code, place, stride))
        return SHAPE_ROW;
    bool memory = place->kind == CLOPT_NODE_SUBSCRIPT && place->space != CLOPT_SPACE_PRIVATE;
    return memory && !place->is_volatile ? SHAPE_SCATTER : SHAPE_LANES;
}

/* Puts an expression for one lane, in a for's head or with its semicolon. */
static void put_lane(struct code *code, const struct clopt_node *node, unsigned lane, bool in_head)
{
    code_put_lane(code, node, lane);
    code_put(code, in_head || node->stop > node->end ? "" : ";");
}

void code_put_expression(struct code *code, const struct clopt_node *node, bool in_head)
{
    const char *separator = in_head ? ", " : "\n";
    if (is_comma(node) && code_diverges(code, node)) {
        code_put_expression(code, node->children[0], in_head);
        code_put(code, separator);
        code_put_expression(code, node->children[1], in_head);
        return;
    }
    int64_t stride = 0;
    switch (shape_of(code, node, &stride)) {
    case SHAPE_ONCE:
        put_lane(code, node, 0, in_head);
        return;
    case SHAPE_VECTOR:
        put_vector_assignment(code, node);
        code_put(code, in_head ? "" : ";");
        return;
    case SHAPE_ROW:
        put_row_store(code, node, stride);
        code_put(code, in_head ? "" : ";");
        return;
    case SHAPE_SCATTER:
        if (!in_head && put_scatter(code, node))
            return;
        break;
    case SHAPE_LANES:
        break;
    }
    code_note(code, node, "a statement that is executed lane by lane");
    for (unsigned lane = 0; lane < code->width; lane++) {
        code_put(code, lane ? separator : "");
        put_lane(code, node, lane, in_head);
    }
}
