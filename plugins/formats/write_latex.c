/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the tables of a report for \input in a LaTeX document, which needs no package for them. */
#include "formats/formats.h"

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
static void append_rich(struct clopt_page *page, const char *text)
{
    for (; *text; text++) {
        const char *special = escape(*text);
        if (*text == *CLOPT_STRONG)
            clopt_text_append(&page->text, "\\textbf{");
        else if (*text == *CLOPT_WEAK)
            clopt_text_append_char(&page->text, '}');
        else if (is_letter(text))
            clopt_text_append_bytes(&page->text, text++, 2);
        else if (*text & 0x80)
            clopt_text_append(&page->text, (*text & 0xc0) == 0x80 ? "" : "?");
        else if (special)
            clopt_text_append(&page->text, special);
        else
            clopt_text_append_char(&page->text, *text);
        if ((*text == '+' || *text == ',') && text[1] && text[1] != ' ')
            clopt_text_append(&page->text, "\\allowbreak{}");
    }
}

/* Remembers of which kernel the next tables are; other headings are the document's business. */
static void write_heading(struct clopt_page *page, const struct clopt_block *block)
{
    clopt_text_printf(&page->text, "\n%% %s\n", block->text);
    clopt_text_clear(&page->heading);
    if (block->kind == CLOPT_BLOCK_HEADING && block->level == CLOPT_HEADING_KERNEL)
        clopt_text_append(&page->heading, block->text);
}

static void write_sentence(struct clopt_page *page, const struct clopt_block *block)
{
    clopt_text_append(&page->text, block->sentence == CLOPT_SENTENCE_DETAIL ? "" : "\n");
    append_rich(page, block->text);
    clopt_text_append_char(&page->text, '\n');
}

/* Appends a number so that its point is below those of others: instead of blanks after it, what
 * takes as much room. */
static void append_number(struct clopt_page *page, const struct clopt_cell *cell, size_t blanks)
{
    bool point = cell->text && strchr(cell->text, '.');
    clopt_text_append(&page->text, cell->best ? "\\textbf{" : cell->equal ? "$\\approx$ " : "");
    clopt_text_append(&page->text, cell->text ? cell->text : "");
    clopt_text_append(&page->text, cell->best ? "}" : "");
    if (!blanks)
        return;
    clopt_text_append(&page->text, "\\phantom{");
    for (size_t i = 0; i < blanks; i++)
        clopt_text_append_char(&page->text, i == 0 && !point ? '.' : '0');
    clopt_text_append_char(&page->text, '}');
}

static void append_cell(struct clopt_page *page, const struct clopt_grid *grid,
                        const struct clopt_cell *cell, size_t column)
{
    if (grid->columns[column].kind != CLOPT_COLUMN_VALUE) {
        append_rich(page, cell->text ? cell->text : "");
        return;
    }
    append_number(page, cell, clopt_grid_blanks(grid, cell, column));
    clopt_text_append(&page->text, " & ");
    append_rich(page, cell->comment ? cell->comment : "");
    clopt_text_append(&page->text, *cell->marks ? " " : "");
    append_rich(page, cell->marks);
}

/* Appends the columns of a block, and their labels. */
static void append_head(struct clopt_page *page, const struct clopt_grid *grid, size_t first,
                        size_t end)
{
    const char *between = "";
    clopt_text_append(&page->text, "\\begin{tabular}{");
    for (size_t c = 0; c < grid->column_count; c++)
        if (clopt_grid_in_block(grid, c, first, end))
            clopt_text_append(&page->text, grid->columns[c].kind == CLOPT_COLUMN_VALUE   ? "r@{ }l"
                                           : grid->columns[c].kind == CLOPT_COLUMN_COUNT ? "r"
                                           : clopt_grid_width(grid, c) > LONGEST_LINE
                                               ? "p{0.35\\linewidth}"
                                               : "l");
    clopt_text_append(&page->text, "}\n\\hline\n");
    for (size_t c = 0; c < grid->column_count; c++) {
        bool value = grid->columns[c].kind == CLOPT_COLUMN_VALUE;
        if (!clopt_grid_in_block(grid, c, first, end))
            continue;
        clopt_text_printf(&page->text, "%s%s", between, value ? "\\multicolumn{2}{l}{" : "");
        append_rich(page, grid->columns[c].label);
        clopt_text_append(&page->text, value ? "}" : "");
        between = " & ";
    }
    clopt_text_append(&page->text, " \\\\\n\\hline\n");
}

static void append_block(struct clopt_page *page, const struct clopt_grid *grid, size_t first,
                         size_t end)
{
    append_head(page, grid, first, end);
    for (size_t i = 0; i < grid->row_count; i++) {
        const char *between = "";
        for (size_t c = 0; c < grid->column_count; c++) {
            if (!clopt_grid_in_block(grid, c, first, end))
                continue;
            clopt_text_append(&page->text, between);
            append_cell(page, grid, clopt_grid_cell(grid, i, c), c);
            between = " & ";
        }
        clopt_text_append(&page->text, " \\\\\n");
    }
    clopt_text_append(&page->text, "\\hline\n\\end{tabular}\n");
}

/* Writes a table; columns that do not fit side by side follow below. */
static void write_table(struct clopt_page *page, const struct clopt_block *block)
{
    const struct clopt_grid *grid = &block->grid;
    CLOPT_FREED size_t *widths = clopt_calloc(grid->column_count, sizeof *widths);
    for (size_t c = 0; c < grid->column_count; c++) {
        bool name = grid->columns[c].kind == CLOPT_COLUMN_NAME;
        widths[c] = clopt_grid_width(grid, c);
        widths[c] = name && widths[c] > LONGEST_LINE ? LONGEST_LINE : widths[c];
    }
    clopt_text_append(&page->text, "\n\\begin{table}[htbp]\n\\centering\n\\small\n\\caption{");
    append_rich(page, clopt_text_string(&page->heading));
    clopt_text_append(&page->text, page->heading.length ? ". " : "");
    append_rich(page, grid->heading ? grid->heading : "");
    clopt_text_append(&page->text, "}\n");
    for (size_t first = clopt_grid_first(grid), end; first < grid->column_count; first = end) {
        end = clopt_grid_block_end(grid, widths, first, WIDEST);
        append_block(page, grid, first, end);
        clopt_text_append(&page->text, end < grid->column_count ? "\\par\\medskip\n" : "");
    }
    if (grid->left_out)
        clopt_text_printf(&page->text, "\\par\\smallskip\nVariants left out: %zu\n",
                          grid->left_out);
    clopt_text_append(&page->text, "\\end{table}\n");
}

static void write_notes(struct clopt_page *page, const struct clopt_block *block)
{
    write_heading(page, block);
    clopt_text_append(&page->text, "\n{\\footnotesize\\noindent\n");
    append_rich(page, block->text);
    clopt_text_append_char(&page->text, ':');
    for (size_t i = 0; i < block->notes.count; i++) {
        clopt_text_printf(&page->text, "\\\\\n{[}%zu{]} ", i + 1);
        append_rich(page, block->notes.texts[i]);
    }
    clopt_text_append(&page->text, "\\par}\n");
}

/* Writes lines as they are, in letters of one width and with the blanks before them. */
static void write_code(struct clopt_page *page, const struct clopt_block *block)
{
    const char *lines = block->code;
    clopt_text_append(&page->text, "\n{\\ttfamily\\footnotesize\\noindent\n");
    for (size_t length; *lines; lines += length + (lines[length] == '\n')) {
        CLOPT_OWNED(clopt_text) line = {0};
        size_t blanks = strspn(lines, " ");
        length = strcspn(lines, "\n");
        clopt_text_append_bytes(&line, lines + blanks, length - blanks);
        clopt_text_append(&page->text, "\\mbox{}");
        while (blanks--)
            clopt_text_append_char(&page->text, '~');
        append_rich(page, clopt_text_string(&line));
        clopt_text_append(&page->text, "\\\\\n");
    }
    clopt_text_append(&page->text, "\\par}\n");
}

/* Remarks are left to the document around the tables. */
enum clopt_status clopt_write_latex(const struct clopt_document *document,
                                    const struct clopt_writing *writing, struct clopt_error *error)
{
    static const struct clopt_markup markup = {.leaves_out = CLOPT_NOT_TERSE,
                                               .blocks = {[CLOPT_BLOCK_HEADING] = write_heading,
                                                          [CLOPT_BLOCK_SENTENCE] = write_sentence,
                                                          [CLOPT_BLOCK_TABLE] = write_table,
                                                          [CLOPT_BLOCK_NOTES] = write_notes,
                                                          [CLOPT_BLOCK_COMMAND] = write_code,
                                                          [CLOPT_BLOCK_CODE] = write_code}};
    return clopt_document_mark(document, &markup, writing, error);
}
