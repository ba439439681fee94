/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the rows of two stores that are about the same, and compares them. */
#include "report/comparison.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

const char *const clopt_verdict_names[CLOPT_VERDICT_COUNT] = {
    [CLOPT_VERDICT_SAME] = "same",     [CLOPT_VERDICT_SLOWER] = "slower",
    [CLOPT_VERDICT_FASTER] = "faster", [CLOPT_VERDICT_TOO_FEW] = "too-few",
    [CLOPT_VERDICT_BROKEN] = "broken", [CLOPT_VERDICT_MENDED] = "mended",
    [CLOPT_VERDICT_FAILED] = "failed", [CLOPT_VERDICT_ONLY_A] = "only-a",
    [CLOPT_VERDICT_ONLY_B] = "only-b",
};

/* A row of one store, while its like is looked for. */
struct entry {
    const struct clopt_results *results;
    const struct clopt_results_table *table;
    size_t row;
    size_t device; /* in its own results */
    size_t match;  /* number of the device that it is compared as */
    size_t number; /* of the row of the comparison */
};

struct entries {
    struct entry *items;
    size_t count;
};

/* ---- rows that are about the same ---- */

static const struct clopt_results_problem *problem_of(const struct entry *entry)
{
    return &entry->results->problems[entry->table->problem];
}

static int compare_entries(const void *a, const void *b)
{
    const struct entry *x = a;
    const struct entry *y = b;
    int order = strcmp(problem_of(x)->app, problem_of(y)->app);
    if (!order)
        order = strcmp(problem_of(x)->label, problem_of(y)->label);
    if (!order)
        order = strcmp(x->table->kernel, y->table->kernel);
    if (!order)
        order = strcmp(x->table->rows[x->row].name, y->table->rows[y->row].name);
    return order ? order : (x->match > y->match) - (x->match < y->match);
}

static bool is_wanted(const char *label, const char *wanted)
{
    return !wanted || strcmp(label, wanted) == 0;
}

/* Returns as which device one of B is compared: that of A with its label, or the only one. */
static size_t match_device(const struct clopt_comparison *comparison, size_t store, size_t device)
{
    const struct clopt_results *a = comparison->results[0];
    const struct clopt_results *own = comparison->results[store];
    if (store == 0 || (a->device_count == 1 && own->device_count == 1))
        return device;
    for (size_t d = 0; d < a->device_count; d++)
        if (strcmp(a->devices[d].label, own->devices[device].label) == 0)
            return d;
    return a->device_count + device;
}

/* What A calls a device, or B if it is only there. */
static const char *device_label(const struct clopt_comparison *comparison, size_t store,
                                size_t device)
{
    const struct clopt_results *a = comparison->results[0];
    size_t match = match_device(comparison, store, device);
    return match < a->device_count ? a->devices[match].label
                                   : comparison->results[store]->devices[device].label;
}

/* Lists the rows of a store that are asked for. */
static enum clopt_status list_entries(const struct clopt_comparison *comparison, size_t store,
                                      struct entries *entries, struct clopt_error *error)
{
    const struct clopt_results *results = comparison->results[store];
    const struct clopt_report_comparison *request = comparison->request;
    size_t most = 0;
    for (size_t t = 0; t < results->table_count; t++)
        most += results->tables[t].row_count * results->device_count;
    entries->items = calloc(most + 1, sizeof *entries->items);
    if (!entries->items)
        return clopt_fail_memory(error);
    for (size_t t = 0; t < results->table_count; t++)
        for (size_t i = 0; i < results->tables[t].row_count; i++)
            for (size_t d = 0; d < results->device_count; d++) {
                const struct clopt_results_table *table = &results->tables[t];
                size_t match = match_device(comparison, store, d);
                if (!table->rows[i].cells[d].present ||
                    (request->relative && i == table->initial) ||
                    !is_wanted(table->kernel, request->kernel) ||
                    !is_wanted(results->problems[table->problem].label, request->problem) ||
                    !is_wanted(device_label(comparison, store, d), request->device))
                    continue;
                entries->items[entries->count++] = (struct entry){results, table, i, d, match, 0};
            }
    return CLOPT_OK;
}

/* ---- changes ---- */

static const struct clopt_result *result_of(const struct entry *entry)
{
    return &entry->table->rows[entry->row].cells[entry->device];
}

/* The medians of the samples whose time a row shows: its own, or those of the same code. */
static const struct clopt_medians *medians_of(const struct entry *entry, size_t row)
{
    const struct clopt_results_row *rows = entry->table->rows;
    const struct clopt_result *result = &rows[row].cells[entry->device];
    const struct clopt_result *measured =
        result->borrowed ? &rows[result->alias].cells[entry->device] : result;
    return &measured->medians[CLOPT_SCOPE_KERNEL];
}

/* Compares the times of a row, or their ratios to those of the initial code. */
static enum clopt_status estimate_change(bool relative, const struct entry *const entries[2],
                                         struct clopt_change *change, struct clopt_error *error)
{
    struct clopt_medians ratios[2] = {{0}, {0}};
    const struct clopt_medians *series[2];
    bool good = true;
    for (size_t i = 0; i < 2; i++) {
        const struct clopt_results_table *table = entries[i]->table;
        series[i] = relative ? &ratios[i] : medians_of(entries[i], entries[i]->row);
        if (relative && table->initial != CLOPT_NO_ROW)
            good &= clopt_medians_divide(medians_of(entries[i], table->initial),
                                         medians_of(entries[i], entries[i]->row), &ratios[i]);
    }
    *change = clopt_change_estimate(series[0], series[1]);
    clopt_medians_fini(&ratios[0]);
    clopt_medians_fini(&ratios[1]);
    return good ? CLOPT_OK : clopt_fail_memory(error);
}

static double noise_of(const struct entry *entry)
{
    double noise = entry->table->noise[entry->device].noise;
    return isnan(noise) ? 0 : noise;
}

/* What is said of a row whose times cannot be compared. */
static enum clopt_comparison_verdict judge_outcomes(const struct clopt_result *before,
                                                    const struct clopt_result *after)
{
    if (before->ranked && after->outcome > CLOPT_OUTCOME_OK)
        return CLOPT_VERDICT_BROKEN;
    if (after->ranked && before->outcome > CLOPT_OUTCOME_OK)
        return CLOPT_VERDICT_MENDED;
    return CLOPT_VERDICT_FAILED;
}

/* Adds a row that is in both stores, or in one: the other entry is NULL. */
static enum clopt_status add_row(struct clopt_comparison *comparison, const struct entry *before,
                                 const struct entry *after, struct clopt_error *error)
{
    const struct entry *entry = before ? before : after;
    const struct entry *const both[2] = {before, after};
    struct clopt_comparison_row *row = &comparison->rows[comparison->row_count++];
    enum clopt_status status = CLOPT_OK;
    *row = (struct clopt_comparison_row){
        .app = problem_of(entry)->app,
        .problem = problem_of(entry)->label,
        .kernel = entry->table->kernel,
        .variant = entry->table->rows[entry->row].name,
        .device = device_label(comparison, before ? 0 : 1, entry->device),
        .before = before ? result_of(before) : NULL,
        .after = after ? result_of(after) : NULL,
        .change = clopt_change_estimate(&(struct clopt_medians){0}, &(struct clopt_medians){0}),
        .rate = NAN,
        .verdict = before ? CLOPT_VERDICT_ONLY_A : CLOPT_VERDICT_ONLY_B,
    };
    if (!before || !after)
        return CLOPT_OK;
    const char *one = row->before->trial.fingerprint, *other = row->after->trial.fingerprint;
    comparison->other_programs += one && other && strcmp(one, other) != 0;
    row->noise = fmax(noise_of(before), noise_of(after));
    row->verdict = judge_outcomes(row->before, row->after);
    if (row->before->ranked && row->after->ranked) {
        row->verdict = CLOPT_VERDICT_TOO_FEW;
        status = estimate_change(comparison->request->relative, both, &row->change, error);
    }
    return status;
}

/* Pairs the entries of both stores; what is the same code as another row in both is left out, since
 * that row stands for it. */
static enum clopt_status pair(struct clopt_comparison *comparison, const struct entries lists[2],
                              struct clopt_error *error)
{
    enum clopt_status status = CLOPT_OK;
    struct entry *sorted = calloc(lists[1].count + 1, sizeof *sorted);
    bool *paired = calloc(lists[1].count + 1, sizeof *paired);
    comparison->rows = calloc(lists[0].count + lists[1].count + 1, sizeof *comparison->rows);
    if (!sorted || !paired || !comparison->rows)
        status = clopt_fail_memory(error);
    for (size_t i = 0; i < lists[1].count && !status; i++) {
        sorted[i] = lists[1].items[i];
        sorted[i].number = i;
    }
    if (!status)
        qsort(sorted, lists[1].count, sizeof *sorted, compare_entries);
    for (size_t i = 0; i < lists[0].count && !status; i++) {
        const struct entry *before = &lists[0].items[i];
        const struct entry *after =
            bsearch(before, sorted, lists[1].count, sizeof *sorted, compare_entries);
        if (after)
            paired[after->number] = true;
        if (!after || !result_of(before)->borrowed || !result_of(after)->borrowed)
            status = add_row(comparison, before, after, error);
    }
    for (size_t i = 0; i < lists[1].count && !status; i++)
        if (!paired[i])
            status = add_row(comparison, NULL, &lists[1].items[i], error);
    free(sorted);
    free(paired);
    return status;
}

/* Finds the changes among all that were compared, beyond the noise of their kernels. */
static enum clopt_status judge(struct clopt_comparison *comparison, struct clopt_error *error)
{
    size_t count = comparison->row_count;
    double *p = calloc(2 * count + 1, sizeof *p);
    for (size_t i = 0; p && i < count; i++)
        p[i] = comparison->rows[i].change.p;
    if (!p || !clopt_discovery_rates(p, p + count, count)) {
        free(p);
        return clopt_fail_memory(error);
    }
    for (size_t i = 0; i < count; i++) {
        struct clopt_comparison_row *row = &comparison->rows[i];
        double ratio = row->change.ratio;
        row->rate = p[count + i];
        if (!isnan(row->rate)) {
            bool changed = row->rate <= comparison->request->rate && fabs(ratio - 1) > row->noise;
            bool slower = comparison->request->relative ? ratio < 1 : ratio > 1;
            row->verdict = !changed ? CLOPT_VERDICT_SAME
                           : slower ? CLOPT_VERDICT_SLOWER
                                    : CLOPT_VERDICT_FASTER;
        }
        comparison->counts[row->verdict]++;
    }
    free(p);
    return CLOPT_OK;
}

/* Reads a store, and closes it: the other one may be the same file. */
static enum clopt_status read_store(const char *path, struct clopt_results **results,
                                    struct clopt_error *error)
{
    struct clopt_store *store;
    enum clopt_status status = clopt_store_open_read(path, &store, error);
    if (!status)
        status = clopt_results_gather(store, results, error);
    if (!status)
        status = clopt_results_make_printable(*results, error);
    if (!status && !(*results)->has_run)
        status = clopt_fail(error, CLOPT_FAILED,
                            "%s: nothing to compare: no study has run in this store", path);
    clopt_store_close(store);
    return status;
}

enum clopt_status clopt_comparison_init(struct clopt_comparison *comparison,
                                        const struct clopt_report_comparison *request,
                                        struct clopt_error *error)
{
    struct entries lists[2] = {{0}, {0}};
    enum clopt_status status = CLOPT_OK;
    *comparison = (struct clopt_comparison){.request = request};
    for (size_t i = 0; i < 2 && !status; i++)
        status = read_store(request->paths[i], &comparison->results[i], error);
    for (size_t i = 0; i < 2 && !status; i++)
        status = list_entries(comparison, i, &lists[i], error);
    if (!status)
        status = pair(comparison, lists, error);
    if (!status)
        status = judge(comparison, error);
    free(lists[0].items);
    free(lists[1].items);
    return status;
}

void clopt_comparison_fini(struct clopt_comparison *comparison)
{
    clopt_results_destroy(comparison->results[0]);
    clopt_results_destroy(comparison->results[1]);
    free(comparison->rows);
}

bool clopt_comparison_is_regression(const struct clopt_comparison *comparison,
                                    const struct clopt_comparison_row *row, double share)
{
    double slower = comparison->request->relative ? 1 / row->change.ratio : row->change.ratio;
    return row->verdict == CLOPT_VERDICT_BROKEN ||
           (row->verdict == CLOPT_VERDICT_SLOWER && slower > 1 + share);
}
