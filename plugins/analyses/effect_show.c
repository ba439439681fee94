/* SPDX-License-Identifier: BSD-3-Clause */
/* Shows what a parameter does to the best speed-up: tables, charts, and rows for programs. */
#include "analyses/effect.h"

#include <math.h>

#define COLUMNS      4 /* of panels */
#define PANEL_HEIGHT 190
#define BARS_HEIGHT  460

/* ---- tables ---- */

/* Computes the geometric mean of a column over the effects of a device. Their intervals are
 * independent. */
static struct clopt_interval mean_of(const struct clopt_effects *effects, size_t device,
                                     size_t column)
{
    double sum = 0, squares = 0, count = 0;
    for (size_t i = 0; i < effects->count; i++) {
        const struct clopt_interval *speedup = &effects->items[i].points[column].speedup;
        if (effects->items[i].device != device || isnan(speedup->median))
            continue;
        double half = log(speedup->high / speedup->low) / 2;
        sum += log(speedup->median);
        squares += half * half;
        count++;
    }
    return (struct clopt_interval){.median = exp(sum / count),
                                   .low = exp((sum - sqrt(squares)) / count),
                                   .high = exp((sum + sqrt(squares)) / count)};
}

/* Begins a table of the columns `first` to `end`. */
static void add_columns(const struct clopt_effects *effects, struct clopt_grid *grid, size_t first,
                        size_t end)
{
    clopt_grid_add_column(grid, "*Kernel");
    for (size_t c = first; c < end; c++)
        clopt_grid_add_column(grid, "#%s", effects->columns[c]);
}

/* Adds the speed-up of a column, which of the best has its interval. */
static void put_speedup(const struct clopt_effects *effects, struct clopt_grid *grid, size_t column,
                        const struct clopt_interval *speedup)
{
    if (column < clopt_effects_best(effects))
        clopt_grid_printf(grid, speedup->median, "%.2f", speedup->median);
    else if (!isnan(speedup->median))
        clopt_cell_set_number(clopt_grid_printf(grid, speedup->median, "%.2f [%.2f, %.2f]",
                                                speedup->median, speedup->low, speedup->high),
                              speedup, 1);
}

/* Adds the speed-ups of a device, and counts which kernels gain and which lose, by the interval of
 * their best. */
static void add_speedups(const struct clopt_effects *effects, size_t device)
{
    size_t count = 0, verdicts[CLOPT_VERDICT_COUNT] = {0};
    struct clopt_grid grid = {0};
    clopt_grid_set_heading(&grid, "Speed-up with each value, and the best of them [95%% interval]");
    add_columns(effects, &grid, CLOPT_EFFECT_INITIAL, effects->column_count);
    for (size_t i = 0; i < effects->count; i++) {
        const struct clopt_effect *effect = &effects->items[i];
        if (effect->device != device)
            continue;
        clopt_grid_add_row(&grid, "%s", effects->labels[effect->label_number]);
        for (size_t c = 0; c < effects->column_count; c++)
            put_speedup(effects, &grid, c, &effect->points[c].speedup);
        const struct clopt_effect_point *best = &effect->points[clopt_effects_best(effects)];
        count += best->row != NULL;
        verdicts[clopt_verdict_find(&best->speedup, NAN)]++;
    }
    size_t gain = verdicts[CLOPT_VERDICT_FASTER], lose = verdicts[CLOPT_VERDICT_SLOWER];
    clopt_document_printf(effects->document, CLOPT_SENTENCE_PLAIN,
                          "Of %zu, %zu gain, %zu lose, and %zu cannot be told from the baseline.",
                          count, gain, lose, count - gain - lose);
    clopt_grid_add_row(&grid, "geometric mean");
    for (size_t c = 0; c < effects->column_count; c++) {
        struct clopt_interval mean = mean_of(effects, device, c);
        put_speedup(effects, &grid, c, &mean);
    }
    clopt_document_table(effects->document, &grid);
}

/* Adds the local sizes of the best variants, where any says its own. */
static void add_sizes(struct clopt_effects *effects, size_t device)
{
    CLOPT_OWNED(clopt_grid) grid = {0};
    bool any = false;
    clopt_grid_set_heading(&grid, "Local size of the best variant with each value");
    add_columns(effects, &grid, CLOPT_EFFECT_NOT_SET, clopt_effects_best(effects));
    for (size_t i = 0; i < effects->count; i++) {
        const struct clopt_effect *effect = &effects->items[i];
        if (effect->device != device)
            continue;
        clopt_grid_add_row(&grid, "%s", effects->labels[effect->label_number]);
        for (size_t c = CLOPT_EFFECT_NOT_SET; c < clopt_effects_best(effects); c++) {
            const struct clopt_results_row *row = effect->points[c].row;
            const char *size = row ? clopt_effect_value(effects, row->name, "local_size") : NULL;
            clopt_grid_put(&grid, "%s", size ? size : row ? "initial" : "--");
            any |= size != NULL;
        }
    }
    if (any)
        clopt_document_table(effects->document, &grid);
}

/* ---- charts ---- */

/* Names a device: by its label, or by its platform where others have that label, too. */
static const char *name_device(const struct clopt_effects *effects, size_t device)
{
    for (size_t i = 0; i < effects->device_count; i++)
        if (i != device && strcmp(effects->devices[i]->label, effects->devices[device]->label) == 0)
            return effects->devices[device]->platform;
    return effects->devices[device]->label;
}

/* Finds the effect of a device that has a label; NULL: there is none. */
static const struct clopt_effect *find_effect(const struct clopt_effects *effects, size_t label,
                                              size_t device)
{
    for (size_t i = 0; i < effects->count; i++)
        if (effects->items[i].device == device && effects->items[i].label_number == label)
            return &effects->items[i];
    return NULL;
}

/* Adds the boxes of a device, their intervals, or where the initial code is. */
static void add_bars(const struct clopt_effects *effects, struct clopt_chart *chart, size_t device,
                     enum clopt_series_kind kind)
{
    double width = 0.8 / (double)effects->device_count, left = (double)device * width - 0.4;
    bool boxes = kind == CLOPT_SERIES_BOXES, dots = kind == CLOPT_SERIES_DOTS;
    clopt_chart_series(chart, kind, boxes ? clopt_chart_color(device) : CLOPT_CHART_INK,
                       boxes                 ? name_device(effects, device)
                       : dots && device == 0 ? "initial code"
                                             : NULL);
    for (size_t label = 0; label < effects->label_count; label++, left++) {
        const struct clopt_effect *effect = find_effect(effects, label, device);
        const struct clopt_effect_point *best =
            effect ? &effect->points[clopt_effects_best(effects)] : NULL;
        double y = !best || !best->row ? NAN
                   : dots              ? effect->points[CLOPT_EFFECT_INITIAL].speedup.median
                                       : best->speedup.median;
        if (!isnan(y))
            clopt_chart_point(chart, (struct clopt_point){left + width / 2, y, left, left + width,
                                                          boxes ? 1 : best->speedup.low,
                                                          boxes ? y : best->speedup.high});
    }
}

/* Draws the best of each kernel, a bar a device, and where the initial code is. */
static void draw_best(const struct clopt_effects *effects)
{
    struct clopt_chart chart;
    clopt_chart_begin(&chart, BARS_HEIGHT, effects->parameter, "best", NULL);
    clopt_chart_title(&chart, "Best speed-up over the initial code%s",
                      effects->strict ? " at its best local size" : "");
    for (size_t label = 0; label < effects->label_count; label++)
        clopt_chart_tic(&chart, CLOPT_X, (double)label, "%s", effects->labels[label]);
    clopt_chart_axis(&chart, CLOPT_X, -0.6, (double)effects->label_count - 0.4, NULL);
    clopt_chart_axis(&chart, CLOPT_LOG_Y, 0, 0, NULL);
    for (size_t d = 0; d < effects->device_count; d++) {
        add_bars(effects, &chart, d, CLOPT_SERIES_BOXES);
        add_bars(effects, &chart, d, CLOPT_SERIES_UPRIGHT);
        add_bars(effects, &chart, d, CLOPT_SERIES_DOTS);
    }
    clopt_document_chart(effects->document, &chart);
}

/* Returns how many work-items the local size of a variant is, as in 16x8; NaN: it is not known. */
static double count_items(struct clopt_effects *effects, const struct clopt_results_row *row)
{
    char *at = row ? clopt_effect_value(effects, row->name, "local_size") : NULL;
    double items = at ? 1 : NAN;
    while (at && *at) {
        items *= strtod(at, &at);
        at += *at != '\0';
    }
    return items;
}

/* Draws a panel a kernel with a line a device: its speed-up, or local size, over the values. */
static void draw_panels(struct clopt_effects *effects, bool sizes)
{
    size_t labels = effects->label_count;
    double values = (double)(clopt_effects_best(effects) - CLOPT_EFFECT_NOT_SET);
    struct clopt_chart chart;
    clopt_chart_begin(&chart, 0, effects->parameter, sizes ? "local-sizes" : "values", NULL);
    clopt_chart_title(&chart, sizes ? "Best local size by %s, work-items" : "Best speed-up by %s",
                      effects->parameter);
    for (size_t label = 0; label < labels; label++) {
        clopt_chart_panel(&chart, effects->labels[label]);
        clopt_chart_axis(&chart, CLOPT_X, -0.3, values - 0.7, NULL);
        clopt_chart_axis(&chart, CLOPT_LOG_Y, 0, 0, NULL);
        for (size_t c = CLOPT_EFFECT_NOT_SET; c < clopt_effects_best(effects); c++)
            clopt_chart_tic(&chart, CLOPT_X, (double)(c - CLOPT_EFFECT_NOT_SET), "%s",
                            effects->columns[c]);
        for (size_t d = 0; d < effects->device_count; d++) {
            const struct clopt_effect *effect = find_effect(effects, label, d);
            clopt_chart_series(&chart, CLOPT_SERIES_LINE, clopt_chart_color(d),
                               label ? NULL : name_device(effects, d));
            for (size_t c = CLOPT_EFFECT_NOT_SET; effect && c < clopt_effects_best(effects); c++) {
                const struct clopt_effect_point *point = &effect->points[c];
                double y = sizes ? count_items(effects, point->row) : point->speedup.median;
                if (!isnan(y))
                    clopt_chart_point(
                        &chart, (struct clopt_point){.x = (double)(c - CLOPT_EFFECT_NOT_SET),
                                                     .y = y,
                                                     .y_low = sizes ? y : point->speedup.low,
                                                     .y_high = sizes ? y : point->speedup.high});
            }
        }
    }
    chart.columns = labels < COLUMNS ? labels : COLUMNS;
    chart.height = (double)((labels + COLUMNS - 1) / COLUMNS) * PANEL_HEIGHT + 60;
    clopt_document_chart(effects->document, &chart);
}

/* ---- all of it ---- */

static void add_rows(struct clopt_effects *effects)
{
    clopt_document_rows(effects->document, "effects",
                        "app problem kernel device platform device_name %.80s variant speedup "
                        "speedup_low speedup_high best baseline",
                        effects->parameter);
    for (size_t i = 0; i < effects->count; i++)
        for (size_t c = CLOPT_EFFECT_NOT_SET; c < clopt_effects_best(effects); c++) {
            const struct clopt_effect *effect = &effects->items[i];
            const struct clopt_effect_point *point = &effect->points[c];
            const struct clopt_results_device *device = effects->devices[effect->device];
            if (point->row)
                clopt_document_row(effects->document, "ssssssssdddbs", effect->problem->app,
                                   effect->problem->label, effect->kernel, device->label,
                                   device->platform, device->name, effects->columns[c],
                                   point->row->name, point->speedup.median, point->speedup.low,
                                   point->speedup.high,
                                   point->row == effect->points[clopt_effects_best(effects)].row,
                                   effect->baseline->name);
        }
}

void clopt_effects_show(struct clopt_effects *effects)
{
    struct clopt_document *document = effects->document;
    clopt_document_heading(
        document, CLOPT_HEADING_TITLE, "Best speed-up by %s, over %s", effects->parameter,
        effects->strict ? "the initial code at the best of its local sizes" : "the initial code");
    if (document->for_programs)
        (effects->added ? clopt_effects_add_rows : add_rows)(effects);
    for (size_t d = 0; d < effects->device_count; d++) {
        const struct clopt_results_device *about = effects->devices[d];
        clopt_document_heading(document, CLOPT_HEADING_SECTION, "%s: %s, %s, driver %s",
                               about->label, about->platform, about->name, about->driver_version);
        add_speedups(effects, d);
        if (effects->added)
            clopt_effects_tabulate_added(effects, d);
        add_sizes(effects, d);
    }
    draw_best(effects);
    draw_panels(effects, false);
    draw_panels(effects, true);
}
