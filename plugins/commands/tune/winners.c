/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds between which sizes the winners differ, and who they are. */
#include <math.h>

#include "commands/tune/sizes.h"

#define MOST_RUNNERS     2   /* beside the winner of a size, */
#define LEAST_EFFICIENCY 0.8 /* which are at least so fast */

/* Returns the row that is best on a device; NULL: none is. */
static const struct clopt_results_row *find_best(const struct clopt_results_table *table,
                                                 size_t device)
{
    for (size_t i = 0; i < table->row_count; i++)
        if (table->rows[i].cells[device].times[CLOPT_SCOPE_KERNEL].best)
            return &table->rows[i];
    return NULL;
}

/* Returns what is lost with a variant to the best of a table; NaN: unknown. */
static double find_loss(const struct clopt_results_table *table, const char *variant, size_t device)
{
    size_t row = clopt_table_find_row(table, variant, 0);
    if (row == CLOPT_NO_ROW || !table->rows[row].cells[device].ranked)
        return NAN;
    return 1 / table->rows[row].cells[device].times[CLOPT_SCOPE_KERNEL].efficiency.median - 1;
}

/* Returns the least that is lost where one variant is for both of two problems of a kernel. */
static double find_least_loss(const struct clopt_results_table *one,
                              const struct clopt_results_table *other, size_t device)
{
    const struct clopt_results_row *first = find_best(one, device),
                                   *second = find_best(other, device);
    if (!first || !second || strcmp(first->name, second->name) == 0)
        return 0;
    double least =
        fmin(find_loss(other, first->name, device), find_loss(one, second->name, device));
    return isnan(least) ? INFINITY : least;
}

/* Whether two problems differ in one size alone: the first has value `low` of it, the second value
 * `high`. */
static bool are_neighbours(const struct clopt_size_axis *axis, size_t low, size_t high,
                           const struct clopt_results_problem *one,
                           const struct clopt_results_problem *other)
{
    if (strcmp(one->app, other->app) != 0 || clopt_size_axis_find(axis, one) != low ||
        clopt_size_axis_find(axis, other) != high)
        return false;
    json_auto_t *changed = json_copy(one->inputs);
    json_object_set(changed, axis->name, json_object_get(other->inputs, axis->name));
    return json_equal(changed, other->inputs);
}

/* Returns the most that is lost so, over all kernels and devices, between two values of a size. */
static double find_gap(const struct clopt_size_axis *axis, size_t low, size_t high,
                       const struct clopt_results *results)
{
    double most = 0;
    for (size_t i = 0; i < results->table_count; i++)
        for (size_t k = 0; k < results->table_count; k++) {
            const struct clopt_results_table *one = &results->tables[i],
                                             *other = &results->tables[k];
            if (clopt_table_is_combined(one) || strcmp(one->kernel, other->kernel) != 0 ||
                !are_neighbours(axis, low, high, &results->problems[one->problem],
                                &results->problems[other->problem]))
                continue;
            for (size_t d = 0; d < results->device_count; d++)
                most = fmax(most, find_least_loss(one, other, d));
        }
    return most;
}

/* Finds the two neighbours between which most is lost, as its middle value; 0: none. */
static size_t find_widest(const struct clopt_size_axis *axis, const struct clopt_results *results,
                          double precision, double *loss)
{
    size_t found = 0;
    *loss = precision;
    for (size_t low = 0, high; low + 1 < axis->count; low = high) {
        for (high = low + 1; high + 1 < axis->count && !axis->chosen[high]; high++)
            ;
        size_t middle = clopt_size_axis_middle(axis, low, high);
        if (middle == low || axis->fresh[middle])
            continue;
        double gap = find_gap(axis, low, high, results);
        if (gap > *loss) {
            *loss = gap;
            found = middle;
        }
    }
    return found;
}

struct clopt_size_axis *clopt_size_axes_divide(struct clopt_size_axes *axes,
                                               const struct clopt_results *results,
                                               double precision, size_t most)
{
    struct clopt_size_axis *axis = NULL;
    double widest = precision, loss;
    for (size_t i = 0; i < axes->count; i++) {
        memset(axes->items[i].fresh, 0, axes->items[i].count * sizeof(bool));
        if (find_widest(&axes->items[i], results, precision, &loss) && loss > widest) {
            widest = loss;
            axis = &axes->items[i];
        }
    }
    for (size_t value; axis && most-- && (value = find_widest(axis, results, precision, &loss));)
        axis->fresh[value] = true;
    return axis && clopt_size_axis_count(axis, axis->fresh) ? axis : NULL;
}

/* ---- winners ---- */

static bool is_winner(const struct clopt_size_winners *winners, const char *kernel,
                      const char *type, const char *variant)
{
    for (size_t i = 0; i < winners->count; i++) {
        const struct clopt_start *item = &winners->items[i];
        if (strcmp(item->kernel, kernel) == 0 && strcmp(item->device_type, type) == 0 &&
            strcmp(item->variant, variant) == 0)
            return true;
    }
    return false;
}

static void add_winner(struct clopt_size_winners *winners, const char *kernel, const char *type,
                       const char *variant)
{
    if (is_winner(winners, kernel, type, variant))
        return;
    struct clopt_start *added = clopt_array_add(&winners->items, &winners->count, sizeof *added);
    *added = (struct clopt_start){clopt_strdup(variant), clopt_strdup(type), clopt_strdup(kernel)};
}

/* Returns the next step of a variant that lays out its work-groups, and its length; NULL: there is
 * none. */
static const char *next_geometry(const char *at, size_t *length)
{
    const char *found = strstr(at, "geometry(");
    *length = found ? strcspn(found, ")") : 0;
    return found;
}

/* Whether two variants have their work-groups laid out in the same way. */
static bool are_alike(const char *one, const char *other)
{
    size_t length = 0, other_length = 0;
    do {
        one = next_geometry(one + length, &length);
        other = next_geometry(other + other_length, &other_length);
    } while (one && other && length == other_length && strncmp(one, other, length) == 0);
    return !one && !other;
}

/* Whether a variant may win between the sizes where the best one does, given those that are taken
 * already: with other work-groups it may fill the device better there. Where nothing is surely
 * faster than the initial code, as where a launch is short, any that is not surely slower may. */
static bool may_win(const struct clopt_results_table *table, const struct clopt_results_row *row,
                    const struct clopt_result_time *time, const struct clopt_results_row **before,
                    size_t count)
{
    const struct clopt_results_row *initial = &table->rows[table->initial];
    bool near = *before == initial, may = row != initial && time->different != near;
    for (size_t k = 0; k < count && may; k++)
        may = near ? row != before[k] : !are_alike(row->name, before[k]->name);
    return may;
}

/* Returns the fastest of the variants that may win beside those of `before`, whose first one is the
 * best; NULL: none is nearly as fast as that. */
static const struct clopt_results_row *find_runner(const struct clopt_results_table *table,
                                                   size_t device,
                                                   const struct clopt_results_row **before,
                                                   size_t count)
{
    const struct clopt_results_row *runner = NULL;
    double most = LEAST_EFFICIENCY;
    for (size_t i = 0; i < table->row_count; i++) {
        const struct clopt_results_row *row = &table->rows[i];
        const struct clopt_result_time *time = &row->cells[device].times[CLOPT_SCOPE_KERNEL];
        if (!row->cells[device].ranked || !(time->efficiency.median > most) ||
            !may_win(table, row, time, before, count))
            continue;
        most = time->efficiency.median;
        runner = row;
    }
    return runner;
}

/* Adds the winner of a table (place 0), or who comes after it. */
static void add_placed(struct clopt_size_winners *winners, const struct clopt_results *results,
                       const struct clopt_results_table *table, size_t device, size_t place)
{
    const struct clopt_results_row *rows[1 + MOST_RUNNERS] = {find_best(table, device)};
    size_t count = *rows != NULL;
    if (!*rows || clopt_table_is_combined(table))
        return;
    while (count <= place && (rows[count] = find_runner(table, device, rows, count)))
        count++;
    if (count > place && rows[place] != &table->rows[table->initial])
        add_winner(winners, table->kernel, results->devices[device].type, rows[place]->name);
}

/* Winners of all sizes come first: where the time is short, they are compared. */
void clopt_size_winners_add(struct clopt_size_winners *winners, const struct clopt_results *results)
{
    for (size_t place = 0; place <= MOST_RUNNERS; place++)
        for (size_t t = 0; t < results->table_count; t++)
            for (size_t d = 0; d < results->device_count; d++)
                add_placed(winners, results, &results->tables[t], d, place);
}

void clopt_size_winners_fini(struct clopt_size_winners *winners)
{
    for (size_t i = 0; i < winners->count; i++) {
        free(winners->items[i].variant);
        free(winners->items[i].device_type);
        free(winners->items[i].kernel);
    }
    free(winners->items);
    *winners = (struct clopt_size_winners){0};
}

size_t clopt_size_winners_most(const struct clopt_size_winners *winners)
{
    size_t most = 0;
    for (size_t i = 0; i < winners->count; i++) {
        size_t count = 0;
        for (size_t k = 0; k < winners->count; k++)
            count += strcmp(winners->items[i].kernel, winners->items[k].kernel) == 0 &&
                     strcmp(winners->items[i].device_type, winners->items[k].device_type) == 0;
        most = count > most ? count : most;
    }
    return most;
}
