/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints divergent branches whose sides all lanes go through, each keeping what its condition lets
 * it keep. */

#include "code.h"

#define MOST_NODES 64 /* in a branch whose sides are cheap */

/* Lanes that execute a side of a branch. */
struct side {
    const struct clopt_node *branch;
    const char *mask;
};

static size_t count_nodes(const struct clopt_node *node)
{
    size_t count = 1;
    for (size_t i = 0; i < node->child_count; i++)
        count += count_nodes(node->children[i]);
    return count;
}

static bool is_inside(const struct clopt_node *branch, const struct clopt_variable *variable)
{
    return variable->declarator && clopt_node_contains(branch, variable->declarator);
}

/* Whether all indices of a place are constants, so that it is there for lanes that do not go. */
static bool is_fixed(const struct clopt_node *place)
{
    while (place->kind == CLOPT_NODE_SUBSCRIPT) {
        if (!place->children[1]->known)
            return false;
        place = place->children[0];
    }
    return place->kind == CLOPT_NODE_VARIABLE;
}

static bool can_assign(const struct code *code, const struct clopt_node *branch,
                       const struct clopt_node *node)
{
    if (node->kind != CLOPT_NODE_ASSIGN && !clopt_node_is_step(node))
        return false;
    const struct clopt_node *place = node->children[0];
    const struct clopt_node *value = clopt_node_is_step(node) ? NULL : node->children[1];
    if (value && (!code_is_safe(value) || !code_has_vectors(value)))
        return false;
    /* The same traps as of a plain division. */
    if (value && (node->operator[0] == '/' || node->operator[0] == '%') && !value->known)
        return false;
    if (value && value->known && value->value <= 0 &&
        (node->operator[0] == '/' || node->operator[0] == '%'))
        return false;
    if (place->kind == CLOPT_NODE_VARIABLE && place->variable->space == CLOPT_SPACE_PRIVATE &&
        is_inside(branch, place->variable))
        return code->plan->forms[place->variable->index] != FORM_SCALARS;
    return code_is_vector_place(code, place) && is_fixed(place);
}

static bool can_declare(const struct code *code, const struct clopt_node *node)
{
    for (size_t i = 0; i < node->child_count; i++) {
        const struct clopt_node *declarator = node->children[i];
        const struct clopt_node *value = declarator->condition;
        if (declarator->variable->space != CLOPT_SPACE_PRIVATE ||
            code->plan->forms[declarator->variable->index] == FORM_SCALARS)
            return false;
        if (value && (value->kind == CLOPT_NODE_LIST || !code_is_safe(value)))
            return false;
    }
    return true;
}

static bool can_go(const struct code *code, const struct clopt_node *branch,
                   const struct clopt_node *node)
{
    if (clopt_node_is_expression(node))
        return can_assign(code, branch, node);
    switch (node->kind) {
    case CLOPT_NODE_EMPTY:
        return true;
    case CLOPT_NODE_DECLARE:
        return can_declare(code, node);
    case CLOPT_NODE_IF:
        if (!code_is_safe(node->condition))
            return false;
        return can_go(code, node, node->body) &&
               (!node->otherwise || can_go(code, node, node->otherwise));
    case CLOPT_NODE_COMPOUND:
        for (size_t i = 0; i < node->child_count; i++)
            if (!can_go(code, branch, node->children[i]))
                return false;
        return true;
    default:
        return false;
    }
}

bool code_can_select(const struct code *code, const struct clopt_node *node)
{
    if (node->kind != CLOPT_NODE_IF || count_nodes(node) > MOST_NODES ||
        code_has_effects(node->condition))
        return false;
    return can_go(code, node, node->body) &&
           (!node->otherwise || can_go(code, node, node->otherwise));
}

static void put_branch(struct code *code, const struct clopt_node *node, const char *outer);

static void put_assignment(struct code *code, const struct side *side,
                           const struct clopt_node *node)
{
    const struct clopt_node *place = node->children[0];
    const struct clopt_node *name = place;
    while (name->kind == CLOPT_NODE_SUBSCRIPT)
        name = name->children[0];
    if (is_inside(side->branch, name->variable)) {
        code_put_statement(code, node);
        return;
    }
    code_put_vector_place(code, place);
    code_put(code, " = ");
    code_put_mask_for(code, side->mask, place->scalar);
    code_put(code, " ? ");
    code_put_new_value(code, node);
    code_put(code, " : ");
    code_put_vector_place(code, place);
    code_put(code, ";");
    code->gains++;
}

static void put_side(struct code *code, const struct side *side, const struct clopt_node *node)
{
    if (clopt_node_is_expression(node)) {
        put_assignment(code, side, node);
    } else if (node->kind == CLOPT_NODE_IF) {
        put_branch(code, node, side->mask);
    } else if (node->kind == CLOPT_NODE_COMPOUND) {
        size_t at = node->begin + 1;
        for (size_t i = 0; i < node->child_count; i++) {
            code_copy(code, at, node->children[i]->begin);
            put_side(code, side, node->children[i]);
            at = node->children[i]->stop;
        }
        code_copy(code, at, node->stop - 1);
    } else {
        code_put_statement(code, node);
    }
}

/* Puts a branch for the lanes of a mask, or for all if it is NULL. */
static void put_branch(struct code *code, const struct clopt_node *node, const char *outer)
{
    struct side side = {node, code_number(code, "mask")};
    code_put(code, "{\n");
    code_printf(code, "const int%u %s = ", code->width, side.mask);
    if (outer)
        code_printf(code, "%s & ", outer);
    code_put_mask(code, node->condition, outer != NULL);
    code_put(code, ";\n");
    put_side(code, &side, node->body);
    if (node->otherwise) {
        const char *mask = code_number(code, "mask");
        code_printf(code, "\nconst int%u %s = ", code->width, mask);
        if (outer)
            code_printf(code, "%s & ", outer);
        code_printf(code, "~%s;\n", side.mask);
        side.mask = mask;
        put_side(code, &side, node->otherwise);
    }
    code_put(code, "\n}");
}

void code_put_selection(struct code *code, const struct clopt_node *node)
{
    put_branch(code, node, NULL);
}
