/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds what lets a program be read: values for macros that nothing defines, a later OpenCL C. */
#include "frontend/diagnosis.h"
#include "kernel/outline.h"
#include "kernel/outline_parts.h"

#define GUESSED_TYPE "float"

/* ---- options ---- */

/* Writes the options with a standard (NULL: as they are) and the macros that were guessed. */
static void write_options(struct made_outline *made)
{
    struct clopt_text *options = &made->options;
    clopt_text_clear(options);
    clopt_text_append(options, clopt_text_string(&made->given));
    if (made->standard)
        clopt_text_printf(options, "%s%s", options->length ? " " : "", made->standard);
    for (size_t i = 0; i < made->outline.macro_count; i++)
        if (!made->macros[i].has_default)
            clopt_text_printf(options, "%s-D%s=%s", options->length ? " " : "",
                              made->macros[i].name, made->macros[i].value);
}

static enum clopt_status normalise(struct made_outline *made, const char *file, const char *text,
                                   struct clopt_normal *normal, struct clopt_error *complaint)
{
    CLOPT_OWNED(clopt_build_options) words = {0};
    write_options(made);
    clopt_build_options_split(clopt_text_string(&made->options), &words);
    return clopt_normalise(file, text, NULL, &words, normal, complaint);
}

/* ---- macros ---- */

/* An integer with which most programs can be parsed, and that fits the name of the macro. */
static const char *guess_value(const char *name, size_t length)
{
    static const char *const words[] = {"RADIUS", "ORDER", "STEPS",  "ITER",
                                        "UNROLL", "ITEMS", "FACTOR", "PER"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const char *at = strstr(name, words[i]);
        if (at && at < name + length)
            return "4";
    }
    return "16";
}

/* Takes an error of clang as a macro that is missing; false where it is another one. */
static bool take_missing(struct made_outline *made, const struct clopt_error *complaint,
                         enum clopt_status *status, struct clopt_error *error)
{
    bool is_type;
    const char *name = NULL;
    size_t length = clopt_diagnosis_macro(complaint->message, &name, &is_type);
    if (!length || clopt_outline_has_macro(made, name, length))
        return false;
    const char *value = is_type ? GUESSED_TYPE : guess_value(name, length);
    *status = clopt_outline_add_macro(made, name, length, value, strlen(value), error);
    if (!*status)
        made->macros[made->outline.macro_count - 1].is_type = is_type;
    return true;
}

/* What a macro may be, one after the other, where a call of several types does not take it. */
static const char *next_value(const char *value)
{
    static const char *const values[] = {"16", "16.f", "16u", "16.0", "16L"};
    if (strcmp(value, "4") == 0)
        return values[1];
    for (size_t i = 0; i + 1 < sizeof values / sizeof *values; i++)
        if (strcmp(value, values[i]) == 0)
            return values[i + 1];
    return NULL;
}

/* Gives the macros in a call, whose arguments are at `at`, another value; not those of calls in it.
 */
static bool change_arguments(struct made_outline *made, const char *at, const char *end)
{
    bool changed = false;
    while (at < end) {
        struct clopt_token token = clopt_token_next(&at);
        bool call = token.kind == CLOPT_TOKEN_NAME && *clopt_token_skip_space(at) == '(';
        if (call && clopt_token_close(at))
            at = clopt_token_close(at);
        for (size_t i = 0; i < made->outline.macro_count; i++) {
            struct clopt_outline_macro *macro = &made->macros[i];
            const char *next =
                macro->is_type || macro->has_default ? NULL : next_value(macro->value);
            if (!next || !clopt_token_is(&token, macro->name))
                continue;
            macro->value = next;
            changed = true;
        }
    }
    return changed;
}

/* Takes an error about a call that fits no type, or several, as that of macros in it, which are no
 * integers then; false where it is another one. */
static bool take_call(struct made_outline *made, const char *text,
                      const struct clopt_error *complaint)
{
    char function[LONGEST_MACRO];
    const char *name = NULL;
    bool changed = false;
    size_t length = clopt_diagnosis_name(complaint->message, "call to ", &name);
    snprintf(function, sizeof function, "%.*s", (int)length, name ? name : "");
    for (const char *at = text; length;) {
        struct clopt_token token = clopt_token_next(&at);
        if (token.kind == CLOPT_TOKEN_END)
            break;
        const char *close = clopt_token_is(&token, function) ? clopt_token_close(at) : NULL;
        const char *open = clopt_token_skip_space(at);
        if (close && *open == '(' && change_arguments(made, open + 1, close))
            changed = true;
    }
    return changed;
}

/* ---- later versions ---- */

/* Whether an error is about a macro that is missing: another pass finds what it is. */
static bool is_about_macro(const struct made_outline *made, const struct clopt_error *complaint)
{
    bool is_type;
    const char *name = NULL;
    size_t length = clopt_diagnosis_macro(complaint->message, &name, &is_type);
    return length && !clopt_outline_has_macro(made, name, length);
}

/* Takes the first later version that reads the program, or, unless that is to be all of it, after
 * which macros alone are missing; false where none does. */
static bool raise_standard(struct made_outline *made, const char *file, const char *text, bool all)
{
    static const char *const standards[] = {"-cl-std=CL2.0", "-cl-std=CL3.0", "-cl-std=CLC++"};
    if (made->standard || strstr(clopt_text_string(&made->given), "-cl-std="))
        return false;
    for (size_t i = 0; i < sizeof standards / sizeof *standards; i++) {
        CLOPT_OWNED(clopt_normal) normal = {0};
        struct clopt_error complaint = {0};
        made->standard = standards[i];
        enum clopt_status status = normalise(made, file, text, &normal, &complaint);
        if (!status || (status == CLOPT_INVALID && !all && is_about_macro(made, &complaint)))
            return true;
    }
    made->standard = NULL;
    return false;
}

/* ---- the whole ---- */

/* Says which macros were guessed in vain. */
static void add_guessed(const struct made_outline *made, struct clopt_error *error)
{
    CLOPT_OWNED(clopt_text) names = {0};
    const struct clopt_error reason = *error;
    for (size_t i = 0; i < made->outline.macro_count; i++)
        if (!made->macros[i].has_default)
            clopt_text_printf(&names, " -D %s=VALUE", made->macros[i].name);
    if (names.length)
        clopt_fail(error, reason.status, "%s%s%s", reason.message,
                   strstr(reason.message, CLOPT_MACRO_HINT) ? "" : CLOPT_MACRO_HINT,
                   clopt_text_string(&names));
}

enum clopt_status clopt_outline_read(struct made_outline *made, const char *file, const char *text,
                                     struct clopt_normal *normal, struct clopt_error *error)
{
    for (;;) {
        struct clopt_error complaint = {0};
        enum clopt_status found, status = normalise(made, file, text, normal, &complaint);
        if (!status)
            return CLOPT_OK;
        clopt_normal_fini(normal);
        if (status == CLOPT_INVALID && take_missing(made, &complaint, &found, error)) {
            CLOPT_TRY(found);
        } else if (status != CLOPT_INVALID || !(take_call(made, text, &complaint) ||
                                                raise_standard(made, file, text, false))) {
            *error = complaint;
            add_guessed(made, error);
            return status;
        }
    }
}

const char *clopt_outline_standard(const char *file, const char *text, const char *options)
{
    CLOPT_FREED struct made_outline *made = clopt_calloc(1, sizeof *made);
    clopt_text_append(&made->given, options);
    CLOPT_OWNED(clopt_normal) normal = {0};
    struct clopt_error complaint = {0};
    bool found = normalise(made, file, text, &normal, &complaint) == CLOPT_INVALID &&
                 raise_standard(made, file, text, true);
    clopt_arena_fini(&made->arena);
    clopt_text_fini(&made->options);
    clopt_text_fini(&made->given);
    return found ? made->standard : NULL;
}
