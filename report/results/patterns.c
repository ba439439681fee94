/* SPDX-License-Identifier: BSD-3-Clause */
/* Says in plain words how a kernel accesses memory, and what that means for GPUs. */
#include "results/results.h"
#include "text/json.h"

#define LEAST_STRIDE 8 /* elements: from here on, neighbours share none of what a GPU fetches */

/* Whether work-items `distance` elements apart are far from each other: a number that is large, or
 * what depends on a size. */
static bool is_far(const char *distance)
{
    char *end;
    long number = strtol(distance, &end, 10);
    return *distance && (*end || labs(number) >= LEAST_STRIDE);
}

/* What a work-item accesses, by the name of its pattern. */
static const struct words {
    const char *pattern;
    const char *own;  /* each work-item reads ... */
    const char *same; /* all work-items read ..., at the same time */
    const char *next; /* that of its neighbour, one element further on */
} items[] = {
    {"single", "one element", "the same element", "the next one"},
    {"row", "along a row", "along the same row", "along one that begins an element later"},
    {"column", "down a column", "down the same column", "down the next column"},
    {"block", "a block", "the same block", "a block that begins an element later"},
    {"neighbours", "some elements close together", "the same elements", "those next to them"},
    {"", "elements whose indices are not known before it runs",
     "the same elements, whose indices are not known before it runs", "the next ones"},
};

static const struct words *find_words(const char *pattern)
{
    size_t i = 0;
    while (*items[i].pattern && strcmp(items[i].pattern, pattern) != 0)
        i++;
    return &items[i];
}

/* Appends what the neighbour of a work-item accesses. */
static void append_neighbour(struct clopt_text *label, const json_t *pattern,
                             const struct words *words)
{
    const char *distance = clopt_json_string(pattern, "work_group_distance");
    if (strcmp(distance, "1") == 0) {
        clopt_text_printf(label, ", its neighbour %s (coalesced)", words->next);
        return;
    }
    if (!*distance)
        return;
    clopt_text_printf(label, ", its neighbour %s elements away", distance);
    if (is_far(distance))
        clopt_text_append(label, " (not coalesced: slow on GPUs)");
}

/* Whether two patterns of an array are the same apart from the kind of access. */
static bool is_alike(const json_t *a, const json_t *b)
{
    static const char *const names[] = {"array", "work_item", "work_item_distance", "work_group",
                                        "work_group_distance"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(clopt_json_string(a, names[i]), clopt_json_string(b, names[i])) != 0)
            return false;
    return true;
}

/* Appends "reads", or "reads and updates": what all patterns like number `first` do. */
static void append_accesses(struct clopt_text *label, const json_t *patterns, size_t first,
                            const char *ending)
{
    const json_t *pattern = json_array_get(patterns, first);
    const char *between = "";
    for (size_t i = 0; i < json_array_size(patterns); i++) {
        const json_t *other = json_array_get(patterns, i);
        if (!is_alike(pattern, other))
            continue;
        clopt_text_printf(label, "%s%s%s", between, clopt_json_string(other, "access"), ending);
        between = " and ";
    }
}

/* Whether an earlier pattern says it already. */
static bool is_said(const json_t *patterns, size_t number)
{
    for (size_t i = 0; i < number; i++)
        if (is_alike(json_array_get(patterns, i), json_array_get(patterns, number)))
            return true;
    return false;
}

/* Appends "each work-item reads down a column (n apart), its neighbour down the next column". */
static void append_pattern(struct clopt_text *label, const json_t *patterns, size_t number)
{
    const json_t *pattern = json_array_get(patterns, number);
    const struct words *words = find_words(clopt_json_string(pattern, "work_item"));
    const char *distance = clopt_json_string(pattern, "work_item_distance");
    bool focused = strcmp(clopt_json_string(pattern, "work_group"), "focused") == 0;
    clopt_text_append(label, focused ? "all work-items " : "each work-item ");
    append_accesses(label, patterns, number, focused ? "" : "s");
    clopt_text_printf(label, " %s", focused ? words->same : words->own);
    if (*distance)
        clopt_text_printf(label, " (%s apart)", distance);
    if (!focused)
        append_neighbour(label, pattern, words);
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
        const char *name = clopt_json_string(pattern, "array");
        size_t at = 0;
        while (at < count && strcmp(arrays[at].name, name) != 0)
            at++;
        if (at == count)
            arrays[count++] = (struct array){.name = name};
        if (is_said(patterns, i))
            continue;
        if (arrays[at].patterns.length)
            clopt_text_append(&arrays[at].patterns, "; ");
        append_pattern(&arrays[at].patterns, patterns, i);
    }
    return count;
}

/* Appends an array with all others after it that have the same patterns: "a, b: ...". */
static void append_arrays(struct clopt_text *label, struct array *arrays, size_t count)
{
    const char *patterns = clopt_text_string(&arrays[0].patterns);
    CLOPT_OWNED(clopt_text) line = {0};
    clopt_text_append(&line, arrays[0].name);
    for (size_t i = 1; i < count; i++)
        if (!arrays[i].said && strcmp(clopt_text_string(&arrays[i].patterns), patterns) == 0) {
            clopt_text_printf(&line, ", %s", arrays[i].name);
            arrays[i].said = true;
        }
    clopt_text_printf(&line, ": %s", patterns);
    clopt_text_append_printable(label, clopt_text_string(&line));
}

char *clopt_patterns_label(const struct clopt_results_table *table, const char *separator)
{
    struct clopt_text label = {0};
    CLOPT_FREED struct array *arrays =
        clopt_calloc(json_array_size(table->patterns), sizeof *arrays);
    if (json_is_string(table->patterns)) {
        clopt_text_append(&label, "not known: ");
        clopt_text_append_printable(&label, json_string_value(table->patterns));
    }
    size_t count = collect(table->patterns, arrays);
    for (size_t i = 0; i < count; i++)
        if (!arrays[i].said) {
            clopt_text_append(&label, label.length ? separator : "");
            append_arrays(&label, &arrays[i], count - i);
        }
    for (size_t i = 0; i < count; i++)
        clopt_text_fini(&arrays[i].patterns);
    return clopt_text_take(&label);
}
