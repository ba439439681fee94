/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints what one lane does, in scalar code that reaches into the vectors. */
#include "code.h"

#include <stdarg.h>
#include <stdio.h>

#include "share.h"

void code_put(struct code *code, const char *text)
{
    clopt_output_put(code->output, text);
}

void code_printf(struct code *code, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    code->failed |= length < 0 || (size_t)length >= sizeof text;
    clopt_output_put(code->output, text);
}

void code_copy(struct code *code, size_t begin, size_t end)
{
    clopt_output_copy(code->output, code->source, begin, end);
}

const char *code_fresh(struct code *code, const char *base, unsigned number)
{
    const char *name = clopt_source_fresh(code->source, base, number);
    code->failed |= !name;
    return name ? name : "";
}

const char *code_number(struct code *code, const char *base)
{
    return code_fresh(code, base, ++code->numbered);
}

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

/* Whether a variable is the lane's own, in a region that is printed lane by lane. */
static bool is_own(const struct code *code, const struct clopt_variable *variable)
{
    return variable->declarator && variable->declarator->begin >= code->region_begin &&
           variable->declarator->begin < code->region_end;
}

static const char *name_of(void *user, const struct clopt_variable *variable)
{
    const struct code *code = user;
    if (is_own(code, variable) || code->plan->forms[variable->index] == FORM_UNIFORM)
        return NULL;
    unsigned lane = code->plan->forms[variable->index] == FORM_SCALARS ? code->lane : 0;
    return code->names[variable->index * code->width + lane];
}

/* The array that a chain of subscripts leads into, or NULL. */
static const struct clopt_variable *array_of(const struct clopt_node *node)
{
    while (node->kind == CLOPT_NODE_SUBSCRIPT)
        node = node->children[0];
    return node->kind == CLOPT_NODE_VARIABLE && node->variable->is_array ? node->variable : NULL;
}

static void put_subscripts(struct code *code, const struct clopt_node *node)
{
    if (node->kind != CLOPT_NODE_SUBSCRIPT) {
        const char *name = name_of(code, node->variable);
        code_put(code, name ? name : node->variable->name);
        return;
    }
    put_subscripts(code, node->children[0]);
    code_put(code, "[");
    clopt_print(&code->printer, code->output, node->children[1]);
    code_put(code, "]");
}

/* Whether a sum may stand for a node without parentheses. */
static bool stands_free(const struct clopt_node *node)
{
    const struct clopt_node *parent = node->parent;
    return parent && (parent->kind == CLOPT_NODE_DECLARATOR || parent->kind == CLOPT_NODE_PAREN ||
                      parent->kind == CLOPT_NODE_CALL ||
                      (parent->kind == CLOPT_NODE_ASSIGN && parent->children[1] == node) ||
                      (parent->kind == CLOPT_NODE_SUBSCRIPT && parent->children[1] == node));
}

/* Puts a variable that is not simply there under its name. */
static bool put_variable(struct code *code, const struct clopt_node *node)
{
    const struct clopt_variable *variable = node->variable;
    const char *name = name_of(code, variable);
    if (!name)
        name = variable->name;
    enum form form = code->plan->forms[variable->index];
    if (is_own(code, variable) || variable->is_array)
        return false;
    if (form == FORM_VECTOR) {
        code_printf(code, "%s.s%x", name, code->lane);
        return true;
    }
    if (form != FORM_AFFINE || code->lane == 0)
        return false;
    long long ahead = (long long)code->lane * code->plan->strides[variable->index].value;
    bool free = stands_free(node);
    code_printf(code, "%s%s %c %lld%s", free ? "" : "(", name, ahead < 0 ? '-' : '+',
                ahead < 0 ? -ahead : ahead, free ? "" : ")");
    return true;
}

static bool replace(void *user, struct clopt_output *output, const struct clopt_node *node)
{
    struct code *code = user;
    if (node->kind == CLOPT_NODE_RETURN && code->leave) {
        clopt_output_printf(output, "goto %s;", code->leave);
        code->left = true;
        return true;
    }
    if (node->kind == CLOPT_NODE_VARIABLE)
        return put_variable(code, node);
    if (node->kind == CLOPT_NODE_SUBSCRIPT && !node->is_array) {
        const struct clopt_variable *array = array_of(node);
        if (!array || is_own(code, array) || code->plan->forms[array->index] != FORM_VECTOR)
            return false;
        put_subscripts(code, node);
        code_printf(code, ".s%x", code->lane);
        return true;
    }
    return code->merging &&
           clopt_merging_replace(code->merging, &code->printer, output, node, code->lane);
}

void code_init_printer(struct code *code)
{
    code->printer = (struct clopt_printer){code->source, code, name_of, replace};
}

void code_put_lane(struct code *code, const struct clopt_node *node, unsigned lane)
{
    code->lane = lane;
    clopt_print(&code->printer, code->output, node);
    code->lane = 0;
}

/* ---- trying ---- */

bool code_begin_attempt(struct code *code, struct code_attempt *attempt)
{
    *attempt = (struct code_attempt){code->output, code->gains, share_begin_attempt(code->share)};
    struct clopt_output *output = clopt_output_create();
    code->failed |= !output;
    if (output)
        code->output = output;
    return output != NULL;
}

bool code_end_attempt(struct code *code, const struct code_attempt *attempt)
{
    const char *text = clopt_output_text(code->output);
    bool keep = text && code->gains > attempt->gains;
    code->failed |= !text;
    if (keep) {
        clopt_output_append(attempt->outer, code->output);
    } else {
        code->gains = attempt->gains;
        share_forget(code->share, &attempt->shared);
    }
    clopt_output_destroy(code->output);
    code->output = attempt->outer;
    return keep;
}
