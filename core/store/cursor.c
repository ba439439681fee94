/* SPDX-License-Identifier: BSD-3-Clause */
/* Moves over the rows of a query, and reads their columns. */
#include "store/cursor.h"

#include <math.h>

#include "store/statement.h"

static struct clopt_cursor begin(struct clopt_store *store, enum clopt_store_sql query,
                                 struct clopt_error *error)
{
    struct clopt_cursor rows = {.store = store, .error = error};
    rows.statement = clopt_store_statement(store, query, error);
    if (!rows.statement)
        rows.status = CLOPT_FAILED;
    return rows;
}

struct clopt_cursor clopt_cursor_begin(struct clopt_store *store, enum clopt_store_sql query,
                                       struct clopt_error *error, const char *types, ...)
{
    struct clopt_cursor rows = begin(store, query, error);
    va_list arguments;
    va_start(arguments, types);
    if (rows.statement)
        clopt_store_vbind(rows.statement, store->run, types, arguments);
    va_end(arguments);
    return rows;
}

struct clopt_cursor clopt_cursor_of_run(struct clopt_store *store, enum clopt_store_sql query,
                                        struct clopt_error *error)
{
    struct clopt_cursor rows = begin(store, query, error);
    if (rows.statement && sqlite3_bind_parameter_count(rows.statement) > 0)
        clopt_store_bind(rows.statement, "i", store->run);
    return rows;
}

bool clopt_cursor_next(struct clopt_cursor *rows)
{
    rows->there = false;
    if (rows->statement && !rows->status)
        rows->status = clopt_store_step(rows->store, rows->statement, "read the store",
                                        &rows->there, rows->error);
    return rows->there;
}

/* Returns the number of a column that is not null; -1: it is null, or there is no row. */
static int find_column(const struct clopt_cursor *rows, const char *name)
{
    int count = rows->there ? sqlite3_column_count(rows->statement) : 0;
    for (int i = 0; i < count; i++)
        if (strcmp(sqlite3_column_name(rows->statement, i), name) == 0)
            return sqlite3_column_type(rows->statement, i) == SQLITE_NULL ? -1 : i;
    return -1;
}

const char *clopt_cursor_text(const struct clopt_cursor *rows, const char *column)
{
    int number = find_column(rows, column);
    return number < 0 ? NULL : (const char *)sqlite3_column_text(rows->statement, number);
}

double clopt_cursor_real(const struct clopt_cursor *rows, const char *column)
{
    int number = find_column(rows, column);
    return number < 0 ? NAN : sqlite3_column_double(rows->statement, number);
}

int64_t clopt_cursor_integer(const struct clopt_cursor *rows, const char *column)
{
    int number = find_column(rows, column);
    return number < 0 ? 0 : sqlite3_column_int64(rows->statement, number);
}

char *clopt_cursor_copy(const struct clopt_cursor *rows, const char *column)
{
    const char *text = clopt_cursor_text(rows, column);
    return text ? clopt_strdup(text) : NULL;
}

enum clopt_status clopt_cursor_end(struct clopt_cursor *rows)
{
    if (rows->statement)
        sqlite3_reset(rows->statement);
    rows->there = false;
    return rows->status;
}

/* ---- the chosen run ---- */

void clopt_store_choose_run(struct clopt_store *store, int64_t run)
{
    store->run = run;
}

struct clopt_cursor clopt_store_find_run(struct clopt_store *store, struct clopt_error *error)
{
    struct clopt_cursor rows = clopt_cursor_of_run(store, CLOPT_SQL_GET_RUN, error);
    if (clopt_cursor_next(&rows))
        store->run = clopt_cursor_integer(&rows, "id");
    else if (!rows.status && store->run)
        rows.status = clopt_fail(error, CLOPT_INVALID,
                                 "%s: no run %" PRId64 "; `clopt status` lists the runs",
                                 store->path, store->run);
    return rows;
}
