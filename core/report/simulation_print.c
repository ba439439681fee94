/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints what simulated searches reach, as a table and as CSV. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/table.h"
#include "report/simulation.h"
#include "view/fields.h"

#define STEPS 3 /* columns: a quarter, a half and all of the budget */

static size_t step_end(const struct clopt_simulation *simulation, size_t step)
{
    size_t end = simulation->budget >> (STEPS - 1 - step);
    return end ? end : 1;
}

/* The time of a column, for people. */
static void print_time(struct clopt_table *table, double seconds)
{
    if (seconds < 0.1)
        clopt_table_cell(table, "%.3g s", seconds);
    else if (seconds < 120)
        clopt_table_cell(table, seconds < 10 ? "%.1f s" : "%.0f s", seconds);
    else
        clopt_table_cell(table, seconds < 7200 ? "%.0f min" : "%.1f h",
                         seconds < 7200 ? seconds / 60 : seconds / 3600);
}

static void print_quartiles(struct clopt_table *table, const struct clopt_simulated *reached)
{
    clopt_table_cell(table, "%.3f [%.3f, %.3f]", reached->median, reached->first_quarter,
                     reached->third_quarter);
}

static enum clopt_status print_table(const struct clopt_simulation *simulation, bool by_time,
                                     FILE *stream, struct clopt_error *error)
{
    struct clopt_table *table = clopt_table_create("lrrr");
    if (!table)
        return clopt_fail_memory(error);
    clopt_table_cell(table, by_time ? "After" : "After trials");
    for (size_t step = 0; step < STEPS; step++) {
        size_t end = step_end(simulation, step);
        if (by_time)
            print_time(table, simulation->limit_s * (double)end / (double)simulation->budget);
        else
            clopt_table_cell(table, "%zu", end);
    }
    clopt_table_end_row(table);
    clopt_table_rule(table);
    for (size_t i = 0; i < simulation->count; i++) {
        const struct clopt_simulation_curve *curve = &simulation->curves[i];
        clopt_table_cell(table, "%s", curve->strategy->name);
        for (size_t step = 0; step < STEPS; step++)
            print_quartiles(table, (by_time ? curve->by_seconds : curve->by_trials) +
                                       step_end(simulation, step) - 1);
        clopt_table_end_row(table);
    }
    enum clopt_status status = clopt_table_print(table, stream, 2, error);
    clopt_table_destroy(table);
    return status;
}

enum clopt_status clopt_simulation_print(const struct clopt_simulation *simulation, FILE *stream,
                                         struct clopt_error *error)
{
    const struct clopt_recording *recording = simulation->recording;
    size_t count = recording->points.count;
    clopt_text_print(stream, "%s%s%s\n", simulation->title, *recording->name ? ": " : "",
                     recording->name);
    fprintf(stream, "%zu variant%s, %zu failed; the best takes %.4g ms\n", count,
            count == 1 ? "" : "s", recording->failed, recording->best_ms);
    if (recording->left_out)
        fprintf(stream,
                "This is a part of a space: %" PRId64 " other variants were not measured, and one "
                "of them may be better\n",
                recording->left_out);
    fputc('\n', stream);
    fprintf(stream, "Best time divided by best found: median [quartiles] of %zu run%s\n",
            simulation->repeat, simulation->repeat == 1 ? "" : "s");
    enum clopt_status status = print_table(simulation, false, stream, error);
    if (!status && simulation->limit_s > 0) {
        fputs("\nThe same by recorded time\n", stream);
        status = print_table(simulation, true, stream, error);
    }
    return status;
}

/* ---- CSV ---- */

const char clopt_simulation_csv_header[] =
    "space,strategy,runs,by,at,first_quarter,median,third_quarter\r\n";

static enum clopt_status print_line(const struct clopt_simulation *simulation,
                                    const struct clopt_simulation_curve *curve, size_t step,
                                    bool by_time, FILE *stream, struct clopt_error *error)
{
    const struct clopt_simulated *reached = (by_time ? curve->by_seconds : curve->by_trials) + step;
    double at = (double)(step + 1);
    json_t *title = json_string(simulation->title);
    if (!title)
        title = json_string("");
    if (by_time)
        at *= simulation->limit_s / (double)simulation->budget;
    clopt_csv_print(stream, title, true);
    fprintf(stream, ",%s,%zu,%s,%.6g,%.6g,%.6g,%.6g\r\n", curve->strategy->name, simulation->repeat,
            by_time ? "seconds" : "trials", at, reached->first_quarter, reached->median,
            reached->third_quarter);
    json_decref(title);
    return ferror(stream)
               ? clopt_fail(error, CLOPT_FAILED, "cannot write the table: %s", strerror(errno))
               : CLOPT_OK;
}

enum clopt_status clopt_simulation_csv(const struct clopt_simulation *simulation, FILE *stream,
                                       struct clopt_error *error)
{
    enum clopt_status status = CLOPT_OK;
    for (size_t i = 0; i < simulation->count; i++)
        for (int by_time = 0; by_time <= (simulation->limit_s > 0); by_time++)
            for (size_t step = 0; step < simulation->budget && !status; step++)
                status =
                    print_line(simulation, &simulation->curves[i], step, by_time, stream, error);
    return status;
}
