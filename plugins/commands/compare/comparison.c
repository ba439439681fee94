/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the rows of two stores that are about the same, and compares them. */
#include "commands/compare/comparison.h"

#include <math.h>

const char *clopt_comparison_name(unsigned verdict)
{
    static const char *const names[] = {"broken", "mended", "failed", "only-a", "only-b"};
    return verdict < CLOPT_VERDICT_COUNT ? clopt_verdict_names[verdict]
                                         : names[verdict - CLOPT_VERDICT_COUNT];
}

/* A result of one store. */
struct entry {
    const struct clopt_results *results;
    const struct clopt_result *result;
};

static const struct clopt_results_table *table_of(const struct entry *entry)
{
    return entry->result->row->table;
}

static const struct clopt_results_problem *problem_of(const struct entry *entry)
{
    return &entry->results->problems[table_of(entry)->problem];
}

/* ---- rows that are about the same ---- */

/* The table of a number, those of the problems' rivals come last; NULL: the problem has none. */
static const struct clopt_results_table *table_at(const struct clopt_results *results,
                                                  size_t number)
{
    if (number < results->table_count)
        return &results->tables[number];
    const struct clopt_results_table *rivals =
        &results->problems[number - results->table_count].rivals;
    return rivals->row_count ? rivals : NULL;
}

/* Finds the table of a kernel, or of rivals, and problem; NULL: there is none. */
static const struct clopt_results_table *find_table(const struct clopt_results *results,
                                                    const struct entry *like)
{
    const struct clopt_results_problem *problem = problem_of(like);
    for (size_t t = 0; t < results->table_count + results->problem_count; t++) {
        const struct clopt_results_table *table = table_at(results, t);
        const struct clopt_results_problem *other =
            table ? &results->problems[table->problem] : problem;
        if (table && strcmp(other->app, problem->app) == 0 &&
            strcmp(other->label, problem->label) == 0 &&
            strcmp(table->kernel, table_of(like)->kernel) == 0)
            return table;
    }
    return NULL;
}

/* Finds the device that another one is compared with: that of its label, or the only one where
 * there is one in each store; CLOPT_NO_ROW: none. */
static size_t find_device(const struct clopt_results *results, const struct clopt_results *like,
                          size_t device)
{
    if (results->device_count == 1 && like->device_count == 1)
        return 0;
    for (size_t d = 0; d < results->device_count; d++)
        if (strcmp(results->devices[d].label, like->devices[device].label) == 0)
            return d;
    return CLOPT_NO_ROW;
}

/* Finds what is about the same in the other store; false: nothing. `guess` is where to look. */
static bool find_like(const struct clopt_results *results, const struct entry *entry, size_t *guess,
                      struct entry *like)
{
    const struct clopt_results_table *table = find_table(results, entry);
    size_t device = find_device(results, entry->results, entry->result->device);
    size_t row =
        table ? clopt_table_find_row(table, entry->result->row->name, *guess) : CLOPT_NO_ROW;
    if (row == CLOPT_NO_ROW)
        return false;
    *guess = row;
    if (device == CLOPT_NO_ROW)
        return false;
    *like = (struct entry){results, &table->rows[row].cells[device]};
    return like->result->present;
}

/* ---- changes ---- */

/* The medians of the initial code, of which a rival has the whole run to be compared with; NULL:
 * there is none. */
static const struct clopt_medians *initial_medians(const struct entry *entry)
{
    const struct clopt_results_table *table = table_of(entry);
    bool rivals = clopt_table_is_of_rivals(table);
    for (size_t t = 0; rivals && t < entry->results->table_count; t++)
        if (entry->results->tables[t].problem == table_of(entry)->problem)
            table = &entry->results->tables[t];
    const struct clopt_result *initial = clopt_table_initial(table, entry->result->device);
    return initial ? &initial->medians[rivals ? CLOPT_SCOPE_RUN : CLOPT_SCOPE_KERNEL] : NULL;
}

/* The medians of the samples whose time a row shows: its own, or those of the same code. */
static const struct clopt_medians *medians_of(const struct entry *entry)
{
    return &clopt_result_measured(entry->result)->medians[CLOPT_SCOPE_KERNEL];
}

/* Compares the times of a row, or their ratios to those of the initial code. */
static struct clopt_change estimate_change(bool relative, const struct entry *before,
                                           const struct entry *after)
{
    CLOPT_OWNED(clopt_medians) one = {0}, other = {0};
    const struct clopt_medians *initial[2] = {initial_medians(before), initial_medians(after)};
    if (!relative)
        return clopt_change_estimate(medians_of(before), medians_of(after));
    if (initial[0])
        clopt_medians_divide(initial[0], medians_of(before), &one);
    if (initial[1])
        clopt_medians_divide(initial[1], medians_of(after), &other);
    return clopt_change_estimate(&one, &other);
}

static double noise_of(const struct entry *entry)
{
    double noise = table_of(entry)->noise[entry->result->device].noise;
    return isnan(noise) ? 0 : noise;
}

/* What is said of a row whose times cannot be compared. */
static unsigned judge_outcomes(const struct clopt_result *before, const struct clopt_result *after)
{
    if (before->ranked && after->outcome > CLOPT_OUTCOME_OK)
        return CLOPT_COMPARISON_BROKEN;
    if (after->ranked && before->outcome > CLOPT_OUTCOME_OK)
        return CLOPT_COMPARISON_MENDED;
    return CLOPT_COMPARISON_FAILED;
}

/* Adds a row that is in both stores, or in one: the other entry is NULL. */
static void add_row(struct clopt_comparison *comparison, const struct entry *before,
                    const struct entry *after)
{
    const struct entry *entry = before ? before : after;
    struct clopt_comparison_row *row =
        clopt_array_add(&comparison->rows, &comparison->row_count, sizeof *row);
    *row = (struct clopt_comparison_row){
        .number = comparison->row_count,
        .app = problem_of(entry)->app,
        .problem = problem_of(entry)->label,
        .kernel = table_of(entry)->kernel,
        .variant = entry->result->row->name,
        .device = entry->results->devices[entry->result->device].label,
        .before = before ? before->result : NULL,
        .after = after ? after->result : NULL,
        .change = clopt_change_estimate(&(struct clopt_medians){0}, &(struct clopt_medians){0}),
        .verdict = before ? CLOPT_COMPARISON_ONLY_A : CLOPT_COMPARISON_ONLY_B,
    };
    if (!before || !after)
        return;
    const char *one = row->before->trial.fingerprint, *other = row->after->trial.fingerprint;
    /* What follows is of the data, which another seed draws. */
    comparison->other_programs += one && other && strncmp(one, other, CLOPT_HASH_KEPT) != 0;
    row->noise = fmax(noise_of(before), noise_of(after));
    row->verdict = judge_outcomes(row->before, row->after);
    if (!row->before->ranked || !row->after->ranked)
        return;
    row->verdict = CLOPT_VERDICT_TOO_FEW;
    row->change = estimate_change(comparison->request->relative, before, after);
}

static bool is_wanted(const struct clopt_report_comparison *request, const struct entry *entry)
{
    const struct clopt_result *result = entry->result;
    const struct clopt_results_table *table = table_of(entry);
    return clopt_selection_has(&request->selection, entry->results, table, result->device) &&
           result->present &&
           !(request->relative && result == clopt_table_initial(table, result->device));
}

/* Adds an entry of A, or of B if A has none like it. What is the same code as another row in both
 * is left out, since that row says the same. */
static void add_entry(struct clopt_comparison *comparison, size_t store, const struct entry *entry,
                      size_t *guess)
{
    struct entry like;
    if (!is_wanted(comparison->request, entry))
        return;
    bool found = find_like(comparison->results[1 - store], entry, guess, &like);
    if (found && (store == 1 || (entry->result->borrowed && like.result->borrowed)))
        return;
    if (store == 0)
        add_row(comparison, entry, found ? &like : NULL);
    else
        add_row(comparison, NULL, entry);
}

/* Adds all entries of A, then those that only B has. */
static void add_rows(struct clopt_comparison *comparison)
{
    for (size_t store = 0; store < 2; store++) {
        const struct clopt_results *results = comparison->results[store];
        for (size_t t = 0; t < results->table_count + results->problem_count; t++) {
            const struct clopt_results_table *table = table_at(results, t);
            for (size_t i = 0, guess = 0; table && i < table->row_count; i++)
                for (size_t d = 0; d < results->device_count; d++)
                    add_entry(comparison, store, &(struct entry){results, &table->rows[i].cells[d]},
                              &guess);
        }
    }
}

/* How much faster a row is in B than in A. */
static struct clopt_interval gain_of(const struct clopt_comparison *comparison,
                                     const struct clopt_comparison_row *row)
{
    const struct clopt_change *change = &row->change;
    if (comparison->request->relative)
        return (struct clopt_interval){change->ratio, change->low, change->high, .attained = true};
    return (struct clopt_interval){1 / change->ratio, 1 / change->high, 1 / change->low,
                                   .attained = true};
}

/* Finds the changes among all that were compared, beyond the noise of their kernels. */
static void judge(struct clopt_comparison *comparison)
{
    size_t count = comparison->row_count;
    CLOPT_FREED double *p = clopt_calloc(2 * count, sizeof *p);
    for (size_t i = 0; i < count; i++)
        p[i] = comparison->rows[i].change.p;
    clopt_discovery_rates(p, p + count, count);
    for (size_t i = 0; i < count; i++) {
        struct clopt_comparison_row *row = &comparison->rows[i];
        struct clopt_interval gain = gain_of(comparison, row);
        row->rate = p[count + i];
        if (!isnan(row->rate))
            row->verdict = row->rate <= comparison->request->rate
                               ? clopt_verdict_find(&gain, row->noise)
                               : clopt_verdict_find_open(&gain, row->noise);
        comparison->counts[row->verdict]++;
    }
}

/* Refuses stores that have nothing in common, and says what is in each. */
static enum clopt_status check_common(const struct clopt_comparison *comparison,
                                      struct clopt_error *error)
{
    const struct clopt_comparison_row *first[2] = {NULL, NULL};
    for (size_t i = 0; i < comparison->row_count; i++) {
        const struct clopt_comparison_row *row = &comparison->rows[i];
        if (row->before && row->after)
            return CLOPT_OK;
        if (!first[!row->before])
            first[!row->before] = row;
    }
    if (!first[0] || !first[1])
        return CLOPT_OK;
    const char *const *paths = comparison->request->paths;
    return clopt_fail(error, CLOPT_FAILED,
                      "nothing can be compared: %s has %s %s (%s, %s), %s has %s %s (%s, %s), and "
                      "no row of one is in the other",
                      paths[0], first[0]->app, first[0]->kernel, first[0]->problem,
                      first[0]->device, paths[1], first[1]->app, first[1]->kernel,
                      first[1]->problem, first[1]->device);
}

enum clopt_status clopt_comparison_init(struct clopt_comparison *comparison,
                                        const struct clopt_report_comparison *request,
                                        struct clopt_error *error)
{
    *comparison = (struct clopt_comparison){.request = request};
    for (size_t i = 0; i < 2; i++) {
        CLOPT_TRY(clopt_results_read(request->paths[i], &comparison->results[i], error));
        if (!comparison->results[i]->run.there)
            return clopt_fail(error, CLOPT_FAILED,
                              "%s: nothing to compare: no study has run in this store",
                              request->paths[i]);
    }
    struct clopt_results *const *results = comparison->results;
    if (results[0]->objective != results[1]->objective)
        return clopt_fail(error, CLOPT_INVALID, "A measured %s, B %s: they cannot be compared",
                          clopt_objective_words(results[0]->objective)->name,
                          clopt_objective_words(results[1]->objective)->name);
    add_rows(comparison);
    CLOPT_TRY(check_common(comparison, error));
    judge(comparison);
    return CLOPT_OK;
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
    return *row->kernel && (row->verdict == CLOPT_COMPARISON_BROKEN ||
                            (row->verdict == CLOPT_VERDICT_SLOWER && slower > 1 + share));
}
