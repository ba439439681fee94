/* SPDX-License-Identifier: BSD-3-Clause */
/* Words the patterns in which a kernel accesses memory. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "report/results.h"

static const char *text_of(const json_t *pattern, const char *name)
{
    const char *text = json_string_value(json_object_get(pattern, name));
    return text ? text : "";
}

/* Appends "read column (n apart), separate (1 apart)". */
static void append_pattern(struct clopt_text *label, const json_t *pattern)
{
    static const char *const parts[2][2] = {{"work_item", "work_item_distance"},
                                            {"work_group", "work_group_distance"}};
    bool unknown = strcmp(text_of(pattern, "work_item"), "unknown") == 0 &&
                   strcmp(text_of(pattern, "work_group"), "unknown") == 0;
    clopt_text_printf(label, "%s ", text_of(pattern, "access"));
    if (unknown) {
        clopt_text_append(label, "unknown");
        return;
    }
    for (size_t i = 0; i < 2; i++) {
        const char *distance = text_of(pattern, parts[i][1]);
        clopt_text_printf(label, "%s%s", i ? ", " : "", text_of(pattern, parts[i][0]));
        if (*distance)
            clopt_text_printf(label, " (%s apart)", distance);
    }
}

/* The patterns of one array, in the order in which they were found. */
struct array {
    const char *name;
    struct clopt_text patterns;
    bool said;
};

/* Collects the patterns of each array; the caller ends all texts. */
static size_t collect(const json_t *patterns, struct array *arrays)
{
    size_t count = 0;
    for (size_t i = 0; i < json_array_size(patterns); i++) {
        const json_t *pattern = json_array_get(patterns, i);
        const char *name = text_of(pattern, "array");
        size_t at = 0;
        while (at < count && strcmp(arrays[at].name, name) != 0)
            at++;
        if (at == count)
            arrays[count++] = (struct array){.name = name};
        if (arrays[at].patterns.length)
            clopt_text_append(&arrays[at].patterns, " | ");
        append_pattern(&arrays[at].patterns, pattern);
    }
    return count;
}

/* Appends an array with all others behind it that have the same patterns: "a, b: read row". */
static void append_arrays(struct clopt_text *label, struct array *arrays, size_t count)
{
    const char *patterns = clopt_text_string(&arrays[0].patterns);
    clopt_text_printf(label, "%s%s", label->length ? "; " : "", arrays[0].name);
    for (size_t i = 1; i < count; i++)
        if (!arrays[i].said && strcmp(clopt_text_string(&arrays[i].patterns), patterns) == 0) {
            clopt_text_printf(label, ", %s", arrays[i].name);
            arrays[i].said = true;
        }
    clopt_text_printf(label, ": %s", patterns);
}

char *clopt_patterns_label(const struct clopt_results_table *table)
{
    struct clopt_text label = {0};
    struct clopt_text printable = {0};
    struct array *arrays = calloc(json_array_size(table->patterns) + 1, sizeof *arrays);
    if (!arrays)
        return NULL;
    if (json_is_string(table->patterns))
        clopt_text_printf(&label, "unknown: %s", json_string_value(table->patterns));
    size_t count = collect(table->patterns, arrays);
    for (size_t i = 0; i < count; i++)
        if (!arrays[i].said)
            append_arrays(&label, &arrays[i], count - i);
    for (size_t i = 0; i < count; i++)
        clopt_text_fini(&arrays[i].patterns);
    free(arrays);
    clopt_text_append_printable(&printable, clopt_text_string(&label));
    printable.failed |= label.failed;
    clopt_text_fini(&label);
    return clopt_text_take(&printable);
}
