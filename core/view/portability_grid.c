/* SPDX-License-Identifier: BSD-3-Clause */
/* Shows how the best variant of each device does on the others, and says which is most portable. */
#include "view/portability.h"

#include <math.h>

#include "base/number.h"
#include "base/text.h"
#include "view/marks.h"

#define DIGITS 3 /* of a percentage */

/* Writes an interval in percent, "[12.3, 12.5]". */
static void write_interval(const struct clopt_interval *fraction, int decimals, char *text,
                           size_t size)
{
    snprintf(text, size, "[%.*f, %.*f]", decimals, 100 * fraction->low, decimals,
             100 * fraction->high);
}

/* Fills the cell of a variant on a device. */
static void fill_efficiency(struct clopt_grid *grid, struct clopt_cell *cell,
                            const struct clopt_view *view, const struct clopt_view_row *row,
                            const struct clopt_result *result, struct clopt_notes *notes)
{
    const struct clopt_result_time *time = &result->times[view->scope];
    double percent = 100 * time->efficiency.median;
    char comment[128] = "";
    char number[64] = "--";
    int decimals = -1;
    if (!result->present) {
        clopt_grid_fill(grid, cell, "--", -1, "not tried");
        return;
    }
    if (!clopt_result_shown(result, view->scope)) {
        const char *word = clopt_mark_missing(notes, result, cell->marks, sizeof cell->marks);
        clopt_grid_fill(grid, cell, "--", -1, word);
        return;
    }
    cell->best = time->best;
    if (time->best) {
        clopt_grid_fill(grid, cell, "100", 0, "best");
        return;
    }
    if (!isnan(percent)) {
        decimals = clopt_number_decimals(percent, DIGITS);
        snprintf(number, sizeof number, "%.*f", decimals, percent);
        if (!result->borrowed)
            write_interval(&time->efficiency, decimals, comment, sizeof comment);
        clopt_mark_alias(cell, row, result, notes, comment, sizeof comment);
        clopt_mark_ratio(notes, result, &time->efficiency, "the best", cell->marks,
                         sizeof cell->marks);
    }
    clopt_grid_fill(grid, cell, number, decimals, comment);
    clopt_cell_set_number(cell, &time->efficiency, 0.01);
}

/* Fills the cell of a variant on all devices. */
static void fill_metric(struct clopt_grid *grid, struct clopt_cell *cell,
                        const struct clopt_interval *metric, struct clopt_notes *notes)
{
    double percent = 100 * metric->median;
    char number[64] = "--";
    int decimals = -1;
    if (!isnan(percent)) {
        decimals = clopt_number_decimals(percent, DIGITS);
        snprintf(number, sizeof number, "%.*f", decimals, percent);
    }
    if (!isnan(percent) && !metric->attained)
        clopt_notes_add(notes, "not all intervals that it comes from are of 95%", cell->marks,
                        sizeof cell->marks);
    clopt_grid_fill(grid, cell, number, decimals, "");
    clopt_cell_set_number(cell, metric, 0.01);
}

static void fill_matrix(const struct clopt_portability *portability, struct clopt_grid *grid,
                        struct clopt_notes *notes)
{
    const struct clopt_view *view = portability->view;
    const size_t devices = view->results->device_count;
    clopt_grid_set_heading(
        grid, "Performance portability: speed in %% of the best on each device [95%% interval]");
    clopt_grid_add_column(grid, CLOPT_COLUMN_NAME, CLOPT_COLUMN_KEY, "Variant");
    for (size_t d = 0; d < devices; d++)
        clopt_grid_add_column(grid, CLOPT_COLUMN_VALUE, CLOPT_COLUMN_DATA,
                              view->results->devices[d].label);
    clopt_grid_add_column(grid, CLOPT_COLUMN_VALUE, CLOPT_COLUMN_DATA, "mean");
    for (size_t i = 0; i < view->row_count; i++) {
        struct clopt_cell *cell = portability->listed[i] ? clopt_grid_add_row(grid) : NULL;
        if (!cell)
            continue;
        clopt_grid_fill(grid, cell++, view->rows[i].label, -1, "");
        for (size_t d = 0; d < devices; d++)
            fill_efficiency(grid, cell++, view, &view->rows[i], &view->rows[i].row->cells[d],
                            notes);
        fill_metric(grid, cell, &portability->metrics[i], notes);
    }
}

/* Appends the metric of a row, "12.3% [12.1, 12.5]"; its interval only where that is one of 95%. */
static void append_metric(struct clopt_text *text, const struct clopt_portability *portability,
                          size_t row)
{
    const struct clopt_interval *metric = &portability->metrics[row];
    int decimals = clopt_number_decimals(100 * metric->median, DIGITS);
    char interval[64] = "";
    if (isnan(metric->median)) {
        clopt_text_append(text, "not known");
        return;
    }
    if (metric->attained && metric->low < metric->high)
        write_interval(metric, decimals, interval, sizeof interval);
    clopt_text_printf(text, "%.*f%%%s%s", decimals, 100 * metric->median, *interval ? " " : "",
                      interval);
}

void clopt_portability_say(struct clopt_text *text, const struct clopt_portability *portability)
{
    size_t most = portability->most;
    size_t initial = portability->initial;
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

enum clopt_status clopt_portability_report(const struct clopt_view *view,
                                           struct clopt_document *document,
                                           struct clopt_notes *notes, struct clopt_error *error)
{
    struct clopt_portability portability;
    struct clopt_grid matrix = {0};
    struct clopt_text text = {0};
    enum clopt_status status = clopt_portability_init(&portability, view, error);
    if (!status && portability.best_count > 1) {
        fill_matrix(&portability, &matrix, notes);
        clopt_document_table(document, &matrix);
        clopt_portability_say(&text, &portability);
        clopt_document_say(document, CLOPT_SENTENCE_PLAIN, &text);
    }
    clopt_portability_fini(&portability);
    return status;
}
