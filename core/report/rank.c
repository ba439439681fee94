/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares variants: with the initial code, and with each other. */
#include "report/results.h"

#include <math.h>
#include <string.h>

static bool has_time(const struct clopt_result *cell)
{
    return !isnan(cell->times[CLOPT_SCOPE_KERNEL].interval.median) ||
           !isnan(cell->times[CLOPT_SCOPE_RUN].interval.median);
}

/* Equal code need not be measured twice: a row without a time shows that of the other. */
static void find_alias(struct clopt_results_table *table, size_t row, size_t device)
{
    struct clopt_result *cell = &table->rows[row].cells[device];
    if (!cell->present || !cell->trial.id)
        return;
    for (size_t i = 0; i < row; i++) {
        const struct clopt_result *other = &table->rows[i].cells[device];
        bool same_trial = other->trial.id == cell->trial.id;
        bool same_code = cell->trial.fingerprint && other->trial.fingerprint &&
                         strcmp(cell->trial.fingerprint, other->trial.fingerprint) == 0;
        if (!same_trial && (!same_code || (has_time(cell) && !has_time(other))))
            continue;
        cell->alias = i;
        cell->borrowed = same_trial || !has_time(cell);
        if (cell->borrowed)
            memcpy(cell->times, other->times, sizeof cell->times);
        return;
    }
}

static void compare_with_initial(struct clopt_result_time *time,
                                 const struct clopt_interval *initial, double noise)
{
    const struct clopt_interval *own = &time->interval;
    time->speedup = initial->median / own->median;
    time->speedup_low = initial->low / own->high;
    time->speedup_high = initial->high / own->low;
    /* NaN compares false: without a noise figure the intervals alone decide. */
    bool in_noise = fabs(time->speedup - 1) <= noise;
    time->different = (time->speedup_low > 1 || time->speedup_high < 1) && !in_noise;
}

static void compare_table(struct clopt_results *results, struct clopt_results_table *table,
                          size_t device)
{
    const struct clopt_results_noise *noise = &results->problems[table->problem].noise[device];
    for (size_t i = 0; i < table->row_count; i++)
        find_alias(table, i, device);
    const struct clopt_result *initial =
        table->initial == CLOPT_NO_ROW ? NULL : &table->rows[table->initial].cells[device];
    for (size_t i = 0; i < table->row_count; i++) {
        struct clopt_result *cell = &table->rows[i].cells[device];
        results->measured |=
            cell->present && (has_time(cell) || cell->outcome != CLOPT_OUTCOME_PENDING);
        cell->ranked =
            cell->present && cell->trial.verified && has_time(cell) &&
            (cell->outcome == CLOPT_OUTCOME_OK || cell->outcome == CLOPT_OUTCOME_PENDING);
    }
    for (size_t i = 0; i < table->row_count; i++) {
        struct clopt_result *cell = &table->rows[i].cells[device];
        for (int scope = 0; scope < CLOPT_SCOPE_COUNT; scope++)
            if (cell->ranked && initial && initial->ranked && cell != initial)
                compare_with_initial(&cell->times[scope], &initial->times[scope].interval,
                                     noise->noise);
    }
}

/* Finds the best of the tables `first` to `end` (excluded), and marks what is tied with it. */
static void find_best(struct clopt_results *results, size_t first, size_t end, size_t device,
                      enum clopt_scope scope)
{
    struct clopt_result_time *best = NULL;
    for (size_t t = first; t < end; t++)
        for (size_t i = 0; i < results->tables[t].row_count; i++) {
            struct clopt_result *cell = &results->tables[t].rows[i].cells[device];
            struct clopt_result_time *time = &cell->times[scope];
            if (cell->ranked && cell->alias == CLOPT_NO_ROW && !isnan(time->interval.median) &&
                (!best || time->interval.median < best->interval.median))
                best = time;
        }
    if (!best)
        return;
    best->best = true;
    for (size_t t = first; t < end; t++)
        for (size_t i = 0; i < results->tables[t].row_count; i++) {
            struct clopt_result *cell = &results->tables[t].rows[i].cells[device];
            struct clopt_result_time *time = &cell->times[scope];
            time->tied = cell->ranked && time != best &&
                         clopt_interval_overlap(&time->interval, &best->interval);
        }
}

void clopt_results_rank(struct clopt_results *results)
{
    for (size_t device = 0; device < results->device_count; device++)
        for (size_t first = 0; first < results->table_count;) {
            size_t end = first;
            for (; end < results->table_count &&
                   results->tables[end].problem == results->tables[first].problem;
                 end++) {
                compare_table(results, &results->tables[end], device);
                find_best(results, end, end + 1, device, CLOPT_SCOPE_KERNEL);
            }
            find_best(results, first, end, device, CLOPT_SCOPE_RUN);
            first = end;
        }
}
