/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the name that someone who made a typing error meant. */
#include "text/suggest.h"

/* No name is longer; what is, is not compared. */
#define LONGEST 64

/* Returns the edit distance, where two neighbours changing places count as one edit. */
static size_t distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    size_t rows[3][LONGEST + 1];
    for (size_t j = 0; j <= b_length; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= a_length; i++) {
        size_t *row = rows[i % 3];
        const size_t *above = rows[(i + 2) % 3];
        const size_t *second = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            size_t best = above[j - 1] + (a[i - 1] != b[j - 1]);
            if (above[j] + 1 < best)
                best = above[j] + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped && second[j - 2] + 1 < best)
                best = second[j - 2] + 1;
            row[j] = best;
        }
    }
    return rows[a_length % 3][b_length];
}

const char *clopt_suggest(const char *wrong, const char *const *names, size_t count)
{
    size_t length = strlen(wrong);
    if (length > LONGEST)
        return NULL;
    const char *nearest = NULL;
    size_t least = (length + 2) / 3 + 1;
    for (size_t i = 0; i < count; i++) {
        size_t name_length = strlen(names[i]);
        if (name_length > LONGEST)
            continue;
        size_t edits = distance(wrong, length, names[i], name_length);
        if (edits < least) {
            least = edits;
            nearest = names[i];
        }
    }
    return nearest;
}

struct clopt_text clopt_suggest_or_list(const char *wrong, const char *const *names, size_t count,
                                        const char *lead)
{
    struct clopt_text text = {0};
    const char *near = clopt_suggest(wrong, names, count);
    if (near)
        clopt_text_printf(&text, "did you mean %s?", near);
    else
        clopt_text_printf(&text, "%s%s", lead, count ? "" : " none");
    for (size_t i = 0; !near && i < count; i++)
        clopt_text_printf(&text, "%s%s", i ? ", " : " ", names[i]);
    return text;
}
