/* SPDX-License-Identifier: BSD-3-Clause */
/* Says what libclang finds wrong with a program, and what its user can do. */
#include "frontend/diagnosis.h"

#include <ctype.h>

#include "file/file.h"
#include "frontend/names.h"
#include "text/suggest.h"
#include "text/token.h"

/* The first error, and what all of them are about. */
struct diagnosis {
    char message[512];
    char file[256];           /* "": an option's */
    unsigned line;            /* 0: the same */
    struct clopt_text macros; /* " -D NAME=VALUE" of each */
    bool cuda;
};

size_t clopt_diagnosis_name(const char *message, const char *words, const char **name)
{
    const char *at = strstr(message, words);
    if (!at || at[strlen(words)] != '\'')
        return 0;
    *name = at + strlen(words) + 1;
    return strcspn(*name, "'");
}

bool clopt_looks_like_macro(const char *name, size_t length)
{
    bool letter = false;
    for (size_t i = 0; i < length; i++) {
        if (islower((unsigned char)name[i]))
            return false;
        letter |= isupper((unsigned char)name[i]) != 0;
    }
    return letter;
}

size_t clopt_diagnosis_macro(const char *message, const char **name, bool *is_type)
{
    size_t length = clopt_diagnosis_name(message, "undeclared identifier ", name);
    *is_type = !length;
    if (!length)
        length = clopt_diagnosis_name(message, "unknown type name ", name);
    return length <= LONGEST_MACRO && clopt_looks_like_macro(*name, length) ? length : 0;
}

/* ---- what errors are about ---- */

static void note_macro(struct diagnosis *found, const char *message)
{
    bool is_type;
    char option[LONGEST_MACRO + 16];
    const char *name = NULL;
    size_t length = clopt_diagnosis_macro(message, &name, &is_type);
    if (!length)
        return;
    snprintf(option, sizeof option, " -D %.*s=VALUE", (int)length, name);
    if (!strstr(clopt_text_string(&found->macros), option))
        clopt_text_append(&found->macros, option);
}

/* What CUDA has and OpenCL C has not. */
static bool is_cuda(const char *message)
{
    static const char *const names[] = {"'__global__'",   "'__device__'", "'__shared__'",
                                        "'__host__'",     "'threadIdx'",  "'blockIdx'",
                                        "'blockDim'",     "'gridDim'",    "'__syncthreads'",
                                        "'__constant__'", "'dim3'",       "'cuda_runtime.h'"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strstr(message, names[i]))
            return true;
    return false;
}

static void note(struct diagnosis *found, const struct clopt_parse *parse, CXDiagnostic diagnostic)
{
    const struct clopt_clang *clang = &parse->clang;
    char message[sizeof found->message] = "";
    CXFile file = NULL;
    unsigned line = 0;
    clopt_parse_string(parse, clang->getDiagnosticSpelling(diagnostic), message, sizeof message);
    clang->getFileLocation(clang->getDiagnosticLocation(diagnostic), &file, &line, NULL, NULL);
    if (!*found->message) {
        memcpy(found->message, message, sizeof message);
        found->line = line;
        if (file)
            clopt_parse_string(parse, clang->getFileName(file), found->file, sizeof found->file);
    }
    note_macro(found, message);
    found->cuda |= is_cuda(message);
}

/* ---- ways out ---- */

/* Finds the function of OpenCL C that is nearest to a name; false where none is near. */
static bool find_function(const char *wrong, char *right, size_t size)
{
    CLOPT_FREED char *path = clopt_text_format("%s/opencl-c.h", clopt_clang_headers());
    CLOPT_FREED char *text = NULL;
    CLOPT_OWNED(clopt_names) names = {0};
    struct clopt_arena arena = {0};
    const char **list = NULL;
    size_t count = 0;
    struct clopt_error error;
    if (clopt_text_read(path, &text, &error))
        return false;
    struct clopt_token before = {0};
    for (const char *at = text;;) {
        struct clopt_token token = clopt_token_next(&at);
        if (token.kind == CLOPT_TOKEN_END)
            break;
        bool function = clopt_token_is(&token, "(") && before.kind == CLOPT_TOKEN_NAME &&
                        *before.text != '_' && !clopt_looks_like_macro(before.text, before.length);
        if (function && !clopt_names_has(&names, before.text, before.length)) {
            const char **name = clopt_array_add(&list, &count, sizeof *name);
            *name = clopt_arena_copy(&arena, before.text, before.length);
            clopt_names_add(&names, *name);
        }
        before = token;
    }
    const char *near = clopt_suggest(wrong, list, count);
    snprintf(right, size, "%s", near ? near : "");
    clopt_arena_fini(&arena);
    free(list);
    return *right;
}

/* Appends what a user can do. */
static void append_way_out(const struct diagnosis *found, struct clopt_text *text)
{
    const char *name = NULL;
    char wrong[LONGEST_MACRO + 1], right[LONGEST_MACRO + 1];
    size_t length =
        clopt_diagnosis_name(found->message, "implicit declaration of function ", &name);
    if (!length)
        length = clopt_diagnosis_name(found->message, "undeclared identifier ", &name);
    snprintf(wrong, sizeof wrong, "%.*s", (int)length, name ? name : "");
    if (found->cuda)
        clopt_text_append(text, ": this is CUDA, and clopt reads OpenCL C: __global__ is kernel, "
                                "threadIdx.x is get_local_id(0), blockIdx.x is get_group_id(0)");
    else if (strstr(found->message, "' file not found"))
        clopt_text_append(text, "; say where it is with -I FOLDER, or include = FOLDER in a study");
    else if (*wrong && !clopt_looks_like_macro(wrong, length) &&
             find_function(wrong, right, sizeof right) && strcmp(right, wrong) != 0)
        clopt_text_printf(text, "; did you mean %s?", right);
    if (found->macros.length && !found->cuda)
        clopt_text_printf(text, CLOPT_MACRO_HINT "%s", clopt_text_string(&found->macros));
}

enum clopt_status clopt_diagnosis_report(const struct clopt_parse *parse, const char *file,
                                         const struct clopt_lines *lines, struct clopt_error *error)
{
    struct diagnosis found = {.line = 0};
    CLOPT_OWNED(clopt_text) text = {0};
    for (unsigned i = 0, count = parse->clang.getNumDiagnostics(parse->unit); i < count; i++) {
        CXDiagnostic diagnostic = parse->clang.getDiagnostic(parse->unit, i);
        if (parse->clang.getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error)
            note(&found, parse, diagnostic);
        parse->clang.disposeDiagnostic(diagnostic);
    }
    if (!*found.message)
        return CLOPT_OK;
    struct clopt_position from = {NULL, 0};
    if (lines && found.line > 0)
        from = clopt_lines_find(lines, found.line);
    if (from.file)
        clopt_text_printf(&text, "%s:%u: %s", from.file, from.line, found.message);
    else if (!found.line || !*found.file) /* an option */
        clopt_text_printf(&text, "%s: %s", file, found.message);
    else
        clopt_text_printf(&text, "%s:%u: %s", found.file, found.line, found.message);
    append_way_out(&found, &text);
    clopt_text_fini(&found.macros);
    return clopt_fail(error, CLOPT_INVALID, "%s", clopt_text_string(&text));
}
