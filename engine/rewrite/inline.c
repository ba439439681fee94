/* SPDX-License-Identifier: BSD-3-Clause */
/* Puts the bodies of functions where the kernel calls them. */
#include "rewrite/inline.h"

#include "kernel/tree.h"

#define MOST_CALLS 4096

/* The bodies of functions are cloned in place of calls, and calls in those are treated likewise. */
struct inlining {
    struct clopt_source *source;
    struct clopt_cloning cloning;
    struct clopt_variable **variables; /* by variable: its copy in what is cloned */
    const struct clopt_node **numbers; /* by parameter: the constant in place of it, or NULL */
    bool *open;                        /* by function: it is being cloned */
    bool *control;                     /* by function: it holds what is asked for */
    const struct clopt_node *judged;   /* the last call that makes up a statement */
    size_t call_count;                 /* that were replaced */
    enum clopt_inlining what;
    enum clopt_status status;
    struct clopt_error *error;
};

static struct clopt_variable *variable_of(void *user, const struct clopt_variable *variable)
{
    const struct inlining *inlining = user;
    return inlining->variables[variable->index];
}

/* The call that a statement makes up, alone or as the value of an assignment or declaration; NULL
 * where it does something else. */
static const struct clopt_node *find_call(const struct clopt_node *statement)
{
    const struct clopt_node *call = statement;
    if (statement->kind == CLOPT_NODE_ASSIGN &&
        !(clopt_node_effects(statement->children[0]) & CLOPT_EFFECT_PRIVATE_WRITE))
        call = statement->children[1];
    else if (statement->kind == CLOPT_NODE_DECLARE && statement->child_count == 1)
        call = statement->children[0]->condition;
    bool found = clopt_node_is_statement(statement) && call && call->callee;
    return found ? call : NULL;
}

static bool is_other_return(const struct clopt_node *node, const void *last)
{
    return node->kind == CLOPT_NODE_RETURN && node != last;
}

/* The return at the end of a function's body, or NULL. */
static const struct clopt_node *last_return(const struct clopt_function *function)
{
    const struct clopt_node *body = function->body;
    const struct clopt_node *last =
        body->child_count ? body->children[body->child_count - 1] : NULL;
    return last && last->kind == CLOPT_NODE_RETURN ? last : NULL;
}

/* Whether the body of a function that is called can take the place of the call. */
static enum clopt_status check_callee(const struct inlining *inlining,
                                      const struct clopt_node *call, struct clopt_error *error)
{
    const struct clopt_function *function = call->callee;
    const struct clopt_node *middle =
        clopt_node_search(function->body, is_other_return, last_return(function));
    if (middle)
        return clopt_source_refuse(inlining->source, middle, error,
                                   "return from the middle of %s, which holds a barrier",
                                   function->name);
    if (function->effects & CLOPT_EFFECT_GOTO)
        return clopt_source_refuse(
            inlining->source, clopt_node_find_effect(function->body, CLOPT_EFFECT_GOTO), error,
            "%s, which holds a barrier, uses goto or an inner case", function->name);
    if (inlining->call_count >= MOST_CALLS || inlining->open[function->index])
        return clopt_source_refuse(inlining->source, inlining->source->kernel->body, error,
                                   "more than %d calls of functions with barriers", MOST_CALLS);
    return CLOPT_OK;
}

/* Whether loops, or loops and branches, are what is asked for. */
static bool wants_control(const struct inlining *inlining)
{
    return inlining->what == CLOPT_INLINE_LOOPS || inlining->what == CLOPT_INLINE_BRANCHES;
}

static bool is_control(const struct clopt_node *node, const void *user)
{
    const struct inlining *inlining = user;
    bool branches = inlining->what == CLOPT_INLINE_BRANCHES;
    return clopt_node_is_loop(node) || (branches && node->kind == CLOPT_NODE_IF) ||
           (node->callee && inlining->control[node->callee->index]);
}

/* Finds the functions that hold a loop, or, if those are asked for, a branch, by themselves or in
 * what they call. */
static void find_control(struct inlining *inlining)
{
    const struct clopt_source *source = inlining->source;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < source->function_count; i++) {
            bool holds = clopt_node_search(source->functions[i]->body, is_control, inlining);
            changed |= holds != inlining->control[i];
            inlining->control[i] = holds;
        }
    }
}

/* Decides whether a call is replaced. `site`: it makes up a statement, or will. */
static bool is_replaced(struct inlining *inlining, const struct clopt_node *call, bool site)
{
    struct clopt_error refused = {0};
    if (!call->callee || inlining->status)
        return false;
    if (site)
        inlining->judged = call;
    const struct clopt_function *callee = call->callee;
    bool collective = callee->effects & CLOPT_EFFECT_COLLECTIVE;
    bool wanted = wants_control(inlining) ? inlining->control[callee->index]
                                          : collective || inlining->what == CLOPT_INLINE_ALL;
    enum clopt_status status =
        site ? check_callee(inlining, call, &refused)
             : clopt_source_refuse(
                   inlining->source, call, &refused,
                   "barrier inside the function %s, whose call is part of an expression",
                   call->name);
    if (status && collective && !wants_control(inlining)) {
        inlining->status = status;
        *inlining->error = refused;
    }
    return !status && wanted;
}

/* ---- variables ---- */

/* Variables of such types cannot be declared; the argument takes the place of the parameter. */
static bool is_opaque(const struct clopt_variable *variable)
{
    return strstr(variable->type, "image") || strstr(variable->type, "sampler_t") ||
           strstr(variable->type, "event_t");
}

/* Whether an argument is a number that takes the place of an integer parameter, which nothing
 * changes: a loop's count, perhaps. */
static bool is_number(const struct clopt_variable *parameter, const struct clopt_node *argument)
{
    return parameter->bits >= 32 && argument->known &&
           !(parameter->uses & (CLOPT_WRITE | CLOPT_ADDRESS));
}

/* What is in place of a variable in what is cloned. */
static struct clopt_variable *current(const struct inlining *inlining,
                                      struct clopt_variable *variable)
{
    struct clopt_variable *copy = inlining->variables[variable->index];
    return copy ? copy : variable;
}

/* Makes the variables of a function again, other than parameters. */
static void copy_variables(struct inlining *inlining, const struct clopt_function *function)
{
    for (size_t i = 0; i < inlining->source->variable_count; i++) {
        const struct clopt_variable *variable = inlining->source->variables[i];
        if (variable->function == function && !variable->is_parameter)
            inlining->variables[i] = clopt_variable_copy(inlining->source, variable, 1);
    }
}

/* ---- bodies ---- */

static void add_block(struct inlining *inlining, const struct clopt_node *call,
                      const struct clopt_node *assignment, struct clopt_variable *result,
                      struct clopt_nodes *made);

/* Appends the declaration of a variable with a value, whose place a body may take. */
static void add_value(struct inlining *inlining, struct clopt_variable *variable,
                      const struct clopt_node *value, struct clopt_nodes *made)
{
    struct clopt_source *source = inlining->source;
    if (is_replaced(inlining, value, true)) {
        clopt_nodes_put(source, made, value, "$V;", variable);
        add_block(inlining, value, NULL, variable, made);
        return;
    }
    clopt_nodes_put(source, made, value, "$V = $n;", variable,
                    clopt_clone(&inlining->cloning, value));
}

/* Appends the declarations of parameters and, after all arguments were cloned, makes them what is
 * in place of the parameters. */
static void add_parameters(struct inlining *inlining, const struct clopt_node *call,
                           struct clopt_nodes *made)
{
    const struct clopt_function *function = call->callee;
    size_t count = function->parameter_count;
    struct clopt_variable **copies = clopt_source_table(inlining->source, count, sizeof *copies);
    for (size_t i = 0; i < count; i++) {
        const struct clopt_node *argument = call->children[i];
        if (is_number(function->parameters[i], argument))
            continue;
        if (!is_opaque(function->parameters[i])) {
            copies[i] = clopt_variable_copy(inlining->source, function->parameters[i], 1);
            add_value(inlining, copies[i], argument, made);
        } else if (argument->kind == CLOPT_NODE_VARIABLE) {
            copies[i] = current(inlining, argument->variable);
        } else if (!inlining->status) {
            inlining->status =
                clopt_source_refuse(inlining->source, argument, inlining->error,
                                    "argument of %s that clopt cannot hand over", function->name);
        }
    }
    for (size_t i = 0; i < count; i++) {
        const struct clopt_variable *parameter = function->parameters[i];
        inlining->variables[parameter->index] = copies[i];
        inlining->numbers[parameter->index] =
            is_number(parameter, call->children[i]) ? call->children[i] : NULL;
    }
}

/* Appends what a function returns: to `result`, or to what the call's value is assigned to. */
static void add_result(struct inlining *inlining, const struct clopt_node *call,
                       const struct clopt_node *assignment, struct clopt_variable *result,
                       const struct clopt_node *value, struct clopt_nodes *made)
{
    struct clopt_source *source = inlining->source;
    if (!assignment && !result) {
        if (is_replaced(inlining, value, true))
            add_block(inlining, value, NULL, NULL, made);
        else
            clopt_nodes_add(source, made, clopt_clone(&inlining->cloning, value));
        return;
    }
    struct clopt_variable *returned = clopt_variable_make(source, call->callee->type, "", "result");
    add_value(inlining, returned, value, made);
    if (result)
        clopt_nodes_put(source, made, value, "$v = $v;", result, returned);
    else
        clopt_nodes_put(source, made, call, "$n $s $v;",
                        clopt_clone(&inlining->cloning, assignment->children[0]), assignment->op,
                        returned);
}

/* Appends the body of a function that is called, in braces. The value goes to `result`, or to what
 * it is assigned to; NULL, both: nowhere. */
static void add_block(struct inlining *inlining, const struct clopt_node *call,
                      const struct clopt_node *assignment, struct clopt_variable *result,
                      struct clopt_nodes *made)
{
    struct clopt_source *source = inlining->source;
    const struct clopt_function *function = call->callee;
    const struct clopt_node *last = last_return(function);
    struct clopt_nodes block = {0};
    inlining->call_count++;
    add_parameters(inlining, call, &block);
    copy_variables(inlining, function);
    inlining->open[function->index] = true;
    for (size_t i = 0; i < function->body->child_count; i++) {
        const struct clopt_node *child = function->body->children[i];
        if (child != last)
            clopt_nodes_add(source, &block, clopt_clone(&inlining->cloning, child));
    }
    if (last && last->condition)
        add_result(inlining, call, assignment, result, last->condition, &block);
    inlining->open[function->index] = false;
    clopt_nodes_put(source, made, call, "{ $N }", &block);
}

/* Returns a number of a parameter's type in place of the parameter. */
static struct clopt_node *make_number(const struct inlining *inlining,
                                      const struct clopt_node *node)
{
    const struct clopt_variable *parameter = node->variable;
    const struct clopt_node *number = inlining->numbers[parameter->index];
    return number ? clopt_build(inlining->source, node, "$l$s$s", number->value,
                                parameter->is_signed ? "" : "u", parameter->bits == 64 ? "L" : "")
                  : NULL;
}

/* Returns the body of a function in place of the statement that calls it. */
static struct clopt_node *replace(void *user, const struct clopt_node *node)
{
    struct inlining *inlining = user;
    struct clopt_nodes made = {0};
    if (node->kind == CLOPT_NODE_VARIABLE)
        return make_number(inlining, node);
    const struct clopt_node *call = find_call(node);
    if (!call && node != inlining->judged)
        is_replaced(inlining, node, false);
    if (!call || !is_replaced(inlining, call, true))
        return NULL;
    if (node->kind == CLOPT_NODE_DECLARE)
        add_value(inlining, current(inlining, node->children[0]->variable), call, &made);
    else
        add_block(inlining, call, node == call ? NULL : node, NULL, &made);
    return clopt_build(inlining->source, node, "$N", &made);
}

/* ---- the whole ---- */

/* Replaces all calls in the kernel's body, and in what takes their place. */
static enum clopt_status replace_calls(struct inlining *inlining, struct clopt_error *error)
{
    struct clopt_source *source = inlining->source;
    struct clopt_node *body = source->kernel->body;
    inlining->error = error;
    inlining->cloning = (struct clopt_cloning){
        .source = source, .user = inlining, .node = replace, .variable = variable_of};
    inlining->variables =
        clopt_source_table(source, source->variable_count, sizeof *inlining->variables);
    inlining->numbers =
        clopt_source_table(source, source->variable_count, sizeof *inlining->numbers);
    inlining->open = clopt_source_table(source, source->function_count, sizeof *inlining->open);
    inlining->control =
        clopt_source_table(source, source->function_count, sizeof *inlining->control);
    find_control(inlining);
    struct clopt_node *inlined = clopt_clone(&inlining->cloning, body);
    if (inlining->call_count)
        clopt_replace(source, body, inlined);
    return inlining->status;
}

enum clopt_status clopt_source_create_inlined(const char *file, const char *text,
                                              const struct clopt_lines *lines, const char *options,
                                              const char *kernel, enum clopt_inlining what,
                                              struct clopt_source **source,
                                              struct clopt_error *error)
{
    CLOPT_TRY(clopt_source_create(file, text, lines, options, kernel, source, error));
    if (what == CLOPT_INLINE_NONE)
        return CLOPT_OK;
    struct inlining inlining = {.source = *source, .what = what};
    if ((*source)->function_count > 1 && replace_calls(&inlining, error)) {
        clopt_source_destroy(*source);
        *source = NULL;
        return inlining.status;
    }
    if (inlining.call_count)
        CLOPT_TRY(clopt_source_renew(file, options, kernel, source, error));
    return what != CLOPT_INLINE_BARRIERS && clopt_pointers_replace(*source)
               ? clopt_source_renew(file, options, kernel, source, error)
               : CLOPT_OK;
}
