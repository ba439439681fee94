/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints tables for people. */
#include "report/report_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/table.h"
#include "base/text.h"
#include "base/wrap.h"

#define INDENT         2
#define GAP            2  /* between columns */
#define NARROWEST_NAME 24 /* names are not broken to less */

/* A table that is being printed. */
struct printing {
    const struct clopt_grid *grid;
    size_t *widths;     /* of the columns, as far as they are not broken */
    size_t most;        /* characters of a name on a line */
    const char **rests; /* of the names of a row, by column */
    bool color;
    FILE *stream;
};

/* ---- widths ---- */

static bool is_key(const struct clopt_grid *grid, size_t column)
{
    return grid->columns[column].role == CLOPT_COLUMN_KEY;
}

/* Sets how much of a name there is on a line: what leaves room for all columns side by side, or
 * else for the widest one. */
static void measure(struct printing *printing)
{
    const struct clopt_grid *grid = printing->grid;
    size_t keys = 0, sum = 0, widest = 0, name = 0;
    for (size_t c = 0; c < grid->column_count; c++) {
        size_t width = printing->widths[c] = clopt_grid_width(grid, c);
        if (grid->columns[c].kind == CLOPT_COLUMN_NAME && width > name)
            name = width;
        *(is_key(grid, c) ? &keys : &sum) += GAP + width;
        if (!is_key(grid, c) && GAP + width > widest)
            widest = GAP + width;
    }
    size_t taken = keys + sum - name; /* of which the first gap is the indentation */
    if (taken + NARROWEST_NAME > CLOPT_LINE_WIDTH)
        taken = keys + widest - name;
    printing->most =
        taken + NARROWEST_NAME < CLOPT_LINE_WIDTH ? CLOPT_LINE_WIDTH - taken : NARROWEST_NAME;
    for (size_t c = 0; c < grid->column_count; c++) {
        size_t part = strlen(grid->columns[c].label);
        if (grid->columns[c].kind != CLOPT_COLUMN_NAME)
            continue;
        for (size_t i = 0; i < grid->row_count; i++) {
            const char *text = clopt_grid_cell(grid, i, c)->text;
            size_t own = text ? clopt_name_part(text, printing->most) : 0;
            part = own > part ? own : part;
        }
        printing->widths[c] = part < printing->widths[c] ? part : printing->widths[c];
    }
}

/* ---- rows ---- */

/* Adds the next part of a name; later ones are indented. Returns whether there is more of it. */
static bool add_name(struct printing *printing, struct clopt_table *table, size_t column, bool more)
{
    const char **rest = &printing->rests[column];
    size_t part = clopt_name_part(*rest, printing->most - (more ? 2 : 0));
    size_t shown = part && (*rest)[part - 1] == ' ' ? part - 1 : part;
    clopt_table_cell(table, "%s%.*s", more && part ? "  " : "", (int)shown, *rest);
    *rest += part;
    return **rest != '\0';
}

static void add_value(const struct printing *printing, struct clopt_table *table,
                      const struct clopt_cell *cell)
{
    const char *before = !printing->color ? ""
                         : cell->best     ? "\033[1m"
                         : cell->equal    ? "\033[2m"
                                          : "";
    const char *after = *before ? "\033[0m" : "";
    const char *comment = cell->comment ? cell->comment : "";
    clopt_table_coloured_cell(table, "%s%s%s", before, cell->text ? cell->text : "", after);
    clopt_table_coloured_cell(table, "%s%s%s%s%s", before, comment,
                              *comment && *cell->marks ? " " : "", cell->marks, after);
}

/* Adds a line of a row, the first one or one with `more` of its names; returns whether there is
 * another one. */
static bool add_line(struct printing *printing, struct clopt_table *table, size_t row, size_t first,
                     size_t end, bool more)
{
    const struct clopt_grid *grid = printing->grid;
    static const struct clopt_cell nothing = {.text = NULL};
    bool another = false;
    for (size_t c = 0; c < grid->column_count; c++) {
        const struct clopt_cell *cell = more ? &nothing : clopt_grid_cell(grid, row, c);
        if (!clopt_grid_in_block(grid, c, first, end))
            continue;
        if (grid->columns[c].kind == CLOPT_COLUMN_NAME)
            another |= add_name(printing, table, c, more);
        else if (grid->columns[c].kind == CLOPT_COLUMN_COUNT)
            clopt_table_cell(table, "%s", cell->text ? cell->text : "");
        else
            add_value(printing, table, cell);
    }
    clopt_table_end_row(table);
    return another;
}

/* Whether a row has something to show in a block. */
static bool is_shown(const struct clopt_grid *grid, size_t row, size_t first, size_t end)
{
    for (size_t c = first; c < end; c++)
        if (clopt_grid_cell(grid, row, c)->text && !is_key(grid, c))
            return true;
    return false;
}

static void add_row(struct printing *printing, struct clopt_table *table, size_t row, size_t first,
                    size_t end)
{
    const struct clopt_grid *grid = printing->grid;
    bool more = false;
    for (size_t c = 0; c < grid->column_count; c++) {
        const char *text = clopt_grid_cell(grid, row, c)->text;
        printing->rests[c] = text ? text : "";
    }
    while (add_line(printing, table, row, first, end, more))
        more = true;
}

/* ---- blocks ---- */

static struct clopt_table *create_table(const struct clopt_grid *grid, size_t first, size_t end)
{
    static const char *const letters[] = {
        [CLOPT_COLUMN_NAME] = "l", [CLOPT_COLUMN_COUNT] = "r", [CLOPT_COLUMN_VALUE] = "rl"};
    struct clopt_text alignment = {0};
    for (size_t c = 0; c < grid->column_count; c++)
        if (clopt_grid_in_block(grid, c, first, end))
            clopt_text_append(&alignment, letters[grid->columns[c].kind]);
    struct clopt_table *table =
        alignment.failed ? NULL : clopt_table_create(clopt_text_string(&alignment));
    clopt_text_fini(&alignment);
    return table;
}

/* Prints the columns `first` to `end` (excluded), and those that say what rows are about. */
static enum clopt_status print_block(struct printing *printing, size_t first, size_t end,
                                     struct clopt_error *error)
{
    const struct clopt_grid *grid = printing->grid;
    struct clopt_table *table = create_table(grid, first, end);
    if (!table)
        return clopt_fail_memory(error);
    for (size_t c = 0; c < grid->column_count; c++) {
        if (!clopt_grid_in_block(grid, c, first, end))
            continue;
        clopt_table_cell(table, "%s", grid->columns[c].label);
        if (grid->columns[c].kind == CLOPT_COLUMN_VALUE)
            clopt_table_cell(table, "%s", "");
    }
    clopt_table_end_row(table);
    clopt_table_rule(table);
    for (size_t i = 0; i < grid->row_count; i++)
        if (is_shown(grid, i, first, end))
            add_row(printing, table, i, first, end);
    enum clopt_status status = clopt_table_print(table, printing->stream, INDENT, error);
    clopt_table_destroy(table);
    return status;
}

enum clopt_status clopt_grid_print(struct clopt_grid *grid, bool color, FILE *stream,
                                   struct clopt_error *error)
{
    struct printing printing = {
        .grid = grid,
        .widths = calloc(grid->column_count + 1, sizeof *printing.widths),
        .rests = calloc(grid->column_count + 1, sizeof *printing.rests),
        .color = color,
        .stream = stream,
    };
    enum clopt_status status = printing.widths && printing.rests ? clopt_grid_align(grid, error)
                                                                 : clopt_fail_memory(error);
    if (!status)
        measure(&printing);
    if (!status && grid->heading)
        fprintf(stream, "  %s\n\n", grid->heading);
    for (size_t first = clopt_grid_first(grid), end; first < grid->column_count && !status;
         first = end) {
        end = clopt_grid_block_end(grid, printing.widths, first, CLOPT_LINE_WIDTH);
        status = print_block(&printing, first, end, error);
        if (end < grid->column_count)
            putc('\n', stream);
    }
    if (grid->left_out)
        fprintf(stream, "\n  Variants left out (--top): %zu\n", grid->left_out);
    free(printing.widths);
    free(printing.rests);
    return status;
}
