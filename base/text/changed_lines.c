/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the lines in which a source differs from another one. */
#include "text/changed_lines.h"

/* A line of source, for counting. */
struct line {
    const char *text;
    size_t length;
    size_t number;
};

static int compare_lines(const void *a, const void *b)
{
    const struct line *first = a;
    const struct line *second = b;
    size_t length = first->length < second->length ? first->length : second->length;
    int order = memcmp(first->text, second->text, length);
    return order ? order : (first->length > second->length) - (first->length < second->length);
}

/* Splits a source into sorted lines. */
static struct line *sort_lines(const char *source, size_t *count)
{
    size_t total = 1;
    for (const char *c = source; *c; c++)
        total += *c == '\n';
    struct line *lines = clopt_calloc(total, sizeof *lines);
    for (size_t i = 0; i < total; i++) {
        lines[i] = (struct line){source, strcspn(source, "\n"), i};
        source += lines[i].length + 1;
    }
    qsort(lines, total, sizeof *lines, compare_lines);
    *count = total;
    return lines;
}

bool *clopt_changed_lines_find(const char *before, const char *after, size_t *count)
{
    size_t old_count;
    CLOPT_FREED struct line *old_lines = sort_lines(before, &old_count);
    CLOPT_FREED struct line *new_lines = sort_lines(after, count);
    bool *changed = clopt_calloc(*count, sizeof *changed);
    for (size_t i = 0, j = 0; i < *count;) {
        int order = j < old_count ? compare_lines(&new_lines[i], &old_lines[j]) : -1;
        if (order < 0)
            changed[new_lines[i].number] = new_lines[i].length > 0;
        i += order <= 0;
        j += order >= 0;
    }
    return changed;
}

unsigned clopt_changed_lines_count(const char *before, const char *after)
{
    size_t count;
    unsigned changed = 0;
    CLOPT_FREED bool *lines = clopt_changed_lines_find(before, after, &count);
    for (size_t i = 0; i < count; i++)
        changed += lines[i];
    return changed;
}
