/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a report as one page for a browser, which needs nothing but itself. */
#include <stdlib.h>
#include <string.h>

#include "figure/figure.h"
#include "figure/html.h"
#include "figure/timeline.h"
#include "report/writer.h"

/* What is open and has to be closed before what comes next. */
enum open { NOTHING, LIST };

static void close_list(struct clopt_writer *writer)
{
    if (writer->last == LIST)
        clopt_text_append(&writer->text, "</li></ul>\n");
    writer->last = NOTHING;
}

/* Appends a text with what is strong in it; names may be broken after their + and commas. */
static void append_rich(struct clopt_text *page, const char *text)
{
    for (; *text; text++) {
        if (*text == *CLOPT_STRONG)
            clopt_text_append(page, "<strong>");
        else if (*text == *CLOPT_WEAK)
            clopt_text_append(page, "</strong>");
        else
            clopt_html_append_char(page, *text);
        if ((*text == '+' || *text == ',') && text[1] && text[1] != ' ')
            clopt_text_append(page, "<wbr/>");
    }
}

static void begin_page(struct clopt_writer *writer, const char *title)
{
    clopt_text_append(
        &writer->text,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>");
    clopt_html_append(&writer->text, title);
    clopt_text_printf(&writer->text, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<main>\n",
                      clopt_html_style);
}

static void end_page(struct clopt_writer *writer)
{
    close_list(writer);
    clopt_text_append(&writer->text, "</main>\n</body>\n</html>\n");
}

static void write_heading(struct clopt_writer *writer, enum clopt_heading level, const char *text)
{
    close_list(writer);
    clopt_text_printf(&writer->text, "<h%d", (int)level + 1);
    if (level == CLOPT_HEADING_KERNEL)
        clopt_text_printf(&writer->text, " id=\"kernel-%zu\"", ++writer->views);
    clopt_text_append(&writer->text, ">");
    append_rich(&writer->text, text);
    clopt_text_printf(&writer->text, "</h%d>\n", (int)level + 1);
}

static void write_sentence(struct clopt_writer *writer, enum clopt_sentence kind, const char *text)
{
    struct clopt_text *page = &writer->text;
    bool detail = kind == CLOPT_SENTENCE_DETAIL;
    if (kind == CLOPT_SENTENCE_ITEM) {
        clopt_text_append(page, writer->last == LIST ? "</li>\n<li>" : "<ul>\n<li>");
        append_rich(page, text);
        writer->last = LIST;
        return;
    }
    if (!detail)
        close_list(writer);
    clopt_text_append(page, detail                           ? "\n<div class=\"soft\">"
                            : kind == CLOPT_SENTENCE_WARNING ? "<p class=\"warning\">"
                                                             : "<p>");
    append_rich(page, text);
    clopt_text_append(page, detail ? "</div>" : "</p>\n");
}

/* ---- tables ---- */

/* Appends the marks of notes, "[1][3]", as links. */
static void append_marks(struct clopt_writer *writer, const char *marks)
{
    for (const char *at = marks; (at = strchr(at, '['));) {
        unsigned long number = strtoul(++at, NULL, 10);
        clopt_text_printf(&writer->text, " <a href=\"#note-%zu-%lu\">[%lu]</a>", writer->problems,
                          number, number);
    }
}

/* Appends a number and the comment beside it: two cells of the page. */
static void append_value(struct clopt_writer *writer, const struct clopt_cell *cell)
{
    struct clopt_text *page = &writer->text;
    const char *before = cell->best ? "<strong>" : "";
    const char *after = cell->best ? "</strong>" : "";
    const char *equal = cell->equal ? " equal" : "";
    clopt_text_printf(page, "<td class=\"number%s\">%s%s", equal, before,
                      cell->equal ? "\xe2\x89\x88 " : "");
    append_rich(page, cell->text ? cell->text : "");
    clopt_text_printf(page, "%s</td><td%s>%s", after, cell->equal ? " class=\"equal\"" : "",
                      before);
    append_rich(page, cell->comment ? cell->comment : "");
    clopt_text_append(page, after);
    append_marks(writer, cell->marks);
    clopt_text_append(page, "</td>");
}

static void append_cell(struct clopt_writer *writer, const struct clopt_cell *cell,
                        enum clopt_column_kind kind, bool first)
{
    struct clopt_text *page = &writer->text;
    const char *text = cell->text ? cell->text : "";
    if (kind == CLOPT_COLUMN_VALUE) {
        append_value(writer, cell);
        return;
    }
    clopt_text_append(page, first                       ? "<th scope=\"row\">"
                            : kind == CLOPT_COLUMN_NAME ? "<td class=\"name\">"
                                                        : "<td class=\"number\">");
    if (cell->link)
        clopt_text_printf(page, "<a href=\"#kernel-%zu\">", cell->link);
    append_rich(page, text);
    clopt_text_printf(page, "%s%s", cell->link ? "</a>" : "", first ? "</th>" : "</td>");
}

static enum clopt_status write_table(struct clopt_writer *writer, struct clopt_grid *grid,
                                     struct clopt_error *error)
{
    struct clopt_text *page = &writer->text;
    enum clopt_status status = clopt_grid_align(grid, error);
    if (status)
        return status;
    close_list(writer);
    clopt_text_append(page, "<div class=\"wide\" tabindex=\"0\"><table>\n");
    if (grid->heading) {
        clopt_text_append(page, "<caption>");
        append_rich(page, grid->heading);
        clopt_text_append(page, "</caption>\n");
    }
    clopt_text_append(page, "<thead><tr>");
    for (size_t c = 0; c < grid->column_count; c++) {
        clopt_text_printf(page, "<th scope=\"col\"%s>",
                          grid->columns[c].kind == CLOPT_COLUMN_VALUE ? " colspan=\"2\"" : "");
        append_rich(page, grid->columns[c].label);
        clopt_text_append(page, "</th>");
    }
    clopt_text_append(page, "</tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < grid->row_count; i++) {
        clopt_text_append(page, "<tr>");
        for (size_t c = 0; c < grid->column_count; c++)
            append_cell(writer, clopt_grid_cell(grid, i, c), grid->columns[c].kind, c == 0);
        clopt_text_append(page, "</tr>\n");
    }
    clopt_text_append(page, "</tbody>\n</table></div>\n");
    if (grid->left_out)
        clopt_text_printf(page, "<p class=\"soft\">Variants left out (--top): %zu</p>\n",
                          grid->left_out);
    return CLOPT_OK;
}

static void write_notes(struct clopt_writer *writer, const struct clopt_footnotes *notes,
                        const char *title)
{
    struct clopt_text *page = &writer->text;
    close_list(writer);
    clopt_text_append(page, "<h3>");
    append_rich(page, title);
    clopt_text_append(page, "</h3>\n<ol>\n");
    for (size_t i = 0; i < notes->count; i++) {
        clopt_text_printf(page, "<li id=\"note-%zu-%zu\">", writer->problems, i + 1);
        append_rich(page, notes->texts[i]);
        clopt_text_append(page, "</li>\n");
    }
    clopt_text_append(page, "</ol>\n");
}

static void write_fold(struct clopt_writer *writer, const char *title, bool open)
{
    close_list(writer);
    if (!title) {
        clopt_text_append(&writer->text, "</details>\n");
        return;
    }
    clopt_text_printf(&writer->text, "<details%s><summary>", open ? " open=\"open\"" : "");
    append_rich(&writer->text, title);
    clopt_text_append(&writer->text, "</summary>\n");
}

static void write_listing(struct clopt_writer *writer, const char *text)
{
    struct clopt_text line = {0};
    clopt_text_append(&writer->text, "<pre>");
    for (size_t length; *text; text += length + (text[length] == '\n')) {
        length = strcspn(text, "\n");
        clopt_text_append_bytes(&line, text, length);
        clopt_html_append(&writer->text, clopt_text_string(&line));
        clopt_text_append(&writer->text, "\n");
        writer->text.failed |= line.failed;
        clopt_text_clear(&line);
    }
    clopt_text_append(&writer->text, "</pre>\n");
    clopt_text_fini(&line);
}

/* ---- figures ---- */

static void append_svg(struct clopt_writer *writer, const struct clopt_text *svg, const char *name,
                       const char *title)
{
    clopt_text_append(&writer->text, "<figure><div class=\"wide\" tabindex=\"0\">\n");
    clopt_figure_append_svg(&writer->text, clopt_text_string(svg), name, title);
    clopt_text_append(&writer->text, "</div></figure>\n");
}

static enum clopt_status append_figure(struct clopt_writer *writer, const struct clopt_view *view,
                                       enum clopt_figure_kind kind, struct clopt_error *error)
{
    struct clopt_figure figure;
    struct clopt_text svg = {0};
    struct clopt_text title = {0};
    char name[48];
    enum clopt_status status = clopt_figure_init(&figure, view, kind, writer->top, error);
    if (status || figure.row_count == 0) {
        clopt_figure_fini(&figure);
        return status;
    }
    status = clopt_figure_draw(&figure, writer->gnuplot, CLOPT_FIGURE_SVG, NULL, &svg, error);
    snprintf(name, sizeof name, "figure-%zu-%d", writer->views, (int)kind);
    clopt_text_append(&title, kind == CLOPT_FIGURE_SAMPLES ? "Samples of " : "Speed-ups of ");
    clopt_view_title(&title, view);
    if (!status)
        append_svg(writer, &svg, name, clopt_text_string(&title));
    writer->text.failed |= title.failed || svg.failed;
    clopt_text_fini(&title);
    clopt_text_fini(&svg);
    clopt_figure_fini(&figure);
    return status;
}

static enum clopt_status write_figures(struct clopt_writer *writer, const struct clopt_view *view,
                                       struct clopt_error *error)
{
    close_list(writer);
    if (!writer->gnuplot)
        return CLOPT_OK;
    enum clopt_status status = append_figure(writer, view, CLOPT_FIGURE_SPEEDUPS, error);
    return status ? status : append_figure(writer, view, CLOPT_FIGURE_SAMPLES, error);
}

static enum clopt_status write_timeline(struct clopt_writer *writer,
                                        const struct clopt_results *results,
                                        struct clopt_error *error)
{
    struct clopt_text svg = {0};
    close_list(writer);
    if (!writer->gnuplot || !results->activity_count)
        return CLOPT_OK;
    enum clopt_status status =
        clopt_timeline_draw(results, writer->gnuplot, CLOPT_FIGURE_SVG, NULL, &svg, error);
    if (!status)
        append_svg(writer, &svg, "timeline", "What each worker did when");
    writer->text.failed |= svg.failed;
    clopt_text_fini(&svg);
    return status;
}

const struct clopt_writer_operations clopt_html_writer = {
    .begin = begin_page,
    .end = end_page,
    .heading = write_heading,
    .sentence = write_sentence,
    .table = write_table,
    .notes = write_notes,
    .figures = write_figures,
    .timeline = write_timeline,
    .fold = write_fold,
    .listing = write_listing,
};
