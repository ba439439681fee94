/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints tables of variants and devices. */
#include "report/report_table.h"

#include <string.h>

#include "base/table.h"
#include "base/text.h"
#include "base/wrap.h"

#define INDENT         2
#define GAP            2  /* between columns */
#define NARROWEST_NAME 24 /* names are not broken to less */

/* ---- how cells become a table ---- */

/* The width of a device's two columns. */
static size_t device_width(const struct clopt_grid *grid, size_t device)
{
    size_t number = clopt_text_width(clopt_grid_label(grid, device));
    size_t comment = 0;
    for (size_t i = 0; i < grid->view->row_count; i++) {
        const struct clopt_cell *cell = clopt_grid_cell(grid, i, device);
        if (!grid->rows_shown[i] || !cell->number)
            continue;
        size_t own = clopt_text_width(cell->number);
        size_t beside = clopt_text_width(cell->comment) + strlen(cell->marks);
        beside += *cell->comment && *cell->marks;
        number = own > number ? own : number;
        comment = beside > comment ? beside : comment;
    }
    return number + (comment ? GAP + comment : 0);
}

/* How much of a name stands on one line: what leaves room for all columns side by side, or else for
 * the widest one. */
static size_t name_width(const struct clopt_grid *grid)
{
    size_t taken = INDENT + (grid->lines ? GAP + strlen("Lines") : 0);
    size_t widest = 0;
    size_t sum = 0;
    for (size_t d = 0; d < grid->columns; d++) {
        size_t width = clopt_grid_next_column(grid, d) == d ? GAP + device_width(grid, d) : 0;
        widest = width > widest ? width : widest;
        sum += width;
    }
    if (taken + sum + NARROWEST_NAME <= CLOPT_LINE_WIDTH)
        return CLOPT_LINE_WIDTH - taken - sum;
    taken += widest;
    return taken + NARROWEST_NAME < CLOPT_LINE_WIDTH ? CLOPT_LINE_WIDTH - taken : NARROWEST_NAME;
}

static void add_cell(struct clopt_table *table, const struct clopt_cell *cell, bool color)
{
    const char *before = cell->best && color ? "\033[1m" : "";
    const char *after = *before ? "\033[0m" : "";
    const char *comment = cell->comment ? cell->comment : "";
    clopt_table_cell(table, "%s%s%s", before, cell->number ? cell->number : "", after);
    clopt_table_cell(table, "%s%s%s%s%s", before, comment, *comment && *cell->marks ? " " : "",
                     cell->marks, after);
}

/* Whether a row has anything to show for the devices `first` to `end` (excluded). */
static bool is_shown(const struct clopt_grid *grid, size_t row, size_t first, size_t end)
{
    for (size_t d = first; grid->rows_shown[row] && d < end; d++)
        if (clopt_grid_cell(grid, row, d)->number)
            return true;
    return false;
}

/* Adds a variant with the devices `first` to `end` (excluded), on as many lines as its name needs.
 */
static void add_row(struct clopt_table *table, const struct clopt_grid *grid, size_t number,
                    size_t first, size_t end, size_t width, bool color)
{
    const struct clopt_view_row *row = &grid->view->rows[number];
    const char *rest = row->label;
    size_t part = clopt_name_part(rest, width);
    clopt_table_cell(table, "%.*s", (int)part, rest);
    if (grid->lines)
        clopt_table_cell(table, "%d", clopt_grid_lines(grid, number));
    for (size_t d = first; d < end; d++)
        add_cell(table, clopt_grid_cell(grid, number, d), color);
    clopt_table_end_row(table);
    for (rest += part; *rest; rest += part) {
        part = clopt_name_part(rest, width - 2);
        clopt_table_cell(table, "  %.*s", (int)part, rest);
        clopt_table_end_row(table);
    }
}

/* Prints the devices `first` to `end` (excluded). */
static enum clopt_status print_block(const struct clopt_grid *grid, size_t first, size_t end,
                                     size_t width, bool color, FILE *stream,
                                     struct clopt_error *error)
{
    struct clopt_text alignment = {0};
    clopt_text_append(&alignment, grid->lines ? "lr" : "l");
    for (size_t d = first; d < end; d++)
        clopt_text_append(&alignment, "rl");
    struct clopt_table *table =
        alignment.failed ? NULL : clopt_table_create(clopt_text_string(&alignment));
    clopt_text_fini(&alignment);
    if (!table)
        return clopt_fail_memory(error);
    clopt_table_cell(table, "Variant");
    if (grid->lines)
        clopt_table_cell(table, "Lines");
    for (size_t d = first; d < end; d++) {
        clopt_table_cell(table, "%s",
                         clopt_grid_next_column(grid, d) == d ? clopt_grid_label(grid, d) : "");
        clopt_table_cell(table, "%s", "");
    }
    clopt_table_end_row(table);
    clopt_table_rule(table);
    for (size_t i = 0; i < grid->view->row_count; i++)
        if (is_shown(grid, i, first, end))
            add_row(table, grid, i, first, end, width, color);
    enum clopt_status status = clopt_table_print(table, stream, INDENT, error);
    putc('\n', stream);
    clopt_table_destroy(table);
    return status;
}

/* How wide what stands left of the devices is, where names are broken to `most` characters. */
static size_t left_width(const struct clopt_grid *grid, size_t most)
{
    size_t names = strlen("Variant");
    for (size_t i = 0; i < grid->view->row_count; i++) {
        size_t part = grid->rows_shown[i] ? clopt_name_part(grid->view->rows[i].label, most) : 0;
        names = part > names ? part : names;
    }
    return INDENT + names + (grid->lines ? GAP + strlen("Lines") : 0);
}

/* Where a block of devices ends that begins with `first`: there is room for one, at least. */
static size_t block_end(const struct clopt_grid *grid, size_t first, size_t left)
{
    size_t width = left + GAP + device_width(grid, first);
    size_t end = first + 1;
    for (;;) {
        size_t more = clopt_grid_next_column(grid, end);
        if (more == grid->columns)
            return end;
        width += GAP + device_width(grid, more);
        if (width > CLOPT_LINE_WIDTH)
            return end;
        end = more + 1;
    }
}

enum clopt_status clopt_grid_print(struct clopt_grid *grid, bool color, FILE *stream,
                                   struct clopt_error *error)
{
    if (!grid->shown)
        return CLOPT_OK;
    struct clopt_text heading = {0};
    clopt_grid_heading(grid, &heading);
    fprintf(stream, "  %s\n\n", clopt_text_string(&heading));
    clopt_text_fini(&heading);
    enum clopt_status status = clopt_grid_align(grid, error);
    size_t most = name_width(grid);
    size_t left = left_width(grid, most);
    for (size_t first = clopt_grid_next_column(grid, 0); first < grid->columns && !status;) {
        size_t end = block_end(grid, first, left);
        status = print_block(grid, first, end, most, color, stream, error);
        first = clopt_grid_next_column(grid, end);
    }
    return status;
}
