/* SPDX-License-Identifier: BSD-3-Clause */
/* Puts the bodies of functions where the kernel calls them. */
#include <clopt/source.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "source/tree.h"

#define MOST_CALLS  4096
#define MOST_ROUNDS 64

/* A call that makes up a statement, alone or as the value of an assignment. */
struct site {
    const struct clopt_node *call;
    const struct clopt_node *statement;
    const struct clopt_node *place; /* what the result is assigned to, a declarator or an
                                       assignment; NULL: nothing */
};

/* A round replaces all calls in the kernel's body; those in what takes their place are the next
 * round's. */
struct inlining {
    struct clopt_source *source;
    struct clopt_output *output;
    struct clopt_printer printer;
    const char **names;              /* by variable: the name of the copy */
    const struct clopt_node **calls; /* by node: the call that the statement makes up */
    size_t call_count;
    struct site site; /* that is printed */
    enum clopt_inlining inlining;
    bool quits; /* there were too many calls: none that may remain is replaced */
    enum clopt_status status;
    struct clopt_error *error;
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

/* Finds the statement that a call makes up; false where it is part of an expression. */
static bool find_site(const struct clopt_node *call, struct site *site)
{
    const struct clopt_node *holder = call->parent;
    *site = (struct site){call, call, NULL};
    if (holder->kind == CLOPT_NODE_ASSIGN && holder->children[1] == call &&
        !(clopt_node_effects(holder->children[0]) & CLOPT_EFFECT_PRIVATE_WRITE))
        site->statement = site->place = holder;
    if (holder->kind == CLOPT_NODE_DECLARATOR && holder->condition == call &&
        holder->parent->child_count == 1) {
        site->statement = holder->parent;
        site->place = holder;
    }
    return is_statement(site->statement);
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

static enum clopt_status check_call(const struct inlining *inlining, const struct clopt_node *call,
                                    struct clopt_error *error)
{
    struct site site;
    const struct clopt_function *function = call->callee;
    const struct clopt_node *middle = find_return(function->body, last_return(function));
    if (!find_site(call, &site))
        return clopt_source_refuse(
            inlining->source, call, error,
            "barrier inside the function %s, whose call is part of an expression", call->name);
    if (middle)
        return clopt_source_refuse(inlining->source, middle, error,
                                   "return from the middle of %s, which holds a barrier",
                                   function->name);
    if (function->effects & CLOPT_EFFECT_GOTO)
        return clopt_source_refuse(inlining->source, clopt_node_find_goto(function->body), error,
                                   "%s, which holds a barrier, uses goto", function->name);
    return CLOPT_OK;
}

/* Whether a function holds a loop, or, if those are asked for, a branch. */
static bool holds_control(const struct clopt_function *function, bool branches, unsigned depth)
{
    const struct clopt_node *body = function->body;
    if (clopt_node_find(body, CLOPT_NODE_FOR) || clopt_node_find(body, CLOPT_NODE_WHILE) ||
        clopt_node_find(body, CLOPT_NODE_DO) || (branches && clopt_node_find(body, CLOPT_NODE_IF)))
        return true;
    for (size_t i = 0; depth && i < function->callee_count; i++)
        if (holds_control(function->callees[i], branches, depth - 1))
            return true;
    return false;
}

/* Whether the body of what is called is to take the place of the call, if it can. */
static bool is_wanted(const struct inlining *inlining, const struct clopt_node *call)
{
    switch (inlining->quits ? CLOPT_INLINE_BARRIERS : inlining->inlining) {
    case CLOPT_INLINE_LOOPS:
        return holds_control(call->callee, false, MOST_ROUNDS);
    case CLOPT_INLINE_BRANCHES:
        return holds_control(call->callee, true, MOST_ROUNDS);
    case CLOPT_INLINE_ALL:
        return true;
    case CLOPT_INLINE_BARRIERS:
        break;
    }
    return clopt_call_is_collective(call);
}

/* Whether a call must not remain. */
static bool is_needed(const struct inlining *inlining, const struct clopt_node *call)
{
    bool leaves =
        inlining->inlining == CLOPT_INLINE_LOOPS || inlining->inlining == CLOPT_INLINE_BRANCHES;
    return !leaves && clopt_call_is_collective(call);
}

/* Finds the calls whose place functions' bodies are to take. */
static void find_calls(struct inlining *inlining, const struct clopt_node *node)
{
    if (node->kind == CLOPT_NODE_CALL && node->callee && !inlining->status) {
        struct clopt_error refused = {0};
        enum clopt_status status = check_call(inlining, node, &refused);
        if (!status && is_wanted(inlining, node)) {
            struct site site;
            find_site(node, &site);
            inlining->calls[site.statement->index] = node;
            inlining->call_count++;
            return; /* what its arguments call is for the next round */
        }
        if (status && is_needed(inlining, node)) {
            inlining->status = status;
            *inlining->error = refused;
        }
    }
    for (size_t i = 0; i < node->child_count; i++)
        find_calls(inlining, node->children[i]);
}

/* ---- names ---- */

/* Variables of such types cannot be declared; the argument stands for the parameter. */
static bool is_opaque(const struct clopt_variable *variable)
{
    return strstr(variable->type, "image") || strstr(variable->type, "sampler_t") ||
           strstr(variable->type, "event_t");
}

/* Whether an argument is a number that stands for an integer parameter, which nobody changes: a
 * loop's count, perhaps. */
static bool is_number(const struct clopt_variable *parameter, const struct clopt_node *argument)
{
    return parameter->bits >= 32 && argument->known &&
           !(parameter->touches & (CLOPT_WRITE | CLOPT_ADDRESS));
}

/* Whether a parameter needs no variable: its name is that of the argument. */
static bool is_replaced(const struct clopt_variable *parameter, const struct clopt_node *argument)
{
    return is_opaque(parameter) || is_number(parameter, argument);
}

/* Writes a number as one of a parameter's type. */
static const char *write_number(struct inlining *inlining, const struct clopt_variable *parameter,
                                int64_t value)
{
    char text[32];
    int length = snprintf(text, sizeof text, "%" PRId64 "%s%s", value,
                          parameter->is_signed ? "" : "u", parameter->bits == 64 ? "L" : "");
    return clopt_arena_copy(&inlining->source->arena, text, (size_t)length);
}

static enum clopt_status choose_names(struct inlining *inlining, struct clopt_error *error)
{
    const struct clopt_function *function = inlining->site.call->callee;
    for (size_t i = 0; i < clopt_source_variable_count(inlining->source); i++) {
        const struct clopt_variable *variable = clopt_source_variable(inlining->source, i);
        if (variable->function != function)
            continue;
        inlining->names[i] = clopt_source_fresh(inlining->source, variable->name, 1);
        if (!inlining->names[i])
            return clopt_fail_memory(error);
    }
    for (size_t i = 0; i < function->parameter_count; i++) {
        const struct clopt_variable *parameter = function->parameters[i];
        const struct clopt_node *argument = inlining->site.call->children[i];
        if (!is_replaced(parameter, argument))
            continue;
        if (is_number(parameter, argument)) {
            const char **name = &inlining->names[parameter->index];
            *name = write_number(inlining, parameter, argument->value);
            if (!*name)
                return clopt_fail_memory(error);
            continue;
        }
        if (argument->kind != CLOPT_NODE_VARIABLE)
            return clopt_source_refuse(inlining->source, argument, error,
                                       "argument of %s that clopt cannot hand over",
                                       function->name);
        inlining->names[parameter->index] = argument->variable->name;
    }
    return CLOPT_OK;
}

/* ---- output ---- */

/* Puts a declaration whose type is as clang spells it, less what it need not say, up to the initial
 * value. A name is inside the parentheses of a pointer to an array. */
static void put_declaration(struct inlining *inlining, const char *type, const char *name)
{
    static const char *const dropped[] = {"__private", "restrict"};
    const char *inner = strstr(type, "(*");
    const char *close = inner ? strchr(inner, ')') : NULL;
    while (*type) {
        size_t skip = 0;
        for (size_t i = 0; i < sizeof dropped / sizeof *dropped; i++)
            if (strncmp(type, dropped[i], strlen(dropped[i])) == 0)
                skip = strlen(dropped[i]);
        if (type == close)
            clopt_output_printf(inlining->output, " %s", name);
        if (!skip)
            clopt_output_printf(inlining->output, "%c", *type);
        type += skip ? skip : 1;
    }
    clopt_output_printf(inlining->output, "%s%s = ", close ? "" : " ", close ? "" : name);
}

static void put_parameters(struct inlining *inlining)
{
    const struct clopt_function *function = inlining->site.call->callee;
    for (size_t i = 0; i < function->parameter_count; i++) {
        const struct clopt_variable *parameter = function->parameters[i];
        if (is_replaced(parameter, inlining->site.call->children[i]))
            continue;
        put_declaration(inlining, parameter->type, inlining->names[parameter->index]);
        clopt_print(&inlining->printer, inlining->output, inlining->site.call->children[i]);
        clopt_output_put(inlining->output, ";\n");
    }
}

/* Puts the function's type: what stands before its name, less the specifiers of functions. */
static void put_result_type(struct inlining *inlining)
{
    static const char *const words[] = {"inline", "static", "__inline", "__inline__", "extern"};
    const struct clopt_function *function = inlining->site.call->callee;
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
    if (!inlining->site.place) {
        clopt_print(&inlining->printer, inlining->output, last->condition);
        clopt_output_put(inlining->output, ";\n");
        return CLOPT_OK;
    }
    const char *name = clopt_source_fresh(inlining->source, "result", 1);
    if (!name)
        return clopt_fail_memory(error);
    put_result_type(inlining);
    clopt_output_printf(inlining->output, " %s = ", name);
    clopt_print(&inlining->printer, inlining->output, last->condition);
    clopt_output_put(inlining->output, ";\n");
    if (inlining->site.place->kind == CLOPT_NODE_DECLARATOR) {
        clopt_output_put(inlining->output, inlining->site.place->variable->name);
        clopt_output_put(inlining->output, " =");
    } else {
        clopt_print(&inlining->printer, inlining->output, inlining->site.place->children[0]);
        clopt_output_printf(inlining->output, " %s", inlining->site.place->operator);
    }
    clopt_output_printf(inlining->output, " %s;\n", name);
    return CLOPT_OK;
}

static enum clopt_status put_body(struct inlining *inlining, struct clopt_error *error)
{
    const struct clopt_function *function = inlining->site.call->callee;
    const struct clopt_node *body = function->body;
    const struct clopt_node *last = last_return(function);
    const struct clopt_node *place = inlining->site.place;
    if (place && place->kind == CLOPT_NODE_DECLARATOR) {
        clopt_print_declarator(&inlining->printer, inlining->output, place, false);
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
    return status;
}

/* Puts the body of a function for the statement that calls it. */
static bool replace(void *user, struct clopt_output *output, const struct clopt_node *node)
{
    struct inlining *inlining = user;
    const struct clopt_node *call = inlining->calls[node->index];
    (void)output;
    if (!call || inlining->status)
        return false;
    find_site(call, &inlining->site);
    inlining->status = choose_names(inlining, inlining->error);
    if (!inlining->status)
        inlining->status = put_body(inlining, inlining->error);
    return true;
}

static void put_program(struct inlining *inlining)
{
    const struct clopt_node *body = clopt_source_kernel(inlining->source)->body;
    clopt_output_copy(inlining->output, inlining->source, 0, body->begin);
    clopt_print(&inlining->printer, inlining->output, body);
    clopt_output_copy(inlining->output, inlining->source, body->stop,
                      strlen(clopt_source_text(inlining->source)));
}

/* ---- the whole ---- */

/* Prints the program with all calls of the kernel's body replaced, if there are any. */
static enum clopt_status replace_calls(struct inlining *inlining, struct clopt_error *error)
{
    const struct clopt_source *source = inlining->source;
    inlining->error = error;
    inlining->names = calloc(clopt_source_variable_count(source) + 1, sizeof *inlining->names);
    inlining->calls = calloc(clopt_source_node_count(source) + 1, sizeof *inlining->calls);
    inlining->output = clopt_output_create();
    inlining->printer = (struct clopt_printer){source, inlining, name_of, replace};
    if (!inlining->names || !inlining->calls || !inlining->output)
        inlining->status = clopt_fail_memory(error);
    else
        find_calls(inlining, clopt_source_kernel(source)->body);
    if (!inlining->status && inlining->call_count)
        put_program(inlining);
    if (!inlining->status && !clopt_output_text(inlining->output))
        inlining->status = clopt_fail_memory(error);
    free(inlining->names);
    free(inlining->calls);
    return inlining->status;
}

enum clopt_status clopt_source_create_inlined(const char *file, const char *text,
                                              const struct clopt_lines *lines, const char *options,
                                              const char *kernel, enum clopt_inlining what,
                                              struct clopt_source **source,
                                              struct clopt_error *error)
{
    enum clopt_status status =
        clopt_source_create(file, text, lines, options, kernel, source, error);
    size_t calls = 0;
    for (unsigned round = 0; !status; round++) {
        bool much = round == MOST_ROUNDS || calls > MOST_CALLS;
        struct inlining inlining = {.source = *source, .inlining = what, .quits = much};
        status = replace_calls(&inlining, error);
        calls += inlining.call_count;
        if (!status && !inlining.call_count) {
            clopt_output_destroy(inlining.output);
            return CLOPT_OK;
        }
        if (!status && much)
            status = clopt_source_refuse(*source, clopt_source_kernel(*source)->body, error,
                                         "more than %d calls of functions with barriers, or more "
                                         "than %d inside each other",
                                         MOST_CALLS, MOST_ROUNDS);
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
