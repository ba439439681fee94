/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws how a search went: the best so far, and each trial, over trials and over time. */
#include <math.h>

#include "analyses/analyses.h"

#define HEIGHT     300
#define WIDE_RANGE 20 /* of speed-ups: a wider one is shown on a logarithmic axis */
#define LEAST_S    1  /* of a search that is drawn over time */

struct tried {
    int64_t trial;
    double at_s;    /* since the run began; an earlier run's are known when it begins */
    double speedup; /* NaN: it failed */
};

/* What a device has tried, in that order. */
struct history {
    struct tried *items;
    size_t count;
};

static int compare(const void *a, const void *b)
{
    const struct tried *x = a, *y = b;
    return (x->trial > y->trial) - (x->trial < y->trial);
}

/* Lists the variants of a device in the order in which they were tried, once each. */
static struct history list_tried(const struct clopt_view *view, size_t device)
{
    struct history history = {clopt_calloc(view->row_count, sizeof *history.items), 0};
    for (size_t i = 0; i < view->row_count; i++) {
        const struct clopt_view_row *row = &view->rows[i];
        const struct clopt_result *result = &row->row->cells[device];
        if (result->present && result->trial.id && !row->rival &&
            result->outcome != CLOPT_OUTCOME_PENDING)
            history.items[history.count++] =
                (struct tried){result->trial.id, isnan(result->tried_s) ? 0 : result->tried_s,
                               row->initial ? 1 : result->times[view->scope].speedup.median};
    }
    if (history.count)
        qsort(history.items, history.count, sizeof *history.items, compare);
    return history;
}

/* Adds each trial as a dot, or the best so far as a line, over trials, or time in a unit. */
static void add_series(const struct history *history, struct clopt_chart *chart, bool line,
                       double unit_s)
{
    double best = 0, last_s = 0;
    for (size_t i = 0; i < history->count; i++) {
        const struct tried *tried = &history->items[i];
        best = fmax(best, tried->speedup); /* NaN counts not */
        last_s = fmax(last_s, tried->at_s);
        double y = line ? best : tried->speedup;
        if (y > 0)
            clopt_chart_xy(chart, unit_s > 0 ? last_s / unit_s : (double)(i + 1), y);
    }
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

static void draw(const struct clopt_view *view, const struct history *histories,
                 struct clopt_chart *chart)
{
    const struct clopt_results *results = view->results;
    double low = 1, high = 1, end_s = 0;
    for (size_t d = 0; d < results->device_count; d++)
        find_range(&histories[d], &low, &high, &end_s);
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
            for (int line = 0; line < 2; line++) {
                clopt_chart_series(chart, line ? CLOPT_SERIES_STEPS : CLOPT_SERIES_POINTS,
                                   clopt_chart_color(d),
                                   line && !panel ? results->devices[d].label : NULL);
                add_series(&histories[d], chart, line, panel ? unit_s : 0);
            }
    }
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
        histories[d] = list_tried(view, d);
        most = histories[d].count > most ? histories[d].count : most;
    }
    if (most > 1) {
        clopt_chart_begin(&chart, HEIGHT, view->problem->app, view->problem->label, view->name,
                          "search", NULL);
        clopt_chart_title(&chart, "%s: %s, the best so far (lines) and each trial (dots)",
                          view->problem->title, view->name);
        draw(view, histories, &chart);
        clopt_document_chart(document, &chart);
    }
    for (size_t d = 0; d < devices; d++)
        free(histories[d].items);
}
