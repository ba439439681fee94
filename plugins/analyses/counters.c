/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the counters of variants beside their speed-ups, and trees that they grow. */
#include <math.h>

#include "analyses/analyses.h"
#include "results/counters.h"

#define LEAST_VARIANTS 10 /* of a tree */

static const char nothing_counted[] =
    "this run has no counters; say `counters = yes` in [measure] of the study";

/* ---- tables ---- */

/* Writes how many times as much as the initial code has, or how much that has itself. */
static void put_counter(struct clopt_grid *grid, const struct clopt_counted *counters, size_t row,
                        const char *name)
{
    if (row == counters->table->initial) {
        double value = clopt_counted_value(counters, row, name);
        clopt_grid_printf(grid, value, "%.4g", value);
        return;
    }
    double ratio = clopt_counted_ratio(counters, row, name);
    clopt_grid_printf(grid, ratio, "%.3gx", ratio);
}

/* The rows that are shown, by their numbers: the initial code, then the fastest first. */
struct order {
    size_t row;
    double speedup;
};

static int compare_rows(const void *a, const void *b)
{
    const struct order *first = a, *second = b;
    return (first->speedup < second->speedup) - (first->speedup > second->speedup);
}

static size_t find_order(const struct clopt_counted *counters, struct order *order)
{
    const struct clopt_results_table *table = counters->table;
    size_t count = 0;
    for (size_t row = 0; row < table->row_count; row++) {
        const struct clopt_result *cell = &table->rows[row].cells[counters->device];
        if (row == table->initial)
            order[count++] = (struct order){row, INFINITY};
        else if (clopt_counted_knows(counters, row))
            order[count++] = (struct order){row, cell->times[CLOPT_SCOPE_KERNEL].speedup.median};
    }
    qsort(order, count, sizeof *order, compare_rows);
    return count;
}

/* Fills a table with what the variants are called, or with their counters. */
static void fill_table(struct clopt_grid *grid, const struct clopt_counted *counters,
                       const struct order *order, size_t count, bool names)
{
    clopt_grid_add_column(grid, "*#No.");
    if (names)
        clopt_grid_add_columns(grid, "Variant, #Speed-up");
    for (size_t i = 0; i < counters->count && !names; i++)
        clopt_grid_add_column(grid, "#%s", counters->names[i]);
    for (size_t i = 0; i < count; i++) {
        clopt_grid_add_row(grid, "%zu", i);
        for (size_t c = 0; c < counters->count && !names; c++)
            put_counter(grid, counters, order[i].row, counters->names[c]);
        if (!names)
            continue;
        clopt_grid_put(grid, "%s", counters->table->rows[order[i].row].name);
        if (isinf(order[i].speedup))
            clopt_grid_put(grid, "%s", "");
        else
            clopt_grid_put_number(grid, order[i].speedup, 3);
    }
}

static void add_tables(struct clopt_document *document, const struct clopt_counted *counters)
{
    CLOPT_FREED struct order *order = clopt_calloc(counters->table->row_count, sizeof *order);
    size_t count = find_order(counters, order);
    for (int names = 1; names >= 0; names--) {
        struct clopt_grid grid = {0};
        fill_table(&grid, counters, order, count, names);
        clopt_document_table(document, &grid);
    }
}

/* Says where the initial code's counters are from: "driver; oclgrind size=64". */
static void append_sources(struct clopt_text *text, const struct clopt_counted *counters)
{
    const json_t *known =
        counters->table->rows[counters->table->initial].cells[counters->device].counters;
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)known, name, value)
    {
        const char *source = json_string_value(json_array_get(value, 2));
        if (source && !strstr(clopt_text_string(text), source))
            clopt_text_printf(text, "%s%s", text->length ? ", " : "Counters by: ", source);
    }
}

/* Appends what is known of a kernel on a device; false: that is nothing. */
static bool add_kernel(struct clopt_document *document, const struct clopt_results *results,
                       const struct clopt_counted *counters)
{
    const struct clopt_results_table *table = counters->table;
    const struct clopt_results_problem *problem = &results->problems[table->problem];
    const char *device = results->devices[counters->device].label;
    struct clopt_text text = {0};
    if (!counters->count || table->initial == CLOPT_NO_ROW)
        return false;
    clopt_document_heading(document, CLOPT_HEADING_KERNEL, "%s, %s %s, on %s", table->kernel,
                           problem->app, problem->label, device);
    append_sources(&text, counters);
    clopt_document_say(document, CLOPT_SENTENCE_PLAIN, &text);
    add_tables(document, counters);
    clopt_counted_explain(counters, device, &text);
    clopt_document_say(document, CLOPT_SENTENCE_PLAIN, &text);
    return true;
}

/* ---- trees ---- */

/* What trees of one device are grown from. */
struct gathered {
    struct clopt_feature *features; /* counters, whose names are the results' */
    size_t width;
    double *values;
    double *gains;
    size_t count;
};

static void add_names(struct gathered *gathered, const struct clopt_counted *counters)
{
    for (size_t i = 0; i < counters->count; i++) {
        size_t known = 0;
        while (known < gathered->width &&
               strcmp(gathered->features[known].name, counters->names[i]) != 0)
            known++;
        if (known < gathered->width || clopt_counted_is_time(counters->names[i]))
            continue;
        struct clopt_feature *feature =
            clopt_array_add(&gathered->features, &gathered->width, sizeof *feature);
        feature->name = counters->names[i];
    }
}

static void add_observations(struct gathered *gathered, const struct clopt_counted *counters)
{
    for (size_t row = 0; row < counters->table->row_count; row++) {
        if (!clopt_counted_knows(counters, row))
            continue;
        for (size_t c = 0; c < gathered->width; c++) {
            size_t count = gathered->count * gathered->width + c;
            double *value = clopt_array_add(&gathered->values, &count, sizeof *value);
            *value = clopt_counted_ratio_or_1(counters, row, gathered->features[c].name);
        }
        double *gain = clopt_array_add(&gathered->gains, &gathered->count, sizeof *gain);
        *gain = log2(counters->table->rows[row]
                         .cells[counters->device]
                         .times[CLOPT_SCOPE_KERNEL]
                         .speedup.median);
    }
}

/* Calls `add` with the counters of each kernel on a device. */
static void visit_tables(const struct clopt_results *results, size_t device,
                         struct gathered *gathered,
                         void (*add)(struct gathered *gathered,
                                     const struct clopt_counted *counters))
{
    for (size_t t = 0; t < results->table_count; t++) {
        CLOPT_OWNED(clopt_counted) counters = clopt_counted_find(&results->tables[t], device);
        add(gathered, &counters);
    }
}

enum clopt_status clopt_report_counter_trees(const struct clopt_analysis_request *request,
                                             struct clopt_document *document,
                                             struct clopt_error *error)
{
    CLOPT_HELD(clopt_results) results = NULL;
    struct clopt_tree_page page = {.document = document};
    CLOPT_TRY(clopt_results_gather(request->store, true, &results, error));
    for (size_t d = 0; d < results->device_count; d++) {
        struct gathered gathered = {.count = 0};
        visit_tables(results, d, &gathered, add_names);
        visit_tables(results, d, &gathered, add_observations);
        if (gathered.count >= LEAST_VARIANTS) {
            char title[256];
            const struct clopt_observations observations = {
                gathered.features, gathered.width, gathered.values, gathered.gains, gathered.count};
            snprintf(title, sizeof title, "%s: counters are ratios to the initial code's",
                     results->devices[d].label);
            clopt_tree_append(&page, &observations, title);
        }
        free(gathered.features);
        free(gathered.values);
        free(gathered.gains);
    }
    clopt_tree_page_finish(&page);
    return page.count
               ? CLOPT_OK
               : clopt_fail(error, CLOPT_FAILED,
                            "a tree needs %d variants with times and counters on a device; %s",
                            LEAST_VARIANTS, nothing_counted);
}

enum clopt_status clopt_report_counters(const struct clopt_analysis_request *request,
                                        struct clopt_document *document, struct clopt_error *error)
{
    CLOPT_HELD(clopt_results) results = NULL;
    bool any = false;
    CLOPT_TRY(clopt_results_gather(request->store, true, &results, error));
    if (request->value)
        return clopt_counters_by(results, request->value, document)
                   ? CLOPT_OK
                   : clopt_fail(error, CLOPT_FAILED,
                                "--counters=%s: no variant sets it that was counted; without "
                                "counters in a store, say `counters = yes` in [measure] of its "
                                "study",
                                request->value);
    for (size_t t = 0; t < results->table_count; t++)
        for (size_t d = 0; d < results->device_count; d++) {
            CLOPT_OWNED(clopt_counted) counters = clopt_counted_find(&results->tables[t], d);
            any |= add_kernel(document, results, &counters);
        }
    return any ? CLOPT_OK : clopt_fail(error, CLOPT_FAILED, "%s", nothing_counted);
}
