/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds documents. */
#include "document/document.h"

#include "text/json.h"

/* Adds a block; takes the text, which may be NULL. */
static struct clopt_block *add_block(struct clopt_document *document, enum clopt_block_kind kind,
                                     char *text)
{
    struct clopt_block *block = clopt_array_add(&document->blocks, &document->count, sizeof *block);
    block->kind = kind;
    block->extent = document->extent;
    block->text = text;
    return block;
}

void clopt_document_heading(struct clopt_document *document, enum clopt_heading level,
                            const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_block(document, CLOPT_BLOCK_HEADING, clopt_text_vformat(format, arguments))->level = level;
    va_end(arguments);
}

void clopt_document_say(struct clopt_document *document, enum clopt_sentence kind,
                        struct clopt_text *text)
{
    if (text->length)
        add_block(document, CLOPT_BLOCK_SENTENCE, clopt_text_take(text))->sentence = kind;
    else
        clopt_text_fini(text);
}

void clopt_document_printf(struct clopt_document *document, enum clopt_sentence kind,
                           const char *format, ...)
{
    struct clopt_text text = {0};
    va_list arguments;
    va_start(arguments, format);
    clopt_text_vprintf(&text, format, arguments);
    va_end(arguments);
    clopt_document_say(document, kind, &text);
}

void clopt_document_table(struct clopt_document *document, struct clopt_grid *grid)
{
    clopt_grid_finish(grid);
    if (grid->row_count)
        add_block(document, CLOPT_BLOCK_TABLE, NULL)->grid = *grid;
    else
        clopt_grid_fini(grid);
    *grid = (struct clopt_grid){0};
}

void clopt_document_notes(struct clopt_document *document, struct clopt_notes *notes,
                          const char *title)
{
    if (notes->count)
        add_block(document, CLOPT_BLOCK_NOTES, clopt_strdup(title))->notes = *notes;
    else
        clopt_notes_fini(notes);
    *notes = (struct clopt_notes){0};
}

void clopt_document_chart(struct clopt_document *document, struct clopt_chart *chart)
{
    if (clopt_chart_is_empty(chart))
        clopt_chart_fini(chart);
    else
        add_block(document, CLOPT_BLOCK_CHART, NULL)->chart = *chart;
    *chart = (struct clopt_chart){0};
}

void clopt_document_fold(struct clopt_document *document, bool open, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_block(document, CLOPT_BLOCK_FOLD, clopt_text_vformat(format, arguments))->open = open;
    va_end(arguments);
}

void clopt_document_fold_end(struct clopt_document *document)
{
    add_block(document, CLOPT_BLOCK_FOLD_END, NULL);
}

void clopt_document_command(struct clopt_document *document, const char *line)
{
    add_block(document, CLOPT_BLOCK_COMMAND, NULL)->code = clopt_strdup(line);
}

void clopt_document_code(struct clopt_document *document, const char *title, const char *lines)
{
    struct clopt_block *block = add_block(document, CLOPT_BLOCK_CODE, clopt_strdup(title));
    block->code = clopt_strdup(lines);
    block->extent |= *title ? CLOPT_PAGE_ONLY : 0;
}

void clopt_document_pair(struct clopt_document *document, const char *title, const char *before,
                         const char *after)
{
    struct clopt_block *block = add_block(document, CLOPT_BLOCK_PAIR, clopt_strdup(title));
    block->code = clopt_strdup(before);
    block->other = clopt_strdup(after);
}

/* ---- for programs ---- */

void clopt_document_data(struct clopt_document *document, const char *name, json_t *value)
{
    add_block(document, CLOPT_BLOCK_DATA, clopt_strdup(name))->data = value;
}

void clopt_document_rows(struct clopt_document *document, const char *name, const char *format, ...)
{
    struct clopt_block *block = add_block(document, CLOPT_BLOCK_ROWS, clopt_strdup(name));
    va_list arguments;
    va_start(arguments, format);
    CLOPT_FREED char *names = clopt_text_vformat(format, arguments);
    va_end(arguments);
    block->data = json_array();
    for (size_t length, at = 0; names[at]; at += length + (names[at + length] == ' ')) {
        char **column = clopt_array_add(&block->columns, &block->column_count, sizeof *column);
        length = strcspn(names + at, " ");
        *column = clopt_strndup(names + at, length);
    }
}

/* Returns the last table. */
static const struct clopt_block *last_rows(const struct clopt_document *document)
{
    size_t i = document->count - 1;
    while (document->blocks[i].kind != CLOPT_BLOCK_ROWS)
        i--;
    return &document->blocks[i];
}

void clopt_document_row(struct clopt_document *document, const char *types, ...)
{
    va_list arguments;
    va_start(arguments, types);
    json_array_append_new(last_rows(document)->data, clopt_json_varray(types, arguments));
    va_end(arguments);
}

static json_t *last_row(const struct clopt_document *document)
{
    const struct clopt_block *block = last_rows(document);
    return json_array_get(block->data, json_array_size(block->data) - 1);
}

void clopt_document_values(struct clopt_document *document, const char *types, ...)
{
    va_list arguments;
    va_start(arguments, types);
    json_auto_t *values = clopt_json_varray(types, arguments);
    va_end(arguments);
    json_array_extend(last_row(document), values);
}

void clopt_document_skip_to(struct clopt_document *document, const char *column)
{
    const struct clopt_block *block = last_rows(document);
    json_t *row = last_row(document);
    for (size_t c = json_array_size(row);
         c < block->column_count && strcmp(block->columns[c], column) != 0; c++)
        json_array_append_new(row, json_null());
}

size_t clopt_document_color(struct clopt_document *document, const char *group)
{
    size_t i = 0;
    while (i < document->group_count && strcmp(document->groups[i], group) != 0)
        i++;
    if (i == document->group_count && i + 1 < CLOPT_CHART_COLORS)
        *(char **)clopt_array_add(&document->groups, &document->group_count,
                                  sizeof *document->groups) = clopt_strdup(group);
    return i + 1;
}

const char *clopt_document_group(const struct clopt_document *document, size_t color)
{
    return color > document->group_count ? "others" : document->groups[color - 1];
}

bool clopt_document_has(const struct clopt_document *document, enum clopt_block_kind kind)
{
    for (size_t i = 0; i < document->count; i++)
        if (document->blocks[i].kind == kind)
            return true;
    return false;
}

bool clopt_document_needs_gnuplot(const struct clopt_document *document)
{
    for (size_t i = 0; i < document->count; i++)
        if (document->blocks[i].kind == CLOPT_BLOCK_CHART && !document->blocks[i].chart.graph)
            return true;
    return false;
}

/* ---- the end ---- */

static void free_block(struct clopt_block *block)
{
    for (size_t i = 0; i < block->column_count; i++)
        free(block->columns[i]);
    free(block->columns);
    free(block->text);
    free(block->code);
    free(block->other);
    json_decref(block->data);
    clopt_grid_fini(&block->grid);
    clopt_notes_fini(&block->notes);
    clopt_chart_fini(&block->chart);
}

void clopt_document_fini(struct clopt_document *document)
{
    for (size_t i = 0; i < document->count; i++)
        free_block(&document->blocks[i]);
    for (size_t i = 0; i < document->group_count; i++)
        free(document->groups[i]);
    free(document->blocks);
    free(document->groups);
    document->blocks = NULL;
    document->groups = NULL;
    document->count = document->group_count = 0;
}
