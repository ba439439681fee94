/* SPDX-License-Identifier: BSD-3-Clause */
/* Grows, aligns and frees tables. */
#include "document/grid.h"

#include <math.h>

#include "number/number.h"
#include "text/array.h"
#include "text/text.h"

static void free_cell(struct clopt_cell *cell)
{
    free(cell->text);
    free(cell->comment);
    free(cell->whole);
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
    free_cell(&grid->spare);
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

/* Adds a column, and takes what its label says of it. */
static void add_column(struct clopt_grid *grid, const char *signs, struct clopt_text *label)
{
    struct clopt_column *column =
        clopt_array_add(&grid->columns, &grid->column_count, sizeof *column);
    if (column) {
        column->role = *signs == '*'   ? CLOPT_COLUMN_KEY
                       : *signs == '?' ? CLOPT_COLUMN_OPTIONAL
                                       : CLOPT_COLUMN_DATA;
        signs += *signs == '*' || *signs == '?';
        column->kind = *signs == '#'   ? CLOPT_COLUMN_COUNT
                       : *signs == '=' ? CLOPT_COLUMN_VALUE
                                       : CLOPT_COLUMN_NAME;
        column->label = clopt_text_take(label);
    }
    grid->failed |= !column || !column->label;
    clopt_text_fini(label);
}

void clopt_grid_add_column(struct clopt_grid *grid, const char *format, ...)
{
    struct clopt_text label = {0};
    va_list arguments;
    va_start(arguments, format);
    clopt_text_vprintf(&label, format + strspn(format, "*?#="), arguments);
    va_end(arguments);
    add_column(grid, format, &label);
}

void clopt_grid_add_columns(struct clopt_grid *grid, const char *labels)
{
    for (size_t length; *labels; labels += length + strspn(labels + length, ", ")) {
        struct clopt_text label = {0};
        size_t signs = strspn(labels, "*?#=");
        length = strcspn(labels, ",");
        clopt_text_append_bytes(&label, labels + signs, length - signs);
        add_column(grid, labels, &label);
    }
}

struct clopt_cell *clopt_grid_skip(struct clopt_grid *grid, size_t cells)
{
    if (grid->failed || grid->at + cells > grid->row_count * grid->column_count) {
        free_cell(&grid->spare);
        grid->spare = (struct clopt_cell){.text = NULL};
        return &grid->spare;
    }
    grid->at += cells;
    return &grid->cells[grid->at - 1];
}

struct clopt_cell *clopt_grid_put(struct clopt_grid *grid, const char *text)
{
    struct clopt_cell *cell = clopt_grid_skip(grid, 1);
    cell->text = strdup(text);
    cell->comment = strdup("");
    cell->decimals = -1;
    grid->failed |= !cell->text || !cell->comment;
    return cell;
}

struct clopt_cell *clopt_grid_add_row(struct clopt_grid *grid, const char *text)
{
    size_t count = grid->row_count * grid->column_count;
    struct clopt_cell *cells =
        grid->failed ? NULL : realloc(grid->cells, (count + grid->column_count) * sizeof *cells);
    grid->failed |= !cells;
    for (size_t c = 0; cells && c < grid->column_count; c++)
        cells[count + c] = (struct clopt_cell){.number = NAN, .low = NAN, .high = NAN};
    if (cells)
        grid->cells = cells;
    grid->row_count += cells != NULL;
    grid->at = count;
    return clopt_grid_put(grid, text);
}

void clopt_grid_remark(struct clopt_grid *grid, struct clopt_cell *cell, const char *remark)
{
    struct clopt_text text = {0};
    const char *before = cell->comment ? cell->comment : "";
    clopt_text_printf(&text, "%s%s%s", before, *before && *remark ? " " : "", remark);
    free(cell->comment);
    cell->comment = clopt_text_take(&text);
    grid->failed |= !cell->comment;
}

struct clopt_cell *clopt_grid_put_number(struct clopt_grid *grid, double number, int digits)
{
    int decimals = isnan(number) ? -1 : digits ? clopt_number_decimals(number, digits) : 0;
    struct clopt_cell *cell = clopt_grid_printf(grid, number, "%.*f", decimals, number);
    cell->decimals = decimals;
    return cell;
}

struct clopt_cell *clopt_grid_printf(struct clopt_grid *grid, double number, const char *format,
                                     ...)
{
    CLOPT_OWNED(clopt_text) text = {0};
    va_list arguments;
    va_start(arguments, format);
    clopt_text_vprintf(&text, format, arguments);
    va_end(arguments);
    struct clopt_cell *cell = clopt_grid_put(grid, isnan(number) ? "--" : clopt_text_string(&text));
    cell->number = number;
    grid->failed |= text.failed;
    return cell;
}

void clopt_cell_set_number(struct clopt_cell *cell, const struct clopt_interval *interval,
                           double unit)
{
    cell->number = interval->median / unit;
    cell->low = interval->low / unit;
    cell->high = interval->high / unit;
}

struct clopt_cell *clopt_grid_put_interval(struct clopt_grid *grid,
                                           const struct clopt_interval *interval, int digits,
                                           double unit)
{
    char comment[128];
    if (isnan(interval->median))
        return clopt_grid_skip(grid, 1);
    struct clopt_cell *cell = clopt_grid_put_number(grid, interval->median / unit, digits);
    snprintf(comment, sizeof comment, "[%.*f, %.*f]", cell->decimals, interval->low / unit,
             cell->decimals, interval->high / unit);
    clopt_grid_remark(grid, cell, comment);
    clopt_cell_set_number(cell, interval, unit);
    return cell;
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

static void find_decimals(struct clopt_grid *grid, size_t column)
{
    struct clopt_column *to = &grid->columns[column];
    for (size_t i = 0; i < grid->row_count && to->kind == CLOPT_COLUMN_VALUE; i++)
        if (clopt_grid_cell(grid, i, column)->decimals > to->decimals)
            to->decimals = clopt_grid_cell(grid, i, column)->decimals;
}

/* Moves all cells that stay to where they are without the empty columns. */
bool clopt_grid_finish(struct clopt_grid *grid)
{
    size_t kept = 0, cells = 0;
    CLOPT_FREED bool *dropped = calloc(grid->column_count + 1, sizeof *dropped);
    grid->failed |= !dropped;
    if (grid->failed)
        return false;
    for (size_t c = 0; c < grid->column_count; c++)
        dropped[c] = grid->columns[c].role == CLOPT_COLUMN_OPTIONAL && is_empty(grid, c);
    for (size_t c = 0; c < grid->column_count; c++)
        find_decimals(grid, c);
    for (size_t i = 0; i < grid->row_count * grid->column_count; i++)
        if (!dropped[i % grid->column_count])
            grid->cells[cells++] = grid->cells[i];
    for (size_t c = 0; c < grid->column_count; c++)
        if (dropped[c])
            free(grid->columns[c].label);
        else
            grid->columns[kept++] = grid->columns[c];
    grid->column_count = kept;
    return true;
}

size_t clopt_grid_width(const struct clopt_grid *grid, size_t column)
{
    size_t text = clopt_text_width(grid->columns[column].label);
    size_t comment = 0;
    for (size_t i = 0; i < grid->row_count; i++) {
        const struct clopt_cell *cell = clopt_grid_cell(grid, i, column);
        if (!cell->text)
            continue;
        size_t own = clopt_text_width(cell->text) + clopt_grid_blanks(grid, cell, column);
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

size_t clopt_grid_blanks(const struct clopt_grid *grid, const struct clopt_cell *cell,
                         size_t column)
{
    int most = grid->columns[column].decimals;
    if (!most || !cell->text)
        return 0;
    return (size_t)(cell->decimals <= 0 ? most + 1 : most - cell->decimals);
}

size_t clopt_name_part(const char *name, size_t width)
{
    size_t part = 0, kernel = 0;
    if (strlen(name) <= width)
        return strlen(name);
    for (size_t i = 0; name[i] && (i < width || part == 0); i++) {
        bool ends = strncmp(name + i, ", ", 2) == 0;
        if (ends || name[i] == '+' || name[i] == ',')
            part = i + 1 + ends;
        if (ends)
            kernel = part;
    }
    return kernel ? kernel : part ? part : strlen(name);
}

/* ---- numbered notes below tables ---- */

/* Returns the number of a note, from 1; 0 when memory runs out. */
static size_t number_of(struct clopt_notes *notes, const char *text)
{
    const json_t *known = json_object_get(notes->numbers, text);
    if (known)
        return (size_t)json_integer_value(known);
    if (!notes->numbers)
        notes->numbers = json_object();
    char **added = clopt_array_add(&notes->texts, &notes->count, sizeof *added);
    if (!added || !(*added = strdup(text)))
        return 0;
    /* A driver's message may be no UTF-8. */
    json_t *number = json_integer((json_int_t)notes->count);
    return json_object_set_new_nocheck(notes->numbers, text, number) ? 0 : notes->count;
}

void clopt_notes_add(struct clopt_notes *notes, const char *note, struct clopt_cell *cell)
{
    size_t length = strlen(cell->marks);
    size_t number = number_of(notes, note);
    notes->failed |= number == 0;
    if (number)
        snprintf(cell->marks + length, sizeof cell->marks - length, "[%zu]", number);
}

void clopt_notes_fini(struct clopt_notes *notes)
{
    for (size_t i = 0; i < notes->count; i++)
        free(notes->texts[i]);
    free(notes->texts);
    json_decref(notes->numbers);
    *notes = (struct clopt_notes){0};
}
