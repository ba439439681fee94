/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a report as one page for a browser, which needs nothing but itself. */
#include <math.h>

#include "formats/formats.h"
#include "process/program.h"
#include "text/changed_lines.h"

static const char style[] =
#include "plugins/formats/page_css.h"
    ;
static const char script[] =
#include "plugins/formats/page_js.h"
    ;

#define DARKEST         40 /* percent of color, on which letters are still read */
#define MOST_OPEN_LINES 60 /* of a source: a longer one is folded */
#define MOST_OPEN_ROWS  200
#define LINEAR_RANGE    20 /* a wider one of bars is logarithmic */
#define BAR_ROOM        96 /* percent of the width that the longest bar has */

/* What numbers of a table are shown as. */
struct scale {
    double low, high; /* numbers of a heat map; NaN: the table is none */
    size_t bars;      /* the column that has them; that of none: no column */
    double least;     /* that of the shortest bar, 1 at most */
    double most;      /* that of the longest bar, 1 at least */
    bool logarithmic; /* then bars begin at 1 */
};

static void close_list(struct clopt_page *page)
{
    if (page->last == CLOPT_PART_LIST)
        clopt_text_append(&page->text, "</li></ul>\n");
    page->last = CLOPT_PART_OTHER;
}

/* Appends a text with what is strong in it; names may be broken after their + and commas. */
static void append_rich(struct clopt_page *page, const char *text)
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

static void begin_page(struct clopt_page *page)
{
    const struct clopt_block *first = page->document->blocks;
    bool titled = page->document->count && first->kind == CLOPT_BLOCK_HEADING;
    clopt_text_append(&page->text, CLOPT_PAGE_BEGIN);
    if (page->writing->refresh_s)
        clopt_text_printf(&page->text, "<meta http-equiv=\"refresh\" content=\"%u\"/>\n",
                          page->writing->refresh_s);
    clopt_text_append(&page->text, "<title>");
    clopt_html_append(&page->text, titled ? first->text : "clopt");
    clopt_text_printf(&page->text, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<main>\n",
                      style);
}

static void end_page(struct clopt_page *page)
{
    close_list(page);
    clopt_text_append(&page->text, "</main>\n<script>\n");
    clopt_text_append(&page->text, script);
    clopt_text_append(&page->text, "</script>\n</body>\n</html>\n");
}

/* Before the second heading it is said that figures are missing: a page without is worth having. */
static void write_heading(struct clopt_page *page, const struct clopt_block *block)
{
    close_list(page);
    if (page->headings++ == 1 && !page->writing->gnuplot &&
        clopt_document_needs_gnuplot(page->document))
        clopt_text_append(
            &page->text,
            "<p class=\"warning\">There are no figures, because the program that draws "
            "them, gnuplot, was not there when this page was made.</p>\n");
    clopt_text_printf(&page->text, "<h%d", (int)block->level + 1);
    if (block->level == CLOPT_HEADING_KERNEL)
        clopt_text_printf(&page->text, " id=\"kernel-%zu\"", ++page->views);
    clopt_text_append(&page->text, ">");
    append_rich(page, block->text);
    clopt_text_printf(&page->text, "</h%d>\n", (int)block->level + 1);
    if (page->headings == 1 && page->writing->doing && *page->writing->doing) {
        clopt_text_append(&page->text, "<p class=\"answer\">Now: ");
        clopt_html_append(&page->text, page->writing->doing);
        clopt_text_append(&page->text, "</p>\n");
    }
}

static void write_sentence(struct clopt_page *page, const struct clopt_block *block)
{
    static const char *const begins[] = {[CLOPT_SENTENCE_PLAIN] = "<p>",
                                         [CLOPT_SENTENCE_ITEM] = "<ul>\n<li>",
                                         [CLOPT_SENTENCE_DETAIL] = "\n<div class=\"soft\">",
                                         [CLOPT_SENTENCE_WARNING] = "<p class=\"warning\">",
                                         [CLOPT_SENTENCE_ANSWER] = "<p class=\"answer\">"};
    bool item = block->sentence == CLOPT_SENTENCE_ITEM;
    bool detail = block->sentence == CLOPT_SENTENCE_DETAIL;
    bool goes_on = item && page->last == CLOPT_PART_LIST;
    if (!detail && !goes_on)
        close_list(page);
    clopt_text_append(&page->text, goes_on ? "</li>\n<li>" : begins[block->sentence]);
    append_rich(page, block->text);
    clopt_text_append(&page->text, item ? "" : detail ? "</div>" : "</p>\n");
    if (item)
        page->last = CLOPT_PART_LIST;
}

/* ---- tables ---- */

/* Appends the marks of notes, "[1][3]", as links. */
static void append_marks(struct clopt_page *page, const char *marks)
{
    for (const char *at = marks; (at = strchr(at, '['));) {
        unsigned long number = strtoul(++at, NULL, 10);
        clopt_text_printf(&page->text, " <a href=\"#note-%zu-%lu\">[%lu]</a>", page->problems + 1,
                          number, number);
    }
}

/* Finds the numbers between which those of a heat map are, the column whose numbers are bars, and
 * the least and the largest of them, which the end of an interval may be. */
static struct scale find_scale(const struct clopt_grid *grid)
{
    struct scale scale = {NAN, NAN, grid->bars ? 0 : grid->column_count, 1, 1, false};
    for (size_t i = 0; grid->heat && i < grid->row_count * grid->column_count; i++) {
        scale.low = fmin(scale.low, grid->cells[i].number);
        scale.high = fmax(scale.high, grid->cells[i].number);
    }
    while (scale.bars < grid->column_count && grid->columns[scale.bars].kind != CLOPT_COLUMN_VALUE)
        scale.bars++;
    for (size_t i = 0; i < grid->row_count && scale.bars < grid->column_count; i++) {
        const struct clopt_cell *cell = clopt_grid_cell(grid, i, scale.bars);
        scale.most = fmax(scale.most, fmax(cell->number, fmin(cell->high, 1.5 * cell->number)));
        scale.least = cell->number > 0 ? fmin(scale.least, cell->number) : scale.least;
    }
    scale.logarithmic = scale.most > LINEAR_RANGE * scale.least;
    return scale;
}

/* Ends the tag of a cell, in a heat map with how dark its number makes it. */
static void append_heat(struct clopt_page *page, const struct scale *scale,
                        const struct clopt_cell *cell)
{
    if (scale->high > scale->low && !isnan(cell->number))
        clopt_text_printf(&page->text, " style=\"--heat:%.0f%%\"",
                          DARKEST * (cell->number - scale->low) / (scale->high - scale->low));
    clopt_text_append_char(&page->text, '>');
}

/* Returns where a number is, in percent of the width. */
static double place(const struct scale *scale, double number)
{
    double share = scale->logarithmic ? log(number / scale->least) / log(scale->most / scale->least)
                                      : number / scale->most;
    return fmax(0, fmin(BAR_ROOM * share, 100));
}

static const char *color_of(const struct clopt_cell *cell)
{
    return clopt_chart_color(cell->color ? cell->color - 1 : CLOPT_CHART_COLORS - 1);
}

/* Appends what the colors of bars mean. */
static void append_legend(struct clopt_page *page, const struct clopt_grid *grid, size_t column)
{
    bool named[CLOPT_CHART_COLORS + 1] = {true};
    for (size_t i = 0; i < grid->row_count && column < grid->column_count; i++) {
        const struct clopt_cell *cell = clopt_grid_cell(grid, i, column);
        if (named[cell->color])
            continue;
        named[cell->color] = true;
        clopt_text_printf(&page->text,
                          " <span class=\"key\"><svg aria-hidden=\"true\"><rect fill=\"%s\" "
                          "width=\"100%%\" height=\"100%%\"/></svg> ",
                          color_of(cell));
        clopt_html_append(&page->text, clopt_document_group(page->document, cell->color));
        clopt_text_append(&page->text, "</span>");
    }
}

/* Appends a cell with a bar for a number, its interval, and a line at 1. */
static void append_bar(struct clopt_page *page, const struct scale *scale,
                       const struct clopt_cell *cell)
{
    double one = place(scale, 1), end = place(scale, cell->number);
    double begin = scale->logarithmic ? fmin(one, end) : 0;
    clopt_text_append(&page->text, "<td class=\"bar\">");
    if (!isnan(cell->number))
        clopt_text_printf(&page->text,
                          "<svg aria-hidden=\"true\"><rect class=\"%s\" fill=\"%s\" x=\"%.2f%%\" "
                          "y=\"15%%\" height=\"70%%\" width=\"%.2f%%\"/>",
                          cell->equal  ? "equal"
                          : cell->best ? "best"
                                       : "",
                          color_of(cell), begin, scale->logarithmic ? fabs(end - one) : end);
    if (!isnan(cell->low) && !isnan(cell->high))
        clopt_text_printf(&page->text,
                          "<line x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"50%%\" y2=\"50%%\"/>",
                          place(scale, cell->low), place(scale, cell->high));
    if (!isnan(cell->number))
        clopt_text_printf(&page->text,
                          "<line class=\"one\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"0\" "
                          "y2=\"100%%\"/></svg>",
                          one, one);
    clopt_text_append(&page->text, "</td>");
}

/* Appends a number and the comment beside it: two cells of the page. */
static void append_value(struct clopt_page *page, const struct scale *scale,
                         const struct clopt_cell *cell, size_t blanks)
{
    const char *before = cell->best ? "<strong>" : "";
    const char *after = cell->best ? "</strong>" : "";
    const char *equal = cell->equal ? " equal" : "";
    clopt_text_printf(&page->text, "<td class=\"n%s\"", equal);
    append_heat(page, scale, cell);
    clopt_text_printf(&page->text, "%s%s", before, cell->equal ? "\xe2\x89\x88 " : "");
    append_rich(page, cell->text ? cell->text : "");
    clopt_text_printf(&page->text, "%*s%s</td><td%s", (int)blanks, "", after,
                      cell->equal ? " class=\"equal\"" : "");
    append_heat(page, scale, cell);
    clopt_text_append(&page->text, before);
    append_rich(page, cell->comment ? cell->comment : "");
    clopt_text_append(&page->text, after);
    append_marks(page, cell->marks);
    clopt_text_append(&page->text, "</td>");
}

static void append_cell(struct clopt_page *page, const struct clopt_grid *grid,
                        const struct scale *scale, size_t row, size_t column)
{
    const struct clopt_cell *cell = clopt_grid_cell(grid, row, column);
    enum clopt_column_kind kind = grid->columns[column].kind;
    bool first = column == 0;
    const char *text = cell->text ? cell->text : "";
    if (kind == CLOPT_COLUMN_VALUE) {
        append_value(page, scale, cell, clopt_grid_blanks(grid, cell, column));
        if (column == scale->bars)
            append_bar(page, scale, cell);
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
    append_heat(page, scale, cell);
    if (cell->link)
        clopt_text_printf(&page->text, "<a href=\"#kernel-%zu\">", cell->link);
    append_rich(page, text);
    clopt_text_printf(&page->text, "%s%s", cell->link ? "</a>" : "", first ? "</th>" : "</td>");
}

/* Writes the rows `first` to `end` (excluded) as a table with all that is above them. */
static void append_rows(struct clopt_page *page, const struct clopt_grid *grid,
                        const struct scale *scale, size_t first, size_t end)
{
    clopt_text_printf(&page->text, "<div class=\"wide\" tabindex=\"0\"><table%s>\n",
                      grid->bars      ? " class=\"stacked bars\""
                      : grid->stacked ? " class=\"stacked\""
                                      : "");
    if (grid->heading) {
        clopt_text_append(&page->text, "<caption>");
        append_rich(page, grid->heading);
        append_legend(page, grid, scale->bars);
        clopt_text_append(&page->text, "</caption>\n");
    }
    clopt_text_append(&page->text, "<thead><tr>");
    for (size_t c = 0; c < grid->column_count; c++) {
        clopt_text_printf(&page->text, "<th scope=\"col\"%s>",
                          c == scale->bars                              ? " colspan=\"3\""
                          : grid->columns[c].kind == CLOPT_COLUMN_VALUE ? " colspan=\"2\""
                          : grid->columns[c].kind == CLOPT_COLUMN_COUNT ? " class=\"n\""
                                                                        : "");
        append_rich(page, grid->columns[c].label);
        if (c == scale->bars && scale->logarithmic)
            clopt_text_append(&page->text, " (bars: logarithmic)");
        clopt_text_append(&page->text, "</th>");
    }
    clopt_text_append(&page->text, "</tr></thead>\n<tbody>\n");
    for (size_t i = first; i < end; i++) {
        clopt_text_append(&page->text, "<tr>");
        for (size_t c = 0; c < grid->column_count; c++)
            append_cell(page, grid, scale, i, c);
        clopt_text_append(&page->text, "</tr>\n");
    }
    clopt_text_append(&page->text, "</tbody>\n</table></div>\n");
}

/* Writes a table. Of a long one the script makes most rows when they are asked for: for it they are
 * one text until then, which a browser reads at once. */
static void write_table(struct clopt_page *page, const struct clopt_block *block)
{
    const struct clopt_grid *grid = &block->grid;
    const struct scale scale = find_scale(grid);
    size_t shown = grid->row_count > MOST_OPEN_ROWS ? MOST_OPEN_ROWS : grid->row_count;
    close_list(page);
    append_rows(page, grid, &scale, 0, shown);
    if (shown < grid->row_count) {
        clopt_text_append(&page->text, "<noscript>");
        append_rows(page, grid, &scale, shown, grid->row_count);
        clopt_text_append(&page->text, "</noscript>\n");
    }
    if (grid->left_out)
        clopt_text_printf(&page->text, "<p class=\"soft\">Variants left out (--top): %zu</p>\n",
                          grid->left_out);
}

/* Returns the first note that differs from a note in numbers alone, itself mostly; `kinds` are the
 * first ones by their kinds. */
static size_t find_first(json_t *kinds, const struct clopt_notes *notes, size_t note)
{
    CLOPT_FREED char *kind = clopt_note_kind(notes->texts[note]);
    const json_t *known = json_object_get(kinds, kind);
    if (known)
        return (size_t)json_integer_value(known);
    /* A driver's message may be no UTF-8. */
    json_object_set_new_nocheck(kinds, kind, json_integer((json_int_t)note));
    return note;
}

static void append_note(struct clopt_page *page, const struct clopt_notes *notes, size_t note)
{
    clopt_text_printf(&page->text, "<li id=\"note-%zu-%zu\" value=\"%zu\">", page->problems,
                      note + 1, note + 1);
    append_rich(page, notes->texts[note]);
}

/* Writes notes; of those that differ in numbers alone, the others are folded below the first. */
static void write_notes(struct clopt_page *page, const struct clopt_block *block)
{
    const struct clopt_notes *notes = &block->notes;
    CLOPT_FREED size_t *firsts = clopt_calloc(notes->count, sizeof *firsts);
    CLOPT_FREED size_t *others = clopt_calloc(notes->count, sizeof *others);
    json_auto_t *kinds = json_object();
    page->problems++;
    close_list(page);
    clopt_text_append(&page->text, "<h3>");
    append_rich(page, block->text);
    clopt_text_append(&page->text, "</h3>\n<ol>\n");
    for (size_t i = 0; i < notes->count; i++) {
        firsts[i] = find_first(kinds, notes, i);
        others[firsts[i]] += firsts[i] != i;
    }
    for (size_t i = 0; i < notes->count; i++) {
        if (firsts[i] != i)
            continue;
        append_note(page, notes, i);
        if (others[i])
            clopt_text_printf(&page->text,
                              "\n<details><summary>%zu more of this kind</summary>\n<ol>\n",
                              others[i]);
        for (size_t k = i + 1, left = others[i]; left; k++) {
            if (firsts[k] != i)
                continue;
            append_note(page, notes, k);
            clopt_text_append(&page->text, --left ? "</li>\n" : "</li>\n</ol>\n</details>\n");
        }
        clopt_text_append(&page->text, "</li>\n");
    }
    clopt_text_append(&page->text, "</ol>\n");
}

static void begin_fold(struct clopt_page *page, const char *title, bool open)
{
    close_list(page);
    clopt_text_printf(&page->text, "<details%s><summary>", open ? " open=\"open\"" : "");
    append_rich(page, title);
    clopt_text_append(&page->text, "</summary>\n");
}

static void write_fold(struct clopt_page *page, const struct clopt_block *block)
{
    begin_fold(page, block->text, block->open);
}

static void end_fold(struct clopt_page *page, const struct clopt_block *block)
{
    (void)block;
    close_list(page);
    clopt_text_append(&page->text, "</details>\n");
}

/* Writes lines as they are; those that are not in `other`, unless that is NULL, are marked. */
static void append_listing(struct clopt_page *page, const char *text, const char *other)
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
        clopt_text_clear(&line);
    }
    clopt_text_append(&page->text, "</pre>\n");
}

static void write_command(struct clopt_page *page, const struct clopt_block *block)
{
    close_list(page);
    clopt_text_append(&page->text, "<pre class=\"command\">");
    clopt_html_append(&page->text, block->code);
    clopt_text_append(&page->text, "</pre>\n");
}

static void write_code(struct clopt_page *page, const struct clopt_block *block)
{
    if (*block->text)
        begin_fold(page, block->text, false);
    append_listing(page, block->code, NULL);
    if (*block->text)
        end_fold(page, block);
}

static void write_pair(struct clopt_page *page, const struct clopt_block *block)
{
    size_t lines = 0;
    for (const char *at = block->other; (at = strchr(at, '\n')); at++)
        lines++;
    begin_fold(page, block->text, lines <= MOST_OPEN_LINES);
    clopt_text_append(&page->text, "<div class=\"pair\"><div>\n");
    append_listing(page, block->code, block->other);
    clopt_text_append(&page->text, "</div><div>\n");
    append_listing(page, block->other, block->code);
    clopt_text_append(&page->text, "</div></div>\n");
    end_fold(page, block);
}

static void write_chart(struct clopt_page *page, const struct clopt_block *block)
{
    const struct clopt_chart *chart = &block->chart;
    char name[48];
    CLOPT_FREED char *dot = chart->graph ? clopt_program_find("dot") : NULL;
    close_list(page);
    if (!(chart->graph ? dot : page->writing->gnuplot))
        return;
    snprintf(name, sizeof name, "figure-%zu", ++page->charts);
    clopt_text_append(&page->text, "<figure><figcaption>");
    append_rich(page, chart->title);
    clopt_text_append(&page->text, "</figcaption><div class=\"wide\" tabindex=\"0\">\n");
    page->status = clopt_chart_draw(chart, page->writing->gnuplot, CLOPT_CHART_SVG, false, name,
                                    &page->text, page->error);
    clopt_text_append(&page->text, "</div></figure>\n");
}

enum clopt_status clopt_write_html(const struct clopt_document *document,
                                   const struct clopt_writing *writing, struct clopt_error *error)
{
    static const struct clopt_markup markup = {.leaves_out = CLOPT_NOT_PAGE,
                                               .begin = begin_page,
                                               .blocks = {[CLOPT_BLOCK_HEADING] = write_heading,
                                                          [CLOPT_BLOCK_SENTENCE] = write_sentence,
                                                          [CLOPT_BLOCK_TABLE] = write_table,
                                                          [CLOPT_BLOCK_NOTES] = write_notes,
                                                          [CLOPT_BLOCK_CHART] = write_chart,
                                                          [CLOPT_BLOCK_FOLD] = write_fold,
                                                          [CLOPT_BLOCK_FOLD_END] = end_fold,
                                                          [CLOPT_BLOCK_COMMAND] = write_command,
                                                          [CLOPT_BLOCK_CODE] = write_code,
                                                          [CLOPT_BLOCK_PAIR] = write_pair},
                                               .end = end_page};
    return clopt_document_mark(document, &markup, writing, error);
}
