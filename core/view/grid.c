/* SPDX-License-Identifier: BSD-3-Clause */
/* Grows, aligns and frees tables. */
#include "view/grid.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/wrap.h"

static void free_cell(struct clopt_cell *cell)
{
    free(cell->text);
    free(cell->comment);
}

void clopt_grid_fini(struct clopt_grid *grid)
{
    for (size_t i = 0; i < grid->row_count * grid->column_count; i++)
        free_cell(&grid->cells[i]);
    for (size_t i = 0; i < grid->column_count; i++)
        free(grid->columns[i].label);
    free(grid->columns);
    free(grid->cells);
    free(grid->heading);
    *grid = (struct clopt_grid){0};
}

void clopt_grid_set_heading(struct clopt_grid *grid, const char *format, ...)
{
    struct clopt_text text = {0};
    va_list arguments;
    va_start(arguments, format);
    clopt_text_vprintf(&text, format, arguments);
    va_end(arguments);
    free(grid->heading);
    grid->heading = clopt_text_take(&text);
    grid->failed |= !grid->heading;
}

void clopt_grid_add_column(struct clopt_grid *grid, enum clopt_column_kind kind,
                           enum clopt_column_role role, const char *label)
{
    struct clopt_column *columns =
        realloc(grid->columns, (grid->column_count + 1) * sizeof *columns);
    char *copy = strdup(label);
    if (columns)
        grid->columns = columns;
    if (columns && copy)
        columns[grid->column_count++] = (struct clopt_column){copy, kind, role};
    else
        free(copy);
    grid->failed |= !columns || !copy;
}

struct clopt_cell *clopt_grid_add_row(struct clopt_grid *grid)
{
    size_t count = grid->row_count * grid->column_count;
    struct clopt_cell *cells =
        grid->failed ? NULL : realloc(grid->cells, (count + grid->column_count) * sizeof *cells);
    grid->failed |= !cells;
    if (!cells)
        return NULL;
    grid->cells = cells;
    grid->row_count++;
    return memset(&cells[count], 0, grid->column_count * sizeof *cells);
}

void clopt_grid_fill(struct clopt_grid *grid, struct clopt_cell *cell, const char *text,
                     int decimals, const char *comment)
{
    cell->text = strdup(text);
    cell->comment = strdup(comment);
    cell->decimals = decimals;
    grid->failed |= !cell->text || !cell->comment;
}

struct clopt_cell *clopt_grid_cell(const struct clopt_grid *grid, size_t row, size_t column)
{
    return &grid->cells[row * grid->column_count + column];
}

static bool is_empty(const struct clopt_grid *grid, size_t column)
{
    for (size_t i = 0; i < grid->row_count; i++)
        if (clopt_grid_cell(grid, i, column)->text)
            return false;
    return true;
}

/* Moves all cells that stay to where they are without the empty columns. */
enum clopt_status clopt_grid_finish(struct clopt_grid *grid, struct clopt_error *error)
{
    size_t kept = 0, cells = 0;
    bool *dropped = calloc(grid->column_count + 1, sizeof *dropped);
    if (grid->failed || !dropped) {
        free(dropped);
        return clopt_fail_memory(error);
    }
    for (size_t c = 0; c < grid->column_count; c++)
        dropped[c] = grid->columns[c].role == CLOPT_COLUMN_OPTIONAL && is_empty(grid, c);
    for (size_t i = 0; i < grid->row_count * grid->column_count; i++)
        if (!dropped[i % grid->column_count])
            grid->cells[cells++] = grid->cells[i];
    for (size_t c = 0; c < grid->column_count; c++)
        if (dropped[c])
            free(grid->columns[c].label);
        else
            grid->columns[kept++] = grid->columns[c];
    grid->column_count = kept;
    free(dropped);
    return CLOPT_OK;
}

size_t clopt_grid_width(const struct clopt_grid *grid, size_t column)
{
    size_t text = clopt_text_width(grid->columns[column].label);
    size_t comment = 0;
    for (size_t i = 0; i < grid->row_count; i++) {
        const struct clopt_cell *cell = clopt_grid_cell(grid, i, column);
        if (!cell->text)
            continue;
        size_t own = clopt_text_width(cell->text);
        size_t beside = clopt_text_width(cell->comment) + strlen(cell->marks);
        beside += *cell->comment && *cell->marks;
        text = own > text ? own : text;
        comment = beside > comment ? beside : comment;
    }
    return text + (comment ? 2 + comment : 0);
}

static bool is_key(const struct clopt_grid *grid, size_t column)
{
    return grid->columns[column].role == CLOPT_COLUMN_KEY;
}

size_t clopt_grid_first(const struct clopt_grid *grid)
{
    size_t first = 0;
    while (first < grid->column_count && is_key(grid, first))
        first++;
    return first;
}

size_t clopt_grid_block_end(const struct clopt_grid *grid, const size_t *widths, size_t first,
                            size_t room)
{
    size_t end = first + 1;
    size_t width = 2 + widths[first];
    for (size_t c = 0; c < clopt_grid_first(grid); c++)
        width += 2 + widths[c];
    while (end < grid->column_count && (width += 2 + widths[end]) <= room)
        end++;
    return end;
}

bool clopt_grid_in_block(const struct clopt_grid *grid, size_t column, size_t first, size_t end)
{
    return is_key(grid, column) || (column >= first && column < end);
}

/* Brings the decimal points of a column into line. */
static bool align_points(struct clopt_grid *grid, size_t column)
{
    int most = 0;
    for (size_t i = 0; i < grid->row_count; i++)
        if (clopt_grid_cell(grid, i, column)->decimals > most)
            most = clopt_grid_cell(grid, i, column)->decimals;
    for (size_t i = 0; i < grid->row_count; i++) {
        struct clopt_cell *cell = clopt_grid_cell(grid, i, column);
        if (!cell->text || cell->decimals == most)
            continue;
        int after = cell->decimals <= 0 ? most + 1 : most - cell->decimals;
        struct clopt_text text = {0};
        clopt_text_printf(&text, "%s%*s", cell->text, most ? after : 0, "");
        free(cell->text);
        cell->text = clopt_text_take(&text);
        if (!cell->text)
            return false;
    }
    return true;
}

enum clopt_status clopt_grid_align(struct clopt_grid *grid, struct clopt_error *error)
{
    for (size_t c = 0; c < grid->column_count; c++)
        if (grid->columns[c].kind == CLOPT_COLUMN_VALUE && !align_points(grid, c))
            return clopt_fail_memory(error);
    return CLOPT_OK;
}
