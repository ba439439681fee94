/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses what a figure shows. */
#include "report/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/grid.h"

#define MOST_ROWS      60
#define MOST_BARS      120
#define ROWS_OF_CHOICE 40 /* about, where not all variants are shown */
#define LEAST_OF_ONE   5  /* variants of a device that are shown, however many devices there are */
#define LINEAR_RANGE   4  /* a wider one is shown on a logarithmic axis */

/* ---- marks ---- */

/* Says what belongs to a speed-up beside its number. */
static void append_remarks(struct clopt_text *text, const struct clopt_view_row *row,
                           const struct clopt_result *result)
{
    if (result->trial.abandoned)
        clopt_text_append(text, ", abandoned");
    else if (result->outcome == CLOPT_OUTCOME_PENDING)
        clopt_text_append(text, ", not sampled to the end");
    if (result->alias == CLOPT_NO_ROW)
        return;
    const char *other = row->table->rows[result->alias].name;
    bool fits = strlen(other) <= CLOPT_LONGEST_ALIAS;
    clopt_text_append(text, fits ? " = " : ", the same code as another");
    if (fits)
        clopt_text_append_printable(text, other);
}

/* Adds what is shown of a variant on a device. */
static enum clopt_status add_result(struct clopt_figure *figure, struct clopt_figure_row *to,
                                    const struct clopt_view_row *row, size_t device,
                                    struct clopt_error *error)
{
    const struct clopt_result *result = &row->row->cells[device];
    const struct clopt_result_time *time = &result->times[figure->view->scope];
    struct clopt_figure_mark *mark = &to->marks[to->count++];
    struct clopt_text words = {0};
    *mark = (struct clopt_figure_mark){.series = device, .value = NAN, .low = NAN, .high = NAN};
    if (!clopt_result_shown(result, figure->view->scope)) {
        clopt_text_append(&words, clopt_result_missing(result));
    } else if (!isfinite(time->speedup.median) || time->speedup.median <= 0) {
        clopt_text_append(&words, "no time of the initial code");
    } else {
        char number[64];
        clopt_speedup_print(number, sizeof number, time->speedup.median);
        clopt_text_append(&words, number);
        append_remarks(&words, row, result);
        mark->value = time->speedup.median;
        mark->low = result->borrowed ? NAN : time->speedup.low;
        mark->high = result->borrowed ? NAN : time->speedup.high;
        mark->best = time->best;
        mark->faint = result->trial.abandoned;
    }
    mark->words = clopt_text_take(&words);
    return mark->words ? CLOPT_OK : clopt_fail_memory(error);
}

static enum clopt_status add_published(struct clopt_figure *figure, struct clopt_figure_row *to,
                                       size_t device, double speedup, struct clopt_error *error)
{
    char number[64];
    clopt_speedup_print(number, sizeof number, speedup);
    to->marks[to->count++] = (struct clopt_figure_mark){
        .series = figure->view->results->device_count + device,
        .value = speedup,
        .low = NAN,
        .high = NAN,
        .words = strdup(number),
    };
    return to->marks[to->count - 1].words ? CLOPT_OK : clopt_fail_memory(error);
}

static enum clopt_status add_row(struct clopt_figure *figure, const struct clopt_view_row *row,
                                 struct clopt_error *error)
{
    const struct clopt_results *results = figure->view->results;
    size_t published = figure->view->scope == CLOPT_SCOPE_KERNEL ? row->row->published_count : 0;
    struct clopt_figure_row *to = &figure->rows[figure->row_count++];
    *to = (struct clopt_figure_row){
        .label = row->label,
        .marks = calloc(results->device_count + published + 1, sizeof *to->marks),
        .largest = NAN,
    };
    enum clopt_status status = to->marks ? CLOPT_OK : clopt_fail_memory(error);
    for (size_t d = 0; d < results->device_count && !status; d++)
        if (row->row->cells[d].present)
            status = add_result(figure, to, row, d, error);
    for (size_t d = 0; d < published && !status; d++)
        if (row->row->published[d].figure && isfinite(row->row->published[d].speedup))
            status = add_published(figure, to, d, row->row->published[d].speedup, error);
    for (size_t i = 0; i < to->count && !status; i++) {
        figure->drawn |= !isnan(to->marks[i].value);
        if (to->marks[i].series < results->device_count)
            to->largest = fmax(to->largest, to->marks[i].value);
    }
    return status;
}

/* ---- rows ---- */

static double speedup_of(const struct clopt_view *view, size_t row, size_t device)
{
    const struct clopt_result *result = &view->rows[row].row->cells[device];
    return clopt_result_shown(result, view->scope) && result->alias == CLOPT_NO_ROW
               ? result->times[view->scope].speedup.median
               : NAN;
}

/* Marks the `most` fastest variants of a device. */
static void choose_best(const struct clopt_view *view, size_t device, size_t most, bool *chosen,
                        bool *taken)
{
    memset(taken, 0, view->row_count * sizeof *taken);
    for (size_t n = 0; n < most; n++) {
        size_t best = CLOPT_NO_ROW;
        for (size_t i = 0; i < view->row_count; i++) {
            double speedup = speedup_of(view, i, device);
            if (!taken[i] && !view->rows[i].initial && !isnan(speedup) &&
                (best == CLOPT_NO_ROW || speedup > speedup_of(view, best, device)))
                best = i;
        }
        if (best == CLOPT_NO_ROW)
            return;
        chosen[best] = taken[best] = true;
    }
}

/* Chooses the rows that there is room for; returns how many there could be. */
static size_t choose_rows(struct clopt_figure *figure, bool *chosen, bool *taken)
{
    const struct clopt_view *view = figure->view;
    size_t devices = view->results->device_count;
    size_t count = 0;
    for (size_t i = 0; i < view->row_count; i++)
        count += !view->rows[i].initial;
    bool all = count <= MOST_ROWS && count * devices <= MOST_BARS;
    for (size_t i = 0; i < view->row_count; i++)
        chosen[i] = all && !view->rows[i].initial;
    if (all)
        return count;
    bool few = devices * LEAST_OF_ONE < ROWS_OF_CHOICE;
    figure->chosen = few ? ROWS_OF_CHOICE / devices : LEAST_OF_ONE;
    for (size_t d = 0; d < devices; d++)
        choose_best(view, d, figure->chosen, chosen, taken);
    return count;
}

static int compare_rows(const void *a, const void *b)
{
    const struct clopt_figure_row *x = a;
    const struct clopt_figure_row *y = b;
    if (isnan(x->largest) != isnan(y->largest))
        return isnan(x->largest) ? 1 : -1;
    if (x->largest > y->largest || x->largest < y->largest)
        return x->largest > y->largest ? -1 : 1;
    return strcmp(x->label, y->label);
}

/* Finds what the axis has to show. An interval that goes far beyond its speed-up is cut. */
static void find_range(struct clopt_figure *figure)
{
    figure->low = 0.9;
    figure->high = 1.1;
    for (size_t i = 0; i < figure->row_count; i++)
        for (size_t m = 0; m < figure->rows[i].count; m++) {
            const struct clopt_figure_mark *mark = &figure->rows[i].marks[m];
            if (isnan(mark->value))
                continue;
            figure->low = fmin(figure->low, mark->value);
            figure->high = fmax(figure->high, mark->value);
            if (!isnan(mark->low)) {
                figure->low = fmin(figure->low, fmax(mark->low, mark->value / 2));
                figure->high = fmax(figure->high, fmin(mark->high, mark->value * 2));
            }
        }
    figure->logarithmic = figure->high > LINEAR_RANGE * figure->low;
    double room = figure->logarithmic ? pow(figure->high / figure->low, 0.03) : 1;
    double pad = figure->logarithmic ? 0 : 0.03 * (figure->high - figure->low);
    figure->low = figure->low / room - pad;
    figure->high = figure->high * room + pad;
}

enum clopt_status clopt_figure_init(struct clopt_figure *figure, const struct clopt_view *view,
                                    struct clopt_error *error)
{
    *figure = (struct clopt_figure){.view = view};
    bool *chosen = calloc(2 * view->row_count + 1, sizeof *chosen);
    figure->rows = calloc(view->row_count + 1, sizeof *figure->rows);
    enum clopt_status status = chosen && figure->rows ? CLOPT_OK : clopt_fail_memory(error);
    size_t count = status ? 0 : choose_rows(figure, chosen, chosen + view->row_count);
    for (size_t i = 0; i < view->row_count && !status; i++)
        if (chosen[i])
            status = add_row(figure, &view->rows[i], error);
    free(chosen);
    if (!status && !figure->drawn)
        clopt_figure_fini(figure);
    if (status || !figure->drawn)
        return status;
    figure->left_out = count - figure->row_count;
    qsort(figure->rows, figure->row_count, sizeof *figure->rows, compare_rows);
    find_range(figure);
    return CLOPT_OK;
}

void clopt_figure_fini(struct clopt_figure *figure)
{
    for (size_t i = 0; i < figure->row_count; i++) {
        for (size_t m = 0; m < figure->rows[i].count; m++)
            free(figure->rows[i].marks[m].words);
        free(figure->rows[i].marks);
    }
    free(figure->rows);
    figure->rows = NULL;
    figure->row_count = 0;
}
