/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts the lines that a person has to write for variants and native programs. */
#include "report/effort.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "text/changed_lines.h"
#include "text/text.h"
#include "text/variant_name.h"

const struct clopt_maker_words clopt_makers[CLOPT_MAKERS] = {
    [CLOPT_MAKER_NOBODY] = {"initial", "initial code"},
    [CLOPT_MAKER_HAND] = {"hand", "by hand"},
    [CLOPT_MAKER_CLOPT] = {"clopt", "by clopt"},
    [CLOPT_MAKER_BOTH] = {"both", "by hand and clopt"},
    [CLOPT_MAKER_NATIVE] = {"native", "native"},
};

/* What is being compared. */
struct comparing {
    struct clopt_efforts *efforts;
    struct clopt_store *store;
    const struct clopt_view *view;
    size_t device;
    const struct clopt_view_row *baseline;
    double operations; /* of a run; 0: unknown */
};

double clopt_effort_per_line(const struct clopt_effort *effort)
{
    return effort->lines > 0 ? effort->speedup.median / effort->lines : NAN;
}

/* ---- lines ---- */

static const struct clopt_store_trial *trial_of(const struct comparing *comparing,
                                                const struct clopt_results_row *row)
{
    return &row->cells[comparing->device].trial;
}

/* All lines of a program that no variant is. */
static double all_lines(const struct comparing *comparing, const struct clopt_results_row *row)
{
    int lines = trial_of(comparing, row)->lines_changed;
    return lines > 0 ? lines : NAN;
}

/* Counts the lines of a rival that are not those of the baseline, another rival. */
static enum clopt_status compare_rivals(const struct comparing *comparing,
                                        const struct clopt_view_row *row, double *lines,
                                        struct clopt_error *error)
{
    struct clopt_store_trial own = {0}, other = {0};
    unsigned changed = 0;
    enum clopt_status status =
        clopt_store_find_trial(comparing->store, trial_of(comparing, row->row)->key, &own, error);
    if (!status)
        status = clopt_store_find_trial(
            comparing->store, trial_of(comparing, comparing->baseline->row)->key, &other, error);
    bool known = !status && own.source && *own.source && other.source && *other.source;
    if (known)
        status = clopt_changed_lines_count(other.source, own.source, &changed, error);
    *lines = known ? changed : NAN;
    clopt_store_trial_fini(&own);
    clopt_store_trial_fini(&other);
    return status;
}

/* What the name of a variant tells. */
struct told {
    size_t values; /* that it sets: each is a line of a study */
    size_t macros; /* characters of the name that set macros */
    bool steps;
};

static struct told read_name(const char *name)
{
    struct told told = {0};
    struct clopt_name_value value = clopt_name_begin(name);
    while (clopt_name_next(&value)) {
        told.values++;
        told.steps |= value.optimization.length > 0;
        if (!value.optimization.length)
            told.macros = (size_t)(value.value.text + value.value.length - name);
    }
    return told;
}

/* Counts the lines that were written for the macros of a variant: those that change with these
 * macros alone. */
static double lines_by_hand(const struct comparing *comparing, const struct clopt_view_row *row,
                            size_t macros)
{
    const struct clopt_results_table *table =
        clopt_table_is_combined(row->table) ? comparing->view->table : row->table;
    for (size_t i = 0; macros && i < table->row_count; i++) {
        const struct clopt_results_row *other = &table->rows[i];
        if (strlen(other->name) == macros && strncmp(other->name, row->row->name, macros) == 0 &&
            other->cells[comparing->device].trial.id)
            return trial_of(comparing, other)->lines_changed;
    }
    return macros ? NAN : 0;
}

/* Counts the lines that the initial code takes. */
static double lines_of_initial(const struct comparing *comparing,
                               const struct clopt_results_table *table)
{
    if (!comparing->baseline->rival)
        return 0;
    return table->initial == CLOPT_NO_ROW ? NAN
                                          : all_lines(comparing, &table->rows[table->initial]);
}

static double lines_of_variant(const struct comparing *comparing, const struct clopt_view_row *row)
{
    struct told told = read_name(row->row->name);
    return lines_of_initial(comparing, row->table) + (double)told.values +
           lines_by_hand(comparing, row, told.macros);
}

static enum clopt_status count_lines(const struct comparing *comparing,
                                     const struct clopt_view_row *row, struct clopt_effort *effort,
                                     struct clopt_error *error)
{
    struct told told = read_name(row->row->name);
    effort->maker = row->rival                  ? CLOPT_MAKER_NATIVE
                    : told.steps && told.macros ? CLOPT_MAKER_BOTH
                    : told.steps                ? CLOPT_MAKER_CLOPT
                    : told.macros               ? CLOPT_MAKER_HAND
                                                : CLOPT_MAKER_NOBODY;
    effort->is_baseline = row == comparing->baseline;
    effort->changed = row->rival     ? -1
                      : row->initial ? 0
                                     : trial_of(comparing, row->row)->lines_changed;
    effort->lines = row == comparing->baseline ? 0
                    : row->rival               ? all_lines(comparing, row->row)
                                               : lines_of_variant(comparing, row);
    return row != comparing->baseline && row->rival && comparing->baseline->rival
               ? compare_rivals(comparing, row, &effort->lines, error)
               : CLOPT_OK;
}

/* ---- rows ---- */

static struct clopt_effort *add(struct comparing *comparing, const char *label)
{
    struct clopt_efforts *efforts = comparing->efforts;
    struct clopt_effort *items =
        realloc(efforts->items, (efforts->count + 1) * sizeof *efforts->items);
    if (!items)
        return NULL;
    efforts->items = items;
    items[efforts->count] = (struct clopt_effort){.label = strdup(label), .goperations_per_s = NAN};
    return items[efforts->count].label ? &items[efforts->count++] : NULL;
}

static enum clopt_status add_row(struct comparing *comparing, const struct clopt_view_row *row,
                                 struct clopt_error *error)
{
    const struct clopt_view_row *baseline = comparing->baseline;
    const struct clopt_result *result = &row->row->cells[comparing->device];
    const enum clopt_scope scope = comparing->view->scope;
    struct clopt_effort *effort = add(comparing, row->label);
    if (!effort)
        return clopt_fail_memory(error);
    effort->time = result->times[scope].interval;
    effort->speedup = clopt_results_ratio(
        comparing->view->results, baseline->table, (size_t)(baseline->row - baseline->table->rows),
        row->table, (size_t)(row->row - row->table->rows), comparing->device, scope);
    if (comparing->operations > 0)
        effort->goperations_per_s = comparing->operations / effort->time.median;
    return count_lines(comparing, row, effort, error);
}

/* Sums up the operations of the kernels of a problem. */
static void sum_operations(struct comparing *comparing)
{
    const struct clopt_results *results = comparing->view->results;
    bool known = results->objective == CLOPT_OBJECTIVE_TIME;
    comparing->efforts->unit = clopt_arithmetic_unit(comparing->view->table->work.arithmetic);
    for (size_t t = 0; t < results->table_count; t++)
        if (&results->problems[results->tables[t].problem] == comparing->view->problem) {
            comparing->operations += results->tables[t].work.operations;
            known = known && results->tables[t].work.operations > 0;
        }
    if (!known)
        comparing->operations = 0;
}

static int compare_efforts(const void *a, const void *b)
{
    const struct clopt_effort *x = a;
    const struct clopt_effort *y = b;
    return (x->speedup.median < y->speedup.median) - (x->speedup.median > y->speedup.median);
}

enum clopt_status clopt_efforts_init(struct clopt_efforts *efforts, struct clopt_store *store,
                                     const struct clopt_view *view, size_t device, size_t baseline,
                                     struct clopt_error *error)
{
    struct comparing comparing = {efforts, store, view, device, &view->rows[baseline], 0};
    enum clopt_status status = CLOPT_OK;
    *efforts = (struct clopt_efforts){0};
    sum_operations(&comparing);
    if (!clopt_result_shown(&comparing.baseline->row->cells[device], view->scope))
        return CLOPT_OK;
    for (size_t i = 0; i < view->row_count && !status; i++) {
        const struct clopt_result *result = &view->rows[i].row->cells[device];
        bool shown = clopt_result_shown(result, view->scope) &&
                     (result->alias == CLOPT_NO_ROW || i == baseline);
        if (shown)
            status = add_row(&comparing, &view->rows[i], error);
    }
    qsort(efforts->items, efforts->count, sizeof *efforts->items, compare_efforts);
    return status;
}

void clopt_efforts_fini(struct clopt_efforts *efforts)
{
    for (size_t i = 0; i < efforts->count; i++)
        free(efforts->items[i].label);
    free(efforts->items);
    *efforts = (struct clopt_efforts){0};
}
