/* SPDX-License-Identifier: BSD-3-Clause */
/* Puts the statements of statement expressions in front of the statement that they are part of. */
#include "kernel/statement_expression.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/token.h"

/* A cursor on the way down to another one. */
struct frame {
    CXCursor cursor;
    struct frame *outer;
    unsigned index;    /* among the children of outer */
    unsigned children; /* so far */
    bool holds;        /* a statement expression */
};

/* What is put at an offset in place of so many bytes. */
struct edit {
    size_t offset;
    size_t length;
    char *text;
};

struct hoisting {
    const struct clopt_parse *parse;
    const char *text;
    clopt_unique_name unique;
    void *user;
    struct edit *edits;
    size_t count;
    unsigned named; /* values */
    bool failed;
    struct frame *frame; /* whose children are visited */
};

static void add_edit(struct hoisting *hoisting, size_t offset, size_t length, char *text)
{
    struct edit *more = realloc(hoisting->edits, (hoisting->count + 1) * sizeof *hoisting->edits);
    if (more)
        hoisting->edits = more;
    if (!more || !text) {
        hoisting->failed = true;
        free(text);
        return;
    }
    more[hoisting->count++] = (struct edit){offset, length, text};
}

/* ---- where it is ---- */

static bool extent(const struct hoisting *hoisting, const struct frame *frame, unsigned *begin,
                   unsigned *end)
{
    return clopt_parse_extent(hoisting->parse, frame->cursor, begin, end);
}

/* The offset of the parenthesis that ends a for's head. */
static size_t head_end(const char *text, size_t begin)
{
    const char *at = text + begin;
    unsigned depth = 0;
    for (struct clopt_token token = clopt_token_next(&at); token.kind != CLOPT_TOKEN_END;
         token = clopt_token_next(&at)) {
        depth += clopt_token_is(&token, "(");
        if (clopt_token_is(&token, ")") && --depth == 0)
            return (size_t)(token.text - text);
    }
    return SIZE_MAX;
}

/* Whether the right operand of an operator is always evaluated, and the left one at any time. */
static bool is_unordered(const struct hoisting *hoisting, const struct frame *operand)
{
    unsigned begin = 0, end = 0;
    if (operand->index == 0)
        return true;
    if (!extent(hoisting, operand, &begin, &end))
        return false;
    const char *at = hoisting->text + begin;
    while (at > hoisting->text && strchr(" \t\r\n(", at[-1]))
        at--;
    bool twice = at - 2 >= hoisting->text && at[-1] == at[-2];
    return at > hoisting->text && at[-1] != ',' && !(twice && (at[-1] == '&' || at[-1] == '|'));
}

/* Whether a child of a cursor is a statement of its own without braces around it. */
static bool is_body(const struct hoisting *hoisting, const struct frame *child)
{
    const struct frame *holder = child->outer;
    unsigned begin = 0, end = 0, own = 0;
    switch (holder->cursor.kind) {
    case CXCursor_IfStmt:
    case CXCursor_WhileStmt:
        return child->index > 0;
    case CXCursor_DoStmt:
        return child->index == 0;
    case CXCursor_ForStmt:
        return extent(hoisting, holder, &begin, &end) && extent(hoisting, child, &own, &end) &&
               own > head_end(hoisting->text, begin);
    default:
        return false;
    }
}

/* Whether what is evaluated in a child of a cursor may as well be evaluated before the cursor. */
static bool is_first(const struct hoisting *hoisting, const struct frame *child)
{
    switch (child->outer->cursor.kind) {
    case CXCursor_ConditionalOperator:
    case CXCursor_IfStmt:
    case CXCursor_SwitchStmt:
    case CXCursor_DeclStmt:
        return child->index == 0;
    case CXCursor_BinaryOperator:
        return is_unordered(hoisting, child);
    case CXCursor_VarDecl:
    case CXCursor_ReturnStmt:
    case CXCursor_CallExpr:
    case CXCursor_ParenExpr:
    case CXCursor_UnexposedExpr:
    case CXCursor_UnaryOperator:
    case CXCursor_CStyleCastExpr:
    case CXCursor_ArraySubscriptExpr:
    case CXCursor_MemberRefExpr:
    case CXCursor_CompoundAssignOperator:
    case CXCursor_InitListExpr:
    case CXCursor_CompoundLiteralExpr:
        return true;
    default:
        return false;
    }
}

/* Finds the statement that a frame is part of; NULL where its statements have to stay. */
static const struct frame *find_statement(const struct hoisting *hoisting,
                                          const struct frame *frame, bool *braces)
{
    for (; frame->outer; frame = frame->outer) {
        *braces = is_body(hoisting, frame);
        if (*braces || frame->outer->cursor.kind == CXCursor_CompoundStmt)
            return frame;
        if (!is_first(hoisting, frame))
            return NULL;
    }
    return NULL;
}

/* ---- what it is made of ---- */

struct last {
    CXCursor cursor;
    bool any;
};

static enum CXChildVisitResult note_last(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct last *last = data;
    (void)parent;
    *last = (struct last){cursor, true};
    return CXChildVisit_Continue;
}

/* Finds the expression that is the value, the last statement between the braces; false where there
 * is none. */
static bool find_value(const struct hoisting *hoisting, CXCursor cursor, unsigned *begin)
{
    struct last body = {0}, value = {0};
    unsigned end = 0;
    hoisting->parse->clang.visitChildren(cursor, note_last, &body);
    if (body.any)
        hoisting->parse->clang.visitChildren(body.cursor, note_last, &value);
    return value.any && value.cursor.kind >= CXCursor_FirstExpr &&
           value.cursor.kind <= CXCursor_LastExpr &&
           clopt_parse_extent(hoisting->parse, value.cursor, begin, &end);
}

/* Spells a type as one that a variable can be declared with; false for others. */
static bool spell(const struct hoisting *hoisting, CXType type, char *text, size_t size)
{
    const struct clopt_clang *clang = &hoisting->parse->clang;
    clopt_parse_string(hoisting->parse, clang->getTypeSpelling(type), text, size);
    if (strncmp(text, "const ", 6) == 0 && !strchr(text, '*'))
        memmove(text, text + 6, strlen(text + 6) + 1);
    char *space = strstr(text, "__private");
    if (space)
        memset(space, ' ', strlen("__private"));
    return type.kind != CXType_Void && !strpbrk(text, "([") && !strstr(text, "unnamed");
}

static bool spell_type(const struct hoisting *hoisting, CXCursor cursor, char *text, size_t size)
{
    const struct clopt_clang *clang = &hoisting->parse->clang;
    CXType type = clang->getCursorType(cursor);
    return spell(hoisting, type, text, size) ||
           spell(hoisting, clang->getCanonicalType(type), text, size);
}

/* ---- the edits ---- */

/* Makes a block of ({ ... }); where that is a statement. */
static void open_statement(struct hoisting *hoisting, unsigned begin, unsigned end)
{
    const char *text = hoisting->text;
    const char *after = clopt_token_skip_space(text + end);
    add_edit(hoisting, begin, 1, strdup(""));
    add_edit(hoisting, end - 1, 1, strdup(""));
    if (*after == ';')
        add_edit(hoisting, (size_t)(after - text), 1, strdup(""));
}

/* Puts braces around a statement, once. */
static void enclose(struct hoisting *hoisting, unsigned begin, unsigned end)
{
    const char *text = hoisting->text;
    const char *after = clopt_token_skip_space(text + end);
    if (text[end - 1] != ';' && text[end - 1] != '}' && *after == ';')
        end = (unsigned)(after - text) + 1;
    for (size_t i = 0; i < hoisting->count; i++)
        if (hoisting->edits[i].offset == end && strcmp(hoisting->edits[i].text, " }") == 0)
            return;
    add_edit(hoisting, begin, 0, strdup("{ "));
    add_edit(hoisting, end, 0, strdup(" }"));
}

static void hoist(struct hoisting *hoisting, const struct frame *frame)
{
    bool braces = false;
    unsigned begin = 0, end = 0, value = 0, first = 0, last = 0;
    char type[256];
    const struct frame *statement = find_statement(hoisting, frame, &braces);
    if (!statement || !extent(hoisting, frame, &begin, &end) ||
        !extent(hoisting, statement, &first, &last) || hoisting->text[begin] != '(')
        return;
    if (statement == frame) {
        open_statement(hoisting, begin, end);
        return;
    }
    if (!find_value(hoisting, frame->cursor, &value) ||
        !spell_type(hoisting, frame->cursor, type, sizeof type))
        return;
    const char *name = hoisting->unique(hoisting->user, ++hoisting->named);
    struct clopt_text before = {0};
    const char *inside = strchr(hoisting->text + begin, '{');
    clopt_text_printf(&before, "%s %s; %.*s%s = %.*s ", type, name ? name : "",
                      (int)(hoisting->text + value - inside), inside, name ? name : "",
                      (int)(end - 1 - value), hoisting->text + value);
    hoisting->failed |= !name;
    if (braces)
        enclose(hoisting, first, last);
    add_edit(hoisting, first, 0, clopt_text_take(&before));
    add_edit(hoisting, begin, end - begin, strdup(name ? name : ""));
}

static enum CXChildVisitResult visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct hoisting *hoisting = data;
    struct frame *outer = hoisting->frame;
    struct frame frame = {cursor, outer, outer->children++, 0, false};
    (void)parent;
    hoisting->frame = &frame;
    hoisting->parse->clang.visitChildren(cursor, visit, hoisting);
    hoisting->frame = outer;
    if (cursor.kind == CXCursor_StmtExpr && !frame.holds)
        hoist(hoisting, &frame);
    outer->holds |= frame.holds || cursor.kind == CXCursor_StmtExpr;
    return hoisting->failed ? CXChildVisit_Break : CXChildVisit_Continue;
}

static enum CXChildVisitResult visit_top(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct hoisting *hoisting = data;
    unsigned begin = 0, end = 0;
    if (cursor.kind == CXCursor_FunctionDecl &&
        clopt_parse_extent(hoisting->parse, cursor, &begin, &end))
        visit(cursor, parent, data);
    return hoisting->failed ? CXChildVisit_Break : CXChildVisit_Continue;
}

/* Applies the edits in the order of the text; those at one offset in the order they were made. */
static void apply(const struct hoisting *hoisting, struct clopt_text *out)
{
    size_t at = 0;
    bool *done = calloc(hoisting->count + 1, sizeof *done);
    out->failed |= !done;
    for (size_t n = 0; done && n < hoisting->count; n++) {
        size_t next = hoisting->count;
        for (size_t i = 0; i < hoisting->count; i++)
            if (!done[i] && (next == hoisting->count ||
                             hoisting->edits[i].offset < hoisting->edits[next].offset))
                next = i;
        const struct edit *edit = &hoisting->edits[next];
        done[next] = true;
        if (edit->offset < at)
            continue; /* inside of what went away */
        clopt_text_append_bytes(out, hoisting->text + at, edit->offset - at);
        clopt_text_append(out, edit->text);
        at = edit->offset + edit->length;
    }
    clopt_text_append(out, hoisting->text + at);
    free(done);
}

bool clopt_statement_expressions_hoist(const struct clopt_parse *parse, const char *text,
                                       clopt_unique_name unique, void *user, char **hoisted)
{
    struct frame top = {0};
    struct hoisting hoisting = {
        .parse = parse, .text = text, .unique = unique, .user = user, .frame = &top};
    struct clopt_text out = {0};
    *hoisted = NULL;
    parse->clang.visitChildren(parse->clang.getTranslationUnitCursor(parse->unit), visit_top,
                               &hoisting);
    if (hoisting.count && !hoisting.failed) {
        apply(&hoisting, &out);
        *hoisted = clopt_text_take(&out);
        hoisting.failed |= !*hoisted;
    }
    for (size_t i = 0; i < hoisting.count; i++)
        free(hoisting.edits[i].text);
    free(hoisting.edits);
    return !hoisting.failed;
}
