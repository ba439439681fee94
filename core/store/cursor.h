/* SPDX-License-Identifier: BSD-3-Clause */
/* The statements of a store: rows that are put, and those of a query, one after the other, with
 * columns by their names. */
#pragma once

#include "store/store.h"

/* What is asked of a store: the names of statements.sql, of which the build makes a header. */
enum clopt_store_sql {
#define SQL(NAME, TEXT) CLOPT_SQL_##NAME,
#include "store/statements_sql.h"
#undef SQL
    CLOPT_SQL_COUNT
};

/* Runs a statement that gives no row, with its parameters: `types` has one letter each, i
 * (int64_t), d (double, NaN becomes NULL), s (const char *, may be NULL; must stay until the end)
 * or r (the run that is written, or read; no argument). */
enum clopt_status clopt_store_put(struct clopt_store *store, enum clopt_store_sql sql,
                                  struct clopt_error *error, const char *types, ...);

/* A cursor. It is before the first row when it begins, and at none when all were read. */
struct clopt_cursor {
    struct clopt_store *store;
    struct sqlite3_stmt *statement; /* NULL: there are no rows */
    bool there;                     /* it is at a row */
    enum clopt_status status;       /* a failure ends it; the reader may set it, too */
    struct clopt_error *error;
};

/* Begins a query with its parameters, as above. */
struct clopt_cursor clopt_cursor_begin(struct clopt_store *store, enum clopt_store_sql query,
                                       struct clopt_error *error, const char *types, ...);

/* The same about the chosen run, which is the only parameter if there is one. */
struct clopt_cursor clopt_cursor_of_run(struct clopt_store *store, enum clopt_store_sql query,
                                        struct clopt_error *error);

/* Goes to the next row; false: there is none, or it failed. */
bool clopt_cursor_next(struct clopt_cursor *rows);

/* Read a column: NULL, NaN and 0 for a null, and where it is at no row. A text is the cursor's, and
 * valid until it moves; a copy is the caller's to free. */
const char *clopt_cursor_text(const struct clopt_cursor *rows, const char *column);
double clopt_cursor_real(const struct clopt_cursor *rows, const char *column);
int64_t clopt_cursor_integer(const struct clopt_cursor *rows, const char *column);
char *clopt_cursor_copy(const struct clopt_cursor *rows, const char *column);

/* Ends it, wherever it is, and returns its status. */
enum clopt_status clopt_cursor_end(struct clopt_cursor *rows);

/* Begins at the chosen run, by default the one that is being written, or else the newest, which the
 * queries about the run are about from then on. Without any run there is no row; a number that no
 * run has is an error. */
struct clopt_cursor clopt_store_find_run(struct clopt_store *store, struct clopt_error *error);

/* Reads a trial without its texts. */
void clopt_cursor_trial(const struct clopt_cursor *rows, struct clopt_store_trial *trial);
