/* SPDX-License-Identifier: BSD-3-Clause */
/* Moves types that are declared inside functions in front of them, where copies of variables know
 * them, too. */
#include "kernel/tree_builder.h"

#include "kernel/output.h"
#include "text/token.h"

struct clopt_node *clopt_tree_note_type(struct clopt_tree_builder *builder, CXCursor cursor)
{
    unsigned begin = 0, end = 0;
    if (!clopt_parse_extent(builder->parse, cursor, &begin, &end))
        return clopt_tree_refuse(builder, cursor, "text that clang places outside the file");
    /* libclang shows a type once more below the variable that it is declared with. */
    if (!builder->types || begin >= builder->types->end) {
        struct clopt_tree_type *type =
            clopt_arena_get(&builder->source->inner->arena, sizeof *type);
        *type =
            (struct clopt_tree_type){builder->types, cursor, builder->function, begin, end, NULL};
        builder->types = type;
    }
    return NULL;
}

void clopt_tree_note_alone(struct clopt_tree_builder *builder, const struct clopt_tree_type *last,
                           const struct clopt_node *statement)
{
    for (struct clopt_tree_type *type = builder->types; type != last; type = type->next) {
        type->begin = statement->begin;
        type->end = statement->stop;
        type->statement = statement;
    }
}

/* ---- names ---- */

/* A check of a type whose name must mean the same in front of its function. */
struct check {
    struct clopt_tree_builder *builder;
    const struct clopt_tree_type *type;
};

/* Whether a text names something, or a structure or the like, outside of functions, parameters and
 * structures. */
static bool has_name(const char *text, const char *name, bool tag)
{
    struct clopt_token last = {0};
    unsigned parens = 0, braces = 0;
    bool constants = false; /* enum { ... } */
    for (const char *at = text;;) {
        struct clopt_token token = clopt_token_next(&at);
        if (token.kind == CLOPT_TOKEN_END)
            return false;
        bool opens_type = clopt_token_is(&last, "struct") || clopt_token_is(&last, "union") ||
                          clopt_token_is(&last, "enum");
        if (!parens && (!braces || constants) && clopt_token_is(&token, name) &&
            tag == opens_type)
            return true;
        if (!braces && !parens && !clopt_token_is(&token, "{") && !clopt_token_is(&last, "enum"))
            constants = clopt_token_is(&token, "enum");
        parens += clopt_token_is(&token, "(") - clopt_token_is(&token, ")");
        braces += clopt_token_is(&token, "{") - clopt_token_is(&token, "}");
        last = token;
    }
}

static bool is_variable(const struct check *check, const char *name)
{
    const struct clopt_source *source = check->builder->source;
    for (size_t i = 0; i < source->variable_count; i++)
        if (source->variables[i]->function == check->type->function &&
            strcmp(source->variables[i]->name, name) == 0)
            return true;
    return false;
}

/* Whether another type has a name. */
static bool is_type(const struct check *check, const char *name)
{
    const struct clopt_parse *parse = check->builder->parse;
    char own[256];
    for (const struct clopt_tree_type *type = check->builder->types; type; type = type->next) {
        clopt_parse_string(parse, parse->clang.getCursorSpelling(type->cursor), own, sizeof own);
        if (type->begin != check->type->begin && strcmp(own, name) == 0)
            return true;
    }
    return false;
}

static enum CXChildVisitResult check_name(CXCursor cursor, CXCursor parent, CXClientData data)
{
    const struct check *check = data;
    struct clopt_tree_builder *builder = check->builder;
    char name[256];
    (void)parent;
    clopt_parse_string(builder->parse, builder->parse->clang.getCursorSpelling(cursor), name,
                       sizeof name);
    bool used = cursor.kind == CXCursor_DeclRefExpr;
    bool tag = cursor.kind == CXCursor_EnumDecl || cursor.kind == CXCursor_StructDecl ||
               cursor.kind == CXCursor_UnionDecl;
    bool declared =
        tag || cursor.kind == CXCursor_EnumConstantDecl || cursor.kind == CXCursor_TypedefDecl;
    if (!*name || !clopt_is_name_char(*name) || (!used && !declared))
        return CXChildVisit_Recurse;
    if ((!tag && is_variable(check, name)) ||
        (declared && (is_type(check, name) || has_name(builder->source->text, name, tag)))) {
        clopt_tree_refuse(builder, cursor,
                          "type that is declared inside a function, with a name that means "
                          "something else elsewhere: declare it in front of the function");
        return CXChildVisit_Break;
    }
    return CXChildVisit_Recurse;
}

/* ---- edits ---- */

/* Moves a statement, with its line where it has one. */
static void move_statement(struct clopt_source *source, const struct clopt_tree_type *type,
                           struct clopt_output *front)
{
    const char *text = source->text;
    size_t begin = type->begin;
    clopt_output_copy(front, source, begin, type->end);
    clopt_text_append(&front->text, "\n");
    while (text[type->end] == '\n' && strchr(" \t\r\n", text[begin - 1]))
        begin--;
    clopt_source_add_edit(source, begin, type->end, "%s", "");
}

/* Moves the type of variables, which gets a name where it has none. */
static void move_specifier(struct clopt_source *source, const struct clopt_tree_type *type,
                           struct clopt_output *front)
{
    const char *text = source->text;
    const char *at = text + type->begin;
    const char *after = text + type->end;
    struct clopt_token word = clopt_token_next(&at);
    struct clopt_token name = clopt_token_next(&at);
    for (; clopt_token_is(&name, "__attribute__"); name = clopt_token_next(&at))
        at = clopt_token_close(at) + 1;
    struct clopt_token last = clopt_token_next(&after);
    size_t end = clopt_token_is(&last, "__attribute__")
                     ? (size_t)(clopt_token_close(after) + 1 - text)
                     : type->end;
    bool unnamed = clopt_token_is(&name, "{");
    const char *made = unnamed ? clopt_source_free_name(source, "type") : NULL;
    size_t open = (size_t)(name.text - text);
    clopt_output_copy(front, source, type->begin, open);
    clopt_text_printf(&front->text, unnamed ? "%s " : "", made);
    clopt_output_copy(front, source, open, end);
    clopt_text_append(&front->text, ";\n");
    clopt_source_add_edit(source, type->begin, end, "%.*s %.*s", (int)word.length, word.text,
                          unnamed ? (int)strlen(made) : (int)name.length,
                          unnamed ? made : name.text);
}

/* Moves the types of a function from the first one in the text on. */
static void move_types(struct clopt_tree_builder *builder, const struct clopt_tree_type *type,
                       const struct clopt_function *function, struct clopt_output *front)
{
    if (!type || builder->status)
        return;
    move_types(builder, type->next, function, front);
    struct check check = {builder, type};
    if (type->function != function || builder->status)
        return;
    check_name(type->cursor, type->cursor, &check);
    if (!builder->status)
        builder->parse->clang.visitChildren(type->cursor, check_name, &check);
    bool more = type->next && type->next->begin == type->begin; /* typedef struct { ... } name; */
    if (type->statement && !more)
        move_statement(builder->source, type, front);
    else if (!type->statement)
        move_specifier(builder->source, type, front);
}

void clopt_tree_move_types(struct clopt_tree_builder *builder)
{
    struct clopt_source *source = builder->source;
    for (size_t i = 0; builder->types && i < source->function_count; i++) {
        const struct clopt_function *function = source->functions[i];
        CLOPT_OWNED(clopt_output) front = {0};
        move_types(builder, builder->types, function, &front);
        clopt_output_indent(&front, 0);
        clopt_text_append_char(&front.text, source->text[function->begin]);
        if (front.text.length == 1)
            continue;
        struct clopt_text_edit *edit = clopt_source_add_edit(
            source, function->begin, function->begin + 1, "%s", clopt_text_string(&front.text));
        edit->references = front.lines.references; /* the source's now */
        front.lines.references = (struct clopt_references){0};
    }
}
