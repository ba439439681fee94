/* SPDX-License-Identifier: BSD-3-Clause */
/* The report of a run: what pays where, each kernel, and where the time went. */
#include <math.h>

#include "analyses/analyses.h"
#include "results/counters.h"
#include "store/cursor.h"

#define BUSY           0.2 /* other programs, of the machine: then nothing else matters as much */
#define MOST_OPEN_ROWS 12  /* a longer table is folded */

/* A report that is being made. */
struct reporting {
    struct clopt_document *document;
    const struct clopt_results *results;
    const struct clopt_analysis_request *request;
    struct clopt_views views;
    bool explained; /* why intervals of times are wider than those of speed-ups */
};

/* ---- a kernel ---- */

/* Appends how a variant is launched, as its profile tells (doc/store.md): "about 512 work-items in
 * groups of 1 x 2"; nothing where it is not known. */
static enum clopt_status append_launch(struct clopt_text *text, const struct reporting *reporting,
                                       const struct clopt_result *result, struct clopt_error *error)
{
    const struct clopt_results_table *table = result->row->table;
    struct clopt_cursor rows = clopt_cursor_begin(
        reporting->request->store, CLOPT_SQL_GET_PROFILE, error, "iss",
        reporting->results->problems[table->problem].id, table->kernel, result->trial.fingerprint);
    clopt_cursor_next(&rows);
    const char *written = clopt_cursor_text(&rows, "profile");
    json_auto_t *profile = written ? json_loads(written, 0, NULL) : NULL;
    double values[4]; /* that is kept are logarithms of one more */
    static const char *const names[] = {"work_items", "group_x", "group_y", "dimensions"};
    for (size_t i = 0; i < 4; i++)
        values[i] = json_number_value(json_object_get(profile, names[i]));
    double x = round(exp2(values[1]) - 1), y = round(exp2(values[2]) - 1);
    if (x >= 1 && y >= 1 && values[3] < 3) {
        double items = round((exp2(values[0]) - 1) / (x * y)) * x * y;
        clopt_text_printf(text, "about %.0f work-items in groups of %.0f", items, x);
        if (values[3] > 1)
            clopt_text_printf(text, " x %.0f", y);
    }
    return clopt_cursor_end(&rows);
}

/* Says how the best and the initial code are launched. */
static enum clopt_status say_launch(const struct reporting *reporting,
                                    const struct clopt_result *best,
                                    const struct clopt_result *initial, struct clopt_error *error)
{
    CLOPT_OWNED(clopt_text) own = {0}, other = {0};
    CLOPT_TRY(append_launch(&own, reporting, best, error));
    CLOPT_TRY(append_launch(&other, reporting, initial, error));
    if (own.length && other.length) {
        bool same = strcmp(own.data, other.data) == 0;
        clopt_document_printf(
            reporting->document, CLOPT_SENTENCE_ITEM, "Launch on %s: %s%s%s",
            reporting->results->devices[best->device].label, own.data,
            same ? ", as the initial code" : "; initial code: ", same ? "" : other.data);
    }
    return CLOPT_OK;
}

/* Shows the initial code beside the best of a device, as far as the store has both. */
static enum clopt_status add_sources(const struct reporting *reporting,
                                     const struct clopt_view *view, size_t device,
                                     struct clopt_error *error)
{
    const struct clopt_view_row *best = clopt_summary_best(view, device);
    size_t initial = view->table->initial;
    CLOPT_OWNED(clopt_store_trial) own = {0}, other = {0};
    if (!best || best->initial || initial == CLOPT_NO_ROW || view->scope != CLOPT_SCOPE_KERNEL)
        return CLOPT_OK;
    const struct clopt_result *before = &view->table->rows[initial].cells[device],
                              *after = &best->row->cells[device];
    struct clopt_store *store = reporting->request->store;
    CLOPT_TRY(say_launch(reporting, after, before, error));
    CLOPT_TRY(clopt_store_find_trial(store, before->trial.key, &other, error));
    CLOPT_TRY(clopt_store_find_trial(store, after->trial.key, &own, error));
    if (!own.source || !other.source)
        return CLOPT_OK;
    CLOPT_FREED char *title = clopt_text_format("Source: initial code, and %s, the best on %s",
                                                best->label, view->results->devices[device].label);
    clopt_document_pair(reporting->document, title, other.source, own.source);
    return CLOPT_OK;
}

/* Says how the initial code accesses memory: a line for the arrays of which the same is true. */
static void add_patterns(const struct reporting *reporting, const struct clopt_view *view)
{
    struct clopt_text text = {0};
    if (view->scope != CLOPT_SCOPE_KERNEL)
        return;
    CLOPT_FREED char *label = clopt_patterns_label(view->table, "\n");
    for (char *rest, *line = strtok_r(label, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        clopt_document_printf(reporting->document, CLOPT_SENTENCE_ITEM, "Memory access: %s", line);
    for (size_t d = 0; d < view->results->device_count; d++) {
        clopt_access_advise(&text, view->results, view->table, d);
        clopt_document_say(reporting->document, CLOPT_SENTENCE_DETAIL, &text);
    }
    clopt_access_tabulate(view->results, view->table, reporting->document);
    clopt_layouts_tabulate(view->results, view->table, reporting->document);
}

/* Says which counters tell the variants that gain from those that lose. */
static void add_reasons(const struct reporting *reporting, const struct clopt_view *view)
{
    const struct clopt_results *results = view->results;
    for (size_t d = 0; d < results->device_count; d++) {
        CLOPT_OWNED(clopt_counted) counters = clopt_counted_find(view->table, d);
        struct clopt_text text = {0};
        clopt_counted_explain(&counters, results->devices[d].label, &text);
        clopt_document_say(reporting->document, CLOPT_SENTENCE_ITEM, &text);
    }
}

static void add_tables(struct reporting *reporting, const struct clopt_view *view,
                       struct clopt_notes *notes)
{
    struct clopt_document *document = reporting->document;
    bool gain = view->results->objective != CLOPT_OBJECTIVE_TIME;
    clopt_document_fold(document, view->row_count <= MOST_OPEN_ROWS,
                        "Times and speed-ups of %zu variants", view->row_count);
    if (!reporting->explained && reporting->results->run.samples)
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
    document->extent = CLOPT_NOT_SCREEN;
    clopt_document_fold_end(document);
}

/* Adds a part for each device. */
static void show_devices(struct clopt_document *document, const struct clopt_view *view,
                         enum clopt_extent extent, clopt_view_part *part)
{
    document->extent = extent;
    for (size_t d = 0; d < view->results->device_count; d++)
        part(view, d, document);
}

static enum clopt_status add_view(struct reporting *reporting, const struct clopt_view *view,
                                  struct clopt_notes *notes, struct clopt_error *error)
{
    struct clopt_document *document = reporting->document;
    clopt_document_heading(document, CLOPT_HEADING_KERNEL, "%s: %s", view->problem->title,
                           view->name);
    show_devices(document, view, CLOPT_REMARK, clopt_say_best);
    show_devices(document, view, CLOPT_PAGE_ONLY, clopt_leaders_tabulate);
    show_devices(document, view, CLOPT_REMARK, clopt_ladder_tabulate);
    for (size_t d = 0; d < view->results->device_count; d++)
        CLOPT_TRY(add_sources(reporting, view, d, error));
    clopt_search_draw(view, document);
    show_devices(document, view, CLOPT_REMARK, clopt_heat_tabulate);
    add_patterns(reporting, view);
    if (view->scope == CLOPT_SCOPE_KERNEL)
        add_reasons(reporting, view);
    clopt_say_noise(document, view);
    clopt_say_permuting(document, view);
    document->extent = CLOPT_NOT_SCREEN;
    add_tables(reporting, view, notes);
    clopt_portability_report(view, document, notes);
    return CLOPT_OK;
}

/* Adds all views, and after those of a problem the notes on them. */
static enum clopt_status add_views(struct reporting *reporting, struct clopt_error *error)
{
    enum clopt_status status = CLOPT_OK;
    struct clopt_notes notes = {0};
    for (size_t i = 0; i < reporting->views.count && !status; i++) {
        const struct clopt_view *view = &reporting->views.items[i];
        status = add_view(reporting, view, &notes, error);
        if (!view->last && !status)
            continue;
        CLOPT_FREED char *title = clopt_text_format("Notes on %s", view->problem->title);
        clopt_document_notes(reporting->document, &notes, title);
    }
    return status;
}

/* ---- around the kernels ---- */

/* Whether a kernel has a best variant that is not the initial code, which is worth exporting. */
static bool has_best(const struct reporting *reporting)
{
    for (size_t i = 0; i < reporting->views.count; i++)
        for (size_t d = 0; d < reporting->results->device_count; d++) {
            const struct clopt_view_row *best = clopt_summary_best(&reporting->views.items[i], d);
            if (best && !best->initial)
                return true;
        }
    return false;
}

/* Says what pays where. */
static void add_gains(const struct reporting *reporting)
{
    for (size_t d = 0; d < reporting->results->device_count; d++) {
        struct clopt_text gains = {0}, alone = {0};
        clopt_overview_say(reporting->results, &reporting->views, d, &gains, &alone);
        clopt_document_say(reporting->document, CLOPT_SENTENCE_ANSWER, &gains);
        clopt_document_say(reporting->document, CLOPT_SENTENCE_DETAIL, &alone);
    }
}

/* Says how to get it. */
static void add_export(const struct reporting *reporting)
{
    CLOPT_OWNED(clopt_text) command = {0};
    if (!has_best(reporting))
        return;
    clopt_document_printf(reporting->document, CLOPT_SENTENCE_PLAIN,
                          "The fastest of each kernel, as files:");
    for (size_t i = 0; i < reporting->request->path_count; i++) {
        clopt_text_append(&command, "clopt export ");
        clopt_text_append_word(&command, reporting->request->paths[i]);
        clopt_document_command(reporting->document, clopt_text_string(&command));
        clopt_text_clear(&command);
    }
}

/* Shows devices side by side, and how near to what they give kernels are. */
static void add_figures(const struct reporting *reporting)
{
    clopt_devices_draw(reporting->results, &reporting->views, reporting->document);
    clopt_rooflines_draw(reporting->results, reporting->document);
}

/* Says what pays where, and how to get it. A page has several devices side by side first. */
static void add_answer(const struct reporting *reporting)
{
    struct clopt_document *document = reporting->document;
    const struct clopt_results *results = reporting->results;
    const bool several = results->device_count > 1;
    document->extent = CLOPT_PAGE_ONLY;
    if (several) /* a page has room for times */
        clopt_overview_tabulate(results, &reporting->views, true, document);
    document->extent = CLOPT_EVERYWHERE;
    if (several)
        add_figures(reporting);
    add_gains(reporting);
    document->extent = CLOPT_NOT_TERSE | CLOPT_NOT_ANSWER; /* which has exported them */
    add_export(reporting);
    document->extent = several                    ? CLOPT_NOT_PAGE
                       : results->table_count > 1 ? CLOPT_EVERYWHERE
                                                  : CLOPT_NOT_SCREEN | CLOPT_NOT_PAGE;
    clopt_overview_tabulate(results, &reporting->views, false, document);
    document->extent = CLOPT_EVERYWHERE;
    if (!several)
        add_figures(reporting);
}

/* Adds the ten best of each problem where there is one kernel, for a screen. */
static void add_ten(const struct reporting *reporting)
{
    for (size_t i = 0; i < reporting->views.count; i++) {
        const struct clopt_view *view = &reporting->views.items[i];
        if (view->first && view->last)
            show_devices(reporting->document, view, CLOPT_BRIEF_ONLY, clopt_leaders_tabulate);
    }
}

/* Says what makes the answer surer, or better: one thing. */
static void add_next(const struct reporting *reporting)
{
    const struct clopt_results *results = reporting->results;
    double load = clopt_summary_load(results);
    bool cut = false;
    for (size_t i = 0; i < reporting->views.count; i++)
        for (size_t d = 0; d < results->device_count; d++) {
            const char *ending = reporting->views.items[i].noise[d].named.ending;
            cut |= ending && strstr(ending, "was over");
        }
    reporting->document->extent = CLOPT_ANSWER_ONLY;
    if (load > BUSY)
        clopt_document_printf(reporting->document, CLOPT_SENTENCE_DETAIL,
                              "Next: an idle machine; other programs used %.0f%% of this one.",
                              100 * load);
    else if (cut)
        clopt_document_printf(reporting->document, CLOPT_SENTENCE_DETAIL,
                              "Next: more time (--time=SECONDS): this search ended by its time.");
    else
        clopt_document_printf(reporting->document, CLOPT_SENTENCE_DETAIL,
                              "Next: other sizes that matter to you (-s size.NAME=VALUE).");
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
    reporting->document->extent = CLOPT_SCREEN_ONLY;
    clopt_text_append(&text, "All tables: clopt report");
    for (size_t i = 0; i < reporting->request->path_count; i++) {
        clopt_text_append(&text, " ");
        clopt_text_append_word(&text, reporting->request->paths[i]);
    }
    clopt_text_append(&text, " --all; as a page: --html");
    clopt_document_say(reporting->document, CLOPT_SENTENCE_PLAIN, &text);
}

static enum clopt_status add_all(struct reporting *reporting, struct clopt_error *error)
{
    struct clopt_document *document = reporting->document;
    const struct clopt_results *results = reporting->results;
    if (!results->run.there) {
        clopt_document_printf(document, CLOPT_SENTENCE_PLAIN,
                              "Nothing has been measured yet: no study has run.");
        return CLOPT_OK;
    }
    clopt_document_heading(document, CLOPT_HEADING_TITLE, "%s", results->run.title);
    clopt_say_lacks(document, results);
    if (!results->measured) {
        CLOPT_OWNED(clopt_text) shortage = {0};
        clopt_say_setting(document, results);
        if (clopt_summary_shortage(&shortage, results)) /* which was said */
            clopt_say_stages(document, results);
        else
            clopt_document_printf(document, CLOPT_SENTENCE_PLAIN, "Nothing has been measured yet.");
        return CLOPT_OK;
    }
    reporting->views = clopt_views_make(results);
    add_answer(reporting);
    add_ten(reporting);
    document->extent = CLOPT_NOT_SCREEN;
    CLOPT_TRY(add_views(reporting, error));
    clopt_refused_say(results, document);
    document->extent = CLOPT_NOT_SCREEN;
    clopt_say_setting(document, results);
    document->extent = CLOPT_REMARK;
    clopt_say_stages(document, results);
    clopt_document_code(document, "The study", results->run.config);
    add_next(reporting);
    add_more(reporting);
    document->extent = CLOPT_EVERYWHERE;
    return CLOPT_OK;
}

enum clopt_status clopt_report_best(const struct clopt_analysis_request *request,
                                    struct clopt_document *document, struct clopt_error *error)
{
    CLOPT_HELD(clopt_results) results = NULL;
    CLOPT_TRY(clopt_results_gather(request->store, !document->for_programs, &results, error));
    struct reporting reporting = {.document = document, .results = results, .request = request};
    enum clopt_status status = CLOPT_OK;
    if (document->for_programs)
        clopt_results_add_data(results, document);
    else
        status = add_all(&reporting, error);
    clopt_views_fini(&reporting.views);
    return status;
}
