/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws how a search went: the best so far, and each trial, over trials and over time. */
#include <math.h>

#include "analyses/analyses.h"

#define HEIGHT     300
#define WIDE_RANGE 20 /* of speed-ups: a wider one is shown on a logarithmic axis */
#define LEAST_S    1  /* of a search that is drawn over time */
#define TOP        30
#define BOTTOM     58
#define SLOT       21 /* pixels of a line of the key */
#define LINE       SIZE_MAX

struct tried {
    int64_t trial;
    double at_s;    /* since the run began; an earlier run's are known when it begins */
    double speedup; /* NaN: it failed */
    size_t color;
};

/* What a device has tried, in that order. */
struct history {
    struct tried *items;
    size_t count;
};

struct drawing {
    const struct clopt_view *view;
    struct clopt_document *document;
    struct history *histories; /* of each device */
};

static int compare(const void *a, const void *b)
{
    const struct tried *x = a, *y = b;
    return (x->trial > y->trial) - (x->trial < y->trial);
}

/* Lists the variants of a device in the order in which they were tried, once each. */
static struct history list_tried(const struct clopt_view *view, size_t device,
                                 struct clopt_document *document)
{
    struct history history = {clopt_calloc(view->row_count, sizeof *history.items), 0};
    for (size_t i = 0; i < view->row_count; i++) {
        const struct clopt_view_row *row = &view->rows[i];
        const struct clopt_result *result = &row->row->cells[device];
        if (result->present && result->trial.id && !row->rival &&
            result->outcome != CLOPT_OUTCOME_PENDING)
            history.items[history.count++] =
                (struct tried){result->trial.id, isnan(result->tried_s) ? 0 : result->tried_s,
                               row->initial ? 1 : result->times[view->scope].speedup.median,
                               clopt_variant_color(document, row->row->name)};
    }
    if (history.count)
        qsort(history.items, history.count, sizeof *history.items, compare);
    return history;
}

/* Adds the trials of a color as dots, or the best so far as a line (LINE), over trials, or time in
 * a unit. */
static void add_points(const struct history *history, struct clopt_chart *chart, size_t color,
                       double unit_s)
{
    double best = 0, last_s = 0;
    for (size_t i = 0; i < history->count; i++) {
        const struct tried *tried = &history->items[i];
        best = fmax(best, tried->speedup); /* NaN counts not */
        last_s = fmax(last_s, tried->at_s);
        double y = color == LINE ? best : tried->speedup;
        if (y > 0 && (color == LINE || color == tried->color))
            clopt_chart_xy(chart, unit_s > 0 ? last_s / unit_s : (double)(i + 1), y);
    }
}

static bool has_color(const struct history *history, size_t color)
{
    for (size_t i = 0; i < history->count; i++)
        if (history->items[i].color == color && history->items[i].speedup > 0)
            return true;
    return false;
}

/* Finds between which speed-ups the trials are, and how long they took. */
static void find_range(const struct history *history, double *low, double *high, double *end_s)
{
    for (size_t i = 0; i < history->count; i++) {
        const struct tried *tried = &history->items[i];
        if (tried->speedup > 0) {
            *low = fmin(*low, tried->speedup);
            *high = fmax(*high, tried->speedup);
        }
        *end_s = fmax(*end_s, tried->at_s);
    }
}

/* Adds the series of a device: a line, and dots by the optimizations that were tried. Those of the
 * first panel, which has no unit, are in the key, a color once. */
static void add_device(const struct drawing *drawing, struct clopt_chart *chart, size_t device,
                       double unit_s)
{
    const struct history *history = &drawing->histories[device];
    const struct clopt_document *document = drawing->document;
    clopt_chart_series(chart, CLOPT_SERIES_STEPS, CLOPT_CHART_INK,
                       unit_s > 0 ? NULL : drawing->view->results->devices[device].label);
    clopt_chart_style(chart, (int)device);
    add_points(history, chart, LINE, unit_s);
    for (size_t color = 0; color <= CLOPT_CHART_COLORS; color++) {
        bool named = unit_s > 0 || !color;
        for (size_t d = 0; d < device && !named; d++)
            named = has_color(&drawing->histories[d], color);
        if (!has_color(history, color))
            continue;
        clopt_chart_series(chart, CLOPT_SERIES_POINTS,
                           color ? clopt_chart_color(color - 1) : CLOPT_CHART_INK,
                           named ? NULL : clopt_document_group(document, color));
        clopt_chart_style(chart, (int)device);
        add_points(history, chart, color, unit_s);
    }
}

static void draw(const struct drawing *drawing, struct clopt_chart *chart)
{
    const struct clopt_results *results = drawing->view->results;
    double low = 1, high = 1, end_s = 0;
    for (size_t d = 0; d < results->device_count; d++)
        find_range(&drawing->histories[d], &low, &high, &end_s);
    enum clopt_axis_kind kind = high > WIDE_RANGE * low ? CLOPT_LOG_Y : CLOPT_Y;
    const char *unit;
    double unit_s = clopt_chart_span(end_s, &unit);
    chart->columns = end_s < LEAST_S ? 1 : 2;
    for (size_t panel = 0; panel < chart->columns; panel++) {
        clopt_chart_panel(chart, NULL);
        clopt_chart_axis(chart, CLOPT_X, 0, 0, "%s", panel ? unit : "trials");
        clopt_chart_axis(chart, kind, 0, 0, panel ? NULL : "%s over the initial code",
                         clopt_objective_words(results->objective)->gain);
        for (size_t d = 0; d < results->device_count; d++)
            add_device(drawing, chart, d, panel ? unit_s : 0);
    }
    chart->top = TOP;
    for (size_t i = 0; i < chart->panels->count; i++)
        chart->top += chart->panels->series[i].title ? SLOT : 0;
    chart->bottom = BOTTOM;
    chart->height += chart->top;
}

void clopt_search_draw(const struct clopt_view *view, struct clopt_document *document)
{
    const size_t devices = view->results->device_count;
    struct clopt_chart chart;
    size_t most = 0;
    if (view->scope != CLOPT_SCOPE_KERNEL || !strstr(view->results->run.config, "\n[search]\n"))
        return;
    CLOPT_FREED struct history *histories = clopt_calloc(devices, sizeof *histories);
    for (size_t d = 0; d < devices; d++) {
        histories[d] = list_tried(view, d, document);
        most = histories[d].count > most ? histories[d].count : most;
    }
    if (most > 1) {
        clopt_chart_begin(&chart, HEIGHT, view->problem->app, view->problem->label, view->name,
                          "search", NULL);
        clopt_chart_title(&chart, "%s: %s, the best so far (lines) and each trial (dots)",
                          view->problem->title, view->name);
        draw(&(struct drawing){view, document, histories}, &chart);
        clopt_document_chart(document, &chart);
    }
    for (size_t d = 0; d < devices; d++)
        free(histories[d].items);
}
