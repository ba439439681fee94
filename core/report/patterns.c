/* SPDX-License-Identifier: BSD-3-Clause */
/* Words the patterns in which a kernel accesses memory. */
#include <stdbool.h>
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

char *clopt_patterns_label(const struct clopt_results_table *table)
{
    struct clopt_text label = {0};
    const char *before = "";
    clopt_text_append(&label, "");
    if (json_is_string(table->patterns))
        clopt_text_printf(&label, "unknown: %s", json_string_value(table->patterns));
    for (size_t i = 0; i < json_array_size(table->patterns); i++) {
        const json_t *pattern = json_array_get(table->patterns, i);
        const char *array = text_of(pattern, "array");
        if (strcmp(array, before) != 0)
            clopt_text_printf(&label, "%s%s: ", i ? "; " : "", array);
        else
            clopt_text_append(&label, " | ");
        append_pattern(&label, pattern);
        before = array;
    }
    return clopt_text_take(&label);
}
