/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts the lines that are compiled of a variant which no rewriting has made. */

#include "frontend/parse.h"
#include "observers/observers.h"
#include "text/changed_lines.h"
#include "text/text.h"
#include "text/token.h"

/* What #if leaves out of a text. */
struct left_out {
    struct clopt_parse parse;
    CXSourceRangeList *ranges; /* in the order of the text; NULL: nothing */
    unsigned next;             /* the first one that is not over yet */
};

/* Whether a line that starts with # is one of #if, #else and so on, or, with `defines`, one of
 * those that decide about them. */
static bool is_directive(const char *at, bool defines)
{
    static const char *const names[] = {"if",    "ifdef",  "ifndef", "elif",   "else",
                                        "endif", "define", "undef",  "include"};
    size_t count = sizeof names / sizeof *names - (defines ? 0 : 3);
    struct clopt_token name = clopt_token_next(&at);
    for (size_t i = 0; i < count; i++)
        if (clopt_token_is(&name, names[i]))
            return true;
    return false;
}

static void blank(char *from, const char *to)
{
    for (; from < to; from++)
        if (*from != '\n')
            *from = ' ';
}

/* Copies a text with blanks for all but its directives, so that libclang meets nothing of a program
 * that it may not bear, and is quick. */
static char *copy_directives(const char *text)
{
    char *copy = clopt_strdup(text), *left = copy;
    const char *at = text;
    bool starts = true;
    for (struct clopt_token token = clopt_token_next(&at); token.kind != CLOPT_TOKEN_END;
         token = clopt_token_next(&at)) {
        starts |= token.starts_line;
        if (starts && clopt_token_is(&token, "#") && is_directive(at, true)) {
            blank(left, copy + (token.text - text));
            at = clopt_token_line_end(at);
            left = copy + (at - text);
        } else {
            starts = false;
        }
    }
    blank(left, copy + strlen(text));
    return copy;
}

/* Asks libclang, unless there is nothing to leave out. */
static enum clopt_status find_left_out(const char *file, const char *text, const char *options,
                                       struct left_out *left_out, struct clopt_error *error)
{
    CLOPT_OWNED(clopt_build_options) words = {0};
    struct clopt_parse *parse = &left_out->parse;
    *left_out = (struct left_out){0};
    if (!strstr(text, "#if"))
        return CLOPT_OK;
    CLOPT_FREED char *directives = copy_directives(text);
    clopt_build_options_split(options, &words);
    CLOPT_TRY(clopt_parse_init(parse, file, directives, &words, true, NULL, error));
    left_out->ranges = parse->clang.getSkippedRanges(parse->unit, parse->file);
    return CLOPT_OK;
}

/* Whether an offset is left out; each is after that of the call before. */
static bool is_left_out(struct left_out *left_out, size_t offset)
{
    const struct clopt_clang *clang = &left_out->parse.clang;
    for (; left_out->ranges && left_out->next < left_out->ranges->count; left_out->next++) {
        const CXSourceRange range = left_out->ranges->ranges[left_out->next];
        unsigned begin = 0, end = 0;
        clang->getFileLocation(clang->getRangeStart(range), NULL, NULL, NULL, &begin);
        clang->getFileLocation(clang->getRangeEnd(range), NULL, NULL, NULL, &end);
        if (offset < end)
            return offset >= begin;
    }
    return false;
}

/* Keeps the lines of an OpenCL program that are compiled with some options, for the caller to free:
 * without comments, empty lines, and #if with what it leaves out. */
static enum clopt_status keep_compiled(const char *file, const char *text, const char *options,
                                       char **lines, struct clopt_error *error)
{
    struct left_out left_out;
    struct clopt_text kept = {0};
    const char *at = text;
    bool starts = true;
    enum clopt_status status = find_left_out(file, text, options, &left_out, error);
    for (struct clopt_token token = clopt_token_next(&at); !status && token.kind != CLOPT_TOKEN_END;
         token = clopt_token_next(&at)) {
        starts |= token.starts_line;
        if (starts && clopt_token_is(&token, "#") && is_directive(at, false))
            at = clopt_token_line_end(at);
        else if (!is_left_out(&left_out, (size_t)(token.text - text))) {
            clopt_text_append(&kept, starts && kept.length ? "\n" : token.space_length ? " " : "");
            clopt_text_append_bytes(&kept, token.text, token.length);
            starts = false;
        }
    }
    if (left_out.ranges)
        left_out.parse.clang.disposeSourceRangeList(left_out.ranges);
    clopt_parse_fini(&left_out.parse);
    *lines = clopt_text_take(&kept);
    return status;
}

/* Counts the lines that are compiled of a program and not of its initial code, of which all are.
 * Not knowing them (0) is no reason to fail. */
static void count_lines(const struct clopt_observed *observed, json_t *answer)
{
    struct clopt_error unknown;
    const struct clopt_app_source *source = observed->source;
    struct clopt_variant *variant = observed->variant;
    CLOPT_FREED char *options = NULL, *before = NULL, *after = NULL;
    bool initial = clopt_trial_is_initial(observed->trial);
    (void)answer;
    if (observed->trial->rival || clopt_trial_rewrites(observed->trial, NULL) ||
        clopt_app_source_of(source, observed->trial) != source ||
        (!initial && (clopt_variant_initial_options(observed->trial, source, &options, &unknown) ||
                      strcmp(options, variant->options) == 0)))
        return;
    if (!keep_compiled(source->path, source->text, variant->options, &after, &unknown) &&
        (initial || !keep_compiled(source->path, source->text, options, &before, &unknown)))
        variant->lines_changed = clopt_changed_lines_count(before ? before : "", after);
}

const struct clopt_observer clopt_lines_observer = {.made = count_lines};
