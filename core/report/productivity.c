/* SPDX-License-Identifier: BSD-3-Clause */
/* Reports what variants and native programs give, beside the lines that were written for them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/effort.h"
#include "report/report.h"
#include "report/view.h"
#include "text/text.h"

struct reporting {
    struct clopt_document *document;
    struct clopt_store *store;
    const char *baseline;
    struct clopt_text known; /* names of baselines that there are */
    bool found;              /* the baseline, in any view */
    bool any;                /* something was compared with it */
};

/* What is compared on one device. */
struct comparison {
    const struct clopt_view *view;
    const struct clopt_results_device *device;
    struct clopt_efforts efforts;
    const char *baseline;
};

/* What sentences call the baseline. */
static const char *phrase(const struct comparison *comparison)
{
    bool initial = strcmp(comparison->baseline, "initial code") == 0;
    return initial ? "the initial code" : comparison->baseline;
}

/* ---- for people ---- */

static void tabulate(const struct comparison *comparison, struct clopt_document *document)
{
    struct clopt_grid made = {0}, *grid = &made;
    const struct clopt_efforts *efforts = &comparison->efforts;
    struct clopt_unit unit =
        clopt_unit_choose(comparison->view->results->objective, efforts->items[0].time.median);
    clopt_grid_set_heading(
        grid, "%s: lines to write, %s over %s [95%% interval]", comparison->device->label,
        comparison->view->results->objective ? "gain" : "speed-up", phrase(comparison));
    clopt_grid_add_column(grid, CLOPT_COLUMN_NAME, CLOPT_COLUMN_KEY, "Variant");
    clopt_grid_add_column(grid, CLOPT_COLUMN_NAME, CLOPT_COLUMN_DATA, "Made");
    clopt_grid_add_column(grid, CLOPT_COLUMN_COUNT, CLOPT_COLUMN_DATA, "Lines");
    clopt_grid_add_column(grid, CLOPT_COLUMN_VALUE, CLOPT_COLUMN_DATA, "Speed-up");
    clopt_grid_add_column(grid, CLOPT_COLUMN_COUNT, CLOPT_COLUMN_DATA, "Per line");
    clopt_grid_add_column(grid, CLOPT_COLUMN_COUNT, CLOPT_COLUMN_DATA, unit.name);
    clopt_grid_add_column(grid, CLOPT_COLUMN_COUNT, CLOPT_COLUMN_OPTIONAL, efforts->unit);
    clopt_grid_add_column(grid, CLOPT_COLUMN_COUNT, CLOPT_COLUMN_OPTIONAL, "Changed");
    for (size_t i = 0; i < efforts->count; i++) {
        const struct clopt_effort *effort = &efforts->items[i];
        if (!clopt_grid_add_row(grid))
            break;
        clopt_grid_put(grid, effort->label);
        clopt_grid_put(grid, clopt_makers[effort->maker].name);
        clopt_grid_put_number(grid, effort->lines, 0);
        clopt_grid_put_interval(grid, &effort->speedup, 3, 1);
        clopt_grid_put_number(grid, clopt_effort_per_line(effort), 3);
        clopt_grid_put_number(grid, effort->time.median / unit.nanounits, 4);
        if (!isnan(effort->goperations_per_s))
            clopt_grid_put_number(grid, effort->goperations_per_s, 3);
        else
            clopt_grid_skip(grid, 1);
        if (effort->changed >= 0)
            clopt_grid_put_number(grid, effort->changed, 0);
    }
    clopt_document_table(document, grid);
}

/* Says what the best of each maker takes, and gives. */
static void say_best(const struct comparison *comparison, struct clopt_document *document)
{
    for (int maker = CLOPT_MAKER_HAND; maker < CLOPT_MAKERS; maker++)
        for (size_t i = 0; i < comparison->efforts.count; i++) {
            const struct clopt_effort *effort = &comparison->efforts.items[i];
            struct clopt_text text = {0};
            char number[64];
            if ((int)effort->maker != maker || effort->is_baseline)
                continue;
            clopt_speedup_print(number, sizeof number, effort->speedup.median);
            clopt_text_printf(&text, "Best %s on %s: " CLOPT_STRONG "%s" CLOPT_WEAK ", %s times %s",
                              clopt_makers[maker].phrase, comparison->device->label, effort->label,
                              number,
                              clopt_objective_words(comparison->view->results->objective)->as_good);
            if (!isnan(effort->lines))
                clopt_text_printf(&text, " for %.0f line%s", effort->lines,
                                  effort->lines == 1 ? "" : "s");
            clopt_document_say(document, CLOPT_SENTENCE_ITEM, &text);
            break;
        }
}

/* ---- for programs ---- */

static const char columns[] =
    "app problem kernel device variant made baseline lines lines_changed median low high "
    "goperations_per_s speedup speedup_low speedup_high speedup_per_line";

static void add_rows(const struct comparison *comparison, struct clopt_document *document)
{
    for (size_t i = 0; i < comparison->efforts.count; i++) {
        const struct clopt_effort *effort = &comparison->efforts.items[i];
        clopt_document_row(
            document, "sssssssdddddddddd", comparison->view->problem->app,
            comparison->view->problem->label, comparison->view->name, comparison->device->label,
            effort->label, clopt_makers[effort->maker].name, comparison->baseline, effort->lines,
            effort->changed < 0 ? NAN : (double)effort->changed, effort->time.median,
            effort->time.low, effort->time.high, effort->goperations_per_s, effort->speedup.median,
            effort->speedup.low, effort->speedup.high, clopt_effort_per_line(effort));
    }
}

/* ---- the chart ---- */

#define HEIGHT       480
#define LONGEST_NAME 44    /* characters of a point's name */
#define NO_LINES     0.5   /* where 0 is on the axis */
#define LETTERS      0.045 /* height of a name, as a share of the axis */

static double place(const struct clopt_effort *effort)
{
    return effort->lines > 0 ? effort->lines : NO_LINES;
}

static bool is_drawn(const struct clopt_effort *effort)
{
    return !isnan(effort->lines) && effort->speedup.median > 0;
}

/* What the axes show: ends of intervals far from their speed-ups are cut. */
struct ranges {
    double left, right, low, high;
};

static struct ranges find_ranges(const struct clopt_efforts *efforts)
{
    struct ranges ranges = {INFINITY, 0, 1, 1};
    for (size_t i = 0; i < efforts->count; i++) {
        const struct clopt_effort *effort = &efforts->items[i];
        const struct clopt_interval *speedup = &effort->speedup;
        if (!is_drawn(effort))
            continue;
        ranges.left = fmin(ranges.left, place(effort));
        ranges.right = fmax(ranges.right, place(effort));
        ranges.low = fmin(ranges.low, fmax(speedup->low, speedup->median / 2));
        ranges.high = fmax(ranges.high, fmin(speedup->high, speedup->median * 2));
    }
    return (struct ranges){ranges.left / 1.5, ranges.right * 1.5, ranges.low / 1.1,
                           ranges.high * 1.2};
}

/* Adds the points of a maker; rows are in the order of speed-ups, so the first is its best. Names
 * that, and what is native, below the names of those before. */
static void add_points(struct clopt_chart *chart, const struct clopt_efforts *efforts,
                       enum clopt_maker maker, const struct ranges *ranges, double *last)
{
    bool first = true;
    double apart = pow(ranges->high / ranges->low, LETTERS);
    for (size_t i = 0; i < efforts->count; i++) {
        const struct clopt_effort *effort = &efforts->items[i];
        const struct clopt_interval *speedup = &effort->speedup;
        double x = place(effort);
        char name[LONGEST_NAME + 1];
        if (effort->maker != maker || !is_drawn(effort))
            continue;
        if (first)
            clopt_chart_series(chart, CLOPT_SERIES_POINTS, clopt_chart_color(maker),
                               clopt_makers[maker].phrase);
        clopt_chart_point(chart, (struct clopt_point){.x = x,
                                                      .y = speedup->median,
                                                      .y_low = speedup->low,
                                                      .y_high = speedup->high});
        snprintf(name, sizeof name, "%s", effort->label);
        if (first || maker == CLOPT_MAKER_NATIVE) {
            *last = fmin(speedup->median, *last / apart);
            clopt_chart_label(chart, x, *last,
                              x * x > ranges->left * ranges->right ? CLOPT_CHART_RIGHT
                                                                   : CLOPT_CHART_LEFT,
                              false, name);
        }
        first = false;
    }
}

static void draw(const struct comparison *comparison, struct clopt_document *document)
{
    const struct clopt_results_problem *problem = comparison->view->problem;
    struct ranges ranges = find_ranges(&comparison->efforts);
    struct clopt_chart chart;
    struct clopt_text text = {0};
    double last = INFINITY;
    clopt_problem_title(&text, problem);
    clopt_text_printf(&text, " on %s", comparison->device->label);
    clopt_chart_begin(&chart, HEIGHT, clopt_text_string(&text));
    clopt_chart_name(&chart, problem->app);
    clopt_chart_name(&chart, problem->label);
    clopt_chart_name(&chart, comparison->device->label);
    clopt_chart_name(&chart, "productivity");
    clopt_text_clear(&text);
    clopt_text_printf(&text, "Lines to write from %s on", phrase(comparison));
    clopt_chart_x(&chart, clopt_text_string(&text), true, ranges.left, ranges.right);
    clopt_text_clear(&text);
    clopt_text_printf(&text, "Speed-up over %s", phrase(comparison));
    clopt_chart_y(&chart, clopt_text_string(&text), true, ranges.low, ranges.high);
    if (chart.count && ranges.right > ranges.left) {
        clopt_chart_x_tic(&chart, NO_LINES, "0");
        clopt_chart_number(&chart, &chart.panels->x, fmax(1, ranges.left), ranges.right);
        clopt_chart_number(&chart, &chart.panels->y, ranges.low, ranges.high);
    }
    for (int maker = 0; maker < CLOPT_MAKERS; maker++)
        add_points(&chart, &comparison->efforts, (enum clopt_maker)maker, &ranges, &last);
    chart.failed |= text.failed;
    clopt_text_fini(&text);
    clopt_document_chart(document, &chart);
}

/* ---- problems ---- */

/* Finds the row that others are compared with; CLOPT_NO_ROW: there is none of that name. */
static size_t find_baseline(struct reporting *reporting, const struct clopt_view *view)
{
    size_t found = CLOPT_NO_ROW;
    for (size_t i = 0; i < view->row_count; i++) {
        const struct clopt_view_row *row = &view->rows[i];
        if (!row->initial && !row->rival)
            continue;
        if (found == CLOPT_NO_ROW && strcmp(row->row->name, reporting->baseline) == 0)
            found = i;
        const char *known = clopt_text_string(&reporting->known);
        if (!strstr(known, row->row->name))
            clopt_text_printf(&reporting->known, "%s%s", *known ? ", " : "", row->row->name);
    }
    reporting->found |= found != CLOPT_NO_ROW;
    return found;
}

static void report_device(struct reporting *reporting, const struct comparison *comparison)
{
    struct clopt_document *document = reporting->document;
    if (!comparison->efforts.count) {
        clopt_document_printf(document, CLOPT_SENTENCE_WARNING, "%s has no time on %s.",
                              comparison->baseline, comparison->device->label);
        return;
    }
    reporting->any = true;
    if (document->for_programs) {
        add_rows(comparison, document);
        return;
    }
    say_best(comparison, document);
    tabulate(comparison, document);
    draw(comparison, document);
}

static enum clopt_status report_problem(void *user, const struct clopt_views *views,
                                        struct clopt_error *error)
{
    struct reporting *reporting = user;
    const struct clopt_view *view = &views->items[views->count - 1]; /* the one with rivals */
    size_t baseline = find_baseline(reporting, view);
    enum clopt_status status = CLOPT_OK;
    struct clopt_text title = {0};
    clopt_view_title(&title, view);
    if (baseline != CLOPT_NO_ROW)
        clopt_document_heading(reporting->document, CLOPT_HEADING_KERNEL, "%s",
                               clopt_text_string(&title));
    clopt_text_fini(&title);
    for (size_t d = 0; d < view->results->device_count && baseline != CLOPT_NO_ROW && !status;
         d++) {
        struct comparison comparison = {
            .view = view, .device = &view->results->devices[d], .baseline = reporting->baseline};
        status =
            clopt_efforts_init(&comparison.efforts, reporting->store, view, d, baseline, error);
        if (!status)
            report_device(reporting, &comparison);
        clopt_efforts_fini(&comparison.efforts);
    }
    return status;
}

static enum clopt_status check_found(const struct reporting *reporting,
                                     const struct clopt_results *results, struct clopt_error *error)
{
    if (!results->measured)
        return clopt_fail(error, CLOPT_FAILED, "nothing has been measured yet");
    if (!reporting->found)
        return clopt_fail(error, CLOPT_INVALID, "no baseline is called %s: there are %s",
                          reporting->baseline, clopt_text_string(&reporting->known));
    if (!reporting->any)
        return clopt_fail(error, CLOPT_FAILED,
                          "there is nothing to compare: %s has no time on any device",
                          reporting->baseline);
    return CLOPT_OK;
}

enum clopt_status clopt_report_productivity(struct clopt_store *store, const char *baseline,
                                            struct clopt_document *document,
                                            struct clopt_error *error)
{
    struct clopt_results *results = NULL;
    struct reporting reporting = {
        .document = document, .store = store, .baseline = baseline ? baseline : "initial code"};
    enum clopt_status status = clopt_results_gather(store, true, &results, error);
    if (!status && document->for_programs)
        clopt_document_rows(document, "productivity", columns);
    if (!status)
        status = clopt_views_visit(results, report_problem, &reporting, error);
    if (!status)
        status = check_found(&reporting, results, error);
    document->failed |= reporting.known.failed;
    clopt_text_fini(&reporting.known);
    clopt_results_destroy(results);
    return status;
}
