/* SPDX-License-Identifier: BSD-3-Clause */
/* Reports what variants and native programs give, beside the lines that a person writes for it. */
#include <math.h>

#include "analyses/analyses.h"
#include "text/changed_lines.h"
#include "view/view.h"

/* Who wrote what is not in the baseline. */
enum maker {
    NOBODY, /* it is the initial code */
    HAND,   /* the alternatives that macros of the study choose */
    CLOPT,
    BOTH,
    NATIVE, /* a rival's author */
    MAKERS
};

static const struct {
    const char *name;
    const char *phrase;
} makers[MAKERS] = {[NOBODY] = {"initial", "initial code"},
                    [HAND] = {"hand", "by hand"},
                    [CLOPT] = {"clopt", "by clopt"},
                    [BOTH] = {"both", "by hand and clopt"},
                    [NATIVE] = {"native", "native"}};

struct effort {
    const struct clopt_view_row *row;
    enum maker maker;
    double lines; /* to write from the baseline on: doc/clopt-report.1 counts them; NaN: unknown */
    int changed;  /* lines of source that differ, by hand or rewritten; -1: no variant */
    struct clopt_interval time;    /* in ns */
    struct clopt_interval speedup; /* over the baseline */
    double goperations_per_s;      /* NaN: unknown */
};

struct reporting {
    struct clopt_document *document;
    struct clopt_store *store;
    const char *baseline;
    struct clopt_text known; /* names of baselines that there are */
    bool found;              /* the baseline, in any view */
    bool any;                /* something was compared with it */
};

/* What of a problem is compared on one device: the fastest first. */
struct comparison {
    const struct reporting *reporting;
    const struct clopt_view *view;
    size_t device;
    const char *label; /* of the device */
    const struct clopt_view_row *baseline;
    double operations;    /* of a run; 0: unknown */
    struct effort *items; /* none: the baseline has no time there */
    size_t count;
};

/* What sentences call the baseline. */
static const char *phrase(const struct comparison *comparison)
{
    const char *baseline = comparison->reporting->baseline;
    return strcmp(baseline, "initial code") == 0 ? "the initial code" : baseline;
}

/* The speed-up for each line; NaN: there is none to write, or it is unknown. */
static double per_line(const struct effort *effort)
{
    return effort->lines > 0 ? effort->speedup.median / effort->lines : NAN;
}

/* ---- lines ---- */

static const struct clopt_store_trial *trial_of(const struct comparison *comparison,
                                                const struct clopt_results_row *row)
{
    return &row->cells[comparison->device].trial;
}

/* All lines of a program that no variant is. */
static double all_lines(const struct comparison *comparison, const struct clopt_results_row *row)
{
    int lines = trial_of(comparison, row)->lines_changed;
    return lines > 0 ? lines : NAN;
}

/* Counts the lines of a rival that are not those of the baseline, another rival. */
static enum clopt_status compare_rivals(const struct comparison *comparison,
                                        const struct clopt_view_row *row, double *lines,
                                        struct clopt_error *error)
{
    struct clopt_store *store = comparison->reporting->store;
    CLOPT_OWNED(clopt_store_trial) own = {0}, other = {0};
    *lines = NAN;
    CLOPT_TRY(clopt_store_find_trial(store, trial_of(comparison, row->row)->key, &own, error));
    CLOPT_TRY(clopt_store_find_trial(store, trial_of(comparison, comparison->baseline->row)->key,
                                     &other, error));
    if (!own.source || !*own.source || !other.source || !*other.source)
        return CLOPT_OK;
    *lines = clopt_changed_lines_count(other.source, own.source);
    return CLOPT_OK;
}

/* Counts the lines that were written for the macros of a variant: those that change with these
 * macros alone. */
static double lines_by_hand(const struct comparison *comparison, const struct clopt_view_row *row,
                            size_t macros)
{
    const struct clopt_results_table *table =
        clopt_table_is_combined(row->row->table) ? comparison->view->table : row->row->table;
    for (size_t i = 0; macros && i < table->row_count; i++) {
        const struct clopt_results_row *other = &table->rows[i];
        if (strlen(other->name) == macros && strncmp(other->name, row->row->name, macros) == 0 &&
            other->cells[comparison->device].trial.id)
            return trial_of(comparison, other)->lines_changed;
    }
    return macros ? NAN : 0;
}

/* Fills in who made a row, and the lines that it takes: each value that its name sets is a line of
 * a study. */
static enum clopt_status count_lines(const struct comparison *comparison, struct effort *effort,
                                     struct clopt_error *error)
{
    const struct clopt_view_row *row = effort->row, *baseline = comparison->baseline;
    const struct clopt_results_table *table = row->row->table;
    const char *name = row->row->name;
    size_t macros = 0; /* characters of the name that set macros */
    double values = 0;
    bool steps = false;
    for (struct clopt_name_value value = clopt_name_begin(name); clopt_name_next(&value); values++)
        if (value.optimization.length)
            steps = true;
        else
            macros = (size_t)(value.rest - name);
    double initial = !baseline->rival ? 0
                     : table->initial == CLOPT_NO_ROW
                         ? NAN
                         : all_lines(comparison, &table->rows[table->initial]);
    effort->maker = row->rival        ? NATIVE
                    : steps && macros ? BOTH
                    : steps           ? CLOPT
                    : macros          ? HAND
                                      : NOBODY;
    effort->changed = row->rival     ? -1
                      : row->initial ? 0
                                     : trial_of(comparison, row->row)->lines_changed;
    effort->lines = row == baseline ? 0
                    : row->rival    ? all_lines(comparison, row->row)
                                    : initial + values + lines_by_hand(comparison, row, macros);
    return row != baseline && row->rival && baseline->rival
               ? compare_rivals(comparison, row, &effort->lines, error)
               : CLOPT_OK;
}

static enum clopt_status add_row(struct comparison *comparison, const struct clopt_view_row *row,
                                 struct clopt_error *error)
{
    const struct clopt_view_row *baseline = comparison->baseline;
    const enum clopt_scope scope = comparison->view->scope;
    struct effort *effort = clopt_array_add(&comparison->items, &comparison->count, sizeof *effort);
    effort->row = row;
    effort->time = row->row->cells[comparison->device].times[scope].interval;
    effort->speedup =
        clopt_results_ratio(comparison->view->results, &baseline->row->cells[comparison->device],
                            &row->row->cells[comparison->device], scope);
    effort->goperations_per_s =
        comparison->operations > 0 ? comparison->operations / effort->time.median : NAN;
    return count_lines(comparison, effort, error);
}

/* Sums up the operations of the kernels of a problem; 0: not all are known. */
static double sum_operations(const struct clopt_view *view)
{
    const struct clopt_results *results = view->results;
    bool known = results->objective == CLOPT_OBJECTIVE_TIME;
    double operations = 0;
    for (size_t t = 0; t < results->table_count; t++)
        if (&results->problems[results->tables[t].problem] == view->problem) {
            operations += results->tables[t].work.operations;
            known = known && results->tables[t].work.operations > 0;
        }
    return known ? operations : 0;
}

static int compare_efforts(const void *a, const void *b)
{
    const struct effort *x = a, *y = b;
    return (x->speedup.median < y->speedup.median) - (x->speedup.median > y->speedup.median);
}

/* Compares what the view has on the device with the baseline. */
static enum clopt_status compare(struct comparison *comparison, struct clopt_error *error)
{
    const struct clopt_view *view = comparison->view;
    const size_t device = comparison->device;
    if (!clopt_result_shown(&comparison->baseline->row->cells[device], view->scope))
        return CLOPT_OK;
    comparison->operations = sum_operations(view);
    for (size_t i = 0; i < view->row_count; i++) {
        const struct clopt_result *result = &view->rows[i].row->cells[device];
        bool own = result->alias == CLOPT_NO_ROW || &view->rows[i] == comparison->baseline;
        if (own && clopt_result_shown(result, view->scope))
            CLOPT_TRY(add_row(comparison, &view->rows[i], error));
    }
    qsort(comparison->items, comparison->count, sizeof *comparison->items, compare_efforts);
    return CLOPT_OK;
}

/* ---- for people ---- */

static void tabulate(const struct comparison *comparison, struct clopt_document *document)
{
    struct clopt_grid made = {0}, *grid = &made;
    const struct clopt_unit unit =
        clopt_unit_choose(comparison->view->results->objective, comparison->items[0].time.median);
    clopt_grid_set_heading(
        grid, "%s: lines to write, %s over %s [95%% interval]", comparison->label,
        comparison->view->results->objective ? "gain" : "speed-up", phrase(comparison));
    clopt_grid_add_columns(grid, "*Variant, Made, #Lines, =Speed-up, #Per line");
    clopt_grid_add_column(grid, "#%s", unit.name);
    clopt_grid_add_column(grid, "?#%s",
                          clopt_arithmetic_unit(comparison->view->table->work.arithmetic));
    clopt_grid_add_column(grid, "?#Changed");
    for (size_t i = 0; i < comparison->count; i++) {
        const struct effort *effort = &comparison->items[i];
        clopt_grid_add_row(grid, "%s", effort->row->label);
        clopt_grid_put(grid, "%s", makers[effort->maker].name);
        clopt_grid_put_number(grid, effort->lines, 0);
        clopt_grid_put_interval(grid, &effort->speedup, 3, 1);
        clopt_grid_put_number(grid, per_line(effort), 3);
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
    for (int maker = HAND; maker < MAKERS; maker++)
        for (size_t i = 0; i < comparison->count; i++) {
            const struct effort *effort = &comparison->items[i];
            struct clopt_text text = {0};
            if ((int)effort->maker != maker || effort->row == comparison->baseline)
                continue;
            clopt_text_printf(&text, "Best %s on %s: " CLOPT_STRONG "%s" CLOPT_WEAK ", %s times %s",
                              makers[maker].phrase, comparison->label, effort->row->label,
                              clopt_number_text(effort->speedup.median, 3).text,
                              clopt_objective_words(comparison->view->results->objective)->as_good);
            if (!isnan(effort->lines))
                clopt_text_printf(&text, " for %.0f line%s", effort->lines,
                                  effort->lines == 1 ? "" : "s");
            clopt_document_say(document, CLOPT_SENTENCE_ITEM, &text);
            break;
        }
}

static void add_rows(const struct comparison *comparison, struct clopt_document *document)
{
    for (size_t i = 0; i < comparison->count; i++) {
        const struct effort *effort = &comparison->items[i];
        clopt_document_row(
            document, "sssssssdddddddddd", comparison->view->problem->app,
            comparison->view->problem->label, comparison->view->name, comparison->label,
            effort->row->label, makers[effort->maker].name, comparison->reporting->baseline,
            effort->lines, effort->changed < 0 ? NAN : (double)effort->changed, effort->time.median,
            effort->time.low, effort->time.high, effort->goperations_per_s, effort->speedup.median,
            effort->speedup.low, effort->speedup.high, per_line(effort));
    }
}

/* ---- the chart ---- */

#define HEIGHT       480
#define LONGEST_NAME 44    /* characters of a point's name */
#define NO_LINES     0.5   /* where 0 is on the axis */
#define LETTERS      0.045 /* height of a name, as a share of the axis */

/* Where an effort is on the axis of lines; NaN: nowhere. */
static double position(const struct effort *effort)
{
    return isnan(effort->lines) || !(effort->speedup.median > 0) ? NAN
           : effort->lines > 0                                   ? effort->lines
                                                                 : NO_LINES;
}

/* What the axes show: ends of intervals far from their speed-ups are cut. */
struct ranges {
    double left, right, low, high;
};

static struct ranges find_ranges(const struct comparison *comparison)
{
    struct ranges ranges = {INFINITY, 0, 1, 1};
    for (size_t i = 0; i < comparison->count; i++) {
        const struct clopt_interval *speedup = &comparison->items[i].speedup;
        double x = position(&comparison->items[i]);
        if (isnan(x))
            continue;
        ranges.left = fmin(ranges.left, x);
        ranges.right = fmax(ranges.right, x);
        ranges.low = fmin(ranges.low, fmax(speedup->low, speedup->median / 2));
        ranges.high = fmax(ranges.high, fmin(speedup->high, speedup->median * 2));
    }
    return (struct ranges){ranges.left / 1.5, ranges.right * 1.5, ranges.low / 1.1,
                           ranges.high * 1.2};
}

/* Adds the points of a maker; rows are in the order of speed-ups, so the first is its best. Names
 * that, and what is native, below the names of those before. */
static void add_points(struct clopt_chart *chart, const struct comparison *comparison,
                       enum maker maker, const struct ranges *ranges, double *last)
{
    bool first = true;
    double apart = pow(ranges->high / ranges->low, LETTERS);
    for (size_t i = 0; i < comparison->count; i++) {
        const struct effort *effort = &comparison->items[i];
        const struct clopt_interval *speedup = &effort->speedup;
        double x = position(effort);
        char name[LONGEST_NAME + 1];
        if (effort->maker != maker || isnan(x))
            continue;
        if (first)
            clopt_chart_series(chart, CLOPT_SERIES_POINTS, clopt_chart_color(maker),
                               makers[maker].phrase);
        clopt_chart_point(
            chart, (struct clopt_point){x, speedup->median, x, x, speedup->low, speedup->high});
        snprintf(name, sizeof name, "%s", effort->row->label);
        if (first || maker == NATIVE) {
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
    struct ranges ranges = find_ranges(comparison);
    struct clopt_chart chart;
    double last = INFINITY;
    clopt_chart_begin(&chart, HEIGHT, problem->app, problem->label, comparison->label,
                      "productivity", NULL);
    clopt_chart_title(&chart, "%s on %s", problem->title, comparison->label);
    clopt_chart_axis(&chart, CLOPT_LOG_X, ranges.left, ranges.right, "Lines to write from %s on",
                     phrase(comparison));
    clopt_chart_axis(&chart, CLOPT_LOG_Y, ranges.low, ranges.high, "Speed-up over %s",
                     phrase(comparison));
    if (ranges.right > ranges.left) {
        clopt_chart_tic(&chart, CLOPT_X, NO_LINES, "0");
        clopt_chart_number(&chart, CLOPT_X, fmax(1, ranges.left), ranges.right);
        clopt_chart_number(&chart, CLOPT_Y, ranges.low, ranges.high);
    }
    for (int maker = 0; maker < MAKERS; maker++)
        add_points(&chart, comparison, (enum maker)maker, &ranges, &last);
    clopt_document_chart(document, &chart);
}

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
    reporting->any |= comparison->count > 0;
    if (!comparison->count)
        clopt_document_printf(document, CLOPT_SENTENCE_WARNING, "%s has no time on %s.",
                              reporting->baseline, comparison->label);
    else if (document->for_programs)
        add_rows(comparison, document);
    else {
        say_best(comparison, document);
        tabulate(comparison, document);
        draw(comparison, document);
    }
}

static enum clopt_status report_view(struct reporting *reporting, const struct clopt_view *view,
                                     struct clopt_error *error)
{
    size_t baseline = find_baseline(reporting, view);
    enum clopt_status status = CLOPT_OK;
    if (baseline == CLOPT_NO_ROW)
        return CLOPT_OK;
    clopt_document_heading(reporting->document, CLOPT_HEADING_KERNEL, "%s: %s",
                           view->problem->title, view->name);
    for (size_t d = 0; d < view->results->device_count && !status; d++) {
        struct comparison comparison = {.reporting = reporting,
                                        .view = view,
                                        .device = d,
                                        .label = view->results->devices[d].label,
                                        .baseline = &view->rows[baseline]};
        status = compare(&comparison, error);
        if (!status)
            report_device(reporting, &comparison);
        free(comparison.items);
    }
    return status;
}

static enum clopt_status check_found(const struct reporting *reporting,
                                     const struct clopt_results *results, struct clopt_error *error)
{
    if (!results->measured)
        return clopt_fail(error, CLOPT_FAILED, "nothing has been measured yet");
    if (!reporting->found)
        return clopt_fail(error, CLOPT_INVALID, "unknown baseline %s; there are %s",
                          reporting->baseline, clopt_text_string(&reporting->known));
    if (!reporting->any)
        return clopt_fail(error, CLOPT_FAILED, "nothing to compare: %s has no time on any device",
                          reporting->baseline);
    return CLOPT_OK;
}

enum clopt_status clopt_report_productivity(const struct clopt_analysis_request *request,
                                            struct clopt_document *document,
                                            struct clopt_error *error)
{
    CLOPT_HELD(clopt_results) results = NULL;
    CLOPT_TRY(clopt_results_gather(request->store, true, &results, error));
    CLOPT_OWNED(clopt_views) views = clopt_views_make(results);
    enum clopt_status status = CLOPT_OK;
    struct reporting reporting = {.document = document,
                                  .store = request->store,
                                  .baseline =
                                      request->baseline ? request->baseline : "initial code"};
    if (document->for_programs)
        clopt_document_rows(document, "productivity",
                            "app problem kernel device variant made baseline lines lines_changed "
                            "median low high goperations_per_s speedup speedup_low speedup_high "
                            "speedup_per_line");
    for (size_t i = 0; i < views.count && !status; i++)
        if (views.items[i].last) /* it has the rivals */
            status = report_view(&reporting, &views.items[i], error);
    if (!status)
        status = check_found(&reporting, results, error);
    clopt_text_fini(&reporting.known);
    return status;
}
