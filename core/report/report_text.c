/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints a report for people. */
#include "report/report.h"

#include <math.h>
#include <string.h>

#include "base/table.h"
#include "base/text.h"
#include "report/report_table.h"

/* Where it goes, and how. */
struct output {
    FILE *stream;
    bool color;
};

#define BOLD   "\033[1m"
#define GREEN  "\033[32m"
#define YELLOW "\033[33m"

static void start_color(const struct output *output, const char *color)
{
    if (output->color)
        fputs(color, output->stream);
}

static void end_color(const struct output *output)
{
    if (output->color)
        fputs("\033[0m", output->stream);
}

static void print_rate(FILE *stream, const struct clopt_results_table *table, double time_ns)
{
    if (table->operations > 0)
        fprintf(stream, "%.3g GFLOP/s", table->operations / time_ns);
    if (table->operations > 0 && table->bytes > 0)
        fputs(", ", stream);
    if (table->bytes > 0)
        fprintf(stream, "%.3g GB/s", table->bytes / time_ns);
}

/* What the best does of its work in a second, and what the initial code does. */
static void print_rates(const struct clopt_view *view, const struct clopt_view_row *best,
                        size_t device, FILE *stream)
{
    const struct clopt_results_table *table = best->table;
    if (view->scope != CLOPT_SCOPE_KERNEL || (table->operations <= 0 && table->bytes <= 0))
        return;
    fputs("      ", stream);
    print_rate(stream, table, best->row->cells[device].times[view->scope].interval.median);
    if (!best->initial && table->initial != CLOPT_NO_ROW &&
        table->rows[table->initial].cells[device].ranked) {
        fputs("; initial code ", stream);
        print_rate(stream, table,
                   table->rows[table->initial].cells[device].times[view->scope].interval.median);
    }
    putc('\n', stream);
}

static void print_tied(const struct clopt_view *view, size_t device, FILE *stream)
{
    const char *before = "      cannot be told apart from it: ";
    for (size_t i = 0; i < view->row_count; i++) {
        const struct clopt_result *cell = &view->rows[i].row->cells[device];
        if (!cell->times[view->scope].tied || cell->alias != CLOPT_NO_ROW)
            continue;
        fprintf(stream, "%s%s", before, view->rows[i].label);
        before = ", ";
    }
    if (before[0] == ',')
        putc('\n', stream);
}

static void print_best(const struct clopt_view *view, size_t device, const struct output *output)
{
    FILE *stream = output->stream;
    const struct clopt_view_row *best = NULL;
    for (size_t i = 0; i < view->row_count; i++)
        if (view->rows[i].row->cells[device].times[view->scope].best)
            best = &view->rows[i];
    fprintf(stream, "  Best on %s: ", view->results->devices[device].label);
    if (!best) {
        fputs("nothing was measured\n", stream);
        return;
    }
    const struct clopt_result_time *time = &best->row->cells[device].times[view->scope];
    start_color(output, GREEN);
    fputs(best->label, stream);
    end_color(output);
    if (!isnan(time->speedup) && time->different)
        fprintf(stream, ", %.2f times as fast as the initial code", time->speedup);
    else if (!isnan(time->speedup))
        fputs(", no difference from the initial code", stream);
    putc('\n', stream);
    print_rates(view, best, device, stream);
    print_tied(view, device, stream);
}

/* Prints the two tables of a view, its footnotes, and the best of every device. */
static enum clopt_status print_view(const struct clopt_view *view,
                                    const struct clopt_results_problem *problem, const char *what,
                                    const struct output *output, struct clopt_error *error)
{
    struct clopt_footnotes notes = {0};
    start_color(output, BOLD);
    fprintf(output->stream, "%s %s: %s", problem->app, problem->label, what);
    end_color(output);
    fputs("\n\n", output->stream);
    enum clopt_status status = clopt_view_print_times(view, &notes, output->stream, error);
    if (!status)
        status = clopt_view_print_speedups(view, &notes, output->stream, error);
    clopt_footnotes_print(&notes, output->stream);
    clopt_footnotes_fini(&notes);
    for (size_t d = 0; d < view->results->device_count && !status; d++)
        print_best(view, d, output);
    putc('\n', output->stream);
    return status;
}

/* Prints how far the figures of a problem can be trusted. */
static void print_noise(const struct clopt_results *results,
                        const struct clopt_results_problem *problem, const struct output *output)
{
    bool printed = false;
    for (size_t d = 0; d < results->device_count; d++) {
        const struct clopt_results_noise *noise = &problem->noise[d];
        const char *label = results->devices[d].label;
        if (!isnan(noise->noise)) {
            fprintf(output->stream, "  Noise on %s: %.1f%%; smaller differences count as none.\n",
                    label, 100 * noise->noise);
            printed = true;
        }
        if (isnan(noise->drift) || fabs(noise->drift) <= (isnan(noise->noise) ? 0 : noise->noise))
            continue;
        start_color(output, YELLOW);
        fprintf(output->stream,
                "  Warning: on %s the initial code became %.1f%% %s while this was measured%s.",
                label, 100 * fabs(noise->drift), noise->drift > 0 ? "slower" : "faster",
                isnan(noise->noise) ? "" : ", more than the noise");
        end_color(output);
        putc('\n', output->stream);
        printed = true;
    }
    if (printed)
        putc('\n', output->stream);
}

/* Stages of several workers overlap, so that their sum may be more than the wall time. */
static enum clopt_status print_stages(const struct clopt_results *results, FILE *stream,
                                      struct clopt_error *error)
{
    double total = 0;
    double wall = NAN;
    for (size_t i = 0; i < results->stage_count; i++)
        if (strcmp(results->stages[i].name, "wall") == 0)
            wall = results->stages[i].seconds;
        else
            total += results->stages[i].seconds;
    if (total <= 0)
        return CLOPT_OK;
    struct clopt_table *table = clopt_table_create("lrr");
    if (!table)
        return clopt_fail_memory(error);
    for (size_t i = 0; i < results->stage_count; i++) {
        const struct clopt_results_stage *stage = &results->stages[i];
        if (stage->seconds <= 0 || strcmp(stage->name, "wall") == 0)
            continue;
        clopt_table_cell(table, "%s", stage->name);
        clopt_table_cell(table, "%.2f s", stage->seconds);
        clopt_table_cell(table, "%.1f%%", 100 * stage->seconds / total);
        clopt_table_end_row(table);
    }
    clopt_table_rule(table);
    clopt_table_cell(table, "all workers");
    clopt_table_cell(table, "%.2f s", total);
    clopt_table_end_row(table);
    if (!isnan(wall)) {
        clopt_table_cell(table, "wall time");
        clopt_table_cell(table, "%.2f s", wall);
        clopt_table_end_row(table);
    }
    fputs("Where the time went\n\n", stream);
    enum clopt_status status = clopt_table_print(table, stream, 2, error);
    clopt_table_destroy(table);
    return status;
}

static void print_head(const struct clopt_results *results, const struct output *output)
{
    start_color(output, BOLD);
    fputs(results->title, output->stream);
    end_color(output);
    fputs("\n\n", output->stream);
    for (size_t d = 0; d < results->device_count; d++) {
        const struct clopt_results_device *device = &results->devices[d];
        fprintf(output->stream, "  %s: %s, %s, driver %s\n", device->label, device->name,
                device->platform, device->driver_version);
    }
    if (results->device_count)
        putc('\n', output->stream);
    const char *warning = NULL;
    if (!results->status && results->written)
        warning = "This run still goes on: here is what it has measured so far.";
    else if (!results->status)
        warning = "This run was killed: here is what it measured until then.";
    else if (strcmp(results->status, "interrupted") == 0)
        warning = "This run was interrupted: here is what it measured until then.";
    else if (strcmp(results->status, "ok") != 0)
        warning = "This run ended early: here is what it measured until then.";
    if (!warning)
        return;
    start_color(output, YELLOW);
    fputs(warning, output->stream);
    end_color(output);
    fputs("\n\n", output->stream);
}

static enum clopt_status print_problem(const struct clopt_results *results, size_t first,
                                       size_t end, const struct output *output,
                                       struct clopt_error *error)
{
    const struct clopt_results_problem *problem =
        &results->problems[results->tables[first].problem];
    enum clopt_status status = CLOPT_OK;
    struct clopt_view view = {0};
    for (size_t i = first; i < end && !status; i++) {
        status = clopt_view_kernel(results, i, &view, error);
        if (!status)
            status = print_view(&view, problem, results->tables[i].kernel, output, error);
        clopt_view_fini(&view);
    }
    if (!status && problem->several_kernels) {
        status = clopt_view_run(results, first, end, &view, error);
        if (!status)
            status = print_view(&view, problem, "whole run", output, error);
        clopt_view_fini(&view);
    }
    if (!status)
        print_noise(results, problem, output);
    return status;
}

static enum clopt_status print_results(const struct clopt_results *results,
                                       const struct output *output, struct clopt_error *error)
{
    enum clopt_status status = CLOPT_OK;
    if (!results->has_run) {
        fputs("Nothing has been measured yet: no study has run.\n", output->stream);
        return CLOPT_OK;
    }
    print_head(results, output);
    if (!results->measured) {
        fputs("Nothing has been measured yet.\n", output->stream);
        return CLOPT_OK;
    }
    for (size_t first = 0; first < results->table_count && !status;) {
        size_t end = first;
        while (end < results->table_count &&
               results->tables[end].problem == results->tables[first].problem)
            end++;
        status = print_problem(results, first, end, output, error);
        first = end;
    }
    return status ? status : print_stages(results, output->stream, error);
}

enum clopt_status clopt_report_text(struct clopt_store *store, FILE *stream, bool color,
                                    struct clopt_error *error)
{
    struct clopt_results *results;
    struct output output = {stream, color};
    enum clopt_status status = clopt_results_gather(store, &results, error);
    if (!status)
        status = print_results(results, &output, error);
    clopt_results_destroy(results);
    return status;
}
