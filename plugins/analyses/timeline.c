/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws what each worker of a run did when: a row a worker, those of a host together; a color a
 * stage. */
#include "analyses/analyses.h"

#include <math.h>

#define COLUMNS 1600 /* of a row: half a pixel each; what is shorter is not seen */
#define SLOT    20
#define KEY     22 /* pixels of a line of the key, */
#define IN_LINE 4  /* which has so many kinds */
#define TOP     18 /* above the rows, without the key */
#define BOTTOM  60

/* Colors that also people who are color-blind can tell apart, after Okabe and Ito. */
static const struct {
    const char *name;
    const char *color;
} kinds[] = {{"start", "#aaaaaa"},  {"open", "#e69f00"},   {"peaks", "#f0e442"},
             {"setup", "#cc79a7"},  {"make", "#7766cc"},   {"build", "#0072b2"},
             {"launch", "#d55e00"}, {"verify", "#56b4e9"}, {"sample", "#009e73"},
             {"count", "#882255"},  {"paused", "#dddddd"}, {"end", "#666666"},
             {"other", "#777777"}};
#define KINDS (sizeof kinds / sizeof *kinds)
#define IDLE  KINDS

static size_t find_kind(const char *name)
{
    size_t kind = 0;
    while (kind < KINDS - 1 && strcmp(kinds[kind].name, name) != 0)
        kind++;
    return kind;
}

/* How long a worker did what in each column, the rest of the time nothing. */
struct row {
    double seconds[COLUMNS][KINDS];
};

static void add_activity(struct row *row, const struct clopt_results_activity *activity,
                         double column_s)
{
    size_t kind = find_kind(activity->stage);
    double from = fmax(activity->began_s / column_s, 0);
    double to = fmin(activity->ended_s / column_s, COLUMNS);
    for (size_t c = (size_t)from; c < COLUMNS && (double)c < to; c++)
        row->seconds[c][kind] += fmin(to, (double)(c + 1)) - fmax(from, (double)c);
}

/* Returns what a worker did most of the time of a column. */
static size_t find_most(const struct row *row, size_t column)
{
    size_t most = IDLE;
    double idle = 1;
    for (size_t k = 0; k < KINDS; k++)
        idle -= row->seconds[column][k];
    for (size_t k = 0; k < KINDS; k++)
        if (row->seconds[column][k] > (most == IDLE ? idle : row->seconds[column][most]))
            most = k;
    return most;
}

/* Adds a row's boxes of a kind, and its series before the first. */
static void add_boxes(struct clopt_chart *chart, const struct row *row, size_t worker, size_t kind,
                      double column, bool *begun)
{
    for (size_t c = 0, began = 0; c <= COLUMNS; c++) {
        bool on = c < COLUMNS && find_most(row, c) == kind;
        if (on && (c == 0 || find_most(row, c - 1) != kind))
            began = c;
        if (on || c == 0 || find_most(row, c - 1) != kind)
            continue;
        if (!*begun)
            clopt_chart_series(chart, CLOPT_SERIES_BOXES, kinds[kind].color, kinds[kind].name);
        *begun = true;
        clopt_chart_point(chart, (struct clopt_point){(double)began * column, (double)worker,
                                                      (double)began * column, (double)c * column,
                                                      (double)worker - 0.4, (double)worker + 0.4});
    }
}

/* Collects what each worker did; activities are ordered by worker. Returns how many there are. */
static size_t collect(const struct clopt_results *results, struct row *rows, double column_s)
{
    size_t workers = 0;
    for (size_t i = 0; i < results->work.activity_count; i++) {
        const struct clopt_results_activity *activity = &results->work.activities[i];
        workers += i == 0 || activity[-1].worker != activity->worker;
        if (rows)
            add_activity(&rows[workers - 1], activity, column_s);
    }
    return workers;
}

/* Returns how many lines the key has. */
static size_t count_lines(const struct clopt_results *results)
{
    bool used[KINDS] = {false};
    size_t count = 0;
    for (size_t i = 0; i < results->work.activity_count; i++) {
        bool *kind = &used[find_kind(results->work.activities[i].stage)];
        count += !*kind;
        *kind = true;
    }
    return (count + IN_LINE - 1) / IN_LINE;
}

static bool is_on_same_host(const struct clopt_results_activity *one,
                            const struct clopt_results_activity *other)
{
    return one->host && other->host ? strcmp(one->host, other->host) == 0
                                    : one->host == other->host;
}

static void draw(const struct clopt_results *results, const struct row *rows, double end_s,
                 struct clopt_chart *chart)
{
    const char *unit;
    double unit_s = clopt_chart_span(end_s, &unit);
    size_t workers = collect(results, NULL, 1);
    clopt_chart_axis(chart, CLOPT_X, 0, end_s / unit_s, "%s since the run began", unit);
    clopt_chart_axis(chart, CLOPT_Y, (double)workers + 0.5, 0.5, NULL);
    for (size_t w = 0, of_host = 0, i = 0; i < results->work.activity_count; i++) {
        const struct clopt_results_activity *activity = &results->work.activities[i];
        const char *host = activity->host ? activity->host : "worker";
        if (i && activity->worker == activity[-1].worker)
            continue;
        of_host = i && is_on_same_host(activity, activity - 1) ? of_host + 1 : 1;
        clopt_chart_tic(chart, CLOPT_Y, (double)++w, "%s %zu", host, of_host);
        chart->margin = (size_t)fmax((double)chart->margin, (double)strlen(host) + 4);
    }
    for (size_t k = 0; k < KINDS; k++) {
        bool begun = false;
        for (size_t w = 0; w < workers; w++)
            add_boxes(chart, &rows[w], w + 1, k, end_s / unit_s / COLUMNS, &begun);
    }
}

void clopt_timeline_draw(const struct clopt_results *results, struct clopt_document *document)
{
    struct clopt_chart chart;
    double end_s = 0;
    size_t workers = collect(results, NULL, 1);
    CLOPT_FREED struct row *rows = clopt_calloc(workers, sizeof *rows);
    for (size_t i = 0; i < results->work.activity_count; i++)
        end_s = fmax(end_s, results->work.activities[i].ended_s);
    if (end_s > 0) {
        double top = TOP + KEY * (double)count_lines(results);
        clopt_chart_begin(&chart, top + SLOT * (double)workers + BOTTOM, "timeline", NULL);
        clopt_chart_title(&chart, "%s: what each worker did when", results->run.title);
        chart.margin = 12;
        chart.right = 3;
        chart.top = top;
        chart.bottom = BOTTOM;
        collect(results, rows, end_s / COLUMNS);
        draw(results, rows, end_s, &chart);
        clopt_document_chart(document, &chart);
    }
}
