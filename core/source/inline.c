/* SPDX-License-Identifier: BSD-3-Clause */
/* Puts functions that hold barriers into the kernel that calls them. */
#include <clopt/source.h>

#include <stdlib.h>
#include <string.h>

#define MOST_CALLS 256

struct inlining {
    struct clopt_source *source;
    struct clopt_output *output;
    struct clopt_printer printer;
    const char **names; /* by variable: the name of the copy */
    const struct clopt_node *call;
    const struct clopt_node *statement;
    const struct clopt_node *place; /* what the result is assigned to, a declarator or an
                                       assignment; NULL: nothing */
};

static const char *name_of(void *user, const struct clopt_variable *variable)
{
    const struct inlining *inlining = user;
    return inlining->names[variable->index];
}

static bool is_statement(const struct clopt_node *node)
{
    const struct clopt_node *parent = node->parent;
    return parent && (parent->kind == CLOPT_NODE_COMPOUND || parent->body == node ||
                      parent->otherwise == node);
}

/* Finds the statement that a call makes up, alone or as the value of an assignment. */
static enum clopt_status find_statement(struct inlining *inlining, struct clopt_error *error)
{
    const struct clopt_node *call = inlining->call;
    const struct clopt_node *holder = call->parent;
    inlining->statement = call;
    inlining->place = NULL;
    if (holder->kind == CLOPT_NODE_ASSIGN && holder->children[1] == call &&
        !(clopt_node_effects(holder->children[0]) & CLOPT_EFFECT_PRIVATE_WRITE))
        inlining->statement = inlining->place = holder;
    if (holder->kind == CLOPT_NODE_DECLARATOR && holder->condition == call &&
        holder->parent->child_count == 1) {
        inlining->statement = holder->parent;
        inlining->place = holder;
    }
    if (is_statement(inlining->statement))
        return CLOPT_OK;
    return clopt_source_refuse(
        inlining->source, call, error,
        "barrier inside the function %s, whose call is part of an expression", call->name);
}

static const struct clopt_node *find_return(const struct clopt_node *node,
                                            const struct clopt_node *except)
{
    if (node->kind == CLOPT_NODE_RETURN && node != except)
        return node;
    for (size_t i = 0; i < node->child_count; i++) {
        const struct clopt_node *found = find_return(node->children[i], except);
        if (found)
            return found;
    }
    return NULL;
}

/* The return at the end of a function's body, or NULL. */
static const struct clopt_node *last_return(const struct clopt_function *function)
{
    const struct clopt_node *body = function->body;
    const struct clopt_node *last =
        body->child_count ? body->children[body->child_count - 1] : NULL;
    return last && last->kind == CLOPT_NODE_RETURN ? last : NULL;
}

static enum clopt_status check_function(const struct inlining *inlining, struct clopt_error *error)
{
    const struct clopt_function *function = inlining->call->callee;
    const struct clopt_node *middle = find_return(function->body, last_return(function));
    if (middle)
        return clopt_source_refuse(inlining->source, middle, error,
                                   "return from the middle of %s, which holds a barrier",
                                   function->name);
    if (function->effects & CLOPT_EFFECT_GOTO)
        return clopt_source_refuse(inlining->source, clopt_node_find_goto(function->body), error,
                                   "%s, which holds a barrier, uses goto", function->name);
    return CLOPT_OK;
}

/* Finds a call whose place the function's body is to take: of a function that holds a barrier or,
 * with `all`, of any one that can. */
static const struct clopt_node *find_call(const struct inlining *inlining,
                                          const struct clopt_node *node, bool all)
{
    if (node->kind == CLOPT_NODE_CALL && node->callee) {
        struct inlining attempt = {.source = inlining->source, .call = node};
        struct clopt_error ignored = {0};
        if (clopt_call_is_collective(node) ||
            (all && !find_statement(&attempt, &ignored) && !check_function(&attempt, &ignored)))
            return node;
    }
    for (size_t i = 0; i < node->child_count; i++) {
        const struct clopt_node *found = find_call(inlining, node->children[i], all);
        if (found)
            return found;
    }
    return NULL;
}

/* ---- names ---- */

/* Variables of such types cannot be declared; the argument stands for the parameter. */
static bool is_opaque(const struct clopt_variable *variable)
{
    return strstr(variable->type, "image") || strstr(variable->type, "sampler_t") ||
           strstr(variable->type, "event_t");
}

static enum clopt_status choose_names(struct inlining *inlining, struct clopt_error *error)
{
    const struct clopt_function *function = inlining->call->callee;
    for (size_t i = 0; i < clopt_source_variable_count(inlining->source); i++) {
        const struct clopt_variable *variable = clopt_source_variable(inlining->source, i);
        if (variable->function != function)
            continue;
        inlining->names[i] = clopt_source_fresh(inlining->source, variable->name, 1);
        if (!inlining->names[i])
            return clopt_fail(error, CLOPT_FAILED, "out of memory");
    }
    for (size_t i = 0; i < function->parameter_count; i++) {
        const struct clopt_variable *parameter = function->parameters[i];
        const struct clopt_node *argument = inlining->call->children[i];
        if (!is_opaque(parameter))
            continue;
        if (argument->kind != CLOPT_NODE_VARIABLE)
            return clopt_source_refuse(inlining->source, argument, error,
                                       "argument of %s that clopt cannot hand over",
                                       function->name);
        inlining->names[parameter->index] = argument->variable->name;
    }
    return CLOPT_OK;
}

/* ---- output ---- */

/* Puts a type as clang spells it, without what a declaration need not say. */
static void put_type(struct inlining *inlining, const char *type)
{
    static const char *const dropped[] = {"__private", "restrict"};
    while (*type) {
        size_t skip = 0;
        for (size_t i = 0; i < sizeof dropped / sizeof *dropped; i++)
            if (strncmp(type, dropped[i], strlen(dropped[i])) == 0)
                skip = strlen(dropped[i]);
        if (!skip)
            clopt_output_printf(inlining->output, "%c", *type);
        type += skip ? skip : 1;
    }
    clopt_output_put(inlining->output, " ");
}

static void put_parameters(struct inlining *inlining)
{
    const struct clopt_function *function = inlining->call->callee;
    for (size_t i = 0; i < function->parameter_count; i++) {
        const struct clopt_variable *parameter = function->parameters[i];
        if (is_opaque(parameter))
            continue;
        put_type(inlining, parameter->type);
        clopt_output_printf(inlining->output, "%s = ", inlining->names[parameter->index]);
        clopt_print(&inlining->printer, inlining->output, inlining->call->children[i]);
        clopt_output_put(inlining->output, ";\n");
    }
}

/* Puts the function's type: what stands before its name, less the specifiers of functions. */
static void put_result_type(struct inlining *inlining)
{
    static const char *const words[] = {"inline", "static", "__inline", "__inline__", "extern"};
    const struct clopt_function *function = inlining->call->callee;
    const char *text = clopt_source_text(inlining->source);
    size_t at = function->begin;
    while (at < function->name_begin) {
        size_t length = strspn(text + at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                          "0123456789_");
        bool drop = false;
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            drop |= length == strlen(words[i]) && strncmp(text + at, words[i], length) == 0;
        if (length == 13 && strncmp(text + at, "__attribute__", 13) == 0) {
            unsigned depth = 0;
            at += length;
            do {
                depth += text[at] == '(';
                depth -= text[at] == ')' && depth;
                at++;
            } while (depth && at < function->name_begin);
            continue;
        }
        if (!length)
            length = 1;
        if (!drop)
            clopt_output_copy(inlining->output, inlining->source, at, at + length);
        at += length;
    }
}

static enum clopt_status put_result(struct inlining *inlining, const struct clopt_node *last,
                                    struct clopt_error *error)
{
    if (!last || !last->condition)
        return CLOPT_OK;
    if (!inlining->place) {
        clopt_print(&inlining->printer, inlining->output, last->condition);
        clopt_output_put(inlining->output, ";\n");
        return CLOPT_OK;
    }
    const char *name = clopt_source_fresh(inlining->source, "result", 1);
    if (!name)
        return clopt_fail(error, CLOPT_FAILED, "out of memory");
    put_result_type(inlining);
    clopt_output_printf(inlining->output, " %s = ", name);
    clopt_print(&inlining->printer, inlining->output, last->condition);
    clopt_output_put(inlining->output, ";\n");
    if (inlining->place->kind == CLOPT_NODE_DECLARATOR) {
        clopt_output_put(inlining->output, inlining->place->variable->name);
        clopt_output_put(inlining->output, " =");
    } else {
        clopt_print(&inlining->printer, inlining->output, inlining->place->children[0]);
        clopt_output_printf(inlining->output, " %s", inlining->place->operator);
    }
    clopt_output_printf(inlining->output, " %s;\n", name);
    return CLOPT_OK;
}

static enum clopt_status put_program(struct inlining *inlining, struct clopt_error *error)
{
    const struct clopt_function *function = inlining->call->callee;
    const struct clopt_node *body = function->body;
    const struct clopt_node *last = last_return(function);
    const char *text = clopt_source_text(inlining->source);
    clopt_output_copy(inlining->output, inlining->source, 0, inlining->statement->begin);
    if (inlining->place && inlining->place->kind == CLOPT_NODE_DECLARATOR) {
        clopt_print_declarator(&inlining->printer, inlining->output, inlining->place, false);
        clopt_output_put(inlining->output, "\n");
    }
    clopt_output_put(inlining->output, "{\n");
    put_parameters(inlining);
    for (size_t i = 0; i < body->child_count; i++) {
        if (body->children[i] == last)
            break;
        clopt_print(&inlining->printer, inlining->output, body->children[i]);
        clopt_output_put(inlining->output, "\n");
    }
    enum clopt_status status = put_result(inlining, last, error);
    clopt_output_put(inlining->output, "}");
    clopt_output_copy(inlining->output, inlining->source, inlining->statement->stop, strlen(text));
    return status;
}

/* ---- the whole ---- */

/* Prints the program with one call replaced. */
static enum clopt_status inline_call(struct inlining *inlining, struct clopt_error *error)
{
    inlining->names =
        calloc(clopt_source_variable_count(inlining->source) + 1, sizeof *inlining->names);
    inlining->output = clopt_output_create();
    inlining->printer =
        (struct clopt_printer){.source = inlining->source, .user = inlining, .name = name_of};
    enum clopt_status status = inlining->names && inlining->output
                                   ? find_statement(inlining, error)
                                   : clopt_fail(error, CLOPT_FAILED, "out of memory");
    if (!status)
        status = check_function(inlining, error);
    if (!status)
        status = choose_names(inlining, error);
    if (!status)
        status = put_program(inlining, error);
    if (!status && !clopt_output_text(inlining->output))
        status = clopt_fail(error, CLOPT_FAILED, "out of memory");
    free(inlining->names);
    return status;
}

enum clopt_status clopt_source_create_inlined(const char *file, const char *text,
                                              const struct clopt_lines *lines, const char *options,
                                              const char *kernel, bool all,
                                              struct clopt_source **source,
                                              struct clopt_error *error)
{
    enum clopt_status status =
        clopt_source_create(file, text, lines, options, kernel, source, error);
    for (unsigned calls = 0; !status; calls++) {
        struct inlining inlining = {.source = *source};
        inlining.call =
            find_call(&inlining, clopt_source_kernel(*source)->body, all && calls < MOST_CALLS);
        if (!inlining.call)
            return CLOPT_OK;
        if (calls == MOST_CALLS)
            status =
                clopt_source_refuse(*source, inlining.call, error,
                                    "more than %d calls of functions with barriers", MOST_CALLS);
        if (!status)
            status = inline_call(&inlining, error);
        clopt_source_destroy(*source);
        *source = NULL;
        if (!status)
            status = clopt_source_create(file, clopt_output_text(inlining.output),
                                         clopt_output_lines(inlining.output), options, kernel,
                                         source, error);
        clopt_output_destroy(inlining.output);
    }
    clopt_source_destroy(*source);
    *source = NULL;
    return status;
}
