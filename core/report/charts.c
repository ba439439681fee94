/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws variants as rows: a bar for the speed-up on each device, or the samples of the best. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "number/number.h"
#include "report/view.h"
#include "text/array.h"

#define SLOT         18 /* pixels of a bar with the room around it */
#define TOP          44 /* pixels above the rows, and SLOT for each device */
#define BOTTOM       58 /* and SLOT for a second line of the label */
#define MOST_BARS    40 /* of more, the best of each device are shown */
#define BEST         10
#define MOST_SAMPLED 5  /* variants of a device whose samples are shown */
#define LINEAR_RANGE 4  /* a wider one is shown on a logarithmic axis */
#define FAR_SAMPLES  3  /* from the middle half, times its width: those beyond are only told */
#define FARTHEST     2  /* times that of the best: the samples of slower ones are not shown */
#define NAME_WIDTH   46 /* characters of a line of a name */
#define NAME_LINES   2
#define HALF_BAR     0.32

/* A bar, or a box with the samples, of a variant on a device. */
struct mark {
    size_t device; /* or that of published times, after all devices */
    double value;  /* NaN: none, the words say why */
    double low, high;
    double from, to;
    const struct clopt_medians *dots; /* medians of processes */
    enum clopt_series_kind kind;
    bool best;
    char *words;
};

struct row {
    const char *label;
    struct mark *marks;
    size_t count;
    double largest; /* by which rows are ordered; NaN: comes last */
};

struct drawing {
    const struct clopt_view *view;
    bool samples;
    struct row *rows;
    size_t count;
    size_t left_out, chosen;
    double low, high; /* of the axis */
    bool failed;
};

/* ---- marks ---- */

static struct mark *add_mark(struct drawing *drawing, struct row *row, size_t device)
{
    struct mark *mark = clopt_array_add(&row->marks, &row->count, sizeof *mark);
    drawing->failed |= !mark;
    if (mark)
        *mark = (struct mark){.device = device, .value = NAN, .low = NAN, .high = NAN};
    return mark;
}

/* Says what belongs to a speed-up beside its number. */
static void append_remarks(struct clopt_text *text, const struct clopt_view_row *row,
                           const struct clopt_result *result, enum clopt_scope scope)
{
    if (clopt_result_is_abandoned(result, scope))
        clopt_text_append(text, ", abandoned");
    else if (result->outcome == CLOPT_OUTCOME_PENDING)
        clopt_text_append(text, ", not sampled to the end");
    if (result->alias == CLOPT_NO_ROW)
        return;
    const char *other = row->table->rows[result->alias].name;
    bool fits = strlen(other) <= CLOPT_LONGEST_ALIAS;
    clopt_text_append(text, fits ? " = " : ", the same code as another");
    clopt_text_append(text, fits ? other : "");
}

/* Adds the speed-up of a variant on a device. */
static void add_speedup(struct drawing *drawing, struct row *to, const struct clopt_view_row *row,
                        size_t device)
{
    const struct clopt_result *result = &row->row->cells[device];
    const struct clopt_result_time *time = &result->times[drawing->view->scope];
    struct mark *mark = add_mark(drawing, to, device);
    struct clopt_text words = {0};
    if (!mark)
        return;
    if (!clopt_result_shown(result, drawing->view->scope)) {
        clopt_text_append(&words, clopt_result_missing(result));
    } else if (!isfinite(time->speedup.median) || time->speedup.median <= 0) {
        clopt_text_append(&words, "no time of the initial code");
    } else {
        clopt_text_append(&words, time->different ? "" : "\xe2\x89\x88 ");
        clopt_number_append(&words, time->speedup.median, 3);
        append_remarks(&words, row, result, drawing->view->scope);
        mark->from = 1;
        mark->value = mark->to = time->speedup.median;
        bool known = !result->borrowed && clopt_verdict_has_interval(&time->speedup, time->noise);
        mark->low = known ? time->speedup.low : NAN;
        mark->high = known ? time->speedup.high : NAN;
        mark->best = time->best;
        mark->kind = clopt_result_is_abandoned(result, drawing->view->scope) ? CLOPT_SERIES_FAINT
                     : time->different                                       ? CLOPT_SERIES_BOXES
                                                                             : CLOPT_SERIES_HOLLOW;
    }
    mark->words = clopt_text_take(&words);
}

static void add_published(struct drawing *drawing, struct row *to, size_t number, double speedup)
{
    struct mark *mark = add_mark(drawing, to, drawing->view->results->device_count + number);
    struct clopt_text text = {0};
    if (!mark)
        return;
    clopt_number_append(&text, speedup, 3);
    mark->kind = CLOPT_SERIES_POINTS;
    mark->value = speedup;
    mark->words = clopt_text_take(&text);
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
static void add_samples(struct drawing *drawing, struct row *to, const struct clopt_view_row *row,
                        size_t device)
{
    const struct clopt_result *result = &row->row->cells[device];
    const struct clopt_result_time *time = &result->times[drawing->view->scope];
    const struct clopt_quartiles *quartiles = &time->quartiles;
    double median = time->interval.median, best = best_time(drawing->view, device);
    double reach = FAR_SAMPLES * (quartiles->third_quarter - quartiles->first_quarter);
    double high = fmin(quartiles->most, quartiles->third_quarter + reach);
    struct clopt_unit unit = clopt_unit_choose(drawing->view->results->objective, median);
    if (!clopt_result_shown(result, drawing->view->scope) || result->alias != CLOPT_NO_ROW ||
        !(median <= FARTHEST * best))
        return;
    struct clopt_text words = {0};
    struct mark *mark = add_mark(drawing, to, device);
    clopt_number_append(&words, median / unit.nanounits, 3);
    clopt_text_printf(&words, " %s", unit.name);
    if (high < quartiles->most) {
        clopt_text_append(&words, ", up to ");
        clopt_number_append(&words, quartiles->most / unit.nanounits, 3);
    }
    if (mark)
        *mark = (struct mark){
            .device = device,
            .value = median / best,
            .low = fmax(quartiles->least, quartiles->first_quarter - reach) / best,
            .high = high / best,
            .from = quartiles->first_quarter / best,
            .to = quartiles->third_quarter / best,
            .dots = &result->medians[drawing->view->scope],
            .kind = CLOPT_SERIES_FAINT,
            .best = time->best,
            .words = clopt_text_take(&words),
        };
    clopt_text_fini(&words);
}

/* ---- rows ---- */

static void add_row(struct drawing *drawing, const struct clopt_view_row *row)
{
    const struct clopt_results *results = drawing->view->results;
    bool kernel = drawing->view->scope == CLOPT_SCOPE_KERNEL && !drawing->samples;
    struct row *to = clopt_array_add(&drawing->rows, &drawing->count, sizeof *to);
    drawing->failed |= !to;
    if (!to)
        return;
    to->label = row->label;
    to->largest = NAN;
    for (size_t d = 0; d < results->device_count; d++)
        if (row->row->cells[d].present)
            (drawing->samples ? add_samples : add_speedup)(drawing, to, row, d);
    for (size_t d = 0; d < row->row->published_count && kernel; d++)
        if (row->row->published[d].figure && isfinite(row->row->published[d].speedup))
            add_published(drawing, to, d, row->row->published[d].speedup);
    for (size_t i = 0; i < to->count; i++)
        if (to->marks[i].device < results->device_count)
            to->largest =
                fmax(to->largest, drawing->samples ? 1 / to->marks[i].value : to->marks[i].value);
    if (to->count == 0) /* far behind the best everywhere */
        drawing->count--;
}

static int compare_rows(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    if (isnan(x->largest) != isnan(y->largest))
        return isnan(x->largest) ? 1 : -1;
    if (x->largest > y->largest || x->largest < y->largest)
        return x->largest > y->largest ? -1 : 1;
    return strcmp(x->label, y->label);
}

/* Chooses the rows: all of them, or the best of each device. */
static void add_rows(struct drawing *drawing, size_t top)
{
    const struct clopt_view *view = drawing->view;
    size_t count = 0;
    for (size_t i = 0; i < view->row_count; i++)
        count += !view->rows[i].initial;
    drawing->chosen = count * view->results->device_count > MOST_BARS ? BEST : 0;
    if (top && (!drawing->chosen || top < drawing->chosen))
        drawing->chosen = top;
    bool *chosen = clopt_view_choose(view, drawing->samples ? MOST_SAMPLED : drawing->chosen);
    drawing->failed |= !chosen;
    for (size_t i = 0; i < view->row_count && chosen; i++)
        if (view->rows[i].initial ? drawing->samples : chosen[i])
            add_row(drawing, &view->rows[i]);
    free(chosen);
    drawing->left_out = drawing->samples ? 0 : count - drawing->count;
    if (drawing->count)
        qsort(drawing->rows, drawing->count, sizeof *drawing->rows, compare_rows);
}

/* Finds what the axis has to show: an interval that goes far beyond its speed-up is cut. Returns
 * whether there is anything. */
static bool find_range(struct drawing *drawing)
{
    bool any = false;
    drawing->low = 0.9;
    drawing->high = 1.1;
    for (size_t i = 0; i < drawing->count; i++)
        for (size_t m = 0; m < drawing->rows[i].count; m++) {
            const struct mark *mark = &drawing->rows[i].marks[m];
            if (isnan(mark->value))
                continue;
            any = true;
            drawing->low = fmin(drawing->low, fmax(fmin(mark->low, mark->value), mark->value / 2));
            drawing->high =
                fmax(drawing->high, fmin(fmax(mark->high, mark->value), mark->value * 2));
        }
    return any;
}

/* ---- the chart ---- */

/* Breaks a name into lines, and cuts it where these do not hold it; returns how many there are. */
static size_t break_name(struct clopt_text *text, const char *name, size_t *widest)
{
    size_t lines = 0;
    while (*name && lines < NAME_LINES) {
        size_t part = clopt_name_part(name, NAME_WIDTH);
        bool cut = part > NAME_WIDTH + 4 || (lines + 1 == NAME_LINES && name[part]);
        size_t shown = cut && part > NAME_WIDTH ? NAME_WIDTH : part;
        clopt_text_append(text, lines++ ? "\n" : "");
        clopt_text_append_bytes(text, name, shown);
        clopt_text_append(text, cut ? "..." : "");
        *widest = shown + 3 * cut > *widest ? shown + 3 * cut : *widest;
        name += part;
    }
    return lines;
}

/* Adds the boxes of one kind of a device, or the points of a published one. */
static bool add_boxes(const struct drawing *drawing, struct clopt_chart *chart,
                      enum clopt_series_kind kind, size_t device, const char *title)
{
    bool published = device >= drawing->view->results->device_count, any = false;
    double y = 0;
    for (size_t i = 0; i < drawing->count; i++, y += 0.6)
        for (size_t m = 0; m < drawing->rows[i].count; m++, y++) {
            const struct mark *mark = &drawing->rows[i].marks[m];
            if (mark->device != device || isnan(mark->value) || mark->kind != kind)
                continue;
            if (!any)
                clopt_chart_series(chart, kind,
                                   published ? CLOPT_CHART_INK : clopt_chart_color(device), title);
            any = true;
            clopt_chart_point(chart,
                              (struct clopt_point){mark->value, y + 0.5, mark->from, mark->to,
                                                   y + 0.5 - HALF_BAR, y + 0.5 + HALF_BAR});
            struct clopt_series *series =
                chart->failed ? NULL : &chart->panels->series[chart->panels->count - 1];
            if (series)
                series->style = published ? 5 + (int)(device % 5) : (int)(device / 7);
            if (published && series)
                series->points[series->count - 1].y_low = series->points[series->count - 1].y_high =
                    0;
        }
    return any;
}

/* Adds intervals, and of samples medians and dots. */
static void add_intervals(const struct drawing *drawing, struct clopt_chart *chart,
                          enum clopt_series_kind kind)
{
    double y = 0;
    clopt_chart_series(chart, kind, CLOPT_CHART_INK, NULL);
    for (size_t i = 0; i < drawing->count; i++, y += 0.6)
        for (size_t m = 0; m < drawing->rows[i].count; m++, y++) {
            const struct mark *mark = &drawing->rows[i].marks[m];
            if (isnan(mark->value))
                continue;
            if (kind != CLOPT_SERIES_DOTS && !isnan(mark->low) && !isnan(mark->high))
                clopt_chart_point(
                    chart, (struct clopt_point){mark->value, y + 0.5, fmax(mark->low, drawing->low),
                                                fmin(mark->high, drawing->high), y + 0.5 - HALF_BAR,
                                                y + 0.5 + HALF_BAR});
            for (size_t n = 0; kind == CLOPT_SERIES_DOTS && n < mark->dots->count; n++) {
                double x =
                    exp(mark->dots->items[n].log_median) / best_time(drawing->view, mark->device);
                if (x >= drawing->low && x <= drawing->high)
                    clopt_chart_point(chart, (struct clopt_point){.x = x, .y = y + 0.5});
            }
        }
}

/* What a device is called, and what it is. */
static void append_device(struct clopt_text *text, const struct clopt_results *results,
                          size_t device)
{
    if (device >= results->device_count) {
        clopt_text_append(text, results->published[device - results->device_count].label);
        return;
    }
    const struct clopt_results_device *of = &results->devices[device];
    clopt_text_printf(text, "%s: %s%s%s", of->label, strlen(of->name) > NAME_WIDTH ? "" : of->name,
                      strlen(of->name) > NAME_WIDTH ? "" : ", ", of->platform);
}

static void add_devices(const struct drawing *drawing, struct clopt_chart *chart)
{
    static const enum clopt_series_kind kinds[] = {CLOPT_SERIES_BOXES, CLOPT_SERIES_FAINT,
                                                   CLOPT_SERIES_HOLLOW, CLOPT_SERIES_POINTS};
    const struct clopt_results *results = drawing->view->results;
    for (size_t d = 0; d < results->device_count + results->published_count; d++) {
        struct clopt_text title = {0};
        bool titled = false;
        append_device(&title, results, d);
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
            titled |=
                add_boxes(drawing, chart, kinds[k], d, titled ? NULL : clopt_text_string(&title));
        clopt_text_fini(&title);
    }
    add_intervals(drawing, chart, CLOPT_SERIES_INTERVALS);
    if (!drawing->samples)
        return;
    add_intervals(drawing, chart, CLOPT_SERIES_UPRIGHT);
    add_intervals(drawing, chart, CLOPT_SERIES_DOTS);
}

/* Adds names at the left, numbers beside the bars; returns how high the rows are. */
static double add_words(const struct drawing *drawing, struct clopt_chart *chart, double *height)
{
    double y = 0;
    size_t widest = 0;
    for (size_t i = 0; i < drawing->count; i++, y += 0.6) {
        const struct row *row = &drawing->rows[i];
        struct clopt_text name = {0};
        size_t lines = break_name(&name, row->label, &chart->margin);
        clopt_chart_y_tic(chart, y + (double)row->count / 2, clopt_text_string(&name));
        clopt_text_fini(&name);
        *height += SLOT * fmax((double)lines, (double)row->count + 0.6);
        for (size_t m = 0; m < row->count; m++, y++) {
            const struct mark *mark = &row->marks[m];
            double x = isnan(mark->value) ? 1 : fmax(mark->value, fmax(mark->high, mark->to));
            clopt_chart_label(chart, fmax(1, fmin(x, drawing->high)), y + 0.5, CLOPT_CHART_LEFT,
                              mark->best, mark->words ? mark->words : "");
            size_t length = mark->words ? strlen(mark->words) : 0;
            widest = length > widest ? length : widest;
        }
    }
    chart->margin = 4 + 5 * chart->margin / 6; /* most letters are narrower than the widest */
    chart->right = widest > 30 ? 29 : 4 + 5 * widest / 6;
    return y;
}

static void add_axes(const struct drawing *drawing, struct clopt_chart *chart)
{
    const char *gain = clopt_objective_words(drawing->view->results->objective)->gain;
    bool logarithmic = drawing->high > LINEAR_RANGE * drawing->low;
    double room = logarithmic ? pow(drawing->high / drawing->low, 0.03) : 1;
    double pad = logarithmic ? 0 : 0.03 * (drawing->high - drawing->low);
    double low = drawing->low / room - pad, high = drawing->high * room + pad;
    struct clopt_text label = {0};
    if (drawing->samples)
        clopt_text_append(&label, "Samples of the best: median, middle half, medians of processes "
                                  "(dots); 1 is the median of the best");
    else
        clopt_text_printf(
            &label,
            "%s over the initial code%s with 95%% intervals; hollow: no sure difference; "
            "bold: the best",
            gain, logarithmic ? " (logarithmic)" : "");
    if (drawing->left_out)
        clopt_text_printf(&label, "\nThe best %zu variants of each device; %zu others are left out",
                          drawing->chosen, drawing->left_out);
    clopt_chart_x(chart, clopt_text_string(&label), logarithmic, low, high);
    if (logarithmic && !chart->failed)
        clopt_chart_number(chart, &chart->panels->x, low, high);
    chart->failed |= label.failed;
    clopt_text_fini(&label);
}

static void draw(const struct drawing *drawing, struct clopt_document *document)
{
    const struct clopt_view *view = drawing->view;
    struct clopt_chart chart;
    struct clopt_text title = {0};
    clopt_view_title(&title, view);
    if (drawing->samples)
        clopt_text_append(&title, ", samples");
    clopt_chart_begin(&chart, 0, clopt_text_string(&title));
    chart.bottom = BOTTOM + (drawing->left_out ? SLOT : 0);
    chart.top = TOP + SLOT * (double)(view->results->device_count + view->results->published_count);
    chart.height = chart.top + chart.bottom;
    clopt_chart_name(&chart, view->problem->app);
    clopt_chart_name(&chart, view->problem->label);
    clopt_chart_name(&chart, view->name);
    if (drawing->samples)
        clopt_chart_name(&chart, "samples");
    double end = add_words(drawing, &chart, &chart.height);
    add_axes(drawing, &chart);
    clopt_chart_y(&chart, NULL, false, end, 0);
    add_devices(drawing, &chart);
    clopt_chart_series(&chart, CLOPT_SERIES_LINE, CLOPT_CHART_INK, NULL);
    clopt_chart_point(&chart, (struct clopt_point){.x = 1, .y = 0});
    clopt_chart_point(&chart, (struct clopt_point){.x = 1, .y = end});
    chart.failed |= title.failed || drawing->failed;
    clopt_text_fini(&title);
    clopt_document_chart(document, &chart);
}

bool clopt_view_draw(const struct clopt_view *view, bool samples, size_t top,
                     struct clopt_document *document)
{
    struct drawing drawing = {.view = view, .samples = samples};
    add_rows(&drawing, top);
    bool any = find_range(&drawing);
    if (any || drawing.failed)
        draw(&drawing, document);
    for (size_t i = 0; i < drawing.count; i++) {
        for (size_t m = 0; m < drawing.rows[i].count; m++)
            free(drawing.rows[i].marks[m].words);
        free(drawing.rows[i].marks);
    }
    free(drawing.rows);
    return any;
}
