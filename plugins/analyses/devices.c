/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws devices side by side: how fast the best variant of each is, how long it takes, and its
 * share of a peak. */
#include <math.h>

#include "analyses/analyses.h"

#define SLOT         21 /* pixels of a row */
#define TOP          16
#define KEY          20 /* pixels above a key that is there, whose lines are as high as rows */
#define BOTTOM       68
#define MOST_ROWS    32 /* of more, no kernel is drawn in part */
#define HALF_BAR     0.34
#define LONGEST_NAME 56 /* characters that have room */
#define LINEAR_RANGE 20 /* a wider one is shown on a logarithmic axis */

/* Room beside the longest bar for its numbers, as a share of the range of values. */
static const double room[] = {0.6, 1.9, 0.35};

enum quantity { SPEEDUP, TIME, SHARE, QUANTITIES };

/* The best of a kernel on a device. */
struct entry {
    const struct clopt_view *view;
    size_t device;
    double y;
    double values[QUANTITIES]; /* NaN: unknown */
    double initial;            /* the time of the initial code */
    size_t color;              /* of the optimizations */
    struct clopt_interval speedup;
};

struct drawing {
    const struct clopt_results *results;
    struct clopt_document *document;
    struct entry *entries;
    size_t count;
    size_t left_out; /* kernels and problems */
    double end;      /* of the rows */
};

/* ---- entries ---- */

static void add_entry(struct drawing *drawing, const struct clopt_view *view, size_t device)
{
    const struct clopt_view_row *best = clopt_summary_best(view, device);
    const struct clopt_result *initial = clopt_table_initial(view->table, device);
    if (!best)
        return;
    const struct clopt_result_time *time = clopt_view_time(view, best, device);
    struct entry *entry = clopt_array_add(&drawing->entries, &drawing->count, sizeof *entry);
    *entry =
        (struct entry){.view = view,
                       .device = device,
                       .y = drawing->end + 0.5,
                       .values = {best->initial ? 1 : time->speedup.median, time->interval.median,
                                  clopt_summary_share(view, best, device)},
                       .initial = NAN,
                       .color = clopt_variant_color(drawing->document, best->row->name),
                       .speedup = time->speedup};
    if (initial && !best->initial && clopt_result_shown(initial, view->scope))
        entry->initial = initial->times[view->scope].interval.median;
    drawing->end += 1;
}

/* Adds the devices of each kernel, or of a run where that is all there is. */
static void add_entries(struct drawing *drawing, const struct clopt_views *views)
{
    for (size_t i = 0; i < views->count; i++) {
        size_t before = drawing->count;
        if (before + drawing->results->device_count > MOST_ROWS) {
            drawing->left_out++;
            continue;
        }
        for (size_t d = 0; d < drawing->results->device_count; d++)
            add_entry(drawing, &views->items[i], d);
        drawing->end += drawing->count > before ? 0.6 : 0;
    }
}

static bool has_color(const struct drawing *drawing, size_t color)
{
    for (size_t i = 0; i < drawing->count; i++)
        if (drawing->entries[i].color == color)
            return true;
    return false;
}

/* ---- panels ---- */

/* Finds the least and the largest value of a quantity. False: none is known. */
static bool find_range(const struct drawing *drawing, enum quantity quantity, double *low,
                       double *high)
{
    *low = *high = quantity == SPEEDUP ? 1 : NAN;
    for (size_t i = 0; i < drawing->count; i++) {
        const struct entry *entry = &drawing->entries[i];
        double other = quantity == TIME ? entry->initial : entry->values[quantity];
        *low = fmin(*low, fmin(entry->values[quantity], other));
        *high = fmax(*high, fmax(entry->values[quantity], other));
    }
    for (size_t i = 0; i < drawing->count; i++)
        if (drawing->entries[i].values[quantity] > 0)
            return true;
    return false;
}

/* Adds the axes of a panel; returns where bars begin. */
static double add_axes(const struct drawing *drawing, struct clopt_chart *chart,
                       enum quantity quantity, double low, double high, const char *label)
{
    bool logarithmic = quantity != SHARE && high > LINEAR_RANGE * low;
    enum clopt_axis_kind kind = logarithmic ? CLOPT_LOG_X : CLOPT_X;
    double begin = logarithmic ? low / 1.5 : 0;
    double end =
        logarithmic ? high * pow(high / begin, room[quantity]) : high * (1 + room[quantity]);
    double step = pow(10, floor(log10(high / 2)));
    double factor = high > 100 * begin ? 100 : 10; /* their numbers have room */
    clopt_chart_axis(chart, kind, begin, end, "%s%s", label, logarithmic ? " (logarithmic)" : "");
    for (double at = logarithmic ? pow(10, ceil(log10(begin))) : 0; at <= high;)
        clopt_chart_tic(chart, kind, at, "%.6g", at),
            at = logarithmic ? factor * at : at + step * ceil(high / step / 2);
    clopt_chart_axis(chart, CLOPT_Y, drawing->end, 0, NULL);
    return begin;
}

/* Names rows at the left of the first panel. */
static void add_names(const struct drawing *drawing, struct clopt_chart *chart, bool kernels)
{
    for (size_t i = 0; i < drawing->count; i++) {
        const struct entry *entry = &drawing->entries[i];
        const char *problem = entry->view->problem->label;
        CLOPT_OWNED(clopt_text) name = {0};
        if (kernels)
            clopt_text_append(&name, entry->view->name);
        if (kernels && drawing->results->problem_count > 1 && *problem)
            clopt_text_printf(&name, " (%s)", problem);
        clopt_text_printf(&name, "%s%s", kernels ? ", " : "",
                          drawing->results->devices[entry->device].label);
        size_t width = clopt_text_width(clopt_text_string(&name));
        chart->margin = width > chart->margin ? width : chart->margin;
        clopt_chart_tic(chart, CLOPT_Y, entry->y, "%s",
                        chart->count > 1 ? "" : clopt_text_string(&name));
    }
}

/* Adds the numbers beside a bar: its own, and the time of the initial code. */
static void add_words(const struct entry *entry, struct clopt_chart *chart, enum quantity quantity,
                      double unit)
{
    CLOPT_OWNED(clopt_text) words = {0};
    double value = entry->values[quantity] / unit;
    double other = quantity == SPEEDUP ? entry->speedup.high
                   : quantity == TIME  ? entry->initial / unit
                                       : NAN;
    clopt_number_append(&words, value, quantity == SHARE ? 2 : 3);
    clopt_text_append(&words, quantity == SHARE ? "%" : "");
    if (quantity == TIME && !isnan(other))
        clopt_text_printf(&words, " (was %s)", clopt_number_text(other, 3).text);
    clopt_chart_label(chart, fmax(value, other), entry->y, CLOPT_CHART_LEFT, false,
                      clopt_text_string(&words));
}

/* Adds the bars that have the quantity, by the optimizations of what is best; those of the first
 * panel are in the key. */
static void add_bars(const struct drawing *drawing, struct clopt_chart *chart,
                     enum quantity quantity, double begin, double unit)
{
    for (size_t color = 0; color <= CLOPT_CHART_COLORS; color++) {
        clopt_chart_series(chart, CLOPT_SERIES_BOXES,
                           clopt_chart_color(color ? color - 1 : CLOPT_CHART_COLORS - 1),
                           chart->count > 1 || !color || !has_color(drawing, color)
                               ? NULL
                               : clopt_document_group(drawing->document, color));
        for (size_t i = 0; i < drawing->count; i++) {
            const struct entry *entry = &drawing->entries[i];
            double value = entry->values[quantity] / unit;
            if (entry->color != color || !(value > 0))
                continue;
            clopt_chart_point(chart,
                              (struct clopt_point){value, entry->y, begin, value,
                                                   entry->y - HALF_BAR, entry->y + HALF_BAR});
            add_words(entry, chart, quantity, unit);
        }
    }
}

/* Adds what the bars of a quantity are to be compared with: intervals, or the initial code. */
static void add_others(const struct drawing *drawing, struct clopt_chart *chart,
                       enum quantity quantity, double unit)
{
    clopt_chart_series(chart, quantity == SPEEDUP ? CLOPT_SERIES_INTERVALS : CLOPT_SERIES_POINTS,
                       CLOPT_CHART_INK, NULL);
    clopt_chart_style(chart, 8); /* a hollow circle */
    for (size_t i = 0; i < drawing->count; i++) {
        const struct entry *entry = &drawing->entries[i];
        struct clopt_point point = {.x = entry->values[SPEEDUP],
                                    .y = entry->y,
                                    .x_low = entry->speedup.low,
                                    .x_high = entry->speedup.high};
        if (quantity == TIME)
            point = (struct clopt_point){.x = entry->initial / unit, .y = entry->y};
        if (quantity == TIME ? !isnan(point.x) : !isnan(point.x_low) && !isnan(point.x_high))
            clopt_chart_point(chart, point);
    }
    if (quantity != SPEEDUP)
        return;
    clopt_chart_series(chart, CLOPT_SERIES_LINE, CLOPT_CHART_INK, NULL);
    clopt_chart_xy(chart, 1, 0);
    clopt_chart_xy(chart, 1, drawing->end);
}

static void add_panel(const struct drawing *drawing, struct clopt_chart *chart,
                      enum quantity quantity, bool kernels)
{
    const struct clopt_objective_words *words = clopt_objective_words(drawing->results->objective);
    double low, high;
    if (!find_range(drawing, quantity, &low, &high))
        return;
    /* Short numbers: they stand beside the bars. */
    double most = fmax(low, high / 10);
    struct clopt_unit unit = clopt_unit_choose(drawing->results->objective, most);
    double divisor = quantity == TIME ? unit.nanounits : quantity == SHARE ? 0.01 : 1;
    CLOPT_OWNED(clopt_text) label = {0};
    clopt_text_append(&label, quantity == SPEEDUP ? words->gain
                              : quantity == TIME  ? ""
                                                  : "% of a peak");
    if (quantity == TIME)
        clopt_text_printf(&label, "Median %s", unit.name);
    clopt_chart_panel(chart, NULL);
    double begin = add_axes(drawing, chart, quantity, low / divisor, high / divisor,
                            clopt_text_string(&label));
    add_names(drawing, chart, kernels);
    add_bars(drawing, chart, quantity, begin, divisor);
    if (quantity != SHARE)
        add_others(drawing, chart, quantity, divisor);
}

void clopt_devices_draw(const struct clopt_results *results, const struct clopt_views *views,
                        struct clopt_document *document)
{
    struct drawing drawing = {.results = results, .document = document};
    struct clopt_chart chart;
    add_entries(&drawing, views);
    if (results->device_count > 1 && drawing.count > 0) {
        clopt_chart_begin(&chart, 0, "devices", NULL);
        clopt_chart_title(&chart, "The best variants on all devices, side by side");
        if (drawing.left_out)
            clopt_chart_title(&chart,
                              "The best variants on all devices, side by side: %zu of %zu kernels",
                              views->count - drawing.left_out, views->count);
        chart.top = TOP;
        for (size_t color = 1; color <= CLOPT_CHART_COLORS; color++)
            chart.top += has_color(&drawing, color) ? SLOT : 0;
        chart.top += chart.top > TOP ? KEY : 0;
        chart.bottom = BOTTOM;
        chart.height = chart.top + BOTTOM + SLOT * drawing.end;
        for (enum quantity quantity = 0; quantity < QUANTITIES; quantity++)
            add_panel(&drawing, &chart, quantity, views->count > 1);
        chart.columns = chart.count;
        chart.margin = chart.margin > LONGEST_NAME ? LONGEST_NAME : chart.margin + 2;
        clopt_document_chart(document, &chart);
    }
    free(drawing.entries);
}
