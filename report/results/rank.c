/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares variants: with the initial code, and with each other. */
#include "results/results.h"

#include <math.h>

#define PRECISION 0.02 /* as [measure] precision is, where no run has named anything */

static bool has_time(const struct clopt_result *cell)
{
    return !isnan(cell->times[CLOPT_SCOPE_KERNEL].interval.median) ||
           !isnan(cell->times[CLOPT_SCOPE_RUN].interval.median);
}

/* ---- aliases ---- */

/* What says that rows are the same code. */
struct code {
    const char *fingerprint; /* NULL: nothing was built, so only the same trial is the same */
    int64_t trial;
    size_t row;
};

static int compare_code(const struct code *a, const struct code *b)
{
    if (!a->fingerprint || !b->fingerprint) {
        int order = (a->fingerprint != NULL) - (b->fingerprint != NULL);
        return order ? order : (a->trial > b->trial) - (a->trial < b->trial);
    }
    return strcmp(a->fingerprint, b->fingerprint);
}

static int compare_code_and_row(const void *a, const void *b)
{
    const struct code *x = a;
    const struct code *y = b;
    int order = compare_code(x, y);
    return order ? order : (x->row > y->row) - (x->row < y->row);
}

/* Whether a result has a time that counts: nothing went wrong after it. */
static bool has_good_time(const struct clopt_result *cell)
{
    return has_time(cell) &&
           (cell->outcome == CLOPT_OUTCOME_OK || cell->outcome == CLOPT_OUTCOME_PENDING);
}

/* Equal code need not be measured twice: rows without a time show that of the first with one. */
static void link_aliases(struct clopt_results_table *table, size_t device, const struct code *codes,
                         size_t count)
{
    size_t first = codes[0].row;
    for (size_t i = count; i-- > 0;)
        if (has_good_time(&table->rows[codes[i].row].cells[device]))
            first = codes[i].row;
    const struct clopt_result *other = &table->rows[first].cells[device];
    for (size_t i = 0; i < count; i++) {
        struct clopt_result *cell = &table->rows[codes[i].row].cells[device];
        if (cell == other)
            continue;
        cell->alias = first;
        cell->borrowed =
            cell->trial.id == other->trial.id || (!has_time(cell) && has_good_time(other));
        if (cell->borrowed)
            memcpy(cell->times, other->times, sizeof cell->times);
    }
}

static void find_aliases(struct clopt_results_table *table, size_t device)
{
    CLOPT_FREED struct code *codes = clopt_calloc(table->row_count, sizeof *codes);
    size_t count = 0;
    for (size_t i = 0; i < table->row_count; i++) {
        const struct clopt_result *cell = &table->rows[i].cells[device];
        if (cell->present && cell->trial.id)
            codes[count++] = (struct code){cell->trial.fingerprint, cell->trial.id, i};
    }
    qsort(codes, count, sizeof *codes, compare_code_and_row);
    for (size_t first = 0; first < count;) {
        size_t end = first;
        while (end < count && compare_code(&codes[first], &codes[end]) == 0)
            end++;
        link_aliases(table, device, codes + first, end - first);
        first = end;
    }
}

/* ---- ratios ---- */

static const struct clopt_medians *medians_of(const struct clopt_result *cell,
                                              enum clopt_scope scope)
{
    static const struct clopt_medians none;
    return cell ? &clopt_result_measured(cell)->medians[scope] : &none;
}

/* What is known of how far a table's figures can be trusted. */
static struct clopt_results_noise *noise_of(const struct clopt_results *results,
                                            const struct clopt_results_table *table, size_t device,
                                            enum clopt_scope scope)
{
    return scope == CLOPT_SCOPE_KERNEL ? &table->noise[device]
                                       : &results->problems[table->problem].noise[device];
}

/* The same of the table that a result is in. */
static struct clopt_results_noise *noise_at(const struct clopt_results *results,
                                            const struct clopt_result *cell, enum clopt_scope scope)
{
    return noise_of(results, cell->row->table, cell->device, scope);
}

/* Finds what the most processes have measured, the initial code first. */
static const struct clopt_result *find_reference(const struct clopt_results_table *table,
                                                 size_t device)
{
    const struct clopt_result *reference = clopt_table_initial(table, device);
    for (size_t i = 0; i < table->row_count && reference; i++) {
        const struct clopt_result *cell = &table->rows[i].cells[device];
        if (!cell->borrowed && medians_of(cell, CLOPT_SCOPE_RUN)->count >
                                   medians_of(reference, CLOPT_SCOPE_RUN)->count)
            reference = cell;
    }
    return reference;
}

/* Finds how much ratios differ from process to process, those to the reference, in the tables
 * `first` to `end` (excluded) of one problem. */
static void find_spreads(struct clopt_results *results, size_t first, size_t end, size_t device)
{
    const struct clopt_spread none = {.prior = results->devices[device].expected};
    results->problems[results->tables[first].problem].noise[device].spread = none;
    for (size_t t = first; t < end; t++) {
        struct clopt_results_table *table = &results->tables[t];
        const struct clopt_result *initial = clopt_table_initial(table, device);
        const struct clopt_result *reference = find_reference(table, device);
        table->noise[device].spread = none;
        table->noise[device].reference = reference;
        for (size_t i = 0; i < table->row_count && reference; i++) {
            const struct clopt_result *cell = &table->rows[i].cells[device];
            if (cell == initial || cell == reference || !cell->ranked || cell->borrowed)
                continue;
            for (enum clopt_scope scope = 0; scope < CLOPT_SCOPE_COUNT; scope++)
                clopt_spread_add(&noise_of(results, table, device, scope)->spread,
                                 medians_of(reference, scope), &cell->medians[scope]);
        }
    }
}

/* Estimates the time of `above` over that of `below` from the processes that measured both, or each
 * and the reference. Others' ratios say nothing of those to an initial code that was spared. */
static struct clopt_interval estimate(const struct clopt_results *results,
                                      const struct clopt_result *above,
                                      const struct clopt_result *below, enum clopt_scope scope)
{
    const struct clopt_results_table *table = above->row->table;
    const struct clopt_result *initial = clopt_table_initial(table, above->device);
    const struct clopt_result *reference = table->noise[above->device].reference;
    struct clopt_spread spread = noise_at(results, above, scope)->spread;
    spread.apart = reference == initial ? NULL : medians_of(initial, scope);
    return clopt_ratio_estimate_through(medians_of(above, scope), medians_of(below, scope),
                                        medians_of(reference, scope), &spread);
}

struct clopt_interval clopt_results_ratio(const struct clopt_results *results,
                                          const struct clopt_result *above,
                                          const struct clopt_result *below, enum clopt_scope scope)
{
    const struct clopt_interval *one = &above->times[scope].interval;
    const struct clopt_interval *other = &below->times[scope].interval;
    if (clopt_result_measured(above)->trial.id ==
        clopt_result_measured(below)->trial.id) /* the same program is as fast */
        return (struct clopt_interval){1, 1, 1, one->samples, one->processes, true};
    struct clopt_interval ratio = estimate(results, above, below, scope);
    if (ratio.processes == 0) {
        ratio.median = one->median / other->median;
        ratio.low = one->low / other->high;
        ratio.high = one->high / other->low;
    }
    return ratio;
}

/* Judges the speed-up of a result over the initial code. */
static void judge(const struct clopt_results *results, const struct clopt_result *initial,
                  struct clopt_result *cell, enum clopt_scope scope)
{
    struct clopt_result_time *time = &cell->times[scope];
    time->speedup = clopt_results_ratio(results, initial, cell, scope);
    time->noise = noise_at(results, cell, scope)->noise;
    clopt_result_bound(initial, cell, &noise_at(results, cell, scope)->spread, time);
    time->verdict = clopt_verdict_find(&time->speedup, time->noise);
    time->different =
        time->verdict == CLOPT_VERDICT_FASTER || time->verdict == CLOPT_VERDICT_SLOWER;
}

/* Finds what can be compared. */
static void find_ranked(struct clopt_results *results, struct clopt_results_table *table,
                        size_t device)
{
    for (size_t i = 0; i < table->row_count; i++) {
        struct clopt_result *cell = &table->rows[i].cells[device];
        results->measured |=
            cell->present && (has_time(cell) || cell->outcome != CLOPT_OUTCOME_PENDING);
        cell->ranked = cell->present && cell->trial.verdict.right && has_good_time(cell);
    }
}

static void compare_table(const struct clopt_results *results, struct clopt_results_table *table,
                          size_t device)
{
    const struct clopt_result *initial = clopt_table_initial(table, device);
    for (size_t i = 0; i < table->row_count && initial && initial->ranked; i++) {
        struct clopt_result *cell = &table->rows[i].cells[device];
        for (enum clopt_scope scope = 0; scope < CLOPT_SCOPE_COUNT; scope++)
            if (cell->ranked && cell != initial)
                judge(results, initial, cell, scope);
    }
}

/* ---- the best ---- */

static bool is_initial(const struct clopt_result *cell)
{
    return cell == clopt_table_initial(cell->row->table, cell->device);
}

/* The time of `above` over that of `below`. Beside the initial code it is what is said of it. */
static struct clopt_interval compare(const struct clopt_results *results,
                                     const struct clopt_result *above,
                                     const struct clopt_result *below, enum clopt_scope scope)
{
    struct clopt_interval own = above->times[scope].speedup, other = below->times[scope].speedup;
    if (is_initial(above) && !isnan(other.median))
        return other;
    if (!is_initial(below) || isnan(own.median))
        return clopt_results_ratio(results, above, below, scope);
    return (struct clopt_interval){1 / own.median, 1 / own.high,  1 / own.low,
                                   own.samples,    own.processes, own.attained};
}

/* Whether `a` is surely faster than `b`: by the processes that measured both, or by intervals. */
static bool is_faster(const struct clopt_results *results, const struct clopt_result *a,
                      const struct clopt_result *b, enum clopt_scope scope)
{
    struct clopt_interval ratio = compare(results, b, a, scope);
    double noise = fmax(noise_at(results, a, scope)->noise, noise_at(results, b, scope)->noise);
    if (ratio.attained)
        return clopt_verdict_find(&ratio, noise) == CLOPT_VERDICT_FASTER;
    const struct clopt_interval *one = &a->times[scope].interval;
    const struct clopt_interval *other = &b->times[scope].interval;
    return one->high < other->low && !(other->median / one->median - 1 <= noise);
}

/* What may be the best of some tables on a device, and of these what may be named. */
struct nameable {
    const struct clopt_results *results;
    size_t first, end, device; /* the tables `first` to `end` (excluded) */
    enum clopt_scope scope;
    struct clopt_result **cells;
    size_t count;
    struct clopt_result **named;
};

/* Collects what may be the best. */
static void collect(struct nameable *nameable)
{
    const struct clopt_results *results = nameable->results;
    size_t rows = 0;
    for (size_t t = nameable->first; t < nameable->end; t++)
        rows += results->tables[t].row_count;
    nameable->cells = clopt_calloc(2 * rows, sizeof(struct clopt_result *));
    nameable->named = nameable->cells + rows;
    for (size_t t = nameable->first; t < nameable->end; t++)
        for (size_t i = 0; i < results->tables[t].row_count; i++) {
            struct clopt_result *cell = &results->tables[t].rows[i].cells[nameable->device];
            if (cell->ranked && !isnan(cell->times[nameable->scope].interval.median))
                nameable->cells[nameable->count++] = cell;
        }
}

/* Whether it was not measured to the end because it was far behind the best by then: two or three
 * processes may leave the ratio open nevertheless. */
static bool is_abandoned(const struct clopt_result *cell)
{
    return clopt_result_measured(cell)->trial.abandoned;
}

static struct clopt_interval ratio_of(const void *user, size_t above, size_t below)
{
    const struct nameable *nameable = user;
    return compare(nameable->results, nameable->named[above], nameable->named[below],
                   nameable->scope);
}

static size_t changes_of(const void *user, size_t number)
{
    return clopt_name_changes(((const struct nameable *)user)->named[number]->row->name);
}

/* Collects those that may be named: no aliases. Returns how many they are. */
static size_t find_nameable(struct nameable *nameable)
{
    size_t left = 0;
    for (size_t i = 0; i < nameable->count; i++)
        if (nameable->cells[i]->alias == CLOPT_NO_ROW)
            nameable->named[left++] = nameable->cells[i];
    return left;
}

/* Computes what naming the best costs. Those that were abandoned are none of which much is known,
 * but for that they were far behind. */
static struct clopt_regret find_regret(struct nameable *nameable, struct clopt_field *field,
                                       struct clopt_result *best)
{
    size_t left = 1, count = field->count;
    for (size_t i = 0; i < count; i++)
        if (nameable->named[i] == best)
            nameable->named[i] = nameable->named[0];
    nameable->named[0] = best;
    for (size_t i = 1; i < count; i++)
        if (!is_abandoned(nameable->named[i]))
            nameable->named[left++] = nameable->named[i];
    field->count = left;
    return clopt_field_regret(field, 0);
}

/* Whether anything but the best could have been named: tables of a run share the initial code. */
static bool has_other(const struct nameable *nameable, size_t count,
                      const struct clopt_result *best)
{
    for (size_t i = 0; i < count; i++)
        if (nameable->named[i]->trial.id != best->trial.id)
            return true;
    return false;
}

/* Chooses the best, as a search does: what that has named, unless another one is surely faster by
 * now. NULL: there is none. */
static struct clopt_result *choose_best(struct nameable *nameable)
{
    const struct clopt_results *results = nameable->results;
    const enum clopt_scope scope = nameable->scope;
    struct clopt_field field = {nameable, find_nameable(nameable), ratio_of, changes_of, PRECISION,
                                SIZE_MAX};
    struct clopt_result *best = NULL, *known = NULL;
    struct clopt_regret regret = {NAN, NAN};
    for (size_t i = 0; i < field.count; i++)
        if (is_initial(nameable->named[i]))
            field.initial = i;
    size_t chosen = clopt_field_name(&field, &regret);
    if (chosen >= field.count)
        return NULL;
    best = nameable->named[chosen];
    const struct clopt_store_named *named = &noise_at(results, nameable->cells[0], scope)->named;
    for (size_t i = 0; i < field.count && !known; i++)
        if (nameable->named[i]->trial.id == named->trial &&
            !(nameable->named[i]->times[scope].speedup.median < 1) &&
            !is_faster(results, best, nameable->named[i], scope))
            best = known = nameable->named[i];
    struct clopt_result_time *time = &best->times[scope];
    if (has_other(nameable, field.count, best))
        time->regret =
            known && !named->earlier ? named->regret : find_regret(nameable, &field, best);
    return best;
}

/* Finds the best, rates all by it, and marks what is tied with it. What several kernels share is
 * the best in the tables of all of them. */
static void find_best(struct nameable nameable)
{
    const struct clopt_results *results = nameable.results;
    const enum clopt_scope scope = nameable.scope;
    collect(&nameable);
    for (size_t i = 0; i < nameable.count; i++)
        nameable.cells[i]->times[scope].regret = (struct clopt_regret){NAN, NAN};
    const struct clopt_result *best = choose_best(&nameable);
    for (size_t i = 0; i < nameable.count && best; i++) {
        struct clopt_result *cell = nameable.cells[i];
        struct clopt_result_time *time = &cell->times[scope];
        time->efficiency = compare(results, best, cell, scope);
        time->best = cell->trial.id == best->trial.id;
        time->behind = !time->best && is_faster(results, best, cell, scope);
        time->tied = !time->best && !time->behind && !is_abandoned(cell);
    }
    free(nameable.cells);
}

/* ---- rivals ---- */

/* Compares a problem's rivals with the initial code and with the best variant. */
static void compare_rivals(struct clopt_results *results, size_t first, size_t end, size_t device)
{
    struct clopt_results_table *rivals = &results->problems[results->tables[first].problem].rivals;
    const struct clopt_result *initial = clopt_table_initial(&results->tables[first], device);
    const struct clopt_result *best = NULL; /* of all whole runs */
    for (size_t t = first; t < end; t++)
        for (size_t i = 0; i < results->tables[t].row_count && !best; i++)
            if (results->tables[t].rows[i].cells[device].times[CLOPT_SCOPE_RUN].best)
                best = &results->tables[t].rows[i].cells[device];
    find_ranked(results, rivals, device);
    for (size_t i = 0; i < rivals->row_count; i++) {
        struct clopt_result *cell = &rivals->rows[i].cells[device];
        struct clopt_result_time *time = &cell->times[CLOPT_SCOPE_RUN];
        if (cell->ranked && initial && initial->ranked)
            judge(results, initial, cell, CLOPT_SCOPE_RUN);
        if (cell->ranked && best)
            time->efficiency = clopt_results_ratio(results, best, cell, CLOPT_SCOPE_RUN);
        cell->times[CLOPT_SCOPE_KERNEL] = *time;
    }
}

/* Has what is said of a whole app be said of its run: it has no kernel of its own. */
static void use_run(struct clopt_results_table *table, size_t device)
{
    for (size_t i = 0; i < table->row_count; i++) {
        struct clopt_result_time *times = table->rows[i].cells[device].times;
        times[CLOPT_SCOPE_KERNEL] = times[CLOPT_SCOPE_RUN];
    }
}

/* Ranks the tables of one problem, `first` to `end` (excluded). */
static void rank_problem(struct clopt_results *results, size_t first, size_t end, size_t device)
{
    const struct nameable run = {results, first, end, device, CLOPT_SCOPE_RUN, NULL, 0, NULL};
    for (size_t t = first; t < end; t++) {
        find_aliases(&results->tables[t], device);
        find_ranked(results, &results->tables[t], device);
    }
    find_spreads(results, first, end, device);
    for (size_t t = first; t < end; t++) {
        struct nameable kernel = {results, t, t + 1, device, CLOPT_SCOPE_KERNEL, NULL, 0, NULL};
        compare_table(results, &results->tables[t], device);
        find_best(kernel);
    }
    find_best(run);
    for (size_t t = first; t < end; t++)
        if (clopt_table_is_combined(&results->tables[t]))
            use_run(&results->tables[t], device);
    compare_rivals(results, first, end, device);
}

/* Has rows and results know where they are, now that tables do not move any more. */
static void link_table(const struct clopt_results *results, struct clopt_results_table *table)
{
    for (size_t i = 0; i < table->row_count; i++) {
        table->rows[i].table = table;
        for (size_t d = 0; d < results->device_count; d++) {
            table->rows[i].cells[d].row = &table->rows[i];
            table->rows[i].cells[d].device = d;
        }
    }
}

void clopt_results_rank(struct clopt_results *results)
{
    for (size_t t = 0; t < results->table_count; t++)
        link_table(results, &results->tables[t]);
    for (size_t p = 0; p < results->problem_count; p++)
        link_table(results, &results->problems[p].rivals);
    for (size_t device = 0; device < results->device_count; device++)
        for (size_t first = 0, end; first < results->table_count; first = end) {
            end = clopt_results_problem_end(results, first);
            rank_problem(results, first, end, device);
        }
}
