/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints tables of times and of speed-ups. */
#include "report/report_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/table.h"
#include "base/text.h"

/* The unit of a whole table, and the digits behind its points. */
struct unit {
    const char *name;
    double nanoseconds;
    int decimals;
};

/* Chooses the largest unit of which the smallest time has at least one, and shows four digits of
 * that. */
static struct unit choose_unit(const struct clopt_view *view)
{
    static const struct unit units[] = {
        {"s", 1e9, 0}, {"ms", 1e6, 0}, {"us", 1e3, 0}, {"ns", 1, 0}};
    double smallest = INFINITY;
    for (size_t i = 0; i < view->row_count; i++)
        for (size_t d = 0; d < view->results->device_count; d++) {
            const struct clopt_result *cell = &view->rows[i].row->cells[d];
            if (clopt_result_shown(cell, view->scope))
                smallest = fmin(smallest, cell->times[view->scope].interval.median);
        }
    size_t i = 0;
    while (i < 3 && smallest < units[i].nanoseconds)
        i++;
    struct unit unit = units[i];
    double value = smallest / unit.nanoseconds;
    unit.decimals = value < 10 ? 3 : value < 100 ? 2 : value < 1000 ? 1 : 0;
    return unit;
}

static struct clopt_table *create_table(const struct clopt_results *results)
{
    struct clopt_text alignment = {0};
    clopt_text_append_char(&alignment, 'l');
    for (size_t d = 0; d < results->device_count; d++)
        clopt_text_append(&alignment, "rl");
    struct clopt_table *table =
        alignment.failed ? NULL : clopt_table_create(clopt_text_string(&alignment));
    clopt_text_fini(&alignment);
    if (!table)
        return NULL;
    clopt_table_cell(table, "Variant");
    for (size_t d = 0; d < results->device_count; d++) {
        clopt_table_cell(table, "%s", results->devices[d].label);
        clopt_table_cell(table, "%s", "");
    }
    clopt_table_end_row(table);
    clopt_table_rule(table);
    return table;
}

/* Adds the two cells of a result: a number, and what belongs to it. */
static void add_cells(struct clopt_table *table, const char *number, const char *comment,
                      const char *marks)
{
    clopt_table_cell(table, "%s", number);
    clopt_table_cell(table, "%s%s%s", comment, *comment && *marks ? " " : "", marks);
}

/* Says which other variant is the same code. */
static void append_alias(char *comment, size_t size, const struct clopt_view_row *row,
                         const struct clopt_result *cell)
{
    size_t length = strlen(comment);
    if (cell->alias != CLOPT_NO_ROW)
        snprintf(comment + length, size - length, "%s= %s", length ? " " : "",
                 row->table->rows[cell->alias].name);
}

static void add_time(struct clopt_table *table, const struct clopt_view *view,
                     const struct clopt_view_row *row, const struct clopt_result *cell,
                     const struct unit *unit, struct clopt_footnotes *notes)
{
    const struct clopt_interval *interval = &cell->times[view->scope].interval;
    char marks[64];
    char number[64] = "--";
    char comment[1024] = "";
    clopt_footnotes_mark(notes, cell, view->scope, marks, sizeof marks);
    if (!cell->present)
        *number = '\0';
    if (clopt_result_shown(cell, view->scope)) {
        snprintf(number, sizeof number, "%.*f", unit->decimals,
                 interval->median / unit->nanoseconds);
        if (!cell->borrowed)
            snprintf(comment, sizeof comment, "[%.*f, %.*f]", unit->decimals,
                     interval->low / unit->nanoseconds, unit->decimals,
                     interval->high / unit->nanoseconds);
        append_alias(comment, sizeof comment, row, cell);
    }
    add_cells(table, number, comment, marks);
}

enum clopt_status clopt_view_print_times(const struct clopt_view *view,
                                         struct clopt_footnotes *notes, FILE *stream,
                                         struct clopt_error *error)
{
    struct unit unit = choose_unit(view);
    struct clopt_table *table = create_table(view->results);
    if (!table)
        return clopt_fail_memory(error);
    for (size_t i = 0; i < view->row_count; i++) {
        const struct clopt_view_row *row = &view->rows[i];
        clopt_table_cell(table, "%s", row->label);
        for (size_t d = 0; d < view->results->device_count; d++)
            add_time(table, view, row, &row->row->cells[d], &unit, notes);
        clopt_table_end_row(table);
    }
    fprintf(stream, "  Median execution time in %s [95%% interval]\n\n", unit.name);
    enum clopt_status status = clopt_table_print(table, stream, 2, error);
    putc('\n', stream);
    clopt_table_destroy(table);
    return status;
}

static void add_speedup(struct clopt_table *table, const struct clopt_view *view,
                        const struct clopt_view_row *row, const struct clopt_result *cell,
                        struct clopt_footnotes *notes)
{
    const struct clopt_result_time *time = &cell->times[view->scope];
    char marks[64];
    char number[64] = "--";
    char comment[1024] = "";
    clopt_footnotes_mark(notes, cell, view->scope, marks, sizeof marks);
    if (!cell->present) {
        *number = '\0';
    } else if (clopt_result_shown(cell, view->scope) && isnan(time->speedup)) {
        size_t note = clopt_footnotes_number(notes, "no time of the initial code to compare with");
        snprintf(marks, sizeof marks, "[%zu]", note);
    } else if (clopt_result_shown(cell, view->scope)) {
        int decimals = time->speedup < 0.1 ? 3 : 2;
        snprintf(number, sizeof number, "%.*f", decimals, time->speedup);
        if (!cell->borrowed && !time->different)
            snprintf(comment, sizeof comment, "no difference");
        else if (!cell->borrowed)
            snprintf(comment, sizeof comment, "[%.*f, %.*f]", decimals, time->speedup_low, decimals,
                     time->speedup_high);
        append_alias(comment, sizeof comment, row, cell);
    }
    add_cells(table, number, comment, marks);
}

enum clopt_status clopt_view_print_speedups(const struct clopt_view *view,
                                            struct clopt_footnotes *notes, FILE *stream,
                                            struct clopt_error *error)
{
    struct clopt_table *table = create_table(view->results);
    size_t shown = 0;
    if (!table)
        return clopt_fail_memory(error);
    for (size_t i = 0; i < view->row_count; i++) {
        const struct clopt_view_row *row = &view->rows[i];
        if (row->initial)
            continue;
        shown++;
        clopt_table_cell(table, "%s", row->label);
        for (size_t d = 0; d < view->results->device_count; d++)
            add_speedup(table, view, row, &row->row->cells[d], notes);
        clopt_table_end_row(table);
    }
    enum clopt_status status = CLOPT_OK;
    if (shown) {
        fprintf(stream, "  Speed-up over the initial code [95%% interval]\n\n");
        status = clopt_table_print(table, stream, 2, error);
        putc('\n', stream);
    }
    clopt_table_destroy(table);
    return status;
}
