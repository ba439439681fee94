/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses the rows of a table. */
#include "report/report_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static enum clopt_status add_row(struct clopt_view *view, const struct clopt_results_table *table,
                                 size_t row, const char *suffix, struct clopt_error *error)
{
    struct clopt_view_row *rows = realloc(view->rows, (view->row_count + 1) * sizeof *view->rows);
    if (!rows)
        return clopt_fail_memory(error);
    view->rows = rows;
    struct clopt_text label = {0};
    clopt_text_append(&label, table->rows[row].name);
    if (*suffix)
        clopt_text_printf(&label, " in %s", suffix);
    rows[view->row_count] = (struct clopt_view_row){clopt_text_take(&label), table,
                                                    &table->rows[row], row == table->initial};
    return rows[view->row_count++].label ? CLOPT_OK : clopt_fail_memory(error);
}

enum clopt_status clopt_view_kernel(const struct clopt_results *results, size_t table,
                                    struct clopt_view *view, struct clopt_error *error)
{
    enum clopt_status status = CLOPT_OK;
    *view = (struct clopt_view){results, CLOPT_SCOPE_KERNEL, NULL, 0};
    for (size_t i = 0; i < results->tables[table].row_count && !status; i++)
        status = add_row(view, &results->tables[table], i, "", error);
    return status;
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

/* Finds the row of a name in a table. */
static const struct clopt_results_row *find_name(const struct clopt_results_table *table,
                                                 const char *name)
{
    for (size_t i = 0; i < table->row_count; i++)
        if (strcmp(table->rows[i].name, name) == 0)
            return &table->rows[i];
    return NULL;
}

enum clopt_status clopt_view_run(const struct clopt_results *results, size_t first, size_t end,
                                 struct clopt_view *view, struct clopt_error *error)
{
    enum clopt_status status = CLOPT_OK;
    *view = (struct clopt_view){results, CLOPT_SCOPE_RUN, NULL, 0};
    for (size_t t = first; t < end; t++) {
        const struct clopt_results_table *table = &results->tables[t];
        for (size_t i = 0; i < table->row_count && !status; i++) {
            bool shown = false;   /* in an earlier table */
            bool several = false; /* another kernel has another variant of that name */
            for (size_t other = first; other < end; other++) {
                const struct clopt_results_row *row =
                    other == t ? NULL : find_name(&results->tables[other], table->rows[i].name);
                bool same = row && same_trials(results, row, &table->rows[i]);
                shown |= same && other < t;
                several |= row && !same;
            }
            if (!shown)
                status = add_row(view, table, i, several ? table->kernel : "", error);
        }
    }
    return status;
}

void clopt_view_fini(struct clopt_view *view)
{
    for (size_t i = 0; i < view->row_count; i++)
        free(view->rows[i].label);
    free(view->rows);
    *view = (struct clopt_view){0};
}
