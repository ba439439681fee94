/* SPDX-License-Identifier: BSD-3-Clause */
/* Pennycook's metric of performance portability: how the best of each device does on the others. */
#include "view/view.h"

#include <math.h>

#include "text/json.h"

#define DIGITS 3 /* of a percentage */

/* Whether a device has the trial of an earlier one: identical devices share what is measured. */
static bool is_repeated(const struct clopt_result *cells, size_t device)
{
    for (size_t d = 0; d < device; d++)
        if (cells[device].trial.id && cells[d].trial.id == cells[device].trial.id)
            return true;
    return false;
}

/* Whether something was tried on a device, and that was nowhere else. */
static bool does_count(const struct clopt_view *view, size_t device)
{
    bool tried = false;
    for (size_t i = 0; i < view->row_count; i++) {
        if (is_repeated(view->rows[i].row->cells, device))
            return false;
        tried |= view->rows[i].row->cells[device].present && !view->rows[i].rival;
    }
    return tried;
}

/* Whether a variant did not run correctly, as opposed to: was not tried, or not verified. */
static bool has_failed(const struct clopt_result *result)
{
    return result->present && result->outcome != CLOPT_OUTCOME_OK &&
           result->outcome != CLOPT_OUTCOME_PENDING;
}

/* Sums of what a variant takes on each device, the best there being 1. */
struct sums {
    double devices;
    double slowdown;
    double below; /* squared distances of the ends of the intervals */
    double above;
};

static void add_efficiency(struct sums *sums, const struct clopt_interval *efficiency)
{
    double slowdown = fmax(1, 1 / efficiency->median);
    double below = slowdown - fmax(1, 1 / efficiency->high);
    double above = fmax(1, 1 / efficiency->low) - slowdown;
    sums->devices++;
    sums->slowdown += slowdown;
    sums->below += below * below;
    sums->above += above * above;
}

static struct clopt_interval rate(const struct clopt_portability *portability, size_t row)
{
    const struct clopt_view *view = portability->view;
    struct clopt_interval metric = {NAN, NAN, NAN, 0, 0, true};
    struct sums sums = {0};
    bool unknown = false;
    for (size_t d = 0; d < view->results->device_count; d++) {
        const struct clopt_result *result = &view->rows[row].row->cells[d];
        const struct clopt_interval *efficiency = &result->times[view->scope].efficiency;
        if (!portability->counts[d])
            continue;
        if (has_failed(result))
            return (struct clopt_interval){.attained = true};
        if (clopt_result_shown(result, view->scope) && !isnan(efficiency->median)) {
            add_efficiency(&sums, efficiency);
            metric.samples += efficiency->samples;
            metric.attained = metric.attained && efficiency->attained;
            if (!metric.processes || efficiency->processes < metric.processes)
                metric.processes = efficiency->processes;
        } else {
            unknown = true;
        }
    }
    if (unknown || sums.devices == 0)
        return (struct clopt_interval){NAN, NAN, NAN, 0, 0, false};
    metric.median = sums.devices / sums.slowdown;
    metric.low = sums.devices / (sums.slowdown + sqrt(sums.above));
    metric.high = sums.devices / (sums.slowdown - sqrt(sums.below));
    return metric;
}

void clopt_portability_init(struct clopt_portability *portability, const struct clopt_view *view)
{
    *portability = (struct clopt_portability){
        .view = view,
        .counts = clopt_calloc(view->results->device_count, sizeof *portability->counts),
        .metrics = clopt_calloc(view->row_count, sizeof *portability->metrics),
        .listed = clopt_calloc(view->row_count, sizeof *portability->listed),
        .most = CLOPT_NO_ROW,
        .initial = CLOPT_NO_ROW,
    };
    for (size_t d = 0; d < view->results->device_count; d++) {
        portability->counts[d] = does_count(view, d);
        for (size_t i = 0; i < view->row_count && portability->counts[d]; i++)
            if (clopt_view_time(view, &view->rows[i], d)->best) {
                portability->listed[i] = true;
                portability->best_count++;
            }
    }
    double highest = 0;
    for (size_t i = 0; i < view->row_count; i++) {
        portability->metrics[i] =
            view->rows[i].rival ? clopt_interval_estimate(NULL, NULL, 0) : rate(portability, i);
        if (portability->metrics[i].median > highest) {
            highest = portability->metrics[i].median;
            portability->most = i;
        }
        if (view->rows[i].initial && portability->initial == CLOPT_NO_ROW)
            portability->initial = i;
    }
    if (portability->most != CLOPT_NO_ROW)
        portability->listed[portability->most] = true;
    if (portability->initial != CLOPT_NO_ROW)
        portability->listed[portability->initial] = true;
}

void clopt_portability_fini(struct clopt_portability *portability)
{
    free(portability->counts);
    free(portability->metrics);
    free(portability->listed);
    *portability = (struct clopt_portability){0};
}

/* ---- for people ---- */

/* Fills the next cell with a fraction in percent. */
static struct clopt_cell *put_percent(struct clopt_grid *grid,
                                      const struct clopt_interval *fraction, bool interval)
{
    if (interval)
        return clopt_grid_put_interval(grid, fraction, DIGITS, 0.01);
    struct clopt_cell *cell = clopt_grid_put_number(grid, fraction->median / 0.01, DIGITS);
    clopt_cell_set_number(cell, fraction, 0.01);
    return cell;
}

/* Fills the cell of a variant on a device. */
static void fill_efficiency(struct clopt_grid *grid, const struct clopt_view *view,
                            const struct clopt_result *result, struct clopt_notes *notes)
{
    const struct clopt_result_time *time = &result->times[view->scope];
    bool shown = clopt_result_shown(result, view->scope);
    if (shown && time->best) {
        struct clopt_cell *cell = clopt_grid_put_number(grid, 100, 0);
        clopt_cell_remark(cell, "best");
        cell->best = true;
    } else if (shown && !isnan(time->efficiency.median)) {
        struct clopt_cell *cell = put_percent(grid, &time->efficiency, !result->borrowed);
        clopt_mark_alias(notes, cell, result);
        clopt_mark_ratio(notes, cell, result, &time->efficiency, "the best");
    } else {
        struct clopt_cell *cell = clopt_grid_put(grid, "--");
        clopt_cell_remark(cell, "%s",
                          !result->present ? "not tried"
                          : shown          ? ""
                                           : clopt_mark_missing(notes, cell, result));
    }
}

static void fill_matrix(const struct clopt_portability *portability, struct clopt_grid *grid,
                        struct clopt_notes *notes)
{
    const struct clopt_view *view = portability->view;
    const size_t devices = view->results->device_count;
    clopt_grid_set_heading(
        grid, "Performance portability: speed in %% of the best on each device [95%% interval]");
    grid->heat = true;
    clopt_grid_add_column(grid, "*Variant");
    for (size_t d = 0; d < devices; d++)
        clopt_grid_add_column(grid, "=%s", view->results->devices[d].label);
    clopt_grid_add_column(grid, "=mean");
    for (size_t i = 0; i < view->row_count; i++) {
        if (!portability->listed[i])
            continue;
        clopt_grid_add_row(grid, "%s", view->rows[i].label);
        for (size_t d = 0; d < devices; d++)
            fill_efficiency(grid, view, &view->rows[i].row->cells[d], notes);
        struct clopt_cell *cell = put_percent(grid, &portability->metrics[i], false);
        if (!isnan(portability->metrics[i].median) && !portability->metrics[i].attained)
            clopt_notes_add(notes, cell, "not all intervals that it comes from are of 95%%");
    }
}

/* Appends the metric of a row, "12.3% [12.1, 12.5]"; its interval only where that is one of 95%. */
static void append_metric(struct clopt_text *text, const struct clopt_portability *portability,
                          size_t row)
{
    const struct clopt_interval *metric = &portability->metrics[row];
    double percent = 100 * metric->median;
    int decimals = clopt_number_decimals(percent, DIGITS);
    if (isnan(percent)) {
        clopt_text_append(text, "not known");
        return;
    }
    clopt_text_printf(text, "%.*f%%", decimals, percent);
    if (metric->attained && metric->low < metric->high)
        clopt_text_printf(text, " [%.*f, %.*f]", decimals, 100 * metric->low, decimals,
                          100 * metric->high);
}

void clopt_portability_say(struct clopt_text *text, const struct clopt_portability *portability)
{
    size_t most = portability->most, initial = portability->initial;
    clopt_text_append(text, "Most portable by harmonic mean (Pennycook's metric): ");
    if (most == CLOPT_NO_ROW) {
        clopt_text_append(text, "no variant has a time on all devices");
        return;
    }
    clopt_text_printf(text, "%s, ", portability->view->rows[most].label);
    append_metric(text, portability, most);
    if (initial == CLOPT_NO_ROW || initial == most)
        return;
    clopt_text_append(text, "; initial code ");
    append_metric(text, portability, initial);
}

/* Whether anything is compared: several variants have a time on a device. */
static bool has_several(const struct clopt_view *view)
{
    for (size_t d = 0; d < view->results->device_count; d++) {
        size_t timed = 0;
        for (size_t i = 0; i < view->row_count; i++)
            timed += !view->rows[i].rival &&
                     clopt_result_shown(&view->rows[i].row->cells[d], view->scope);
        if (timed > 1)
            return true;
    }
    return false;
}

void clopt_portability_report(const struct clopt_view *view, struct clopt_document *document,
                              struct clopt_notes *notes)
{
    CLOPT_OWNED(clopt_portability) portability;
    struct clopt_grid matrix = {0};
    struct clopt_text text = {0};
    clopt_portability_init(&portability, view);
    if (portability.best_count > 1 && has_several(view)) {
        fill_matrix(&portability, &matrix, notes);
        clopt_document_table(document, &matrix);
        clopt_portability_say(&text, &portability);
        clopt_document_say(document, CLOPT_SENTENCE_PLAIN, &text);
    }
}

/* ---- for programs ---- */

/* What a variant does on a device. */
static json_t *cell_to_json(const struct clopt_portability *portability,
                            const struct clopt_view_row *row, size_t device)
{
    const struct clopt_view *view = portability->view;
    const struct clopt_result *result = &row->row->cells[device];
    const struct clopt_result_time *time = &result->times[view->scope];
    const struct clopt_interval none = clopt_interval_estimate(NULL, NULL, 0);
    const struct clopt_interval *efficiency = result->present ? &time->efficiency : &none;
    const struct clopt_results_row *other = result->present ? clopt_result_same_code(result) : NULL;
    return clopt_json_object(
        "device:s counted:b outcome:s verified:b abandoned:b best:b alias_of:s efficiency:d low:d "
        "high:d attained:b processes:i",
        view->results->devices[device].label, portability->counts[device],
        result->present ? clopt_outcome_name(result->outcome) : NULL, result->trial.verdict.right,
        result->trial.abandoned, time->best, other ? other->name : NULL, efficiency->median,
        efficiency->low, efficiency->high, efficiency->attained, (int64_t)efficiency->processes);
}

static json_t *row_to_json(const struct clopt_portability *portability, size_t number)
{
    const struct clopt_view *view = portability->view;
    const struct clopt_interval *metric = &portability->metrics[number];
    json_t *cells = json_array();
    for (size_t d = 0; d < view->results->device_count; d++)
        clopt_json_append(&cells, cell_to_json(portability, &view->rows[number], d));
    return clopt_json_object("variant:s all_devices:o devices:o", view->rows[number].label,
                             clopt_json_object("metric:d low:d high:d attained:b processes:i",
                                               metric->median, metric->low, metric->high,
                                               metric->attained, (int64_t)metric->processes),
                             cells);
}

static json_t *matrix_to_json(const struct clopt_portability *portability)
{
    const struct clopt_view *view = portability->view;
    bool run = view->scope == CLOPT_SCOPE_RUN;
    size_t most = portability->most;
    json_t *rows = json_array();
    for (size_t i = 0; i < view->row_count; i++)
        if (portability->listed[i])
            clopt_json_append(&rows, row_to_json(portability, i));
    return clopt_json_object("app:s problem:s scope:s kernel:s most_portable:s variants:o",
                             view->problem->app, view->problem->label, run ? "run" : "kernel",
                             run ? NULL : view->table->kernel,
                             most == CLOPT_NO_ROW ? NULL : view->rows[most].label, rows);
}

json_t *clopt_portability_to_json(const struct clopt_results *results)
{
    CLOPT_OWNED(clopt_views) views = clopt_views_make(results);
    json_t *matrices = json_array();
    for (size_t i = 0; i < views.count; i++) {
        CLOPT_OWNED(clopt_portability) portability;
        clopt_portability_init(&portability, &views.items[i]);
        if (portability.best_count > 1)
            clopt_json_append(&matrices, matrix_to_json(&portability));
    }
    return matrices;
}
