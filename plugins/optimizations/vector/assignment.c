/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds assignments and other expressions that are statements. */
#include <string.h>

#include "code.h"
#include "share.h"

static bool is_comma(const struct clopt_node *node)
{
    return node->kind == CLOPT_NODE_BINARY && clopt_node_is_operator(node, ",");
}

static bool is_plain(const struct clopt_node *node)
{
    return node->kind == CLOPT_NODE_ASSIGN && clopt_node_is_operator(node, "=");
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

/* Returns what ++ adds, or the right side of an assignment. */
static struct clopt_node *change(struct code *code, const struct clopt_node *node,
                                 enum clopt_scalar type)
{
    if (!clopt_node_is_step(node))
        return code_value(code, node->children[1], type, false);
    bool narrow = clopt_scalar_is_integer(type) && clopt_scalar_bits(type) < 32;
    return narrow ? code_build(code, node, "($s)1", scalar_name(type))
                  : code_build(code, node, "1");
}

struct clopt_node *code_new_value(struct code *code, const struct clopt_node *node)
{
    const struct clopt_node *place = node->children[0];
    enum clopt_scalar type = place->scalar;
    if (is_plain(node))
        return code_value(code, node->children[1], type, true);
    enum clopt_scalar inner = computed_in(node);
    struct clopt_node *old = code_value(code, place, inner, true);
    char op[4] = "";
    memcpy(op, node->op, strlen(node->op) - 1);
    struct clopt_node *value =
        code_build(code, node, "$n $s $n", old, op, change(code, node, inner));
    code->gains++;
    return inner == type
               ? value
               : code_build(code, node, "convert_$s$u($n)", scalar_name(type), code->width, value);
}

/* Returns an assignment to a vector. */
static struct clopt_node *vector_assignment(struct code *code, const struct clopt_node *node)
{
    const struct clopt_node *place = node->children[0];
    struct clopt_node *vector = code_vector_place(code, place);
    if (is_plain(node))
        return code_build(code, node, "$n = $n", vector,
                          code_value(code, node->children[1], place->scalar, false));
    if (computed_in(node) != place->scalar)
        return code_build(code, node, "$n = $n", vector, code_new_value(code, node));
    code->gains++;
    const char *op = clopt_node_is_step(node) ? (node->op[0] == '+' ? "+=" : "-=") : node->op;
    return code_build(code, node, "$n $s $n", vector, op, change(code, node, place->scalar));
}

/* Adds stores to places that are no neighbours, of values that are computed as a vector; false, and
 * nothing, where that gains nothing. */
static bool add_scatter(struct code *code, const struct clopt_node *node, struct clopt_nodes *list)
{
    const struct clopt_node *place = node->children[0];
    if (!code_has_vectors(place) || place->scalar == CLOPT_SCALAR_BOOL ||
        clopt_node_is_step(node) || !code_has_vectors(node->children[1]))
        return false;
    struct code_mark mark = code_begin(code);
    struct clopt_node *value = code_new_value(code, node);
    if (code->gains <= mark.gains + !is_plain(node)) {
        code_drop(code, mark);
        return false;
    }
    struct clopt_variable *vector = code_make_next(code, place->scalar, "value");
    code_add(code, list, code_build(code, node, "$V = $n;", vector, value));
    for (unsigned lane = 0; lane < code->width; lane++)
        code_add(code, list,
                 code_build(code, node, "$n = $v.$s;", code_lane(code, place, lane), vector,
                            code_component(lane)));
    code_note(code, place, "memory that is not written by neighbours at neighbouring places");
    return true;
}

/* What an expression is to do with vectors. */
enum shape { SHAPE_ONCE, SHAPE_VECTOR, SHAPE_ROW, SHAPE_SCATTER, SHAPE_LANES };

static enum shape shape_of(const struct code *code, const struct clopt_node *node, int64_t *stride)
{
    if (!code_diverges(code, node))
        return SHAPE_ONCE;
    const struct clopt_node *named = clopt_node_written(node);
    if (!named)
        return SHAPE_LANES;
    const struct clopt_node *place = node->children[0];
    const struct clopt_node *value = clopt_node_is_step(node) ? NULL : node->children[1];
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

/* Adds an expression; the parts of a comma expression follow each other. */
static void add_expression(struct code *code, const struct clopt_node *node, bool in_head,
                           struct clopt_nodes *list)
{
    if (is_comma(node) && code_diverges(code, node)) {
        add_expression(code, node->children[0], in_head, list);
        add_expression(code, node->children[1], in_head, list);
        return;
    }
    int64_t stride = 0;
    switch (shape_of(code, node, &stride)) {
    case SHAPE_ONCE:
        code_add(code, list, code_lane(code, node, 0));
        return;
    case SHAPE_VECTOR:
        code_add(code, list, vector_assignment(code, node));
        return;
    case SHAPE_ROW:
        code_add(code, list,
                 code_store(code, node->children[0], stride, code_new_value(code, node)));
        return;
    case SHAPE_SCATTER:
        if (!in_head && add_scatter(code, node, list))
            return;
        break;
    case SHAPE_LANES:
        break;
    }
    code_note(code, node, "a statement that is executed lane by lane");
    for (unsigned lane = 0; lane < code->width; lane++)
        code_add(code, list, code_lane(code, node, lane));
}

void code_add_expressions(void *user, const struct clopt_node *node, struct clopt_nodes *list)
{
    struct code *code = user;
    bool in_head = node->parent->init == node || node->parent->step == node;
    if (code->side && code_add_selected(code, node, list))
        return;
    share_add(code, node, list);
    if (list->count || code_diverges(code, node))
        add_expression(code, node, in_head, list);
}
