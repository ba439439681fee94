/* SPDX-License-Identifier: BSD-3-Clause */
/* The best speed-up for each pair of values of two parameters: those that matter most. */
#include <math.h>
#include <stdlib.h>

#include "report/view.h"
#include "results/tunables.h"

#define MOST_VALUES 16
#define LEAST_CELLS 6 /* of fewer, the tables of variants say as much */

/* The variants of a view on a device, and what they set. */
struct heat {
    const struct clopt_view *view;
    size_t device;
    struct clopt_tunables tunables;
};

/* The best speed-up of variants with a value of one parameter, and of another one unless that is
 * NULL; NaN: there is none. */
static double find_best(const struct heat *heat, const char *one, const json_t *value,
                        const char *other, const json_t *other_value)
{
    double best = NAN;
    const struct clopt_results_table *table = heat->view->table;
    for (size_t i = 0; i < table->row_count; i++) {
        const struct clopt_result *result = &table->rows[i].cells[heat->device];
        const json_t *row = heat->tunables.rows[i];
        if (row && clopt_result_shown(result, heat->view->scope) &&
            json_equal(json_object_get(row, one), value) &&
            (!other || json_equal(json_object_get(row, other), other_value)))
            best = fmax(best,
                        i == table->initial ? 1 : result->times[heat->view->scope].speedup.median);
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
        double best = find_best(heat, name, value, NULL, NULL);
        low = fmin(low, best);
        high = fmax(high, best);
        known += !isnan(best);
    }
    return known < 2 ? 0 : high / low;
}

/* Chooses the parameter that matters most, apart from one; NULL: there is none. */
static const char *choose(const struct heat *heat, const char *without)
{
    const char *name, *most = NULL;
    json_t *values;
    double highest = 0;
    json_object_foreach(heat->tunables.values, name, values)
    {
        double own = name == without ? 0 : rate(heat, name, values);
        if (own > highest) {
            highest = own;
            most = name;
        }
    }
    return most;
}

static void append_value(struct clopt_text *text, const json_t *value)
{
    struct clopt_text written = {0};
    if (json_is_string(value))
        clopt_text_append(&written, json_string_value(value));
    else if (json_is_number(value))
        clopt_text_printf(&written, "%.15g", json_number_value(value));
    else
        clopt_text_append(&written, "none");
    clopt_text_append_printable(text, clopt_text_string(&written));
    clopt_text_fini(&written);
}

/* Fills the rows; returns how many cells have a number. */
static size_t fill(const struct heat *heat, struct clopt_grid *grid, const char *one,
                   const char *other)
{
    size_t i, k, known = 0;
    const json_t *value, *beside;
    const json_t *columns = json_object_get(heat->tunables.values, other);
    struct clopt_text text = {0};
    clopt_grid_add_column(grid, CLOPT_COLUMN_NAME, CLOPT_COLUMN_KEY, one);
    json_array_foreach(columns, k, beside)
    {
        clopt_text_clear(&text);
        append_value(&text, beside);
        clopt_grid_add_column(grid, CLOPT_COLUMN_COUNT, CLOPT_COLUMN_DATA,
                              clopt_text_string(&text));
    }
    json_array_foreach(json_object_get(heat->tunables.values, one), i, value)
    {
        struct clopt_cell *cell = clopt_grid_add_row(grid);
        if (!cell)
            break;
        clopt_text_clear(&text);
        append_value(&text, value);
        clopt_grid_fill(grid, cell++, clopt_text_string(&text), -1, "");
        json_array_foreach(columns, k, beside)
        {
            double best = find_best(heat, one, value, other, beside);
            known += !isnan(best);
            clopt_grid_number(grid, cell++, best, 3);
        }
    }
    grid->failed |= text.failed;
    clopt_text_fini(&text);
    return known;
}

void clopt_heat_tabulate(const struct clopt_view *view, size_t device,
                         struct clopt_document *document)
{
    struct heat heat = {.view = view, .device = device};
    struct clopt_grid grid = {.heat = true};
    struct clopt_error error = {0};
    if (view->scope != CLOPT_SCOPE_KERNEL ||
        clopt_tunables_init(&heat.tunables, view->table, device, &error))
        return; /* of variants that no values tell apart there is no map */
    const char *one = choose(&heat, NULL), *other = one ? choose(&heat, one) : NULL;
    size_t known = 0;
    if (other) {
        clopt_grid_set_heading(&grid, "%s: best speed-up by %s (rows) and %s (columns)",
                               view->results->devices[device].label, one, other);
        known = fill(&heat, &grid, one, other);
    }
    if (known >= LEAST_CELLS)
        clopt_document_table(document, &grid);
    clopt_grid_fini(&grid);
    clopt_tunables_fini(&heat.tunables);
}
