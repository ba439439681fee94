/* SPDX-License-Identifier: BSD-3-Clause */
/* Puts published times beside the variants that they are of. */
#include <math.h>

#include "results/results.h"
#include "store/cursor.h"

/* Whether a problem's inputs are those of a text such as "rows=4096 columns=4096". */
static bool is_problem(const struct clopt_results_problem *problem, const char *text)
{
    while (*text) {
        size_t length = strcspn(text, " ");
        size_t name = strcspn(text, "=");
        char key[64] = "";
        if (name >= length || name >= sizeof key)
            return false;
        memcpy(key, text, name);
        const char *value = json_string_value(json_object_get(problem->inputs, key));
        if (!value || strncmp(value, text + name + 1, length - name - 1) != 0 ||
            value[length - name - 1])
            return false;
        text += length + strspn(text + length, " ");
    }
    return true;
}

/* Finds or adds the device that a time is of. */
static size_t provide_device(struct clopt_results *results, char *source, char *device)
{
    for (size_t i = 0; i < results->published_count; i++)
        if (strcmp(results->published[i].source, source) == 0 &&
            strcmp(results->published[i].device, device) == 0)
            return i;
    struct clopt_results_published *added =
        clopt_array_add(&results->published, &results->published_count, sizeof *added);
    CLOPT_FREED char *label = clopt_text_format("%s: %s", source, device);
    *added = (struct clopt_results_published){source, device, clopt_results_keep(results, label)};
    return results->published_count - 1;
}

/* Keeps a time for a variant, unless an earlier figure shows it, too. */
static void add_time(struct clopt_results *results, struct clopt_results_row *row,
                     const struct clopt_cursor *rows)
{
    char *source = clopt_results_keep(results, clopt_cursor_text(rows, "source"));
    char *name = clopt_results_keep(results, clopt_cursor_text(rows, "device"));
    size_t device = provide_device(results, source, name);
    while (row->published_count <= device)
        clopt_array_add(&row->published, &row->published_count, sizeof *row->published);
    if (!row->published[device].figure)
        row->published[device] = (struct clopt_published_time){
            .figure = clopt_results_keep(results, clopt_cursor_text(rows, "figure")),
            .outcome = clopt_results_keep(results, clopt_cursor_text(rows, "outcome")),
            .time_ns = clopt_cursor_real(rows, "time_s") * 1e9,
            .speedup = NAN};
}

/* Adds a time to the variants that it is of. */
static void take(struct clopt_results *results, const struct clopt_cursor *rows)
{
    for (size_t t = 0; t < results->table_count; t++) {
        struct clopt_results_table *table = &results->tables[t];
        const struct clopt_results_problem *problem = &results->problems[table->problem];
        if (strcmp(table->kernel, clopt_cursor_text(rows, "kernel")) != 0 ||
            strcmp(problem->app, clopt_cursor_text(rows, "app")) != 0 ||
            !is_problem(problem, clopt_cursor_text(rows, "problem")))
            continue;
        for (size_t i = 0; i < table->row_count; i++)
            if (strcmp(table->rows[i].name, clopt_cursor_text(rows, "variant")) == 0)
                add_time(results, &table->rows[i], rows);
    }
}

/* Divides the time of the initial code by those of its variants, device by device. */
static void compare(struct clopt_results_table *table)
{
    const struct clopt_results_row *initial =
        table->initial == CLOPT_NO_ROW ? NULL : &table->rows[table->initial];
    for (size_t i = 0; initial && i < table->row_count; i++)
        for (size_t d = 0; d < table->rows[i].published_count && d < initial->published_count; d++)
            if (i != table->initial && table->rows[i].published[d].figure &&
                initial->published[d].figure)
                table->rows[i].published[d].speedup =
                    initial->published[d].time_ns / table->rows[i].published[d].time_ns;
}

enum clopt_status clopt_results_gather_published(struct clopt_results *results,
                                                 struct clopt_store *store,
                                                 struct clopt_error *error)
{
    struct clopt_cursor rows = clopt_cursor_of_run(store, CLOPT_SQL_GET_PUBLISHED, error);
    while (results->objective == CLOPT_OBJECTIVE_TIME && clopt_cursor_next(&rows))
        take(results, &rows);
    for (size_t t = 0; t < results->table_count; t++)
        compare(&results->tables[t]);
    return clopt_cursor_end(&rows);
}
