/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the tables of a report for \input in a LaTeX document, which needs no package for them. */
#include <stdlib.h>
#include <string.h>

#include "report/writer.h"

#define LONGEST_LINE 30 /* of a name, in a column as wide as it needs */
#define WIDEST       80 /* characters of a table, about what a page of article has room for */

/* Returns what a character is printed as; NULL: itself. Brackets and asterisks would belong to a
 * line end before them. */
static const char *escape(char character)
{
    static const char special[] = "\\{}$&#_%^~<>|\"[]*";
    static const char *const written[] = {"\\textbackslash{}",
                                          "\\{",
                                          "\\}",
                                          "\\$",
                                          "\\&",
                                          "\\#",
                                          "\\_",
                                          "\\%",
                                          "\\^{}",
                                          "\\~{}",
                                          "$<$",
                                          "$>$",
                                          "$|$",
                                          "''",
                                          "{[}",
                                          "{]}",
                                          "{*}"};
    const char *found = strchr(special, character);
    return found && character ? written[found - special] : NULL;
}

/* Whether LaTeX has a letter of its own fonts for the two bytes of UTF-8 here: those of western
 * Europe, without what is no letter, and eth and thorn. */
static bool is_letter(const char *at)
{
    return *at == '\xc3' && (at[1] & 0xc0) == 0x80 && !memchr("\x90\x97\x9e\xb0\xb7\xbe", at[1], 6);
}

/* Appends a text; names may be broken after their + and commas, and what no font has is a ?. */
static void append_rich(struct clopt_writer *writer, const char *text)
{
    struct clopt_text *page = &writer->text;
    for (; *text; text++) {
        const char *special = escape(*text);
        if (*text == *CLOPT_STRONG)
            clopt_text_append(page, "\\textbf{");
        else if (*text == *CLOPT_WEAK)
            clopt_text_append_char(page, '}');
        else if (is_letter(text))
            clopt_text_append_bytes(page, text++, 2);
        else if (*text & 0x80)
            clopt_text_append(page, (*text & 0xc0) == 0x80 ? "" : "?");
        else if (special)
            clopt_text_append(page, special);
        else
            clopt_text_append_char(page, *text);
        if ((*text == '+' || *text == ',') && text[1] && text[1] != ' ')
            clopt_text_append(page, "\\allowbreak{}");
    }
}

/* Remembers of which kernel the next tables are; other headings are the document's business. */
static void write_heading(struct clopt_writer *writer, enum clopt_heading level, const char *text)
{
    clopt_text_printf(&writer->text, "\n%% %s\n", text);
    clopt_text_clear(&writer->heading);
    if (level == CLOPT_HEADING_KERNEL)
        clopt_text_append(&writer->heading, text);
}

static void write_sentence(struct clopt_writer *writer, enum clopt_sentence kind, const char *text)
{
    clopt_text_append(&writer->text, kind == CLOPT_SENTENCE_DETAIL ? "" : "\n");
    append_rich(writer, text);
    clopt_text_append_char(&writer->text, '\n');
}

/* Appends a number so that its point is below those of others: instead of blanks after it, what
 * takes as much room. */
static void append_number(struct clopt_writer *writer, const struct clopt_cell *cell)
{
    size_t length = cell->text ? strcspn(cell->text, " ") : 0;
    size_t blanks = cell->text ? strlen(cell->text) - length : 0;
    bool point = cell->text && memchr(cell->text, '.', length);
    clopt_text_append(&writer->text, cell->best ? "\\textbf{" : cell->equal ? "$\\approx$ " : "");
    clopt_text_append_bytes(&writer->text, cell->text ? cell->text : "", length);
    clopt_text_append(&writer->text, cell->best ? "}" : "");
    if (!blanks)
        return;
    clopt_text_append(&writer->text, "\\phantom{");
    for (size_t i = 0; i < blanks; i++)
        clopt_text_append_char(&writer->text, i == 0 && !point ? '.' : '0');
    clopt_text_append_char(&writer->text, '}');
}

static void append_cell(struct clopt_writer *writer, const struct clopt_cell *cell,
                        enum clopt_column_kind kind)
{
    if (kind != CLOPT_COLUMN_VALUE) {
        append_rich(writer, cell->text ? cell->text : "");
        return;
    }
    append_number(writer, cell);
    clopt_text_append(&writer->text, " & ");
    append_rich(writer, cell->comment ? cell->comment : "");
    clopt_text_append(&writer->text, *cell->marks ? " " : "");
    append_rich(writer, cell->marks);
}

/* Appends the columns of a block, and their labels. */
static void append_head(struct clopt_writer *writer, const struct clopt_grid *grid, size_t first,
                        size_t end)
{
    struct clopt_text *page = &writer->text;
    const char *between = "";
    clopt_text_append(page, "\\begin{tabular}{");
    for (size_t c = 0; c < grid->column_count; c++)
        if (clopt_grid_in_block(grid, c, first, end))
            clopt_text_append(page, grid->columns[c].kind == CLOPT_COLUMN_VALUE   ? "r@{ }l"
                                    : grid->columns[c].kind == CLOPT_COLUMN_COUNT ? "r"
                                    : clopt_grid_width(grid, c) > LONGEST_LINE
                                        ? "p{0.35\\linewidth}"
                                        : "l");
    clopt_text_append(page, "}\n\\hline\n");
    for (size_t c = 0; c < grid->column_count; c++) {
        bool value = grid->columns[c].kind == CLOPT_COLUMN_VALUE;
        if (!clopt_grid_in_block(grid, c, first, end))
            continue;
        clopt_text_printf(page, "%s%s", between, value ? "\\multicolumn{2}{l}{" : "");
        append_rich(writer, grid->columns[c].label);
        clopt_text_append(page, value ? "}" : "");
        between = " & ";
    }
    clopt_text_append(page, " \\\\\n\\hline\n");
}

static void append_block(struct clopt_writer *writer, const struct clopt_grid *grid, size_t first,
                         size_t end)
{
    append_head(writer, grid, first, end);
    for (size_t i = 0; i < grid->row_count; i++) {
        const char *between = "";
        for (size_t c = 0; c < grid->column_count; c++) {
            if (!clopt_grid_in_block(grid, c, first, end))
                continue;
            clopt_text_append(&writer->text, between);
            append_cell(writer, clopt_grid_cell(grid, i, c), grid->columns[c].kind);
            between = " & ";
        }
        clopt_text_append(&writer->text, " \\\\\n");
    }
    clopt_text_append(&writer->text, "\\hline\n\\end{tabular}\n");
}

/* Writes a table; columns that do not fit side by side follow below. */
static enum clopt_status write_table(struct clopt_writer *writer, struct clopt_grid *grid,
                                     struct clopt_error *error)
{
    struct clopt_text *page = &writer->text;
    enum clopt_status status = clopt_grid_align(grid, error);
    size_t *widths = calloc(grid->column_count + 1, sizeof *widths);
    if (status || !widths) {
        free(widths);
        return status ? status : clopt_fail_memory(error);
    }
    for (size_t c = 0; c < grid->column_count; c++) {
        bool name = grid->columns[c].kind == CLOPT_COLUMN_NAME;
        widths[c] = clopt_grid_width(grid, c);
        widths[c] = name && widths[c] > LONGEST_LINE ? LONGEST_LINE : widths[c];
    }
    clopt_text_append(page, "\n\\begin{table}[htbp]\n\\centering\n\\small\n\\caption{");
    append_rich(writer, clopt_text_string(&writer->heading));
    clopt_text_append(page, writer->heading.length ? ". " : "");
    append_rich(writer, grid->heading ? grid->heading : "");
    clopt_text_append(page, "}\n");
    for (size_t first = clopt_grid_first(grid), end; first < grid->column_count; first = end) {
        end = clopt_grid_block_end(grid, widths, first, WIDEST);
        append_block(writer, grid, first, end);
        clopt_text_append(page, end < grid->column_count ? "\\par\\medskip\n" : "");
    }
    free(widths);
    if (grid->left_out)
        clopt_text_printf(page, "\\par\\smallskip\nVariants left out: %zu\n", grid->left_out);
    clopt_text_append(page, "\\end{table}\n");
    return CLOPT_OK;
}

static void write_notes(struct clopt_writer *writer, const struct clopt_footnotes *notes,
                        const char *title)
{
    write_heading(writer, CLOPT_HEADING_SECTION, title);
    clopt_text_append(&writer->text, "\n{\\footnotesize\\noindent\n");
    append_rich(writer, title);
    clopt_text_append_char(&writer->text, ':');
    for (size_t i = 0; i < notes->count; i++) {
        clopt_text_printf(&writer->text, "\\\\\n{[}%zu{]} ", i + 1);
        append_rich(writer, notes->texts[i]);
    }
    clopt_text_append(&writer->text, "\\par}\n");
}

const struct clopt_writer_operations clopt_latex_writer = {
    .terse = true,
    .joined = true,
    .heading = write_heading,
    .sentence = write_sentence,
    .table = write_table,
    .notes = write_notes,
};
