/* SPDX-License-Identifier: BSD-3-Clause */
/* How far kernels are from what a device gives, and which step of the winner gave what. */
#include <math.h>

#include "analyses/analyses.h"

#define HEIGHT  420 /* of a chart of one device */
#define SMALL   330 /* of several, of which two are side by side */
#define COLUMNS 2
#define NEAR    0.7 /* logarithms to base e between points that names of 12 px would cover */

/* ---- the roofline ---- */

/* What all points of a panel have in common: the arithmetic that most kernels have. */
struct roofline {
    const struct clopt_results *results;
    size_t device;
    enum clopt_arithmetic arithmetic;
    double low, high; /* of the axis of operations a byte */
};

/* Whether a table is a kernel whose work is known. */
static bool has_work(const struct roofline *roofline, const struct clopt_results_table *table)
{
    return table->work.operations > 0 && table->work.bytes > 0 &&
           table->work.arithmetic == roofline->arithmetic && table->initial != CLOPT_NO_ROW;
}

/* Finds what the x-axis has to hold: the kernels of a device, and where its roofs meet. False: its
 * peaks, or the work of its kernels, are not known. */
static bool find_range(struct roofline *roofline)
{
    const struct clopt_peaks *peaks = &roofline->results->devices[roofline->device].peaks;
    double least = NAN, most = NAN;
    for (size_t t = 0; t < roofline->results->table_count; t++) {
        const struct clopt_results_table *table = &roofline->results->tables[t];
        roofline->arithmetic = isnan(least) ? table->work.arithmetic : roofline->arithmetic;
        if (!has_work(roofline, table))
            continue;
        double intensity = table->work.operations / table->work.bytes;
        least = fmin(least, intensity);
        most = fmax(most, intensity);
    }
    if (isnan(least) || roofline->arithmetic >= CLOPT_ARITHMETIC_COUNT ||
        !(peaks->gbytes_per_s > 0) || !(peaks->goperations_per_s[roofline->arithmetic] > 0))
        return false;
    double ridge = peaks->goperations_per_s[roofline->arithmetic] / peaks->gbytes_per_s;
    roofline->low = fmin(least, ridge) / 8;
    roofline->high = fmax(most, ridge) * 8;
    return true;
}

/* Adds the native programs that solve a kernel's problem: what they compute is the same. */
static void add_rivals(const struct roofline *roofline, struct clopt_chart *chart)
{
    clopt_chart_series(chart, CLOPT_SERIES_POINTS, CLOPT_CHART_INK, "rival");
    clopt_chart_style(chart, 2);
    for (size_t t = 0; t < roofline->results->table_count; t++) {
        const struct clopt_results_table *table = &roofline->results->tables[t];
        const struct clopt_results_problem *problem = &roofline->results->problems[table->problem];
        for (size_t i = 0; i < problem->rivals.row_count && !problem->several_kernels; i++) {
            const struct clopt_result *cell = &problem->rivals.rows[i].cells[roofline->device];
            double time_ns = cell->times[CLOPT_SCOPE_RUN].interval.median;
            if (has_work(roofline, table) && cell->ranked && time_ns > 0)
                clopt_chart_xy(chart, table->work.operations / table->work.bytes,
                               table->work.operations / time_ns);
        }
    }
}

/* Whether a point near a place has this name already: the same kernel with another problem. */
static bool is_named(const struct clopt_chart *chart, const char *name, double x, double y)
{
    const struct clopt_panel *panel = &chart->panels[chart->count - 1];
    for (size_t i = 0; i < panel->label_count; i++) {
        const struct clopt_chart_label *label = &panel->labels[i];
        if (label->text && strncmp(label->text, name, strlen(name)) == 0 &&
            fabs(log(label->x / x)) < NEAR && fabs(log(label->y / y)) < NEAR)
            return true;
    }
    return false;
}

/* Names the best of a kernel, with its share of a peak, on the side where there is more room. */
static void name_best(const struct roofline *roofline, struct clopt_chart *chart,
                      const char *kernel, double x, const struct clopt_rates *rates)
{
    double y = rates->goperations_per_s;
    double share = fmax(rates->operations_of_peak, rates->bytes_of_peak);
    bool right = x * x > roofline->low * roofline->high;
    if (is_named(chart, kernel, x, y))
        return;
    CLOPT_FREED char *text =
        isnan(share) ? clopt_strdup(kernel) : clopt_text_format("%s, %.0f%%", kernel, 100 * share);
    clopt_chart_label(chart, x, y, right ? CLOPT_CHART_RIGHT : CLOPT_CHART_LEFT, false, text);
}

/* Adds the initial codes, or the best variants, as points. */
static void add_points(const struct roofline *roofline, struct clopt_chart *chart, bool best)
{
    clopt_chart_series(chart, CLOPT_SERIES_POINTS, CLOPT_CHART_INK,
                       best ? "best variant" : "initial code");
    clopt_chart_style(chart, best ? 0 : 8); /* a hollow circle */
    for (size_t t = 0; t < roofline->results->table_count; t++) {
        const struct clopt_results_table *table = &roofline->results->tables[t];
        size_t row = has_work(roofline, table) ? table->initial : CLOPT_NO_ROW;
        for (size_t i = 0; best && row != CLOPT_NO_ROW && i < table->row_count; i++)
            if (table->rows[i].cells[roofline->device].times[CLOPT_SCOPE_KERNEL].best)
                row = i;
        if (row == CLOPT_NO_ROW || (best && row == table->initial))
            continue;
        struct clopt_rates rates =
            clopt_results_rates(roofline->results, &table->rows[row].cells[roofline->device]);
        double x = table->work.operations / table->work.bytes;
        if (!(rates.goperations_per_s > 0))
            continue;
        clopt_chart_xy(chart, x, rates.goperations_per_s);
        if (best)
            name_best(roofline, chart, table->kernel, x, &rates);
    }
}

/* Adds a roof: memory up to where the ceiling is reached, and its name, which is not in the key. */
static void add_roof(const struct roofline *roofline, struct clopt_chart *chart,
                     double gbytes_per_s, double ceiling, int style)
{
    CLOPT_FREED char *name =
        clopt_text_format("%.3g GB/s%s", gbytes_per_s, style ? " at the lowest" : "");
    double ridge = ceiling / gbytes_per_s;
    double at = sqrt(roofline->low * fmax(roofline->low, fmin(ridge, roofline->high)));
    clopt_chart_series(chart, CLOPT_SERIES_LINE, CLOPT_CHART_INK, NULL);
    clopt_chart_style(chart, style); /* 1: dashes */
    clopt_chart_xy(chart, roofline->low, roofline->low * gbytes_per_s);
    clopt_chart_xy(chart, ridge, ceiling);
    clopt_chart_label(chart, at, (style ? 0.8 : 1.2) * at * gbytes_per_s,
                      style ? CLOPT_CHART_LEFT : CLOPT_CHART_RIGHT, false, name);
}

static void add_panel(struct roofline *roofline, struct clopt_chart *chart)
{
    const struct clopt_results_device *device = &roofline->results->devices[roofline->device];
    const char *unit = clopt_arithmetic_unit(roofline->arithmetic);
    double ceiling = device->peaks.goperations_per_s[roofline->arithmetic];
    double slope = device->peaks.gbytes_per_s, ridge = ceiling / slope;
    double lowest = device->peaks.lowest_gbytes_per_s;
    CLOPT_FREED char *name = clopt_text_format("%.3g %s", ceiling, unit);
    clopt_chart_panel(chart, roofline->results->device_count > 1 ? device->label : NULL);
    clopt_chart_axis(chart, CLOPT_LOG_X, roofline->low, roofline->high,
                     "operations for each byte of memory");
    clopt_chart_axis(chart, CLOPT_LOG_Y, 0, 0, "%s", unit);
    add_roof(roofline, chart, slope, ceiling, 0);
    if (lowest > 0 && lowest < slope)
        add_roof(roofline, chart, lowest, ceiling, 1);
    clopt_chart_series(chart, CLOPT_SERIES_LINE, CLOPT_CHART_INK, NULL);
    clopt_chart_xy(chart, ridge, ceiling);
    clopt_chart_xy(chart, roofline->high, ceiling);
    clopt_chart_label(chart, roofline->high, 1.5 * ceiling, CLOPT_CHART_RIGHT, false, name);
    add_points(roofline, chart, false);
    add_points(roofline, chart, true);
    add_rivals(roofline, chart);
}

/* Gives all panels one y-axis, so that they can be compared. */
static void share_axis(struct clopt_chart *chart)
{
    double low = NAN, high = NAN;
    for (size_t p = 0; p < chart->count; p++)
        for (size_t s = 0; s < chart->panels[p].count; s++)
            for (size_t i = 0; i < chart->panels[p].series[s].count; i++) {
                low = fmin(low, chart->panels[p].series[s].points[i].y);
                high = fmax(high, chart->panels[p].series[s].points[i].y);
            }
    for (size_t p = 0; p < chart->count; p++) {
        chart->panels[p].y.low = low / 1.5;
        chart->panels[p].y.high = high * 3; /* with room for the name of the roof */
    }
}

void clopt_rooflines_draw(const struct clopt_results *results, struct clopt_document *document)
{
    CLOPT_FREED struct roofline *items = clopt_calloc(results->device_count, sizeof *items);
    size_t count = 0;
    double low = NAN, high = NAN;
    struct clopt_chart chart;
    clopt_chart_begin(&chart, HEIGHT, "roofline", NULL);
    clopt_chart_title(&chart,
                      "Measured peaks as roofs, and how near to them kernels are (%% of a peak)");
    for (size_t d = 0; d < results->device_count; d++) {
        items[count] = (struct roofline){.results = results, .device = d};
        if (results->objective != CLOPT_OBJECTIVE_TIME || !find_range(&items[count]))
            continue;
        low = fmin(low, items[count].low);
        high = fmax(high, items[count++].high);
    }
    for (size_t i = 0; i < count; i++) {
        items[i].low = low;
        items[i].high = high;
        add_panel(&items[i], &chart);
    }
    if (count > 1) {
        chart.columns = COLUMNS;
        chart.height = SMALL * ceil((double)count / COLUMNS);
        share_axis(&chart);
    }
    clopt_document_chart(document, &chart);
}

/* ---- the ladder ---- */

/* Finds the result of the variant that the beginning of a name is; NULL: it has no time. */
static const struct clopt_result *find_prefix(const struct clopt_view *view, size_t device,
                                              const char *name, size_t length)
{
    for (size_t i = 0; i < view->row_count; i++) {
        const struct clopt_result *result = &view->rows[i].row->cells[device];
        if (strlen(view->rows[i].label) == length &&
            strncmp(view->rows[i].label, name, length) == 0)
            return clopt_result_shown(result, view->scope) ? result : NULL;
    }
    return NULL;
}

/* Adds a step of the winner: the speed-up of all up to it, and what it adds. */
static void add_step(struct clopt_grid *grid, const struct clopt_view *view,
                     struct clopt_piece step, const struct clopt_result *result,
                     const struct clopt_result *before)
{
    clopt_grid_add_row(grid, "%.*s", (int)step.length, step.text);
    if (!result) {
        clopt_cell_remark(clopt_grid_put(grid, "--"), "not measured");
        return;
    }
    clopt_grid_put_interval(grid, &result->times[view->scope].speedup, 3, 1);
    if (!before)
        return;
    struct clopt_interval gain = clopt_results_ratio(view->results, before, result, view->scope);
    clopt_grid_put_interval(grid, &gain, 3, 1);
}

/* Whether a part of the winner's steps alone has a time. */
static bool has_parts(const struct clopt_view *view, size_t device, const char *winner)
{
    for (const char *at = winner; (at = strchr(at, '+')); at++)
        if (find_prefix(view, device, winner, (size_t)(at - winner)))
            return true;
    return false;
}

void clopt_ladder_tabulate(const struct clopt_view *view, size_t device,
                           struct clopt_document *document)
{
    const struct clopt_view_row *best = clopt_summary_best(view, device);
    const struct clopt_result *before = NULL;
    struct clopt_grid grid = {.bars = true};
    if (!best || best->initial || best->rival || !has_parts(view, device, best->label))
        return;
    clopt_grid_set_heading(&grid,
                           "%s: the steps of the winner, each after those above [95%% interval]",
                           view->results->devices[device].label);
    clopt_grid_add_columns(&grid, "*Step, =Speed-up, ?=Step's own");
    before = clopt_table_initial(view->table, device);
    before = before && clopt_result_shown(before, view->scope) ? before : NULL;
    for (const char *step = best->label; *step;) {
        size_t length = strcspn(step, "+");
        size_t end = (size_t)(step - best->label) + length;
        const struct clopt_result *result = find_prefix(view, device, best->label, end);
        add_step(&grid, view, (struct clopt_piece){step, length}, result, before);
        if (result)
            clopt_grid_cell(&grid, grid.row_count - 1, 1)->color =
                clopt_variant_color(document, result->row->name);
        before = result;
        step += length + (step[length] == '+');
    }
    clopt_document_table(document, &grid);
}
