/* SPDX-License-Identifier: BSD-3-Clause */
/* Reports what variants and native programs give, beside the lines that were written for them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/folder.h"
#include "base/number.h"
#include "base/text.h"
#include "figure/folder.h"
#include "figure/productivity_figure.h"
#include "report/report.h"
#include "report/writer.h"
#include "view/fields.h"

struct reporting {
    struct clopt_store *store;
    const struct clopt_report_productivity *request;
    struct clopt_writer writer;
    struct clopt_report_folder folder;
    enum clopt_figure_format format;
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

static void fill_number(struct clopt_grid *grid, struct clopt_cell *cell, double number, int digits)
{
    char text[64] = "--";
    int decimals = isnan(number) ? -1 : digits ? clopt_number_decimals(number, digits) : 0;
    if (!isnan(number))
        snprintf(text, sizeof text, "%.*f", decimals, number);
    clopt_grid_fill(grid, cell, text, decimals, "");
}

static void fill_speedup(struct clopt_grid *grid, struct clopt_cell *cell,
                         const struct clopt_interval *speedup)
{
    char number[64], comment[128];
    int decimals = clopt_speedup_print(number, sizeof number, speedup->median);
    snprintf(comment, sizeof comment, "[%.*f, %.*f]", decimals, speedup->low, decimals,
             speedup->high);
    clopt_grid_fill(grid, cell, number, decimals, comment);
}

static enum clopt_status tabulate(const struct comparison *comparison, struct clopt_grid *grid,
                                  struct clopt_error *error)
{
    const struct clopt_efforts *efforts = &comparison->efforts;
    struct clopt_unit unit =
        clopt_unit_choose(comparison->view->results->objective, efforts->items[0].time.median);
    *grid = (struct clopt_grid){0};
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
        struct clopt_cell *cell = clopt_grid_add_row(grid);
        if (!cell)
            break;
        clopt_grid_fill(grid, &cell[0], effort->label, -1, "");
        clopt_grid_fill(grid, &cell[1], clopt_makers[effort->maker].name, -1, "");
        fill_number(grid, &cell[2], effort->lines, 0);
        fill_speedup(grid, &cell[3], &effort->speedup);
        fill_number(grid, &cell[4], clopt_effort_per_line(effort), 3);
        fill_number(grid, &cell[5], effort->time.median / unit.nanounits, 4);
        if (!isnan(effort->goperations_per_s))
            fill_number(grid, &cell[6], effort->goperations_per_s, 3);
        if (effort->changed >= 0)
            fill_number(grid, &cell[7], effort->changed, 0);
    }
    return clopt_grid_finish(grid, error);
}

/* Says what the best of each maker takes, and gives. */
static void write_best(struct clopt_writer *writer, const struct comparison *comparison)
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
            writer->text.failed |= text.failed;
            writer->operations->sentence(writer, CLOPT_SENTENCE_ITEM, clopt_text_string(&text));
            clopt_text_fini(&text);
            break;
        }
}

static enum clopt_status write_table(struct reporting *reporting,
                                     const struct comparison *comparison, struct clopt_error *error)
{
    struct clopt_writer *writer = &reporting->writer;
    struct clopt_grid grid;
    write_best(writer, comparison);
    enum clopt_status status = tabulate(comparison, &grid, error);
    if (!status)
        status = writer->operations->table(writer, &grid, error);
    clopt_grid_fini(&grid);
    return status;
}

/* ---- for machines ---- */

static void print_csv(const struct reporting *reporting, const struct comparison *comparison)
{
    FILE *stream = reporting->request->stream;
    for (size_t i = 0; i < comparison->efforts.count; i++) {
        const struct clopt_effort *effort = &comparison->efforts.items[i];
        const char *texts[] = {comparison->view->problem->app,
                               comparison->view->problem->label,
                               comparison->view->name,
                               comparison->device->label,
                               effort->label,
                               clopt_makers[effort->maker].name,
                               comparison->baseline};
        const double numbers[] = {
            effort->lines,          effort->changed < 0 ? NAN : effort->changed,
            effort->time.median,    effort->time.low,
            effort->time.high,      effort->goperations_per_s,
            effort->speedup.median, effort->speedup.low,
            effort->speedup.high,   clopt_effort_per_line(effort)};
        for (size_t t = 0; t < sizeof texts / sizeof *texts; t++)
            clopt_csv_print_text(stream, texts[t], t == 0);
        for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++)
            fprintf(stream, isnan(numbers[n]) ? "," : ",%.10g", numbers[n]);
        fputs("\r\n", stream);
    }
}

static enum clopt_status draw(struct reporting *reporting, const struct comparison *comparison,
                              struct clopt_error *error)
{
    const struct clopt_report_productivity *request = reporting->request;
    const struct clopt_results_problem *problem = comparison->view->problem;
    const char *parts[] = {problem->app, problem->label, comparison->device->label, "productivity"};
    struct clopt_text title = {0}, script = {0};
    clopt_problem_title(&title, problem);
    clopt_text_printf(&title, " on %s", comparison->device->label);
    clopt_productivity_append(&script, &comparison->efforts, reporting->format,
                              clopt_text_string(&title), phrase(comparison));
    enum clopt_status status = clopt_report_folder_draw(
        &reporting->folder, parts, 4, request->gnuplot, request->format, &script, error);
    clopt_text_fini(&title);
    clopt_text_fini(&script);
    return status;
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
        if (found == CLOPT_NO_ROW && strcmp(row->row->name, reporting->request->baseline) == 0)
            found = i;
        const char *known = clopt_text_string(&reporting->known);
        if (!strstr(known, row->row->name))
            clopt_text_printf(&reporting->known, "%s%s", *known ? ", " : "", row->row->name);
    }
    reporting->found |= found != CLOPT_NO_ROW;
    return found;
}

static enum clopt_status report_device(struct reporting *reporting, struct comparison *comparison,
                                       struct clopt_error *error)
{
    const struct clopt_report_productivity *request = reporting->request;
    struct clopt_text text = {0};
    if (!comparison->efforts.count) {
        clopt_text_printf(&text, "%s has no time on %s.", comparison->baseline,
                          comparison->device->label);
        if (!request->csv && !request->gnuplot)
            reporting->writer.operations->sentence(&reporting->writer, CLOPT_SENTENCE_WARNING,
                                                   clopt_text_string(&text));
        clopt_text_fini(&text);
        return CLOPT_OK;
    }
    reporting->any = true;
    if (request->gnuplot)
        return draw(reporting, comparison, error);
    if (!request->csv)
        return write_table(reporting, comparison, error);
    print_csv(reporting, comparison);
    return CLOPT_OK;
}

static enum clopt_status report_problem(void *user, const struct clopt_views *views,
                                        struct clopt_error *error)
{
    struct reporting *reporting = user;
    const struct clopt_report_productivity *request = reporting->request;
    const struct clopt_view *view = &views->items[views->count - 1]; /* the one with rivals */
    size_t baseline = find_baseline(reporting, view);
    enum clopt_status status = CLOPT_OK;
    struct clopt_text title = {0};
    clopt_view_title(&title, view);
    if (baseline != CLOPT_NO_ROW && !request->csv && !request->gnuplot)
        reporting->writer.operations->heading(&reporting->writer, CLOPT_HEADING_KERNEL,
                                              clopt_text_string(&title));
    clopt_text_fini(&title);
    for (size_t d = 0; d < view->results->device_count && baseline != CLOPT_NO_ROW && !status;
         d++) {
        struct comparison comparison = {
            .view = view, .device = &view->results->devices[d], .baseline = request->baseline};
        status =
            clopt_efforts_init(&comparison.efforts, reporting->store, view, d, baseline, error);
        if (!status)
            status = report_device(reporting, &comparison, error);
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
                          reporting->request->baseline, clopt_text_string(&reporting->known));
    if (!reporting->any)
        return clopt_fail(error, CLOPT_FAILED,
                          "there is nothing to compare: %s has no time on any device",
                          reporting->request->baseline);
    return CLOPT_OK;
}

enum clopt_status clopt_report_productivity(struct clopt_store *store,
                                            const struct clopt_report_productivity *request,
                                            struct clopt_error *error)
{
    struct clopt_results *results = NULL;
    struct reporting reporting = {
        .store = store,
        .request = request,
        .writer = {.operations = clopt_writer_of(request->form),
                   .stream = request->stream,
                   .color = request->color},
        .folder = {.path = request->folder, .stream = request->stream},
    };
    enum clopt_status status = CLOPT_OK;
    if (request->gnuplot)
        status = clopt_figure_format_find(request->format, &reporting.format, error);
    if (!status)
        status = clopt_results_gather(store, &results, error);
    if (!status)
        status = clopt_results_make_printable(results, error);
    if (!status && request->gnuplot)
        status = clopt_folder_create(request->folder, error);
    if (!status && request->csv)
        fputs("app,problem,kernel,device,variant,made,baseline,lines,lines_changed,median,low,high,"
              "goperations_per_s,speedup,speedup_low,speedup_high,speedup_per_line\r\n",
              request->stream);
    if (!status)
        status = clopt_views_visit(results, report_problem, &reporting, error);
    if (!status)
        status = check_found(&reporting, results, error);
    status = clopt_writer_finish(&reporting.writer, status, error);
    clopt_report_folder_fini(&reporting.folder);
    clopt_text_fini(&reporting.known);
    clopt_results_destroy(results);
    return status;
}
