/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses what a figure shows. */
#include "figure/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "view/grid.h"

#define MOST_ROWS      60
#define MOST_BARS      120
#define ROWS_OF_CHOICE 40 /* about, where not all variants are shown */
#define LEAST_OF_ONE   5  /* variants of a device that are shown, however many devices there are */
#define LINEAR_RANGE   4  /* a wider one is shown on a logarithmic axis */
#define MOST_SAMPLED   5  /* variants of a device whose samples are shown */
#define FAR_SAMPLES    3  /* from the middle half, times its width: those beyond are only told */
#define FARTHEST_TIME  2  /* times that of the best: the samples of slower ones are not shown */

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
    *mark = (struct clopt_figure_mark){
        .series = device, .value = NAN, .low = NAN, .high = NAN, .from = NAN, .to = NAN};
    if (!clopt_result_shown(result, figure->view->scope)) {
        clopt_text_append(&words, clopt_result_missing(result));
    } else if (!isfinite(time->speedup.median) || time->speedup.median <= 0) {
        clopt_text_append(&words, "no time of the initial code");
    } else {
        char number[64];
        clopt_speedup_print(number, sizeof number, time->speedup.median);
        clopt_text_printf(&words, "%s%s", time->different ? "" : "\xe2\x89\x88 ", number);
        append_remarks(&words, row, result);
        mark->from = 1;
        mark->value = mark->to = time->speedup.median;
        mark->equal = !time->different;
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
        .from = 1,
        .to = speedup,
        .low = NAN,
        .high = NAN,
        .words = strdup(number),
    };
    return to->marks[to->count - 1].words ? CLOPT_OK : clopt_fail_memory(error);
}

/* The median of the best of a device; NaN: there is none. */
static double best_time(const struct clopt_view *view, size_t device)
{
    for (size_t i = 0; i < view->row_count; i++) {
        const struct clopt_result_time *time = &view->rows[i].row->cells[device].times[view->scope];
        if (time->best)
            return time->interval.median;
    }
    return NAN;
}

/* Adds the samples of a variant that is about as fast as the best of a device. */
static enum clopt_status add_samples(struct clopt_figure *figure, struct clopt_figure_row *to,
                                     const struct clopt_view_row *row, size_t device,
                                     struct clopt_error *error)
{
    const struct clopt_result *result = &row->row->cells[device];
    const struct clopt_result_time *time = &result->times[figure->view->scope];
    const struct clopt_quartiles *quartiles = &time->quartiles;
    double median = time->interval.median;
    double best = best_time(figure->view, device);
    double reach = FAR_SAMPLES * (quartiles->third_quarter - quartiles->first_quarter);
    double high = fmin(quartiles->most, quartiles->third_quarter + reach);
    struct clopt_unit unit = clopt_unit_choose(figure->view->results->objective, median);
    struct clopt_text words = {0};
    if (!clopt_result_shown(result, figure->view->scope) || result->alias != CLOPT_NO_ROW ||
        !(median <= FARTHEST_TIME * best))
        return CLOPT_OK;
    clopt_number_append(&words, median / unit.nanounits, 3);
    clopt_text_printf(&words, " %s", unit.name);
    if (high < quartiles->most) {
        clopt_text_append(&words, ", up to ");
        clopt_number_append(&words, quartiles->most / unit.nanounits, 3);
    }
    to->marks[to->count++] = (struct clopt_figure_mark){
        .series = device,
        .value = median / best,
        .low = fmax(quartiles->least, quartiles->first_quarter - reach) / best,
        .high = high / best,
        .from = quartiles->first_quarter / best,
        .to = quartiles->third_quarter / best,
        .dots = &result->medians[figure->view->scope],
        .dot_unit = best,
        .best = time->best,
        .faint = true,
        .words = clopt_text_take(&words),
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
    bool samples = figure->kind == CLOPT_FIGURE_SAMPLES;
    for (size_t d = 0; d < results->device_count && !status; d++)
        if (row->row->cells[d].present)
            status = samples ? add_samples(figure, to, row, d, error)
                             : add_result(figure, to, row, d, error);
    for (size_t d = 0; d < published && !status && !samples; d++)
        if (row->row->published[d].figure && isfinite(row->row->published[d].speedup))
            status = add_published(figure, to, d, row->row->published[d].speedup, error);
    for (size_t i = 0; i < to->count && !status; i++) {
        figure->drawn |= !isnan(to->marks[i].value);
        if (to->marks[i].series < results->device_count)
            to->largest = fmax(to->largest, samples ? 1 / to->marks[i].value : to->marks[i].value);
    }
    if (samples && to->marks && to->count == 0) { /* far behind the best everywhere */
        free(to->marks);
        figure->row_count--;
    }
    return status;
}

/* ---- rows ---- */

/* Chooses the rows that there is room for; `*count` becomes how many there could be. For the caller
 * to free; NULL when memory runs out. */
static bool *choose_rows(struct clopt_figure *figure, size_t top, size_t *count)
{
    const struct clopt_view *view = figure->view;
    size_t devices = view->results->device_count;
    *count = 0;
    for (size_t i = 0; i < view->row_count; i++)
        *count += !view->rows[i].initial;
    bool few = devices * LEAST_OF_ONE < ROWS_OF_CHOICE;
    if (*count > MOST_ROWS || *count * devices > MOST_BARS)
        figure->chosen = few ? ROWS_OF_CHOICE / devices : LEAST_OF_ONE;
    if (top && (!figure->chosen || top < figure->chosen))
        figure->chosen = top;
    return clopt_view_choose(view, figure->chosen);
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
                                    enum clopt_figure_kind kind, size_t top,
                                    struct clopt_error *error)
{
    *figure = (struct clopt_figure){.view = view, .kind = kind};
    bool samples = kind == CLOPT_FIGURE_SAMPLES;
    size_t count = 0;
    bool *chosen =
        samples ? clopt_view_choose(view, MOST_SAMPLED) : choose_rows(figure, top, &count);
    figure->rows = calloc(view->row_count + 1, sizeof *figure->rows);
    enum clopt_status status = chosen && figure->rows ? CLOPT_OK : clopt_fail_memory(error);
    for (size_t i = 0; i < view->row_count && !status; i++)
        if (view->rows[i].initial ? samples : chosen[i])
            status = add_row(figure, &view->rows[i], error);
    free(chosen);
    if (!status && !figure->drawn)
        clopt_figure_fini(figure);
    if (status || !figure->drawn)
        return status;
    figure->left_out = samples ? 0 : count - figure->row_count;
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
