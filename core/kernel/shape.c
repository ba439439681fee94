/* SPDX-License-Identifier: BSD-3-Clause */
/* A fingerprint of what a text means. */
#include "kernel/shape.h"

#include <string.h>

struct walk {
    const struct clopt_parse *parse;
    uint64_t hash;
};

static void mix(struct walk *walk, uint64_t value)
{
    walk->hash = (walk->hash ^ value) * 0x100000001B3u;
    walk->hash ^= walk->hash >> 29;
}

/* What has no name is called by its place, "(unnamed union at k.cl:3:5)", which is left out. */
static void mix_string(struct walk *walk, CXString string)
{
    const char *text = walk->parse->clang.getCString(string);
    while (text && *text) {
        if (strncmp(text, " at ", 4) == 0)
            text += strcspn(text, ")");
        else
            mix(walk, (unsigned char)*text++);
    }
    walk->parse->clang.disposeString(string);
}

static enum CXChildVisitResult visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct walk *walk = data;
    (void)parent;
    mix(walk, cursor.kind);
    CXType type = walk->parse->clang.getCursorType(cursor);
    mix(walk, type.kind);
    if (cursor.kind == CXCursor_VarDecl || cursor.kind == CXCursor_ParmDecl ||
        cursor.kind == CXCursor_FunctionDecl || cursor.kind == CXCursor_FieldDecl)
        mix_string(walk, walk->parse->clang.getTypeSpelling(type));
    if (cursor.kind == CXCursor_DeclRefExpr || cursor.kind == CXCursor_MemberRefExpr)
        mix_string(walk, walk->parse->clang.getCursorSpelling(cursor));
    return CXChildVisit_Recurse;
}

static enum CXChildVisitResult visit_top(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct walk *walk = data;
    if (cursor.kind >= CXCursor_FirstPreprocessing && cursor.kind <= CXCursor_LastPreprocessing)
        return CXChildVisit_Continue;
    CXFile file = NULL;
    char name[256] = "";
    walk->parse->clang.getFileLocation(walk->parse->clang.getCursorLocation(cursor), &file, NULL,
                                       NULL, NULL);
    if (file)
        clopt_parse_string(walk->parse, walk->parse->clang.getFileName(file), name, sizeof name);
    if (!file || strncmp(name, clopt_clang_headers, strlen(clopt_clang_headers)) == 0)
        return CXChildVisit_Continue;
    visit(cursor, parent, data);
    walk->parse->clang.visitChildren(cursor, visit, data);
    return CXChildVisit_Continue;
}

uint64_t clopt_shape(const struct clopt_parse *parse)
{
    struct walk walk = {parse, 0xCBF29CE484222325u};
    parse->clang.visitChildren(parse->clang.getTranslationUnitCursor(parse->unit), visit_top,
                               &walk);
    return walk.hash;
}
