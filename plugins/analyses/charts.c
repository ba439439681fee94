/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws variants as rows: a bar for the speed-up on each device, or the samples of the best. */
#include <math.h>

#include "analyses/analyses.h"

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
#define KEY_WIDTH    40 /* characters of a device in the key */
#define HALF_BAR     0.32
#define GAP          0.6 /* between rows */

/* A bar, or a box with the samples, of a variant on a device. */
struct mark {
    const struct clopt_view_row *row;
    double largest; /* of its row, by which rows are ordered; NaN: comes last */
    size_t device;  /* or that of published times, after all devices */
    double y;
    double value; /* NaN: none, the words say why */
    double low, high;
    double from, to;
    const struct clopt_medians *dots; /* medians of processes */
    enum clopt_series_kind kind;
    size_t color; /* of the optimizations */
    bool best;
    char *words;
};

struct drawing {
    const struct clopt_view *view;
    struct clopt_document *document;
    bool samples;
    struct mark *marks; /* row by row */
    size_t count;
    size_t rows, left_out, chosen;
    double low, high; /* of the axis */
    double end;       /* of the rows */
};

/* ---- marks ---- */

static struct mark *add_mark(struct drawing *drawing, const struct clopt_view_row *row,
                             size_t device)
{
    struct mark *mark = clopt_array_add(&drawing->marks, &drawing->count, sizeof *mark);
    *mark = (struct mark){.row = row, .device = device, .value = NAN, .low = NAN, .high = NAN};
    return mark;
}

/* Says what belongs to a speed-up beside its number. */
static void append_remarks(struct clopt_text *text, const struct clopt_result *result,
                           enum clopt_scope scope)
{
    if (clopt_result_is_abandoned(result, scope))
        clopt_text_append(text, ", abandoned");
    else if (result->outcome == CLOPT_OUTCOME_PENDING)
        clopt_text_append(text, ", not sampled to the end");
    const struct clopt_results_row *other = clopt_result_same_code(result);
    bool fits = other && strlen(other->name) <= CLOPT_LONGEST_ALIAS;
    if (other)
        clopt_text_printf(text, "%s%s", fits ? " = " : ", the same code as another",
                          fits ? other->name : "");
}

/* Adds the speed-up of a variant on a device. */
static void add_speedup(struct drawing *drawing, const struct clopt_view_row *row, size_t device)
{
    const struct clopt_result *result = &row->row->cells[device];
    const enum clopt_scope scope = drawing->view->scope;
    const struct clopt_result_time *time = &result->times[scope];
    struct mark *mark = add_mark(drawing, row, device);
    struct clopt_text words = {0};
    if (!clopt_result_shown(result, scope)) {
        clopt_text_append(&words, clopt_result_missing(result));
    } else if (!isfinite(time->speedup.median) || time->speedup.median <= 0) {
        clopt_text_append(&words, "no time of the initial code");
    } else {
        bool known = !result->borrowed && clopt_verdict_has_interval(&time->speedup, time->noise);
        clopt_text_append(&words, time->different ? "" : "\xe2\x89\x88 ");
        clopt_number_append(&words, time->speedup.median, 3);
        append_remarks(&words, result, scope);
        mark->from = 1;
        mark->value = mark->to = time->speedup.median;
        mark->low = known ? time->speedup.low : NAN;
        mark->high = known ? time->speedup.high : NAN;
        mark->best = time->best;
        mark->kind = clopt_result_is_abandoned(result, scope) ? CLOPT_SERIES_FAINT
                     : time->different                        ? CLOPT_SERIES_BOXES
                                                              : CLOPT_SERIES_HOLLOW;
    }
    mark->words = clopt_text_take(&words);
}

static void add_published(struct drawing *drawing, const struct clopt_view_row *row, size_t number)
{
    struct mark *mark = add_mark(drawing, row, drawing->view->results->device_count + number);
    mark->kind = CLOPT_SERIES_POINTS;
    mark->value = row->row->published[number].speedup;
    mark->words = clopt_strdup(clopt_number_text(mark->value, 3).text);
}

/* The median of the best of a device; NaN: there is none. */
static double best_time(const struct clopt_view *view, size_t device)
{
    const struct clopt_view_row *best = clopt_summary_best(view, device);
    return best ? clopt_view_time(view, best, device)->interval.median : NAN;
}

/* Adds the samples of a variant that is about as fast as the best of a device. */
static void add_samples(struct drawing *drawing, const struct clopt_view_row *row, size_t device)
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
    CLOPT_OWNED(clopt_text) words = {0};
    struct mark *mark = add_mark(drawing, row, device);
    clopt_text_printf(&words, "%s %s", clopt_number_text(median / unit.nanounits, 3).text,
                      unit.name);
    if (high < quartiles->most)
        clopt_text_printf(&words, ", up to %s",
                          clopt_number_text(quartiles->most / unit.nanounits, 3).text);
    *mark = (struct mark){
        .row = row,
        .device = device,
        .value = median / best,
        .low = fmax(quartiles->least, quartiles->first_quarter - reach) / best,
        .high = high / best,
        .from = quartiles->first_quarter / best,
        .to = quartiles->third_quarter / best,
        .dots = &result->medians[drawing->view->scope],
        .kind = CLOPT_SERIES_FAINT,
        .color = clopt_variant_color(drawing->document, row->row->name),
        .best = time->best,
        .words = clopt_text_take(&words),
    };
}

/* ---- rows ---- */

static void add_row(struct drawing *drawing, const struct clopt_view_row *row)
{
    const struct clopt_results *results = drawing->view->results;
    bool kernel = drawing->view->scope == CLOPT_SCOPE_KERNEL && !drawing->samples;
    size_t first = drawing->count;
    double largest = NAN;
    for (size_t d = 0; d < results->device_count; d++)
        if (row->row->cells[d].present)
            (drawing->samples ? add_samples : add_speedup)(drawing, row, d);
    for (size_t d = 0; d < row->row->published_count && kernel; d++)
        if (row->row->published[d].figure && isfinite(row->row->published[d].speedup))
            add_published(drawing, row, d);
    drawing->rows += drawing->count > first; /* in no row: far behind the best everywhere */
    for (size_t i = first; i < drawing->count; i++) {
        const struct mark *mark = &drawing->marks[i];
        if (mark->device < results->device_count)
            largest = fmax(largest, drawing->samples ? 1 / mark->value : mark->value);
    }
    for (size_t i = first; i < drawing->count; i++)
        drawing->marks[i].largest = largest;
}

static int compare_marks(const void *a, const void *b)
{
    const struct mark *x = a, *y = b;
    if (isnan(x->largest) != isnan(y->largest))
        return isnan(x->largest) ? 1 : -1;
    if (x->largest > y->largest || x->largest < y->largest)
        return x->largest > y->largest ? -1 : 1;
    int order = strcmp(x->row->label, y->row->label);
    return order ? order : (x->device > y->device) - (x->device < y->device);
}

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

/* Gives each row the room of its marks, or of its name where that is taller. */
static void place_rows(struct drawing *drawing)
{
    size_t widest = 0;
    for (size_t i = 0, end; i < drawing->count; i = end) {
        const struct clopt_view_row *row = drawing->marks[i].row;
        CLOPT_OWNED(clopt_text) name = {0};
        double lines = (double)break_name(&name, row->label, &widest);
        for (end = i; end < drawing->count && drawing->marks[end].row == row;)
            end++;
        double more = fmax(lines - (double)(end - i), 0);
        for (size_t m = i; m < end; m++)
            drawing->marks[m].y = drawing->end + more / 2 + (double)(m - i) + 0.5;
        drawing->end += (double)(end - i) + more + GAP;
    }
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
    CLOPT_FREED bool *chosen =
        clopt_view_choose(view, drawing->samples ? MOST_SAMPLED : drawing->chosen);
    for (size_t i = 0; i < view->row_count; i++)
        if (view->rows[i].initial ? drawing->samples : chosen[i])
            add_row(drawing, &view->rows[i]);
    drawing->left_out = drawing->samples ? 0 : count - drawing->rows;
    if (drawing->count)
        qsort(drawing->marks, drawing->count, sizeof *drawing->marks, compare_marks);
    place_rows(drawing);
}

/* Finds what the axis has to show: an interval that goes far beyond its speed-up is cut. Returns
 * whether there is anything. */
static bool find_range(struct drawing *drawing)
{
    bool any = false;
    drawing->low = 0.9;
    drawing->high = 1.1;
    for (size_t i = 0; i < drawing->count; i++) {
        const struct mark *mark = &drawing->marks[i];
        if (isnan(mark->value))
            continue;
        any = true;
        drawing->low = fmin(drawing->low, fmax(fmin(mark->low, mark->value), mark->value / 2));
        drawing->high = fmax(drawing->high, fmin(fmax(mark->high, mark->value), mark->value * 2));
    }
    return any;
}

/* ---- the chart ---- */

/* Adds a mark to the last series of a chart, from one place of the axis to another. */
static void add_box(struct clopt_chart *chart, const struct mark *mark, double from, double to)
{
    bool point = mark->kind == CLOPT_SERIES_POINTS;
    clopt_chart_point(chart, (struct clopt_point){mark->value, mark->y, from, to,
                                                  point ? NAN : mark->y - HALF_BAR,
                                                  point ? NAN : mark->y + HALF_BAR});
}

/* Adds the boxes of one kind of a device, or the points of a published one. */
static bool add_boxes(const struct drawing *drawing, struct clopt_chart *chart,
                      enum clopt_series_kind kind, size_t device, const char *title)
{
    bool published = device >= drawing->view->results->device_count, any = false;
    for (size_t i = 0; i < drawing->count; i++) {
        const struct mark *mark = &drawing->marks[i];
        if (mark->device != device || isnan(mark->value) || mark->kind != kind)
            continue;
        if (!any)
            clopt_chart_series(chart, kind, published ? CLOPT_CHART_INK : clopt_chart_color(device),
                               title);
        any = true;
        clopt_chart_style(chart, published ? 5 + (int)(device % 5) : (int)(device / 7));
        add_box(chart, mark, mark->from, mark->to);
    }
    return any;
}

/* Adds intervals, and of samples medians and dots. */
static void add_intervals(const struct drawing *drawing, struct clopt_chart *chart,
                          enum clopt_series_kind kind)
{
    clopt_chart_series(chart, kind, CLOPT_CHART_INK, NULL);
    for (size_t i = 0; i < drawing->count; i++) {
        const struct mark *mark = &drawing->marks[i];
        if (isnan(mark->value))
            continue;
        if (kind != CLOPT_SERIES_DOTS && !isnan(mark->low) && !isnan(mark->high))
            add_box(chart, mark, fmax(mark->low, drawing->low), fmin(mark->high, drawing->high));
        for (size_t n = 0; kind == CLOPT_SERIES_DOTS && n < mark->dots->count; n++) {
            double x =
                exp(mark->dots->items[n].log_median) / best_time(drawing->view, mark->device);
            if (x >= drawing->low && x <= drawing->high)
                clopt_chart_xy(chart, x, mark->y);
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
    size_t room = KEY_WIDTH, platform = strlen(of->label) + strlen(of->platform);
    clopt_text_append(text, of->label);
    if (platform > room)
        return;
    bool named = platform + strlen(of->name) <= room;
    clopt_text_printf(text, ": %s%s%s", named ? of->name : "", named ? ", " : "", of->platform);
}

/* Whether there is one device, whose samples are told apart by optimizations. */
static bool has_colors(const struct drawing *drawing)
{
    return drawing->samples && drawing->view->results->device_count == 1;
}

/* Adds the boxes of each color, which makes the key a line longer; those of none are in ink. */
static void add_colors(const struct drawing *drawing, struct clopt_chart *chart)
{
    for (size_t color = 0; color <= CLOPT_CHART_COLORS; color++)
        for (size_t i = 0, any = 0; i < drawing->count; i++) {
            const struct mark *mark = &drawing->marks[i];
            if (mark->color != color || isnan(mark->value))
                continue;
            if (!any++)
                clopt_chart_series(chart, mark->kind,
                                   color ? clopt_chart_color(color - 1) : CLOPT_CHART_INK,
                                   color ? clopt_document_group(drawing->document, color) : NULL);
            add_box(chart, mark, mark->from, mark->to);
        }
    for (size_t s = 1; s < chart->panels->count; s++) { /* there is room for one */
        chart->top += chart->panels->series[s].title ? SLOT : 0;
        chart->height += chart->panels->series[s].title ? SLOT : 0;
    }
}

static void add_devices(const struct drawing *drawing, struct clopt_chart *chart)
{
    static const enum clopt_series_kind kinds[] = {CLOPT_SERIES_BOXES, CLOPT_SERIES_FAINT,
                                                   CLOPT_SERIES_HOLLOW, CLOPT_SERIES_POINTS};
    const struct clopt_results *results = drawing->view->results;
    if (has_colors(drawing))
        add_colors(drawing, chart);
    for (size_t d = 0; d < results->device_count + results->published_count && !has_colors(drawing);
         d++) {
        CLOPT_OWNED(clopt_text) title = {0};
        bool titled = false;
        append_device(&title, results, d);
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
            titled |=
                add_boxes(drawing, chart, kinds[k], d, titled ? NULL : clopt_text_string(&title));
    }
    add_intervals(drawing, chart, CLOPT_SERIES_INTERVALS);
    if (!drawing->samples)
        return;
    add_intervals(drawing, chart, CLOPT_SERIES_UPRIGHT);
    add_intervals(drawing, chart, CLOPT_SERIES_DOTS);
}

/* Adds names at the left, numbers beside the bars; finds how high and wide these are. */
static void add_words(const struct drawing *drawing, struct clopt_chart *chart)
{
    size_t widest = 0;
    for (size_t i = 0, end; i < drawing->count; i = end) {
        const struct mark *first = &drawing->marks[i];
        CLOPT_OWNED(clopt_text) name = {0};
        break_name(&name, first->row->label, &chart->margin);
        for (end = i; end < drawing->count && drawing->marks[end].row == first->row; end++) {
            const struct mark *mark = &drawing->marks[end];
            const char *words = mark->words ? mark->words : "";
            double x = isnan(mark->value) ? 1 : fmax(mark->value, fmax(mark->high, mark->to));
            clopt_chart_label(chart, fmax(1, fmin(x, drawing->high)), mark->y, CLOPT_CHART_LEFT,
                              mark->best, words);
            widest = strlen(words) > widest ? strlen(words) : widest;
        }
        clopt_chart_tic(chart, CLOPT_Y, first->y - 0.5 + (double)(end - i) / 2, "%s",
                        clopt_text_string(&name));
    }
    chart->height += SLOT * drawing->end;
    chart->margin = 4 + 5 * chart->margin / 6; /* most letters are narrower than the widest */
    chart->right = widest > 30 ? 29 : 4 + 5 * widest / 6;
}

static void add_axes(const struct drawing *drawing, struct clopt_chart *chart)
{
    const char *gain = clopt_objective_words(drawing->view->results->objective)->gain;
    bool logarithmic = drawing->high > LINEAR_RANGE * drawing->low;
    enum clopt_axis_kind kind = logarithmic ? CLOPT_LOG_X : CLOPT_X;
    double room = logarithmic ? pow(drawing->high / drawing->low, 0.03) : 1;
    double pad = logarithmic ? 0 : 0.03 * (drawing->high - drawing->low);
    double low = drawing->low / room - pad, high = drawing->high * room + pad;
    CLOPT_OWNED(clopt_text) label = {0};
    if (drawing->samples)
        clopt_text_append(&label, "Samples of the best (its median is 1): median,\n"
                                  "middle half, medians of processes (dots)");
    else
        clopt_text_printf(
            &label,
            "%s over the initial code%s with 95%% intervals; hollow: no sure difference; "
            "bold: the best",
            gain, logarithmic ? " (logarithmic)" : "");
    if (drawing->left_out)
        clopt_text_printf(&label, "\nThe best %zu variants of each device; %zu %s left out",
                          drawing->chosen, drawing->left_out,
                          drawing->left_out == 1 ? "other is" : "others are");
    clopt_chart_axis(chart, kind, low, high, "%s", clopt_text_string(&label));
    if (logarithmic)
        clopt_chart_number(chart, kind, low, high);
    double step = low < 1 && high - low < 2 ? 0.5 : ceil((high - low) / 4); /* few have room */
    for (double at = ceil(low / step) * step; at <= high && !logarithmic; at += step)
        clopt_chart_tic(chart, kind, at, "%g", at);
    clopt_chart_axis(chart, CLOPT_Y, drawing->end, 0, NULL);
}

static void draw(const struct drawing *drawing, struct clopt_document *document)
{
    const struct clopt_view *view = drawing->view;
    struct clopt_chart chart;
    clopt_chart_begin(&chart, 0, view->problem->app, view->problem->label, view->name,
                      drawing->samples ? "samples" : NULL, NULL);
    clopt_chart_title(&chart, "%s: %s%s", view->problem->title, view->name,
                      drawing->samples ? ", samples" : "");
    chart.bottom = BOTTOM + (drawing->samples || drawing->left_out ? SLOT : 0);
    chart.top = TOP + SLOT * (double)(view->results->device_count + view->results->published_count);
    chart.height = chart.top + chart.bottom;
    add_words(drawing, &chart);
    add_axes(drawing, &chart);
    add_devices(drawing, &chart);
    clopt_chart_series(&chart, CLOPT_SERIES_LINE, CLOPT_CHART_INK, NULL);
    clopt_chart_xy(&chart, 1, 0);
    clopt_chart_xy(&chart, 1, drawing->end);
    clopt_document_chart(document, &chart);
}

bool clopt_view_draw(const struct clopt_view *view, bool samples, size_t top,
                     struct clopt_document *document)
{
    struct drawing drawing = {.view = view, .document = document, .samples = samples};
    add_rows(&drawing, top);
    bool any = find_range(&drawing);
    if (any)
        draw(&drawing, document);
    for (size_t i = 0; i < drawing.count; i++)
        free(drawing.marks[i].words);
    free(drawing.marks);
    return any;
}
