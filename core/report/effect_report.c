/* SPDX-License-Identifier: BSD-3-Clause */
/* Reports what a parameter does to the best speed-up. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/effect.h"
#include "text/json.h"
#include "text/text.h"

#define COLUMNS      4
#define PANEL_HEIGHT 190
#define BARS_HEIGHT  460

/* ---- tables ---- */

static void fill_label(struct clopt_grid *grid, struct clopt_cell *cell, const char *label)
{
    clopt_grid_fill(grid, cell, label, -1, "");
}

static void fill_number(struct clopt_grid *grid, struct clopt_cell *cell, double number)
{
    char text[64] = "--";
    if (!isnan(number))
        snprintf(text, sizeof text, "%.2f", number);
    clopt_grid_fill(grid, cell, text, isnan(number) ? -1 : 2, "");
    cell->number = number;
}

static void fill_best(struct clopt_grid *grid, struct clopt_cell *cell,
                      const struct clopt_interval *best)
{
    char text[128];
    snprintf(text, sizeof text, "%.2f [%.2f, %.2f]", best->median, best->low, best->high);
    clopt_grid_fill(grid, cell, text, -1, "");
    clopt_cell_set_number(cell, best, 1);
}

static void add_columns(const struct clopt_effects *effects, struct clopt_grid *grid, bool speedups)
{
    clopt_grid_add_column(grid, CLOPT_COLUMN_NAME, CLOPT_COLUMN_KEY, "Kernel");
    if (speedups)
        clopt_grid_add_column(grid, CLOPT_COLUMN_COUNT, CLOPT_COLUMN_DATA, "initial");
    for (size_t v = 0; v < effects->value_count; v++)
        clopt_grid_add_column(grid, CLOPT_COLUMN_COUNT, CLOPT_COLUMN_DATA, effects->values[v]);
    if (speedups)
        clopt_grid_add_column(grid, CLOPT_COLUMN_COUNT, CLOPT_COLUMN_DATA, "best");
}

static void add_effect(const struct clopt_effects *effects, struct clopt_grid *grid,
                       const struct clopt_effect *effect)
{
    struct clopt_cell *cell = clopt_grid_add_row(grid);
    if (!cell)
        return;
    fill_label(grid, cell++, effect->label);
    fill_number(grid, cell++, effect->initial.median);
    for (size_t v = 0; v < effects->value_count; v++)
        fill_number(grid, cell++, effect->points[v].row ? effect->points[v].speedup.median : NAN);
    if (effect->best != CLOPT_NO_ROW)
        fill_best(grid, cell, &effect->points[effect->best].speedup);
}

static double mean_initial(const struct clopt_effects *effects, size_t device)
{
    double sum = 0;
    size_t count = 0;
    for (size_t i = 0; i < effects->count; i++)
        if (effects->items[i].device == device && !isnan(effects->items[i].initial.median)) {
            sum += log(effects->items[i].initial.median);
            count++;
        }
    return exp(sum / (double)count);
}

static void add_mean(const struct clopt_effects *effects, struct clopt_grid *grid, size_t device)
{
    struct clopt_cell *cell = clopt_grid_add_row(grid);
    if (!cell)
        return;
    fill_label(grid, cell++, "geometric mean");
    fill_number(grid, cell++, mean_initial(effects, device));
    for (size_t v = 0; v < effects->value_count; v++)
        fill_number(grid, cell++, clopt_effects_mean(effects, device, v).median);
    struct clopt_interval best = clopt_effects_mean(effects, device, CLOPT_NO_ROW);
    if (best.samples)
        fill_best(grid, cell, &best);
}

/* Counts which kernels gain and which lose, by the interval of their best. */
static void say_count(const struct clopt_effects *effects, size_t device,
                      struct clopt_document *document)
{
    size_t count = 0, gain = 0, lose = 0;
    for (size_t i = 0; i < effects->count; i++) {
        const struct clopt_effect *effect = &effects->items[i];
        if (effect->device != device || effect->best == CLOPT_NO_ROW)
            continue;
        const struct clopt_interval *best = &effect->points[effect->best].speedup;
        count++;
        enum clopt_verdict_kind verdict = clopt_verdict_find(best, NAN);
        gain += verdict == CLOPT_VERDICT_FASTER;
        lose += verdict == CLOPT_VERDICT_SLOWER;
    }
    clopt_document_printf(document, CLOPT_SENTENCE_PLAIN,
                          "Of %zu, %zu gain, %zu lose, and %zu cannot be told from the baseline.",
                          count, gain, lose, count - gain - lose);
}

/* Adds the local sizes of the best variants, where any says its own. */
static void add_sizes(const struct clopt_effects *effects, size_t device,
                      struct clopt_document *document)
{
    struct clopt_grid grid = {0};
    bool any = false;
    clopt_grid_set_heading(&grid, "Local size of the best variant with each value");
    add_columns(effects, &grid, false);
    for (size_t i = 0; i < effects->count; i++) {
        const struct clopt_effect *effect = &effects->items[i];
        struct clopt_cell *cell = effect->device == device ? clopt_grid_add_row(&grid) : NULL;
        if (!cell)
            continue;
        fill_label(&grid, cell++, effect->label);
        for (size_t v = 0; v < effects->value_count; v++) {
            const struct clopt_results_row *row = effect->points[v].row;
            char *size = row ? clopt_effect_value(row->name, "local_size") : NULL;
            clopt_grid_fill(&grid, cell++, size ? size : row ? "initial" : "--", -1, "");
            any |= size != NULL;
            free(size);
        }
    }
    if (any)
        clopt_document_table(document, &grid);
    clopt_grid_fini(&grid);
}

static void add_device(const struct clopt_effects *effects, size_t device,
                       struct clopt_document *document)
{
    const struct clopt_results_device *about = effects->devices[device];
    struct clopt_grid grid = {0};
    clopt_document_heading(document, CLOPT_HEADING_SECTION, "%s: %s, %s, driver %s", about->label,
                           about->platform, about->name, about->driver_version);
    say_count(effects, device, document);
    clopt_grid_set_heading(&grid, "Speed-up with each value, and the best of them [95%% interval]");
    add_columns(effects, &grid, true);
    for (size_t i = 0; i < effects->count; i++)
        if (effects->items[i].device == device)
            add_effect(effects, &grid, &effects->items[i]);
    add_mean(effects, &grid, device);
    clopt_document_table(document, &grid);
    add_sizes(effects, device, document);
}

/* ---- the charts ---- */

/* Returns the effect number `number` of those of a device that are labelled like it. */
static const struct clopt_effect *find_effect(const struct clopt_effects *effects,
                                              const char *label, size_t device)
{
    for (size_t i = 0; i < effects->count; i++)
        if (effects->items[i].device == device && strcmp(effects->items[i].label, label) == 0)
            return &effects->items[i];
    return NULL;
}

/* Whether a label has not come before effect number `number`. */
static bool is_new(const struct clopt_effects *effects, size_t number)
{
    for (size_t i = 0; i < number; i++)
        if (strcmp(effects->items[i].label, effects->items[number].label) == 0)
            return false;
    return true;
}

static void begin_chart(const struct clopt_effects *effects, struct clopt_chart *chart,
                        double height, const char *name, const char *title)
{
    clopt_chart_begin(chart, height, title);
    clopt_chart_name(chart, effects->request->parameter);
    clopt_chart_name(chart, name);
}

/* Draws the best of each kernel, a bar a device, and where the initial code is. */
static void draw_best(const struct clopt_effects *effects, struct clopt_document *document)
{
    double width = 0.8 / (double)effects->device_count;
    size_t labels = 0;
    struct clopt_chart chart;
    begin_chart(effects, &chart, BARS_HEIGHT, "best",
                effects->request->strict
                    ? "Best speed-up over the initial code at its best local size"
                    : "Best speed-up over the initial code");
    clopt_chart_panel(&chart, NULL);
    for (size_t i = 0; i < effects->count; i++)
        if (is_new(effects, i))
            clopt_chart_x_tic(&chart, (double)labels++, effects->items[i].label);
    clopt_chart_x(&chart, NULL, false, -0.6, (double)labels - 0.4);
    clopt_chart_y(&chart, NULL, true, 0, 0);
    for (size_t d = 0; d < effects->device_count; d++)
        for (int part = 0; part < 3; part++) {
            size_t k = 0;
            clopt_chart_series(&chart,
                               part == 0   ? CLOPT_SERIES_BOXES
                               : part == 1 ? CLOPT_SERIES_UPRIGHT
                                           : CLOPT_SERIES_DOTS,
                               part ? CLOPT_CHART_INK : clopt_chart_color(d),
                               part == 0             ? clopt_effects_device(effects, d)
                               : part == 2 && d == 0 ? "initial code"
                                                     : NULL);
            for (size_t i = 0; i < effects->count; i++) {
                if (!is_new(effects, i))
                    continue;
                const struct clopt_effect *effect =
                    find_effect(effects, effects->items[i].label, d);
                double x = (double)k++ + ((double)d + 0.5) * width - 0.4;
                if (!effect || effect->best == CLOPT_NO_ROW)
                    continue;
                const struct clopt_interval *best = &effect->points[effect->best].speedup;
                struct clopt_point point = {x, best->median, x - width / 2, x + width / 2,
                                            1, best->median};
                if (part)
                    point.y_low = best->low, point.y_high = best->high;
                if (part == 2)
                    point.y = effect->initial.median;
                if (!isnan(point.y))
                    clopt_chart_point(&chart, point);
            }
        }
    clopt_document_chart(document, &chart);
}

/* Returns how many work-items a local size is, as in 16x8; NaN: it is not known. */
static double count_items(const struct clopt_results_row *row)
{
    char *size = clopt_effect_value(row->name, "local_size"), *at = size;
    double items = size ? 1 : NAN;
    while (at && *at) {
        items *= strtod(at, &at);
        at += *at != '\0';
    }
    free(size);
    return items;
}

/* Adds the line of a device in a panel. */
static void add_line(const struct clopt_effects *effects, struct clopt_chart *chart,
                     const struct clopt_effect *effect, bool sizes)
{
    for (size_t v = 0; v < effects->value_count; v++) {
        const struct clopt_effect_point *at = &effect->points[v];
        double y = !at->row ? NAN : sizes ? count_items(at->row) : at->speedup.median;
        if (!isnan(y))
            clopt_chart_point(chart, (struct clopt_point){.x = (double)v,
                                                          .y = y,
                                                          .y_low = sizes ? y : at->speedup.low,
                                                          .y_high = sizes ? y : at->speedup.high});
    }
}

/* Draws a panel a kernel: its speed-up, or local size, over the values. */
static void draw_panels(const struct clopt_effects *effects, bool sizes,
                        struct clopt_document *document)
{
    size_t labels = 0;
    struct clopt_text title = {0};
    struct clopt_chart chart;
    clopt_text_printf(&title, sizes ? "Best local size by %s, work-items" : "Best speed-up by %s",
                      effects->request->parameter);
    begin_chart(effects, &chart, 0, sizes ? "local-sizes" : "values", clopt_text_string(&title));
    for (size_t i = 0; i < effects->count; i++) {
        if (!is_new(effects, i))
            continue;
        clopt_chart_panel(&chart, effects->items[i].label);
        clopt_chart_x(&chart, NULL, false, -0.3, (double)effects->value_count - 0.7);
        clopt_chart_y(&chart, NULL, true, 0, 0);
        for (size_t v = 0; v < effects->value_count; v++)
            clopt_chart_x_tic(&chart, (double)v, effects->values[v]);
        for (size_t d = 0; d < effects->device_count; d++) {
            const struct clopt_effect *effect = find_effect(effects, effects->items[i].label, d);
            clopt_chart_series(&chart, CLOPT_SERIES_LINE, clopt_chart_color(d),
                               labels ? NULL : clopt_effects_device(effects, d));
            if (effect)
                add_line(effects, &chart, effect, sizes);
        }
        labels++;
    }
    chart.columns = labels < COLUMNS ? labels : COLUMNS;
    chart.height = (double)((labels + COLUMNS - 1) / COLUMNS) * PANEL_HEIGHT + 60;
    chart.failed |= title.failed;
    clopt_text_fini(&title);
    clopt_document_chart(document, &chart);
}

/* ---- for programs ---- */

static void add_rows(const struct clopt_effects *effects, struct clopt_document *document)
{
    struct clopt_text columns = {0};
    clopt_text_printf(&columns,
                      "app problem kernel device platform device_name %s variant speedup "
                      "speedup_low speedup_high best baseline",
                      effects->request->parameter);
    clopt_document_rows(document, "effects", clopt_text_string(&columns));
    document->failed |= columns.failed;
    clopt_text_fini(&columns);
    for (size_t i = 0; i < effects->count; i++)
        for (size_t v = 0; v < effects->value_count; v++) {
            const struct clopt_effect *effect = &effects->items[i];
            const struct clopt_effect_point *point = &effect->points[v];
            const struct clopt_results_device *device = effects->devices[effect->device];
            if (point->row)
                clopt_document_row(
                    document, json_pack("[s, s, s, s, s, s, s, s, o, o, o, b, s]", effect->app,
                                        effect->problem, effect->kernel, device->label,
                                        device->platform, device->name, effects->values[v],
                                        point->row->name, clopt_json_real(point->speedup.median),
                                        clopt_json_real(point->speedup.low),
                                        clopt_json_real(point->speedup.high), v == effect->best,
                                        effect->baseline->name));
        }
}

enum clopt_status clopt_report_effects(const struct clopt_report_effects *request,
                                       struct clopt_document *document, struct clopt_error *error)
{
    struct clopt_effects effects;
    enum clopt_status status = clopt_effects_init(&effects, request, error);
    if (status)
        return status;
    clopt_document_heading(
        document, CLOPT_HEADING_TITLE, "Best speed-up by %s, over %s", request->parameter,
        request->strict ? "the initial code at the best of its local sizes" : "the initial code");
    if (document->for_programs)
        add_rows(&effects, document);
    for (size_t device = 0; device < effects.device_count; device++)
        add_device(&effects, device, document);
    draw_best(&effects, document);
    draw_panels(&effects, false, document);
    draw_panels(&effects, true, document);
    clopt_effects_fini(&effects);
    return CLOPT_OK;
}
