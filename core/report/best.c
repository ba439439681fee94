/* SPDX-License-Identifier: BSD-3-Clause */
/* The report of a run: what pays where, each kernel, and where the time went. */
#include "report/analysis.h"
#include "report/view.h"
#include "results/counters.h"

#define MOST_OPEN_ROWS 12 /* a longer table is folded */
#define MOST_PERMUTING 6  /* variants of a device of which it is said what permuting takes */

/* A report that is being made. */
struct reporting {
    struct clopt_document *document;
    const struct clopt_results *results;
    const struct clopt_analysis_request *request;
    struct clopt_views views;
    bool explained; /* why intervals of times are wider than those of speed-ups */
};

/* ---- a kernel ---- */

static void add_best(const struct reporting *reporting, const struct clopt_view *view,
                     size_t device)
{
    struct clopt_document *document = reporting->document;
    const struct clopt_view_row *best = clopt_summary_best(view, device);
    struct clopt_text text = {0};
    clopt_text_printf(&text, "Best on %s: ", view->results->devices[device].label);
    if (!best) {
        clopt_text_append(&text, "nothing was measured");
        clopt_document_say(document, CLOPT_SENTENCE_ITEM, &text);
        return;
    }
    clopt_text_printf(&text, CLOPT_STRONG "%s" CLOPT_WEAK, best->label);
    clopt_summary_gain(&text, view, best, device);
    clopt_document_say(document, CLOPT_SENTENCE_ITEM, &text);
    clopt_summary_rates(&text, view, best, device);
    clopt_document_say(document, CLOPT_SENTENCE_DETAIL, &text);
    clopt_summary_samples(&text, view, best, device);
    clopt_document_say(document, CLOPT_SENTENCE_DETAIL, &text);
    clopt_summary_certainty(&text, view, best, device);
    clopt_document_say(document, CLOPT_SENTENCE_DETAIL, &text);
    clopt_summary_tied(&text, view, device);
    clopt_document_say(document, CLOPT_SENTENCE_DETAIL, &text);
    for (size_t i = 0; i < view->row_count; i++) {
        clopt_summary_rival(&text, view, &view->rows[i], device);
        clopt_document_say(document, CLOPT_SENTENCE_ITEM, &text);
    }
}

/* Shows the initial code beside the best of a device, as far as the store has both. */
static enum clopt_status add_sources(const struct reporting *reporting,
                                     const struct clopt_view *view, size_t device,
                                     struct clopt_error *error)
{
    const struct clopt_view_row *best = clopt_summary_best(view, device);
    size_t initial = view->table->initial;
    struct clopt_store_trial trials[2] = {{0}, {0}};
    if (!best || best->initial || initial == CLOPT_NO_ROW || view->scope != CLOPT_SCOPE_KERNEL)
        return CLOPT_OK;
    const struct clopt_results_row *rows[] = {&view->table->rows[initial], best->row};
    enum clopt_status status = CLOPT_OK;
    for (size_t i = 0; i < 2 && !status; i++)
        status = clopt_store_find_trial(reporting->request->store, rows[i]->cells[device].trial.key,
                                        &trials[i], error);
    if (!status && trials[0].source && trials[1].source) {
        CLOPT_OWNED(clopt_text) title = {0};
        clopt_text_printf(&title, "Source: initial code, and %s, the best on %s", best->label,
                          view->results->devices[device].label);
        clopt_document_pair(reporting->document, clopt_text_string(&title), trials[0].source,
                            trials[1].source);
    }
    clopt_store_trial_fini(&trials[0]);
    clopt_store_trial_fini(&trials[1]);
    return status;
}

/* Says what the other order of buffers costs, of the first variants of the tables. */
static void add_permuting(const struct reporting *reporting, const struct clopt_view *view)
{
    struct clopt_text text = {0};
    for (size_t d = 0; d < view->results->device_count; d++)
        for (size_t i = 0, said = 0; i < view->row_count && said < MOST_PERMUTING; i++) {
            clopt_summary_permuting(&text, view, &view->rows[i], d);
            said += text.length > 0;
            clopt_document_say(reporting->document, CLOPT_SENTENCE_ITEM, &text);
        }
}

/* Says how the initial code accesses memory: a line for the arrays of which the same is true. */
static void add_patterns(const struct reporting *reporting, const struct clopt_view *view)
{
    struct clopt_text text = {0};
    if (view->scope != CLOPT_SCOPE_KERNEL)
        return;
    CLOPT_FREED char *label = clopt_patterns_label(view->table, "\n");
    for (char *rest, *line = label ? strtok_r(label, "\n", &rest) : NULL; line;
         line = strtok_r(NULL, "\n", &rest))
        clopt_document_printf(reporting->document, CLOPT_SENTENCE_ITEM, "Memory access: %s", line);
    for (size_t d = 0; d < view->results->device_count; d++) {
        clopt_access_advise(&text, view->results, view->table, d);
        clopt_document_say(reporting->document, CLOPT_SENTENCE_DETAIL, &text);
    }
    clopt_access_tabulate(view->results, view->table, reporting->document);
}

/* Says which counters tell the variants that gain from those that lose. */
static enum clopt_status add_reasons(const struct reporting *reporting,
                                     const struct clopt_view *view, struct clopt_error *error)
{
    const struct clopt_results *results = view->results;
    enum clopt_status status = CLOPT_OK;
    for (size_t d = 0; d < results->device_count && !status; d++) {
        CLOPT_OWNED(clopt_counted) counters = {0};
        struct clopt_text text = {0};
        status = clopt_counted_find(view->table, d, &counters, error);
        if (!status)
            status = clopt_counted_explain(&counters, results->devices[d].label, &text, error);
        clopt_document_say(reporting->document, CLOPT_SENTENCE_ITEM, &text);
    }
    return status;
}

/* Says how far the numbers of a view can be trusted. */
static void add_noise(const struct reporting *reporting, const struct clopt_view *view)
{
    struct clopt_document *document = reporting->document;
    struct clopt_text text = {0};
    clopt_summary_initial(&text, view);
    clopt_document_say(document, CLOPT_SENTENCE_ITEM, &text);
    clopt_summary_noise(&text, view);
    clopt_document_say(document, CLOPT_SENTENCE_ITEM, &text);
    for (size_t d = 0; d < view->results->device_count; d++) {
        clopt_members_compare(&text, view, d);
        clopt_document_say(document, CLOPT_SENTENCE_ITEM, &text);
        clopt_summary_drift(&text, view, d);
        clopt_document_say(document, CLOPT_SENTENCE_WARNING, &text);
        clopt_summary_suspicion(&text, view, d);
        clopt_document_say(document, CLOPT_SENTENCE_WARNING, &text);
    }
}

static void add_tables(struct reporting *reporting, const struct clopt_view *view,
                       struct clopt_notes *notes)
{
    struct clopt_document *document = reporting->document;
    bool gain = view->results->objective != CLOPT_OBJECTIVE_TIME;
    clopt_document_fold(document, view->row_count <= MOST_OPEN_ROWS,
                        "Times and speed-ups of %zu variants", view->row_count);
    if (!reporting->explained)
        clopt_document_printf(document, CLOPT_SENTENCE_PLAIN,
                              "%s differ from process to process, which makes their intervals "
                              "wide. A %s is a ratio of what the same processes measured: its "
                              "interval is often narrower.",
                              gain ? "Samples" : "Times", gain ? "gain" : "speed-up");
    reporting->explained = true;
    clopt_view_tabulate(view, reporting->request->top, document, notes);
    document->extent = CLOPT_REMARK | CLOPT_NOT_PAGE; /* the table of the best has bars */
    clopt_view_draw(view, false, reporting->request->top, document);
    document->extent = CLOPT_REMARK;
    clopt_view_draw(view, true, reporting->request->top, document);
    document->extent = CLOPT_NOT_BRIEF;
    clopt_document_fold_end(document);
}

static enum clopt_status add_view(struct reporting *reporting, const struct clopt_view *view,
                                  struct clopt_notes *notes, struct clopt_error *error)
{
    struct clopt_document *document = reporting->document;
    enum clopt_status status = CLOPT_OK;
    CLOPT_OWNED(clopt_text) title = {0};
    clopt_view_title(&title, view);
    clopt_document_heading(document, CLOPT_HEADING_KERNEL, "%s", clopt_text_string(&title));
    document->extent = CLOPT_REMARK;
    for (size_t d = 0; d < view->results->device_count; d++)
        add_best(reporting, view, d);
    document->extent = CLOPT_PAGE_ONLY;
    for (size_t d = 0; d < view->results->device_count; d++)
        clopt_leaders_tabulate(view, d, document);
    document->extent = CLOPT_REMARK;
    for (size_t d = 0; d < view->results->device_count; d++)
        clopt_ladder_tabulate(view, d, document);
    for (size_t d = 0; d < view->results->device_count && !status; d++)
        status = add_sources(reporting, view, d, error);
    clopt_progress_draw(view, document);
    for (size_t d = 0; d < view->results->device_count; d++)
        clopt_heat_tabulate(view, d, document);
    add_patterns(reporting, view);
    if (view->scope == CLOPT_SCOPE_KERNEL && !status)
        status = add_reasons(reporting, view, error);
    add_noise(reporting, view);
    add_permuting(reporting, view);
    document->extent = CLOPT_NOT_BRIEF;
    add_tables(reporting, view, notes);
    return status ? status : clopt_portability_report(view, document, notes, error);
}

/* Adds all views, and after those of a problem the notes on them. */
static enum clopt_status add_views(struct reporting *reporting, struct clopt_error *error)
{
    enum clopt_status status = CLOPT_OK;
    struct clopt_notes notes = {0};
    for (size_t i = 0; i < reporting->views.count && !status; i++) {
        const struct clopt_view *view = &reporting->views.items[i];
        CLOPT_OWNED(clopt_text) title = {0};
        status = add_view(reporting, view, &notes, error);
        if (!view->last && !status)
            continue;
        clopt_text_append(&title, "Notes on ");
        clopt_problem_title(&title, view->problem);
        clopt_document_notes(reporting->document, &notes, clopt_text_string(&title));
    }
    return status;
}

/* ---- around the kernels ---- */

/* Says what of the study is not there. */
static void add_lacks(const struct reporting *reporting)
{
    struct clopt_document *document = reporting->document;
    const struct clopt_results *results = reporting->results;
    const char *warning = clopt_summary_warning(results);
    if (results->shards)
        clopt_document_printf(
            document, CLOPT_SENTENCE_WARNING,
            "This has shard%s %s of the study, not all of it; `clopt merge` unites them.",
            strchr(results->shards, ',') ? "s" : "", results->shards);
    if (results->not_reached && !strstr(results->config, "\n[search]\n")) /* that ends so */
        clopt_document_printf(document, CLOPT_SENTENCE_WARNING,
                              "[measure] time was over before %" PRId64
                              " trial%s: this is what was measured until then, and the same "
                              "command goes on with them.",
                              results->not_reached, results->not_reached == 1 ? "" : "s");
    if (warning)
        clopt_document_printf(document, CLOPT_SENTENCE_WARNING, "%s", warning);
}

/* Says what pays where, and how to get it. */
static void add_answer(const struct reporting *reporting)
{
    struct clopt_document *document = reporting->document;
    const struct clopt_results *results = reporting->results;
    CLOPT_OWNED(clopt_text) command = {0};
    for (size_t d = 0; d < results->device_count; d++) {
        struct clopt_text gains = {0}, alone = {0};
        clopt_overview_say(results, &reporting->views, d, &gains, &alone);
        clopt_document_say(document, CLOPT_SENTENCE_ANSWER, &gains);
        clopt_document_say(document, CLOPT_SENTENCE_DETAIL, &alone);
    }
    document->extent = CLOPT_NOT_TERSE;
    clopt_document_printf(document, CLOPT_SENTENCE_PLAIN, "The fastest of each kernel, as files:");
    clopt_text_append(&command, "clopt export ");
    clopt_text_append_word(&command, *reporting->request->paths);
    clopt_document_command(document, clopt_text_string(&command));
    document->extent = results->table_count * results->device_count > 1
                           ? CLOPT_EVERYWHERE
                           : CLOPT_NOT_BRIEF | CLOPT_NOT_PAGE; /* the answer says it */
    clopt_overview_tabulate(results, &reporting->views, document);
    document->extent = CLOPT_EVERYWHERE;
    clopt_rooflines_draw(results, document);
}

/* Adds the ten best of each problem where there is one kernel, for a screen. */
static void add_ten(const struct reporting *reporting)
{
    for (size_t i = 0; i < reporting->views.count; i++) {
        const struct clopt_view *view = &reporting->views.items[i];
        for (size_t d = 0; d < reporting->results->device_count && view->first && view->last; d++)
            clopt_leaders_tabulate(view, d, reporting->document);
    }
}

/* Says what was run, when and where. */
static void add_setting(const struct reporting *reporting)
{
    struct clopt_document *document = reporting->document;
    const struct clopt_results *results = reporting->results;
    struct clopt_text text = {0};
    clopt_document_heading(document, CLOPT_HEADING_SECTION, "How it was measured");
    for (size_t d = 0; d < results->device_count; d++) {
        clopt_text_printf(&text, CLOPT_STRONG "%s" CLOPT_WEAK ": ", results->devices[d].label);
        clopt_summary_device(&text, &results->devices[d]);
        clopt_counted_append_lack(&text, results, d);
        clopt_document_say(document, CLOPT_SENTENCE_ITEM, &text);
    }
    clopt_summary_run(&text, results);
    clopt_document_say(document, CLOPT_SENTENCE_PLAIN, &text);
    if (results->not_chosen)
        clopt_text_printf(&text, "Variants that the sample left out: %" PRId64,
                          results->not_chosen);
    if (results->not_chosen && results->not_feasible)
        clopt_text_printf(&text, ", %" PRId64 " of them as infeasible", results->not_feasible);
    clopt_document_say(document, CLOPT_SENTENCE_PLAIN, &text);
}

static void add_stage(struct clopt_grid *grid, const char *name, double seconds, double total)
{
    clopt_grid_add_row(grid, name);
    clopt_grid_printf(grid, seconds, "%.2f", seconds);
    clopt_grid_printf(grid, seconds / total, "%.1f%%", 100 * seconds / total);
}

static void add_stages(const struct reporting *reporting)
{
    struct clopt_document *document = reporting->document;
    const struct clopt_results *results = reporting->results;
    double total = clopt_summary_worker_seconds(results);
    struct clopt_grid grid = {0};
    struct clopt_text text = {0};
    if (total <= 0) {
        if (results->stage_count)
            clopt_document_printf(
                document, CLOPT_SENTENCE_PLAIN,
                "This run measured nothing: all that it asks for was in the store already.");
        return;
    }
    clopt_document_heading(document, CLOPT_HEADING_SECTION, "Where the time went");
    clopt_grid_add_column(&grid, CLOPT_COLUMN_NAME, CLOPT_COLUMN_KEY, "Stage");
    clopt_grid_add_column(&grid, CLOPT_COLUMN_COUNT, CLOPT_COLUMN_DATA, "Seconds");
    clopt_grid_add_column(&grid, CLOPT_COLUMN_COUNT, CLOPT_COLUMN_DATA, "Share");
    for (size_t i = 0; i < results->stage_count; i++)
        if (clopt_summary_is_worker_stage(&results->stages[i]))
            add_stage(&grid, results->stages[i].name, results->stages[i].seconds, total);
    add_stage(&grid, "all workers", total, total);
    clopt_document_table(document, &grid);
    clopt_summary_wall(&text, results);
    clopt_document_say(document, CLOPT_SENTENCE_PLAIN, &text);
    clopt_summary_own(&text, results);
    clopt_document_say(document, CLOPT_SENTENCE_PLAIN, &text);
    clopt_timeline_draw(results, document);
}

/* Says what a screen has no room for. */
static void add_more(const struct reporting *reporting)
{
    struct clopt_text text = {0};
    reporting->document->extent = CLOPT_BRIEF_ONLY;
    clopt_summary_run(&text, reporting->results);
    const char *first = strstr(clopt_text_string(&text), ". ");
    clopt_document_printf(reporting->document, CLOPT_SENTENCE_PLAIN, "%.*s",
                          (int)(first ? (size_t)(first - text.data) + 1 : text.length),
                          clopt_text_string(&text));
    clopt_text_clear(&text);
    clopt_text_append(&text, "All tables: clopt report ");
    clopt_text_append_word(&text, *reporting->request->paths);
    clopt_text_append(&text, " --all; as a page: --html");
    clopt_document_say(reporting->document, CLOPT_SENTENCE_PLAIN, &text);
}

static enum clopt_status add_all(struct reporting *reporting, struct clopt_error *error)
{
    struct clopt_document *document = reporting->document;
    const struct clopt_results *results = reporting->results;
    if (!results->has_run) {
        clopt_document_printf(document, CLOPT_SENTENCE_PLAIN,
                              "Nothing has been measured yet: no study has run.");
        return CLOPT_OK;
    }
    clopt_document_heading(document, CLOPT_HEADING_TITLE, "%s", results->title);
    add_lacks(reporting);
    if (!results->measured) {
        add_setting(reporting);
        clopt_document_printf(document, CLOPT_SENTENCE_PLAIN, "Nothing has been measured yet.");
        return CLOPT_OK;
    }
    CLOPT_TRY(clopt_views_init(&reporting->views, results, error));
    add_answer(reporting);
    document->extent = CLOPT_BRIEF_ONLY;
    add_ten(reporting);
    document->extent = CLOPT_NOT_BRIEF;
    enum clopt_status status = add_views(reporting, error);
    document->extent = CLOPT_NOT_TERSE;
    clopt_refused_say(results, document);
    document->extent = CLOPT_NOT_BRIEF;
    add_setting(reporting);
    document->extent = CLOPT_REMARK;
    add_stages(reporting);
    clopt_document_code(document, "The study", results->config);
    add_more(reporting);
    document->extent = CLOPT_EVERYWHERE;
    return status;
}

enum clopt_status clopt_report_best(const struct clopt_analysis_request *request,
                                    struct clopt_document *document, struct clopt_error *error)
{
    struct clopt_results *results;
    enum clopt_status status =
        clopt_results_gather(request->store, !document->for_programs, &results, error);
    if (!status && document->for_programs)
        clopt_results_add_data(results, document, error);
    struct reporting reporting = {.document = document, .results = results, .request = request};
    if (!status && !document->for_programs)
        status = add_all(&reporting, error);
    clopt_views_fini(&reporting.views);
    clopt_results_destroy(results);
    return status;
}
