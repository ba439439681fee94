/* SPDX-License-Identifier: BSD-3-Clause */
/* What a second parameter adds to the first: the best with both over the best without it. */
#include "analyses/analyses.h"
#include "analyses/effect.h"

#include <math.h>

/* The fastest variants of an effect that set the first parameter: without the second, and with. */
struct pair {
    const struct clopt_results_row *alone, *both;
    struct clopt_interval gain; /* of the second */
};

/* Keeps the faster of two rows, where the new one has a right result. */
static void keep_faster(const struct clopt_results_row **best, const struct clopt_results_row *row,
                        size_t device)
{
    if (clopt_effect_is_faster(row, *best, device))
        *best = row;
}

static struct pair find_pair(struct clopt_effects *effects, const struct clopt_effect *effect)
{
    struct pair pair = {NULL, NULL, clopt_interval_estimate(NULL, NULL, 0)};
    const struct clopt_results_table *table = effect->baseline->table;
    for (size_t i = 0; i < table->row_count; i++) {
        const struct clopt_results_row *row = &table->rows[i];
        if (!clopt_effect_value(effects, row->name, effects->parameter))
            continue;
        bool both = clopt_effect_value(effects, row->name, effects->added);
        keep_faster(both ? &pair.both : &pair.alone, row, effect->own_device);
    }
    if (pair.alone && pair.both)
        pair.gain = clopt_results_ratio(effect->results, &pair.alone->cells[effect->own_device],
                                        &pair.both->cells[effect->own_device], CLOPT_SCOPE_KERNEL);
    return pair;
}

static void put_variant(struct clopt_grid *grid, const struct clopt_effect *effect,
                        const struct clopt_results_row *row)
{
    struct clopt_interval speedup = {.median = NAN};
    if (row)
        speedup = clopt_results_ratio(effect->results, &effect->baseline->cells[effect->own_device],
                                      &row->cells[effect->own_device], CLOPT_SCOPE_KERNEL);
    clopt_grid_printf(grid, speedup.median, isnan(speedup.median) ? "--" : "%.2f", speedup.median);
}

static void put_gain(struct clopt_grid *grid, const struct clopt_interval *gain)
{
    if (isnan(gain->median))
        clopt_grid_put(grid, "--");
    else
        clopt_cell_set_number(clopt_grid_printf(grid, gain->median, "%.2f [%.2f, %.2f]",
                                                gain->median, gain->low, gain->high),
                              gain, 1);
}

/* Adds a row, and its gain to the sums of a mean. */
static void add_row(struct clopt_effects *effects, struct clopt_grid *grid,
                    const struct clopt_effect *effect, double sums[3])
{
    struct pair pair = find_pair(effects, effect);
    const char *value =
        pair.both ? clopt_effect_value(effects, pair.both->name, effects->added) : NULL;
    clopt_grid_add_row(grid, "%s", effects->labels[effect->label_number]);
    put_variant(grid, effect, pair.alone);
    put_variant(grid, effect, pair.both);
    clopt_grid_put(grid, "%s", value ? value : "--");
    put_gain(grid, &pair.gain);
    if (isnan(pair.gain.median))
        return;
    double half = log(pair.gain.high / pair.gain.low) / 2;
    sums[0] += log(pair.gain.median);
    sums[1] += half * half;
    sums[2]++;
}

void clopt_effects_tabulate_added(struct clopt_effects *effects, size_t device)
{
    double sums[3] = {0};
    struct clopt_grid grid = {0};
    clopt_grid_set_heading(&grid,
                           "What %s adds to %s: best speed-ups, and their ratio [95%% "
                           "interval]",
                           effects->added, effects->parameter);
    clopt_grid_add_column(&grid, "*Kernel");
    clopt_grid_add_column(&grid, "#%s alone", effects->parameter);
    clopt_grid_add_column(&grid, "#with %s", effects->added);
    clopt_grid_add_column(&grid, "#%s", effects->added);
    clopt_grid_add_column(&grid, "=Gain");
    for (size_t i = 0; i < effects->count; i++)
        if (effects->items[i].device == device)
            add_row(effects, &grid, &effects->items[i], sums);
    if (sums[2] > 1) {
        double half = sqrt(sums[1]);
        const struct clopt_interval mean = {.median = exp(sums[0] / sums[2]),
                                            .low = exp((sums[0] - half) / sums[2]),
                                            .high = exp((sums[0] + half) / sums[2])};
        clopt_grid_add_row(&grid, "geometric mean");
        clopt_grid_skip(&grid, 3);
        put_gain(&grid, &mean);
    }
    clopt_document_table(effects->document, &grid);
}

void clopt_effects_add_rows(struct clopt_effects *effects)
{
    clopt_document_rows(effects->document, "added",
                        "app problem kernel device platform device_name alone both gain gain_low "
                        "gain_high");
    for (size_t i = 0; i < effects->count; i++) {
        const struct clopt_effect *effect = &effects->items[i];
        const struct clopt_results_device *device = effects->devices[effect->device];
        struct pair pair = find_pair(effects, effect);
        if (pair.alone && pair.both)
            clopt_document_row(effects->document, "ssssssssddd", effect->problem->app,
                               effect->problem->label, effect->kernel, device->label,
                               device->platform, device->name, pair.alone->name, pair.both->name,
                               pair.gain.median, pair.gain.low, pair.gain.high);
    }
}
