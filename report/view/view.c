/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses what a table or a figure shows, and what it is called. */
#include "view/view.h"

#include <math.h>

static void add_row(struct clopt_view *view, const struct clopt_results_table *table, size_t row,
                    const char *suffix)
{
    struct clopt_view_row *added = clopt_array_add(&view->rows, &view->row_count, sizeof *added);
    char *label = clopt_text_format("%s%s%s", table->rows[row].name, *suffix ? " in " : "", suffix);
    *added = (struct clopt_view_row){label, &table->rows[row], row == table->initial,
                                     clopt_table_is_of_rivals(table)};
}

/* Adds the rivals, whose time is that of a whole run. */
static void add_rivals(struct clopt_view *view)
{
    for (size_t i = 0; i < view->problem->rivals.row_count; i++)
        add_row(view, &view->problem->rivals, i, "");
}

static struct clopt_view view_of(const struct clopt_results *results, size_t table)
{
    const struct clopt_results_table *first = &results->tables[table];
    return (struct clopt_view){
        .results = results,
        .problem = &results->problems[first->problem],
        .table = first,
    };
}

static void view_kernel(const struct clopt_results *results, size_t table, struct clopt_view *view)
{
    *view = view_of(results, table);
    view->scope = CLOPT_SCOPE_KERNEL;
    view->name = view->table->kernel;
    view->noise = view->table->noise;
    for (size_t i = 0; i < view->table->row_count; i++)
        add_row(view, view->table, i, "");
    if (!view->problem->several_kernels)
        add_rivals(view);
}

/* Whether two rows of the same name are the same trials on all devices. */
static bool same_trials(const struct clopt_results *results, const struct clopt_results_row *a,
                        const struct clopt_results_row *b)
{
    for (size_t i = 0; i < results->device_count; i++)
        if (a->cells[i].trial.id != b->cells[i].trial.id)
            return false;
    return true;
}

/* Adds a row of one of the tables `first` to `end` (excluded) to the view of the whole run, unless
 * an earlier table has the same trials; where another kernel has another variant of that name, with
 * its own kernel. */
static void add_run_row(struct clopt_view *view, size_t first, size_t end,
                        const struct clopt_results_row *row)
{
    size_t number = (size_t)(row - row->table->rows);
    bool ambiguous = false;
    for (size_t t = first; t < end; t++) {
        const struct clopt_results_table *table = &view->results->tables[t];
        size_t other =
            table == row->table ? CLOPT_NO_ROW : clopt_table_find_row(table, row->name, number);
        bool same = other != CLOPT_NO_ROW && same_trials(view->results, row, &table->rows[other]);
        if (same && table < row->table)
            return;
        ambiguous |= other != CLOPT_NO_ROW && !same;
    }
    add_row(view, row->table, number, ambiguous ? row->table->kernel : "");
}

static void view_run(const struct clopt_results *results, size_t first, size_t end,
                     struct clopt_view *view)
{
    *view = view_of(results, first);
    view->scope = CLOPT_SCOPE_RUN;
    view->name = "whole run";
    view->noise = view->problem->noise;
    for (size_t t = first; t < end; t++)
        for (size_t i = 0; i < results->tables[t].row_count; i++)
            add_run_row(view, first, end, &results->tables[t].rows[i]);
    add_rivals(view);
}

/* Adds the views of the tables `first` to `end` (excluded), which are those of a problem. */
static void add_views(struct clopt_views *views, const struct clopt_results *results, size_t first,
                      size_t end)
{
    struct clopt_view *begin = views->items + views->count;
    for (size_t i = first; i < end; i++)
        if (!clopt_table_is_combined(&results->tables[i]))
            view_kernel(results, i, &views->items[views->count++]);
    if (results->problems[results->tables[first].problem].several_kernels)
        view_run(results, first, end, &views->items[views->count++]);
    if (begin < views->items + views->count)
        begin->first = views->items[views->count - 1].last = true;
}

struct clopt_views clopt_views_make(const struct clopt_results *results)
{
    size_t most = results->table_count + results->problem_count;
    struct clopt_views views = {.items = clopt_calloc(most, sizeof *views.items)};
    for (size_t first = 0, end; first < results->table_count; first = end) {
        end = clopt_results_problem_end(results, first);
        add_views(&views, results, first, end);
    }
    return views;
}

void clopt_views_fini(struct clopt_views *views)
{
    for (size_t i = 0; i < views->count; i++) {
        for (size_t row = 0; row < views->items[i].row_count; row++)
            free(views->items[i].rows[row].label);
        free(views->items[i].rows);
    }
    free(views->items);
}

/* ---- the best ---- */

/* A row with its time, by which it is ranked. */
struct ranked {
    const struct clopt_view_row *row;
    double time; /* of the best: -INFINITY */
};

static int compare_ranked(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    int order = (x->time > y->time) - (x->time < y->time);
    return order ? order : (x->row > y->row) - (x->row < y->row);
}

const struct clopt_view_row **clopt_view_rank(const struct clopt_view *view, size_t device,
                                              size_t *count)
{
    const struct clopt_view_row **rows = clopt_calloc(view->row_count, sizeof *rows);
    CLOPT_FREED struct ranked *ranked = clopt_calloc(view->row_count, sizeof *ranked);
    *count = 0;
    for (size_t i = 0; i < view->row_count; i++) {
        const struct clopt_result *cell = &view->rows[i].row->cells[device];
        const struct clopt_result_time *time = &cell->times[view->scope];
        if (clopt_result_shown(cell, view->scope) && cell->alias == CLOPT_NO_ROW)
            ranked[(*count)++] =
                (struct ranked){&view->rows[i], time->best ? -INFINITY : time->interval.median};
    }
    qsort(ranked, *count, sizeof *ranked, compare_ranked);
    for (size_t i = 0; i < *count; i++)
        rows[i] = ranked[i].row;
    return rows;
}

bool *clopt_view_choose(const struct clopt_view *view, size_t most)
{
    bool *chosen = clopt_calloc(view->row_count, sizeof *chosen);
    for (size_t i = 0; i < view->row_count; i++)
        chosen[i] = most == 0 || view->rows[i].rival;
    for (size_t d = 0; d < view->results->device_count; d++) {
        size_t count, taken = 0;
        CLOPT_FREED const struct clopt_view_row **ranked = clopt_view_rank(view, d, &count);
        for (size_t i = 0; i < count && taken < most; i++) {
            bool counts = !ranked[i]->initial && !ranked[i]->rival;
            chosen[ranked[i] - view->rows] |= counts;
            taken += counts;
        }
    }
    return chosen;
}

/* ---- words ---- */

bool clopt_result_shown(const struct clopt_result *result, enum clopt_scope scope)
{
    return result->ranked && !isnan(result->times[scope].interval.median);
}

bool clopt_view_waits(const struct clopt_view_row *row, enum clopt_scope scope, size_t device)
{
    const struct clopt_result *result = &row->row->cells[device];
    return !row->rival && !row->initial && result->present && result->alias == CLOPT_NO_ROW &&
           result->outcome == CLOPT_OUTCOME_PENDING && isnan(result->times[scope].interval.median);
}

/* Whether there is nothing to compare a result with: the initial code does not build, or has no
 * result. */
static bool is_in_vain(const struct clopt_result *result)
{
    const struct clopt_result *initial = clopt_table_initial(result->row->table, result->device);
    const char *stage = initial && initial->trial.stage ? initial->trial.stage : "";
    return strcmp(stage, "setup") == 0 || strcmp(stage, "build") == 0;
}

const char *clopt_result_missing(const struct clopt_result *result)
{
    if (result->outcome == CLOPT_OUTCOME_PENDING)
        return is_in_vain(result) ? "not tried" : "not measured yet";
    if (result->trial.least_ns > 0)
        return "given up";
    if (result->outcome == CLOPT_OUTCOME_OK)
        return result->trial.verdict.right ? "no time" : "not verified";
    return clopt_outcome_name(result->outcome);
}
