/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses what a table or a figure shows, and what it is called. */
#include "report/view.h"

#include <math.h>

#include "text/array.h"
#include "text/text.h"

static enum clopt_status add_row(struct clopt_view *view, const struct clopt_results_table *table,
                                 size_t row, const char *suffix, struct clopt_error *error)
{
    struct clopt_view_row *added = clopt_array_add(&view->rows, &view->row_count, sizeof *added);
    struct clopt_text label = {0};
    CLOPT_NEED(added, error);
    clopt_text_append(&label, table->rows[row].name);
    if (*suffix)
        clopt_text_printf(&label, " in %s", suffix);
    *added = (struct clopt_view_row){clopt_text_take(&label), &table->rows[row],
                                     row == table->initial, clopt_table_is_of_rivals(table)};
    return added->label ? CLOPT_OK : clopt_fail_memory(error);
}

/* Adds the rivals, whose time is that of a whole run. */
static enum clopt_status add_rivals(struct clopt_view *view, struct clopt_error *error)
{
    for (size_t i = 0; i < view->problem->rivals.row_count; i++)
        CLOPT_TRY(add_row(view, &view->problem->rivals, i, "", error));
    return CLOPT_OK;
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

static enum clopt_status view_kernel(const struct clopt_results *results, size_t table,
                                     struct clopt_view *view, struct clopt_error *error)
{
    enum clopt_status status = CLOPT_OK;
    *view = view_of(results, table);
    view->scope = CLOPT_SCOPE_KERNEL;
    view->name = view->table->kernel;
    view->noise = view->table->noise;
    for (size_t i = 0; i < view->table->row_count && !status; i++)
        status = add_row(view, view->table, i, "", error);
    return status || view->problem->several_kernels ? status : add_rivals(view, error);
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

/* A row among those of all tables of a problem. */
struct named {
    const struct clopt_results_row *row;
    size_t table;
    size_t number;  /* of the row in its table */
    bool shown;     /* in an earlier table */
    bool ambiguous; /* another kernel has another variant of that name */
};

static int compare_names(const void *a, const void *b)
{
    const struct named *x = a;
    const struct named *y = b;
    int order = strcmp(x->row->name, y->row->name);
    return order ? order : (x->table > y->table) - (x->table < y->table);
}

static int compare_places(const void *a, const void *b)
{
    const struct named *x = a;
    const struct named *y = b;
    int order = (x->table > y->table) - (x->table < y->table);
    return order ? order : (x->number > y->number) - (x->number < y->number);
}

/* Compares rows of one name, each of another table, with each other. */
static void compare_namesakes(const struct clopt_results *results, struct named *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t other = 0; other < count; other++) {
            bool same = other != i && same_trials(results, rows[i].row, rows[other].row);
            rows[i].shown |= same && other < i;
            rows[i].ambiguous |= other != i && !same;
        }
}

/* Lists the rows of some tables in their order, with what their names need. */
static struct named *list_rows(const struct clopt_results *results, size_t first, size_t end,
                               size_t *count)
{
    *count = 0;
    for (size_t t = first; t < end; t++)
        *count += results->tables[t].row_count;
    struct named *rows = calloc(*count + 1, sizeof *rows);
    if (!rows)
        return NULL;
    size_t i = 0;
    for (size_t t = first; t < end; t++)
        for (size_t row = 0; row < results->tables[t].row_count; row++)
            rows[i++] = (struct named){&results->tables[t].rows[row], t, row, false, false};
    qsort(rows, *count, sizeof *rows, compare_names);
    for (size_t begin = 0; begin < *count;) {
        size_t after = begin;
        while (after < *count && strcmp(rows[begin].row->name, rows[after].row->name) == 0)
            after++;
        compare_namesakes(results, rows + begin, after - begin);
        begin = after;
    }
    qsort(rows, *count, sizeof *rows, compare_places);
    return rows;
}

static enum clopt_status view_run(const struct clopt_results *results, size_t first, size_t end,
                                  struct clopt_view *view, struct clopt_error *error)
{
    enum clopt_status status = CLOPT_OK;
    *view = view_of(results, first);
    view->scope = CLOPT_SCOPE_RUN;
    view->name = "whole run";
    view->noise = view->problem->noise;
    size_t count;
    CLOPT_FREED struct named *rows = list_rows(results, first, end, &count);
    CLOPT_NEED(rows, error);
    for (size_t i = 0; i < count && !status; i++) {
        const struct clopt_results_table *table = &results->tables[rows[i].table];
        if (!rows[i].shown)
            status =
                add_row(view, table, rows[i].number, rows[i].ambiguous ? table->kernel : "", error);
    }
    return status ? status : add_rivals(view, error);
}

/* Adds the views of the tables `first` to `end` (excluded), which are those of a problem. */
static enum clopt_status add_views(struct clopt_views *views, const struct clopt_results *results,
                                   size_t first, size_t end, struct clopt_error *error)
{
    struct clopt_view *begin = views->items + views->count;
    enum clopt_status status = CLOPT_OK;
    for (size_t i = first; i < end && !status; i++)
        if (!clopt_table_is_combined(&results->tables[i]))
            status = view_kernel(results, i, &views->items[views->count++], error);
    if (!status && results->problems[results->tables[first].problem].several_kernels)
        status = view_run(results, first, end, &views->items[views->count++], error);
    if (begin < views->items + views->count)
        begin->first = views->items[views->count - 1].last = true;
    return status;
}

enum clopt_status clopt_views_init(struct clopt_views *views, const struct clopt_results *results,
                                   struct clopt_error *error)
{
    size_t most = results->table_count + results->problem_count + 1;
    *views = (struct clopt_views){.items = calloc(most, sizeof *views->items)};
    CLOPT_NEED(views->items, error);
    for (size_t first = 0, end; first < results->table_count; first = end) {
        end = clopt_results_problem_end(results, first);
        CLOPT_TRY(add_views(views, results, first, end, error));
    }
    return CLOPT_OK;
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

/* The time by which a row is chosen; NaN: it is not. */
static double time_of(const struct clopt_view *view, size_t row, size_t device)
{
    const struct clopt_result *result = &view->rows[row].row->cells[device];
    bool counts = clopt_result_shown(result, view->scope) && result->alias == CLOPT_NO_ROW &&
                  !view->rows[row].initial && !view->rows[row].rival;
    return counts ? result->times[view->scope].interval.median : NAN;
}

static size_t find_fastest(const struct clopt_view *view, size_t device, const bool *taken)
{
    size_t fastest = CLOPT_NO_ROW;
    for (size_t i = 0; i < view->row_count; i++)
        if (!taken[i] && !isnan(time_of(view, i, device)) &&
            (fastest == CLOPT_NO_ROW || time_of(view, i, device) < time_of(view, fastest, device)))
            fastest = i;
    return fastest;
}

bool *clopt_view_choose(const struct clopt_view *view, size_t most)
{
    bool *chosen = calloc(2 * view->row_count + 1, sizeof *chosen);
    bool *taken = chosen ? chosen + view->row_count : NULL;
    for (size_t i = 0; chosen && i < view->row_count; i++)
        chosen[i] = most == 0 || view->rows[i].rival;
    for (size_t d = 0; chosen && d < view->results->device_count; d++) {
        size_t row = CLOPT_NO_ROW;
        memset(taken, 0, view->row_count * sizeof *taken);
        for (size_t n = 0; n < most && (row = find_fastest(view, d, taken)) != CLOPT_NO_ROW; n++)
            chosen[row] = taken[row] = true;
    }
    return chosen;
}

/* ---- words ---- */

bool clopt_result_shown(const struct clopt_result *result, enum clopt_scope scope)
{
    return result->ranked && !isnan(result->times[scope].interval.median);
}

const char *clopt_result_missing(const struct clopt_result *result)
{
    if (result->outcome == CLOPT_OUTCOME_PENDING)
        return "not measured yet";
    if (result->outcome == CLOPT_OUTCOME_OK)
        return result->trial.verified ? "no time" : "not verified";
    return clopt_outcome_name(result->outcome);
}

void clopt_problem_title(struct clopt_text *title, const struct clopt_results_problem *problem)
{
    clopt_text_printf(title, "%s%s%s", problem->app, *problem->label ? " " : "", problem->label);
}

void clopt_view_title(struct clopt_text *title, const struct clopt_view *view)
{
    clopt_problem_title(title, view->problem);
    clopt_text_printf(title, ": %s", view->name);
}
