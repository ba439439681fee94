/* SPDX-License-Identifier: BSD-3-Clause */
/* Tabulates the times and speed-ups of variants. */
#include "analyses/analyses.h"

#include <ctype.h>
#include <math.h>

enum table_kind { TIMES, SPEEDUPS, BOTH };

/* A table that is being filled. */
struct filling {
    const struct clopt_view *view;
    struct clopt_grid *grid;
    struct clopt_notes *notes;
    struct clopt_unit unit;
    enum table_kind kind;
    bool lines, errors; /* it has columns of these */
};

static struct clopt_unit choose_unit(const struct clopt_view *view)
{
    double smallest = INFINITY;
    for (size_t i = 0; i < view->row_count; i++)
        for (size_t d = 0; d < view->results->device_count; d++) {
            const struct clopt_result *cell = &view->rows[i].row->cells[d];
            if (clopt_result_shown(cell, view->scope))
                smallest = fmin(smallest, cell->times[view->scope].interval.median);
        }
    return clopt_unit_choose(view->results->objective, smallest);
}

/* ---- cells ---- */

static void put_time(const struct filling *filling, const struct clopt_result *result)
{
    const enum clopt_scope scope = filling->view->scope;
    const struct clopt_interval *interval = &result->times[scope].interval;
    double unit_ns = filling->unit.nanounits;
    struct clopt_cell *cell;
    if (!clopt_result_shown(result, scope)) {
        double least = result->trial.least_ns / unit_ns;
        cell = least > 0 ? clopt_grid_put(filling->grid, "> %s", clopt_number_text(least, 3).text)
                         : clopt_grid_put(filling->grid, "--");
        clopt_cell_remark(cell, "%s", clopt_mark_missing(filling->notes, cell, result));
        return;
    }
    if (result->borrowed)
        cell = clopt_grid_put_number(filling->grid, interval->median / unit_ns, 4);
    else
        cell = clopt_grid_put_interval(filling->grid, interval, 4, unit_ns);
    if (filling->kind == TIMES)
        clopt_mark_alias(filling->notes, cell, result);
    clopt_mark_time(filling->notes, cell, result, scope);
    cell->best = result->times[scope].best;
}

static void put_speedup(const struct filling *filling, const struct clopt_result *result)
{
    const struct clopt_result_time *time = &result->times[filling->view->scope];
    struct clopt_cell *cell;
    if (!clopt_result_shown(result, filling->view->scope)) {
        clopt_grid_put(filling->grid, "--");
    } else if (isnan(time->speedup.median)) {
        clopt_notes_add(filling->notes, clopt_grid_put(filling->grid, "--"),
                        "no time of the initial code to compare with");
    } else {
        cell = clopt_grid_put_speedup(filling->grid, time, result->borrowed);
        clopt_mark_alias(filling->notes, cell, result);
        clopt_mark_ratio(filling->notes, cell, result, &time->speedup, "the initial code");
        cell->best = time->best;
    }
}

/* Fills a cell with what is published: a time or a speed-up. */
static void put_published(const struct filling *filling, const struct clopt_published_time *time,
                          size_t device, bool speedup)
{
    double value = speedup ? time->speedup : time->time_ns / filling->unit.nanounits;
    if (!time->figure) {
        clopt_grid_skip(filling->grid, 1);
        return;
    }
    struct clopt_cell *cell =
        clopt_grid_put_number(filling->grid, isfinite(value) ? value : NAN, speedup ? 3 : 4);
    if (!speedup && !isfinite(value))
        clopt_notes_add(filling->notes, cell, "%s, figure %s: %s",
                        filling->view->results->published[device].source, time->figure,
                        time->outcome);
}

/* ---- tables ---- */

/* Returns how many lines of the source a variant changes: none is there of others to change. */
static int lines_of(const struct clopt_view *view, size_t row)
{
    int most = 0;
    bool variant = !view->rows[row].initial && !view->rows[row].rival;
    for (size_t d = 0; variant && d < view->results->device_count; d++) {
        int lines = view->rows[row].row->cells[d].trial.lines_changed;
        most = lines > most ? lines : most;
    }
    return most;
}

/* Whether a row has a speed-up to show. */
static bool is_compared(const struct clopt_view *view, size_t row)
{
    bool shown = false;
    for (size_t d = 0; d < view->results->device_count; d++)
        shown |= clopt_result_shown(&view->rows[row].row->cells[d], view->scope);
    return shown && !view->rows[row].initial;
}

static bool tells_lines(const struct clopt_view *view)
{
    for (size_t i = 0; i < view->row_count; i++)
        if (is_compared(view, i) && lines_of(view, i) > 0)
            return true;
    return false;
}

/* Returns the largest error of a variant's results on any device, as verification has found it; 0:
 * there is none. */
static double error_of(const struct clopt_view *view, const struct clopt_results_row *row)
{
    double most = 0;
    for (size_t d = 0; d < view->results->device_count; d++) {
        const struct clopt_store_verdict *verdict = &row->cells[d].trial.verdict;
        if (row->cells[d].ranked && verdict->right && isfinite(verdict->error))
            most = fmax(most, verdict->error);
    }
    return most;
}

/* Whether some variant is clearly less accurate than the initial code. */
static bool tells_errors(const struct clopt_view *view)
{
    size_t initial = view->table->initial;
    double own = initial == CLOPT_NO_ROW ? 0 : error_of(view, &view->table->rows[initial]);
    for (size_t i = 0; i < view->row_count; i++)
        if (is_compared(view, i) && !view->rows[i].rival &&
            error_of(view, view->rows[i].row) > 2 * own)
            return true;
    return false;
}

/* Adds the columns of a device: of its times, its speed-ups, or both. */
static void add_columns(const struct filling *filling, bool optional, const char *label)
{
    const char *gain = clopt_objective_words(filling->view->results->objective)->gain;
    if (filling->kind != BOTH) {
        clopt_grid_add_column(filling->grid, optional ? "?=%s" : "=%s", label);
        return;
    }
    clopt_grid_add_column(filling->grid, optional ? "?=%s, %s" : "=%s, %s", label,
                          filling->unit.name);
    clopt_grid_add_column(filling->grid, optional ? "?=%s, %c%s" : "=%s, %c%s", label,
                          tolower((unsigned char)*gain), gain + 1);
}

static void set_heading(const struct filling *filling)
{
    const struct clopt_objective_words *words =
        clopt_objective_words(filling->view->results->objective);
    CLOPT_OWNED(clopt_text) text = {0};
    if (filling->kind == SPEEDUPS)
        clopt_text_append(&text, words->gain);
    else
        clopt_text_printf(&text, "Median %s", words->quantity);
    if (filling->kind == TIMES)
        clopt_text_printf(&text, " in %s", filling->unit.name);
    if (filling->kind == BOTH)
        clopt_text_printf(&text, " and %c%s", tolower((unsigned char)*words->gain),
                          words->gain + 1);
    clopt_grid_set_heading(filling->grid, "%s%s [95%% interval]%s%s", clopt_text_string(&text),
                           filling->kind == TIMES ? "" : " over the initial code",
                           filling->lines ? ", lines of source changed" : "",
                           filling->errors ? ", largest error of results" : "");
}

static void put_error(const struct filling *filling, const struct clopt_view_row *row)
{
    double error = error_of(filling->view, row->row);
    if (error > 0)
        clopt_grid_printf(filling->grid, error, "%.1e", error);
    else
        clopt_grid_printf(filling->grid, 0, "0");
}

static void add_row(const struct filling *filling, size_t number)
{
    const struct clopt_view *view = filling->view;
    const struct clopt_view_row *row = &view->rows[number];
    bool times = filling->kind != SPEEDUPS;
    bool speedups = filling->kind != TIMES;
    clopt_grid_add_row(filling->grid, "%s", row->label);
    if (filling->lines && row->rival)
        clopt_grid_skip(filling->grid, 1);
    else if (filling->lines)
        clopt_grid_put_number(filling->grid, lines_of(view, number), 0);
    if (filling->errors)
        put_error(filling, row);
    for (size_t d = 0; d < view->results->device_count; d++) {
        const struct clopt_result *result = &row->row->cells[d];
        if (result->present && times)
            put_time(filling, result);
        if (result->present && speedups && !row->initial)
            put_speedup(filling, result);
        else
            clopt_grid_skip(filling->grid, (result->present ? 0 : times) + (size_t)speedups);
    }
    size_t published = view->scope == CLOPT_SCOPE_KERNEL ? row->row->published_count : 0;
    for (size_t d = 0; d < published; d++) {
        if (times)
            put_published(filling, &row->row->published[d], d, false);
        if (speedups && !row->initial)
            put_published(filling, &row->row->published[d], d, true);
        else
            clopt_grid_skip(filling->grid, speedups);
    }
}

static void add_table(const struct clopt_view *view, enum table_kind kind, size_t top,
                      struct clopt_document *document, struct clopt_notes *notes)
{
    const struct clopt_results *results = view->results;
    struct clopt_grid grid = {0};
    struct filling filling = {view,
                              &grid,
                              notes,
                              choose_unit(view),
                              kind,
                              kind != TIMES && tells_lines(view),
                              kind != TIMES && tells_errors(view)};
    CLOPT_FREED bool *chosen = clopt_view_choose(view, top);
    set_heading(&filling);
    clopt_grid_add_column(&grid, "*Variant");
    if (filling.lines)
        clopt_grid_add_column(&grid, "*#Lines");
    if (filling.errors)
        clopt_grid_add_column(&grid, "*#Error");
    for (size_t d = 0; d < results->device_count; d++)
        add_columns(&filling, false, results->devices[d].label);
    for (size_t d = 0; d < results->published_count && view->scope == CLOPT_SCOPE_KERNEL; d++)
        add_columns(&filling, true, results->published[d].label);
    for (size_t i = 0; i < view->row_count; i++) {
        bool shown = kind != SPEEDUPS || is_compared(view, i);
        if (shown && (chosen[i] || view->rows[i].initial))
            add_row(&filling, i);
        else
            grid.left_out += shown;
    }
    clopt_document_table(document, &grid);
}

void clopt_view_tabulate(const struct clopt_view *view, size_t top, struct clopt_document *document,
                         struct clopt_notes *notes)
{
    if (view->results->device_count + view->results->published_count == 1) {
        add_table(view, BOTH, top, document, notes);
        return;
    }
    add_table(view, TIMES, top, document, notes);
    add_table(view, SPEEDUPS, top, document, notes);
}
