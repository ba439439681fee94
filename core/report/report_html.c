/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints a report as one page for a browser, which needs nothing but itself. */
#include "report/report.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/figure.h"
#include "report/html.h"
#include "report/portability.h"
#include "report/summary.h"

struct page {
    const struct clopt_results *results;
    const char *gnuplot; /* NULL: no figures */
    struct clopt_text text;
    size_t problems; /* written so far */
    size_t views;
};

/* ---- a kernel ---- */

static enum clopt_status append_figure(struct page *page, const struct clopt_view *view,
                                       struct clopt_error *error)
{
    struct clopt_figure figure;
    struct clopt_text svg = {0};
    struct clopt_text title = {0};
    char name[32];
    if (!page->gnuplot)
        return CLOPT_OK;
    enum clopt_status status = clopt_figure_init(&figure, view, error);
    if (status || figure.row_count == 0) {
        clopt_figure_fini(&figure);
        return status;
    }
    status = clopt_figure_draw(&figure, page->gnuplot, CLOPT_FIGURE_SVG, NULL, &svg, error);
    snprintf(name, sizeof name, "figure-%zu", page->views);
    clopt_text_append(&title, "Speed-ups of ");
    clopt_view_title(&title, view);
    if (!status) {
        clopt_text_append(&page->text, "<figure><div class=\"wide\">\n");
        clopt_figure_append_svg(&page->text, clopt_text_string(&svg), name,
                                clopt_text_string(&title));
        clopt_text_append(&page->text, "</div></figure>\n");
    }
    clopt_text_fini(&title);
    clopt_text_fini(&svg);
    clopt_figure_fini(&figure);
    return status;
}

static enum clopt_status append_tables(struct page *page, const struct clopt_view *view,
                                       struct clopt_footnotes *notes, const char *notes_name,
                                       struct clopt_error *error)
{
    struct clopt_grid times, speedups = {0};
    enum clopt_status status = clopt_grid_fill_times(&times, view, notes, error);
    if (!status)
        status = clopt_html_table(&page->text, &times, notes_name, error);
    if (!status)
        status = clopt_grid_fill_speedups(&speedups, view, notes, error);
    if (!status)
        status = clopt_html_table(&page->text, &speedups, notes_name, error);
    clopt_grid_fini(&times);
    clopt_grid_fini(&speedups);
    return status;
}

/* Appends a sentence, if there is one, and forgets it. */
static void append_sentence(struct page *page, const char *element, const char *what,
                            struct clopt_text *sentence)
{
    if (sentence->length)
        clopt_html_element(&page->text, element, what, clopt_text_string(sentence));
    page->text.failed |= sentence->failed;
    clopt_text_fini(sentence);
}

static void append_best(struct page *page, const struct clopt_view *view, size_t device)
{
    const struct clopt_view_row *best = clopt_summary_best(view, device);
    struct clopt_text text = {0};
    clopt_text_printf(&text, "Best on %s: ", view->results->devices[device].label);
    clopt_text_append(&page->text, "<li>");
    clopt_html_append(&page->text, clopt_text_string(&text));
    clopt_text_clear(&text);
    if (!best) {
        clopt_text_append(&page->text, "nothing was measured</li>\n");
        clopt_text_fini(&text);
        return;
    }
    clopt_text_append(&page->text, "<strong>");
    clopt_html_append_name(&page->text, best->label);
    clopt_text_append(&page->text, "</strong>");
    clopt_summary_gain(&text, view, best, device);
    clopt_html_append(&page->text, clopt_text_string(&text));
    clopt_text_clear(&text);
    clopt_summary_rates(&text, view, best, device);
    append_sentence(page, "div", "soft", &text);
    clopt_summary_tied(&text, view, device);
    if (text.length)
        clopt_text_append(&page->text, "<div>Cannot be told apart from it: ");
    clopt_html_append(&page->text, clopt_text_string(&text));
    clopt_text_append(&page->text, text.length ? "</div></li>\n" : "</li>\n");
    clopt_text_fini(&text);
}

/* Says what stands below the tables in every form of the report. */
static void append_summary(struct page *page, const struct clopt_view *view)
{
    struct clopt_text text = {0};
    char *patterns = view->scope == CLOPT_SCOPE_KERNEL ? clopt_patterns_label(view->table) : NULL;
    clopt_text_append(&page->text, "<ul>\n");
    for (size_t d = 0; d < view->results->device_count; d++)
        append_best(page, view, d);
    clopt_text_append(&page->text, "</ul>\n");
    if (patterns && *patterns)
        clopt_text_printf(&text, "Memory access: %s", patterns);
    append_sentence(page, "p", NULL, &text);
    clopt_summary_noise(&text, view);
    append_sentence(page, "p", NULL, &text);
    for (size_t d = 0; d < view->results->device_count; d++) {
        clopt_summary_drift(&text, view, d);
        append_sentence(page, "p", "warning", &text);
        clopt_summary_suspicion(&text, view, d);
        append_sentence(page, "p", "warning", &text);
    }
    free(patterns);
}

/* Says how portable the variants are, where there are devices to compare. */
static enum clopt_status append_portability(struct page *page, const struct clopt_view *view,
                                            struct clopt_footnotes *notes, const char *notes_name,
                                            struct clopt_error *error)
{
    struct clopt_portability portability;
    struct clopt_grid matrix = {0};
    enum clopt_status status = clopt_portability_init(&portability, view, error);
    if (!status)
        status = clopt_portability_fill(&portability, &matrix, notes, error);
    if (!status)
        status = clopt_html_table(&page->text, &matrix, notes_name, error);
    if (!status && matrix.shown) {
        struct clopt_text text = {0};
        clopt_portability_say(&text, &portability);
        append_sentence(page, "p", NULL, &text);
    }
    clopt_grid_fini(&matrix);
    clopt_portability_fini(&portability);
    return status;
}

static enum clopt_status append_view(struct page *page, const struct clopt_view *view,
                                     struct clopt_footnotes *notes, const char *notes_name,
                                     struct clopt_error *error)
{
    clopt_text_printf(&page->text, "<section id=\"kernel-%zu\">\n", ++page->views);
    clopt_html_element(&page->text, "h3", NULL, view->name);
    enum clopt_status status = append_figure(page, view, error);
    if (!status)
        append_summary(page, view);
    if (!status)
        status = append_tables(page, view, notes, notes_name, error);
    if (!status)
        status = append_portability(page, view, notes, notes_name, error);
    clopt_text_append(&page->text, "</section>\n");
    return status;
}

static enum clopt_status append_problem(void *user, const struct clopt_views *views,
                                        struct clopt_error *error)
{
    struct page *page = user;
    enum clopt_status status = CLOPT_OK;
    struct clopt_footnotes notes = {0};
    struct clopt_text title = {0};
    char name[32];
    snprintf(name, sizeof name, "note-%zu", ++page->problems);
    clopt_problem_title(&title, views->problem);
    clopt_text_printf(&page->text, "<section id=\"problem-%zu\">\n", page->problems);
    append_sentence(page, "h2", NULL, &title);
    for (size_t i = 0; i < views->count && !status; i++)
        status = append_view(page, &views->items[i], &notes, name, error);
    clopt_html_notes(&page->text, &notes, name);
    page->text.failed |= notes.failed;
    clopt_text_append(&page->text, "</section>\n");
    clopt_footnotes_fini(&notes);
    return status;
}

/* ---- around the kernels ---- */

static void append_stages(struct page *page)
{
    const struct clopt_results *results = page->results;
    struct clopt_text *text = &page->text;
    double total = clopt_summary_worker_seconds(results);
    if (total <= 0 && results->stage_count)
        clopt_html_element(
            text, "p", NULL,
            "This run measured nothing: all that it asks for was in the store already.");
    if (total <= 0)
        return;
    clopt_text_append(text, "<section>\n<h2>Where the time went</h2>\n<div class=\"wide\"><table>\n"
                            "<tbody>\n");
    for (size_t i = 0; i < results->stage_count; i++) {
        const struct clopt_results_stage *stage = &results->stages[i];
        if (!clopt_summary_is_worker_stage(stage))
            continue;
        clopt_text_append(text, "<tr><th scope=\"row\">");
        clopt_html_append(text, stage->name);
        clopt_text_printf(text,
                          "</th><td class=\"number\">%.2f s</td><td class=\"number\">%.1f%%</td>"
                          "</tr>\n",
                          stage->seconds, 100 * stage->seconds / total);
    }
    clopt_text_printf(text,
                      "</tbody>\n<tfoot><tr><th scope=\"row\">all workers</th><td class=\"number\">"
                      "%.2f s</td><td></td></tr></tfoot>\n</table></div>\n",
                      total);
    struct clopt_text sentence = {0};
    clopt_summary_wall(&sentence, results);
    append_sentence(page, "p", NULL, &sentence);
    clopt_summary_own(&sentence, results);
    append_sentence(page, "p", NULL, &sentence);
    clopt_text_append(text, "</section>\n");
}

/* Says what was run, where, and what became of it. */
static void append_head(struct page *page)
{
    const struct clopt_results *results = page->results;
    struct clopt_text text = {0};
    clopt_html_element(&page->text, "h1", NULL, results->title);
    const char *warning = clopt_summary_warning(results);
    if (warning)
        clopt_html_element(&page->text, "p", "warning", warning);
    clopt_text_append(&page->text, "<ul>\n");
    for (size_t d = 0; d < results->device_count; d++) {
        clopt_text_append(&page->text, "<li><strong>");
        clopt_html_append(&page->text, results->devices[d].label);
        clopt_text_append(&page->text, "</strong>: ");
        clopt_summary_device(&text, &results->devices[d]);
        clopt_html_append(&page->text, clopt_text_string(&text));
        clopt_text_append(&page->text, "</li>\n");
        clopt_text_fini(&text);
    }
    clopt_text_append(&page->text, "</ul>\n");
    if (results->not_chosen)
        clopt_text_printf(&page->text,
                          results->not_feasible ? "<p>Variants that the sample left out: %" PRId64
                                                  ", %" PRId64 " of them as infeasible</p>\n"
                                                : "<p>Variants that the sample left out: %" PRId64
                                                  "</p>\n",
                          results->not_chosen, results->not_feasible);
    if (!page->gnuplot)
        clopt_html_element(&page->text, "p", "warning",
                           "There are no figures, because the program that draws them, gnuplot, "
                           "was not there when this page was made.");
}

static void append_link(struct clopt_text *page, const char *to, size_t number, const char *string)
{
    clopt_text_printf(page, "<a href=\"#%s-%zu\">", to, number);
    clopt_html_append(page, string);
    clopt_text_append(page, "</a>");
}

/* A list of links, and how many lead to problems and to kernels. */
struct contents {
    struct clopt_text *text;
    size_t problems;
    size_t views;
};

static enum clopt_status append_entry(void *user, const struct clopt_views *views,
                                      struct clopt_error *error)
{
    struct contents *contents = user;
    struct clopt_text title = {0};
    (void)error;
    clopt_problem_title(&title, views->problem);
    clopt_text_append(contents->text, "<li>");
    append_link(contents->text, "problem", ++contents->problems, clopt_text_string(&title));
    for (size_t i = 0; i < views->count; i++) {
        clopt_text_append(contents->text, i ? ", " : ": ");
        append_link(contents->text, "kernel", ++contents->views, views->items[i].name);
    }
    clopt_text_append(contents->text, "</li>\n");
    clopt_text_fini(&title);
    return CLOPT_OK;
}

/* Appends what leads to the problems and their kernels. */
static enum clopt_status append_contents(struct page *page, struct clopt_error *error)
{
    struct contents contents = {.text = &page->text};
    clopt_text_append(&page->text, "<nav aria-label=\"Contents\"><ul>\n");
    enum clopt_status status = clopt_views_visit(page->results, append_entry, &contents, error);
    clopt_text_append(&page->text, "</ul></nav>\n");
    return status;
}

static enum clopt_status append_body(struct page *page, struct clopt_error *error)
{
    const struct clopt_results *results = page->results;
    enum clopt_status status = CLOPT_OK;
    if (!results->has_run) {
        clopt_html_element(&page->text, "p", NULL,
                           "Nothing has been measured yet: no study has run.");
        return CLOPT_OK;
    }
    append_head(page);
    if (!results->measured) {
        clopt_html_element(&page->text, "p", NULL, "Nothing has been measured yet.");
        return CLOPT_OK;
    }
    status = append_contents(page, error);
    if (!status)
        status = clopt_views_visit(results, append_problem, page, error);
    if (!status)
        append_stages(page);
    return status;
}

static enum clopt_status append_page(struct page *page, struct clopt_error *error)
{
    clopt_text_append(
        &page->text, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
                     "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n");
    clopt_html_element(&page->text, "title", NULL,
                       page->results->has_run ? page->results->title : "clopt");
    clopt_text_printf(&page->text, "<style>\n%s</style>\n</head>\n<body>\n<main>\n",
                      clopt_html_style);
    enum clopt_status status = append_body(page, error);
    clopt_text_append(&page->text, "</main>\n</body>\n</html>\n");
    return !status && page->text.failed ? clopt_fail_memory(error) : status;
}

enum clopt_status clopt_report_html(struct clopt_store *store, const char *gnuplot, FILE *stream,
                                    struct clopt_error *error)
{
    struct clopt_results *results = NULL;
    enum clopt_status status = clopt_results_gather(store, &results, error);
    struct page page = {.results = results, .gnuplot = gnuplot};
    if (!status)
        status = append_page(&page, error);
    if (!status && fwrite(page.text.data, 1, page.text.length, stream) != page.text.length)
        status = clopt_fail(error, CLOPT_FAILED, "cannot write the report: %s", strerror(errno));
    clopt_text_fini(&page.text);
    clopt_results_destroy(results);
    return status;
}
