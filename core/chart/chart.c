/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds charts. */
#include "chart/chart.h"

#include <math.h>

#include "file/file.h"
#include "text/array.h"

const char *clopt_chart_color(size_t number)
{
    /* After Okabe and Ito. */
    static const char *const colors[] = {"#0072b2", "#e69f00", "#009e73", "#d55e00",
                                         "#56b4e9", "#cc79a7", "#777777"};
    return colors[number % (sizeof colors / sizeof *colors)];
}

/* Copies a text that may be missing. */
static char *copy(struct clopt_chart *chart, const char *text)
{
    struct clopt_text clean = {0};
    if (!text)
        return NULL;
    clopt_text_append_printable_lines(&clean, text);
    clopt_text_append(&clean, "");
    char *taken = clopt_text_take(&clean);
    chart->failed |= !taken;
    return taken;
}

void clopt_chart_begin(struct clopt_chart *chart, double height, const char *title, ...)
{
    struct clopt_text name = {0};
    va_list parts;
    va_start(parts, title);
    *chart = (struct clopt_chart){.height = height};
    chart->title = copy(chart, title);
    for (const char *part; (part = va_arg(parts, const char *));)
        clopt_file_name_append(&name, part);
    va_end(parts);
    chart->name = clopt_text_take(&name);
    chart->failed |= !chart->name;
}

static struct clopt_panel *last_panel(struct clopt_chart *chart)
{
    if (!chart->count)
        clopt_chart_panel(chart, NULL);
    return chart->count ? &chart->panels[chart->count - 1] : NULL;
}

void clopt_chart_panel(struct clopt_chart *chart, const char *title)
{
    struct clopt_panel *panel = clopt_array_add(&chart->panels, &chart->count, sizeof *panel);
    chart->failed |= !panel;
    if (panel)
        panel->title = copy(chart, title);
}

static void set_axis(struct clopt_chart *chart, struct clopt_axis *axis, const char *label,
                     bool logarithmic, double low, double high)
{
    axis->label = copy(chart, label);
    axis->logarithmic = logarithmic;
    axis->reversed = low > high;
    axis->low = low;
    axis->high = high;
}

void clopt_chart_x(struct clopt_chart *chart, const char *label, bool logarithmic, double low,
                   double high)
{
    struct clopt_panel *panel = last_panel(chart);
    if (panel)
        set_axis(chart, &panel->x, label, logarithmic, low, high);
}

void clopt_chart_y(struct clopt_chart *chart, const char *label, bool logarithmic, double low,
                   double high)
{
    struct clopt_panel *panel = last_panel(chart);
    if (panel)
        set_axis(chart, &panel->y, label, logarithmic, low, high);
}

static void add_tic(struct clopt_chart *chart, struct clopt_axis *axis, double at,
                    const char *label)
{
    struct clopt_chart_tic *tic = clopt_array_add(&axis->tics, &axis->tic_count, sizeof *tic);
    chart->failed |= !tic;
    if (tic)
        *tic = (struct clopt_chart_tic){at, copy(chart, label)};
}

void clopt_chart_x_tic(struct clopt_chart *chart, double at, const char *label)
{
    if (last_panel(chart))
        add_tic(chart, &last_panel(chart)->x, at, label);
}

void clopt_chart_y_tic(struct clopt_chart *chart, double at, const char *label)
{
    if (last_panel(chart))
        add_tic(chart, &last_panel(chart)->y, at, label);
}

void clopt_chart_number(struct clopt_chart *chart, struct clopt_axis *axis, double low, double high)
{
    static const double all[] = {1, 2, 5, 1.5, 3, 7};
    size_t digits = high / low < 10 ? 6 : high / low > 1e3 ? 1 : 3;
    for (int power = (int)floor(log10(low)); power <= (int)ceil(log10(high)); power++)
        for (size_t i = 0; i < digits; i++) {
            char label[32];
            double value = all[i] * pow(10, power);
            snprintf(label, sizeof label, "%.6g", value);
            if (value >= low && value <= high)
                add_tic(chart, axis, value, label);
        }
}

void clopt_chart_series(struct clopt_chart *chart, enum clopt_series_kind kind, const char *color,
                        const char *title)
{
    struct clopt_panel *panel = last_panel(chart);
    struct clopt_series *series =
        panel ? clopt_array_add(&panel->series, &panel->count, sizeof *series) : NULL;
    chart->failed |= !series;
    if (!series)
        return;
    series->kind = kind;
    series->title = copy(chart, title);
    snprintf(series->color, sizeof series->color, "%s", color);
}

void clopt_chart_point(struct clopt_chart *chart, struct clopt_point point)
{
    struct clopt_panel *panel = last_panel(chart);
    struct clopt_series *series = panel && panel->count ? &panel->series[panel->count - 1] : NULL;
    struct clopt_point *added =
        series ? clopt_array_add(&series->points, &series->count, sizeof *added) : NULL;
    chart->failed |= !added;
    if (added)
        *added = point;
}

void clopt_chart_label(struct clopt_chart *chart, double x, double y, enum clopt_chart_side side,
                       bool bold, const char *text)
{
    struct clopt_panel *panel = last_panel(chart);
    struct clopt_chart_label *label =
        panel ? clopt_array_add(&panel->labels, &panel->label_count, sizeof *label) : NULL;
    chart->failed |= !label;
    if (label)
        *label = (struct clopt_chart_label){x, y, side, bold, copy(chart, text)};
}

bool clopt_chart_is_empty(const struct clopt_chart *chart)
{
    for (size_t p = 0; p < chart->count; p++)
        for (size_t s = 0; s < chart->panels[p].count; s++)
            if (chart->panels[p].series[s].count)
                return false;
    return !chart->graph;
}

/* ---- the end ---- */

static void free_axis(struct clopt_axis *axis)
{
    for (size_t i = 0; i < axis->tic_count; i++)
        free(axis->tics[i].label);
    free(axis->tics);
    free(axis->label);
}

static void free_panel(struct clopt_panel *panel)
{
    for (size_t i = 0; i < panel->count; i++) {
        free(panel->series[i].title);
        free(panel->series[i].points);
    }
    for (size_t i = 0; i < panel->label_count; i++)
        free(panel->labels[i].text);
    free(panel->series);
    free(panel->labels);
    free(panel->title);
    free_axis(&panel->x);
    free_axis(&panel->y);
}

void clopt_chart_fini(struct clopt_chart *chart)
{
    for (size_t i = 0; i < chart->count; i++)
        free_panel(&chart->panels[i]);
    free(chart->panels);
    free(chart->graph);
    free(chart->title);
    free(chart->name);
    *chart = (struct clopt_chart){0};
}
