/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds the trees of a kernel and of the functions that it reaches from libclang's cursors. */
#include "kernel/tree_builder.h"

#include "kernel/effect.h"
#include "text/text.h"
#include "text/token.h"

/* Returns the definition of a kernel, by its name. */
static struct clopt_tree_definition *find_kernel(const struct clopt_tree_builder *builder,
                                                 const char *name)
{
    struct clopt_tree_definition *definition = builder->definitions;
    while (definition && strcmp(definition->name, name) != 0)
        definition = definition->next;
    return definition;
}

/* Where what a cursor declares is declared first. */
static unsigned first_offset(const struct clopt_parse *parse, CXCursor cursor)
{
    return clopt_parse_offset(parse, parse->clang.getCanonicalCursor(cursor));
}

struct clopt_tree_definition *clopt_tree_find_definition(const struct clopt_tree_builder *builder,
                                                         const char *name, CXCursor declared)
{
    const struct clopt_parse *parse = builder->parse;
    struct clopt_tree_definition *definition = builder->definitions;
    while (definition && (strcmp(definition->name, name) != 0 ||
                          first_offset(parse, definition->cursor) != first_offset(parse, declared)))
        definition = definition->next;
    return definition;
}

struct clopt_function *clopt_tree_reach(struct clopt_tree_builder *builder,
                                        struct clopt_tree_definition *definition)
{
    struct clopt_source *source = builder->source;
    struct clopt_function *function = definition->function;
    if (!function) {
        function =
            clopt_source_add(source, &source->functions, &source->function_count, sizeof *function);
        function->name = definition->name;
        function->index = source->function_count - 1;
        source->kernel = source->functions[0];
        definition->function = function;
    }
    return function;
}

static enum CXChildVisitResult visit_function(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct clopt_tree_builder *builder = data;
    struct clopt_function *function = builder->function;
    (void)parent;
    if (cursor.kind == CXCursor_ParmDecl) {
        struct clopt_variable *parameter = clopt_tree_add_variable(builder, cursor);
        if (parameter)
            parameter->is_parameter = true;
        /* The parameters of a function are neighbours among all variables. */
        function->parameter_count++;
    } else if (cursor.kind == CXCursor_CompoundStmt) {
        function->body = clopt_tree_build_cursor(builder, cursor);
    }
    return builder->status ? CXChildVisit_Break : CXChildVisit_Continue;
}

bool clopt_kernel_begins(const char *at)
{
    for (;;) {
        struct clopt_token token = clopt_token_next(&at);
        if (token.kind == CLOPT_TOKEN_END || clopt_token_is(&token, "{"))
            return false;
        if (clopt_token_is(&token, "__kernel") || clopt_token_is(&token, "kernel"))
            return true;
    }
}

/* ---- where the text of nodes lies: their own, and the trivia that their positions have ---- */

/* The end of the specifiers that all declarators of a statement share. */
static size_t specifiers_end(const char *text, const struct clopt_node *declare)
{
    const char *limit = text + declare->children[0]->name_begin;
    const char *end = text + declare->begin;
    for (const char *at = end; at < limit;) {
        struct clopt_token token = clopt_token_next(&at);
        if (clopt_token_is(&token, "*") || clopt_token_is(&token, "(") || token.text >= limit)
            break;
        if (clopt_token_is(&token, "__attribute__"))
            at = clopt_token_close(at) + 1;
        end = at;
    }
    return (size_t)(end - text);
}

static size_t skip_space(const char *text, size_t at)
{
    return (size_t)(clopt_token_skip_space(text + at) - text);
}

/* Declarators of one statement all begin at its specifiers: each starts after what is before it. */
static void find_declare(const char *text, struct clopt_node *node)
{
    size_t end = specifiers_end(text, node);
    for (size_t i = 0; i < node->child_count; i++) {
        struct clopt_node *declarator = node->children[i];
        size_t begin = skip_space(text, end);
        if (i && text[begin] == ',')
            begin = skip_space(text, begin + 1);
        declarator->text_begin = begin;
        end = declarator->end;
    }
}

static void find_children(const char *text, struct clopt_node *node)
{
    size_t at = node->text_begin;
    if (node->kind == CLOPT_NODE_DECLARE && node->child_count)
        find_declare(text, node);
    for (size_t i = 0; i < node->child_count; i++) {
        struct clopt_node *child = node->children[i];
        if (child->kind != CLOPT_NODE_DECLARATOR)
            child->text_begin = child->begin;
        find_children(text, child);
        child->trivia_begin = child->trivia_end = SIZE_MAX;
        if (child->text_begin < at)
            continue; /* both are in a macro of OpenCL */
        child->trivia_begin = at;
        child->trivia_end = child->text_begin;
        at = child->stop > child->end ? child->stop : child->end;
    }
    node->tail_begin = at;
}

/* ---- functions ---- */

/* Notes how a function uses its variables. */
static void note_uses(const struct clopt_function *function)
{
    const struct clopt_node *body = function->body;
    for (const struct clopt_node *node = body; node; node = clopt_node_next(node, body)) {
        unsigned access = clopt_node_use(node, body);
        struct clopt_variable *variable = node->variable;
        const struct clopt_node *parent = node->parent;
        if (!access || variable->function != function)
            continue;
        variable->uses |= access;
        variable->writes += (access & (CLOPT_WRITE | CLOPT_ADDRESS)) != 0;
        if (node->kind == CLOPT_NODE_DECLARATOR) {
            variable->value = node->condition;
            continue;
        }
        if (!variable->value && parent->kind == CLOPT_NODE_ASSIGN && parent->children[0] == node)
            variable->value = parent->children[1];
        variable->changed |= (access & (CLOPT_WRITE | CLOPT_ADDRESS)) != 0;
        variable->reassigned |= (access & CLOPT_ADDRESS) || access == CLOPT_WRITE;
    }
}

static void build_function(struct clopt_tree_builder *builder, struct clopt_function *function)
{
    struct clopt_source *source = builder->source;
    const struct clopt_clang *clang = &builder->parse->clang;
    struct clopt_tree_definition *definition = builder->definitions;
    while (definition->function != function)
        definition = definition->next;
    builder->function = function;
    function->begin = definition->begin;
    function->end = definition->end;
    function->name_begin = clopt_parse_offset(builder->parse, definition->cursor);
    function->type = clopt_tree_string(builder, clang->getTypeSpelling(clang->getResultType(
                                                    clang->getCursorType(definition->cursor))));
    const char *close = clopt_token_close(source->text + function->name_begin);
    size_t own = source->variable_count;
    clang->visitChildren(definition->cursor, visit_function, builder);
    function->parameters = clopt_arena_get(&source->inner->arena, (function->parameter_count + 1) *
                                                                      sizeof *function->parameters);
    if (builder->status)
        return;
    if (!function->body || !close) {
        clopt_tree_refuse(builder, definition->cursor, "function that clopt cannot read");
        return;
    }
    function->parameters_end = (size_t)(close - source->text);
    for (size_t i = 0; i < function->parameter_count; i++)
        function->parameters[i] = source->variables[own + i];
    function->is_kernel = clopt_kernel_begins(source->text + function->begin);
    function->body->text_begin = function->body_begin = function->body->begin;
    find_children(source->text, function->body);
    note_uses(function);
}

static void add_definition(struct clopt_tree_builder *builder,
                           const struct clopt_tree_definition *definition)
{
    struct clopt_tree_definition **end = &builder->definitions;
    while (*end)
        end = &(*end)->next;
    *end = clopt_arena_get(&builder->source->inner->arena, sizeof **end);
    **end = *definition;
}

static enum CXChildVisitResult visit_top(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct clopt_tree_builder *builder = data;
    const struct clopt_clang *clang = &builder->parse->clang;
    struct clopt_tree_definition definition = {.cursor = cursor};
    (void)parent;
    if (!clopt_parse_extent(builder->parse, cursor, &definition.begin, &definition.end))
        return CXChildVisit_Continue;
    if (cursor.kind == CXCursor_VarDecl)
        clopt_tree_add_variable(builder, cursor);
    if (cursor.kind == CXCursor_FunctionDecl) {
        definition.name = clopt_tree_string(builder, clang->getCursorSpelling(cursor));
        if (clang->isCursorDefinition(cursor))
            add_definition(builder, &definition);
        else {
            const char *text = builder->source->text;
            const char *close =
                clopt_token_close(text + clopt_parse_offset(builder->parse, cursor));
            if (strcmp(definition.name, builder->kernel) == 0)
                builder->source->prototype_end = close ? (size_t)(close - text) : 0;
        }
    }
    return builder->status ? CXChildVisit_Break : CXChildVisit_Continue;
}

/* Says which kernels there are. */
static enum clopt_status refuse_kernel(const struct clopt_tree_builder *builder, const char *kernel)
{
    struct clopt_position position = clopt_source_position(builder->source, 0);
    CLOPT_OWNED(clopt_text) names = {0};
    for (const struct clopt_tree_definition *definition = builder->definitions; definition;
         definition = definition->next)
        if (clopt_kernel_begins(builder->source->text + definition->begin))
            clopt_text_printf(&names, "%s%s", names.length ? ", " : "; it has ", definition->name);
    return clopt_fail(builder->error, CLOPT_INVALID, "%s: no kernel %s in this file%s",
                      position.file[0] ? position.file : "source", kernel,
                      clopt_text_string(&names));
}

enum clopt_status clopt_tree_build(struct clopt_source *source, const struct clopt_parse *parse,
                                   const char *kernel, struct clopt_error *error)
{
    struct clopt_tree_builder builder = {
        .source = source, .parse = parse, .kernel = kernel, .error = error};
    builder.declared = clopt_calloc(strlen(source->text) + 1, sizeof *builder.declared);
    parse->clang.visitChildren(parse->clang.getTranslationUnitCursor(parse->unit), visit_top,
                               &builder);
    if (!builder.status) {
        struct clopt_tree_definition *definition = find_kernel(&builder, kernel);
        if (!definition)
            builder.status = refuse_kernel(&builder, kernel);
        else
            clopt_tree_reach(&builder, definition);
    }
    for (size_t i = 0; !builder.status && i < source->function_count; i++)
        build_function(&builder, source->functions[i]);
    if (!builder.status)
        clopt_tree_move_types(&builder);
    if (!builder.status && !source->functions[0]->is_kernel)
        builder.status = clopt_fail(error, CLOPT_INVALID, "%s: not a kernel", kernel);
    if (!builder.status)
        clopt_effects_find(source);
    free(builder.declared);
    return builder.status;
}
