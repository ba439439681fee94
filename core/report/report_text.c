/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints a report for people. */
#include "report/report.h"

#include <inttypes.h>
#include <string.h>

#include "base/table.h"
#include "base/text.h"
#include "base/wrap.h"
#include "report/portability.h"
#include "report/report_table.h"
#include "report/summary.h"

/* Where it goes, and how. */
struct output {
    FILE *stream;
    bool color;
};

#define BOLD   "\033[1m"
#define YELLOW "\033[33m"
#define PLAIN  "\033[0m"

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

/* Prints a sentence, if there is one, behind what stands on its line already. */
static void print_sentence(const struct output *output, const char *before, unsigned indent,
                           struct clopt_text *sentence)
{
    if (sentence->length) {
        fputs(before, output->stream);
        clopt_wrap_print(output->stream, strlen(before), indent, clopt_text_string(sentence));
    }
    clopt_text_fini(sentence);
}

static void print_best(const struct clopt_view *view, size_t device, const struct output *output)
{
    const struct clopt_view_row *best = clopt_summary_best(view, device);
    int column = fprintf(output->stream, "  Best on %s: ", view->results->devices[device].label);
    if (!best) {
        fputs("nothing was measured\n", output->stream);
        return;
    }
    struct clopt_text text = {0};
    clopt_text_printf(&text, "%s%s%s", output->color ? BOLD : "", best->label,
                      output->color ? PLAIN : "");
    clopt_summary_gain(&text, view, best, device);
    clopt_wrap_print(output->stream, (size_t)column, 6, clopt_text_string(&text));
    clopt_text_clear(&text);
    clopt_summary_rates(&text, view, best, device);
    print_sentence(output, "      ", 6, &text);
    clopt_summary_tied(&text, view, device);
    print_sentence(output, "      cannot be told apart from it: ", 8, &text);
}

static void print_warning(const struct output *output, struct clopt_text *text)
{
    if (text->length) {
        start_color(output, YELLOW);
        fputs("  ", output->stream);
        clopt_wrap_print(output->stream, 2, 6, clopt_text_string(text));
        end_color(output);
    }
    clopt_text_clear(text);
}

/* Prints how far the figures of a view can be trusted. */
static void print_noise(const struct clopt_view *view, const struct output *output)
{
    struct clopt_text text = {0};
    clopt_summary_noise(&text, view);
    print_sentence(output, "  ", 6, &text);
    for (size_t d = 0; d < view->results->device_count; d++) {
        clopt_summary_drift(&text, view, d);
        print_warning(output, &text);
        clopt_summary_suspicion(&text, view, d);
        print_warning(output, &text);
    }
    clopt_text_fini(&text);
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

/* Prints the two tables of a view. */
static enum clopt_status print_tables(const struct clopt_view *view, struct clopt_footnotes *notes,
                                      const struct output *output, struct clopt_error *error)
{
    struct clopt_grid times, speedups = {0};
    enum clopt_status status = clopt_grid_fill_times(&times, view, notes, error);
    if (!status)
        status = clopt_grid_print(&times, output->color, output->stream, error);
    if (!status)
        status = clopt_grid_fill_speedups(&speedups, view, notes, error);
    if (!status)
        status = clopt_grid_print(&speedups, output->color, output->stream, error);
    clopt_grid_fini(&times);
    clopt_grid_fini(&speedups);
    return status;
}

/* Prints how the best variants do on the other devices, where there are others. */
static enum clopt_status print_portability(const struct clopt_view *view,
                                           struct clopt_footnotes *notes,
                                           const struct output *output, struct clopt_error *error)
{
    struct clopt_portability portability;
    struct clopt_grid matrix = {0};
    enum clopt_status status = clopt_portability_init(&portability, view, error);
    if (!status)
        status = clopt_portability_fill(&portability, &matrix, notes, error);
    if (!status)
        status = clopt_grid_print(&matrix, output->color, output->stream, error);
    if (!status && matrix.shown) {
        struct clopt_text text = {0};
        clopt_portability_say(&text, &portability);
        print_sentence(output, "  ", 6, &text);
        putc('\n', output->stream);
    }
    clopt_grid_fini(&matrix);
    clopt_portability_fini(&portability);
    return status;
}

/* Prints the tables of a view, and the best of every device. */
static enum clopt_status print_view(const struct clopt_view *view, struct clopt_footnotes *notes,
                                    const struct output *output, struct clopt_error *error)
{
    struct clopt_text title = {0};
    clopt_view_title(&title, view);
    start_color(output, BOLD);
    fputs(clopt_text_string(&title), output->stream);
    end_color(output);
    fputs("\n\n", output->stream);
    clopt_text_fini(&title);
    enum clopt_status status = print_tables(view, notes, output, error);
    if (status)
        return status;
    if (view->scope == CLOPT_SCOPE_KERNEL)
        print_patterns(view->table, output->stream);
    print_noise(view, output);
    for (size_t d = 0; d < view->results->device_count; d++)
        print_best(view, d, output);
    putc('\n', output->stream);
    return print_portability(view, notes, output, error);
}

/* Prints the time of each stage of the workers. */
static enum clopt_status print_stage_table(const struct clopt_results *results, double total,
                                           FILE *stream, struct clopt_error *error)
{
    struct clopt_table *table = clopt_table_create("lrr");
    if (!table)
        return clopt_fail_memory(error);
    for (size_t i = 0; i < results->stage_count; i++) {
        const struct clopt_results_stage *stage = &results->stages[i];
        if (!clopt_summary_is_worker_stage(stage))
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
    enum clopt_status status = clopt_table_print(table, stream, 2, error);
    clopt_table_destroy(table);
    return status;
}

/* Prints where the workers' time went, and what the run itself took. */
static enum clopt_status print_stages(const struct clopt_results *results,
                                      const struct output *output, struct clopt_error *error)
{
    double total = clopt_summary_worker_seconds(results);
    if (total <= 0 && results->stage_count)
        fputs("This run measured nothing: all that it asks for was in the store already.\n",
              output->stream);
    if (total <= 0)
        return CLOPT_OK;
    fputs("Where the time went\n\n", output->stream);
    enum clopt_status status = print_stage_table(results, total, output->stream, error);
    putc('\n', output->stream);
    struct clopt_text text = {0};
    clopt_summary_wall(&text, results);
    print_sentence(output, "  ", 6, &text);
    clopt_summary_own(&text, results);
    print_sentence(output, "  ", 6, &text);
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
        clopt_summary_device(&text, device);
        int column = fprintf(output->stream, "  %s: ", device->label);
        clopt_wrap_print(output->stream, (size_t)column, 6, clopt_text_string(&text));
        clopt_text_fini(&text);
    }
    if (results->device_count)
        putc('\n', output->stream);
    if (results->not_chosen)
        fprintf(output->stream,
                results->not_feasible ? "Variants that the sample left out: %" PRId64 ", %" PRId64
                                        " of them as infeasible\n\n"
                                      : "Variants that the sample left out: %" PRId64 "\n\n",
                results->not_chosen, results->not_feasible);
    const char *warning = clopt_summary_warning(results);
    if (!warning)
        return;
    start_color(output, YELLOW);
    fputs(warning, output->stream);
    end_color(output);
    fputs("\n\n", output->stream);
}

static enum clopt_status print_problem(void *user, const struct clopt_views *views,
                                       struct clopt_error *error)
{
    const struct output *output = user;
    enum clopt_status status = CLOPT_OK;
    struct clopt_footnotes notes = {0};
    struct clopt_text title = {0};
    for (size_t i = 0; i < views->count && !status; i++)
        status = print_view(&views->items[i], &notes, output, error);
    clopt_problem_title(&title, views->problem);
    if (notes.count)
        fprintf(output->stream, "Notes on %s\n\n", clopt_text_string(&title));
    clopt_footnotes_print(&notes, output->stream);
    if (!status && (notes.failed || title.failed))
        status = clopt_fail_memory(error);
    clopt_footnotes_fini(&notes);
    clopt_text_fini(&title);
    return status;
}

static enum clopt_status print_results(const struct clopt_results *results, struct output *output,
                                       struct clopt_error *error)
{
    if (!results->has_run) {
        fputs("Nothing has been measured yet: no study has run.\n", output->stream);
        return CLOPT_OK;
    }
    print_head(results, output);
    if (!results->measured) {
        fputs("Nothing has been measured yet.\n", output->stream);
        return CLOPT_OK;
    }
    enum clopt_status status = clopt_views_visit(results, print_problem, output, error);
    return status ? status : print_stages(results, output, error);
}

enum clopt_status clopt_report_text(struct clopt_store *store, FILE *stream, bool color,
                                    struct clopt_error *error)
{
    struct clopt_results *results;
    struct output output = {stream, color};
    enum clopt_status status = clopt_results_gather(store, &results, error);
    if (!status)
        status = clopt_results_make_printable(results, error);
    if (!status)
        status = print_results(results, &output, error);
    clopt_results_destroy(results);
    return status;
}
