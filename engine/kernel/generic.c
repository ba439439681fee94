/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the address space that pointers to any address space have, which OpenCL C 2.0 lets point
 * anywhere: where all values of a variable point to one, it is declared so; a function that is
 * called with several has a copy for each. clang proves it when it reads the program again. */
#include "kernel/generic_parts.h"

#define NOWHERE ((enum clopt_space)(CLOPT_SPACE_GENERIC + 1)) /* of what has no value yet */

static bool is_open(const struct clopt_variable *variable)
{
    return variable->is_pointer && variable->pointee == CLOPT_SPACE_GENERIC;
}

static enum clopt_space join(enum clopt_space a, enum clopt_space b)
{
    if (a == NOWHERE || a == b)
        return b;
    return b == NOWHERE ? a : CLOPT_SPACE_GENERIC;
}

/* ---- what expressions point to ---- */

/* The address space of what an expression names. */
static enum clopt_space space_of_lvalue(const struct placing *placing,
                                        const struct clopt_node *node)
{
    const struct clopt_node *first = node->child_count ? node->children[0] : NULL;
    if (node->kind == CLOPT_NODE_VARIABLE)
        return node->variable->space;
    if (node->kind == CLOPT_NODE_PAREN || node->kind == CLOPT_NODE_SWIZZLE)
        return space_of_lvalue(placing, first);
    if (!clopt_node_is_lvalue(node, NULL) && node->kind != CLOPT_NODE_MEMBER)
        return CLOPT_SPACE_GENERIC;
    if (node->space != CLOPT_SPACE_GENERIC)
        return node->space;
    if (node->kind == CLOPT_NODE_SUBSCRIPT && !clopt_node_is_address(first))
        first = node->children[1]; /* i[a] */
    return node->kind == CLOPT_NODE_MEMBER && clopt_node_is_operator(node, ".")
               ? space_of_lvalue(placing, first)
               : clopt_generic_value(placing, first);
}

static bool is_null(const struct clopt_node *node)
{
    return node->kind == CLOPT_NODE_LITERAL && node->name &&
           (strcmp(node->name, "NULL") == 0 || (node->known && !node->value));
}

/* The same of an operator's value, whose space is that of an operand. */
static enum clopt_space space_of_operator(const struct placing *placing,
                                          const struct clopt_node *node)
{
    const struct clopt_node *first = node->children[0];
    if (node->kind == CLOPT_NODE_CONDITIONAL)
        return join(clopt_generic_value(placing, node->children[1]),
                    clopt_generic_value(placing, node->children[2]));
    if (node->kind == CLOPT_NODE_UNARY && clopt_node_is_operator(node, "&"))
        return space_of_lvalue(placing, first);
    if (node->kind == CLOPT_NODE_UNARY && !clopt_node_is_step(node))
        return CLOPT_SPACE_GENERIC; /* read from memory */
    if (node->kind == CLOPT_NODE_BINARY &&
        (clopt_node_is_operator(node, ",") || !clopt_node_is_address(first)))
        first = node->children[1];
    return clopt_generic_value(placing, first);
}

/* The address space that a value points to. */
enum clopt_space clopt_generic_value(const struct placing *placing, const struct clopt_node *node)
{
    if (is_null(node))
        return NOWHERE;
    if (node->is_array)
        return space_of_lvalue(placing, node);
    if (!node->is_pointer || node->pointee != CLOPT_SPACE_GENERIC)
        return node->is_pointer ? node->pointee : CLOPT_SPACE_GENERIC;
    switch (node->kind) {
    case CLOPT_NODE_VARIABLE:
        return is_open(node->variable) ? placing->held[node->variable->index]
                                       : node->variable->pointee;
    case CLOPT_NODE_CALL:
        return node->callee ? placing->results[node->callee->index] : CLOPT_SPACE_GENERIC;
    case CLOPT_NODE_PAREN:
    case CLOPT_NODE_CAST:
    case CLOPT_NODE_UNARY:
    case CLOPT_NODE_POSTFIX:
    case CLOPT_NODE_BINARY:
    case CLOPT_NODE_ASSIGN:
    case CLOPT_NODE_CONDITIONAL:
        return space_of_operator(placing, node);
    default:
        return CLOPT_SPACE_GENERIC;
    }
}

/* ---- what can be declared otherwise ---- */

/* The stars of a declaration, or a part of it; more than one where it names the space itself. */
unsigned clopt_generic_stars(const char *text, size_t begin, size_t end)
{
    unsigned stars = 0;
    for (const char *at = text + begin; at < text + end;) {
        struct clopt_token token = clopt_token_next(&at);
        if (token.text >= text + end || clopt_token_is(&token, "="))
            break;
        stars += clopt_token_is(&token, "*");
        if (clopt_token_is(&token, "generic") || clopt_token_is(&token, "__generic"))
            stars += 2;
    }
    return stars;
}

static bool can_be_placed(const struct placing *placing, const struct clopt_variable *variable)
{
    const struct clopt_node *declarator = variable->declarator;
    const char *text = placing->source->text;
    if (!declarator || (variable->uses & CLOPT_ADDRESS))
        return false;
    const struct clopt_node *declare = declarator->parent;
    /* A statement of a list may be several ones as well. */
    bool can_be_split = declare->child_count == 1 ||
                        (declare->parent && declare->parent->kind == CLOPT_NODE_COMPOUND);
    return can_be_split && !clopt_generic_stars(text, declare->begin, declare->children[0]->text_begin) &&
           clopt_generic_stars(text, declarator->text_begin, declarator->end) == 1;
}

bool clopt_generic_find_parameter(const char *text, size_t at, size_t number, size_t *begin,
                                  size_t *end)
{
    const char *open = strchr(text + at, '(');
    const char *close = open ? clopt_token_close(text + at) : NULL;
    unsigned depth = 0;
    if (!close)
        return false;
    *begin = (size_t)(clopt_token_skip_space(open + 1) - text);
    for (const char *to = open + 1; to <= close;) {
        struct clopt_token token = clopt_token_next(&to);
        bool ends = !depth && (clopt_token_is(&token, ",") || token.text == close);
        depth += clopt_token_is(&token, "(") || clopt_token_is(&token, "[");
        depth -= depth && (clopt_token_is(&token, ")") || clopt_token_is(&token, "]"));
        if (!ends)
            continue;
        *end = (size_t)(token.text - text);
        if (!number--)
            return true;
        *begin = (size_t)(clopt_token_skip_space(to) - text);
    }
    return false;
}

static bool is_plain_parameter(const struct placing *placing, const struct clopt_function *function,
                               size_t number)
{
    size_t begin, end;
    return !(function->parameters[number]->uses & CLOPT_ADDRESS) &&
           clopt_generic_find_parameter(placing->source->text, function->name_begin, number, &begin,
                                        &end) &&
           clopt_generic_stars(placing->source->text, begin, end) == 1;
}

/* Whether a function returns a pointer to any space, and its head says so by one star. */
static bool returns_open(const struct placing *placing, const struct clopt_function *function)
{
    return strstr(function->type, "__generic") &&
           placing->results[function->index] == CLOPT_SPACE_GENERIC &&
           clopt_generic_stars(placing->source->text, function->begin, function->name_begin) == 1;
}

/* ---- variables of functions ---- */

/* Joins what a node gives a variable to what that holds; true where this is news. */
static bool follow(struct placing *placing, const struct clopt_node *node)
{
    const struct clopt_node *value = NULL, *to = node;
    if (node->kind == CLOPT_NODE_DECLARATOR) {
        value = node->condition;
    } else if (node->kind == CLOPT_NODE_ASSIGN && clopt_node_is_operator(node, "=")) {
        to = clopt_node_bare(node->children[0]);
        value = to->kind == CLOPT_NODE_VARIABLE ? node->children[1] : NULL;
    }
    if (!value || !is_open(to->variable))
        return false;
    enum clopt_space *held = &placing->held[to->variable->index];
    enum clopt_space now = join(*held, clopt_generic_value(placing, value));
    bool news = now != *held;
    *held = now;
    return news;
}

static void follow_all(struct placing *placing, const struct clopt_function *function)
{
    for (bool news = true; news;) {
        news = false;
        for (const struct clopt_node *node = function->body; node;
             node = clopt_node_next(node, function->body))
            news |= follow(placing, node);
    }
}

static void place(struct placing *placing, struct clopt_variable *variable, enum clopt_space space)
{
    variable->pointee = space;
    placing->placed[variable->index] = placing->changed = true;
}

/* Places the variables of a function whose values point to one space. What is open at the end
 * holds anything. */
static void place_variables(struct placing *placing, const struct clopt_function *function)
{
    const struct clopt_source *source = placing->source;
    for (size_t i = 0; i < source->variable_count; i++) {
        const struct clopt_variable *variable = source->variables[i];
        if (variable->function == function && is_open(variable) && can_be_placed(placing, variable))
            placing->held[i] = NOWHERE;
    }
    follow_all(placing, function);
    for (size_t i = 0; i < source->variable_count; i++) {
        if (placing->held[i] < CLOPT_SPACE_GENERIC)
            place(placing, source->variables[i], placing->held[i]);
        placing->held[i] = CLOPT_SPACE_GENERIC;
    }
}

/* Notes what a function returns, where that is one space. */
static void place_result(struct placing *placing, const struct clopt_function *function)
{
    enum clopt_space space = NOWHERE;
    for (const struct clopt_node *node = function->body; node;
         node = clopt_node_next(node, function->body))
        if (node->kind == CLOPT_NODE_RETURN && node->condition)
            space = join(space, clopt_generic_value(placing, node->condition));
    if (space >= CLOPT_SPACE_GENERIC)
        return;
    placing->results[function->index] = space;
    placing->changed = true;
}

/* ---- calls ---- */

/* The space that a call gives a parameter. A null pointer is one of any space. */
static enum clopt_space space_of_argument(const struct placing *placing,
                                          const struct clopt_node *call, size_t number)
{
    enum clopt_space space = clopt_generic_value(placing, call->children[number]);
    return space == NOWHERE ? CLOPT_SPACE_PRIVATE : space;
}

/* Whether a call hands over what a parameter that is open may be declared as. */
static bool is_settled(const struct placing *placing, const struct clopt_node *call)
{
    const struct clopt_function *function = call->callee;
    for (size_t i = 0; i < function->parameter_count; i++)
        if (is_open(function->parameters[i]) &&
            space_of_argument(placing, call, i) == CLOPT_SPACE_GENERIC)
            return false;
    return true;
}

/* Whether a parameter is assigned pointers to another space than an argument has. */
static bool is_reassigned(struct placing *placing, const struct clopt_node *call, size_t number)
{
    const struct clopt_function *function = call->callee;
    const struct clopt_variable *parameter = function->parameters[number];
    enum clopt_space *held = &placing->held[parameter->index];
    *held = NOWHERE;
    follow_all(placing, function);
    bool other = *held != NOWHERE && *held != space_of_argument(placing, call, number);
    *held = CLOPT_SPACE_GENERIC;
    return other;
}

bool clopt_generic_calls_same(const struct placing *placing, const struct clopt_node *a,
                              const struct clopt_node *b)
{
    for (size_t i = 0; i < a->callee->parameter_count; i++)
        if (is_open(a->callee->parameters[i]) &&
            space_of_argument(placing, a, i) != space_of_argument(placing, b, i))
            return false;
    return true;
}

struct clopt_node *clopt_generic_next_call(const struct placing *placing,
                                           const struct clopt_function *function,
                                           const struct clopt_node *last)
{
    bool seen = !last;
    for (size_t i = 0; i < placing->source->function_count; i++) {
        struct clopt_node *body = placing->source->functions[i]->body;
        for (struct clopt_node *node = body; node; node = clopt_node_next(node, body)) {
            if (seen && node->callee == function)
                return node;
            seen |= node == last;
        }
    }
    return NULL;
}

/* Whether all calls of a function say which spaces its parameters have. */
bool clopt_generic_is_ready(struct placing *placing, const struct clopt_function *function)
{
    const struct clopt_node *call = NULL;
    bool open = returns_open(placing, function);
    if (clopt_names_has(&placing->source->inner->names, "overloadable", strlen("overloadable")))
        return false; /* its name is that of others, too */
    for (size_t i = 0; i < function->parameter_count; i++) {
        open |= is_open(function->parameters[i]);
        if (is_open(function->parameters[i]) && !is_plain_parameter(placing, function, i))
            return false;
    }
    while (open && (call = clopt_generic_next_call(placing, function, call))) {
        if (!is_settled(placing, call))
            return false;
        for (size_t i = 0; i < function->parameter_count; i++)
            if (is_open(function->parameters[i]) && is_reassigned(placing, call, i))
                return false;
    }
    return open && !function->is_kernel;
}

/* ---- the whole ---- */

/* Places the parameters of a function that all its calls hand over the same spaces. */
static void place_parameters(struct placing *placing, const struct clopt_function *function)
{
    const struct clopt_node *first = clopt_generic_next_call(placing, function, NULL);
    for (const struct clopt_node *call = first; call;
         call = clopt_generic_next_call(placing, function, call))
        if (!clopt_generic_calls_same(placing, first, call))
            return;
    for (size_t i = 0; first && i < function->parameter_count; i++)
        if (is_open(function->parameters[i]))
            place(placing, function->parameters[i], space_of_argument(placing, first, i));
}

static void place_all(struct placing *placing)
{
    const struct clopt_source *source = placing->source;
    for (placing->changed = true; placing->changed;) {
        placing->changed = false;
        for (size_t i = 0; i < source->function_count; i++) {
            const struct clopt_function *function = source->functions[i];
            place_variables(placing, function);
            if (clopt_generic_is_shared(placing, function))
                continue;
            if (returns_open(placing, function))
                place_result(placing, function);
            if (clopt_generic_is_ready(placing, function))
                place_parameters(placing, function);
        }
    }
}

bool clopt_source_place_pointers(struct clopt_source *source)
{
    struct placing placing = {.source = source};
    bool open = false;
    for (size_t i = 0; i < source->variable_count; i++)
        open |= is_open(source->variables[i]);
    if (!open || clopt_source_is_edited(source))
        return open;
    placing.held = clopt_source_table(source, source->variable_count, sizeof *placing.held);
    placing.results = clopt_source_table(source, source->function_count, sizeof *placing.results);
    placing.placed = clopt_source_table(source, source->variable_count, sizeof *placing.placed);
    for (size_t i = 0; i < source->variable_count; i++)
        placing.held[i] = CLOPT_SPACE_GENERIC;
    for (size_t i = 0; i < source->function_count; i++)
        placing.results[i] = CLOPT_SPACE_GENERIC;
    place_all(&placing);
    return clopt_generic_edit(&placing);
}
