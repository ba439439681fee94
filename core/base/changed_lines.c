/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts the lines in which a source differs from another one. */
#include "base/changed_lines.h"

#include <stdlib.h>
#include <string.h>

/* A line of source, for counting. */
struct line {
    const char *text;
    size_t length;
};

static int compare_lines(const void *a, const void *b)
{
    const struct line *first = a;
    const struct line *second = b;
    size_t length = first->length < second->length ? first->length : second->length;
    int order = memcmp(first->text, second->text, length);
    return order ? order : (first->length > second->length) - (first->length < second->length);
}

/* Splits a source into sorted lines; NULL when memory runs out. */
static struct line *sort_lines(const char *source, size_t *count)
{
    size_t total = 1;
    for (const char *c = source; *c; c++)
        total += *c == '\n';
    struct line *lines = malloc(total * sizeof *lines);
    for (size_t i = 0; lines && i < total; i++) {
        lines[i] = (struct line){source, strcspn(source, "\n")};
        source += lines[i].length + 1;
    }
    if (lines)
        qsort(lines, total, sizeof *lines, compare_lines);
    *count = total;
    return lines;
}

enum clopt_status clopt_changed_lines_count(const char *before, const char *after,
                                            unsigned *changed, struct clopt_error *error)
{
    size_t old_count;
    size_t new_count;
    struct line *old_lines = sort_lines(before, &old_count);
    struct line *new_lines = sort_lines(after, &new_count);
    enum clopt_status status = old_lines && new_lines ? CLOPT_OK : clopt_fail_memory(error);
    *changed = 0;
    for (size_t i = 0, j = 0; status == CLOPT_OK && i < new_count;) {
        int order = j < old_count ? compare_lines(&new_lines[i], &old_lines[j]) : -1;
        *changed += order < 0 && new_lines[i].length > 0;
        i += order <= 0;
        j += order >= 0;
    }
    free(old_lines);
    free(new_lines);
    return status;
}
