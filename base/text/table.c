/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints rows of cells as an aligned table. */
#include "text/table.h"

#include "text/text.h"

#define LEAST_TEXT 24 /* columns that running text wants to itself */

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
    bool wraps;
};

struct clopt_table *clopt_table_create(const char *alignment)
{
    struct clopt_table *table = clopt_calloc(1, sizeof *table);
    table->alignment = clopt_strdup(alignment);
    table->columns = strlen(alignment);
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
    return clopt_array_add(&table->rows, &table->count, sizeof *table->rows);
}

static void start_row(struct clopt_table *table)
{
    add_row(table)->cells = clopt_calloc(table->columns + 1, sizeof(char *));
    table->in_row = true;
}

/* Adds a cell, which is the table's then. */
static void add_cell(struct clopt_table *table, char *cell)
{
    if (!table->in_row)
        start_row(table);
    struct row *row = &table->rows[table->count - 1];
    if (row->count < table->columns)
        row->cells[row->count++] = cell;
    else
        free(cell);
}

/* Adds what is printable of each of the cells, which are between tabs where there are `several`. */
static void add_cells(struct clopt_table *table, bool several, const char *format,
                      va_list arguments)
{
    CLOPT_FREED char *cells = clopt_text_vformat(format, arguments);
    for (char *cell, *rest = cells; (cell = several ? strsep(&rest, "\t") : rest);) {
        struct clopt_text printable = {0};
        clopt_text_append_printable(&printable, cell);
        add_cell(table, clopt_text_take(&printable));
        rest = several ? rest : NULL;
    }
}

void clopt_table_cell(struct clopt_table *table, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_cells(table, false, format, arguments);
    va_end(arguments);
}

void clopt_table_row(struct clopt_table *table, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_cells(table, true, format, arguments);
    va_end(arguments);
    clopt_table_end_row(table);
}

void clopt_table_coloured_cell(struct clopt_table *table, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_cell(table, clopt_text_vformat(format, arguments));
    va_end(arguments);
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

void clopt_table_wrap(struct clopt_table *table)
{
    table->wraps = true;
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

/* Appends the first `columns` cells of a row. */
static void append_row(struct clopt_text *line, const struct clopt_table *table, size_t columns,
                       const struct row *row, const size_t *widths)
{
    bool first = true;
    for (size_t column = 0; column < columns; column++) {
        if (!widths[column])
            continue; /* nothing in it */
        if (!first)
            append_spaces(line, 2);
        append_cell(line, cell_text(row, column), table->alignment[column], widths[column]);
        first = false;
    }
}

static void drop_spaces(struct clopt_text *line)
{
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

/* Cuts the width of the last column to what a line has left for it. */
static void limit_text(const struct clopt_table *table, unsigned indent, size_t *widths)
{
    size_t last = table->columns - 1;
    size_t used = indent;
    for (size_t column = 0; column < last; column++)
        used += widths[column] ? widths[column] + 2 : 0;
    size_t room = used < CLOPT_LINE_WIDTH ? CLOPT_LINE_WIDTH - used : 0;
    if (widths[last] > room)
        widths[last] = room;
}

/* Prints a line of cells and the running text after it, or below. */
static bool print_wrapped(struct clopt_text *line, const char *text, unsigned indent, FILE *stream)
{
    size_t column = clopt_text_width(clopt_text_string(line)) + 2;
    if (!*text)
        drop_spaces(line);
    else if (column + LEAST_TEXT <= CLOPT_LINE_WIDTH ||
             column + clopt_text_width(text) <= CLOPT_LINE_WIDTH)
        append_spaces(line, 2);
    else {
        drop_spaces(line);
        column = indent + 4;
        clopt_text_append_char(line, '\n');
        append_spaces(line, column);
    }
    if (fputs(clopt_text_string(line), stream) == EOF)
        return false;
    clopt_wrap_print(stream, column, (unsigned)column, text);
    return !ferror(stream);
}

enum clopt_status clopt_table_print(const struct clopt_table *table, FILE *stream, unsigned indent,
                                    struct clopt_error *error)
{
    CLOPT_FREED size_t *widths = clopt_calloc(table->columns + 1, sizeof *widths);
    measure(table, widths);
    if (table->wraps)
        limit_text(table, indent, widths);
    CLOPT_OWNED(clopt_text) line = {0};
    bool written = true;
    for (size_t i = 0; i < table->count && written; i++) {
        const struct row *row = &table->rows[i];
        clopt_text_clear(&line);
        append_spaces(&line, indent);
        if (table->wraps && row->cells) {
            append_row(&line, table, table->columns - 1, row, widths);
            written = print_wrapped(&line, cell_text(row, table->columns - 1), indent, stream);
            continue;
        }
        if (row->cells)
            append_row(&line, table, table->columns, row, widths);
        else
            append_rule(&line, table, widths);
        drop_spaces(&line);
        written = fprintf(stream, "%s\n", clopt_text_string(&line)) >= 0;
    }
    return written ? CLOPT_OK : clopt_fail(error, CLOPT_FAILED, "a table could not be written");
}
