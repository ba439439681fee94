/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints rows of cells as an aligned table. */
#include "base/table.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/wrap.h"

struct row {
    char **cells; /* one a column; NULL: a rule */
    size_t count;
};

struct clopt_table {
    char *alignment;
    size_t columns;
    struct row *rows; /* the last one may still grow */
    size_t count;
    bool in_row;
    bool failed; /* memory ran out: said when it is printed */
};

struct clopt_table *clopt_table_create(const char *alignment)
{
    struct clopt_table *table = calloc(1, sizeof *table);
    if (!table)
        return NULL;
    table->alignment = strdup(alignment);
    table->columns = strlen(alignment);
    if (!table->alignment) {
        free(table);
        return NULL;
    }
    return table;
}

void clopt_table_destroy(struct clopt_table *table)
{
    if (!table)
        return;
    for (size_t i = 0; i < table->count; i++) {
        for (size_t j = 0; j < table->rows[i].count; j++)
            free(table->rows[i].cells[j]);
        free(table->rows[i].cells);
    }
    free(table->rows);
    free(table->alignment);
    free(table);
}

static struct row *add_row(struct clopt_table *table)
{
    struct row *rows = realloc(table->rows, (table->count + 1) * sizeof *rows);
    if (!rows) {
        table->failed = true;
        return NULL;
    }
    table->rows = rows;
    rows[table->count] = (struct row){0};
    return &rows[table->count++];
}

static void start_row(struct clopt_table *table)
{
    struct row *row = add_row(table);
    if (!row)
        return;
    row->cells = calloc(table->columns + 1, sizeof *row->cells);
    if (!row->cells)
        table->failed = true;
    table->in_row = true;
}

void clopt_table_cell(struct clopt_table *table, const char *format, ...)
{
    if (!table->in_row)
        start_row(table);
    if (table->failed)
        return;
    struct row *row = &table->rows[table->count - 1];
    if (row->count == table->columns)
        return;
    struct clopt_text text = {0};
    va_list arguments;
    va_start(arguments, format);
    clopt_text_vprintf(&text, format, arguments);
    va_end(arguments);
    char *cell = clopt_text_take(&text);
    if (cell)
        row->cells[row->count++] = cell;
    else
        table->failed = true;
}

void clopt_table_end_row(struct clopt_table *table)
{
    if (!table->in_row)
        start_row(table); /* an empty line */
    table->in_row = false;
}

void clopt_table_rule(struct clopt_table *table)
{
    add_row(table);
}

static const char *cell_text(const struct row *row, size_t column)
{
    return column < row->count ? row->cells[column] : "";
}

static void append_spaces(struct clopt_text *line, size_t count)
{
    while (count--)
        clopt_text_append_char(line, ' ');
}

static void append_cell(struct clopt_text *line, const char *cell, char alignment, size_t width)
{
    size_t spare = width - clopt_text_width(cell);
    size_t before = alignment == 'r' ? spare : alignment == 'c' ? spare / 2 : 0;
    append_spaces(line, before);
    clopt_text_append(line, cell);
    append_spaces(line, spare - before);
}

static void append_row(struct clopt_text *line, const struct clopt_table *table,
                       const struct row *row, const size_t *widths)
{
    bool first = true;
    for (size_t column = 0; column < table->columns; column++) {
        if (!widths[column])
            continue; /* nothing in it */
        if (!first)
            append_spaces(line, 2);
        append_cell(line, cell_text(row, column), table->alignment[column], widths[column]);
        first = false;
    }
    while (line->length && line->data[line->length - 1] == ' ')
        line->data[--line->length] = '\0';
}

static void append_rule(struct clopt_text *line, const struct clopt_table *table,
                        const size_t *widths)
{
    size_t width = 0;
    for (size_t column = 0; column < table->columns; column++)
        if (widths[column])
            width += widths[column] + (width ? 2 : 0);
    while (width--)
        clopt_text_append_char(line, '-');
}

static void measure(const struct clopt_table *table, size_t *widths)
{
    for (size_t i = 0; i < table->count; i++)
        for (size_t column = 0; column < table->rows[i].count; column++) {
            size_t width = clopt_text_width(table->rows[i].cells[column]);
            if (width > widths[column])
                widths[column] = width;
        }
}

enum clopt_status clopt_table_print(const struct clopt_table *table, FILE *stream, unsigned indent,
                                    struct clopt_error *error)
{
    size_t *widths = calloc(table->columns + 1, sizeof *widths);
    if (!widths || table->failed) {
        free(widths);
        return clopt_fail_memory(error);
    }
    measure(table, widths);
    struct clopt_text line = {0};
    bool written = true;
    for (size_t i = 0; i < table->count && written; i++) {
        clopt_text_clear(&line);
        append_spaces(&line, indent);
        if (table->rows[i].cells)
            append_row(&line, table, &table->rows[i], widths);
        else
            append_rule(&line, table, widths);
        written = !line.failed && fprintf(stream, "%s\n", clopt_text_string(&line)) >= 0;
    }
    clopt_text_fini(&line);
    free(widths);
    return written ? CLOPT_OK : clopt_fail(error, CLOPT_FAILED, "a table could not be written");
}
