/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds declarations: vectors, arrays that are aligned for them, and one variable for each lane.
 */
#include <stdio.h>
#include <string.h>

#include "code.h"
#include "share.h"

/* The elements of a list of initial values. */
struct elements {
    struct code *code;
    enum clopt_scalar type;
};

static struct clopt_node *element(void *user, const struct clopt_node *node)
{
    const struct elements *elements = user;
    return node->kind == CLOPT_NODE_LIST ? NULL
                                         : code_value(elements->code, node, elements->type, true);
}

static struct clopt_node *vector_declaration(struct code *code, const struct clopt_node *declarator)
{
    const struct clopt_variable *variable = declarator->variable;
    const struct clopt_node *value = declarator->condition;
    const char *word = strstr(variable->type, "const ");
    bool constant = word && (word == variable->type || word[-1] == ' ');
    struct clopt_variable *vector =
        code_like(code, variable, constant ? "const " : "", variable->scalar);
    if (!value)
        return code_build(code, declarator, "$V;", vector);
    struct elements elements = {code, variable->scalar};
    struct clopt_cloning cloning = {.source = code->source, .user = &elements, .node = element};
    return code_build(code, declarator, "$V = $n;", vector,
                      value->kind == CLOPT_NODE_LIST
                          ? clopt_clone(&cloning, value)
                          : code_value(code, value, variable->scalar, false));
}

static bool is_aligned(const struct code *code, const struct clopt_variable *variable)
{
    return code->alignment && code->alignment->arrays[variable->index];
}

/* Returns the declaration of an array in local memory, which is aligned for vectors of its
 * elements. */
static struct clopt_node *aligned_declaration(struct code *code,
                                              const struct clopt_node *declarator)
{
    const struct clopt_variable *array = declarator->variable;
    char attribute[64];
    snprintf(attribute, sizeof attribute, " __attribute__((aligned(%u)))",
             clopt_scalar_bits(array->scalar) / 8 * code->width);
    return code_build(code, declarator, "$V;",
                      clopt_variable_like(code->source, array, NULL, attribute));
}

/* Returns the declaration of a variable that a lane has of its own. */
static struct clopt_node *lane_declaration(struct code *code, const struct clopt_node *declarator,
                                           unsigned lane)
{
    struct clopt_variable *own =
        clopt_coarsening_variable(&code->coarsening, declarator->variable, lane);
    const struct clopt_node *value = declarator->condition;
    return code_build(code, declarator, "$V = $n;", own,
                      value ? code_lane(code, value, lane) : NULL);
}

static void add_declarator(struct code *code, const struct clopt_node *declarator,
                           struct clopt_nodes *list)
{
    enum form form = code->plan->forms[declarator->variable->index];
    unsigned count = form == FORM_SCALARS ? code->width : 1;
    if (is_aligned(code, declarator->variable))
        code_add(code, list, aligned_declaration(code, declarator));
    else if (form == FORM_VECTOR)
        code_add(code, list, vector_declaration(code, declarator));
    else
        for (unsigned lane = 0; lane < count; lane++)
            code_add(code, list, lane_declaration(code, declarator, lane));
}

void code_add_declarations(void *user, const struct clopt_node *node, struct clopt_nodes *list)
{
    struct code *code = user;
    bool changed = false;
    for (size_t i = 0; i < node->child_count; i++) {
        const struct clopt_variable *variable = node->children[i]->variable;
        changed |= code->plan->forms[variable->index] >= FORM_VECTOR || is_aligned(code, variable);
    }
    share_add(code, node, list);
    for (size_t i = 0; changed && i < node->child_count; i++)
        add_declarator(code, node->children[i], list);
    if (!changed && list->count)
        code_add(code, list, code_lane(code, node, 0));
}
