/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds the nodes of a tree: statements, and what they have in common with expressions. */
#include "kernel/tree_builder.h"

#include "text/token.h"

struct clopt_node *clopt_tree_refuse(struct clopt_tree_builder *builder, CXCursor cursor,
                                     const char *what)
{
    struct clopt_node position = {0};
    unsigned begin = 0;
    unsigned end = 0;
    clopt_parse_extent(builder->parse, cursor, &begin, &end);
    position.begin = begin;
    builder->status = clopt_source_refuse(builder->source, &position, builder->error, "%s", what);
    return NULL;
}

const char *clopt_tree_copy(const struct clopt_tree_builder *builder, const char *text,
                            size_t length)
{
    return clopt_arena_copy(&builder->source->inner->arena, text, length);
}

const char *clopt_tree_string(const struct clopt_tree_builder *builder, CXString string)
{
    const char *text = builder->parse->clang.getCString(string);
    const char *copy = clopt_tree_copy(builder, text ? text : "", text ? strlen(text) : 0);
    builder->parse->clang.disposeString(string);
    return copy;
}

/* ---- to_global, to_local, to_private ---- */

bool clopt_tree_is_conversion(const char *name, size_t length)
{
    static const char *const names[] = {"to_global", "to_local", "to_private"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (length == strlen(names[i]) && strncmp(name, names[i], length) == 0)
            return true;
    return false;
}

/* For clang they have no place, and a call of them begins with its argument. Returns where what
 * clang says begins there begins. */
static unsigned find_begin(const struct clopt_tree_builder *builder, unsigned begin, unsigned end)
{
    const char *text = builder->source->text;
    for (;;) {
        size_t open = begin, name;
        while (open && strchr(" \t\r\n", text[open - 1]))
            open--;
        if (!open || text[--open] != '(')
            return begin;
        size_t after = open;
        while (after && strchr(" \t\r\n", text[after - 1]))
            after--;
        for (name = after; name && clopt_is_name_char(text[name - 1]);)
            name--;
        const char *close = clopt_token_close(text + after);
        if (!clopt_tree_is_conversion(text + name, after - name) || !close || text + end <= close)
            return begin;
        begin = (unsigned)name;
    }
}

/* Whether a cursor is the name of one that is called. */
static bool is_hidden(const struct clopt_tree_builder *builder, CXCursor cursor)
{
    char name[16];
    unsigned begin, end;
    if ((cursor.kind != CXCursor_UnexposedExpr && cursor.kind != CXCursor_DeclRefExpr) ||
        clopt_parse_extent(builder->parse, cursor, &begin, &end))
        return false;
    clopt_parse_string(builder->parse, builder->parse->clang.getCursorSpelling(cursor), name,
                       sizeof name);
    return clopt_tree_is_conversion(name, strlen(name));
}

/* A node whose children are being built. */
struct building {
    struct clopt_tree_builder *builder;
    struct clopt_node *node;
};

static enum CXChildVisitResult visit_child(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct building *building = data;
    struct clopt_tree_builder *builder = building->builder;
    (void)parent;
    if (is_hidden(builder, cursor))
        return CXChildVisit_Continue;
    struct clopt_node *child = clopt_tree_build_cursor(builder, cursor);
    if (child && !builder->status)
        clopt_node_append(builder->source, building->node, child);
    return builder->status ? CXChildVisit_Break : CXChildVisit_Continue;
}

/* What ends with a macro inside an as_type, which is a macro itself, ends by clang where the
 * as_type does, or where the inner macro begins. Returns the end of its first token; what consists
 * of more has children to tell. */
static unsigned find_end(const struct clopt_tree_builder *builder, unsigned begin, unsigned end)
{
    if (!builder->limit || (begin < end && end <= builder->limit))
        return end;
    const char *at = builder->source->text + begin;
    clopt_token_next(&at);
    return (unsigned)(at - builder->source->text);
}

struct clopt_node *clopt_tree_make_node(struct clopt_tree_builder *builder, CXCursor cursor,
                                        enum clopt_node_kind kind)
{
    unsigned begin = 0;
    unsigned end = 0;
    if (!clopt_parse_extent(builder->parse, cursor, &begin, &end))
        return clopt_tree_refuse(builder, cursor, "text that clang places outside the file");
    struct clopt_node *node = clopt_node_new(builder->source, kind, NULL);
    node->made = false;
    node->begin = find_begin(builder, begin, end);
    node->end = node->stop = find_end(builder, begin, end);
    return builder->status ? NULL : node;
}

static int by_begin(const void *a, const void *b)
{
    const struct clopt_node *const *x = a;
    const struct clopt_node *const *y = b;
    return (*x)->begin < (*y)->begin ? -1 : (*x)->begin > (*y)->begin;
}

void clopt_tree_sort_children(struct clopt_node *node)
{
    if (node->child_count)
        qsort(node->children, node->child_count, sizeof *node->children, by_begin);
}

bool clopt_tree_build_children(struct clopt_tree_builder *builder, CXCursor cursor,
                               struct clopt_node *node)
{
    struct building building = {builder, node};
    if (++builder->depth > CLOPT_MOST_DEPTH)
        clopt_tree_refuse(builder, cursor, "nested too deeply");
    else
        builder->parse->clang.visitChildren(cursor, visit_child, &building);
    builder->depth--;
    clopt_tree_sort_children(node);
    for (size_t i = 0; i < node->child_count; i++)
        if (node->end < node->children[i]->end)
            node->end = node->stop = node->children[i]->end; /* see close_cast() */
    return !builder->status;
}

struct clopt_node *clopt_tree_child(const struct clopt_node *node, size_t index)
{
    return index < node->child_count ? node->children[index] : NULL;
}

/* ---- statements ---- */

/* Where a statement ends that has no other statement at its end: after its semicolon. */
static void find_stop(const struct clopt_tree_builder *builder, struct clopt_node *node)
{
    const char *text = builder->source->text;
    if (node->end > node->begin && text[node->end - 1] == ';') {
        node->stop = node->end;
        return;
    }
    const char *at = clopt_token_skip_space(text + node->end);
    node->stop = *at == ';' ? (size_t)(at - text) + 1 : node->end;
}

/* Finds the semicolons and the closing parenthesis of a for statement's head. */
static bool for_head(const struct clopt_tree_builder *builder, const struct clopt_node *node,
                     size_t semi[2], size_t *close)
{
    const char *text = builder->source->text;
    const char *at = text + node->begin;
    const char *end = clopt_token_close(at);
    unsigned depth = 0;
    size_t found = 0;
    while (end && at < end) {
        struct clopt_token token = clopt_token_next(&at);
        depth += clopt_token_is(&token, "(");
        depth -= clopt_token_is(&token, ")");
        if (clopt_token_is(&token, ";") && depth == 1 && found < 2)
            semi[found++] = (size_t)(token.text - text);
    }
    *close = end ? (size_t)(end - text) : 0;
    return found == 2;
}

static bool arrange_for(const struct clopt_tree_builder *builder, struct clopt_node *node)
{
    size_t semi[2] = {0};
    size_t close = 0;
    if (!for_head(builder, node, semi, &close))
        return false;
    for (size_t i = 0; i < node->child_count; i++) {
        struct clopt_node *part = node->children[i];
        if (part->begin > close)
            node->body = part;
        else if (part->begin > semi[1])
            node->step = part;
        else if (part->begin > semi[0])
            node->condition = part;
        else
            node->init = part;
    }
    return node->body != NULL;
}

/* Names the parts of a statement; false where one is missing, or there are more. */
static bool arrange_statement(const struct clopt_tree_builder *builder, struct clopt_node *node)
{
    struct clopt_node *first = clopt_tree_child(node, 0);
    struct clopt_node *second = clopt_tree_child(node, 1);
    switch (node->kind) {
    case CLOPT_NODE_IF:
        node->otherwise = clopt_tree_child(node, 2);
        /* fall through */
    case CLOPT_NODE_WHILE:
    case CLOPT_NODE_SWITCH:
    case CLOPT_NODE_CASE:
        node->condition = first;
        node->body = second;
        break;
    case CLOPT_NODE_DO:
        node->body = first;
        node->condition = second;
        break;
    case CLOPT_NODE_FOR:
        return arrange_for(builder, node);
    case CLOPT_NODE_RETURN:
        node->condition = first;
        return true;
    case CLOPT_NODE_DEFAULT:
    case CLOPT_NODE_LABEL:
    case CLOPT_NODE_ATTRIBUTED:
        node->body = first;
        break;
    default:
        return true;
    }
    return node->body != NULL;
}

/* Statements that end with another statement stop where that one does. */
static void arrange_stop(const struct clopt_tree_builder *builder, struct clopt_node *node)
{
    const struct clopt_node *last = node->otherwise ? node->otherwise : node->body;
    if (node->kind == CLOPT_NODE_COMPOUND || node->kind == CLOPT_NODE_DECLARATOR)
        return;
    if (node->kind == CLOPT_NODE_DO || !last)
        find_stop(builder, node);
    else
        node->stop = last->stop;
}

/* Expressions that are statements end after a semicolon. */
static void stop_parts(const struct clopt_tree_builder *builder, struct clopt_node *node)
{
    for (size_t i = 0; i < node->child_count; i++) {
        struct clopt_node *part = node->children[i];
        bool is_statement =
            node->kind == CLOPT_NODE_COMPOUND || part == node->body || part == node->otherwise;
        if (is_statement && clopt_node_is_expression(part))
            find_stop(builder, part);
    }
}

static struct clopt_node *build_statement(struct clopt_tree_builder *builder, CXCursor cursor,
                                          enum clopt_node_kind kind)
{
    const struct clopt_tree_type *last = builder->types;
    struct clopt_node *node = clopt_tree_make_node(builder, cursor, kind);
    if (!node || !clopt_tree_build_children(builder, cursor, node))
        return NULL;
    if (kind == CLOPT_NODE_CASE && node->child_count > 2)
        return clopt_tree_refuse(builder, cursor, "case with a range");
    if (!arrange_statement(builder, node))
        return clopt_tree_refuse(builder, cursor, "statement that clopt cannot read");
    stop_parts(builder, node);
    arrange_stop(builder, node);
    if (kind == CLOPT_NODE_DECLARE && !node->child_count)
        clopt_tree_note_alone(builder, last, node);
    return node;
}

static struct clopt_node *build_declarator(struct clopt_tree_builder *builder, CXCursor cursor)
{
    struct clopt_node *node = clopt_tree_make_node(builder, cursor, CLOPT_NODE_DECLARATOR);
    if (!node)
        return NULL;
    node->variable = clopt_tree_add_variable(builder, cursor);
    if (!node->variable || !clopt_tree_build_children(builder, cursor, node))
        return NULL;
    node->variable->declarator = node;
    node->name_begin = node->variable->begin;
    /* Children before the initial value are sizes of arrays. */
    CXCursor initial = builder->parse->clang.Cursor_getVarDeclInitializer(cursor);
    if (node->child_count && initial.kind >= CXCursor_FirstExpr &&
        initial.kind <= CXCursor_LastExpr)
        node->condition = node->children[node->child_count - 1];
    return node;
}

/* ---- all nodes ---- */

static const struct {
    enum CXCursorKind cursor;
    enum clopt_node_kind node;
} kinds[] = {
    {CXCursor_CompoundStmt, CLOPT_NODE_COMPOUND},
    {CXCursor_DeclStmt, CLOPT_NODE_DECLARE},
    {CXCursor_IfStmt, CLOPT_NODE_IF},
    {CXCursor_ForStmt, CLOPT_NODE_FOR},
    {CXCursor_WhileStmt, CLOPT_NODE_WHILE},
    {CXCursor_DoStmt, CLOPT_NODE_DO},
    {CXCursor_SwitchStmt, CLOPT_NODE_SWITCH},
    {CXCursor_CaseStmt, CLOPT_NODE_CASE},
    {CXCursor_DefaultStmt, CLOPT_NODE_DEFAULT},
    {CXCursor_BreakStmt, CLOPT_NODE_BREAK},
    {CXCursor_ContinueStmt, CLOPT_NODE_CONTINUE},
    {CXCursor_ReturnStmt, CLOPT_NODE_RETURN},
    {CXCursor_GotoStmt, CLOPT_NODE_GOTO},
    {CXCursor_LabelStmt, CLOPT_NODE_LABEL},
    {CXCursor_NullStmt, CLOPT_NODE_EMPTY},
    {CXCursor_UnexposedStmt, CLOPT_NODE_ATTRIBUTED},
    {CXCursor_IntegerLiteral, CLOPT_NODE_LITERAL},
    {CXCursor_FloatingLiteral, CLOPT_NODE_LITERAL},
    {CXCursor_CharacterLiteral, CLOPT_NODE_LITERAL},
    {CXCursor_StringLiteral, CLOPT_NODE_LITERAL},
    {CXCursor_CXXBoolLiteralExpr, CLOPT_NODE_LITERAL},
    {CXCursor_ArraySubscriptExpr, CLOPT_NODE_SUBSCRIPT},
    {CXCursor_MemberRefExpr, CLOPT_NODE_MEMBER},
    {CXCursor_UnaryOperator, CLOPT_NODE_UNARY},
    {CXCursor_BinaryOperator, CLOPT_NODE_BINARY},
    {CXCursor_CompoundAssignOperator, CLOPT_NODE_ASSIGN},
    {CXCursor_ConditionalOperator, CLOPT_NODE_CONDITIONAL},
    {CXCursor_CStyleCastExpr, CLOPT_NODE_CAST},
    {CXCursor_ParenExpr, CLOPT_NODE_PAREN},
    {CXCursor_CompoundLiteralExpr, CLOPT_NODE_VECTOR},
    {CXCursor_InitListExpr, CLOPT_NODE_LIST},
    {CXCursor_UnaryExpr, CLOPT_NODE_SIZEOF},
    {CXCursor_StmtExpr, CLOPT_NODE_STATEMENTS},
};

static bool is_silent(enum CXCursorKind kind)
{
    return kind == CXCursor_TypeRef || kind == CXCursor_LabelRef || kind == CXCursor_MemberRef ||
           (kind >= CXCursor_FirstAttr && kind <= CXCursor_LastAttr);
}

struct clopt_node *clopt_tree_build_cursor(struct clopt_tree_builder *builder, CXCursor cursor)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i].cursor == cursor.kind)
            return kinds[i].node < CLOPT_NODE_LITERAL
                       ? build_statement(builder, cursor, kinds[i].node)
                       : clopt_tree_build_expression(builder, cursor, kinds[i].node);
    switch (cursor.kind) {
    case CXCursor_VarDecl:
        return build_declarator(builder, cursor);
    case CXCursor_DeclRefExpr:
        return clopt_tree_build_reference(builder, cursor);
    case CXCursor_CallExpr:
        return clopt_tree_build_call(builder, cursor);
    case CXCursor_UnexposedExpr:
        return clopt_tree_build_unexposed(builder, cursor);
    case CXCursor_StructDecl:
    case CXCursor_UnionDecl:
    case CXCursor_EnumDecl:
    case CXCursor_TypedefDecl:
        return clopt_tree_note_type(builder, cursor);
    default:
        return is_silent(cursor.kind)
                   ? NULL
                   : clopt_tree_refuse(builder, cursor, "construct that clopt does not know");
    }
}
