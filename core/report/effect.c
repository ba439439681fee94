/* SPDX-License-Identifier: BSD-3-Clause */
/* What a parameter does to the best speed-up. */
#include "report/effect.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "text/array.h"
#include "text/text.h"
#include "text/variant_name.h"

#define NONE "none"

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

char *clopt_effect_value(const char *variant, const char *parameter)
{
    struct clopt_text text = {0};
    for (struct clopt_name_value value = clopt_name_begin(variant); clopt_name_next(&value);)
        if (is_of(&value, parameter)) {
            clopt_text_append(&text, text.length ? "*" : "");
            clopt_text_append_bytes(&text, value.value.text, value.value.length);
        }
    return text.length ? clopt_text_take(&text) : NULL;
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

/* ---- values ---- */

static enum clopt_status add_value(struct clopt_effects *effects, const char *name,
                                   struct clopt_error *error)
{
    for (size_t i = 0; i < effects->value_count; i++)
        if (strcmp(effects->values[i], name) == 0)
            return CLOPT_OK;
    char **value = clopt_array_add(&effects->values, &effects->value_count, sizeof *value);
    if (value)
        *value = strdup(name);
    return value && *value ? CLOPT_OK : clopt_fail_memory(error);
}

/* The value that changes nothing comes first, then numbers in their order. */
static int compare_values(const void *a, const void *b)
{
    const char *x = *(char *const *)a, *y = *(char *const *)b;
    int none = (strcmp(y, NONE) == 0) - (strcmp(x, NONE) == 0);
    double p = strtod(x, NULL), q = strtod(y, NULL);
    return none ? none : p != q ? (p > q) - (p < q) : strcmp(x, y);
}

static enum clopt_status add_values(struct clopt_effects *effects,
                                    const struct clopt_results_table *table,
                                    struct clopt_error *error)
{
    enum clopt_status status = CLOPT_OK;
    for (size_t i = 0; i < table->row_count && !status; i++) {
        char *value = clopt_effect_value(table->rows[i].name, effects->request->parameter);
        status = value ? add_value(effects, value, error) : CLOPT_OK;
        free(value);
    }
    return status;
}

/* Names what variants set instead. */
static enum clopt_status fail_unknown(const struct clopt_effects *effects,
                                      struct clopt_error *error)
{
    struct clopt_text names = {0};
    for (size_t r = 0; r < effects->result_count; r++)
        for (size_t t = 0; t < effects->results[r]->table_count; t++) {
            const struct clopt_results_table *table = &effects->results[r]->tables[t];
            for (size_t i = 0; i < table->row_count; i++) {
                struct clopt_name_value value = clopt_name_begin(table->rows[i].name);
                while (clopt_name_next(&value)) {
                    char name[80];
                    snprintf(name, sizeof name, ", %.*s%s%.*s", (int)value.optimization.length,
                             value.optimization.text, value.optimization.length ? "." : "",
                             (int)value.name.length, value.name.text);
                    if (!strstr(clopt_text_string(&names), name))
                        clopt_text_append(&names, name);
                }
            }
        }
    enum clopt_status status = clopt_fail(
        error, CLOPT_INVALID, "--by=%s: no variant sets it%s%s", effects->request->parameter,
        names.length ? "; they set " : "", names.length ? clopt_text_string(&names) + 2 : "");
    clopt_text_fini(&names);
    return status;
}

/* ---- effects ---- */

static double median_of(const struct clopt_results_row *row, size_t device)
{
    return row->cells[device].times[CLOPT_SCOPE_KERNEL].interval.median;
}

/* Whether a row is the fastest so far, of those whose results are right. */
static bool is_faster(const struct clopt_results_row *row, const struct clopt_results_row *best,
                      size_t device)
{
    return row->cells[device].ranked && !isnan(median_of(row, device)) &&
           (!best || median_of(row, device) < median_of(best, device));
}

static size_t find_value(const struct clopt_effects *effects, const char *variant)
{
    char *value = clopt_effect_value(variant, effects->request->parameter);
    size_t i = 0;
    while (value && strcmp(effects->values[i], value) != 0)
        i++;
    free(value);
    return i;
}

static const struct clopt_results_row *find_baseline(const struct clopt_effects *effects,
                                                     const struct clopt_results_table *table,
                                                     size_t device)
{
    const struct clopt_results_row *best = NULL;
    for (size_t i = 0; i < table->row_count; i++)
        if (is_plain(table->rows[i].name, effects->request->parameter, effects->request->strict) &&
            is_faster(&table->rows[i], best, device))
            best = &table->rows[i];
    return best;
}

static void rate(const struct clopt_effects *effects, const struct clopt_results *results,
                 const struct clopt_results_table *table, size_t device,
                 struct clopt_effect *effect)
{
    size_t baseline = (size_t)(effect->baseline - table->rows);
    for (size_t i = 0; i < table->row_count; i++) {
        struct clopt_effect_point *point =
            &effect->points[find_value(effects, table->rows[i].name)];
        if (is_faster(&table->rows[i], point->row, device))
            point->row = &table->rows[i];
    }
    for (size_t v = 0; v < effects->value_count; v++) {
        struct clopt_effect_point *point = &effect->points[v];
        if (!point->row)
            continue;
        point->speedup =
            clopt_results_ratio(results, table, baseline, table, (size_t)(point->row - table->rows),
                                device, CLOPT_SCOPE_KERNEL);
        if (v && (effect->best == CLOPT_NO_ROW ||
                  point->speedup.median > effect->points[effect->best].speedup.median))
            effect->best = v;
    }
    effect->initial.median = NAN;
    if (table->initial != CLOPT_NO_ROW && table->rows[table->initial].cells[device].ranked)
        effect->initial = clopt_results_ratio(results, table, baseline, table, table->initial,
                                              device, CLOPT_SCOPE_KERNEL);
}

static bool is_same(const struct clopt_results_device *a, const struct clopt_results_device *b)
{
    return strcmp(a->platform, b->platform) == 0 && strcmp(a->name, b->name) == 0 &&
           strcmp(a->driver_version, b->driver_version) == 0;
}

/* Finds the number of a device, which is new or known from another store. */
static size_t number_device(struct clopt_effects *effects,
                            const struct clopt_results_device *device)
{
    size_t i = 0;
    while (i < effects->device_count && !is_same(effects->devices[i], device))
        i++;
    if (i == effects->device_count)
        effects->devices[effects->device_count++] = device;
    return i;
}

static enum clopt_status add_effect(struct clopt_effects *effects,
                                    const struct clopt_results *results,
                                    const struct clopt_results_table *table, size_t device,
                                    struct clopt_error *error)
{
    const struct clopt_results_problem *problem = &results->problems[table->problem];
    const struct clopt_results_row *baseline = find_baseline(effects, table, device);
    if (!baseline)
        return CLOPT_OK;
    struct clopt_effect *effect = clopt_array_add(&effects->items, &effects->count, sizeof *effect);
    if (!effect)
        return clopt_fail_memory(error);
    *effect = (struct clopt_effect){.kernel = table->kernel,
                                    .problem = problem->label,
                                    .app = problem->app,
                                    .device = number_device(effects, &results->devices[device]),
                                    .baseline = baseline,
                                    .points = calloc(effects->value_count, sizeof *effect->points),
                                    .best = CLOPT_NO_ROW};
    if (!effect->points)
        return clopt_fail_memory(error);
    rate(effects, results, table, device, effect);
    return CLOPT_OK;
}

static enum clopt_status add_effects(struct clopt_effects *effects, struct clopt_error *error)
{
    size_t devices = 0;
    for (size_t r = 0; r < effects->result_count; r++)
        devices += effects->results[r]->device_count;
    effects->devices = calloc(devices + 1, sizeof *effects->devices);
    enum clopt_status status = effects->devices ? CLOPT_OK : clopt_fail_memory(error);
    for (size_t r = 0; r < effects->result_count; r++) {
        const struct clopt_results *results = effects->results[r];
        for (size_t t = 0; t < results->table_count; t++)
            for (size_t d = 0; d < results->device_count && !status; d++)
                if (!clopt_table_is_combined(&results->tables[t]))
                    status = add_effect(effects, results, &results->tables[t], d, error);
    }
    return status;
}

/* ---- labels ---- */

static int compare_effects(const void *a, const void *b)
{
    const struct clopt_effect *x = a, *y = b;
    int device = (x->device > y->device) - (x->device < y->device);
    int kernel = strcmp(x->kernel, y->kernel);
    return device ? device : kernel ? kernel : strcmp(x->problem, y->problem);
}

/* Calls each effect by its kernel, and by its problem where that alone does not tell. */
static enum clopt_status label_effects(struct clopt_effects *effects, struct clopt_error *error)
{
    struct clopt_effect *items = effects->items;
    for (size_t i = 0; i < effects->count; i++) {
        bool alone = true;
        for (size_t k = 0; k < effects->count; k++)
            alone = alone && (i == k || strcmp(items[i].kernel, items[k].kernel) != 0 ||
                              strcmp(items[i].problem, items[k].problem) == 0);
        struct clopt_text label = {0};
        clopt_text_printf(&label, "%s%s%s", items[i].kernel, alone ? "" : " ",
                          alone ? "" : items[i].problem);
        items[i].label = clopt_text_take(&label);
        if (!items[i].label)
            return clopt_fail_memory(error);
    }
    return CLOPT_OK;
}

const char *clopt_effects_device(const struct clopt_effects *effects, size_t device)
{
    for (size_t i = 0; i < effects->device_count; i++)
        if (i != device && strcmp(effects->devices[i]->label, effects->devices[device]->label) == 0)
            return effects->devices[device]->platform;
    return effects->devices[device]->label;
}

struct clopt_interval clopt_effects_mean(const struct clopt_effects *effects, size_t device,
                                         size_t value)
{
    struct clopt_interval mean = {0};
    double sum = 0, squares = 0;
    for (size_t i = 0; i < effects->count; i++) {
        const struct clopt_effect *effect = &effects->items[i];
        size_t v = value == CLOPT_NO_ROW ? effect->best : value;
        if (effect->device != device || v == CLOPT_NO_ROW || !effect->points[v].row)
            continue;
        const struct clopt_interval *speedup = &effect->points[v].speedup;
        double half = log(speedup->high / speedup->low) / 2;
        sum += log(speedup->median);
        squares += half * half;
        mean.samples++;
    }
    double count = (double)mean.samples;
    mean.median = exp(sum / count);
    mean.low = exp((sum - sqrt(squares)) / count);
    mean.high = exp((sum + sqrt(squares)) / count);
    return mean;
}

/* ---- stores ---- */

static enum clopt_status read_store(struct clopt_effects *effects, const char *path,
                                    struct clopt_error *error)
{
    struct clopt_store *store = NULL;
    struct clopt_results *results = NULL;
    enum clopt_status status = clopt_store_open_read(path, &store, error);
    if (!status)
        status = clopt_results_gather(store, true, &results, error);
    clopt_store_close(store);
    if (status) {
        clopt_results_destroy(results);
        return status;
    }
    effects->results[effects->result_count++] = results;
    for (size_t t = 0; t < results->table_count && !status; t++)
        if (!clopt_table_is_combined(&results->tables[t]))
            status = add_values(effects, &results->tables[t], error);
    return status;
}

enum clopt_status clopt_effects_init(struct clopt_effects *effects,
                                     const struct clopt_report_effects *request,
                                     struct clopt_error *error)
{
    *effects = (struct clopt_effects){.request = request};
    effects->results = calloc(request->path_count, sizeof(struct clopt_results *));
    enum clopt_status status =
        effects->results ? add_value(effects, NONE, error) : clopt_fail_memory(error);
    for (size_t i = 0; i < request->path_count && !status; i++)
        status = read_store(effects, request->paths[i], error);
    if (!status && effects->value_count == 1)
        status = fail_unknown(effects, error);
    if (!status) {
        qsort(effects->values, effects->value_count, sizeof *effects->values, compare_values);
        status = add_effects(effects, error);
    }
    if (!status && !effects->count)
        status = clopt_fail(error, CLOPT_FAILED, "no baseline was measured on any device");
    if (!status) {
        qsort(effects->items, effects->count, sizeof *effects->items, compare_effects);
        status = label_effects(effects, error);
    }
    if (status)
        clopt_effects_fini(effects);
    return status;
}

void clopt_effects_fini(struct clopt_effects *effects)
{
    for (size_t i = 0; i < effects->count; i++) {
        free(effects->items[i].label);
        free(effects->items[i].points);
    }
    for (size_t i = 0; i < effects->value_count; i++)
        free(effects->values[i]);
    for (size_t i = 0; i < effects->result_count; i++)
        clopt_results_destroy(effects->results[i]);
    free(effects->items);
    free(effects->values);
    free(effects->devices);
    free(effects->results);
    *effects = (struct clopt_effects){0};
}
