/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints tables of times and of speed-ups. */
#include "report/report_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/table.h"
#include "base/text.h"
#include "base/wrap.h"

#define INDENT         2
#define GAP            2  /* between columns */
#define NARROWEST_NAME 30 /* names are not broken to less */
#define LONGEST_ALIAS  24 /* longer names go to the notes */

/* What a result is shown as. */
struct cell {
    char *number; /* NULL: nothing at all */
    char *comment;
    int decimals; /* behind the point of the number; -1: it is none */
    bool bold;
};

/* All cells of a table, row by row. */
struct grid {
    const struct clopt_view *view;
    size_t columns; /* the devices, then those with published times */
    struct cell *cells;
    bool *rows_shown;
    bool lines; /* a column tells how many lines of the source were changed */
};

static struct cell *cell_at(const struct grid *grid, size_t row, size_t device)
{
    return &grid->cells[row * grid->columns + device];
}

static void grid_fini(struct grid *grid)
{
    for (size_t i = 0; grid->cells && i < grid->view->row_count; i++)
        for (size_t d = 0; d < grid->columns; d++) {
            free(cell_at(grid, i, d)->number);
            free(cell_at(grid, i, d)->comment);
        }
    free(grid->cells);
    free(grid->rows_shown);
}

static bool grid_init(struct grid *grid, const struct clopt_view *view)
{
    *grid = (struct grid){.view = view, .columns = view->results->device_count};
    if (view->scope == CLOPT_SCOPE_KERNEL)
        grid->columns += view->results->published_count;
    grid->cells = calloc(view->row_count * grid->columns + 1, sizeof *grid->cells);
    grid->rows_shown = calloc(view->row_count + 1, sizeof *grid->rows_shown);
    return grid->cells && grid->rows_shown;
}

/* ---- what stands in a cell ---- */

/* The largest unit of which the smallest time has at least one. */
struct unit {
    const char *name;
    double nanoseconds;
};

static struct unit choose_unit(const struct clopt_view *view)
{
    static const struct unit units[] = {{"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"ns", 1}};
    double smallest = INFINITY;
    for (size_t i = 0; i < view->row_count; i++)
        for (size_t d = 0; d < view->results->device_count; d++) {
            const struct clopt_result *cell = &view->rows[i].row->cells[d];
            if (clopt_result_shown(cell, view->scope))
                smallest = fmin(smallest, cell->times[view->scope].interval.median);
        }
    size_t i = 0;
    while (i < 3 && smallest < units[i].nanoseconds)
        i++;
    return units[i];
}

/* How many decimals show so many digits of a value. */
static int decimals_of(double value, int digits)
{
    int decimals = digits - 1;
    while (decimals > 0 && value >= 10 - 5 * pow(10, -digits)) { /* which would be printed as 10 */
        value /= 10;
        decimals--;
    }
    return decimals;
}

/* Fills a cell with a number and what belongs to it. */
static bool fill(struct cell *cell, const char *number, int decimals, const char *comment,
                 const char *marks)
{
    struct clopt_text text = {0};
    clopt_text_printf(&text, "%s%s%s", comment, *comment && *marks ? " " : "", marks);
    cell->number = strdup(number);
    cell->comment = clopt_text_take(&text);
    cell->decimals = decimals;
    return cell->number && cell->comment;
}

/* Says which other variant is the same code, in a note where its name is long. */
static void mention_alias(const struct clopt_view_row *row, const struct clopt_result *cell,
                          struct clopt_footnotes *notes, char *comment, size_t comment_size,
                          char *marks, size_t marks_size)
{
    if (cell->alias == CLOPT_NO_ROW)
        return;
    const char *other = row->table->rows[cell->alias].name;
    size_t length = strlen(comment);
    if (strlen(other) <= LONGEST_ALIAS) {
        snprintf(comment + length, comment_size - length, "%s= %s", length ? " " : "", other);
        return;
    }
    struct clopt_text note = {0};
    clopt_text_printf(&note, "the same code as %s", other);
    clopt_footnotes_add(notes, clopt_text_string(&note), marks, marks_size);
    clopt_text_fini(&note);
}

static bool fill_time(struct cell *cell, const struct clopt_view *view,
                      const struct clopt_view_row *row, const struct clopt_result *result,
                      const struct unit *unit, struct clopt_footnotes *notes)
{
    const struct clopt_interval *interval = &result->times[view->scope].interval;
    char marks[64] = "";
    char comment[128] = "";
    char number[64];
    if (!clopt_result_shown(result, view->scope)) {
        const char *word = clopt_footnotes_mark_missing(notes, result, marks, sizeof marks);
        return fill(cell, "--", -1, word, marks);
    }
    double median = interval->median / unit->nanoseconds;
    int decimals = decimals_of(median, 4);
    snprintf(number, sizeof number, "%.*f", decimals, median);
    if (!result->borrowed)
        snprintf(comment, sizeof comment, "[%.*f, %.*f]", decimals,
                 interval->low / unit->nanoseconds, decimals, interval->high / unit->nanoseconds);
    mention_alias(row, result, notes, comment, sizeof comment, marks, sizeof marks);
    clopt_footnotes_mark_time(notes, result, view->scope, marks, sizeof marks);
    cell->bold = result->times[view->scope].best;
    return fill(cell, number, decimals, comment, marks);
}

static bool fill_speedup(struct cell *cell, const struct clopt_view *view,
                         const struct clopt_view_row *row, const struct clopt_result *result,
                         struct clopt_footnotes *notes)
{
    const struct clopt_result_time *time = &result->times[view->scope];
    const struct clopt_interval *speedup = &time->speedup;
    char marks[64] = "";
    char comment[128] = "";
    char number[64];
    if (!clopt_result_shown(result, view->scope))
        return fill(cell, "--", -1, "", "");
    if (isnan(speedup->median)) {
        clopt_footnotes_add(notes, "no time of the initial code to compare with", marks,
                            sizeof marks);
        return fill(cell, "--", -1, "", marks);
    }
    int decimals = speedup->median < 0.1 ? 4
                   : speedup->median < 1 ? 3
                                         : decimals_of(speedup->median, 3);
    snprintf(number, sizeof number, "%.*f", decimals, speedup->median);
    if (!result->borrowed && !time->different)
        snprintf(comment, sizeof comment, "no difference");
    else if (!result->borrowed)
        snprintf(comment, sizeof comment, "[%.*f, %.*f]", decimals, speedup->low, decimals,
                 speedup->high);
    mention_alias(row, result, notes, comment, sizeof comment, marks, sizeof marks);
    if (!result->borrowed && speedup->processes == 0)
        clopt_footnotes_add(notes,
                            "measured in other processes than the initial code: the ratio of the "
                            "medians, and of the ends of their intervals",
                            marks, sizeof marks);
    else if (!result->borrowed && speedup->processes == 1)
        clopt_footnotes_add(notes,
                            result->trial.abandoned
                                ? CLOPT_NOTE_ABANDONED
                                : "from one process only: what others would give is not known",
                            marks, sizeof marks);
    cell->bold = time->best;
    return fill(cell, number, decimals, comment, marks);
}

/* Fills the cells of a row that are published: with times in a unit, or with speed-ups. */
static bool fill_published(const struct grid *grid, size_t number, const struct unit *unit,
                           struct clopt_footnotes *notes)
{
    const struct clopt_results_row *row = grid->view->rows[number].row;
    size_t first = grid->view->results->device_count;
    for (size_t i = 0; i < row->published_count && first + i < grid->columns; i++) {
        const struct clopt_published_time *time = &row->published[i];
        double value = unit ? time->time_ns / unit->nanoseconds : time->speedup;
        char text[64] = "--";
        char marks[64] = "";
        int decimals = -1;
        if (!time->figure)
            continue;
        if (isfinite(value)) {
            decimals = value < 1 ? 3 + (int)fmin(ceil(-log10(value)), 6) - !unit
                                 : decimals_of(value, unit ? 4 : 3);
            snprintf(text, sizeof text, "%.*f", decimals, value);
        } else if (unit) {
            struct clopt_text note = {0};
            clopt_text_printf(&note, "%s, figure %s: %s", grid->view->results->published[i].source,
                              time->figure, time->outcome);
            clopt_footnotes_add(notes, clopt_text_string(&note), marks, sizeof marks);
            clopt_text_fini(&note);
        }
        if (!fill(cell_at(grid, number, first + i), text, decimals, "", marks))
            return false;
    }
    return true;
}

/* ---- how cells become a table ---- */

/* Brings the decimal points of a device's numbers into line. */
static bool align_points(struct grid *grid, size_t device)
{
    int most = 0;
    for (size_t i = 0; i < grid->view->row_count; i++)
        if (cell_at(grid, i, device)->decimals > most)
            most = cell_at(grid, i, device)->decimals;
    for (size_t i = 0; i < grid->view->row_count; i++) {
        struct cell *cell = cell_at(grid, i, device);
        if (!cell->number || cell->decimals == most)
            continue;
        int behind = cell->decimals <= 0 ? most + 1 : most - cell->decimals;
        struct clopt_text text = {0};
        clopt_text_printf(&text, "%s%*s", cell->number, most ? behind : 0, "");
        free(cell->number);
        cell->number = clopt_text_take(&text);
        if (!cell->number)
            return false;
    }
    return true;
}

static const char *column_label(const struct grid *grid, size_t column)
{
    const struct clopt_results *results = grid->view->results;
    return column < results->device_count
               ? results->devices[column].label
               : results->published[column - results->device_count].label;
}

/* Whether there is anything below the label of a column; those of devices always stand. */
static bool column_shown(const struct grid *grid, size_t column)
{
    for (size_t i = 0; i < grid->view->row_count; i++)
        if (grid->rows_shown[i] && cell_at(grid, i, column)->number)
            return true;
    return column < grid->view->results->device_count;
}

/* The width of a device's two columns. */
static size_t device_width(const struct grid *grid, size_t device)
{
    size_t number = clopt_text_width(column_label(grid, device));
    size_t comment = 0;
    for (size_t i = 0; i < grid->view->row_count; i++) {
        const struct cell *cell = cell_at(grid, i, device);
        if (!grid->rows_shown[i] || !cell->number)
            continue;
        size_t own = clopt_text_width(cell->number);
        size_t beside = clopt_text_width(cell->comment);
        number = own > number ? own : number;
        comment = beside > comment ? beside : comment;
    }
    return number + (comment ? GAP + comment : 0);
}

/* How much of a name stands on one line: what leaves room for the widest device. */
static size_t name_width(const struct grid *grid)
{
    size_t widest = 0;
    for (size_t d = 0; d < grid->columns; d++) {
        size_t width = column_shown(grid, d) ? device_width(grid, d) : 0;
        widest = width > widest ? width : widest;
    }
    size_t taken = INDENT + GAP + widest + (grid->lines ? GAP + strlen("Lines") : 0);
    return taken + NARROWEST_NAME < CLOPT_LINE_WIDTH ? CLOPT_LINE_WIDTH - taken : NARROWEST_NAME;
}

/* Returns how many bytes of a name are printed before it goes on in the next line: up to the last
 * + or comma that fits. */
static size_t name_part(const char *name, size_t width)
{
    size_t part = 0;
    if (strlen(name) <= width)
        return strlen(name);
    for (size_t i = 0; name[i] && (i < width || part == 0); i++)
        if (name[i] == '+' || name[i] == ',')
            part = i + 1;
    return part ? part : strlen(name);
}

static void add_cell(struct clopt_table *table, const struct grid *grid, const struct cell *cell)
{
    const char *before = cell->bold && grid->view->color ? "\033[1m" : "";
    const char *after = *before ? "\033[0m" : "";
    clopt_table_cell(table, "%s%s%s", before, cell->number ? cell->number : "", after);
    clopt_table_cell(table, "%s%s%s", before, cell->comment ? cell->comment : "", after);
}

static int lines_changed(const struct clopt_view *view, const struct clopt_view_row *row)
{
    int most = 0;
    for (size_t d = 0; d < view->results->device_count; d++)
        if (row->row->cells[d].trial.lines_changed > most)
            most = row->row->cells[d].trial.lines_changed;
    return most;
}

/* Whether a row has anything to show for the devices `first` to `end` (excluded). */
static bool is_shown(const struct grid *grid, size_t row, size_t first, size_t end)
{
    for (size_t d = first; grid->rows_shown[row] && d < end; d++)
        if (cell_at(grid, row, d)->number)
            return true;
    return false;
}

/* Adds a variant with the devices `first` to `end` (excluded), on as many lines as its name needs.
 */
static void add_row(struct clopt_table *table, const struct grid *grid, size_t number, size_t first,
                    size_t end, size_t width)
{
    const struct clopt_view_row *row = &grid->view->rows[number];
    const char *rest = row->label;
    size_t part = name_part(rest, width);
    clopt_table_cell(table, "%.*s", (int)part, rest);
    if (grid->lines)
        clopt_table_cell(table, "%d", lines_changed(grid->view, row));
    for (size_t d = first; d < end; d++)
        add_cell(table, grid, cell_at(grid, number, d));
    clopt_table_end_row(table);
    for (rest += part; *rest; rest += part) {
        part = name_part(rest, width - 2);
        clopt_table_cell(table, "  %.*s", (int)part, rest);
        clopt_table_end_row(table);
    }
}

/* Prints the devices `first` to `end` (excluded). */
static enum clopt_status print_block(const struct grid *grid, size_t first, size_t end,
                                     size_t width, FILE *stream, struct clopt_error *error)
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
        clopt_table_cell(table, "%s", column_shown(grid, d) ? column_label(grid, d) : "");
        clopt_table_cell(table, "%s", "");
    }
    clopt_table_end_row(table);
    clopt_table_rule(table);
    for (size_t i = 0; i < grid->view->row_count; i++)
        if (is_shown(grid, i, first, end))
            add_row(table, grid, i, first, end, width);
    enum clopt_status status = clopt_table_print(table, stream, INDENT, error);
    putc('\n', stream);
    clopt_table_destroy(table);
    return status;
}

/* Returns the first column from number `column` on that is shown. */
static size_t next_column(const struct grid *grid, size_t column)
{
    while (column < grid->columns && !column_shown(grid, column))
        column++;
    return column;
}

static enum clopt_status print_grid(struct grid *grid, FILE *stream, struct clopt_error *error)
{
    enum clopt_status status = CLOPT_OK;
    for (size_t d = 0; d < grid->columns; d++)
        if (!align_points(grid, d))
            return clopt_fail_memory(error);
    size_t most = name_width(grid);
    size_t names = strlen("Variant");
    for (size_t i = 0; i < grid->view->row_count; i++) {
        size_t part = grid->rows_shown[i] ? name_part(grid->view->rows[i].label, most) : 0;
        names = part > names ? part : names;
    }
    for (size_t first = next_column(grid, 0); first < grid->columns && !status;) {
        size_t width = INDENT + names + (grid->lines ? GAP + strlen("Lines") : 0);
        size_t end = first + 1;
        width += GAP + device_width(grid, first);
        for (size_t more = next_column(grid, end); more < grid->columns;
             more = next_column(grid, end)) {
            width += GAP + device_width(grid, more);
            if (width > CLOPT_LINE_WIDTH)
                break;
            end = more + 1;
        }
        status = print_block(grid, first, end, most, stream, error);
        first = next_column(grid, end);
    }
    return status;
}

enum clopt_status clopt_view_print_times(const struct clopt_view *view,
                                         struct clopt_footnotes *notes, FILE *stream,
                                         struct clopt_error *error)
{
    struct unit unit = choose_unit(view);
    struct grid grid;
    bool good = grid_init(&grid, view);
    for (size_t i = 0; i < view->row_count && good; i++) {
        grid.rows_shown[i] = true;
        for (size_t d = 0; d < view->results->device_count && good; d++)
            if (view->rows[i].row->cells[d].present)
                good = fill_time(cell_at(&grid, i, d), view, &view->rows[i],
                                 &view->rows[i].row->cells[d], &unit, notes);
        good = good && fill_published(&grid, i, &unit, notes);
    }
    enum clopt_status status = good ? CLOPT_OK : clopt_fail_memory(error);
    if (!status) {
        fprintf(stream, "  Median execution time in %s [95%% interval]\n\n", unit.name);
        status = print_grid(&grid, stream, error);
    }
    grid_fini(&grid);
    return status;
}

enum clopt_status clopt_view_print_speedups(const struct clopt_view *view,
                                            struct clopt_footnotes *notes, FILE *stream,
                                            struct clopt_error *error)
{
    struct grid grid;
    bool good = grid_init(&grid, view);
    bool shown = false;
    for (size_t i = 0; i < view->row_count && good; i++) {
        if (view->rows[i].initial)
            continue;
        for (size_t d = 0; d < view->results->device_count && good; d++) {
            const struct clopt_result *result = &view->rows[i].row->cells[d];
            grid.rows_shown[i] |= clopt_result_shown(result, view->scope);
            if (result->present)
                good = fill_speedup(cell_at(&grid, i, d), view, &view->rows[i], result, notes);
        }
        good = good && fill_published(&grid, i, NULL, notes);
        shown |= grid.rows_shown[i];
        grid.lines |= grid.rows_shown[i] && lines_changed(view, &view->rows[i]) > 0;
    }
    enum clopt_status status = good ? CLOPT_OK : clopt_fail_memory(error);
    if (!status && shown) {
        fprintf(stream, "  Speed-up over the initial code [95%% interval]%s\n\n",
                grid.lines ? ", lines of source changed" : "");
        status = print_grid(&grid, stream, error);
    }
    grid_fini(&grid);
    return status;
}
