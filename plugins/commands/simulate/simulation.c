/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs searches in a recording, and reports what they reach: medians, with the middle half of the
 * runs around them. */
#include "commands/simulate/simulation.h"

#include <math.h>

#define STEPS  3 /* columns: a quarter, a half and all of the budget */
#define HEIGHT 400

/* What runs of a strategy reach, the fraction of the best as median and middle half: after each
 * trial of the budget, and after as many equal steps of the time that these cost on average. */
enum way { BY_TRIALS, BY_TIME, WAYS };

struct curve {
    const struct clopt_extension *strategy;
    struct clopt_interval *reached[WAYS]; /* steps of the budget */
};

struct simulation {
    const char *title; /* of the recording; not owned */
    const struct clopt_recording *recording;
    size_t repeat;
    size_t budget;  /* trials; at most as many as the recording has */
    double limit_s; /* what they cost on average */
    size_t ways;    /* by trials alone where no cost is recorded */
    struct curve *curves;
    size_t count;
};

struct runs {
    struct clopt_replayed *trials; /* run by run, `budget` of each */
    size_t *counts;                /* how many a run has made */
    double *fractions;             /* of all runs at one step */
    size_t budget;
    size_t repeat;
};

/* Sorts what the runs have reached, and takes its quartiles. */
static struct clopt_interval find_quartiles(struct runs *runs)
{
    struct clopt_quartiles quartiles = clopt_quartiles_find(runs->fractions, runs->repeat);
    size_t half = runs->repeat / 2;
    double median = runs->repeat % 2 ? runs->fractions[half]
                                     : (runs->fractions[half - 1] + runs->fractions[half]) / 2;
    return (struct clopt_interval){
        .median = median, .low = quartiles.first_quarter, .high = quartiles.third_quarter};
}

/* Measures what the runs have reached after each step: a trial, or a part of the time. */
static void measure(struct runs *runs, double limit_s, size_t way, struct clopt_interval *curve)
{
    for (size_t step = 0; step < runs->budget; step++) {
        double time_s = limit_s * (double)(step + 1) / (double)runs->budget;
        for (size_t run = 0; run < runs->repeat; run++) {
            const struct clopt_replayed *trials = runs->trials + run * runs->budget;
            size_t done = 0;
            while (done < runs->counts[run] &&
                   (way == BY_TIME ? trials[done].cost_s <= time_s : done <= step))
                done++;
            runs->fractions[run] = done ? trials[done - 1].fraction : 0;
        }
        curve[step] = find_quartiles(runs);
    }
}

static void simulate(struct simulation *simulation, struct runs *runs,
                     const struct clopt_simulation_request *request, struct curve *curve)
{
    for (size_t run = 0; run < runs->repeat; run++) {
        if (request->progress)
            fprintf(request->progress, "\r%s: run %zu of %zu\033[K", curve->strategy->name, run + 1,
                    runs->repeat);
        runs->counts[run] =
            clopt_replay(simulation->recording, curve->strategy->operations, request->seed + run,
                         runs->budget, runs->trials + run * runs->budget);
    }
    if (request->progress)
        fputs(CLOPT_CLEAR_LINE, request->progress);
    for (size_t way = 0; way < simulation->ways; way++) {
        curve->reached[way] = clopt_calloc(runs->budget, sizeof *curve->reached[way]);
        measure(runs, simulation->limit_s, way, curve->reached[way]);
    }
}

static enum clopt_status run_all(struct simulation *simulation, const char *title,
                                 const struct clopt_recording *recording,
                                 const struct clopt_simulation_request *request,
                                 struct clopt_error *error)
{
    size_t budget =
        request->budget < recording->points.count ? request->budget : recording->points.count;
    size_t most = 0;
    while (request->strategies[most])
        most++;
    *simulation = (struct simulation){
        .title = title,
        .recording = recording,
        .repeat = request->repeat,
        .budget = budget,
        .limit_s = recording->cost_s * (double)budget,
        .ways = recording->cost_s > 0 && budget ? WAYS : BY_TIME,
        .curves = clopt_calloc(most, sizeof *simulation->curves),
    };
    CLOPT_FREED struct clopt_replayed *trials = calloc(request->repeat * budget, sizeof *trials);
    CLOPT_FREED size_t *counts = calloc(request->repeat, sizeof *counts);
    CLOPT_FREED double *fractions = calloc(request->repeat, sizeof *fractions);
    struct runs runs = {trials, counts, fractions, budget, request->repeat};
    CLOPT_NEED(trials && counts && fractions, error); /* an option says how many */
    while (simulation->count < most) {
        struct curve *curve = &simulation->curves[simulation->count];
        curve->strategy = request->strategies[simulation->count++];
        simulate(simulation, &runs, request, curve);
    }
    return CLOPT_OK;
}

/* ---- the report ---- */

static size_t step_end(const struct simulation *simulation, size_t step)
{
    size_t end = simulation->budget >> (STEPS - 1 - step);
    return end ? end : 1;
}

/* Writes the time of a column, for people. */
static void write_time(char *text, size_t size, double seconds)
{
    if (seconds < 0.1)
        snprintf(text, size, "%.3g s", seconds);
    else if (seconds < 120)
        snprintf(text, size, seconds < 10 ? "%.1f s" : "%.0f s", seconds);
    else
        snprintf(text, size, seconds < 7200 ? "%.0f min" : "%.1f h",
                 seconds < 7200 ? seconds / 60 : seconds / 3600);
}

static void add_table(const struct simulation *simulation, size_t way,
                      struct clopt_document *document)
{
    struct clopt_grid grid = {0};
    if (way == BY_TIME)
        clopt_grid_set_heading(&grid, "The same by recorded time");
    else
        clopt_grid_set_heading(&grid,
                               "Best time divided by best found: median [quartiles] of %zu run%s",
                               simulation->repeat, simulation->repeat == 1 ? "" : "s");
    clopt_grid_add_column(&grid, "*After%s", way == BY_TIME ? "" : " trials");
    for (size_t step = 0; step < STEPS; step++) {
        char label[32];
        size_t end = step_end(simulation, step);
        if (way == BY_TIME)
            write_time(label, sizeof label,
                       simulation->limit_s * (double)end / (double)simulation->budget);
        else
            snprintf(label, sizeof label, "%zu", end);
        clopt_grid_add_column(&grid, "#%s", label);
    }
    for (size_t i = 0; i < simulation->count; i++) {
        const struct curve *curve = &simulation->curves[i];
        clopt_grid_add_row(&grid, "%s", curve->strategy->name);
        for (size_t step = 0; step < STEPS; step++) {
            const struct clopt_interval *at = &curve->reached[way][step_end(simulation, step) - 1];
            clopt_cell_set_number(clopt_grid_printf(&grid, at->median, "%.3f [%.3f, %.3f]",
                                                    at->median, at->low, at->high),
                                  at, 1);
        }
    }
    clopt_document_table(document, &grid);
}

/* ---- the chart ---- */

/* The axis begins where the slowest strategy is after a tenth of the budget. */
static double find_low(const struct simulation *simulation)
{
    double low = 1;
    for (size_t i = 0; i < simulation->count; i++)
        low = fmin(low, simulation->curves[i].reached[BY_TRIALS][simulation->budget / 10].low);
    return fmin(0.9, floor(low * 10) / 10);
}

static void add_panel(const struct simulation *simulation, struct clopt_chart *chart,
                      const char *label, double end, size_t way)
{
    clopt_chart_panel(chart, NULL);
    clopt_chart_axis(chart, CLOPT_X, 0, end, "%s", label);
    clopt_chart_axis(chart, CLOPT_Y, find_low(simulation), 1, NULL);
    for (int line = 0; line < 2; line++)
        for (size_t i = 0; i < simulation->count; i++) {
            const struct curve *curve = &simulation->curves[i];
            const struct clopt_interval *reached = curve->reached[way];
            clopt_chart_series(chart, line ? CLOPT_SERIES_LINE : CLOPT_SERIES_BAND,
                               clopt_chart_color(i),
                               line && way == BY_TRIALS ? curve->strategy->name : NULL);
            for (size_t n = 0; n < simulation->budget; n++)
                clopt_chart_point(
                    chart,
                    (struct clopt_point){.x = end * (double)(n + 1) / (double)simulation->budget,
                                         .y = reached[n].median,
                                         .y_low = line ? NAN : reached[n].low,
                                         .y_high = line ? NAN : reached[n].high});
        }
}

static void draw(const struct simulation *simulation, struct clopt_document *document)
{
    const char *slash = strrchr(simulation->title, '/');
    const char *unit;
    double unit_s = clopt_chart_span(simulation->limit_s, &unit);
    char label[64];
    struct clopt_chart chart;
    clopt_chart_begin(&chart, HEIGHT, slash ? slash + 1 : simulation->title, NULL);
    clopt_chart_title(
        &chart, "%s: best time divided by best found, median and middle half of %zu run%s",
        *simulation->recording->name ? simulation->recording->name : simulation->title,
        simulation->repeat, simulation->repeat == 1 ? "" : "s");
    chart.columns = simulation->ways;
    snprintf(label, sizeof label, "recorded time in %s", unit);
    add_panel(simulation, &chart, "trials", (double)simulation->budget, BY_TRIALS);
    if (simulation->ways > BY_TIME)
        add_panel(simulation, &chart, label, simulation->limit_s / unit_s, BY_TIME);
    clopt_document_chart(document, &chart);
}

/* ---- for programs ---- */

static void add_rows(const struct simulation *simulation, const struct curve *curve, size_t way,
                     struct clopt_document *document)
{
    const struct clopt_interval *reached = curve->reached[way];
    double step_s = way == BY_TIME ? simulation->limit_s / (double)simulation->budget : 1;
    for (size_t step = 0; step < simulation->budget; step++)
        clopt_document_row(document, "ssisdddd", simulation->title, curve->strategy->name,
                           (int64_t)simulation->repeat, way == BY_TIME ? "seconds" : "trials",
                           (double)(step + 1) * step_s, reached[step].low, reached[step].median,
                           reached[step].high);
}

static void report(const struct simulation *simulation, struct clopt_document *document)
{
    const struct clopt_recording *recording = simulation->recording;
    size_t count = recording->points.count;
    CLOPT_OWNED(clopt_text) title = {0};
    if (document->for_programs) {
        if (!clopt_document_has(document, CLOPT_BLOCK_ROWS))
            clopt_document_rows(document, "simulations",
                                "space strategy runs by at first_quarter median third_quarter");
        for (size_t i = 0; i < simulation->count; i++)
            for (size_t way = 0; way < simulation->ways; way++)
                add_rows(simulation, &simulation->curves[i], way, document);
        return;
    }
    clopt_text_append_printable(&title, simulation->title);
    clopt_text_append(&title, *recording->name ? ": " : "");
    clopt_text_append_printable(&title, recording->name);
    clopt_document_heading(document, CLOPT_HEADING_SECTION, "%s", clopt_text_string(&title));
    clopt_document_printf(document, CLOPT_SENTENCE_PLAIN,
                          "%zu variant%s, %zu failed; the best takes %.4g ms", count,
                          count == 1 ? "" : "s", recording->failed, recording->best_ms);
    if (recording->left_out)
        clopt_document_printf(document, CLOPT_SENTENCE_WARNING,
                              "This is a part of a space: %" PRId64
                              " other variants were not measured, and one of them may be better",
                              recording->left_out);
    for (size_t way = 0; way < simulation->ways; way++)
        add_table(simulation, way, document);
    draw(simulation, document);
}

enum clopt_status clopt_report_simulation(const char *title,
                                          const struct clopt_recording *recording,
                                          const struct clopt_simulation_request *request,
                                          struct clopt_document *document,
                                          struct clopt_error *error)
{
    struct simulation simulation;
    enum clopt_status status = run_all(&simulation, title, recording, request, error);
    if (!status)
        report(&simulation, document);
    for (size_t i = 0; i < simulation.count; i++) {
        free(simulation.curves[i].reached[BY_TRIALS]);
        free(simulation.curves[i].reached[BY_TIME]);
    }
    free(simulation.curves);
    return status;
}
