/* SPDX-License-Identifier: BSD-3-Clause */
/* Reports what simulated searches reach: medians, with the middle half of the runs around them. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "report/simulation.h"
#include "text/json.h"

#define STEPS  3 /* columns: a quarter, a half and all of the budget */
#define HEIGHT 400

static size_t step_end(const struct clopt_simulation *simulation, size_t step)
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

static void fill_quartiles(struct clopt_grid *grid, struct clopt_cell *cell,
                           const struct clopt_simulated *reached)
{
    const struct clopt_interval quartiles = {
        .median = reached->median, .low = reached->first_quarter, .high = reached->third_quarter};
    char text[64];
    snprintf(text, sizeof text, "%.3f [%.3f, %.3f]", reached->median, reached->first_quarter,
             reached->third_quarter);
    clopt_grid_fill(grid, cell, text, -1, "");
    clopt_cell_set_number(cell, &quartiles, 1);
}

static void add_table(const struct clopt_simulation *simulation, bool by_time,
                      struct clopt_document *document)
{
    struct clopt_grid grid = {0};
    if (by_time)
        clopt_grid_set_heading(&grid, "The same by recorded time");
    else
        clopt_grid_set_heading(&grid,
                               "Best time divided by best found: median [quartiles] of %zu run%s",
                               simulation->repeat, simulation->repeat == 1 ? "" : "s");
    clopt_grid_add_column(&grid, CLOPT_COLUMN_NAME, CLOPT_COLUMN_KEY,
                          by_time ? "After" : "After trials");
    for (size_t step = 0; step < STEPS; step++) {
        char label[32];
        size_t end = step_end(simulation, step);
        if (by_time)
            write_time(label, sizeof label,
                       simulation->limit_s * (double)end / (double)simulation->budget);
        else
            snprintf(label, sizeof label, "%zu", end);
        clopt_grid_add_column(&grid, CLOPT_COLUMN_COUNT, CLOPT_COLUMN_DATA, label);
    }
    for (size_t i = 0; i < simulation->count; i++) {
        const struct clopt_simulation_curve *curve = &simulation->curves[i];
        struct clopt_cell *cell = clopt_grid_add_row(&grid);
        if (!cell)
            break;
        clopt_grid_fill(&grid, cell, curve->strategy->name, -1, "");
        for (size_t step = 0; step < STEPS; step++)
            fill_quartiles(&grid, &cell[1 + step],
                           (by_time ? curve->by_seconds : curve->by_trials) +
                               step_end(simulation, step) - 1);
    }
    clopt_document_table(document, &grid);
}

/* ---- the chart ---- */

/* The axis begins where the slowest strategy is after a tenth of the budget. */
static double find_low(const struct clopt_simulation *simulation)
{
    double low = 1;
    for (size_t i = 0; i < simulation->count; i++)
        low = fmin(low, simulation->curves[i].by_trials[simulation->budget / 10].first_quarter);
    return fmin(0.9, floor(low * 10) / 10);
}

static void add_panel(const struct clopt_simulation *simulation, struct clopt_chart *chart,
                      const char *label, double end, bool by_time)
{
    clopt_chart_panel(chart, NULL);
    clopt_chart_x(chart, label, false, 0, end);
    clopt_chart_y(chart, NULL, false, find_low(simulation), 1);
    for (int line = 0; line < 2; line++)
        for (size_t i = 0; i < simulation->count; i++) {
            const struct clopt_simulation_curve *curve = &simulation->curves[i];
            const struct clopt_simulated *reached = by_time ? curve->by_seconds : curve->by_trials;
            clopt_chart_series(chart, line ? CLOPT_SERIES_LINE : CLOPT_SERIES_BAND,
                               clopt_chart_color(i),
                               line && !by_time ? curve->strategy->name : NULL);
            for (size_t n = 0; n < simulation->budget; n++)
                clopt_chart_point(
                    chart, (struct clopt_point){
                               .x = end * (double)(n + 1) / (double)simulation->budget,
                               .y = reached[n].median,
                               .y_low = line ? reached[n].median : reached[n].first_quarter,
                               .y_high = line ? reached[n].median : reached[n].third_quarter});
        }
}

static void draw(const struct clopt_simulation *simulation, struct clopt_document *document)
{
    const char *slash = strrchr(simulation->title, '/');
    double unit_s = simulation->limit_s < 120 ? 1 : simulation->limit_s < 7200 ? 60 : 3600;
    struct clopt_chart chart;
    struct clopt_text title = {0};
    clopt_text_printf(
        &title, "%s: best time divided by best found, median and middle half of %zu runs",
        *simulation->recording->name ? simulation->recording->name : simulation->title,
        simulation->repeat);
    clopt_chart_begin(&chart, HEIGHT, clopt_text_string(&title));
    clopt_chart_name(&chart, slash ? slash + 1 : simulation->title);
    chart.columns = simulation->limit_s > 0 ? 2 : 1;
    add_panel(simulation, &chart, "trials", (double)simulation->budget, false);
    if (simulation->limit_s > 0)
        add_panel(simulation, &chart,
                  unit_s < 2    ? "recorded time in seconds"
                  : unit_s < 61 ? "recorded time in minutes"
                                : "recorded time in hours",
                  simulation->limit_s / unit_s, true);
    chart.failed |= title.failed;
    clopt_text_fini(&title);
    clopt_document_chart(document, &chart);
}

/* ---- for programs ---- */

static const char columns[] = "space strategy runs by at first_quarter median third_quarter";

static void add_rows(const struct clopt_simulation *simulation,
                     const struct clopt_simulation_curve *curve, bool by_time,
                     struct clopt_document *document)
{
    const struct clopt_simulated *reached = by_time ? curve->by_seconds : curve->by_trials;
    for (size_t step = 0; step < simulation->budget; step++)
        clopt_document_row(
            document,
            json_pack("[o, s, I, s, f, f, f, f]", clopt_json_text(simulation->title),
                      curve->strategy->name, (json_int_t)simulation->repeat,
                      by_time ? "seconds" : "trials",
                      (double)(step + 1) *
                          (by_time ? simulation->limit_s / (double)simulation->budget : 1),
                      reached[step].first_quarter, reached[step].median,
                      reached[step].third_quarter));
}

void clopt_simulation_report(const struct clopt_simulation *simulation,
                             struct clopt_document *document)
{
    const struct clopt_recording *recording = simulation->recording;
    size_t count = recording->points.count;
    struct clopt_text title = {0}, clean = {0};
    if (document->for_programs) {
        if (!clopt_document_has(document, CLOPT_BLOCK_ROWS))
            clopt_document_rows(document, "simulations", columns);
        for (size_t i = 0; i < simulation->count; i++)
            for (int by_time = 0; by_time <= (simulation->limit_s > 0); by_time++)
                add_rows(simulation, &simulation->curves[i], by_time, document);
        return;
    }
    clopt_text_printf(&title, "%s%s%s", simulation->title, *recording->name ? ": " : "",
                      recording->name);
    clopt_text_append_printable(&clean, clopt_text_string(&title));
    clopt_document_heading(document, CLOPT_HEADING_SECTION, "%s", clopt_text_string(&clean));
    clopt_text_fini(&title);
    clopt_text_fini(&clean);
    clopt_document_printf(document, CLOPT_SENTENCE_PLAIN,
                          "%zu variant%s, %zu failed; the best takes %.4g ms", count,
                          count == 1 ? "" : "s", recording->failed, recording->best_ms);
    if (recording->left_out)
        clopt_document_printf(document, CLOPT_SENTENCE_WARNING,
                              "This is a part of a space: %" PRId64
                              " other variants were not measured, and one of them may be better",
                              recording->left_out);
    add_table(simulation, false, document);
    if (simulation->limit_s > 0)
        add_table(simulation, true, document);
    draw(simulation, document);
}
