/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a report as Markdown with the tables of GitHub and its like. */
#include <ctype.h>
#include <string.h>

#include "report/writer.h"

/* What was written last. */
enum last { OTHER, LIST };

/* Ends a list, which a paragraph would continue. */
static void begin_part(struct clopt_writer *writer, enum last part)
{
    if (writer->last == LIST && part != LIST)
        clopt_text_append_char(&writer->text, '\n');
    writer->last = (int)part;
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

static void append_rich(struct clopt_writer *writer, const char *text)
{
    for (const char *at = text; *at; at++)
        if (*at == *CLOPT_STRONG || *at == *CLOPT_WEAK)
            clopt_text_append(&writer->text, "**");
        else
            clopt_text_printf(&writer->text, "%s%c", is_special(text, at) ? "\\" : "", *at);
}

static void write_heading(struct clopt_writer *writer, enum clopt_heading level, const char *text)
{
    begin_part(writer, OTHER);
    clopt_text_printf(&writer->text, "%.*s ", (int)level + 1, "###");
    append_rich(writer, text);
    clopt_text_append(&writer->text, "\n\n");
}

static void write_sentence(struct clopt_writer *writer, enum clopt_sentence kind, const char *text)
{
    bool item = kind == CLOPT_SENTENCE_ITEM || kind == CLOPT_SENTENCE_DETAIL;
    begin_part(writer, item ? LIST : OTHER);
    clopt_text_append(&writer->text, kind == CLOPT_SENTENCE_ITEM      ? "- "
                                     : kind == CLOPT_SENTENCE_DETAIL  ? "  - "
                                     : kind == CLOPT_SENTENCE_WARNING ? "> "
                                                                      : "");
    append_rich(writer, text);
    clopt_text_append(&writer->text, item ? "\n" : "\n\n");
}

static void append_cell(struct clopt_writer *writer, const struct clopt_cell *cell)
{
    struct clopt_text *page = &writer->text;
    const char *strong = cell->best ? "**" : "";
    clopt_text_printf(page, " %s%s", strong, cell->equal ? "\xe2\x89\x88 " : "");
    append_rich(writer, cell->text ? cell->text : "");
    clopt_text_printf(page, "%s%s", strong, cell->comment && *cell->comment ? " " : "");
    append_rich(writer, cell->comment ? cell->comment : "");
    if (*cell->marks)
        clopt_text_append_char(page, ' ');
    append_rich(writer, cell->marks);
    clopt_text_append(page, " |");
}

static enum clopt_status write_table(struct clopt_writer *writer, struct clopt_grid *grid,
                                     struct clopt_error *error)
{
    struct clopt_text *page = &writer->text;
    (void)error;
    begin_part(writer, OTHER);
    if (grid->heading) {
        append_rich(writer, grid->heading);
        clopt_text_append(page, "\n\n");
    }
    clopt_text_append_char(page, '|');
    for (size_t c = 0; c < grid->column_count; c++) {
        clopt_text_append_char(page, ' ');
        append_rich(writer, grid->columns[c].label);
        clopt_text_append(page, " |");
    }
    clopt_text_append(page, "\n|");
    for (size_t c = 0; c < grid->column_count; c++)
        clopt_text_append(page, grid->columns[c].kind == CLOPT_COLUMN_COUNT ? " ---: |" : " --- |");
    for (size_t i = 0; i < grid->row_count; i++) {
        clopt_text_append(page, "\n|");
        for (size_t c = 0; c < grid->column_count; c++)
            append_cell(writer, clopt_grid_cell(grid, i, c));
    }
    clopt_text_append(page, "\n\n");
    if (grid->left_out)
        clopt_text_printf(page, "Variants left out: %zu\n\n", grid->left_out);
    return CLOPT_OK;
}

static void write_notes(struct clopt_writer *writer, const struct clopt_footnotes *notes,
                        const char *title)
{
    write_heading(writer, CLOPT_HEADING_KERNEL, title);
    for (size_t i = 0; i < notes->count; i++) {
        clopt_text_printf(&writer->text, "- [%zu] ", i + 1);
        append_rich(writer, notes->texts[i]);
        clopt_text_append_char(&writer->text, '\n');
    }
    clopt_text_append_char(&writer->text, '\n');
}

const struct clopt_writer_operations clopt_markdown_writer = {
    .joined = true,
    .heading = write_heading,
    .sentence = write_sentence,
    .table = write_table,
    .notes = write_notes,
};
