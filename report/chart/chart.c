/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds charts. */
#include "chart/chart.h"

#include <math.h>

#include "file/file.h"

const char *clopt_chart_color(size_t number)
{
    /* After Okabe and Ito. */
    static const char *const colors[CLOPT_CHART_COLORS] = {
        "#0072b2", "#e69f00", "#009e73", "#d55e00", "#56b4e9", "#cc79a7", "#777777"};
    return colors[number % CLOPT_CHART_COLORS];
}

double clopt_chart_span(double seconds, const char **unit)
{
    double unit_s = seconds < 300 ? 1 : seconds < 18000 ? 60 : 3600;
    *unit = unit_s < 2 ? "seconds" : unit_s < 61 ? "minutes" : "hours";
    return unit_s;
}

/* Copies a text that may be missing. */
static char *copy(const char *text)
{
    struct clopt_text clean = {0};
    if (!text)
        return NULL;
    clopt_text_append_printable_lines(&clean, text);
    return clopt_text_take(&clean);
}

/* Puts a text where there may be another one; NULL: none. */
static void set_text(char **to, const char *format, va_list arguments)
{
    CLOPT_FREED char *text = format ? clopt_text_vformat(format, arguments) : NULL;
    free(*to);
    *to = copy(text);
}

void clopt_chart_begin(struct clopt_chart *chart, double height, ...)
{
    struct clopt_text name = {0};
    va_list parts;
    va_start(parts, height);
    *chart = (struct clopt_chart){.height = height};
    for (const char *part; (part = va_arg(parts, const char *));)
        clopt_file_name_append(&name, part);
    va_end(parts);
    chart->name = clopt_text_take(&name);
}

void clopt_chart_title(struct clopt_chart *chart, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    set_text(&chart->title, format, arguments);
    va_end(arguments);
}

static struct clopt_panel *last_panel(struct clopt_chart *chart)
{
    if (!chart->count)
        clopt_chart_panel(chart, NULL);
    return &chart->panels[chart->count - 1];
}

void clopt_chart_panel(struct clopt_chart *chart, const char *title)
{
    struct clopt_panel *panel = clopt_array_add(&chart->panels, &chart->count, sizeof *panel);
    panel->title = copy(title);
}

/* The axis of the last panel. */
static struct clopt_axis *last_axis(struct clopt_chart *chart, enum clopt_axis_kind kind)
{
    struct clopt_panel *panel = last_panel(chart);
    bool x = kind == CLOPT_X || kind == CLOPT_LOG_X;
    return x ? &panel->x : &panel->y;
}

void clopt_chart_axis(struct clopt_chart *chart, enum clopt_axis_kind kind, double low, double high,
                      const char *format, ...)
{
    struct clopt_axis *axis = last_axis(chart, kind);
    va_list arguments;
    axis->logarithmic = kind == CLOPT_LOG_X || kind == CLOPT_LOG_Y;
    axis->low = low;
    axis->high = high;
    va_start(arguments, format);
    set_text(&axis->label, format, arguments);
    va_end(arguments);
}

void clopt_chart_tic(struct clopt_chart *chart, enum clopt_axis_kind kind, double at,
                     const char *format, ...)
{
    struct clopt_axis *axis = last_axis(chart, kind);
    struct clopt_chart_tic *tic = clopt_array_add(&axis->tics, &axis->tic_count, sizeof *tic);
    va_list arguments;
    tic->at = at;
    va_start(arguments, format);
    set_text(&tic->label, format, arguments);
    va_end(arguments);
}

void clopt_chart_number(struct clopt_chart *chart, enum clopt_axis_kind kind, double low,
                        double high)
{
    static const double all[] = {1, 2, 5, 1.5, 3, 7};
    size_t digits = high / low < 10 ? 6 : high / low > 1e3 ? 1 : 3;
    for (int power = (int)floor(log10(low)); power <= (int)ceil(log10(high)); power++)
        for (size_t i = 0; i < digits; i++) {
            double value = all[i] * pow(10, power);
            if (value >= low && value <= high)
                clopt_chart_tic(chart, kind, value, "%.6g", value);
        }
}

void clopt_chart_series(struct clopt_chart *chart, enum clopt_series_kind kind, const char *color,
                        const char *title)
{
    struct clopt_panel *panel = last_panel(chart);
    struct clopt_series *series = clopt_array_add(&panel->series, &panel->count, sizeof *series);
    series->kind = kind;
    series->title = copy(title);
    snprintf(series->color, sizeof series->color, "%s", color);
}

/* The last series, which there is. */
static struct clopt_series *last_series(struct clopt_chart *chart)
{
    struct clopt_panel *panel = last_panel(chart);
    return &panel->series[panel->count - 1];
}

void clopt_chart_style(struct clopt_chart *chart, int style)
{
    last_series(chart)->style = style;
}

void clopt_chart_point(struct clopt_chart *chart, struct clopt_point point)
{
    struct clopt_series *series = last_series(chart);
    struct clopt_point *added = clopt_array_add(&series->points, &series->count, sizeof *added);
    *added = point;
}

void clopt_chart_xy(struct clopt_chart *chart, double x, double y)
{
    clopt_chart_point(chart, (struct clopt_point){.x = x, .y = y});
}

void clopt_chart_label(struct clopt_chart *chart, double x, double y, enum clopt_chart_side side,
                       bool bold, const char *text)
{
    struct clopt_panel *panel = last_panel(chart);
    struct clopt_chart_label *label =
        clopt_array_add(&panel->labels, &panel->label_count, sizeof *label);
    *label = (struct clopt_chart_label){x, y, side, bold, copy(text)};
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
