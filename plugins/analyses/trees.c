/* SPDX-License-Identifier: BSD-3-Clause */
/* Explains the speed-ups of a store by one regression tree, which a person can read. */
#include <math.h>

#include "analyses/analyses.h"
#include "exchange/exchange.h"
#include "text/json.h"

#define LEAST_VARIANTS 10

/* The variants of all kernels and devices: configurations with "kernel", "device", "problem". */
struct fitting {
    json_t *rows;
    json_t *keys;
    double *gains; /* logarithms to base 2 of speed-ups */
    size_t count;
};

struct column {
    struct clopt_feature feature;
    const char *categories[CLOPT_MOST_CATEGORIES];
    bool numeric;
};

/* ---- rows ---- */

/* What rows of one subject are made with. */
struct adding {
    struct fitting *fitting;
    double initial_ms;
};

static enum clopt_status add_row(void *user, const struct clopt_exchange_entry *entry,
                                 struct clopt_error *error)
{
    const struct adding *adding = user;
    struct fitting *fitting = adding->fitting;
    const struct clopt_exchange *exchange = entry->exchange;
    const char *key;
    json_t *value;
    (void)error;
    if (isnan(entry->time_ms))
        return CLOPT_OK;
    json_t *row = json_copy(entry->configuration);
    json_auto_t *subject = clopt_json_object("kernel:s problem:s device:s", exchange->table->kernel,
                                             exchange->problem->label, exchange->device->name);
    json_object_update(row, subject);
    json_object_foreach(row, key, value) json_object_set_new(fitting->keys, key, json_true());
    json_array_append_new(fitting->rows, row);
    clopt_array_grow(&fitting->gains, fitting->count, sizeof *fitting->gains);
    fitting->gains[fitting->count++] = log2(adding->initial_ms / entry->time_ms);
    return CLOPT_OK;
}

/* Adds the variants of a subject, unless there is no time to compare theirs with. */
static enum clopt_status add_subject(const struct clopt_exchange *exchange, json_t **document,
                                     struct clopt_error *error)
{
    const struct clopt_results_table *table = exchange->table;
    struct adding adding = {exchange->user, 0};
    *document = NULL;
    if (table->initial == CLOPT_NO_ROW)
        return CLOPT_OK;
    const struct clopt_result *initial =
        &table->rows[table->initial].cells[exchange->device_number];
    if (clopt_exchange_state(initial) != CLOPT_EXCHANGE_RIGHT)
        return CLOPT_OK;
    adding.initial_ms = initial->times[CLOPT_SCOPE_KERNEL].interval.median / 1e6;
    return clopt_exchange_visit(exchange, add_row, &adding, error);
}

/* ---- columns ---- */

/* Returns a value as a category: texts, and numbers beside texts. */
static void write_category(char *text, size_t size, const json_t *value)
{
    if (json_is_string(value) && json_string_length(value))
        snprintf(text, size, "%s", json_string_value(value));
    else if (json_is_number(value))
        snprintf(text, size, "%g", json_number_value(value));
    else
        snprintf(text, size, "none");
}

/* Gives each row a number in a column; false where the column tells nothing that a tree can ask. */
static bool fill_column(const struct fitting *fitting, const char *key, struct column *column,
                        double *values, size_t width)
{
    size_t index;
    const json_t *row;
    column->feature = (struct clopt_feature){.name = key};
    column->numeric = true;
    json_array_foreach(fitting->rows, index, row)
    {
        const json_t *value = json_object_get(row, key);
        column->numeric =
            column->numeric && (!value || json_is_null(value) || json_is_number(value));
        values[index * width] = json_number_value(value); /* 0: it is not applied */
    }
    for (index = 0; column->numeric && index < fitting->count; index++)
        if (values[index * width] != values[0])
            return true;
    if (column->numeric)
        return false;
    json_array_foreach(fitting->rows, index, row)
    {
        char text[128];
        size_t known = 0;
        write_category(text, sizeof text, json_object_get(row, key));
        while (known < column->feature.category_count &&
               strcmp(column->categories[known], text) != 0)
            known++;
        if (known == CLOPT_MOST_CATEGORIES)
            return false;
        if (known == column->feature.category_count)
            column->categories[column->feature.category_count++] = clopt_strdup(text);
        values[index * width] = (double)known;
    }
    column->feature.categories = column->categories;
    return column->feature.category_count > 1;
}

static void fini_column(struct column *column)
{
    for (size_t i = 0; i < column->feature.category_count; i++)
        free((char *)column->categories[i]);
    *column = (struct column){0};
}

/* ---- the tree ---- */

static void plant(const struct fitting *fitting, struct clopt_tree_page *page)
{
    size_t width = json_object_size(fitting->keys), used = 0;
    CLOPT_FREED struct column *columns = clopt_calloc(width + 1, sizeof *columns);
    CLOPT_FREED struct clopt_feature *features = clopt_calloc(width + 1, sizeof *features);
    CLOPT_FREED double *values = clopt_calloc(width * fitting->count + 1, sizeof *values);
    const char *key;
    json_t *value;
    json_object_foreach(fitting->keys, key, value)
    {
        if (fill_column(fitting, key, &columns[used], values + used, width)) {
            used++;
            continue;
        }
        fini_column(&columns[used]);
        for (size_t i = 0; i < fitting->count; i++)
            values[i * width + used] = 0;
    }
    for (size_t c = 0; c < width; c++)
        features[c] = c < used ? columns[c].feature : (struct clopt_feature){.name = ""};
    const struct clopt_observations observations = {features, width, values, fitting->gains,
                                                    fitting->count};
    clopt_tree_append(page, &observations, NULL);
    for (size_t c = 0; c < used; c++)
        fini_column(&columns[c]);
}

static void fitting_fini(struct fitting *fitting)
{
    json_decref(fitting->rows);
    json_decref(fitting->keys);
    free(fitting->gains);
}

/* Grows one tree over what steps, kernels, problems and devices differ in. */
static enum clopt_status grow(const struct clopt_analysis_request *request,
                              struct clopt_document *document, struct clopt_error *error)
{
    struct clopt_tree_page page = {.document = document};
    CLOPT_OWNED(fitting) fitting = {.rows = json_array(), .keys = json_object()};
    static const struct clopt_exchange_format format = {.make = add_subject};
    const struct clopt_report_exchange wanted = {.selection = request->selection, .user = &fitting};
    CLOPT_TRY(clopt_exchange_write(request->store, &format, &wanted, error));
    if (fitting.count < LEAST_VARIANTS)
        return clopt_fail(error, CLOPT_FAILED,
                          "a tree needs %d variants with times beside the initial code's; there "
                          "are %zu",
                          LEAST_VARIANTS, fitting.count);
    plant(&fitting, &page);
    clopt_tree_page_finish(&page);
    return CLOPT_OK;
}

enum clopt_status clopt_report_tree(const struct clopt_analysis_request *request,
                                    struct clopt_document *document, struct clopt_error *error)
{
    if (!request->value)
        return grow(request, document, error);
    if (strcmp(request->value, "counters") == 0)
        return clopt_report_counter_trees(request, document, error);
    return clopt_fail(error, CLOPT_INVALID,
                      "--tree=%s: a tree is grown from counters, or from what steps differ in "
                      "(--tree)",
                      request->value);
}
