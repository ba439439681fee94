/* SPDX-License-Identifier: BSD-3-Clause */
/* Layouts of buffers: the speed-up that probes of patterns predict, beside what was measured. */
#include "analyses/access.h"
#include "analyses/analyses.h"

#include <math.h>

/* The one setting of a variant that changes layouts alone: "transposed:a+b". */
struct setting {
    struct clopt_piece layout; /* empty: the variant changes no layout */
    struct clopt_piece arrays; /* empty: all */
};

static struct setting read_setting(const char *variant)
{
    struct setting setting = {{NULL, 0}, {NULL, 0}};
    struct clopt_name_value value = clopt_name_begin(variant);
    if (!clopt_name_next(&value) || !clopt_piece_is(value.name, "layout"))
        return setting;
    struct clopt_piece whole = value.value;
    if (clopt_name_next(&value))
        return setting;
    const char *colon = memchr(whole.text, ':', whole.length);
    setting.layout = whole;
    if (colon) {
        setting.layout.length = (size_t)(colon - whole.text);
        setting.arrays = (struct clopt_piece){colon + 1, whole.length - setting.layout.length - 1};
    }
    return setting;
}

/* Whether a setting names an array. */
static bool changes(const struct setting *setting, const char *array)
{
    CLOPT_FREED char *names = clopt_text_format("+%.*s+", (int)setting->arrays.length,
                                                setting->arrays.length ? setting->arrays.text : "");
    CLOPT_FREED char *name = clopt_text_format("+%s+", array);
    return !setting->arrays.length || strstr(names, name);
}

/* Returns what a device gives for a pattern in another layout: what was along rows is along
 * columns. NaN: no probe says it. */
static double rate_after(const struct setting *setting, const struct clopt_access_rates *rates,
                         const struct clopt_probed *probed)
{
    const bool transposed = clopt_piece_is(setting->layout, "transposed");
    double own = rates->gbytes_per_s[probed->kind][probed->point];
    if (!transposed && !clopt_piece_is(setting->layout, "soa"))
        return NAN;
    switch (probed->kind) {
    case CLOPT_ACCESS_STRIDED:
        return rates->gbytes_per_s[CLOPT_ACCESS_SINGLE][0];
    case CLOPT_ACCESS_APART:
        return transposed ? rates->gbytes_per_s[CLOPT_ACCESS_COLUMN][0] : own;
    case CLOPT_ACCESS_COLUMN:
        return transposed ? rates->gbytes_per_s[CLOPT_ACCESS_APART][0] : own;
    case CLOPT_ACCESS_SINGLE:
        return transposed && setting->arrays.length /* else it may have no rows */
                   ? rates->gbytes_per_s[CLOPT_ACCESS_STRIDED][CLOPT_ACCESS_POINTS - 1]
                   : own;
    default:
        return own;
    }
}

/* Predicts the speed-up of a layout, as if each pattern moved as many elements and nothing else
 * took time; NaN: it cannot be. */
static double predict(const struct setting *setting, const struct clopt_access_rates *rates,
                      const struct clopt_probed *list, size_t count)
{
    double before = 0, after = 0;
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        bool changed = changes(setting, list[i].array);
        double own = rates->gbytes_per_s[list[i].kind][list[i].point];
        before += 1 / own;
        after += 1 / (changed ? rate_after(setting, rates, &list[i]) : own);
        any |= changed;
    }
    return any ? before / after : NAN;
}

/* What was said of the layouts of a device, where the speed-up is sure. */
struct tally {
    size_t right, sure;
};

static void count_side(struct tally *tally, double predicted, const struct clopt_result_time *time)
{
    bool sure = time->verdict == CLOPT_VERDICT_FASTER || time->verdict == CLOPT_VERDICT_SLOWER;
    if (!sure || isnan(predicted))
        return;
    tally->sure++;
    tally->right += (predicted > 1) == (time->verdict == CLOPT_VERDICT_FASTER);
}

/* Whether a device was probed, and columns are for it. */
static bool is_probed(const struct clopt_results *results, size_t device)
{
    struct clopt_access_rates rates = clopt_probed_rates(results, device);
    return clopt_access_any(&rates);
}

static void fill_row(struct clopt_grid *grid, const struct clopt_results *results,
                     const struct clopt_results_row *row, struct tally *tallies)
{
    size_t count;
    struct setting setting = read_setting(row->name);
    CLOPT_FREED struct clopt_probed *list = clopt_probed_list(row->table, &count);
    clopt_grid_add_row(grid, "%s", row->name);
    for (size_t d = 0; d < results->device_count; d++) {
        if (!is_probed(results, d))
            continue;
        const struct clopt_access_rates rates = clopt_probed_rates(results, d);
        const struct clopt_result_time *time = &row->cells[d].times[CLOPT_SCOPE_KERNEL];
        double predicted = predict(&setting, &rates, list, count);
        clopt_grid_printf(grid, predicted, isnan(predicted) ? "--" : "%.2f", predicted);
        if (row->cells[d].ranked && !isnan(time->speedup.median))
            clopt_grid_put_interval(grid, &time->speedup, 3, 1)->equal = !time->different;
        else
            clopt_grid_put(grid, "--");
        count_side(&tallies[d], predicted, time);
    }
}

void clopt_layouts_tabulate(const struct clopt_results *results,
                            const struct clopt_results_table *table,
                            struct clopt_document *document)
{
    CLOPT_FREED struct tally *tallies = clopt_calloc(results->device_count + 1, sizeof *tallies);
    struct clopt_grid grid = {0};
    size_t rows = 0;
    clopt_grid_set_heading(&grid, "Layouts: speed-ups that the device's probes predict, and those "
                                  "that were measured [95%% interval]");
    clopt_grid_add_column(&grid, "*Variant");
    for (size_t d = 0; d < results->device_count; d++)
        if (is_probed(results, d)) {
            clopt_grid_add_column(&grid, "#%s, predicted", results->devices[d].label);
            clopt_grid_add_column(&grid, "=measured");
        }
    for (size_t i = 0; i < table->row_count && grid.column_count > 1; i++)
        if (read_setting(table->rows[i].name).layout.length) {
            fill_row(&grid, results, &table->rows[i], tallies);
            rows++;
        }
    if (!rows) {
        clopt_grid_fini(&grid);
        return;
    }
    clopt_document_table(document, &grid);
    for (size_t d = 0; d < results->device_count; d++)
        if (tallies[d].sure)
            clopt_document_printf(
                document, CLOPT_SENTENCE_DETAIL,
                "On %s, the probes say whether a layout pays for %zu of %zu whose "
                "speed-up is sure.",
                results->devices[d].label, tallies[d].right, tallies[d].sure);
}
