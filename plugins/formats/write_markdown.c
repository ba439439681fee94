/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a report as Markdown with the tables of GitHub and its like. */
#include <ctype.h>

#include "formats/formats.h"

/* Ends a list, which a paragraph would continue. */
static void begin_part(struct clopt_page *page, enum clopt_part part)
{
    if (page->last == CLOPT_PART_LIST && part != CLOPT_PART_LIST)
        clopt_text_append_char(&page->text, '\n');
    page->last = part;
}

/* Whether a character would mean something where it is. An underscore within a word does not, nor
 * does a bracket that no link follows. */
static bool is_special(const char *text, const char *at)
{
    bool in_word = at > text && isalnum((unsigned char)at[-1]) && isalnum((unsigned char)at[1]);
    if (*at == '_')
        return !in_word;
    if (*at == ']')
        return at[1] && strchr("([:", at[1]);
    return strchr("\\`*<>|~&$#", *at) != NULL;
}

static void append_rich(struct clopt_page *page, const char *text)
{
    for (const char *at = text; *at; at++)
        if (*at == *CLOPT_STRONG || *at == *CLOPT_WEAK)
            clopt_text_append(&page->text, "**");
        else
            clopt_text_printf(&page->text, "%s%c", is_special(text, at) ? "\\" : "", *at);
}

static void append_heading(struct clopt_page *page, enum clopt_heading level, const char *text)
{
    begin_part(page, CLOPT_PART_OTHER);
    clopt_text_printf(&page->text, "%.*s ", (int)level + 1, "###");
    append_rich(page, text);
    clopt_text_append(&page->text, "\n\n");
}

static void write_heading(struct clopt_page *page, const struct clopt_block *block)
{
    append_heading(page, block->level, block->text);
}

static void write_sentence(struct clopt_page *page, const struct clopt_block *block)
{
    enum clopt_sentence kind = block->sentence;
    bool item = kind == CLOPT_SENTENCE_ITEM || kind == CLOPT_SENTENCE_DETAIL;
    begin_part(page, item ? CLOPT_PART_LIST : CLOPT_PART_OTHER);
    clopt_text_append(&page->text, kind == CLOPT_SENTENCE_ITEM      ? "- "
                                   : kind == CLOPT_SENTENCE_DETAIL  ? "  - "
                                   : kind == CLOPT_SENTENCE_WARNING ? "> "
                                                                    : "");
    append_rich(page, block->text);
    clopt_text_append(&page->text, item ? "\n" : "\n\n");
}

static void append_cell(struct clopt_page *page, const struct clopt_cell *cell)
{
    const char *strong = cell->best ? "**" : "";
    clopt_text_printf(&page->text, " %s%s", strong, cell->equal ? "\xe2\x89\x88 " : "");
    append_rich(page, cell->text ? cell->text : "");
    clopt_text_printf(&page->text, "%s%s", strong, cell->comment && *cell->comment ? " " : "");
    append_rich(page, cell->comment ? cell->comment : "");
    if (*cell->marks)
        clopt_text_append_char(&page->text, ' ');
    append_rich(page, cell->marks);
    clopt_text_append(&page->text, " |");
}

static void write_table(struct clopt_page *page, const struct clopt_block *block)
{
    const struct clopt_grid *grid = &block->grid;
    begin_part(page, CLOPT_PART_OTHER);
    if (grid->heading) {
        append_rich(page, grid->heading);
        clopt_text_append(&page->text, "\n\n");
    }
    clopt_text_append_char(&page->text, '|');
    for (size_t c = 0; c < grid->column_count; c++) {
        clopt_text_append_char(&page->text, ' ');
        append_rich(page, grid->columns[c].label);
        clopt_text_append(&page->text, " |");
    }
    clopt_text_append(&page->text, "\n|");
    for (size_t c = 0; c < grid->column_count; c++)
        clopt_text_append(&page->text,
                          grid->columns[c].kind == CLOPT_COLUMN_COUNT ? " ---: |" : " --- |");
    for (size_t i = 0; i < grid->row_count; i++) {
        clopt_text_append(&page->text, "\n|");
        for (size_t c = 0; c < grid->column_count; c++)
            append_cell(page, clopt_grid_cell(grid, i, c));
    }
    clopt_text_append(&page->text, "\n\n");
    if (grid->left_out)
        clopt_text_printf(&page->text, "Variants left out: %zu\n\n", grid->left_out);
}

static void write_notes(struct clopt_page *page, const struct clopt_block *block)
{
    append_heading(page, CLOPT_HEADING_KERNEL, block->text);
    for (size_t i = 0; i < block->notes.count; i++) {
        clopt_text_printf(&page->text, "- [%zu] ", i + 1);
        append_rich(page, block->notes.texts[i]);
        clopt_text_append_char(&page->text, '\n');
    }
    clopt_text_append_char(&page->text, '\n');
}

/* Appends lines as they are, between fences that none of them ends. */
static void write_code(struct clopt_page *page, const struct clopt_block *block)
{
    const char *lines = block->code;
    begin_part(page, CLOPT_PART_OTHER);
    clopt_text_append(&page->text, "~~~~~~\n");
    clopt_text_append_printable_lines(&page->text, lines);
    if (*lines && lines[strlen(lines) - 1] != '\n')
        clopt_text_append_char(&page->text, '\n');
    clopt_text_append(&page->text, "~~~~~~\n\n");
}

enum clopt_status clopt_write_markdown(const struct clopt_document *document,
                                       const struct clopt_writing *writing,
                                       struct clopt_error *error)
{
    static const struct clopt_markup markup = {.leaves_out = CLOPT_NOT_FULL,
                                               .blocks = {[CLOPT_BLOCK_HEADING] = write_heading,
                                                          [CLOPT_BLOCK_SENTENCE] = write_sentence,
                                                          [CLOPT_BLOCK_TABLE] = write_table,
                                                          [CLOPT_BLOCK_NOTES] = write_notes,
                                                          [CLOPT_BLOCK_COMMAND] = write_code,
                                                          [CLOPT_BLOCK_CODE] = write_code}};
    return clopt_document_mark(document, &markup, writing, error);
}
