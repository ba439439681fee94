/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares variants: with the initial code, and with each other. */
#include "results/results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "text/text.h"

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

/* Equal code need not be measured twice: rows without a time show that of the first that has one.
 */
static void link_aliases(struct clopt_results_table *table, size_t device, const struct code *codes,
                         size_t count)
{
    size_t first = codes[0].row;
    for (size_t i = count; i-- > 0;)
        if (has_time(&table->rows[codes[i].row].cells[device]))
            first = codes[i].row;
    const struct clopt_result *other = &table->rows[first].cells[device];
    for (size_t i = 0; i < count; i++) {
        struct clopt_result *cell = &table->rows[codes[i].row].cells[device];
        if (cell == other)
            continue;
        cell->alias = first;
        cell->borrowed = cell->trial.id == other->trial.id || !has_time(cell);
        if (cell->borrowed)
            memcpy(cell->times, other->times, sizeof cell->times);
    }
}

static enum clopt_status find_aliases(struct clopt_results_table *table, size_t device,
                                      struct clopt_error *error)
{
    struct code *codes = calloc(table->row_count + 1, sizeof *codes);
    if (!codes)
        return clopt_fail_memory(error);
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
    free(codes);
    return CLOPT_OK;
}

/* ---- ratios ---- */

/* A row of a table. */
struct place {
    struct clopt_results_table *table;
    size_t row;
};

static struct clopt_result_time *time_of(const struct place *place, size_t device,
                                         enum clopt_scope scope)
{
    return &place->table->rows[place->row].cells[device].times[scope];
}

/* The result whose samples a place's times are. */
static const struct clopt_result *measured_at(const struct place *place, size_t device)
{
    const struct clopt_results_row *rows = place->table->rows;
    const struct clopt_result *cell = &rows[place->row].cells[device];
    return cell->borrowed ? &rows[cell->alias].cells[device] : cell;
}

static const struct clopt_medians *medians_of(const struct place *place, size_t device,
                                              enum clopt_scope scope)
{
    return &measured_at(place, device)->medians[scope];
}

/* What is known of how far a table's figures can be trusted. */
static struct clopt_results_noise *noise_of(const struct clopt_results *results,
                                            const struct clopt_results_table *table, size_t device,
                                            enum clopt_scope scope)
{
    return scope == CLOPT_SCOPE_KERNEL ? &table->noise[device]
                                       : &results->problems[table->problem].noise[device];
}

/* Finds how much ratios to the initial code differ from process to process, in the tables `first`
 * to `end` (excluded) of one problem. */
static void find_spreads(struct clopt_results *results, size_t first, size_t end, size_t device)
{
    results->problems[results->tables[first].problem].noise[device].spread =
        (struct clopt_spread){0};
    for (size_t t = first; t < end; t++) {
        struct clopt_results_table *table = &results->tables[t];
        struct place initial = {table, table->initial};
        table->noise[device].spread = (struct clopt_spread){0};
        for (size_t i = 0; i < table->row_count && initial.row != CLOPT_NO_ROW; i++) {
            const struct clopt_result *cell = &table->rows[i].cells[device];
            if (i == initial.row || !cell->ranked || cell->borrowed)
                continue;
            for (enum clopt_scope scope = 0; scope < CLOPT_SCOPE_COUNT; scope++)
                clopt_spread_add(&noise_of(results, table, device, scope)->spread,
                                 medians_of(&initial, device, scope), &cell->medians[scope]);
        }
    }
}

/* Estimates the time of `above` over that of `below` from the processes that measured both, or both
 * of them and the initial code. */
static struct clopt_interval estimate(const struct clopt_results *results,
                                      const struct place *above, const struct place *below,
                                      size_t device, enum clopt_scope scope)
{
    static const struct clopt_medians none;
    struct place initial = {above->table, above->table->initial};
    return clopt_ratio_estimate_through(
        medians_of(above, device, scope), medians_of(below, device, scope),
        initial.row == CLOPT_NO_ROW ? &none : medians_of(&initial, device, scope),
        &noise_of(results, above->table, device, scope)->spread);
}

/* Divides the time of `above` by that of `below`; without processes that tell the ratio by their
 * medians, with what the intervals of these allow. The same program is as fast. */
static struct clopt_interval divide(const struct clopt_results *results, const struct place *above,
                                    const struct place *below, size_t device,
                                    enum clopt_scope scope)
{
    const struct clopt_interval *one = &time_of(above, device, scope)->interval;
    const struct clopt_interval *other = &time_of(below, device, scope)->interval;
    if (measured_at(above, device)->trial.id == measured_at(below, device)->trial.id)
        return (struct clopt_interval){1, 1, 1, one->samples, one->processes, true};
    struct clopt_interval ratio = estimate(results, above, below, device, scope);
    if (ratio.processes == 0) {
        ratio.median = one->median / other->median;
        ratio.low = one->low / other->high;
        ratio.high = one->high / other->low;
    }
    return ratio;
}

struct clopt_interval clopt_results_ratio(const struct clopt_results *results,
                                          const struct clopt_results_table *above_table,
                                          size_t above,
                                          const struct clopt_results_table *below_table,
                                          size_t below, size_t device, enum clopt_scope scope)
{
    const struct place places[] = {{(struct clopt_results_table *)above_table, above},
                                   {(struct clopt_results_table *)below_table, below}};
    return divide(results, &places[0], &places[1], device, scope);
}

/* Judges the speed-up of a row. */
static void judge(struct clopt_result_time *time, const struct clopt_interval *speedup,
                  double noise)
{
    time->speedup = *speedup;
    time->noise = noise;
    time->verdict = clopt_verdict_find(speedup, noise);
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
        cell->ranked =
            cell->present && cell->trial.verified && has_time(cell) &&
            (cell->outcome == CLOPT_OUTCOME_OK || cell->outcome == CLOPT_OUTCOME_PENDING);
    }
}

static void compare_table(struct clopt_results *results, struct clopt_results_table *table,
                          size_t device)
{
    struct place initial = {table, table->initial};
    if (initial.row == CLOPT_NO_ROW || !table->rows[initial.row].cells[device].ranked)
        return;
    for (size_t i = 0; i < table->row_count; i++)
        for (enum clopt_scope scope = 0; scope < CLOPT_SCOPE_COUNT; scope++) {
            struct place own = {table, i};
            if (!table->rows[i].cells[device].ranked || i == initial.row)
                continue;
            struct clopt_interval speedup = divide(results, &initial, &own, device, scope);
            judge(time_of(&own, device, scope), &speedup,
                  noise_of(results, table, device, scope)->noise);
        }
}

/* ---- the best ---- */

/* Whether `a` is surely faster than `b`: by the processes in which both were measured, or else by
 * their intervals. */
static bool is_faster(const struct clopt_results *results, const struct place *a,
                      const struct place *b, size_t device, enum clopt_scope scope)
{
    struct clopt_interval ratio = estimate(results, b, a, device, scope);
    double noise = fmax(noise_of(results, a->table, device, scope)->noise,
                        noise_of(results, b->table, device, scope)->noise);
    if (ratio.attained)
        return clopt_verdict_find(&ratio, noise) == CLOPT_VERDICT_FASTER;
    const struct clopt_interval *one = &time_of(a, device, scope)->interval;
    const struct clopt_interval *other = &time_of(b, device, scope)->interval;
    return one->high < other->low && !(other->median / one->median - 1 <= noise);
}

/* Collects what may be the best of the tables `first` to `end` (excluded). */
static size_t collect(struct clopt_results *results, size_t first, size_t end, size_t device,
                      enum clopt_scope scope, struct place *places)
{
    size_t count = 0;
    for (size_t t = first; t < end; t++)
        for (size_t i = 0; i < results->tables[t].row_count; i++) {
            struct place place = {&results->tables[t], i};
            if (results->tables[t].rows[i].cells[device].ranked &&
                !isnan(time_of(&place, device, scope)->interval.median))
                places[count++] = place;
        }
    return count;
}

static int64_t trial_at(const struct place *place, size_t device)
{
    return place->table->rows[place->row].cells[device].trial.id;
}

/* Whether it was not measured to the end because it was far behind the best by then: two or three
 * processes may leave the ratio open nevertheless. */
static bool is_abandoned(const struct place *place, size_t device)
{
    return measured_at(place, device)->trial.abandoned;
}

/* Whether a place was measured in several processes together with the initial code, or is that. */
static bool is_certain(const struct place *place, size_t device, enum clopt_scope scope)
{
    return place->row == place->table->initial ||
           time_of(place, device, scope)->speedup.processes > 1;
}

/* Those of which one is named. */
struct nameable {
    const struct clopt_results *results;
    const struct place **places;
    size_t device;
    enum clopt_scope scope;
};

static struct clopt_interval ratio_of(const void *user, size_t above, size_t below)
{
    const struct nameable *nameable = user;
    return divide(nameable->results, nameable->places[above], nameable->places[below],
                  nameable->device, nameable->scope);
}

static size_t changes_of(const void *user, size_t number)
{
    const struct place *place = ((const struct nameable *)user)->places[number];
    return clopt_name_changes(place->table->rows[place->row].name);
}

/* Collects those that may be named: no aliases, and of a single process none where a variant was
 * measured in several. Returns how many they are. */
static size_t find_nameable(struct nameable *nameable, const struct place *places, size_t count)
{
    bool certain = false;
    size_t left = 0;
    for (size_t i = 0; i < count; i++)
        certain |= places[i].row != places[i].table->initial &&
                   is_certain(&places[i], nameable->device, nameable->scope);
    for (size_t i = 0; i < count; i++)
        if (places[i].table->rows[places[i].row].cells[nameable->device].alias == CLOPT_NO_ROW &&
            (!certain || is_certain(&places[i], nameable->device, nameable->scope)))
            nameable->places[left++] = &places[i];
    return left;
}

/* Computes what naming the best costs. Those that were abandoned are none of which much is known,
 * but for that they were far behind. */
static struct clopt_regret find_regret(struct nameable *nameable, struct clopt_field *field,
                                       const struct place *best)
{
    size_t left = 1, count = field->count;
    for (size_t i = 0; i < count; i++)
        if (nameable->places[i] == best)
            nameable->places[i] = nameable->places[0];
    nameable->places[0] = best;
    for (size_t i = 1; i < count; i++)
        if (!is_abandoned(nameable->places[i], nameable->device))
            nameable->places[left++] = nameable->places[i];
    field->count = left;
    return clopt_field_regret(field, 0);
}

/* Chooses the best of some places, as a search does: what that has named, unless another one is
 * surely faster by now. NULL: there is none. */
static const struct place *choose_best(const struct clopt_results *results,
                                       const struct place *places, size_t count, size_t device,
                                       enum clopt_scope scope)
{
    struct nameable nameable = {results, calloc(count + 1, sizeof *nameable.places), device, scope};
    struct clopt_field field = {&nameable, 0, ratio_of, changes_of, PRECISION};
    const struct clopt_store_named *named =
        count ? &noise_of(results, places[0].table, device, scope)->named : NULL;
    const struct place *best = NULL, *known = NULL;
    struct clopt_regret regret = {NAN, NAN};
    if (nameable.places)
        field.count = find_nameable(&nameable, places, count);
    size_t chosen = clopt_field_name(&field, &regret);
    if (chosen < field.count)
        best = nameable.places[chosen];
    for (size_t i = 0; i < field.count && !known; i++)
        if (trial_at(nameable.places[i], device) == named->trial &&
            !is_faster(results, best, nameable.places[i], device, scope))
            best = known = nameable.places[i];
    if (best && field.count > 1 && time_of(best, device, scope)->interval.processes > 1)
        time_of(best, device, scope)->regret =
            known && !named->earlier ? named->regret : find_regret(&nameable, &field, best);
    free(nameable.places);
    return best;
}

/* Finds the best of the tables `first` to `end` (excluded), rates all by it, and marks what is tied
 * with it. What several kernels share is the best in the tables of all of them. */
static enum clopt_status find_best(struct clopt_results *results, size_t first, size_t end,
                                   size_t device, enum clopt_scope scope, struct clopt_error *error)
{
    size_t rows = 0;
    for (size_t t = first; t < end; t++)
        rows += results->tables[t].row_count;
    struct place *places = calloc(rows + 1, sizeof *places);
    if (!places)
        return clopt_fail_memory(error);
    size_t count = collect(results, first, end, device, scope, places);
    for (size_t i = 0; i < count; i++)
        time_of(&places[i], device, scope)->regret = (struct clopt_regret){NAN, NAN};
    const struct place *best = choose_best(results, places, count, device, scope);
    for (size_t i = 0; i < count && best; i++) {
        struct clopt_result_time *time = time_of(&places[i], device, scope);
        time->efficiency = divide(results, best, &places[i], device, scope);
        time->best = trial_at(&places[i], device) == trial_at(best, device);
        time->behind = !time->best && is_faster(results, best, &places[i], device, scope);
        time->tied = !time->best && !time->behind && !is_abandoned(&places[i], device);
    }
    free(places);
    return CLOPT_OK;
}

/* ---- rivals ---- */

/* Finds the best of a problem's whole runs on a device; false: there is none. */
static bool find_best_run(struct clopt_results *results, size_t first, size_t end, size_t device,
                          struct place *best)
{
    for (size_t t = first; t < end; t++)
        for (size_t i = 0; i < results->tables[t].row_count; i++)
            if (results->tables[t].rows[i].cells[device].times[CLOPT_SCOPE_RUN].best) {
                *best = (struct place){&results->tables[t], i};
                return true;
            }
    return false;
}

/* Compares a problem's rivals with the initial code and with the best variant. */
static void compare_rivals(struct clopt_results *results, size_t first, size_t end, size_t device)
{
    const size_t problem = results->tables[first].problem;
    struct clopt_results_table *rivals = &results->problems[problem].rivals;
    struct place initial = {&results->tables[first], results->tables[first].initial},
                 best = initial;
    bool comparable =
        initial.row != CLOPT_NO_ROW && initial.table->rows[initial.row].cells[device].ranked;
    bool ranked = find_best_run(results, first, end, device, &best);
    find_ranked(results, rivals, device);
    for (size_t i = 0; i < rivals->row_count; i++) {
        struct place own = {rivals, i};
        struct clopt_result *cell = &rivals->rows[i].cells[device];
        struct clopt_result_time *time = &cell->times[CLOPT_SCOPE_RUN];
        if (cell->ranked && comparable) {
            struct clopt_interval speedup =
                divide(results, &initial, &own, device, CLOPT_SCOPE_RUN);
            judge(time, &speedup, results->problems[problem].noise[device].noise);
        }
        if (cell->ranked && ranked)
            time->efficiency = divide(results, &best, &own, device, CLOPT_SCOPE_RUN);
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
static enum clopt_status rank_problem(struct clopt_results *results, size_t first, size_t end,
                                      size_t device, struct clopt_error *error)
{
    enum clopt_status status = CLOPT_OK;
    for (size_t t = first; t < end && !status; t++) {
        status = find_aliases(&results->tables[t], device, error);
        find_ranked(results, &results->tables[t], device);
    }
    if (!status)
        find_spreads(results, first, end, device);
    for (size_t t = first; t < end && !status; t++) {
        compare_table(results, &results->tables[t], device);
        status = find_best(results, t, t + 1, device, CLOPT_SCOPE_KERNEL, error);
    }
    if (!status)
        status = find_best(results, first, end, device, CLOPT_SCOPE_RUN, error);
    for (size_t t = first; t < end && !status; t++)
        if (clopt_table_is_combined(&results->tables[t]))
            use_run(&results->tables[t], device);
    if (!status)
        compare_rivals(results, first, end, device);
    return status;
}

enum clopt_status clopt_results_rank(struct clopt_results *results, struct clopt_error *error)
{
    enum clopt_status status = CLOPT_OK;
    for (size_t device = 0; device < results->device_count; device++)
        for (size_t first = 0, end; first < results->table_count && !status; first = end) {
            end = clopt_results_problem_end(results, first);
            status = rank_problem(results, first, end, device, error);
        }
    return status;
}
