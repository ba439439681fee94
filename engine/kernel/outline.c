/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells what a file holds: its kernels, and the macros that its user is to set. */
#include "kernel/outline.h"

#include <ctype.h>

#include "frontend/diagnosis.h"
#include "frontend/dialect.h"
#include "kernel/outline_parts.h"
#include "text/macro_default.h"

#define WINDOW 7 /* tokens around a macro: NAME * get_group_id ( 0 ) + */

/* The dimension that a name ends with: BLOCK_X, TILE1; -1: none. */
static int dimension_of(const char *name)
{
    size_t length = strlen(name);
    char last = length > 1 ? name[length - 1] : 0;
    if (last >= 'X' && last <= 'Z')
        return last - 'X';
    return last >= '0' && last <= '2' ? last - '0' : -1;
}

static bool sounds_like_group(const char *name)
{
    static const char *const words[] = {"WG",   "WORKGROUP", "WORK_GROUP", "BLOCK",
                                        "TILE", "LOCAL",     "GROUP",      "THREADS"};
    if (strstr(name, "PER") || strstr(name, "UNROLL") || strstr(name, "NUM"))
        return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(name, words[i]))
            return true;
    return false;
}

enum clopt_status clopt_outline_add_macro(struct made_outline *made, const char *name,
                                          size_t length, const char *value, size_t value_length,
                                          struct clopt_error *error)
{
    struct clopt_outline *outline = &made->outline;
    if (outline->macro_count == MOST_MACROS)
        return clopt_fail(error, CLOPT_INVALID, "more than %d macros without a definition",
                          MOST_MACROS);
    struct clopt_outline_macro *macro = &made->macros[outline->macro_count];
    macro->name = clopt_arena_copy(&made->arena, name, length);
    macro->value = clopt_arena_copy(&made->arena, value, value_length);
    macro->sizes_groups = sounds_like_group(macro->name);
    macro->dimension = dimension_of(macro->name);
    outline->macro_count++;
    return CLOPT_OK;
}

bool clopt_outline_has_macro(const struct made_outline *made, const char *name, size_t length)
{
    for (size_t i = 0; i < made->outline.macro_count; i++)
        if (strlen(made->macros[i].name) == length &&
            memcmp(made->macros[i].name, name, length) == 0)
            return true;
    return false;
}

/* ---- definitions that may be overridden ---- */

/* Whether the options define or undefine a macro. */
static bool is_set(const struct clopt_build_options *options, const char *name, size_t length)
{
    for (size_t i = 0; i < options->count; i++) {
        const char *value = clopt_option_value(options->words[i], "-D");
        if (!value)
            value = clopt_option_value(options->words[i], "-U");
        if (value && strncmp(value, name, length) == 0 && !clopt_is_name_char(value[length]))
            return true;
    }
    return false;
}

static bool is_integer(const struct clopt_token *token)
{
    for (size_t i = 0; i < token->length; i++)
        if (!isdigit((unsigned char)token->text[i]))
            return false;
    return true;
}

static enum clopt_status find_defaults(struct made_outline *made, const char *text,
                                       const struct clopt_build_options *options,
                                       struct clopt_error *error)
{
    struct clopt_token name, value;
    while (clopt_macro_default_next(&text, &name, &value)) {
        if (!is_integer(&value) || is_set(options, name.text, name.length) ||
            clopt_outline_has_macro(made, name.text, name.length))
            continue;
        CLOPT_TRY(
            clopt_outline_add_macro(made, name.text, name.length, value.text, value.length, error));
        made->macros[made->outline.macro_count - 1].has_default = true;
    }
    return CLOPT_OK;
}

/* ---- macros that are block sizes ---- */

/* Returns the dimension that get_group_id(0) asks for, from the tokens at *at on; -1: it is another
 * text. */
static int read_group(const char *at)
{
    struct clopt_token token = clopt_token_next(&at);
    if (!clopt_token_is(&token, "get_group_id"))
        return -1;
    token = clopt_token_next(&at);
    if (!clopt_token_is(&token, "("))
        return -1;
    token = clopt_token_next(&at);
    return token.kind == CLOPT_TOKEN_NUMBER && *token.text <= '2' ? *token.text - '0' : -1;
}

/* The same for a variable of which the text says "NAME = get_group_id(0);". */
static int find_group(const char *text, const struct clopt_token *name)
{
    for (const char *at = text;;) {
        struct clopt_token token = clopt_token_next(&at);
        const char *after = at;
        if (token.kind == CLOPT_TOKEN_END)
            return -1;
        if (token.length != name->length || memcmp(token.text, name->text, name->length) != 0)
            continue;
        token = clopt_token_next(&after);
        int dimension = clopt_token_is(&token, "=") ? read_group(after) : -1;
        const char *close = dimension < 0 ? NULL : strchr(after, ')');
        if (close && strchr(";,", close[1]))
            return dimension;
    }
}

/* Finds the dimension of the group's identity that a macro, the token after `before`, is multiplied
 * with, with nothing else; -1: none. `before` are the tokens before it, the last one first. */
static int find_factor(const char *text, const struct clopt_token *before, const char *after)
{
    struct clopt_token next = clopt_token_next(&after);
    if (clopt_token_is(&next, "*")) {
        int dimension = read_group(after);
        next = clopt_token_next(&after);
        return dimension >= 0 || next.kind != CLOPT_TOKEN_NAME ? dimension
                                                               : find_group(text, &next);
    }
    if (!clopt_token_is(&before[0], "*"))
        return -1;
    if (before[1].kind == CLOPT_TOKEN_NAME && !clopt_token_is(&before[2], "."))
        return find_group(text, &before[1]);
    return clopt_token_is(&before[1], ")") && clopt_token_is(&before[3], "(")
               ? read_group(before[4].text)
               : -1;
}

/* Marks the macros that are block sizes by their use in a text: get_group_id(0) * NAME +
 * get_local_id(0). */
static void find_block_sizes(struct clopt_outline_macro *macros, size_t count, const char *text)
{
    for (size_t i = 0; i < count; i++) {
        struct clopt_outline_macro *macro = &macros[i];
        struct clopt_token before[WINDOW] = {{0}};
        bool found = macro->is_type;
        for (const char *at = text; !found;) {
            struct clopt_token token = clopt_token_next(&at);
            if (token.kind == CLOPT_TOKEN_END)
                break;
            int dimension =
                clopt_token_is(&token, macro->name) ? find_factor(text, before, at) : -1;
            found = dimension >= 0;
            if (found && !macro->sizes_groups)
                macro->dimension = dimension;
            macro->sizes_groups |= found;
            memmove(before + 1, before, sizeof before - sizeof *before);
            before[0] = token;
        }
    }
}

/* ---- kernels ---- */

/* Reads the name of the function whose specifiers are at *at, and its parameters. */
static struct clopt_token read_name(const char **at)
{
    struct clopt_token name = {0};
    for (;;) {
        const char *before = *at;
        struct clopt_token token = clopt_token_next(at);
        const char *close = clopt_token_is(&token, "(") ? clopt_token_close(before) : NULL;
        if (close)
            *at = close + 1;
        if (token.kind == CLOPT_TOKEN_END || (close && !clopt_token_is(&name, "__attribute__")))
            return name;
        if (token.kind == CLOPT_TOKEN_NAME)
            name = token;
    }
}

/* Takes in the dimension that get_global_id(1) and the like ask for; *at is after the name. */
static void note_dimension(struct clopt_outline *outline, const struct clopt_token *name,
                           const char *at)
{
    static const char *const queries[] = {"get_global_id", "get_local_id", "get_group_id"};
    bool query = false;
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++)
        query |= clopt_token_is(name, queries[i]);
    struct clopt_token token = clopt_token_next(&at);
    if (!query || !clopt_token_is(&token, "("))
        return;
    token = clopt_token_next(&at);
    unsigned dimension = (unsigned)(*token.text - '0');
    if (token.kind == CLOPT_TOKEN_NUMBER && dimension < 3 && dimension >= outline->dimensions)
        outline->dimensions = dimension + 1;
}

static enum clopt_status find_kernels(struct made_outline *made, const char *text,
                                      struct clopt_error *error)
{
    struct clopt_outline *outline = &made->outline;
    int depth = 0;
    for (const char *at = text;;) {
        struct clopt_token token = clopt_token_next(&at);
        if (token.kind == CLOPT_TOKEN_END)
            return CLOPT_OK;
        depth += clopt_token_is(&token, "{") - clopt_token_is(&token, "}");
        note_dimension(outline, &token, at);
        if (depth || !(clopt_token_is(&token, "__kernel") || clopt_token_is(&token, "kernel")))
            continue;
        struct clopt_token name = read_name(&at);
        const char *after = at;
        token = clopt_token_next(&after);
        if (clopt_token_is(&token, ";")) /* a declaration */
            continue;
        if (outline->kernel_count == MOST_KERNELS)
            return clopt_fail(error, CLOPT_INVALID, "more than %d kernels", MOST_KERNELS);
        made->kernels[outline->kernel_count++] =
            clopt_arena_copy(&made->arena, name.text, name.length);
    }
}

/* ---- the whole ---- */

/* Whether a text or its options define a macro. */
static bool is_defined(const char *text, const struct clopt_build_options *options,
                       const struct clopt_token *name)
{
    for (const char *at = text;;) {
        struct clopt_token token = clopt_token_next(&at);
        const char *after = at;
        if (token.kind == CLOPT_TOKEN_END)
            return is_set(options, name->text, name->length);
        struct clopt_token next = clopt_token_next(&after);
        if (clopt_token_is(&token, "define") && next.length == name->length &&
            memcmp(next.text, name->text, name->length) == 0)
            return true;
    }
}

/* Whether a condition asks for a macro by its value (#if), or, of an extension or a feature,
 * whether there is one (#ifdef), and nothing defines it. */
static bool is_unknown(const char *text, const struct clopt_build_options *options,
                       const struct clopt_token *directive, const struct clopt_token *token)
{
    char name[LONGEST_MACRO];
    if (token->kind != CLOPT_TOKEN_NAME || token->length >= sizeof name)
        return false;
    snprintf(name, sizeof name, "%.*s", (int)token->length, token->text);
    bool value = clopt_token_is(directive, "if") || clopt_token_is(directive, "elif");
    bool there = value || clopt_token_is(directive, "ifdef") || clopt_token_is(directive, "ifndef");
    if (strncmp(name, "cl_", 3) == 0 || strncmp(name, "__opencl_c_", 11) == 0)
        return there && !clopt_dialect_defines(options, name) && !is_defined(text, options, token);
    return value && clopt_looks_like_macro(name, token->length) && strncmp(name, "__", 2) != 0 &&
           !is_defined(text, options, token);
}

/* Names the macros that the program's conditions ask for and nothing defines. */
static void add_unknown(const char *text, const struct clopt_build_options *options,
                        struct clopt_error *error)
{
    CLOPT_OWNED(clopt_text) names = {0};
    struct clopt_token directive = {0};
    for (const char *at = text;;) {
        struct clopt_token token = clopt_token_next(&at);
        if (token.kind == CLOPT_TOKEN_END)
            break;
        if (token.starts_line)
            directive = (struct clopt_token){0};
        if (clopt_token_is(&token, "#")) {
            directive = clopt_token_next(&at);
            continue;
        }
        char macro[LONGEST_MACRO + 8];
        if (!is_unknown(text, options, &directive, &token))
            continue;
        snprintf(macro, sizeof macro, " -D %.*s=1", (int)token.length, token.text);
        if (!strstr(clopt_text_string(&names), macro))
            clopt_text_append(&names, macro);
    }
    const struct clopt_error reason = *error;
    if (names.length)
        clopt_fail(error, reason.status,
                   "%s; #if tests a macro that is not defined; give it a value, as in%s",
                   reason.message, clopt_text_string(&names));
}

/* Forgets defaults in a part of the text which is left out, or are never used: neither
 * changes the program. */
static bool is_used(const char *text, const char *name)
{
    unsigned seen = 0;
    for (const char *at = text;;) {
        struct clopt_token token = clopt_token_next(&at);
        if (token.kind == CLOPT_TOKEN_END)
            return seen > 2; /* #ifndef and #define */
        seen += clopt_token_is(&token, name);
    }
}

static enum clopt_status fill(struct made_outline *made, const char *file, const char *text,
                              const char *options, struct clopt_error *error)
{
    CLOPT_OWNED(clopt_build_options) words = {0};
    CLOPT_OWNED(clopt_normal) normal = {0};
    clopt_text_append(&made->given, options);
    clopt_build_options_split(options, &words);
    enum clopt_status status = find_defaults(made, text, &words, error);
    if (!status && (status = clopt_outline_read(made, file, text, &normal, error)) == CLOPT_INVALID)
        add_unknown(text, &words, error);
    if (status)
        return status;
    find_block_sizes(made->macros, made->outline.macro_count, text);
    size_t count = 0;
    for (size_t i = 0; i < made->outline.macro_count; i++)
        if (!made->macros[i].has_default || is_used(text, made->macros[i].name))
            made->macros[count++] = made->macros[i];
    made->outline.macro_count = count;
    return find_kernels(made, normal.text, error);
}

enum clopt_status clopt_outline_create(const char *file, const char *text, const char *options,
                                       struct clopt_outline **outline, struct clopt_error *error)
{
    struct made_outline *made = clopt_calloc(1, sizeof *made);
    enum clopt_status status = fill(made, file, text, options, error);
    if (status) {
        clopt_outline_destroy(&made->outline);
        return status;
    }
    made->outline.kernels = made->kernels;
    made->outline.macros = made->macros;
    made->outline.options = clopt_text_string(&made->options);
    made->outline.standard = made->standard;
    *outline = &made->outline;
    return CLOPT_OK;
}

void clopt_outline_destroy(struct clopt_outline *outline)
{
    CLOPT_FREED struct made_outline *made = (struct made_outline *)outline;
    if (!made)
        return;
    clopt_arena_fini(&made->arena);
    clopt_text_fini(&made->options);
    clopt_text_fini(&made->given);
}
