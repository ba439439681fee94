/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells what #if leaves of a source. */
#include "kernel/conditions.h"

#include <stdbool.h>
#include <string.h>

#include "base/text.h"
#include "kernel/parse.h"

static unsigned line_of(const struct clopt_parse *parse, CXSourceLocation location)
{
    unsigned line = 0;
    parse->clang.getExpansionLocation(location, NULL, &line, NULL, NULL);
    return line;
}

/* Whether a line is between two directives of which the first one does not hold. */
static bool is_skipped(const struct clopt_parse *parse, const CXSourceRangeList *skipped,
                       unsigned line)
{
    for (unsigned i = 0; skipped && i < skipped->count; i++)
        if (line > line_of(parse, parse->clang.getRangeStart(skipped->ranges[i])) &&
            line < line_of(parse, parse->clang.getRangeEnd(skipped->ranges[i])))
            return true;
    return false;
}

/* Whether a line says nothing itself: it is blank, or #if, #elif, #else, #endif and the like. */
static bool is_silent(const char *line)
{
    line += strspn(line, " \t\r");
    if (*line != '#')
        return *line == '\n' || !*line;
    line += 1 + strspn(line + 1, " \t");
    return strncmp(line, "if", 2) == 0 || strncmp(line, "el", 2) == 0 ||
           strncmp(line, "endif", 5) == 0;
}

enum clopt_status clopt_conditions_apply(const char *file, const char *text, const char *options,
                                         char **left, struct clopt_error *error)
{
    struct clopt_build_options words;
    struct clopt_parse parse;
    struct clopt_text lines = {0};
    *left = NULL;
    enum clopt_status status = clopt_build_options_split(options, &words, error);
    if (status)
        return status;
    status = clopt_parse_init(&parse, file, text, &words, true, NULL, error);
    clopt_build_options_fini(&words);
    if (status)
        return status;
    CXSourceRangeList *skipped = parse.clang.getSkippedRanges(parse.unit, parse.file);
    for (unsigned line = 1; *text; line++) {
        size_t length = strcspn(text, "\n");
        length += text[length] == '\n';
        if (!is_silent(text) && !is_skipped(&parse, skipped, line))
            clopt_text_append_bytes(&lines, text, length);
        text += length;
    }
    if (skipped)
        parse.clang.disposeSourceRangeList(skipped);
    clopt_parse_fini(&parse);
    clopt_text_append(&lines, "");
    *left = clopt_text_take(&lines);
    return *left ? CLOPT_OK : clopt_fail_memory(error);
}
