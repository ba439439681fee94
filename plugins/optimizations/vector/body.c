/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the kernel's body: what stands behind returns that not all lanes take, and the head. */
#include <string.h>

#include "code.h"
#include "scalar.h"

/* ---- early returns ---- */

/* Puts the statements of the kernel's body from number `first` on for one lane. */
static void put_rest_of_lane(struct code *code, const struct clopt_node *body, size_t first,
                             unsigned lane)
{
    unsigned open = 0;
    for (size_t i = first; i < body->child_count; i++) {
        const struct clopt_node *node = body->children[i];
        if (i > first)
            code_copy(code, body->children[i - 1]->stop, node->begin);
        if (clopt_node_is_early_return(node)) {
            code_put(code, "if (!(");
            code_put_lane(code, node->condition, lane);
            code_put(code, ")) {");
            open++;
        } else {
            code_put_lane(code, node, lane);
        }
    }
    code_put(code, "\n");
    for (; open; open--)
        code_put(code, "}\n");
}

/* Puts the statements from number `first` on lane by lane. */
static void put_rest_apart(struct code *code, const struct clopt_node *body, size_t first)
{
    code->region_begin = body->children[first]->begin;
    code->region_end = body->stop;
    for (unsigned lane = 0; lane < code->width; lane++) {
        code->leave = code_fresh(code, "done", lane);
        code->left = false;
        code_put(code, lane ? "\n{\n" : "{\n");
        put_rest_of_lane(code, body, first, lane);
        if (code->left)
            code_printf(code, "%s:;\n", code->leave);
        code_put(code, "}");
    }
    code->leave = NULL;
    code->region_begin = code->region_end = 0;
}

static void put_rest(struct code *code, const struct clopt_node *body, size_t first);

/* Puts what stands behind `if (c) return;`: as vector code where no lane returns. */
static bool put_rest_together(struct code *code, const struct clopt_node *body, size_t first)
{
    const struct clopt_node *node = body->children[first];
    struct code_attempt attempt;
    if (!clopt_node_is_early_return(node) || code_has_effects(node->condition) ||
        !code_begin_attempt(code, &attempt))
        return false;
    const char *mask = code_number(code, "mask");
    code_printf(code, "const int%u %s = ", code->width, mask);
    code_put_mask(code, node->condition, false);
    unsigned gains = code->gains;
    code_printf(code, ";\nif (!any(%s)) {", mask);
    put_rest(code, body, first + 1);
    bool gained = code->gains > gains;
    code_printf(code, " else if (!all(%s)) {\n", mask);
    put_rest_apart(code, body, first);
    code_put(code, "\n}");
    if (!gained)
        code->gains = attempt.gains;
    return code_end_attempt(code, &attempt);
}

/* Puts the statements from number `first` on, and the brace that closes them. */
static void put_rest(struct code *code, const struct clopt_node *body, size_t first)
{
    size_t at = first ? body->children[first - 1]->stop : body->begin + 1;
    for (size_t i = first; i < body->child_count; i++) {
        const struct clopt_node *node = body->children[i];
        code_copy(code, at, node->begin);
        at = node->stop;
        if (clopt_node_holds_return(node) && plan_splits(code->plan, node)) {
            if (!put_rest_together(code, body, i)) {
                code_note(code, node, "a return that diverges");
                put_rest_apart(code, body, i);
            }
            code_put(code, "\n}");
            return;
        }
        code_put_statement(code, node);
    }
    code_copy(code, at, body->stop);
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

/* Puts copies of the parameters that come to differ. */
static void put_parameters(struct code *code)
{
    const struct clopt_function *kernel = clopt_source_kernel(code->source);
    for (size_t i = 0; i < kernel->parameter_count; i++) {
        const struct clopt_variable *parameter = kernel->parameters[i];
        const char **names = code->names + parameter->index * code->width;
        enum form form = code->plan->forms[parameter->index];
        if (form == FORM_VECTOR) {
            code_put(code, "\n");
            code_put_type(code, parameter->scalar);
            code_printf(code, " %s = %s;", names[0], parameter->name);
        }
        for (unsigned lane = 1; form == FORM_SCALARS && lane < code->width; lane++) {
            code_put(code, "\n");
            for (const char *at = parameter->type; *at;) {
                size_t skip = strncmp(at, "restrict", 8) == 0    ? 8
                              : strncmp(at, "__private", 9) == 0 ? 9
                                                                 : 0;
                at += skip;
                if (!skip)
                    code_printf(code, "%c", *at++);
            }
            code_printf(code, " %s = %s;", names[lane], parameter->name);
        }
    }
}

void code_put_numbers(struct code *code, struct clopt_output *output)
{
    for (unsigned type = 0; type < CODE_SCALARS; type++) {
        if (!code->numbers[type])
            continue;
        const char *name = scalar_name((enum clopt_scalar)type);
        clopt_output_printf(output, "\nconst %s%u %s = (%s%u)(", name, code->width,
                            code->numbers[type], name, code->width);
        for (unsigned lane = 0; lane < code->width; lane++)
            clopt_output_printf(output, lane ? ", %u" : "%u", lane);
        clopt_output_put(output, ");");
    }
}

enum clopt_status code_put_body(struct code *code, struct clopt_error *error)
{
    const struct clopt_node *body = clopt_source_kernel(code->source)->body;
    enum clopt_status status = check_leaving(code, error);
    if (!status)
        status = check_waiting(code, body, error);
    if (status)
        return status;
    struct clopt_output *outer = code->output;
    code->output = clopt_output_create();
    if (!code->output) {
        code->output = outer;
        return clopt_fail_memory(error);
    }
    put_parameters(code);
    put_rest(code, body, 0);
    clopt_output_put(outer, "{");
    code_put_numbers(code, outer);
    clopt_output_append(outer, code->output);
    code->failed |= !clopt_output_text(outer);
    clopt_output_destroy(code->output);
    code->output = outer;
    return code->failed ? clopt_fail_memory(error) : CLOPT_OK;
}
