/* SPDX-License-Identifier: BSD-3-Clause */
/* What the names of a text mean. */
#include "frontend/reference.h"

#include <clopt/memory.h>

#include "frontend/parse.h"
#include "text/token.h"

void clopt_references_fini(struct clopt_references *references)
{
    free(references->items);
    *references = (struct clopt_references){0};
}

void clopt_references_add(struct clopt_references *references, size_t offset, size_t declared)
{
    struct clopt_reference *reference =
        clopt_array_add(&references->items, &references->count, sizeof *reference);
    *reference = (struct clopt_reference){offset, declared};
}

size_t clopt_references_from(const struct clopt_references *references, size_t offset)
{
    size_t first = 0;
    for (size_t end = references->count; first < end;) {
        size_t middle = first + (end - first) / 2;
        if (references->items[middle].offset < offset)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

const struct clopt_reference *clopt_references_find(const struct clopt_references *references,
                                                    size_t offset)
{
    size_t at = clopt_references_from(references, offset);
    return at < references->count && references->items[at].offset == offset ? &references->items[at]
                                                                            : NULL;
}

/* ---- reading ---- */

struct walk {
    const struct clopt_parse *parse;
    struct clopt_references *references;
    struct clopt_references *declarations;
};

/* Tells where in the file a cursor's name is; false: elsewhere. */
static bool find_offset(const struct clopt_parse *parse, CXCursor cursor, size_t *offset)
{
    CXFile file = NULL;
    unsigned found = 0;
    parse->clang.getFileLocation(parse->clang.getCursorLocation(cursor), &file, NULL, NULL, &found);
    *offset = file == parse->file ? found : CLOPT_DECLARED_ELSEWHERE;
    return file && file == parse->file;
}

static enum CXChildVisitResult visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
    const struct walk *walk = data;
    const struct clopt_clang *clang = &walk->parse->clang;
    size_t offset, declared;
    (void)parent;
    bool uses = cursor.kind == CXCursor_DeclRefExpr;
    bool declares = cursor.kind == CXCursor_VarDecl || cursor.kind == CXCursor_ParmDecl ||
                    cursor.kind == CXCursor_FunctionDecl ||
                    cursor.kind == CXCursor_EnumConstantDecl;
    if ((!uses && !declares) || !find_offset(walk->parse, cursor, &offset))
        return CXChildVisit_Recurse;
    CXCursor meant = uses ? clang->getCursorReferenced(cursor) : cursor;
    find_offset(walk->parse, clang->getCanonicalCursor(meant), &declared);
    clopt_references_add(walk->references, offset, declared);
    if (declares)
        clopt_references_add(walk->declarations, offset, declared);
    return CXChildVisit_Recurse;
}

/* What headers declare has no names in the text. */
static enum CXChildVisitResult visit_top(CXCursor cursor, CXCursor parent, CXClientData data)
{
    const struct walk *walk = data;
    size_t offset;
    (void)parent;
    if (!find_offset(walk->parse, cursor, &offset))
        return CXChildVisit_Continue;
    visit(cursor, parent, data);
    walk->parse->clang.visitChildren(cursor, visit, data);
    return CXChildVisit_Continue;
}

static int compare(const void *a, const void *b)
{
    const struct clopt_reference *left = a, *right = b;
    return (left->offset > right->offset) - (left->offset < right->offset);
}

/* libclang shows some parts of a text twice, such as initial values in braces. */
static void sort(struct clopt_references *references)
{
    size_t kept = 0;
    if (references->count)
        qsort(references->items, references->count, sizeof *references->items, compare);
    for (size_t i = 0; i < references->count; i++)
        if (!i || references->items[i].offset != references->items[kept - 1].offset)
            references->items[kept++] = references->items[i];
    references->count = kept;
}

/* A function of OpenCL is declared, for clang, where it is first used. */
void clopt_references_read(const struct clopt_parse *parse, struct clopt_references *references)
{
    CLOPT_OWNED(clopt_references) declarations = {0};
    struct walk walk = {parse, references, &declarations};
    parse->clang.visitChildren(parse->clang.getTranslationUnitCursor(parse->unit), visit_top,
                               &walk);
    sort(references);
    sort(&declarations);
    for (size_t i = 0; i < references->count; i++)
        if (!clopt_references_find(&declarations, references->items[i].declared))
            references->items[i].declared = CLOPT_DECLARED_ELSEWHERE;
}

/* ---- the check ---- */

static unsigned line_at(const char *text, size_t offset)
{
    unsigned line = 1;
    for (size_t i = 0; i < offset; i++)
        line += text[i] == '\n';
    return line;
}

/* Whether a name that was printed means what it meant where it was read. */
static bool is_same(const struct clopt_references *printed, const struct clopt_reference *name,
                    const struct clopt_reference *now)
{
    if (!now || now->declared == CLOPT_DECLARED_ELSEWHERE)
        return now && name->declared == CLOPT_DECLARED_ELSEWHERE;
    const struct clopt_reference *declaration = clopt_references_find(printed, now->declared);
    return declaration && declaration->declared == name->declared;
}

static enum clopt_status refuse(const char *file, const char *text,
                                const struct clopt_reference *name, bool known,
                                const struct clopt_lines *lines, struct clopt_error *error)
{
    const char *at = text + name->offset;
    struct clopt_position position = clopt_lines_find(lines, line_at(text, name->offset));
    struct clopt_token token = clopt_token_next(&at);
    if (known && name->declared == CLOPT_DECLARED_ELSEWHERE)
        return clopt_fail(error, CLOPT_INFEASIBLE,
                          "%s:%u: OpenCL's own %.*s is needed here, and the program declares "
                          "another one",
                          position.file ? position.file : file, position.line, (int)token.length,
                          token.text);
    return clopt_fail(error, CLOPT_FAILED,
                      "%s: internal failure: %.*s means something else in the rewritten kernel "
                      "(%s:%u); this is a defect of clopt or of a plugin: please report it, with "
                      "the kernel and the variant",
                      file, (int)token.length, token.text, position.file ? position.file : file,
                      position.line);
}

enum clopt_status clopt_references_check(const struct clopt_references *read, const char *file,
                                         const char *text, const struct clopt_lines *lines,
                                         struct clopt_error *error)
{
    const struct clopt_references *printed = &lines->references;
    for (size_t i = 0; i < printed->count; i++) {
        const struct clopt_reference *name = &printed->items[i];
        const struct clopt_reference *now = clopt_references_find(read, name->offset);
        if (!is_same(printed, name, now))
            return refuse(file, text, name, now, lines, error);
    }
    return CLOPT_OK;
}
