/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds the kernel's body: what follows returns that not all lanes take, and the head. */
#include <string.h>

#include "code.h"
#include "scalar.h"

/* ---- early returns ---- */

/* Adds the statements of the kernel's body from number `first` on for one lane. */
static void add_rest_of_lane(struct code *code, const struct clopt_node *body, size_t first,
                             unsigned lane, struct clopt_nodes *list)
{
    for (size_t i = first; i < body->child_count; i++) {
        const struct clopt_node *node = body->children[i];
        if (!clopt_node_is_early_return(node)) {
            code_add(code, list, code_lane(code, node, lane));
            continue;
        }
        struct clopt_nodes rest = {0};
        struct clopt_node *condition = code_lane(code, node->condition, lane);
        add_rest_of_lane(code, body, i + 1, lane, &rest);
        code_add(code, list, code_build(code, node, "if (!$n) { $N }", condition, &rest));
        return;
    }
}

/* Adds the statements from number `first` on lane by lane. */
static void add_rest_apart(struct code *code, const struct clopt_node *body, size_t first,
                           struct clopt_nodes *list)
{
    code->region_begin = body->children[first]->begin;
    code->region_end = body->stop;
    for (unsigned lane = 0; lane < code->width; lane++) {
        struct clopt_nodes rest = {0};
        code->leave = clopt_source_fresh(code->source, "done", lane);
        code->left = false;
        add_rest_of_lane(code, body, first, lane, &rest);
        if (code->left)
            code_add(code, &rest, code_build(code, body, "$s:;", code->leave));
        code_add(code, list, code_build(code, body, "{ $N }", &rest));
    }
    code->leave = NULL;
    code->region_begin = code->region_end = 0;
}

static void add_rest(struct code *code, const struct clopt_node *body, size_t first,
                     struct clopt_nodes *list);

/* Adds what follows `if (c) return;`: as vector code where no lane returns. */
static bool add_rest_together(struct code *code, const struct clopt_node *body, size_t first,
                              struct clopt_nodes *list)
{
    const struct clopt_node *node = body->children[first];
    struct code_mark mark = code_begin(code);
    struct clopt_nodes rest = {0};
    struct clopt_nodes lanes = {0};
    if (!clopt_node_is_early_return(node) || code_has_effects(node->condition))
        return false;
    struct clopt_variable *leaving = code_make_next(code, CLOPT_SCALAR_INT, "mask");
    struct clopt_node *condition =
        code_build(code, node, "$V = $n;", leaving, code_mask(code, node->condition));
    unsigned gains = code->gains;
    add_rest(code, body, first + 1, &rest);
    if (code->gains == gains) {
        code_drop(code, mark);
        return false;
    }
    add_rest_apart(code, body, first, &lanes);
    code_add(code, list, condition);
    code_add(code, list,
             code_build(code, node, "if (!any($v)) { $N } else if (!all($v)) { $N }", leaving,
                        &rest, leaving, &lanes));
    return true;
}

/* Adds the statements from number `first` on. */
static void add_rest(struct code *code, const struct clopt_node *body, size_t first,
                     struct clopt_nodes *list)
{
    for (size_t i = first; i < body->child_count; i++) {
        const struct clopt_node *node = body->children[i];
        if (!clopt_node_holds_return(node) || !plan_splits(code->plan, node)) {
            code_add(code, list, code_statement(code, node));
            continue;
        }
        if (!add_rest_together(code, body, i, list)) {
            code_note(code, node, "a return that diverges");
            add_rest_apart(code, body, i, list);
        }
        return;
    }
}

/* ---- the whole ---- */

/* Lanes that have parted cannot wait for each other. */
static enum clopt_status check_waiting(const struct code *code, const struct clopt_node *node,
                                       struct clopt_error *error)
{
    if (plan_splits(code->plan, node)) {
        const struct clopt_node *call = clopt_node_find_collective(node);
        if (call)
            return clopt_source_refuse(code->source, call, error, "%s inside a divergent region",
                                       call->name);
    }
    if (clopt_call_is_collective(node) && code_diverges(code, node))
        return clopt_source_refuse(code->source, node, error, "%s with arguments that diverge",
                                   node->name);
    for (size_t i = 0; i < node->child_count; i++) {
        enum clopt_status status = check_waiting(code, node->children[i], error);
        if (status)
            return status;
    }
    return CLOPT_OK;
}

static enum clopt_status check_leaving(const struct code *code, struct clopt_error *error)
{
    const struct clopt_node *body = clopt_source_kernel(code->source)->body;
    for (size_t i = code->plan->guard + 1; i < body->child_count; i++) {
        const struct clopt_node *call = clopt_node_find_collective(body->children[i]);
        if (call)
            return clopt_source_refuse(
                code->source, call, error, "%s behind a return that diverges, in line %u",
                call->name, clopt_source_line(code->source, body->children[code->plan->guard]));
    }
    return CLOPT_OK;
}

/* Adds copies of the parameters that come to differ. */
static void add_parameters(struct code *code, struct clopt_nodes *list)
{
    const struct clopt_function *kernel = clopt_source_kernel(code->source);
    for (size_t i = 0; i < kernel->parameter_count; i++)
        for (unsigned lane = 0; lane < code->width; lane++) {
            struct clopt_variable *parameter = kernel->parameters[i];
            struct clopt_variable *copy = code->copies[parameter->index * code->width + lane];
            if (copy)
                code_add(code, list, code_build(code, NULL, "$V = $v;", copy, parameter));
        }
}

enum clopt_status code_body(struct code *code, struct clopt_node **body, struct clopt_error *error)
{
    const struct clopt_node *original = clopt_source_kernel(code->source)->body;
    struct clopt_nodes first = {0};
    struct clopt_nodes rest = {0};
    enum clopt_status status = check_leaving(code, error);
    if (!status)
        status = check_waiting(code, original, error);
    if (status)
        return status;
    if (code->plan->guard < original->child_count) {
        add_rest(code, original, 0, &rest);
        *body = code_build(code, original, "{ $N }", &rest);
    } else {
        *body = code_statement(code, original);
    }
    code_add_numbers(code, &first);
    add_parameters(code, &first);
    for (size_t i = first.count; i-- > 0;)
        clopt_prepend(code->source, *body, first.items[i]);
    return CLOPT_OK;
}
