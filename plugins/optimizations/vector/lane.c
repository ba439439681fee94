/* SPDX-License-Identifier: BSD-3-Clause */
/* Clones what one lane executes, as scalar code that reads the components of vectors. */
#include <stdio.h>
#include <stdlib.h>

#include "code.h"
#include "scalar.h"
#include "share.h"

void code_note(struct code *code, const struct clopt_node *node, const char *reason)
{
    if (code->obstacle)
        return;
    code->obstacle = node;
    code->reason = reason;
}

bool code_diverges(const struct code *code, const struct clopt_node *node)
{
    return clopt_node_diverges(code->divergence, node);
}

struct code_mark code_begin(const struct code *code)
{
    struct code_mark mark = {.gains = code->gains};
    share_mark(code->share, &mark);
    return mark;
}

void code_drop(struct code *code, struct code_mark mark)
{
    code->gains = mark.gains;
    share_drop(code->share, &mark);
}

/* ---- variables ---- */

struct clopt_variable *code_like(struct code *code, const struct clopt_variable *variable,
                                 const char *qualifier, enum clopt_scalar type)
{
    char words[32];
    snprintf(words, sizeof words, "%s%s%u", qualifier, scalar_name(type), code->width);
    return clopt_variable_like(code->source, variable, words, "");
}

struct clopt_variable *code_make(struct code *code, const char *qualifier, enum clopt_scalar type,
                                 const char *base, unsigned number)
{
    const char *name = clopt_source_fresh(code->source, base, number);
    struct clopt_variable like = {.name = name ? name : "", .before = "", .after = ""};
    return code_like(code, &like, qualifier, type);
}

struct clopt_variable *code_make_next(struct code *code, enum clopt_scalar type, const char *base)
{
    return code_make(code, "const ", type, base, ++code->numbered);
}

void code_add_numbers(struct code *code, struct clopt_nodes *list)
{
    struct clopt_nodes lanes = {0};
    for (unsigned lane = 0; lane < code->width; lane++)
        code_add(code, &lanes, code_build(code, NULL, "$u", lane));
    for (unsigned type = 0; type < CODE_SCALARS; type++)
        if (code->numbers[type])
            code_add(code, list,
                     code_build(code, NULL, "$V = ($s$u)($N);", code->numbers[type],
                                scalar_name((enum clopt_scalar)type), code->width, &lanes));
}

const char *code_component(unsigned lane)
{
    static const char *const names[] = {"s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7",
                                        "s8", "s9", "sa", "sb", "sc", "sd", "se", "sf"};
    return names[lane];
}

/* ---- clones ---- */

/* Whether a variable is the lane's own, in a region that is cloned lane by lane. */
static bool is_own(const struct code *code, const struct clopt_variable *variable)
{
    return variable->declarator && variable->declarator->begin >= code->region_begin &&
           variable->declarator->begin < code->region_end;
}

static struct clopt_variable *copy_of(void *user, const struct clopt_variable *variable)
{
    const struct code *code = user;
    enum form form = code->plan->forms[variable->index];
    if (is_own(code, variable) || form == FORM_UNIFORM)
        return NULL;
    return code->copies[variable->index * code->width + (form == FORM_SCALARS ? code->lane : 0)];
}

struct clopt_node *code_vector_place(struct code *code, const struct clopt_node *node)
{
    if (node->kind == CLOPT_NODE_SUBSCRIPT)
        return code_build(code, node, "$n[$n]", code_vector_place(code, node->children[0]),
                          clopt_clone(&code->cloning, node->children[1]));
    struct clopt_variable *copy = copy_of(code, node->variable);
    return code_build(code, node, "$v", copy ? copy : node->variable);
}

/* Returns a component of a vector. */
static struct clopt_node *component_of(struct code *code, const struct clopt_node *node)
{
    return code_build(code, node, "$n.$s", code_vector_place(code, node),
                      code_component(code->lane));
}

/* Returns a variable that is more than itself under its name, or NULL. */
static struct clopt_node *variable_of_lane(struct code *code, const struct clopt_node *node)
{
    const struct clopt_variable *variable = node->variable;
    enum form form = code->plan->forms[variable->index];
    if (is_own(code, variable) || variable->is_array)
        return NULL;
    if (form == FORM_VECTOR)
        return component_of(code, node);
    if (form != FORM_AFFINE || code->lane == 0)
        return NULL;
    int64_t ahead = (int64_t)code->lane * code->plan->strides[variable->index].value;
    return code_build(code, node, "$n $s $l", code_vector_place(code, node), ahead < 0 ? "-" : "+",
                      ahead < 0 ? -ahead : ahead);
}

/* The array that a chain of subscripts leads into, or NULL. */
static const struct clopt_variable *array_of(const struct clopt_node *node)
{
    while (node->kind == CLOPT_NODE_SUBSCRIPT)
        node = node->children[0];
    return node->kind == CLOPT_NODE_VARIABLE && node->variable->is_array ? node->variable : NULL;
}

/* Returns an element of an array of vectors, or NULL. */
static struct clopt_node *element_of_lane(struct code *code, const struct clopt_node *node)
{
    const struct clopt_variable *array = array_of(node);
    if (node->is_array || !array || is_own(code, array) ||
        code->plan->forms[array->index] != FORM_VECTOR)
        return NULL;
    return component_of(code, node);
}

static struct clopt_node *node_of_lane(void *user, const struct clopt_node *node)
{
    struct code *code = user;
    switch (node->kind) {
    case CLOPT_NODE_RETURN:
        code->left |= code->leave != NULL;
        return code->leave ? code_build(code, node, "goto $s;", code->leave) : NULL;
    case CLOPT_NODE_VARIABLE:
        return variable_of_lane(code, node);
    case CLOPT_NODE_SUBSCRIPT:
        return element_of_lane(code, node);
    case CLOPT_NODE_CALL:
        return code->merging ? clopt_merging_node(code->merging, &code->cloning, node, code->lane)
                             : NULL;
    default:
        return NULL;
    }
}

struct clopt_node *code_lane(struct code *code, const struct clopt_node *node, unsigned lane)
{
    code->lane = lane;
    code->cloning.plain = lane > 0;
    struct clopt_node *clone = clopt_clone(&code->cloning, node);
    code->lane = 0;
    code->cloning.plain = false;
    return clone;
}

struct clopt_node *code_statement(struct code *code, const struct clopt_node *node)
{
    return clopt_clone(&code->together, node);
}

enum clopt_status code_init(struct code *code, struct clopt_error *error)
{
    code->cloning = (struct clopt_cloning){
        .source = code->source, .user = code, .node = node_of_lane, .variable = copy_of};
    code->together =
        (struct clopt_cloning){.source = code->source, .user = code, .node = code_node_of_all};
    code->copies =
        calloc(clopt_source_variable_count(code->source) * code->width + 1, sizeof *code->copies);
    return code->copies ? CLOPT_OK : clopt_fail(error, CLOPT_FAILED, "out of memory");
}

void code_fini(struct code *code)
{
    free(code->copies);
}
