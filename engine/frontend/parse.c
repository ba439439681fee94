/* SPDX-License-Identifier: BSD-3-Clause */
/* Has libclang parse OpenCL C. */
#include "frontend/parse.h"

#include <clopt/memory.h>

#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "frontend/diagnosis.h"
#include "frontend/dialect.h"

#define MOST_ERRORS "100"

void clopt_parse_string(const struct clopt_parse *parse, CXString string, char *text, size_t size)
{
    const char *characters = parse->clang.getCString(string);
    size_t length = characters ? strlen(characters) : 0;
    if (length >= size)
        length = size - 1;
    if (length)
        memcpy(text, characters, length);
    text[length] = '\0';
    parse->clang.disposeString(string);
}

bool clopt_parse_extent(const struct clopt_parse *parse, CXCursor cursor, unsigned *begin,
                        unsigned *end)
{
    CXSourceRange range = parse->clang.getCursorExtent(cursor);
    CXFile first = NULL;
    CXFile last = NULL;
    parse->clang.getFileLocation(parse->clang.getRangeStart(range), &first, NULL, NULL, begin);
    parse->clang.getFileLocation(parse->clang.getRangeEnd(range), &last, NULL, NULL, end);
    return first && first == parse->file && last == parse->file && *begin <= *end;
}

unsigned clopt_parse_offset(const struct clopt_parse *parse, CXCursor cursor)
{
    unsigned offset = 0;
    parse->clang.getFileLocation(parse->clang.getCursorLocation(cursor), NULL, NULL, NULL, &offset);
    return offset;
}

/* Options that say what a program means. Others, such as -cl-nv-verbose, only concern a device's
 * own compiler. */
static bool bears_on_parsing(const char *word, bool defines)
{
    static const char *const known[] = {
        "-I",
        "-cl-std=",
        "-cl-single-precision-constant",
        "-cl-denorms-are-zero",
        "-cl-fast-relaxed-math",
        "-cl-finite-math-only",
        "-cl-unsafe-math-optimizations",
        "-cl-mad-enable",
        "-cl-no-signed-zeros",
    };
    if (defines && (clopt_option_value(word, "-D") || clopt_option_value(word, "-U")))
        return true;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (clopt_option_value(word, known[i]))
            return true;
    return false;
}

static const char **make_arguments(const struct clopt_build_options *options, bool defines,
                                   const char *included, int *count)
{
    const char *const fixed[] = {
        "-x",       "cl",
        "-target",  "spir64-unknown-unknown",
        "-Xclang",  "-finclude-default-header",
        "-Xclang",  "-fdeclare-opencl-builtins",
        "-I",       clopt_clang_headers(),
        "-w",       "-ferror-limit=" MOST_ERRORS,
        "-include", included,
    };
    size_t fixed_count = sizeof fixed / sizeof *fixed;
    const char **arguments = clopt_calloc(fixed_count + options->count + 1, sizeof *arguments);
    memcpy(arguments, fixed, sizeof fixed);
    *count = (int)fixed_count;
    bool standard = false;
    for (size_t i = 0; i < options->count; i++)
        if (bears_on_parsing(options->words[i], defines)) {
            arguments[(*count)++] = options->words[i];
            standard |= clopt_option_value(options->words[i], "-cl-std=") != NULL;
        }
    if (!standard)
        arguments[(*count)++] = "-cl-std=CL1.2";
    return arguments;
}

/* Reports that there is no tree at all, which is so for options that clang does not take. */
static enum clopt_status fail_unparsed(const char *file, const struct clopt_build_options *options,
                                       enum CXErrorCode code, struct clopt_error *error)
{
    for (size_t i = 0; i < options->count && code == CXError_ASTReadError; i++)
        if (clopt_option_value(options->words[i], "-cl-std="))
            return clopt_fail(
                error, CLOPT_INVALID,
                "%s: libclang cannot parse it with %s: is that a version of OpenCL C, "
                "such as -cl-std=CL2.0?",
                file, options->words[i]);
    return clopt_fail(error, CLOPT_FAILED, "%s: libclang cannot parse it (error %d)", file,
                      (int)code);
}

enum clopt_status clopt_parse_init(struct clopt_parse *parse, const char *file, const char *text,
                                   const struct clopt_build_options *options, bool defines,
                                   const struct clopt_lines *lines, struct clopt_error *error)
{
    *parse = (struct clopt_parse){0};
    CLOPT_TRY(clopt_clang_open(&parse->clang, error));
    int count = 0;
    /* In the folder of clang's own headers: that it is one of them. */
    CLOPT_FREED char *before = clopt_text_format("%s/clopt-dialect.h", clopt_clang_headers());
    CLOPT_FREED const char **arguments = make_arguments(options, defines, before, &count);
    CLOPT_OWNED(clopt_text) dialect = {0};
    clopt_dialect_print(text, options, &dialect);
    struct CXUnsavedFile unsaved[] = {{file, text, strlen(text)},
                                      {before, clopt_text_string(&dialect), dialect.length}};
    unsigned flags = defines ? CXTranslationUnit_DetailedPreprocessingRecord : 0;
    enum CXErrorCode code =
        clopt_unit_open(&parse->clang, file, arguments, count, unsaved, flags, &parse->opened);
    if (code != CXError_Success)
        return fail_unparsed(file, options, code, error);
    parse->unit = parse->opened->unit;
    enum clopt_status status = clopt_diagnosis_report(parse, file, lines, error);
    parse->file = parse->clang.getFile(parse->unit, file);
    if (!status && !parse->file)
        return clopt_fail(error, CLOPT_FAILED, "%s: libclang lost the file", file);
    if (!parse->file || !lines || !lines->references.count)
        return status;
    clopt_references_read(parse, &parse->references);
    struct clopt_error own = {0}; /* names that mean something else may be why it is no C */
    enum clopt_status same = clopt_references_check(&parse->references, file, text, lines, &own);
    if (status && same != CLOPT_INFEASIBLE)
        return status;
    return same ? clopt_fail(error, same, "%s", own.message) : CLOPT_OK;
}

void clopt_parse_fini(struct clopt_parse *parse)
{
    clopt_unit_close(&parse->clang, parse->opened);
    clopt_clang_close(&parse->clang);
    clopt_references_fini(&parse->references);
    *parse = (struct clopt_parse){0};
}

/* ---- fingerprints ---- */

struct walk {
    const struct clopt_parse *parse;
    uint64_t hash;
};

static void mix(struct walk *walk, uint64_t value)
{
    walk->hash = (walk->hash ^ value) * 0x100000001B3u;
    walk->hash ^= walk->hash >> 29;
}

/* What has no name is called by its position, "(unnamed union at k.cl:3:5)", which is left out. */
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
    if (!file || strncmp(name, clopt_clang_headers(), strlen(clopt_clang_headers())) == 0)
        return CXChildVisit_Continue;
    visit(cursor, parent, data);
    walk->parse->clang.visitChildren(cursor, visit, data);
    return CXChildVisit_Continue;
}

uint64_t clopt_parse_hash(const struct clopt_parse *parse)
{
    struct walk walk = {parse, 0xCBF29CE484222325u};
    parse->clang.visitChildren(parse->clang.getTranslationUnitCursor(parse->unit), visit_top,
                               &walk);
    return walk.hash;
}

/* ---- rewritten programs ---- */

enum clopt_status clopt_parse_blame(const char *file, struct clopt_error *error)
{
    struct clopt_error found = *error;
    return clopt_fail(error, CLOPT_FAILED,
                      "%s: internal failure: the rewritten kernel does not parse (%s); this is a "
                      "defect of clopt or of a plugin: please report it, with the kernel and the "
                      "variant",
                      file, found.message);
}
