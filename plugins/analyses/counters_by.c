/* SPDX-License-Identifier: BSD-3-Clause */
/* Counters by the value of a parameter, over those of the initial code: a line a kernel, a panel a
 * counter. */
#include <math.h>

#include "analyses/analyses.h"
#include "analyses/effect.h"
#include "results/counters.h"

#define COLUMNS      3 /* of panels */
#define PANEL_HEIGHT 200

/* The kernels of a device, and what they are compared by. */
struct counting {
    struct clopt_effects names; /* its parameter, and the memory of values */
    const struct clopt_results *results;
    size_t device;
    struct clopt_counted *kernels;
    size_t kernel_count;
    const char **values; /* of the parameter, in ascending order */
    size_t value_count;
    const char **counters;
    size_t counter_count;
};

/* ---- what there is ---- */

/* Returns how many times as much as the initial code the fastest variant with a value counts; NaN:
 * that was not counted. */
static double ratio_of(struct counting *counting, const struct clopt_counted *kernel,
                       const char *counter, const char *value)
{
    const struct clopt_results_row *rows = kernel->table->rows, *best = NULL;
    for (size_t i = 0; i < kernel->table->row_count; i++) {
        const char *own =
            clopt_effect_value(&counting->names, rows[i].name, counting->names.parameter);
        if (own && strcmp(own, value) == 0 && clopt_counted_knows(kernel, i) &&
            clopt_effect_is_faster(&rows[i], best, counting->device))
            best = &rows[i];
    }
    return best ? clopt_counted_ratio(kernel, (size_t)(best - rows), counter) : NAN;
}

static void add_kernel(struct counting *counting, struct clopt_counted *counted)
{
    const struct clopt_results_table *table = counted->table;
    bool sets = false;
    for (size_t i = 0; i < table->row_count; i++) {
        const char *value =
            clopt_effect_value(&counting->names, table->rows[i].name, counting->names.parameter);
        if (!value || !clopt_counted_knows(counted, i))
            continue;
        clopt_effect_number(&counting->values, &counting->value_count, value);
        sets = true;
    }
    if (!sets) {
        clopt_counted_fini(counted);
        return;
    }
    for (size_t c = 0; c < counted->count; c++)
        clopt_effect_number(&counting->counters, &counting->counter_count, counted->names[c]);
    struct clopt_counted *kept =
        clopt_array_add(&counting->kernels, &counting->kernel_count, sizeof *kept);
    *kept = *counted;
}

static void find_kernels(struct counting *counting)
{
    for (size_t t = 0; t < counting->results->table_count; t++) {
        struct clopt_counted counted =
            clopt_counted_find(&counting->results->tables[t], counting->device);
        add_kernel(counting, &counted);
    }
    if (counting->value_count)
        qsort(counting->values, counting->value_count, sizeof *counting->values,
              clopt_effect_compare_values);
    if (counting->counter_count)
        qsort(counting->counters, counting->counter_count, sizeof *counting->counters,
              clopt_effect_compare_values);
}

static void counting_fini(struct counting *counting)
{
    for (size_t i = 0; i < counting->kernel_count; i++)
        clopt_counted_fini(&counting->kernels[i]);
    clopt_arena_fini(&counting->names.arena);
    free(counting->kernels);
    free(counting->values);
    free(counting->counters);
}

/* ---- how it is shown ---- */

static void add_table(struct counting *counting, const char *counter,
                      struct clopt_document *document)
{
    struct clopt_grid grid = {0};
    clopt_grid_set_heading(&grid, "%s by %s, times that of the initial code", counter,
                           counting->names.parameter);
    clopt_grid_add_column(&grid, "*Kernel");
    for (size_t v = 0; v < counting->value_count; v++)
        clopt_grid_add_column(&grid, "#%s", counting->values[v]);
    for (size_t k = 0; k < counting->kernel_count; k++) {
        clopt_grid_add_row(&grid, "%s", counting->kernels[k].table->kernel);
        for (size_t v = 0; v < counting->value_count; v++) {
            double ratio = ratio_of(counting, &counting->kernels[k], counter, counting->values[v]);
            clopt_grid_printf(&grid, ratio, isnan(ratio) ? "--" : "%.3g", ratio);
        }
    }
    clopt_document_table(document, &grid);
}

/* Draws a line a kernel over the values, from the initial code on. */
static void draw_panel(struct counting *counting, struct clopt_chart *chart, size_t counter)
{
    clopt_chart_panel(chart, counting->counters[counter]);
    clopt_chart_axis(chart, CLOPT_X, -0.3, (double)counting->value_count + 0.3, NULL);
    clopt_chart_axis(chart, CLOPT_LOG_Y, 0, 0, NULL);
    clopt_chart_tic(chart, CLOPT_X, 0, "initial");
    for (size_t v = 0; v < counting->value_count; v++)
        clopt_chart_tic(chart, CLOPT_X, (double)v + 1, "%s", counting->values[v]);
    for (size_t k = 0; k < counting->kernel_count; k++) {
        const struct clopt_counted *kernel = &counting->kernels[k];
        clopt_chart_series(chart, CLOPT_SERIES_LINE, clopt_chart_color(k),
                           counter ? NULL : kernel->table->kernel);
        for (size_t v = 0; v <= counting->value_count; v++) {
            double y =
                v ? ratio_of(counting, kernel, counting->counters[counter], counting->values[v - 1])
                  : 1;
            if (y > 0)
                clopt_chart_point(
                    chart, (struct clopt_point){.x = (double)v, .y = y, .y_low = y, .y_high = y});
        }
    }
}

static void draw(struct counting *counting, struct clopt_document *document)
{
    size_t panels = counting->counter_count;
    struct clopt_chart chart;
    clopt_chart_begin(&chart, 0, counting->names.parameter, "counters",
                      counting->results->devices[counting->device].label, NULL);
    clopt_chart_title(&chart, "Counters by %s on %s, times those of the initial code",
                      counting->names.parameter,
                      counting->results->devices[counting->device].label);
    for (size_t c = 0; c < panels; c++)
        draw_panel(counting, &chart, c);
    chart.columns = panels < COLUMNS ? panels : COLUMNS;
    chart.height = (double)((panels + COLUMNS - 1) / COLUMNS) * PANEL_HEIGHT + 60;
    clopt_document_chart(document, &chart);
}

static void add_rows(struct counting *counting, struct clopt_document *document)
{
    clopt_document_rows(document, "counters_by", "kernel device counter %.80s ratio",
                        counting->names.parameter);
    for (size_t k = 0; k < counting->kernel_count; k++)
        for (size_t c = 0; c < counting->counter_count; c++)
            for (size_t v = 0; v < counting->value_count; v++)
                clopt_document_row(document, "ssssd", counting->kernels[k].table->kernel,
                                   counting->results->devices[counting->device].label,
                                   counting->counters[c], counting->values[v],
                                   ratio_of(counting, &counting->kernels[k], counting->counters[c],
                                            counting->values[v]));
}

static void show(struct counting *counting, struct clopt_document *document)
{
    const struct clopt_results_device *device = &counting->results->devices[counting->device];
    clopt_document_heading(document, CLOPT_HEADING_SECTION, "Counters by %s on %s: %s, %s",
                           counting->names.parameter, device->label, device->platform,
                           device->name);
    if (document->for_programs)
        add_rows(counting, document);
    for (size_t c = 0; c < counting->counter_count; c++)
        add_table(counting, counting->counters[c], document);
    draw(counting, document);
}

bool clopt_counters_by(const struct clopt_results *results, const char *parameter,
                       struct clopt_document *document)
{
    bool any = false;
    for (size_t d = 0; d < results->device_count; d++) {
        CLOPT_OWNED(counting) counting = {
            .names = {.parameter = parameter}, .results = results, .device = d};
        find_kernels(&counting);
        if (counting.kernel_count)
            show(&counting, document);
        any |= counting.kernel_count > 0;
    }
    return any;
}
