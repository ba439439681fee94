/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of the store share: the open database and its prepared statements. */
#pragma once

#include <sqlite3.h>

#include "store/cursor.h"

struct clopt_store {
    sqlite3 *database;
    char *path;
    int lock;         /* descriptor that holds the writer's lock, or -1 */
    bool created;     /* there was nothing in it when it was opened */
    bool written;     /* by some process when this one opened it */
    int64_t run;      /* that is written, or read; 0: the newest */
    double began_s;   /* when the run did that is written, */
    int64_t began_ns; /* also by a clock that nobody sets */
    unsigned depth;   /* of transactions: only the outermost is SQLite's */
    sqlite3_stmt *statements[CLOPT_SQL_COUNT];
};

/* Makes a store in a temporary file without a name, which SQLite removes; `path` is where it is to
 * go, and is not touched. */
enum clopt_status clopt_store_open_unnamed(const char *path, struct clopt_store **store,
                                           struct clopt_error *error);

/* Takes the lock that tells writers from each other, and makes the file where there is none.
 * Readers do not ask for it, and it goes with the process, however that ends. flock() keeps out of
 * the way of SQLite's own locks. `flags` go to open(), beside others. */
enum clopt_status clopt_store_lock(struct clopt_store *store, int flags, struct clopt_error *error);

/* Removes the logs of a store that is gone: SQLite would replay them into the next one. */
void clopt_store_forget_logs(const char *path);

/* Reports SQLite's last error: "study.db: DOING: MESSAGE". */
enum clopt_status clopt_store_fail(struct clopt_store *store, const char *doing,
                                   struct clopt_error *error);

/* Returns a statement ready to be bound, or NULL and an error. */
sqlite3_stmt *clopt_store_statement(struct clopt_store *store, enum clopt_store_sql sql,
                                    struct clopt_error *error);

/* Binds arguments to parameters 1, 2, ..., as clopt_store_put() does; `run` is what r binds. */
void clopt_store_bind(sqlite3_stmt *statement, const char *types, ...);
void clopt_store_vbind(sqlite3_stmt *statement, int64_t run, const char *types, va_list arguments);

/* Runs a statement that gives no row. */
enum clopt_status clopt_store_run(struct clopt_store *store, sqlite3_stmt *statement,
                                  const char *doing, struct clopt_error *error);

/* Runs a statement for its first row, one integer; `value` is left alone where there is none. */
enum clopt_status clopt_store_get_integer(struct clopt_store *store, sqlite3_stmt *statement,
                                          const char *doing, int64_t *value,
                                          struct clopt_error *error);

/* Moves to the next row: `*row` tells whether there is one. */
enum clopt_status clopt_store_step(struct clopt_store *store, sqlite3_stmt *statement,
                                   const char *doing, bool *row, struct clopt_error *error);

/* ---- the tables of a store; doc/store.md explains them ---- */

#define CLOPT_STORE_VERSION     7          /* PRAGMA user_version */
#define CLOPT_STORE_APPLICATION 1668050800 /* PRAGMA application_id: "clop" */

/* Adds, in one transaction, what a database of a connection, the store at `path`, lacks of the
 * tables of this release. "main" is written; "temp" has it for the connection alone, so that a
 * store is read as if it had no rows, and columns their defaults, there. */
enum clopt_status clopt_store_raise(struct clopt_store *store, const char *name, const char *path,
                                    struct clopt_error *error);
