/* SPDX-License-Identifier: BSD-3-Clause */
/* How a search went: the best so far, trial by trial. */
#include <math.h>

#include "report/view.h"

#define HEIGHT 300

struct tried {
    int64_t trial;
    double speedup; /* NaN: it failed */
};

static int compare(const void *a, const void *b)
{
    const struct tried *x = a, *y = b;
    return (x->trial > y->trial) - (x->trial < y->trial);
}

/* Lists the variants of a device in the order in which they were tried, once each. */
static struct tried *list_tried(const struct clopt_view *view, size_t device, size_t *count)
{
    struct tried *list = calloc(view->row_count + 1, sizeof *list);
    *count = 0;
    for (size_t i = 0; list && i < view->row_count; i++) {
        const struct clopt_result *result = &view->rows[i].row->cells[device];
        if (result->present && result->trial.id && !view->rows[i].rival)
            list[(*count)++] = (struct tried){
                result->trial.id,
                view->rows[i].initial ? 1 : result->times[view->scope].speedup.median};
    }
    if (*count)
        qsort(list, *count, sizeof *list, compare);
    return list;
}

/* Adds each trial as a dot, or the best so far as a line. */
static void add_series(const struct clopt_view *view, size_t device, struct clopt_chart *chart,
                       bool line)
{
    size_t count;
    CLOPT_FREED struct tried *list = list_tried(view, device, &count);
    double best = 0;
    clopt_chart_series(chart, line ? CLOPT_SERIES_STEPS : CLOPT_SERIES_DOTS,
                       clopt_chart_color(device),
                       line ? view->results->devices[device].label : NULL);
    for (size_t i = 0; list && i < count; i++) {
        best = fmax(best, list[i].speedup); /* NaN counts not */
        double y = line ? best : list[i].speedup;
        if (y > 0)
            clopt_chart_point(chart, (struct clopt_point){.x = (double)(i + 1), .y = y});
    }
    chart->failed |= !list;
}

void clopt_progress_draw(const struct clopt_view *view, struct clopt_document *document)
{
    const struct clopt_results *results = view->results;
    struct clopt_chart chart;
    CLOPT_OWNED(clopt_text) title = {0};
    if (view->scope != CLOPT_SCOPE_KERNEL || !strstr(results->config, "\n[search]\n"))
        return;
    clopt_view_title(&title, view);
    clopt_text_append(&title, ", the best so far (lines) and each trial (dots)");
    clopt_chart_begin(&chart, HEIGHT, clopt_text_string(&title), view->problem->app,
                      view->problem->label, view->name, "search", NULL);
    clopt_text_clear(&title);
    clopt_text_printf(&title, "%s over the initial code",
                      clopt_objective_words(results->objective)->gain);
    clopt_chart_x(&chart, "trials: the best so far (lines), and each (dots)", false, 0, 0);
    clopt_chart_y(&chart, clopt_text_string(&title), false, 0, 0);
    for (size_t d = 0; d < results->device_count; d++)
        for (int line = 0; line < 2; line++)
            add_series(view, d, &chart, line);
    chart.failed |= title.failed;
    clopt_document_chart(document, &chart);
}
