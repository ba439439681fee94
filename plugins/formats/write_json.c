/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a document as JSON: its data for programs, or else its sentences and tables. */
#include <math.h>

#include "formats/formats.h"
#include "text/json.h"

#define SCHEMA 1

/* Makes objects of the rows, by the names of the columns. */
static json_t *rows_to_json(const struct clopt_block *block)
{
    json_t *rows = json_array();
    size_t index;
    const json_t *row;
    json_array_foreach(block->data, index, row)
    {
        json_t *object = json_object();
        for (size_t c = 0; c < block->column_count; c++)
            json_object_set(object, block->columns[c],
                            c < json_array_size(row) ? json_array_get(row, c) : json_null());
        clopt_json_append(&rows, object);
    }
    return rows;
}

/* Makes a number with its interval, or a text, of a cell. */
static json_t *cell_to_json(const struct clopt_cell *cell)
{
    if (!cell->text)
        return json_null();
    if (isnan(cell->number))
        return clopt_json_text(cell->text);
    return isnan(cell->low) ? clopt_json_real(cell->number)
                            : json_pack("[o, o, o]", clopt_json_real(cell->number),
                                        clopt_json_real(cell->low), clopt_json_real(cell->high));
}

static json_t *table_to_json(const struct clopt_grid *grid, const char *about)
{
    json_t *columns = json_array(), *rows = json_array();
    for (size_t c = 0; c < grid->column_count; c++)
        clopt_json_append(&columns, clopt_json_text(grid->columns[c].label));
    for (size_t i = 0; i < grid->row_count; i++) {
        json_t *row = json_array();
        for (size_t c = 0; c < grid->column_count; c++)
            clopt_json_append(&row, cell_to_json(clopt_grid_cell(grid, i, c)));
        clopt_json_append(&rows, row);
    }
    return json_pack("{s:o, s:o, s:o, s:o}", "about", clopt_json_text(about), "heading",
                     clopt_json_text(grid->heading), "columns", columns, "rows", rows);
}

static void add_words(json_t *json, const struct clopt_document *document)
{
    const char *about = "";
    json_t *sentences = json_array(), *tables = json_array();
    for (size_t i = 0; i < document->count; i++) {
        const struct clopt_block *block = &document->blocks[i];
        if (block->extent & CLOPT_NOT_FULL)
            continue;
        if (block->kind == CLOPT_BLOCK_HEADING)
            about = block->text;
        if (block->kind == CLOPT_BLOCK_SENTENCE) {
            CLOPT_OWNED(clopt_text) plain = {0};
            clopt_sentence_append_plain(&plain, block->text);
            clopt_json_append(&sentences, clopt_json_text(clopt_text_string(&plain)));
        }
        if (block->kind == CLOPT_BLOCK_CODE)
            clopt_json_append(&sentences, clopt_json_text(block->code));
        if (block->kind == CLOPT_BLOCK_TABLE)
            clopt_json_append(&tables, table_to_json(&block->grid, about));
    }
    json_object_set_new(json, "sentences", sentences);
    json_object_set_new(json, "tables", tables);
}

enum clopt_status clopt_write_json(const struct clopt_document *document,
                                   const struct clopt_writing *writing, struct clopt_error *error)
{
    json_t *json = json_pack("{s:s, s:i}", "format", document->program, "schema", SCHEMA);
    for (size_t i = 0; i < document->count; i++) {
        const struct clopt_block *block = &document->blocks[i];
        if (block->kind == CLOPT_BLOCK_DATA)
            json_object_set(json, block->text, block->data);
        if (block->kind == CLOPT_BLOCK_ROWS)
            json_object_set_new(json, block->text, rows_to_json(block));
    }
    if (!clopt_document_has(document, CLOPT_BLOCK_ROWS))
        add_words(json, document);
    return clopt_json_print(json, writing->stream, "the report", error);
}
