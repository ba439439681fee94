/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a report as one page for a browser, which needs nothing but itself. */
#include <math.h>

#include "document/format.h"
#include "process/program.h"
#include "text/changed_lines.h"

static const char style[] =
#include "core/document/page_css.h"
    ;
static const char script[] =
#include "core/document/page_js.h"
    ;

#define DARKEST         40 /* percent of color, on which letters are still read */
#define MOST_OPEN_LINES 60 /* of a source: a longer one is folded */
#define MOST_OPEN_ROWS  200

/* A page that is being written. */
struct page {
    struct clopt_text text;
    const struct clopt_writing *writing;
    bool in_list;    /* which has to be closed before what comes next */
    size_t problems; /* that had notes so far, and one */
    size_t views;    /* headings of kernels */
    size_t charts;
    double low, high; /* numbers of a heat map; NaN: the table is none */
    double most;      /* that of the longest bar */
};

static void close_list(struct page *page)
{
    if (page->in_list)
        clopt_text_append(&page->text, "</li></ul>\n");
    page->in_list = false;
}

/* Appends a text with what is strong in it; names may be broken after their + and commas. */
static void append_rich(struct page *page, const char *text)
{
    for (; *text; text++) {
        if (*text == *CLOPT_STRONG)
            clopt_text_append(&page->text, "<strong>");
        else if (*text == *CLOPT_WEAK)
            clopt_text_append(&page->text, "</strong>");
        else
            clopt_html_append_char(&page->text, *text);
        if ((*text == '+' || *text == ',') && text[1] && text[1] != ' ')
            clopt_text_append(&page->text, "<wbr/>");
    }
}

static void begin_page(struct page *page, const char *title)
{
    clopt_text_append(
        &page->text, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
                     "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n");
    if (page->writing->refresh_s)
        clopt_text_printf(&page->text, "<meta http-equiv=\"refresh\" content=\"%u\"/>\n",
                          page->writing->refresh_s);
    clopt_text_append(&page->text, "<title>");
    clopt_html_append(&page->text, title);
    clopt_text_printf(&page->text, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<main>\n",
                      style);
}

static void end_page(struct page *page)
{
    close_list(page);
    clopt_text_append(&page->text, "</main>\n<script>\n");
    clopt_text_append(&page->text, script);
    clopt_text_append(&page->text, "</script>\n</body>\n</html>\n");
}

static void write_heading(struct page *page, enum clopt_heading level, const char *text)
{
    close_list(page);
    clopt_text_printf(&page->text, "<h%d", (int)level + 1);
    if (level == CLOPT_HEADING_KERNEL)
        clopt_text_printf(&page->text, " id=\"kernel-%zu\"", ++page->views);
    clopt_text_append(&page->text, ">");
    append_rich(page, text);
    clopt_text_printf(&page->text, "</h%d>\n", (int)level + 1);
}

static void write_sentence(struct page *page, enum clopt_sentence kind, const char *text)
{
    bool detail = kind == CLOPT_SENTENCE_DETAIL;
    if (kind == CLOPT_SENTENCE_ITEM) {
        clopt_text_append(&page->text, page->in_list ? "</li>\n<li>" : "<ul>\n<li>");
        append_rich(page, text);
        page->in_list = true;
        return;
    }
    if (!detail)
        close_list(page);
    clopt_text_append(&page->text, detail                           ? "\n<div class=\"soft\">"
                                   : kind == CLOPT_SENTENCE_WARNING ? "<p class=\"warning\">"
                                   : kind == CLOPT_SENTENCE_ANSWER  ? "<p class=\"answer\">"
                                                                    : "<p>");
    append_rich(page, text);
    clopt_text_append(&page->text, detail ? "</div>" : "</p>\n");
}

/* ---- tables ---- */

/* Appends the marks of notes, "[1][3]", as links. */
static void append_marks(struct page *page, const char *marks)
{
    for (const char *at = marks; (at = strchr(at, '['));) {
        unsigned long number = strtoul(++at, NULL, 10);
        clopt_text_printf(&page->text, " <a href=\"#note-%zu-%lu\">[%lu]</a>", page->problems,
                          number, number);
    }
}

/* Finds the numbers between which those of a heat map are; nothing where it is none. */
static void find_heat(struct page *page, const struct clopt_grid *grid)
{
    page->low = page->high = NAN;
    for (size_t i = 0; grid->heat && i < grid->row_count * grid->column_count; i++) {
        page->low = fmin(page->low, grid->cells[i].number);
        page->high = fmax(page->high, grid->cells[i].number);
    }
}

/* Ends the tag of a cell, in a heat map with how dark its number makes it. */
static void append_heat(struct page *page, const struct clopt_cell *cell)
{
    if (page->high > page->low && !isnan(cell->number))
        clopt_text_printf(&page->text, " style=\"--heat:%.0f%%\"",
                          DARKEST * (cell->number - page->low) / (page->high - page->low));
    clopt_text_append_char(&page->text, '>');
}

/* Finds the column whose numbers are bars, and the largest of them, which the end of an interval
 * may be; returns how many there are of its cells in the page. */
static size_t find_bars(struct page *page, const struct clopt_grid *grid)
{
    size_t column = 0;
    page->most = 1;
    while (column < grid->column_count && grid->columns[column].kind != CLOPT_COLUMN_VALUE)
        column++;
    for (size_t i = 0; i < grid->row_count && grid->bars && column < grid->column_count; i++) {
        const struct clopt_cell *cell = clopt_grid_cell(grid, i, column);
        page->most = fmax(page->most, fmax(cell->number, fmin(cell->high, 1.5 * cell->number)));
    }
    return grid->bars ? column : grid->column_count;
}

/* Appends a cell with a bar for a number, its interval, and a line at 1. */
static void append_bar(struct page *page, const struct clopt_cell *cell)
{
    double unit = 96 / page->most; /* percent of the width */
    clopt_text_append(&page->text, "<td class=\"bar\">");
    if (!isnan(cell->number))
        clopt_text_printf(&page->text,
                          "<svg aria-hidden=\"true\"><rect class=\"%s\" y=\"15%%\" "
                          "height=\"70%%\" width=\"%.2f%%\"/>",
                          cell->equal  ? "equal"
                          : cell->best ? "best"
                                       : "",
                          unit * cell->number);
    if (!isnan(cell->low) && !isnan(cell->high))
        clopt_text_printf(&page->text,
                          "<line x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"50%%\" y2=\"50%%\"/>",
                          unit * cell->low, fmin(unit * cell->high, 100));
    if (!isnan(cell->number))
        clopt_text_printf(&page->text,
                          "<line class=\"one\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"0\" "
                          "y2=\"100%%\"/></svg>",
                          unit, unit);
    clopt_text_append(&page->text, "</td>");
}

/* Appends a number and the comment beside it: two cells of the page. */
static void append_value(struct page *page, const struct clopt_cell *cell, size_t blanks)
{
    const char *before = cell->best ? "<strong>" : "";
    const char *after = cell->best ? "</strong>" : "";
    const char *equal = cell->equal ? " equal" : "";
    clopt_text_printf(&page->text, "<td class=\"n%s\"", equal);
    append_heat(page, cell);
    clopt_text_printf(&page->text, "%s%s", before, cell->equal ? "\xe2\x89\x88 " : "");
    append_rich(page, cell->text ? cell->text : "");
    clopt_text_printf(&page->text, "%*s%s</td><td%s>%s", (int)blanks, "", after,
                      cell->equal ? " class=\"equal\"" : "", before);
    append_rich(page, cell->comment ? cell->comment : "");
    clopt_text_append(&page->text, after);
    append_marks(page, cell->marks);
    clopt_text_append(&page->text, "</td>");
}

static void append_cell(struct page *page, const struct clopt_grid *grid, size_t row, size_t column,
                        bool bar)
{
    const struct clopt_cell *cell = clopt_grid_cell(grid, row, column);
    enum clopt_column_kind kind = grid->columns[column].kind;
    bool first = column == 0;
    const char *text = cell->text ? cell->text : "";
    if (kind == CLOPT_COLUMN_VALUE) {
        append_value(page, cell, clopt_grid_blanks(grid, cell, column));
        if (bar)
            append_bar(page, cell);
        return;
    }
    clopt_text_append(&page->text, first                       ? "<th scope=\"row\""
                                   : kind == CLOPT_COLUMN_NAME ? "<td class=\"name\""
                                                               : "<td class=\"n\"");
    if (cell->whole) {
        clopt_text_append(&page->text, " title=\"");
        clopt_html_append(&page->text, cell->whole);
        clopt_text_append_char(&page->text, '"');
    }
    append_heat(page, cell);
    if (cell->link)
        clopt_text_printf(&page->text, "<a href=\"#kernel-%zu\">", cell->link);
    append_rich(page, text);
    clopt_text_printf(&page->text, "%s%s", cell->link ? "</a>" : "", first ? "</th>" : "</td>");
}

/* Writes the rows `first` to `end` (excluded) as a table with all that is above them. */
static void write_rows(struct page *page, const struct clopt_grid *grid, size_t bars, size_t first,
                       size_t end)
{
    clopt_text_printf(&page->text, "<div class=\"wide\" tabindex=\"0\"><table%s>\n",
                      grid->bars ? " class=\"bars\"" : "");
    if (grid->heading) {
        clopt_text_append(&page->text, "<caption>");
        append_rich(page, grid->heading);
        clopt_text_append(&page->text, "</caption>\n");
    }
    clopt_text_append(&page->text, "<thead><tr>");
    for (size_t c = 0; c < grid->column_count; c++) {
        clopt_text_printf(&page->text, "<th scope=\"col\"%s>",
                          c == bars                                     ? " colspan=\"3\""
                          : grid->columns[c].kind == CLOPT_COLUMN_VALUE ? " colspan=\"2\""
                          : grid->columns[c].kind == CLOPT_COLUMN_COUNT ? " class=\"n\""
                                                                        : "");
        append_rich(page, grid->columns[c].label);
        clopt_text_append(&page->text, "</th>");
    }
    clopt_text_append(&page->text, "</tr></thead>\n<tbody>\n");
    for (size_t i = first; i < end; i++) {
        clopt_text_append(&page->text, "<tr>");
        for (size_t c = 0; c < grid->column_count; c++)
            append_cell(page, grid, i, c, c == bars);
        clopt_text_append(&page->text, "</tr>\n");
    }
    clopt_text_append(&page->text, "</tbody>\n</table></div>\n");
}

/* Writes a table. Of a long one the script makes most rows when they are asked for: for it they are
 * one text until then, which a browser reads at once. */
static void write_table(struct page *page, const struct clopt_grid *grid)
{
    size_t bars = find_bars(page, grid);
    size_t shown = grid->row_count > MOST_OPEN_ROWS ? MOST_OPEN_ROWS : grid->row_count;
    close_list(page);
    find_heat(page, grid);
    write_rows(page, grid, bars, 0, shown);
    if (shown < grid->row_count) {
        clopt_text_append(&page->text, "<noscript>");
        write_rows(page, grid, bars, shown, grid->row_count);
        clopt_text_append(&page->text, "</noscript>\n");
    }
    if (grid->left_out)
        clopt_text_printf(&page->text, "<p class=\"soft\">Variants left out (--top): %zu</p>\n",
                          grid->left_out);
}

static void write_notes(struct page *page, const struct clopt_notes *notes, const char *title)
{
    close_list(page);
    clopt_text_append(&page->text, "<h3>");
    append_rich(page, title);
    clopt_text_append(&page->text, "</h3>\n<ol>\n");
    for (size_t i = 0; i < notes->count; i++) {
        clopt_text_printf(&page->text, "<li id=\"note-%zu-%zu\">", page->problems, i + 1);
        append_rich(page, notes->texts[i]);
        clopt_text_append(&page->text, "</li>\n");
    }
    clopt_text_append(&page->text, "</ol>\n");
}

static void write_fold(struct page *page, const char *title, bool open)
{
    close_list(page);
    if (!title) {
        clopt_text_append(&page->text, "</details>\n");
        return;
    }
    clopt_text_printf(&page->text, "<details%s><summary>", open ? " open=\"open\"" : "");
    append_rich(page, title);
    clopt_text_append(&page->text, "</summary>\n");
}

/* Writes lines as they are; those that are not in `other`, unless that is NULL, are marked. */
static void write_listing(struct page *page, const char *text, const char *other)
{
    size_t count = 0, number = 0;
    CLOPT_FREED bool *changed = other ? clopt_changed_lines_find(other, text, &count) : NULL;
    CLOPT_OWNED(clopt_text) line = {0};
    clopt_text_append(&page->text, "<pre>");
    for (size_t length; *text; text += length + (text[length] == '\n'), number++) {
        bool marked = number < count && changed && changed[number];
        length = strcspn(text, "\n");
        clopt_text_append_bytes(&line, text, length);
        clopt_text_append(&page->text, marked ? "<mark>" : "");
        clopt_html_append(&page->text, clopt_text_string(&line));
        clopt_text_append(&page->text, marked ? "</mark>\n" : "\n");
        page->text.failed |= line.failed;
        clopt_text_clear(&line);
    }
    clopt_text_append(&page->text, "</pre>\n");
}

/* ---- blocks ---- */

static void write_command(struct page *page, const char *line)
{
    close_list(page);
    clopt_text_append(&page->text, "<pre class=\"command\">");
    clopt_html_append(&page->text, line);
    clopt_text_append(&page->text, "</pre>\n");
}

static void write_code(struct page *page, const struct clopt_block *block)
{
    if (*block->text)
        write_fold(page, block->text, false);
    write_listing(page, block->code, NULL);
    if (*block->text)
        write_fold(page, NULL, false);
}

static void write_pair(struct page *page, const struct clopt_block *block)
{
    size_t lines = 0;
    for (const char *at = block->other; (at = strchr(at, '\n')); at++)
        lines++;
    write_fold(page, block->text, lines <= MOST_OPEN_LINES);
    clopt_text_append(&page->text, "<div class=\"pair\"><div>\n");
    write_listing(page, block->code, block->other);
    clopt_text_append(&page->text, "</div><div>\n");
    write_listing(page, block->other, block->code);
    clopt_text_append(&page->text, "</div></div>\n");
    write_fold(page, NULL, false);
}

static enum clopt_status write_chart(struct page *page, const struct clopt_chart *chart,
                                     struct clopt_error *error)
{
    char name[48];
    CLOPT_FREED char *dot = chart->graph ? clopt_program_find("dot") : NULL;
    bool drawn = chart->graph ? dot != NULL : page->writing->gnuplot != NULL;
    close_list(page);
    if (!drawn)
        return CLOPT_OK;
    snprintf(name, sizeof name, "figure-%zu", ++page->charts);
    clopt_text_append(&page->text, "<figure><figcaption>");
    append_rich(page, chart->title);
    clopt_text_append(&page->text, "</figcaption><div class=\"wide\" tabindex=\"0\">\n");
    enum clopt_status status = clopt_chart_draw(chart, page->writing->gnuplot, CLOPT_CHART_SVG,
                                                false, name, &page->text, error);
    clopt_text_append(&page->text, "</div></figure>\n");
    return status;
}

static enum clopt_status write_block(struct page *page, const struct clopt_block *block,
                                     struct clopt_error *error)
{
    switch (block->kind) {
    case CLOPT_BLOCK_HEADING:
        write_heading(page, block->level, block->text);
        break;
    case CLOPT_BLOCK_SENTENCE:
        write_sentence(page, block->sentence, block->text);
        break;
    case CLOPT_BLOCK_TABLE:
        write_table(page, &block->grid);
        break;
    case CLOPT_BLOCK_NOTES:
        write_notes(page, &block->notes, block->text);
        page->problems++;
        break;
    case CLOPT_BLOCK_CHART:
        return write_chart(page, &block->chart, error);
    case CLOPT_BLOCK_FOLD:
        write_fold(page, block->text, block->open);
        break;
    case CLOPT_BLOCK_FOLD_END:
        write_fold(page, NULL, false);
        break;
    case CLOPT_BLOCK_COMMAND:
        write_command(page, block->code);
        break;
    case CLOPT_BLOCK_CODE:
        write_code(page, block);
        break;
    case CLOPT_BLOCK_PAIR:
        write_pair(page, block);
        break;
    default: /* programs read other formats */
        break;
    }
    return CLOPT_OK;
}

/* A page without figures is worth having, but that they are missing is said. */
static void write_lack(struct page *page, const struct clopt_document *document)
{
    if (!page->writing->gnuplot && clopt_document_needs_gnuplot(document))
        write_sentence(page, CLOPT_SENTENCE_WARNING,
                       "There are no figures, because the program that draws them, gnuplot, was "
                       "not there when this page was made.");
}

enum clopt_status clopt_write_html(const struct clopt_document *document,
                                   const struct clopt_writing *writing, struct clopt_error *error)
{
    struct page page = {.writing = writing, .problems = 1};
    enum clopt_status status = CLOPT_OK;
    bool titled = document->count && document->blocks->kind == CLOPT_BLOCK_HEADING;
    bool said = false;
    begin_page(&page, titled ? document->blocks->text : "clopt");
    for (size_t i = 0; i < document->count && !status; i++) {
        const struct clopt_block *block = &document->blocks[i];
        if (i && !said && block->kind == CLOPT_BLOCK_HEADING) {
            write_lack(&page, document);
            said = true;
        }
        if (!(block->extent & CLOPT_NOT_PAGE))
            status = write_block(&page, block, error);
    }
    end_page(&page);
    if (!status)
        return clopt_writing_finish(writing, &page.text, error);
    clopt_text_fini(&page.text);
    return status;
}
