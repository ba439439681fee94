/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints a report for people. */
#include "report/report.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/table.h"
#include "base/text.h"
#include "base/wrap.h"
#include "report/report_table.h"

/* Where it goes, and how. */
struct output {
    FILE *stream;
    bool color;
};

#define BOLD   "\033[1m"
#define YELLOW "\033[33m"
#define PLAIN  "\033[0m"

#define MOST_TIED 8

static void start_color(const struct output *output, const char *color)
{
    if (output->color)
        fputs(color, output->stream);
}

static void end_color(const struct output *output)
{
    if (output->color)
        fputs(PLAIN, output->stream);
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

/* Prints what cannot be told apart from the best; of many only the first ones in the table. */
static void print_tied(const struct clopt_view *view, size_t device, FILE *stream)
{
    struct clopt_text text = {0};
    size_t count = 0;
    for (size_t i = 0; i < view->row_count; i++) {
        const struct clopt_result *cell = &view->rows[i].row->cells[device];
        if (!cell->times[view->scope].tied || cell->alias != CLOPT_NO_ROW)
            continue;
        if (count++ < MOST_TIED)
            clopt_text_printf(&text, "%s%s", count > 1 ? ", " : "", view->rows[i].label);
    }
    if (count > MOST_TIED)
        clopt_text_printf(&text, " and %zu more", count - MOST_TIED);
    if (count) {
        static const char before[] = "      cannot be told apart from it: ";
        fputs(before, stream);
        clopt_wrap_print(stream, strlen(before), 8, clopt_text_string(&text));
    }
    clopt_text_fini(&text);
}

static void print_best(const struct clopt_view *view, size_t device, const struct output *output)
{
    FILE *stream = output->stream;
    const struct clopt_view_row *best = NULL;
    for (size_t i = 0; i < view->row_count; i++)
        if (view->rows[i].row->cells[device].times[view->scope].best)
            best = &view->rows[i];
    int column = fprintf(stream, "  Best on %s: ", view->results->devices[device].label);
    if (!best) {
        fputs("nothing was measured\n", stream);
        return;
    }
    const struct clopt_result_time *time = &best->row->cells[device].times[view->scope];
    const struct clopt_interval *speedup = &time->speedup;
    struct clopt_text text = {0};
    clopt_text_printf(&text, "%s%s%s", output->color ? BOLD : "", best->label,
                      output->color ? PLAIN : "");
    if (!isnan(speedup->median) && time->different)
        clopt_text_printf(&text, ", %.2f times as fast as the initial code [%.2f, %.2f]",
                          speedup->median, speedup->low, speedup->high);
    else if (!isnan(speedup->median))
        clopt_text_append(&text, ", no difference from the initial code");
    clopt_wrap_print(stream, (size_t)column, 6, clopt_text_string(&text));
    clopt_text_fini(&text);
    print_rates(view, best, device, stream);
    print_tied(view, device, stream);
}

static const struct clopt_results_noise *noise_of(const struct clopt_view *view, size_t table,
                                                  size_t device)
{
    const struct clopt_results_table *first = &view->results->tables[table];
    return view->scope == CLOPT_SCOPE_KERNEL
               ? &first->noise[device]
               : &view->results->problems[first->problem].noise[device];
}

static void print_drift(const struct clopt_results_noise *noise, const char *device,
                        const struct output *output)
{
    if (isnan(noise->drift) || fabs(noise->drift) <= (isnan(noise->noise) ? 0 : noise->noise))
        return;
    start_color(output, YELLOW);
    fprintf(output->stream,
            "  Warning: on %s the initial code became %.1f%% %s while this was measured", device,
            100 * fabs(noise->drift), noise->drift > 0 ? "slower" : "faster");
    end_color(output);
    putc('\n', output->stream);
}

/* Prints how far the figures of a view can be trusted, whose first table is number `table`. */
static void print_noise(const struct clopt_view *view, size_t table, const struct output *output)
{
    const struct clopt_results *results = view->results;
    const char *before = "  Noise floor (A/A): ";
    for (size_t d = 0; d < results->device_count; d++) {
        const struct clopt_results_noise *noise = noise_of(view, table, d);
        if (isnan(noise->noise))
            continue;
        fprintf(output->stream, "%s%.1f%% on %s", before, 100 * noise->noise,
                results->devices[d].label);
        before = ", ";
    }
    if (*before == ',')
        putc('\n', output->stream);
    for (size_t d = 0; d < results->device_count; d++)
        print_drift(noise_of(view, table, d), results->devices[d].label, output);
}

/* Prints how the initial code accesses global memory. */
static void print_patterns(const struct clopt_results_table *table, FILE *stream)
{
    char *label = clopt_patterns_label(table);
    if (label && *label) {
        int column = fprintf(stream, "  Memory access: ");
        clopt_wrap_print(stream, (size_t)column, 6, label);
    }
    free(label);
}

/* Prints the two tables of a view, whose first table is number `table`, and the best of every
 * device. */
static enum clopt_status print_view(const struct clopt_view *view, size_t table, const char *what,
                                    struct clopt_footnotes *notes, const struct output *output,
                                    struct clopt_error *error)
{
    const struct clopt_results_problem *problem =
        &view->results->problems[view->results->tables[table].problem];
    start_color(output, BOLD);
    fprintf(output->stream, "%s%s%s: %s", problem->app, *problem->label ? " " : "", problem->label,
            what);
    end_color(output);
    fputs("\n\n", output->stream);
    enum clopt_status status = clopt_view_print_times(view, notes, output->stream, error);
    if (!status)
        status = clopt_view_print_speedups(view, notes, output->stream, error);
    if (status)
        return status;
    if (view->scope == CLOPT_SCOPE_KERNEL)
        print_patterns(&view->results->tables[table], output->stream);
    print_noise(view, table, output);
    for (size_t d = 0; d < view->results->device_count; d++)
        print_best(view, d, output);
    putc('\n', output->stream);
    return CLOPT_OK;
}

static double stage_seconds(const struct clopt_results *results, const char *name)
{
    for (size_t i = 0; i < results->stage_count; i++)
        if (strcmp(results->stages[i].name, name) == 0)
            return results->stages[i].seconds;
    return NAN;
}

/* Whether a stage is the run's own, not its workers'. */
static bool is_own(const char *stage)
{
    return strcmp(stage, "wall") == 0 || strcmp(stage, "waiting") == 0 ||
           strcmp(stage, "supervisor") == 0;
}

/* What clopt itself took of the wall time. */
static void print_overhead(const struct clopt_results *results, FILE *stream)
{
    double wall = stage_seconds(results, "wall");
    double waiting = stage_seconds(results, "waiting");
    double supervisor = stage_seconds(results, "supervisor");
    if (isnan(wall))
        return;
    fprintf(stream, "  Wall time %.2f s", wall);
    if (!isnan(waiting))
        fprintf(stream, "; no worker had anything to do in %.2f s of it, %.1f%%", waiting,
                100 * waiting / wall);
    putc('\n', stream);
    if (!isnan(supervisor))
        fprintf(stream, "  Processor time of clopt itself, without workers: %.2f s, %.1f%%\n",
                supervisor, 100 * supervisor / wall);
}

/* Prints where the workers' time went, and what the run itself took. */
static enum clopt_status print_stages(const struct clopt_results *results, FILE *stream,
                                      struct clopt_error *error)
{
    double total = 0;
    for (size_t i = 0; i < results->stage_count; i++)
        total += is_own(results->stages[i].name) ? 0 : results->stages[i].seconds;
    if (total <= 0 && results->stage_count)
        fputs("This run measured nothing: all that it asks for was in the store already.\n",
              stream);
    if (total <= 0)
        return CLOPT_OK;
    struct clopt_table *table = clopt_table_create("lrr");
    if (!table)
        return clopt_fail_memory(error);
    for (size_t i = 0; i < results->stage_count; i++) {
        const struct clopt_results_stage *stage = &results->stages[i];
        if (stage->seconds <= 0 || is_own(stage->name))
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
    fputs("Where the time went\n\n", stream);
    enum clopt_status status = clopt_table_print(table, stream, 2, error);
    clopt_table_destroy(table);
    putc('\n', stream);
    print_overhead(results, stream);
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
        struct clopt_text text = {0};
        clopt_text_printf(&text, "%s, %s, driver %s", device->name, device->platform,
                          device->driver_version);
        int column = fprintf(output->stream, "  %s: ", device->label);
        clopt_wrap_print(output->stream, (size_t)column, 6, clopt_text_string(&text));
        clopt_text_fini(&text);
    }
    if (results->device_count)
        putc('\n', output->stream);
    if (results->not_chosen)
        fprintf(output->stream, "Variants that the sample left out: %" PRId64 "\n\n",
                results->not_chosen);
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
    struct clopt_footnotes notes = {0};
    for (size_t i = first; i < end && !status; i++) {
        status = clopt_view_kernel(results, i, &view, error);
        view.color = output->color;
        if (!status)
            status = print_view(&view, i, results->tables[i].kernel, &notes, output, error);
        clopt_view_fini(&view);
    }
    if (!status && problem->several_kernels) {
        status = clopt_view_run(results, first, end, &view, error);
        view.color = output->color;
        if (!status)
            status = print_view(&view, first, "whole run", &notes, output, error);
        clopt_view_fini(&view);
    }
    if (notes.count)
        fprintf(output->stream, "Notes on %s%s%s\n\n", problem->app, *problem->label ? " " : "",
                problem->label);
    clopt_footnotes_print(&notes, output->stream);
    clopt_footnotes_fini(&notes);
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
