/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples: one row a kernel and run of the app. */
#include "store/statement.h"

/* Finds the number of a kernel's name, or gives it one. */
static enum clopt_status find_kernel(struct clopt_store *store, const char *name, int64_t *id,
                                     struct clopt_error *error)
{
    static const enum clopt_store_sql steps[] = {CLOPT_SQL_FIND_KERNEL, CLOPT_SQL_PUT_KERNEL,
                                                 CLOPT_SQL_FIND_KERNEL};
    *id = 0;
    for (size_t i = 0; i < sizeof steps / sizeof *steps && !*id; i++) {
        sqlite3_stmt *statement = clopt_store_statement(store, steps[i], error);
        if (!statement)
            return CLOPT_FAILED;
        clopt_store_bind(statement, "s", name);
        CLOPT_TRY(clopt_store_get_integer(store, statement, "store a kernel's name", id, error));
    }
    return CLOPT_OK;
}

/* Writes one column, after what the trial has. */
static enum clopt_status put_column(struct clopt_store *store,
                                    const struct clopt_store_samples *samples, size_t column,
                                    struct clopt_error *error)
{
    int64_t kernel;
    int64_t position = -1;
    CLOPT_TRY(find_kernel(store, samples->kernels[column], &kernel, error));
    sqlite3_stmt *last = clopt_store_statement(store, CLOPT_SQL_LAST_POSITION, error);
    sqlite3_stmt *put = last ? clopt_store_statement(store, CLOPT_SQL_PUT_SAMPLE, error) : NULL;
    if (!put)
        return CLOPT_FAILED;
    clopt_store_bind(last, "ii", samples->trial, kernel);
    enum clopt_status status =
        clopt_store_get_integer(store, last, "count samples", &position, error);
    clopt_store_bind(put, "iiii", samples->trial, kernel, position, samples->process);
    for (size_t i = 0; i < samples->count && !status; i++) {
        sqlite3_bind_int64(put, 3, ++position);
        sqlite3_bind_double(put, 5, samples->times_ns[column][i]);
        status = clopt_store_run(store, put, "store samples", error);
    }
    return status;
}

enum clopt_status clopt_store_put_samples(struct clopt_store *store,
                                          const struct clopt_store_samples *samples,
                                          struct clopt_error *error)
{
    enum clopt_status status = CLOPT_OK;
    CLOPT_TRY(clopt_store_begin(store, error));
    for (size_t column = 0; column < samples->kernel_count && !status; column++)
        status = put_column(store, samples, column, error);
    return clopt_store_finish(store, status, error);
}

enum clopt_status clopt_store_get_samples(struct clopt_store *store, int64_t trial,
                                          const char *kernel, double **times_ns, uint32_t **process,
                                          size_t *count, struct clopt_error *error)
{
    struct clopt_cursor rows =
        clopt_cursor_begin(store, CLOPT_SQL_GET_SAMPLES, error, "is", trial, kernel);
    *times_ns = NULL;
    *process = NULL;
    *count = 0;
    while (clopt_cursor_next(&rows)) {
        clopt_array_grow(times_ns, *count, sizeof **times_ns);
        clopt_array_grow(process, *count, sizeof **process);
        (*times_ns)[*count] = clopt_cursor_real(&rows, "time_ns");
        (*process)[(*count)++] = (uint32_t)clopt_cursor_integer(&rows, "process");
    }
    if (rows.status) {
        free(*times_ns);
        free(*process);
        *times_ns = NULL;
        *process = NULL;
        *count = 0;
    }
    return clopt_cursor_end(&rows);
}

/* ---- counters ---- */

enum clopt_status clopt_store_has_counters(struct clopt_store *store, int64_t trial,
                                           const char *source, bool *has, struct clopt_error *error)
{
    struct clopt_cursor rows =
        clopt_cursor_begin(store, CLOPT_SQL_HAS_COUNTERS, error, "is", trial, source);
    *has = clopt_cursor_next(&rows);
    return clopt_cursor_end(&rows);
}
