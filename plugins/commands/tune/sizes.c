/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the sizes over which a search goes, and finds where they are in the study. */
#include "commands/tune/sizes.h"

#include <math.h>

#include "text/suggest.h"

#define MOST_VALUES 4096 /* of a size, as in a study */
#define MOST_NAMES  32   /* that a message lists */

void clopt_size_axes_fini(struct clopt_size_axes *axes)
{
    for (size_t i = 0; i < axes->count; i++) {
        free(axes->items[i].name);
        free(axes->items[i].values);
        free(axes->items[i].chosen);
        free(axes->items[i].fresh);
    }
    free(axes->items);
}

/* ---- reading ---- */

static int compare_values(const void *a, const void *b)
{
    const int64_t *one = a, *other = b;
    return *one < *other ? -1 : *one > *other;
}

static void take_values(struct clopt_size_axis *axis, const struct clopt_list *list)
{
    axis->values = clopt_calloc(list->count, sizeof *axis->values);
    axis->chosen = clopt_calloc(list->count, sizeof *axis->chosen);
    axis->fresh = clopt_calloc(list->count, sizeof *axis->fresh);
    for (size_t i = 0; i < list->count; i++)
        axis->values[i] = strtoll(list->items[i], NULL, 10);
    qsort(axis->values, list->count, sizeof *axis->values, compare_values);
    for (size_t i = 0; i < list->count; i++)
        if (!i || axis->values[i] != axis->values[axis->count - 1])
            axis->values[axis->count++] = axis->values[i];
}

/* Reads "n = 128, 512". */
static enum clopt_status read_axis(char *text, struct clopt_size_axes *axes,
                                   struct clopt_error *error)
{
    char *equals = strchr(text, '=');
    CLOPT_OWNED(clopt_list) list = {0};
    if (!equals)
        return clopt_fail(error, CLOPT_INVALID,
                          "%s: not of the form NAME = VALUES, such as n = pow2 128..4096",
                          clopt_text_trim(text));
    *equals = '\0';
    const char *name = clopt_text_trim(text);
    if (!clopt_is_identifier(name))
        return clopt_fail(error, CLOPT_INVALID, "%s: no name of a size", *name ? name : "=");
    for (size_t i = 0; i < axes->count; i++)
        if (strcmp(axes->items[i].name, name) == 0)
            return clopt_fail(error, CLOPT_INVALID, "%s: is there twice", name);
    if (clopt_list_parse(equals + 1, CLOPT_INTEGER, MOST_VALUES, &list, error))
        return clopt_fail_within(error, "%s", name);
    struct clopt_size_axis *axis = clopt_array_add(&axes->items, &axes->count, sizeof *axis);
    axis->name = clopt_strdup(name);
    take_values(axis, &list);
    return CLOPT_OK;
}

enum clopt_status clopt_size_axes_read(const char *text, struct clopt_size_axes *axes,
                                       struct clopt_error *error)
{
    CLOPT_FREED char *copy = clopt_strdup(text);
    enum clopt_status status = CLOPT_OK;
    for (char *rest = copy, *part; (part = strsep(&rest, ";")) && !status;)
        if (rest || *clopt_text_trim(part) || !axes->count) /* a last ; may stand */
            status = read_axis(part, axes, error);
    return status ? clopt_fail_within(error, "--sizes") : CLOPT_OK;
}

/* ---- in the study ---- */

static const struct clopt_parameter *inputs_of(const struct clopt_study *study, size_t app)
{
    return study->apps[app].entry->extension->app->inputs;
}

/* Refuses a name, and lists those that there are. */
static enum clopt_status fail_unknown(const char *name, const struct clopt_study *study,
                                      struct clopt_error *error)
{
    const char *names[MOST_NAMES];
    size_t count = 0;
    for (size_t a = 0; a < study->app_count; a++)
        for (const struct clopt_parameter *input = inputs_of(study, a); input && input->name;
             input++)
            if (count < MOST_NAMES && input->type == CLOPT_INTEGER)
                names[count++] = input->name;
    CLOPT_OWNED(clopt_text)
    meant = clopt_suggest_or_list(name, names, count, count ? "these are:" : "it has none");
    return clopt_fail(error, CLOPT_INVALID, "--sizes: %s: no size of %s; %s", name, study->path,
                      clopt_text_string(&meant));
}

enum clopt_status clopt_size_axes_check(const struct clopt_size_axes *axes,
                                        const struct clopt_study *study, struct clopt_error *error)
{
    for (size_t i = 0; i < axes->count; i++) {
        const char *name = axes->items[i].name;
        const struct clopt_parameter *found = NULL;
        for (size_t a = 0; a < study->app_count && !found; a++)
            found = inputs_of(study, a) ? clopt_parameter_find(inputs_of(study, a), name) : NULL;
        if (!found)
            return fail_unknown(name, study, error);
        if (found->type != CLOPT_INTEGER)
            return clopt_fail(error, CLOPT_INVALID,
                              "--sizes: %s: a size is an integer, and this %s", name,
                              clopt_type_text(found->type));
    }
    return CLOPT_OK;
}

/* Whether a section, by its name, has sizes: those of an app that the study describes have one of
 * their own. */
static bool has_sizes(const char *name, size_t length, const struct clopt_study *study)
{
    static const char app[] = "app ";
    if (strncmp(name, "size", strlen("size")) == 0 &&
        (length == strlen("size") || name[strlen("size")] == ' '))
        return true;
    for (size_t a = 0; a < study->app_count; a++) {
        const struct clopt_plugin_entry *entry = study->apps[a].entry;
        const char *own = entry->extension->name;
        if (!entry->description && strncmp(name, app, strlen(app)) == 0 &&
            length == strlen(app) + strlen(own) &&
            strncmp(name + strlen(app), own, strlen(own)) == 0)
            return true;
    }
    return false;
}

char *clopt_size_axis_section(const struct clopt_size_axis *axis, const struct clopt_study *study,
                              const char **at)
{
    const char *section = NULL;
    size_t length = 0, name = strlen(axis->name);
    for (const char *line = *at ? *at : study->effective; *line;
         line += strcspn(line, "\n") + (line[strcspn(line, "\n")] != 0)) {
        if (*line == '[') {
            section = line + 1;
            length = strcspn(section, "]");
        }
        if (section && strncmp(line, axis->name, name) == 0 && strncmp(line + name, " =", 2) == 0 &&
            has_sizes(section, length, study)) {
            *at = line + strcspn(line, "\n");
            return clopt_strndup(section, length);
        }
    }
    return NULL;
}

/* ---- which values ---- */

size_t clopt_size_axis_middle(const struct clopt_size_axis *axis, size_t first, size_t last)
{
    size_t middle = first;
    double least = INFINITY;
    double low = fmax(1, (double)axis->values[first]), high = (double)axis->values[last];
    for (size_t i = first + 1; i < last; i++) {
        double value = fmax(1, (double)axis->values[i]);
        double distance = fabs(log(value / low) - log(fmax(1, high) / value));
        if (distance < least) {
            least = distance;
            middle = i;
        }
    }
    return middle;
}

void clopt_size_axes_begin(struct clopt_size_axes *axes)
{
    for (size_t i = 0; i < axes->count; i++) {
        struct clopt_size_axis *axis = &axes->items[i];
        size_t last = axis->count - 1;
        axis->chosen[0] = axis->chosen[last] = axis->chosen[clopt_size_axis_middle(axis, 0, last)] =
            true;
    }
}

size_t clopt_size_axis_find(const struct clopt_size_axis *axis,
                            const struct clopt_results_problem *problem)
{
    const char *text = json_string_value(json_object_get(problem->inputs, axis->name));
    for (size_t i = 0; text && i < axis->count; i++)
        if (axis->values[i] == strtoll(text, NULL, 10))
            return i;
    return SIZE_MAX;
}

void clopt_size_axes_take(struct clopt_size_axes *axes, const struct clopt_results *results)
{
    for (size_t i = 0; i < axes->count; i++)
        for (size_t p = 0; p < results->problem_count; p++) {
            size_t value = clopt_size_axis_find(&axes->items[i], &results->problems[p]);
            if (value != SIZE_MAX)
                axes->items[i].chosen[value] = true;
        }
}

void clopt_size_axis_append(struct clopt_text *text, const struct clopt_size_axis *axis,
                            const bool *marked)
{
    const char *comma = "";
    for (size_t i = 0; i < axis->count; i++)
        if (!marked || marked[i]) {
            clopt_text_printf(text, "%s%" PRId64, comma, axis->values[i]);
            comma = ", ";
        }
}

size_t clopt_size_axis_count(const struct clopt_size_axis *axis, const bool *marked)
{
    size_t count = 0;
    for (size_t i = 0; i < axis->count; i++)
        count += marked[i];
    return count;
}
