/* SPDX-License-Identifier: BSD-3-Clause */
/* Says what a report has, and in which order, whatever form it is written in. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/overview.h"
#include "report/report.h"
#include "report/writer.h"
#include "results/counters.h"
#include "view/access.h"
#include "view/members.h"
#include "view/portability.h"
#include "view/summary.h"

#define MOST_OPEN_ROWS 12 /* a longer table is folded */
#define MOST_PERMUTING 6  /* variants of a device of which it is said what permuting takes */

/* A writer, with what is said only once. */
struct document {
    const struct clopt_results *results;
    struct clopt_writer *writer;
    bool explained; /* why intervals of times are wider than those of speed-ups */
};

/* ---- parts ---- */

static void heading(const struct document *document, enum clopt_heading level, const char *text)
{
    document->writer->operations->heading(document->writer, level, text);
}

static void plain(const struct document *document, const char *text)
{
    document->writer->operations->sentence(document->writer, CLOPT_SENTENCE_PLAIN, text);
}

/* Writes a sentence, if there is one, and empties it. */
static void sentence(const struct document *document, enum clopt_sentence kind,
                     struct clopt_text *text)
{
    if (text->length)
        document->writer->operations->sentence(document->writer, kind, clopt_text_string(text));
    document->writer->text.failed |= text->failed;
    clopt_text_fini(text);
}

static void fold(const struct document *document, const char *title, bool open)
{
    if (document->writer->operations->fold)
        document->writer->operations->fold(document->writer, title, open);
}

/* Writes a table, if it has rows, and frees it. */
static enum clopt_status table(const struct document *document, struct clopt_grid *grid,
                               enum clopt_status status, struct clopt_error *error)
{
    if (!status && grid->row_count)
        status = document->writer->operations->table(document->writer, grid, error);
    clopt_grid_fini(grid);
    return status;
}

/* ---- a kernel ---- */

static void write_best(const struct document *document, const struct clopt_view *view,
                       size_t device)
{
    const struct clopt_view_row *best = clopt_summary_best(view, device);
    struct clopt_text text = {0};
    clopt_text_printf(&text, "Best on %s: ", view->results->devices[device].label);
    if (!best) {
        clopt_text_append(&text, "nothing was measured");
        sentence(document, CLOPT_SENTENCE_ITEM, &text);
        return;
    }
    clopt_text_printf(&text, CLOPT_STRONG "%s" CLOPT_WEAK, best->label);
    clopt_summary_gain(&text, view, best, device);
    sentence(document, CLOPT_SENTENCE_ITEM, &text);
    clopt_summary_rates(&text, view, best, device);
    sentence(document, CLOPT_SENTENCE_DETAIL, &text);
    clopt_summary_samples(&text, view, best, device);
    sentence(document, CLOPT_SENTENCE_DETAIL, &text);
    clopt_summary_tied(&text, view, device);
    sentence(document, CLOPT_SENTENCE_DETAIL, &text);
    for (size_t i = 0; i < view->row_count; i++) {
        clopt_summary_rival(&text, view, &view->rows[i], device);
        sentence(document, CLOPT_SENTENCE_ITEM, &text);
    }
}

/* Says what the other order of buffers costs, of the first variants of the tables. */
static void write_permuting(const struct document *document, const struct clopt_view *view)
{
    struct clopt_text text = {0};
    for (size_t d = 0; d < view->results->device_count; d++)
        for (size_t i = 0, said = 0; i < view->row_count && said < MOST_PERMUTING; i++) {
            clopt_summary_permuting(&text, view, &view->rows[i], d);
            said += text.length > 0;
            sentence(document, CLOPT_SENTENCE_ITEM, &text);
        }
}

/* Says how the initial code accesses memory: a line for the arrays of which the same is true. */
static enum clopt_status write_patterns(const struct document *document,
                                        const struct clopt_view *view, struct clopt_error *error)
{
    char *label =
        view->scope == CLOPT_SCOPE_KERNEL ? clopt_patterns_label(view->table, "\n") : NULL;
    struct clopt_text text = {0};
    for (char *rest, *line = label ? strtok_r(label, "\n", &rest) : NULL; line;
         line = strtok_r(NULL, "\n", &rest)) {
        clopt_text_printf(&text, "Memory access: %s", line);
        sentence(document, CLOPT_SENTENCE_ITEM, &text);
    }
    free(label);
    if (view->scope != CLOPT_SCOPE_KERNEL)
        return CLOPT_OK;
    for (size_t d = 0; d < view->results->device_count; d++) {
        clopt_access_advise(&text, view->results, view->table, d);
        sentence(document, CLOPT_SENTENCE_DETAIL, &text);
    }
    struct clopt_grid grid;
    return table(document, &grid, clopt_access_tabulate(view->results, view->table, &grid, error),
                 error);
}

/* Says which counters tell the variants that gain from those that lose. */
static enum clopt_status write_reasons(const struct document *document,
                                       const struct clopt_view *view, struct clopt_error *error)
{
    const struct clopt_results *results = view->results;
    enum clopt_status status = CLOPT_OK;
    for (size_t d = 0; d < results->device_count && !status; d++) {
        struct clopt_counted counters;
        struct clopt_text text = {0};
        status = clopt_counted_find(view->table, d, &counters, error);
        if (!status)
            status = clopt_counted_explain(&counters, results->devices[d].label, &text, error);
        sentence(document, CLOPT_SENTENCE_ITEM, &text);
        clopt_counted_fini(&counters);
    }
    return status;
}

/* Says how far the numbers of a view can be trusted. */
static void write_noise(const struct document *document, const struct clopt_view *view)
{
    struct clopt_text text = {0};
    clopt_summary_initial(&text, view);
    sentence(document, CLOPT_SENTENCE_ITEM, &text);
    clopt_summary_noise(&text, view);
    sentence(document, CLOPT_SENTENCE_ITEM, &text);
    for (size_t d = 0; d < view->results->device_count; d++) {
        clopt_members_compare(&text, view, d);
        sentence(document, CLOPT_SENTENCE_ITEM, &text);
        clopt_summary_drift(&text, view, d);
        sentence(document, CLOPT_SENTENCE_WARNING, &text);
        clopt_summary_suspicion(&text, view, d);
        sentence(document, CLOPT_SENTENCE_WARNING, &text);
    }
}

static enum clopt_status write_tables(struct document *document, const struct clopt_view *view,
                                      struct clopt_footnotes *notes, struct clopt_error *error)
{
    const size_t top = document->writer->top;
    struct clopt_grid grid;
    bool one_device = view->results->device_count + view->results->published_count == 1;
    if (document->writer->operations->joined && one_device)
        return table(document, &grid,
                     clopt_view_tabulate(view, CLOPT_TABLE_BOTH, top, &grid, notes, error), error);
    enum clopt_status status =
        table(document, &grid,
              clopt_view_tabulate(view, CLOPT_TABLE_TIMES, top, &grid, notes, error), error);
    if (!status && !document->explained)
        plain(document,
              view->results->objective
                  ? "Samples differ from process to process, which makes their intervals "
                    "wide. A gain is a ratio of what the same processes measured: its "
                    "interval is often narrower."
                  : "Times differ from process to process, which makes their intervals "
                    "wide. A speed-up is a ratio of what the same processes measured: its "
                    "interval is often narrower.");
    document->explained = true;
    if (!status)
        status =
            table(document, &grid,
                  clopt_view_tabulate(view, CLOPT_TABLE_SPEEDUPS, top, &grid, notes, error), error);
    return status;
}

/* Says how portable the variants are, where there are devices to compare. */
static enum clopt_status write_portability(const struct document *document,
                                           const struct clopt_view *view,
                                           struct clopt_footnotes *notes, struct clopt_error *error)
{
    struct clopt_portability portability;
    struct clopt_grid matrix = {0};
    struct clopt_text text = {0};
    enum clopt_status status = clopt_portability_init(&portability, view, error);
    if (!status)
        status = clopt_portability_fill(&portability, &matrix, notes, error);
    if (!status && matrix.row_count)
        clopt_portability_say(&text, &portability);
    status = table(document, &matrix, status, error);
    if (!status)
        sentence(document, CLOPT_SENTENCE_PLAIN, &text);
    clopt_text_fini(&text);
    clopt_portability_fini(&portability);
    return status;
}

static enum clopt_status write_view(struct document *document, const struct clopt_view *view,
                                    struct clopt_footnotes *notes, struct clopt_error *error)
{
    const struct clopt_writer_operations *operations = document->writer->operations;
    enum clopt_status status = CLOPT_OK;
    struct clopt_text title = {0};
    clopt_view_title(&title, view);
    heading(document, CLOPT_HEADING_KERNEL, clopt_text_string(&title));
    clopt_text_clear(&title);
    for (size_t d = 0; d < view->results->device_count && !operations->terse; d++)
        write_best(document, view, d);
    if (!operations->terse) {
        status = write_patterns(document, view, error);
        if (!status && view->scope == CLOPT_SCOPE_KERNEL)
            status = write_reasons(document, view, error);
        write_noise(document, view);
        write_permuting(document, view);
    }
    if (!status && operations->figures)
        status = operations->figures(document->writer, view, error);
    clopt_text_printf(&title, "Times and speed-ups of %zu variants", view->row_count);
    fold(document, clopt_text_string(&title), view->row_count <= MOST_OPEN_ROWS);
    if (!status)
        status = write_tables(document, view, notes, error);
    fold(document, NULL, false);
    document->writer->text.failed |= title.failed;
    clopt_text_fini(&title);
    return status ? status : write_portability(document, view, notes, error);
}

static enum clopt_status write_problem(void *user, const struct clopt_views *views,
                                       struct clopt_error *error)
{
    struct document *document = user;
    enum clopt_status status = CLOPT_OK;
    struct clopt_footnotes notes = {0};
    struct clopt_text title = {0};
    document->writer->problems++;
    for (size_t i = 0; i < views->count && !status; i++)
        status = write_view(document, &views->items[i], &notes, error);
    clopt_text_append(&title, "Notes on ");
    clopt_problem_title(&title, views->problem);
    if (!status && notes.count)
        document->writer->operations->notes(document->writer, &notes, clopt_text_string(&title));
    if (!status && (notes.failed || title.failed))
        status = clopt_fail_memory(error);
    clopt_footnotes_fini(&notes);
    clopt_text_fini(&title);
    return status;
}

/* ---- around the kernels ---- */

/* Says what was run, when and where, and what became of it. */
static void write_head(const struct document *document)
{
    const struct clopt_results *results = document->results;
    const char *warning = clopt_summary_warning(results);
    struct clopt_text text = {0};
    heading(document, CLOPT_HEADING_TITLE, results->title);
    for (size_t d = 0; d < results->device_count; d++) {
        clopt_text_printf(&text, CLOPT_STRONG "%s" CLOPT_WEAK ": ", results->devices[d].label);
        clopt_summary_device(&text, &results->devices[d]);
        clopt_counted_append_lack(&text, results, d);
        sentence(document, CLOPT_SENTENCE_ITEM, &text);
    }
    clopt_summary_run(&text, results);
    sentence(document, CLOPT_SENTENCE_PLAIN, &text);
    if (results->not_chosen)
        clopt_text_printf(&text, "Variants that the sample left out: %" PRId64,
                          results->not_chosen);
    if (results->not_chosen && results->not_feasible)
        clopt_text_printf(&text, ", %" PRId64 " of them as infeasible", results->not_feasible);
    sentence(document, CLOPT_SENTENCE_PLAIN, &text);
    if (results->shards)
        clopt_text_printf(
            &text, "This has shard%s %s of the study, not all of it; `clopt merge` unites them.",
            strchr(results->shards, ',') ? "s" : "", results->shards);
    sentence(document, CLOPT_SENTENCE_WARNING, &text);
    if (results->not_reached)
        clopt_text_printf(&text,
                          "[measure] time was over before %" PRId64 " trial%s: this is what was "
                          "measured until then, and the same command goes on with them.",
                          results->not_reached, results->not_reached == 1 ? "" : "s");
    sentence(document, CLOPT_SENTENCE_WARNING, &text);
    clopt_text_append(&text, warning ? warning : "");
    sentence(document, CLOPT_SENTENCE_WARNING, &text);
    if (document->writer->operations->figures && !document->writer->gnuplot)
        clopt_text_append(&text, "There are no figures, because the program that draws them, "
                                 "gnuplot, was not there when this page was made.");
    sentence(document, CLOPT_SENTENCE_WARNING, &text);
}

/* Says what pays where. */
static enum clopt_status write_overview(const struct document *document, struct clopt_error *error)
{
    const struct clopt_results *results = document->results;
    enum clopt_status status = CLOPT_OK;
    struct clopt_grid grid = {0};
    heading(document, CLOPT_HEADING_SECTION, "Summary");
    for (size_t d = 0; d < results->device_count && !status; d++) {
        struct clopt_text gains = {0}, alone = {0};
        status = clopt_overview_say(results, d, &gains, &alone, error);
        sentence(document, CLOPT_SENTENCE_ITEM, &gains);
        sentence(document, CLOPT_SENTENCE_DETAIL, &alone);
    }
    if (!status)
        status = clopt_overview_tabulate(results, &grid, error);
    return table(document, &grid, status, error);
}

static enum clopt_status tabulate_stages(const struct clopt_results *results, double total,
                                         struct clopt_grid *grid, struct clopt_error *error)
{
    char text[32];
    *grid = (struct clopt_grid){0};
    clopt_grid_add_column(grid, CLOPT_COLUMN_NAME, CLOPT_COLUMN_KEY, "Stage");
    clopt_grid_add_column(grid, CLOPT_COLUMN_COUNT, CLOPT_COLUMN_DATA, "Seconds");
    clopt_grid_add_column(grid, CLOPT_COLUMN_COUNT, CLOPT_COLUMN_DATA, "Share");
    for (size_t i = 0; i <= results->stage_count; i++) {
        bool sum = i == results->stage_count;
        const struct clopt_results_stage *stage = &results->stages[sum ? 0 : i];
        double seconds = sum ? total : stage->seconds;
        if (!sum && !clopt_summary_is_worker_stage(stage))
            continue;
        struct clopt_cell *cell = clopt_grid_add_row(grid);
        if (!cell)
            break;
        clopt_grid_fill(grid, &cell[0], sum ? "all workers" : stage->name, -1, "");
        snprintf(text, sizeof text, "%.2f", seconds);
        clopt_grid_fill(grid, &cell[1], text, 2, "");
        snprintf(text, sizeof text, "%.1f%%", 100 * seconds / total);
        clopt_grid_fill(grid, &cell[2], text, 1, "");
    }
    return clopt_grid_finish(grid, error);
}

static enum clopt_status write_stages(const struct document *document, struct clopt_error *error)
{
    const struct clopt_results *results = document->results;
    const struct clopt_writer_operations *operations = document->writer->operations;
    double total = clopt_summary_worker_seconds(results);
    struct clopt_grid grid;
    struct clopt_text text = {0};
    if (total <= 0) {
        if (results->stage_count)
            plain(document,
                  "This run measured nothing: all that it asks for was in the store already.");
        return CLOPT_OK;
    }
    heading(document, CLOPT_HEADING_SECTION, "Where the time went");
    enum clopt_status status =
        table(document, &grid, tabulate_stages(results, total, &grid, error), error);
    if (status)
        return status;
    clopt_summary_wall(&text, results);
    sentence(document, CLOPT_SENTENCE_PLAIN, &text);
    clopt_summary_own(&text, results);
    sentence(document, CLOPT_SENTENCE_PLAIN, &text);
    return operations->timeline ? operations->timeline(document->writer, results, error) : CLOPT_OK;
}

static enum clopt_status write_body(struct document *document, struct clopt_error *error)
{
    const struct clopt_results *results = document->results;
    const struct clopt_writer_operations *operations = document->writer->operations;
    if (!results->has_run) {
        plain(document, "Nothing has been measured yet: no study has run.");
        return CLOPT_OK;
    }
    write_head(document);
    if (!results->measured) {
        plain(document, "Nothing has been measured yet.");
        return CLOPT_OK;
    }
    enum clopt_status status = write_overview(document, error);
    if (!status)
        status = clopt_views_visit(results, write_problem, document, error);
    if (!status && !operations->terse)
        status = write_stages(document, error);
    if (!status && operations->listing) {
        fold(document, "The study", false);
        operations->listing(document->writer, results->config);
        fold(document, NULL, false);
    }
    return status;
}

enum clopt_status clopt_report_print(struct clopt_store *store,
                                     const struct clopt_report_page *page,
                                     struct clopt_error *error)
{
    struct clopt_results *results;
    struct clopt_writer writer = {.operations = clopt_writer_of(page->form),
                                  .stream = page->stream,
                                  .top = page->top,
                                  .color = page->color,
                                  .gnuplot = page->gnuplot};
    enum clopt_status status = clopt_results_gather(store, &results, error);
    if (!status)
        status = clopt_results_make_printable(results, error);
    struct document document = {.results = results, .writer = &writer};
    if (!status && writer.operations->begin)
        writer.operations->begin(&writer, results->has_run ? results->title : "clopt");
    if (!status)
        status = write_body(&document, error);
    status = clopt_writer_finish(&writer, status, error);
    clopt_results_destroy(results);
    return status;
}
