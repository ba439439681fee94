/* SPDX-License-Identifier: BSD-3-Clause */
/* Grows, aligns and frees tables. */
#include "document/grid.h"

#include <ctype.h>
#include <math.h>

#include "number/number.h"

void clopt_grid_fini(struct clopt_grid *grid)
{
    for (size_t i = 0; i < grid->row_count * grid->column_count; i++) {
        free(grid->cells[i].text);
        free(grid->cells[i].comment);
        free(grid->cells[i].whole);
    }
    for (size_t i = 0; i < grid->column_count; i++)
        free(grid->columns[i].label);
    free(grid->columns);
    free(grid->cells);
    free(grid->heading);
    *grid = (struct clopt_grid){0};
}

void clopt_grid_set_heading(struct clopt_grid *grid, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    free(grid->heading);
    grid->heading = clopt_text_vformat(format, arguments);
    va_end(arguments);
}

/* Adds a column, which signs before its label tell more of; takes the label. */
static void add_column(struct clopt_grid *grid, const char *signs, char *label)
{
    struct clopt_column *column =
        clopt_array_add(&grid->columns, &grid->column_count, sizeof *column);
    column->label = label;
    for (; *signs == '*' || *signs == '?'; signs++)
        *(*signs == '*' ? &column->key : &column->optional) = true;
    column->kind = *signs == '#'   ? CLOPT_COLUMN_COUNT
                   : *signs == '=' ? CLOPT_COLUMN_VALUE
                                   : CLOPT_COLUMN_NAME;
}

void clopt_grid_add_column(struct clopt_grid *grid, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_column(grid, format, clopt_text_vformat(format + strspn(format, "*?#="), arguments));
    va_end(arguments);
}

void clopt_grid_add_columns(struct clopt_grid *grid, const char *labels)
{
    for (size_t length; *labels; labels += length + strspn(labels + length, ", ")) {
        size_t signs = strspn(labels, "*?#=");
        length = strcspn(labels, ",");
        add_column(grid, labels, clopt_strndup(labels + signs, length - signs));
    }
}

struct clopt_cell *clopt_grid_skip(struct clopt_grid *grid, size_t cells)
{
    grid->at += cells;
    return &grid->cells[grid->at - 1];
}

/* Fills the next cell, takes its text. */
static struct clopt_cell *take_text(struct clopt_grid *grid, char *text)
{
    struct clopt_cell *cell = clopt_grid_skip(grid, 1);
    cell->text = text;
    cell->comment = clopt_strdup("");
    cell->decimals = -1;
    return cell;
}

struct clopt_cell *clopt_grid_put(struct clopt_grid *grid, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    struct clopt_cell *cell = take_text(grid, clopt_text_vformat(format, arguments));
    va_end(arguments);
    return cell;
}

struct clopt_cell *clopt_grid_put_if(struct clopt_grid *grid, bool filled, const char *text)
{
    return filled ? clopt_grid_put(grid, "%s", text) : clopt_grid_skip(grid, 1);
}

struct clopt_cell *clopt_grid_add_row(struct clopt_grid *grid, const char *format, ...)
{
    size_t count = grid->row_count * grid->column_count;
    va_list arguments;
    grid->cells = clopt_realloc(grid->cells, count + grid->column_count, sizeof *grid->cells);
    for (size_t c = 0; c < grid->column_count; c++)
        grid->cells[count + c] = (struct clopt_cell){.number = NAN, .low = NAN, .high = NAN};
    grid->row_count++;
    grid->at = count;
    va_start(arguments, format);
    struct clopt_cell *cell = take_text(grid, clopt_text_vformat(format, arguments));
    va_end(arguments);
    return cell;
}

void clopt_cell_remark(struct clopt_cell *cell, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    CLOPT_FREED char *before = cell->comment, *remark = clopt_text_vformat(format, arguments);
    va_end(arguments);
    bool apart = before && *before && *remark;
    cell->comment = clopt_text_format("%s%s%s", before ? before : "", apart ? " " : "", remark);
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
    va_list arguments;
    if (isnan(number))
        return clopt_grid_put(grid, "--");
    va_start(arguments, format);
    struct clopt_cell *cell = take_text(grid, clopt_text_vformat(format, arguments));
    va_end(arguments);
    cell->number = number;
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
    if (isnan(interval->median))
        return clopt_grid_skip(grid, 1);
    struct clopt_cell *cell = clopt_grid_put_number(grid, interval->median / unit, digits);
    clopt_cell_remark(cell, "[%.*f, %.*f]", cell->decimals, interval->low / unit, cell->decimals,
                      interval->high / unit);
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
void clopt_grid_finish(struct clopt_grid *grid)
{
    size_t kept = 0, cells = 0;
    CLOPT_FREED bool *dropped = clopt_calloc(grid->column_count, sizeof *dropped);
    for (size_t c = 0; c < grid->column_count; c++)
        dropped[c] = grid->columns[c].optional && is_empty(grid, c);
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

size_t clopt_grid_first(const struct clopt_grid *grid)
{
    size_t first = 0;
    while (first < grid->column_count && grid->columns[first].key)
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
    return grid->columns[column].key || (column >= first && column < end);
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

/* Returns the number of a note, from 1. */
static size_t number_of(struct clopt_notes *notes, const char *text)
{
    const json_t *known = json_object_get(notes->numbers, text);
    if (known)
        return (size_t)json_integer_value(known);
    if (!notes->numbers)
        notes->numbers = json_object();
    char **added = clopt_array_add(&notes->texts, &notes->count, sizeof *added);
    *added = clopt_strdup(text);
    /* A driver's message may be no UTF-8. */
    json_object_set_new_nocheck(notes->numbers, text, json_integer((json_int_t)notes->count));
    return notes->count;
}

void clopt_notes_add(struct clopt_notes *notes, struct clopt_cell *cell, const char *format, ...)
{
    size_t length = strlen(cell->marks);
    va_list arguments;
    va_start(arguments, format);
    CLOPT_FREED char *note = clopt_text_vformat(format, arguments);
    va_end(arguments);
    size_t number = number_of(notes, note);
    snprintf(cell->marks + length, sizeof cell->marks - length, "[%zu]", number);
}

char *clopt_note_kind(const char *note)
{
    struct clopt_text kind = {0};
    for (; *note; note++)
        if (!isdigit((unsigned char)*note) || !isdigit((unsigned char)note[1]))
            clopt_text_append_char(&kind, isdigit((unsigned char)*note) ? '0' : *note);
    return clopt_text_take(&kind);
}

void clopt_notes_fini(struct clopt_notes *notes)
{
    for (size_t i = 0; i < notes->count; i++)
        free(notes->texts[i]);
    free(notes->texts);
    json_decref(notes->numbers);
    *notes = (struct clopt_notes){0};
}
