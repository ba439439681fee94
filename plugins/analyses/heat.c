/* SPDX-License-Identifier: BSD-3-Clause */
/* The best speed-up for each value of the parameters that matter, and for each pair of values of
 * the two that matter most. */
#include <math.h>

#include "analyses/analyses.h"
#include "results/tunables.h"

#define MOST_VALUES     16
#define LEAST_CELLS     6 /* of fewer, the tables of variants say as much */
#define MOST_PARAMETERS 4
#define LEAST_EFFECT    1.05 /* of the best value over the worst one */

/* The variants of a view on a device, and what they set. */
struct heat {
    const struct clopt_view *view;
    size_t device;
    struct clopt_document *document;
    struct clopt_tunables tunables;
};

/* The cell of a row on the device. */
static const struct clopt_result *cell_of(const struct heat *heat, size_t row)
{
    return &heat->view->table->rows[row].cells[heat->device];
}

/* The speed-up of a row; NaN: it has none, or there is no row. */
static double speedup_of(const struct heat *heat, size_t row)
{
    return row == CLOPT_NO_ROW ? NAN
           : row == heat->view->table->initial
               ? 1
               : cell_of(heat, row)->times[CLOPT_SCOPE_KERNEL].speedup.median;
}

/* The row of the best variant with a value of one parameter, and of another one unless that is
 * NULL; CLOPT_NO_ROW: there is none. */
static size_t find_best(const struct heat *heat, const char *one, const json_t *value,
                        const char *other, const json_t *other_value)
{
    size_t best = CLOPT_NO_ROW;
    for (size_t i = 0; i < heat->view->table->row_count; i++) {
        const json_t *row = heat->tunables.rows[i];
        if (row && clopt_result_shown(cell_of(heat, i), CLOPT_SCOPE_KERNEL) &&
            json_object_get(row, one) == value &&
            (!other || json_object_get(row, other) == other_value) &&
            (best == CLOPT_NO_ROW || !(speedup_of(heat, i) <= speedup_of(heat, best))))
            best = i;
    }
    return best;
}

/* How much the best value of a parameter gives over its worst one; 0: it has too few or too many.
 */
static double rate(const struct heat *heat, const char *name, const json_t *values)
{
    double low = INFINITY, high = 0;
    size_t index, known = 0;
    const json_t *value;
    if (json_array_size(values) > MOST_VALUES)
        return 0;
    json_array_foreach(values, index, value)
    {
        double best = speedup_of(heat, find_best(heat, name, value, NULL, NULL));
        low = fmin(low, best);
        high = fmax(high, best);
        known += !isnan(best);
    }
    return known < 2 ? 0 : high / low;
}

/* Chooses the parameter that matters most of those that matter less than `below`, which becomes how
 * much this one does; NULL: there is none. */
static const char *choose(const struct heat *heat, double *below)
{
    const char *name, *most = NULL;
    json_t *values;
    double highest = 0;
    json_object_foreach(heat->tunables.values, name, values)
    {
        double own = rate(heat, name, values);
        if (own > highest && own < *below) {
            highest = own;
            most = name;
        }
    }
    *below = highest;
    return most;
}

static void append_value(struct clopt_text *text, const json_t *value)
{
    if (json_is_number(value))
        clopt_text_printf(text, "%.15g", json_number_value(value));
    else
        clopt_text_append_printable(text,
                                    json_is_string(value) ? json_string_value(value) : "none");
}

/* Fills the rows; returns how many cells have a number. */
static size_t fill(const struct heat *heat, struct clopt_grid *grid, const char *one,
                   const char *other)
{
    size_t i, k, known = 0;
    const json_t *value, *beside;
    const json_t *columns = json_object_get(heat->tunables.values, other);
    CLOPT_OWNED(clopt_text) text = {0};
    clopt_grid_add_column(grid, "*%s", one);
    json_array_foreach(columns, k, beside)
    {
        clopt_text_clear(&text);
        append_value(&text, beside);
        clopt_grid_add_column(grid, "#%s", clopt_text_string(&text));
    }
    json_array_foreach(json_object_get(heat->tunables.values, one), i, value)
    {
        clopt_text_clear(&text);
        append_value(&text, value);
        clopt_grid_add_row(grid, "%s", clopt_text_string(&text));
        json_array_foreach(columns, k, beside)
        {
            double best = speedup_of(heat, find_best(heat, one, value, other, beside));
            known += !isnan(best);
            clopt_grid_put_number(grid, best, 3);
        }
    }
    return known;
}

/* Adds a row for a value of a parameter: its best variant, and how near that is to the best of all
 * values. */
static void add_value(const struct heat *heat, struct clopt_grid *grid, const char *text,
                      size_t row, size_t best)
{
    const struct clopt_result *cell = cell_of(heat, row);
    struct clopt_interval share =
        clopt_results_ratio(heat->view->results, cell_of(heat, best), cell, CLOPT_SCOPE_KERNEL);
    clopt_grid_add_row(grid, "%s", text);
    struct clopt_cell *bar =
        row == heat->view->table->initial
            ? clopt_grid_put_number(grid, 1, 3)
            : clopt_grid_put_speedup(grid, &cell->times[CLOPT_SCOPE_KERNEL], false);
    bar->best = row == best;
    bar->color = clopt_variant_color(heat->document, heat->view->table->rows[row].name);
    if (row != best && share.attained)
        clopt_grid_put_interval(grid, &share, 3, 1);
}

/* Adds the values of a parameter, the best one first. */
static void add_values(const struct heat *heat, struct clopt_grid *grid, const char *name)
{
    const json_t *value, *values = json_object_get(heat->tunables.values, name);
    size_t rows[MOST_VALUES], i, best = CLOPT_NO_ROW;
    json_array_foreach(values, i, value) rows[i] = find_best(heat, name, value, NULL, NULL);
    for (size_t count = json_array_size(values); count > 0; count--) {
        size_t next = 0;
        for (i = 1; i < json_array_size(values); i++)
            if (!(speedup_of(heat, rows[i]) <= speedup_of(heat, rows[next])) &&
                rows[i] != CLOPT_NO_ROW)
                next = i;
        if (rows[next] == CLOPT_NO_ROW)
            return;
        CLOPT_OWNED(clopt_text) text = {0};
        clopt_text_printf(&text, "%s = ", name);
        append_value(&text, json_array_get(values, next));
        best = best == CLOPT_NO_ROW ? rows[next] : best;
        add_value(heat, grid, clopt_text_string(&text), rows[next], best);
        rows[next] = CLOPT_NO_ROW;
    }
}

static void tabulate_values(const struct heat *heat)
{
    struct clopt_grid grid = {.bars = true};
    double below = INFINITY;
    clopt_grid_set_heading(&grid,
                           "%s: the values that matter, by the best variant that has each [95%% "
                           "interval]",
                           heat->view->results->devices[heat->device].label);
    clopt_grid_add_column(&grid, "*Value");
    clopt_grid_add_column(&grid, "=%s",
                          clopt_objective_words(heat->view->results->objective)->gain);
    clopt_grid_add_column(&grid, "?=Of the best value");
    for (size_t i = 0; i < MOST_PARAMETERS; i++) {
        const char *name = choose(heat, &below);
        if (!name || below < LEAST_EFFECT)
            break;
        add_values(heat, &grid, name);
    }
    clopt_document_table(heat->document, &grid);
}

void clopt_heat_tabulate(const struct clopt_view *view, size_t device,
                         struct clopt_document *document)
{
    struct heat heat = {.view = view, .device = device, .document = document};
    CLOPT_OWNED(clopt_grid) grid = {.heat = true};
    struct clopt_error error = {0};
    if (view->scope != CLOPT_SCOPE_KERNEL ||
        clopt_tunables_init(&heat.tunables, view->table, device, &error))
        return; /* of variants that no values tell apart there is no map */
    double below = INFINITY;
    const char *one = choose(&heat, &below), *other = one ? choose(&heat, &below) : NULL;
    size_t known = 0;
    if (strstr(view->results->run.config, "\n[search]\n"))
        tabulate_values(&heat);
    if (other) {
        clopt_grid_set_heading(&grid, "%s: best speed-up by %s (rows) and %s (columns)",
                               view->results->devices[device].label, one, other);
        known = fill(&heat, &grid, one, other);
    }
    if (known >= LEAST_CELLS)
        clopt_document_table(document, &grid);
    clopt_tunables_fini(&heat.tunables);
}
