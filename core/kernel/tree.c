/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds the trees of a kernel and of the functions that it reaches from libclang's cursors. */
#include "kernel/tree_builder.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "kernel/effect.h"
#include "kernel/token.h"

struct clopt_tree_definition *clopt_tree_find_definition(const struct clopt_tree_builder *builder,
                                                         const char *name)
{
    for (size_t i = 0; i < builder->definition_count; i++)
        if (strcmp(builder->definitions[i].name, name) == 0)
            return &builder->definitions[i];
    return NULL;
}

struct clopt_function *clopt_tree_reach(struct clopt_tree_builder *builder,
                                        struct clopt_tree_definition *definition)
{
    struct clopt_source *source = builder->source;
    if (definition->function)
        return definition->function;
    struct clopt_function *function = clopt_tree_get(builder, sizeof *function);
    if (!function || !clopt_tree_grow(builder, &source->functions, source->function_count,
                                      &builder->function_capacity))
        return NULL;
    function->name = definition->name;
    function->index = source->function_count;
    source->functions[source->function_count++] = function;
    source->kernel = source->functions[0];
    definition->function = function;
    return function;
}

bool clopt_tree_add_callee(struct clopt_tree_builder *builder, struct clopt_function *callee)
{
    struct clopt_function *caller = builder->function;
    for (size_t i = 0; i < caller->callee_count; i++)
        if (caller->callees[i] == callee)
            return true;
    /* Powers of two are where the array is full. */
    size_t count = caller->callee_count;
    if ((count & (count - 1)) == 0) {
        struct clopt_function **more =
            clopt_tree_get(builder, (count ? count * 2 : 1) * sizeof *more);
        if (!more)
            return false;
        if (count)
            memcpy(more, caller->callees, count * sizeof *more);
        caller->callees = more;
    }
    caller->callees[caller->callee_count++] = callee;
    return true;
}

static enum CXChildVisitResult visit_function(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct clopt_tree_builder *builder = data;
    struct clopt_function *function = builder->function;
    (void)parent;
    if (cursor.kind == CXCursor_ParmDecl) {
        struct clopt_variable *parameter = clopt_tree_add_variable(builder, cursor);
        if (!parameter)
            return CXChildVisit_Break;
        parameter->is_parameter = true;
        /* The parameters of a function are neighbours among all variables. */
        function->parameter_count++;
    } else if (cursor.kind == CXCursor_CompoundStmt) {
        if (!clopt_tree_build_cursor(builder, cursor))
            return CXChildVisit_Break;
        function->body = builder->stack[--builder->stack_count];
    }
    return CXChildVisit_Continue;
}

/* Tells whether a function whose definition begins there is a kernel. */
static bool is_kernel(const struct clopt_tree_builder *builder, size_t begin)
{
    const char *at = clopt_tree_text(builder) + begin;
    for (;;) {
        struct clopt_token token = clopt_token_next(&at);
        if (token.kind == CLOPT_TOKEN_END || clopt_token_is(&token, "{"))
            return false;
        if (clopt_token_is(&token, "__kernel") || clopt_token_is(&token, "kernel"))
            return true;
    }
}

/* The offset of the parenthesis that closes the parameters of a function whose name is there. */
static size_t find_parameters_end(const char *text, size_t name)
{
    unsigned depth = 0;
    const char *at = text + name;
    for (struct clopt_token token = clopt_token_next(&at); token.kind != CLOPT_TOKEN_END;
         token = clopt_token_next(&at)) {
        depth += clopt_token_is(&token, "(");
        if (clopt_token_is(&token, ")") && --depth == 0)
            return (size_t)(token.text - text);
    }
    return name;
}

static bool build_function(struct clopt_tree_builder *builder, struct clopt_function *function)
{
    const struct clopt_clang *clang = &builder->parse->clang;
    struct clopt_tree_definition *definition = clopt_tree_find_definition(builder, function->name);
    unsigned begin = 0;
    unsigned end = 0;
    unsigned name = 0;
    builder->function = function;
    if (!clopt_parse_extent(builder->parse, definition->cursor, &begin, &end))
        return clopt_tree_refuse(builder, definition->cursor,
                                 "function that clang places outside the file");
    function->begin = begin;
    function->end = end;
    clang->getFileLocation(clang->getCursorLocation(definition->cursor), NULL, NULL, NULL, &name);
    function->name_begin = name;
    function->parameters_end = find_parameters_end(clopt_tree_text(builder), name);
    size_t first = builder->source->variable_count;
    clang->visitChildren(definition->cursor, visit_function, builder);
    if (builder->status)
        return false;
    if (!function->body)
        return clopt_tree_refuse(builder, definition->cursor, "function that clopt cannot read");
    function->parameters =
        clopt_tree_get(builder, (function->parameter_count + 1) * sizeof *function->parameters);
    if (!function->parameters)
        return false;
    for (size_t i = 0; i < function->parameter_count; i++)
        function->parameters[i] = builder->source->variables[first + i];
    function->is_kernel = is_kernel(builder, begin);
    return true;
}

/* Notes a declaration of the kernel without a body. */
static void note_prototype(struct clopt_tree_builder *builder, CXCursor cursor)
{
    const struct clopt_clang *clang = &builder->parse->clang;
    char name[512];
    unsigned begin = 0;
    clopt_parse_string(builder->parse, clang->getCursorSpelling(cursor), name, sizeof name);
    if (strcmp(name, builder->kernel) != 0)
        return;
    clang->getFileLocation(clang->getCursorLocation(cursor), NULL, NULL, NULL, &begin);
    builder->prototype_end = find_parameters_end(clopt_tree_text(builder), begin);
}

struct body_search {
    bool found;
};

static enum CXChildVisitResult find_body(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct body_search *search = data;
    search->found |= cursor.kind == CXCursor_CompoundStmt;
    return CXChildVisit_Continue;
}

static enum CXChildVisitResult visit_top(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct clopt_tree_builder *builder = data;
    const struct clopt_clang *clang = &builder->parse->clang;
    (void)parent;
    unsigned begin = 0;
    unsigned end = 0;
    if (!clopt_parse_extent(builder->parse, cursor, &begin, &end))
        return CXChildVisit_Continue;
    if (cursor.kind == CXCursor_VarDecl)
        return clopt_tree_add_variable(builder, cursor) ? CXChildVisit_Continue
                                                        : CXChildVisit_Break;
    struct body_search search = {false};
    if (cursor.kind == CXCursor_FunctionDecl)
        clang->visitChildren(cursor, find_body, &search);
    if (!search.found) {
        if (cursor.kind == CXCursor_FunctionDecl)
            note_prototype(builder, cursor);
        return CXChildVisit_Continue;
    }
    size_t count = builder->definition_count;
    if ((count & (count - 1)) == 0) {
        struct clopt_tree_definition *more =
            realloc(builder->definitions, (count ? count * 2 : 1) * sizeof *more);
        if (!more) {
            clopt_tree_out_of_memory(builder);
            return CXChildVisit_Break;
        }
        builder->definitions = more;
    }
    char name[512];
    clopt_parse_string(builder->parse, clang->getCursorSpelling(cursor), name, sizeof name);
    const char *copy = clopt_arena_copy(&builder->source->inner->arena, name, strlen(name));
    if (!copy) {
        clopt_tree_out_of_memory(builder);
        return CXChildVisit_Break;
    }
    builder->definitions[builder->definition_count++] =
        (struct clopt_tree_definition){copy, cursor, NULL};
    return CXChildVisit_Continue;
}

static void note_access(void *user, const struct clopt_node *node, struct clopt_variable *variable,
                        unsigned access)
{
    const struct clopt_function *function = user;
    if (variable->function != function)
        return;
    variable->uses |= access;
    if (node->kind == CLOPT_NODE_DECLARATOR)
        return;
    variable->changed |= (access & (CLOPT_WRITE | CLOPT_ADDRESS)) != 0;
    variable->reassigned |= (access & CLOPT_ADDRESS) || access == CLOPT_WRITE;
}

/* Says which kernels there are. */
static enum clopt_status refuse_kernel(const struct clopt_tree_builder *builder, const char *kernel)
{
    struct clopt_place place = clopt_source_place(builder->source, 0);
    struct clopt_text names = {0};
    for (size_t i = 0; i < builder->definition_count; i++) {
        const struct clopt_tree_definition *definition = &builder->definitions[i];
        unsigned begin = 0, end = 0;
        if (clopt_parse_extent(builder->parse, definition->cursor, &begin, &end) &&
            is_kernel(builder, begin))
            clopt_text_printf(&names, "%s%s", names.length ? ", " : "; it has ", definition->name);
    }
    clopt_fail(builder->error, CLOPT_INVALID, "%s: no kernel %s in this file%s",
               place.file[0] ? place.file : "source", kernel, clopt_text_string(&names));
    clopt_text_fini(&names);
    return CLOPT_INVALID;
}

enum clopt_status clopt_tree_build(struct clopt_source *source, const struct clopt_parse *parse,
                                   const char *kernel, struct clopt_error *error)
{
    struct clopt_tree_builder builder = {
        .source = source, .parse = parse, .kernel = kernel, .error = error};
    parse->clang.visitChildren(parse->clang.getTranslationUnitCursor(parse->unit), visit_top,
                               &builder);
    if (!builder.status) {
        struct clopt_tree_definition *definition = clopt_tree_find_definition(&builder, kernel);
        if (!definition)
            builder.status = refuse_kernel(&builder, kernel);
        else
            clopt_tree_reach(&builder, definition);
    }
    for (size_t i = 0; !builder.status && i < source->function_count; i++)
        if (build_function(&builder, source->functions[i])) {
            clopt_layout_find(source, source->functions[i]);
            clopt_node_visit_uses(source->functions[i]->body, note_access, source->functions[i]);
        }
    if (!builder.status)
        source->functions[0]->prototype_end = builder.prototype_end;
    if (!builder.status && !source->functions[0]->is_kernel)
        builder.status = clopt_fail(error, CLOPT_INVALID, "%s: not a kernel", kernel);
    if (!builder.status)
        clopt_effects_find(source);
    free(builder.definitions);
    free(builder.slots);
    free(builder.stack);
    return builder.status;
}
