/* SPDX-License-Identifier: BSD-3-Clause */
/* Fills the cells of tables of times and of speed-ups. */
#include "report/grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"

struct clopt_cell *clopt_grid_cell(const struct clopt_grid *grid, size_t row, size_t device)
{
    return &grid->cells[row * grid->columns + device];
}

void clopt_grid_fini(struct clopt_grid *grid)
{
    for (size_t i = 0; grid->cells && i < grid->view->row_count; i++)
        for (size_t d = 0; d < grid->columns; d++) {
            free(clopt_grid_cell(grid, i, d)->number);
            free(clopt_grid_cell(grid, i, d)->comment);
        }
    free(grid->cells);
    free(grid->rows_shown);
}

static bool make_room(struct clopt_grid *grid, const struct clopt_view *view, size_t more_columns)
{
    *grid = (struct clopt_grid){.view = view};
    grid->columns = view->results->device_count + more_columns;
    grid->cells = calloc(view->row_count * grid->columns + 1, sizeof *grid->cells);
    grid->rows_shown = calloc(view->row_count + 1, sizeof *grid->rows_shown);
    return grid->cells && grid->rows_shown;
}

/* Makes room for the devices and those with published times, which are known of kernels. */
static bool grid_init(struct clopt_grid *grid, const struct clopt_view *view)
{
    return make_room(grid, view,
                     view->scope == CLOPT_SCOPE_KERNEL ? view->results->published_count : 0);
}

enum clopt_status clopt_grid_init(struct clopt_grid *grid, const struct clopt_view *view,
                                  const char *summary, struct clopt_error *error)
{
    bool good = make_room(grid, view, 1);
    grid->summary = summary;
    return good ? CLOPT_OK : clopt_fail_memory(error);
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

bool clopt_cell_fill(struct clopt_cell *cell, const char *number, int decimals, const char *comment)
{
    cell->number = strdup(number);
    cell->comment = strdup(comment);
    cell->decimals = decimals;
    return cell->number && cell->comment;
}

void clopt_cell_mention_alias(struct clopt_cell *cell, const struct clopt_view_row *row,
                              const struct clopt_result *result, struct clopt_footnotes *notes,
                              char *comment, size_t comment_size)
{
    if (result->alias == CLOPT_NO_ROW)
        return;
    const char *other = row->table->rows[result->alias].name;
    size_t length = strlen(comment);
    if (strlen(other) <= CLOPT_LONGEST_ALIAS) {
        snprintf(comment + length, comment_size - length, "%s= %s", length ? " " : "", other);
        return;
    }
    struct clopt_text note = {0};
    clopt_text_printf(&note, "the same code as %s", other);
    clopt_footnotes_add(notes, clopt_text_string(&note), cell->marks, sizeof cell->marks);
    clopt_text_fini(&note);
}

static bool fill_time(struct clopt_cell *cell, const struct clopt_view *view,
                      const struct clopt_view_row *row, const struct clopt_result *result,
                      const struct unit *unit, struct clopt_footnotes *notes)
{
    const struct clopt_interval *interval = &result->times[view->scope].interval;
    char comment[128] = "";
    char number[64];
    if (!clopt_result_shown(result, view->scope)) {
        const char *word =
            clopt_footnotes_mark_missing(notes, result, cell->marks, sizeof cell->marks);
        return clopt_cell_fill(cell, "--", -1, word);
    }
    double median = interval->median / unit->nanoseconds;
    int decimals = clopt_number_decimals(median, 4);
    snprintf(number, sizeof number, "%.*f", decimals, median);
    if (!result->borrowed)
        snprintf(comment, sizeof comment, "[%.*f, %.*f]", decimals,
                 interval->low / unit->nanoseconds, decimals, interval->high / unit->nanoseconds);
    clopt_cell_mention_alias(cell, row, result, notes, comment, sizeof comment);
    clopt_footnotes_mark_time(notes, result, view->scope, cell->marks, sizeof cell->marks);
    cell->best = result->times[view->scope].best;
    return clopt_cell_fill(cell, number, decimals, comment);
}

int clopt_speedup_print(char *text, size_t size, double speedup)
{
    int decimals = clopt_number_decimals(speedup, 3);
    snprintf(text, size, "%.*f", decimals, speedup);
    return decimals;
}

static bool fill_speedup(struct clopt_cell *cell, const struct clopt_view *view,
                         const struct clopt_view_row *row, const struct clopt_result *result,
                         struct clopt_footnotes *notes)
{
    const struct clopt_result_time *time = &result->times[view->scope];
    const struct clopt_interval *speedup = &time->speedup;
    char comment[128] = "";
    char number[64];
    if (!clopt_result_shown(result, view->scope))
        return clopt_cell_fill(cell, "--", -1, "");
    if (isnan(speedup->median)) {
        clopt_footnotes_add(notes, "no time of the initial code to compare with", cell->marks,
                            sizeof cell->marks);
        return clopt_cell_fill(cell, "--", -1, "");
    }
    int decimals = clopt_speedup_print(number, sizeof number, speedup->median);
    if (!result->borrowed && !time->different)
        snprintf(comment, sizeof comment, "no difference");
    else if (!result->borrowed)
        snprintf(comment, sizeof comment, "[%.*f, %.*f]", decimals, speedup->low, decimals,
                 speedup->high);
    clopt_cell_mention_alias(cell, row, result, notes, comment, sizeof comment);
    clopt_footnotes_mark_ratio(notes, result, speedup, "the initial code", cell->marks,
                               sizeof cell->marks);
    cell->best = time->best;
    return clopt_cell_fill(cell, number, decimals, comment);
}

/* Fills the cells of a row that are published: with times in a unit, or with speed-ups. */
static bool fill_published(const struct clopt_grid *grid, size_t number, const struct unit *unit,
                           struct clopt_footnotes *notes)
{
    const struct clopt_results_row *row = grid->view->rows[number].row;
    size_t first = grid->view->results->device_count;
    for (size_t i = 0; i < row->published_count && first + i < grid->columns; i++) {
        const struct clopt_published_time *time = &row->published[i];
        double value = unit ? time->time_ns / unit->nanoseconds : time->speedup;
        struct clopt_cell *cell = clopt_grid_cell(grid, number, first + i);
        char text[64] = "--";
        int decimals = -1;
        if (!time->figure)
            continue;
        if (isfinite(value)) {
            decimals = clopt_number_decimals(value, unit ? 4 : 3);
            snprintf(text, sizeof text, "%.*f", decimals, value);
        } else if (unit) {
            struct clopt_text note = {0};
            clopt_text_printf(&note, "%s, figure %s: %s", grid->view->results->published[i].source,
                              time->figure, time->outcome);
            clopt_footnotes_add(notes, clopt_text_string(&note), cell->marks, sizeof cell->marks);
            clopt_text_fini(&note);
        }
        if (!clopt_cell_fill(cell, text, decimals, ""))
            return false;
    }
    return true;
}

/* ---- whole tables ---- */

int clopt_grid_lines(const struct clopt_grid *grid, size_t row)
{
    int most = 0;
    for (size_t d = 0; d < grid->view->results->device_count; d++) {
        int lines = grid->view->rows[row].row->cells[d].trial.lines_changed;
        most = lines > most ? lines : most;
    }
    return most;
}

enum clopt_status clopt_grid_fill_times(struct clopt_grid *grid, const struct clopt_view *view,
                                        struct clopt_footnotes *notes, struct clopt_error *error)
{
    struct unit unit = choose_unit(view);
    bool good = grid_init(grid, view);
    grid->unit = unit.name;
    grid->shown = view->row_count > 0;
    for (size_t i = 0; i < view->row_count && good; i++) {
        grid->rows_shown[i] = true;
        for (size_t d = 0; d < view->results->device_count && good; d++)
            if (view->rows[i].row->cells[d].present)
                good = fill_time(clopt_grid_cell(grid, i, d), view, &view->rows[i],
                                 &view->rows[i].row->cells[d], &unit, notes);
        good = good && fill_published(grid, i, &unit, notes);
    }
    return good ? CLOPT_OK : clopt_fail_memory(error);
}

enum clopt_status clopt_grid_fill_speedups(struct clopt_grid *grid, const struct clopt_view *view,
                                           struct clopt_footnotes *notes, struct clopt_error *error)
{
    bool good = grid_init(grid, view);
    for (size_t i = 0; i < view->row_count && good; i++) {
        if (view->rows[i].initial)
            continue;
        for (size_t d = 0; d < view->results->device_count && good; d++) {
            const struct clopt_result *result = &view->rows[i].row->cells[d];
            grid->rows_shown[i] |= clopt_result_shown(result, view->scope);
            if (result->present)
                good =
                    fill_speedup(clopt_grid_cell(grid, i, d), view, &view->rows[i], result, notes);
        }
        good = good && fill_published(grid, i, NULL, notes);
        grid->shown |= grid->rows_shown[i];
        grid->lines |= grid->rows_shown[i] && clopt_grid_lines(grid, i) > 0;
    }
    return good ? CLOPT_OK : clopt_fail_memory(error);
}

void clopt_grid_heading(const struct clopt_grid *grid, struct clopt_text *heading)
{
    if (grid->heading)
        clopt_text_append(heading, grid->heading);
    else if (grid->unit)
        clopt_text_printf(heading, "Median execution time in %s [95%% interval]", grid->unit);
    else
        clopt_text_printf(heading, "Speed-up over the initial code [95%% interval]%s",
                          grid->lines ? ", lines of source changed" : "");
}

const char *clopt_grid_label(const struct clopt_grid *grid, size_t column)
{
    const struct clopt_results *results = grid->view->results;
    if (column < results->device_count)
        return results->devices[column].label;
    return grid->summary ? grid->summary : results->published[column - results->device_count].label;
}

/* Whether there is anything below the label of a column; those of devices always stand. */
static bool column_shown(const struct clopt_grid *grid, size_t column)
{
    for (size_t i = 0; i < grid->view->row_count; i++)
        if (grid->rows_shown[i] && clopt_grid_cell(grid, i, column)->number)
            return true;
    return column < grid->view->results->device_count;
}

size_t clopt_grid_next_column(const struct clopt_grid *grid, size_t column)
{
    while (column < grid->columns && !column_shown(grid, column))
        column++;
    return column;
}

/* Brings the decimal points of a device's numbers into line. */
static bool align_points(struct clopt_grid *grid, size_t device)
{
    int most = 0;
    for (size_t i = 0; i < grid->view->row_count; i++)
        if (clopt_grid_cell(grid, i, device)->decimals > most)
            most = clopt_grid_cell(grid, i, device)->decimals;
    for (size_t i = 0; i < grid->view->row_count; i++) {
        struct clopt_cell *cell = clopt_grid_cell(grid, i, device);
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

enum clopt_status clopt_grid_align(struct clopt_grid *grid, struct clopt_error *error)
{
    for (size_t d = 0; d < grid->columns; d++)
        if (!align_points(grid, d))
            return clopt_fail_memory(error);
    return CLOPT_OK;
}
