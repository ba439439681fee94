/* SPDX-License-Identifier: BSD-3-Clause */
/* What a parameter does to the best speed-up: of many kernels and devices, from many stores. */
#include "analyses/effect.h"

#include "analyses/analyses.h"

#include <math.h>

/* ---- names ---- */

/* Whether a value is of a parameter, which may have its optimization in front: "loops.unroll". */
static bool is_of(const struct clopt_name_value *value, const char *parameter)
{
    const char *point = strchr(parameter, '.');
    if (point && clopt_piece_is(value->name, point + 1))
        return value->optimization.length == (size_t)(point - parameter) &&
               strncmp(value->optimization.text, parameter, value->optimization.length) == 0;
    return clopt_piece_is(value->name, parameter);
}

/* Returns what a variant sets a parameter to: several values are joined by *; NULL: nothing. */
char *clopt_effect_value(struct clopt_effects *effects, const char *variant, const char *parameter)
{
    CLOPT_OWNED(clopt_text) text = {0};
    char *copy = NULL;
    for (struct clopt_name_value value = clopt_name_begin(variant); clopt_name_next(&value);)
        if (is_of(&value, parameter)) {
            clopt_text_append(&text, text.length ? "*" : "");
            clopt_text_append_bytes(&text, value.value.text, value.value.length);
        }
    if (text.length)
        copy = clopt_arena_copy(&effects->arena, text.data, text.length);
    return copy;
}

/* Whether a variant may be the baseline: nothing but what every launch needs is tuned, the local
 * size and the study's own parameters. */
static bool is_plain(const char *variant, const char *parameter, bool strict)
{
    for (struct clopt_name_value value = clopt_name_begin(variant); clopt_name_next(&value);)
        if (!strict || is_of(&value, parameter) ||
            (value.optimization.length && !clopt_piece_is(value.name, "local_size")))
            return false;
    return true;
}

/* ---- columns ---- */

size_t clopt_effect_number(const char ***names, size_t *count, const char *name)
{
    size_t i = 0;
    while (i < *count && strcmp((*names)[i], name) != 0)
        i++;
    if (i == *count) {
        const char **added = clopt_array_add(names, count, sizeof *added);
        *added = name;
    }
    return i;
}

static size_t number_column(struct clopt_effects *effects, const char *name)
{
    return clopt_effect_number(&effects->columns, &effects->column_count, name);
}

int clopt_effect_compare_values(const void *a, const void *b)
{
    const char *x = *(char *const *)a, *y = *(char *const *)b;
    double p = strtod(x, NULL), q = strtod(y, NULL);
    return p != q ? (p > q) - (p < q) : strcmp(x, y);
}

/* Takes the value of a variant, and the names of all that it sets. */
static void take_values(struct clopt_effects *effects, const char *variant, bool combined,
                        struct clopt_text *names)
{
    const char *own = combined ? NULL : clopt_effect_value(effects, variant, effects->parameter);
    if (own)
        number_column(effects, own);
    for (struct clopt_name_value value = clopt_name_begin(variant); clopt_name_next(&value);) {
        char name[80];
        snprintf(name, sizeof name, ", %.*s%s%.*s", (int)value.optimization.length,
                 value.optimization.text, value.optimization.length ? "." : "",
                 (int)value.name.length, value.name.text);
        if (!strstr(clopt_text_string(names), name))
            clopt_text_append(names, name);
    }
}

/* Finds all values; names what variants set instead where there are none. */
static enum clopt_status find_columns(struct clopt_effects *effects, struct clopt_error *error)
{
    CLOPT_OWNED(clopt_text) names = {0};
    number_column(effects, "initial");
    number_column(effects, "none");
    for (size_t r = 0; r < effects->result_count; r++)
        for (size_t t = 0; t < effects->results[r]->table_count; t++)
            for (size_t i = 0; i < effects->results[r]->tables[t].row_count; i++)
                take_values(effects, effects->results[r]->tables[t].rows[i].name,
                            clopt_table_is_combined(&effects->results[r]->tables[t]), &names);
    if (effects->column_count == CLOPT_EFFECT_FIRST_VALUE)
        return clopt_fail(error, CLOPT_INVALID, "--by=%s: no variant sets it%s%s",
                          effects->parameter, names.length ? "; they set " : "",
                          names.length ? clopt_text_string(&names) + 2 : "");
    qsort(effects->columns + CLOPT_EFFECT_FIRST_VALUE,
          effects->column_count - CLOPT_EFFECT_FIRST_VALUE, sizeof *effects->columns,
          clopt_effect_compare_values);
    number_column(effects, "best");
    return CLOPT_OK;
}

/* ---- effects ---- */

bool clopt_effect_is_faster(const struct clopt_results_row *row,
                            const struct clopt_results_row *best, size_t device)
{
    double median = row->cells[device].times[CLOPT_SCOPE_KERNEL].interval.median;
    return row->cells[device].ranked && !isnan(median) &&
           (!best || median < best->cells[device].times[CLOPT_SCOPE_KERNEL].interval.median);
}

/* Finds the fastest variant of each column, and its speed-up. */
static void rate(struct clopt_effects *effects, const struct clopt_results *results,
                 const struct clopt_results_table *table, size_t device,
                 struct clopt_effect *effect)
{
    struct clopt_effect_point *points = effect->points,
                              *best = &points[clopt_effects_best(effects)];
    for (size_t i = 0; i < table->row_count; i++) {
        const char *value = clopt_effect_value(effects, table->rows[i].name, effects->parameter);
        struct clopt_effect_point *point =
            &points[value ? number_column(effects, value) : CLOPT_EFFECT_NOT_SET];
        if (clopt_effect_is_faster(&table->rows[i], point->row, device))
            point->row = &table->rows[i];
    }
    if (table->initial != CLOPT_NO_ROW && table->rows[table->initial].cells[device].ranked)
        points[CLOPT_EFFECT_INITIAL].row = &table->rows[table->initial];
    best->speedup = clopt_interval_estimate(NULL, NULL, 0);
    for (struct clopt_effect_point *point = points; point < best; point++) {
        point->speedup = clopt_interval_estimate(NULL, NULL, 0);
        if (point->row)
            point->speedup = clopt_results_ratio(results, &effect->baseline->cells[device],
                                                 &point->row->cells[device], CLOPT_SCOPE_KERNEL);
        if (point >= points + CLOPT_EFFECT_FIRST_VALUE && point->row &&
            !(point->speedup.median <= best->speedup.median))
            *best = *point;
    }
}

/* Finds the number of a device, which is new or known from another store. */
static size_t number_device(struct clopt_effects *effects,
                            const struct clopt_results_device *device)
{
    size_t i = 0;
    while (i < effects->device_count &&
           (strcmp(effects->devices[i]->platform, device->platform) != 0 ||
            strcmp(effects->devices[i]->name, device->name) != 0 ||
            strcmp(effects->devices[i]->driver_version, device->driver_version) != 0))
        i++;
    if (i == effects->device_count) {
        const struct clopt_results_device **added =
            clopt_array_add(&effects->devices, &effects->device_count, sizeof *added);
        *added = device;
    }
    return i;
}

static void add_effect(struct clopt_effects *effects, const struct clopt_results *results,
                       const struct clopt_results_table *table, size_t device)
{
    const struct clopt_results_row *baseline = NULL;
    for (size_t i = 0; i < table->row_count; i++)
        if (is_plain(table->rows[i].name, effects->parameter, effects->strict) &&
            clopt_effect_is_faster(&table->rows[i], baseline, device))
            baseline = &table->rows[i];
    if (!baseline)
        return;
    struct clopt_effect *effect = clopt_array_add(&effects->items, &effects->count, sizeof *effect);
    struct clopt_effect_point *points =
        clopt_arena_get(&effects->arena, effects->column_count * sizeof *points);
    *effect = (struct clopt_effect){.kernel = table->kernel,
                                    .problem = &results->problems[table->problem],
                                    .device = number_device(effects, &results->devices[device]),
                                    .results = results,
                                    .own_device = device,
                                    .baseline = baseline,
                                    .points = points};
    rate(effects, results, table, device, effect);
}

static int compare_effects(const void *a, const void *b)
{
    const struct clopt_effect *x = a, *y = b;
    int device = (x->device > y->device) - (x->device < y->device);
    int kernel = strcmp(x->kernel, y->kernel);
    return device ? device : kernel ? kernel : strcmp(x->problem->label, y->problem->label);
}

/* Calls each effect by its kernel, and by its problem where that alone does not tell. */
static void label_effects(struct clopt_effects *effects)
{
    struct clopt_effect *items = effects->items;
    for (size_t i = 0; i < effects->count; i++) {
        bool alone = true;
        for (size_t k = 0; k < effects->count; k++)
            alone = alone && (i == k || strcmp(items[i].kernel, items[k].kernel) != 0 ||
                              strcmp(items[i].problem->label, items[k].problem->label) == 0);
        CLOPT_FREED char *label = clopt_text_format("%s%s%s", items[i].kernel, alone ? "" : " ",
                                                    alone ? "" : items[i].problem->label);
        items[i].label_number =
            clopt_effect_number(&effects->labels, &effects->label_count,
                                clopt_arena_copy(&effects->arena, label, strlen(label)));
    }
}

static enum clopt_status find_effects(struct clopt_effects *effects, struct clopt_error *error)
{
    for (size_t r = 0; r < effects->result_count; r++) {
        const struct clopt_results *results = effects->results[r];
        for (size_t t = 0; t < results->table_count; t++)
            for (size_t d = 0; d < results->device_count; d++)
                if (!clopt_table_is_combined(&results->tables[t]))
                    add_effect(effects, results, &results->tables[t], d);
    }
    if (!effects->count)
        return clopt_fail(error, CLOPT_FAILED, "no baseline was measured on any device");
    qsort(effects->items, effects->count, sizeof *effects->items, compare_effects);
    label_effects(effects);
    return CLOPT_OK;
}

/* Parts "granularity+stride". */
static enum clopt_status take_parameters(struct clopt_effects *effects, const char *value,
                                         struct clopt_error *error)
{
    char *plus, *parameter = clopt_arena_copy(&effects->arena, value, strlen(value));
    effects->parameter = parameter;
    if (!(plus = strchr(parameter, '+')))
        return CLOPT_OK;
    *plus = '\0';
    effects->added = plus + 1;
    return plus > parameter && plus[1] && !strchr(plus + 1, '+')
               ? CLOPT_OK
               : clopt_fail(error, CLOPT_INVALID, "--by=%s: one parameter, or two joined by +",
                            value);
}

/* Refuses a second parameter that no variant sets. */
static enum clopt_status check_added(struct clopt_effects *effects, struct clopt_error *error)
{
    if (!effects->added)
        return CLOPT_OK;
    for (size_t r = 0; r < effects->result_count; r++)
        for (size_t t = 0; t < effects->results[r]->table_count; t++)
            for (size_t i = 0; i < effects->results[r]->tables[t].row_count; i++)
                if (clopt_effect_value(effects, effects->results[r]->tables[t].rows[i].name,
                                       effects->added))
                    return CLOPT_OK;
    return clopt_fail(error, CLOPT_INVALID, "--by=%s+%s: no variant sets %s", effects->parameter,
                      effects->added, effects->added);
}

static void clopt_effects_fini(struct clopt_effects *effects)
{
    for (size_t i = 0; i < effects->result_count; i++)
        clopt_results_destroy(effects->results[i]);
    clopt_arena_fini(&effects->arena);
    free(effects->results);
    free(effects->columns);
    free(effects->labels);
    free(effects->devices);
    free(effects->items);
}

enum clopt_status clopt_report_effects(const struct clopt_analysis_request *request,
                                       struct clopt_document *document, struct clopt_error *error)
{
    CLOPT_OWNED(clopt_effects) effects = {.document = document,
                                          .strict = !request->baseline ||
                                                    strcmp(request->baseline, "strict") == 0};
    if (!effects.strict && strcmp(request->baseline, "initial") != 0)
        return clopt_fail(error, CLOPT_INVALID, "--baseline=%s: choose strict or initial",
                          request->baseline);
    CLOPT_TRY(take_parameters(&effects, request->value, error));
    effects.results = clopt_calloc(request->path_count, sizeof(struct clopt_results *));
    for (; effects.result_count < request->path_count; effects.result_count++) {
        size_t i = effects.result_count;
        CLOPT_TRY(clopt_results_read(request->paths[i], &effects.results[i], error));
    }
    CLOPT_TRY(find_columns(&effects, error));
    CLOPT_TRY(check_added(&effects, error));
    CLOPT_TRY(find_effects(&effects, error));
    clopt_effects_show(&effects);
    return CLOPT_OK;
}
