/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a document as CSV (RFC 4180): its rows for programs, or else its tables, a line a cell. */
#include <errno.h>
#include <math.h>

#include "formats/formats.h"

/* Whether a spreadsheet may take a text for a formula, which it then computes. */
static bool is_formula(const char *text)
{
    char *end = NULL;
    strtod(text, &end);
    return *text && strchr("=+-@", *text) && text[1] && *end;
}

/* Quotes a text where commas, quotes or line ends ask for it, after an apostrophe where it is no
 * number and begins as formulas do. */
static void print_text(FILE *stream, const char *text)
{
    CLOPT_OWNED(clopt_text) clean = {0};
    clopt_text_append(&clean, is_formula(text) ? "'" : "");
    clopt_text_append_printable_lines(&clean, text);
    const char *rest = clopt_text_string(&clean);
    bool quoted = strpbrk(rest, ",\"\n") != NULL;
    fputs(quoted ? "\"" : "", stream);
    for (; *rest; rest++) {
        if (*rest == '"')
            putc('"', stream);
        putc(*rest, stream);
    }
    fputs(quoted ? "\"" : "", stream);
}

/* Prints an object of lists by their first items: "barriers=64; branches=86". */
static void print_counters(FILE *stream, const json_t *object)
{
    CLOPT_OWNED(clopt_text) text = {0};
    const char *name;
    json_t *counter;
    json_object_foreach((json_t *)object, name, counter)
        clopt_text_printf(&text, "%s%s=%.10g", text.length ? "; " : "", name,
                          json_number_value(json_array_get(counter, 0)));
    print_text(stream, clopt_text_string(&text));
}

static void print_value(FILE *stream, const json_t *value)
{
    switch (value ? json_typeof(value) : JSON_NULL) {
    case JSON_STRING:
        print_text(stream, json_string_value(value));
        break;
    case JSON_INTEGER:
        fprintf(stream, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
        break;
    case JSON_REAL:
        fprintf(stream, "%.10g", json_real_value(value));
        break;
    case JSON_TRUE:
        fputs("yes", stream);
        break;
    case JSON_FALSE:
        fputs("no", stream);
        break;
    case JSON_OBJECT:
        print_counters(stream, value);
        break;
    default: /* null, or the row has ended: an empty field */
        break;
    }
}

static enum clopt_status end_line(FILE *stream, struct clopt_error *error)
{
    fputs("\r\n", stream);
    return ferror(stream)
               ? clopt_fail(error, CLOPT_FAILED, "cannot write the report: %s", strerror(errno))
               : CLOPT_OK;
}

static enum clopt_status write_rows(const struct clopt_block *block, FILE *stream,
                                    struct clopt_error *error)
{
    size_t index;
    const json_t *row;
    for (size_t c = 0; c < block->column_count; c++) {
        fputs(c ? "," : "", stream);
        print_text(stream, block->columns[c]);
    }
    CLOPT_TRY(end_line(stream, error));
    json_array_foreach(block->data, index, row)
    {
        for (size_t c = 0; c < block->column_count; c++) {
            fputs(c ? "," : "", stream);
            print_value(stream, json_array_get(row, c));
        }
        CLOPT_TRY(end_line(stream, error));
    }
    return CLOPT_OK;
}

/* ---- tables ---- */

static void print_number(FILE *stream, double number)
{
    fprintf(stream, isnan(number) ? "," : ",%.10g", number);
}

/* Prints a cell with the first of its row, which says what it is about. */
static enum clopt_status write_cell(const struct clopt_grid *grid, const char *heading, size_t row,
                                    size_t column, FILE *stream, struct clopt_error *error)
{
    const struct clopt_cell *cell = clopt_grid_cell(grid, row, column);
    const struct clopt_cell *first = clopt_grid_cell(grid, row, 0);
    const char *texts[] = {heading,
                           grid->heading ? grid->heading : "",
                           first->text ? first->text : "",
                           grid->columns[column].label,
                           cell->text ? cell->text : "",
                           cell->comment ? cell->comment : ""};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        fputs(i ? "," : "", stream);
        print_text(stream, texts[i]);
    }
    print_number(stream, cell->number);
    print_number(stream, cell->low);
    print_number(stream, cell->high);
    return end_line(stream, error);
}

/* Prints a sentence, or lines, where there is no table to print. */
static enum clopt_status write_words(const char *heading, const char *words, FILE *stream,
                                     struct clopt_error *error)
{
    CLOPT_OWNED(clopt_text) plain = {0};
    clopt_sentence_append_plain(&plain, words);
    print_text(stream, heading);
    fputs(",,,,", stream);
    print_text(stream, clopt_text_string(&plain));
    fputs(",,,,", stream);
    return end_line(stream, error);
}

static enum clopt_status write_tables(const struct clopt_document *document, FILE *stream,
                                      struct clopt_error *error)
{
    const char *heading = "";
    bool tables = clopt_document_has(document, CLOPT_BLOCK_TABLE);
    fputs("about,table,row,column,text,comment,number,low,high", stream);
    CLOPT_TRY(end_line(stream, error));
    for (size_t i = 0; i < document->count; i++) {
        const struct clopt_block *block = &document->blocks[i];
        if (block->kind == CLOPT_BLOCK_HEADING)
            heading = block->text;
        if (!tables && block->kind == CLOPT_BLOCK_SENTENCE)
            CLOPT_TRY(write_words(heading, block->text, stream, error));
        if (!tables && block->kind == CLOPT_BLOCK_CODE)
            CLOPT_TRY(write_words(heading, block->code, stream, error));
        if (block->kind != CLOPT_BLOCK_TABLE || (block->extent & CLOPT_NOT_FULL))
            continue;
        for (size_t row = 0; row < block->grid.row_count; row++)
            for (size_t c = 0; c < block->grid.column_count; c++)
                CLOPT_TRY(write_cell(&block->grid, heading, row, c, stream, error));
    }
    return CLOPT_OK;
}

enum clopt_status clopt_write_csv(const struct clopt_document *document,
                                  const struct clopt_writing *writing, struct clopt_error *error)
{
    for (size_t i = 0; i < document->count; i++)
        if (document->blocks[i].kind == CLOPT_BLOCK_ROWS)
            return write_rows(&document->blocks[i], writing->stream, error);
    return write_tables(document, writing->stream, error);
}
