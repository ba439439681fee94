/* SPDX-License-Identifier: BSD-3-Clause */
/* Prepared statements, each kept from its first use on. */
#include "store/statement.h"

#include <sys/resource.h>

static const char *const statement_text[CLOPT_SQL_COUNT] = {
#define SQL(NAME, TEXT) [CLOPT_SQL_##NAME] = TEXT,
#include "store/statements_sql.h"
};

enum clopt_status clopt_store_fail(struct clopt_store *store, const char *doing,
                                   struct clopt_error *error)
{
    struct rlimit limit; /* SQLite does not tell that a file has become as large as it may */
    bool limited = getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
    int code = sqlite3_errcode(store->database);
    const char *hint = "";
    if (code == SQLITE_CORRUPT || code == SQLITE_NOTADB)
        hint = "; the file is damaged: run the study again with another store (-o)";
    else if (sqlite3_extended_errcode(store->database) == SQLITE_IOERR_WRITE && limited)
        hint =
            "; files may not become larger than ulimit -f says: raise it and start again, nothing "
            "that was stored is lost";
    else if (code == SQLITE_FULL ||
             sqlite3_extended_errcode(store->database) == SQLITE_IOERR_SHMSIZE)
        hint = "; make room and start again, nothing that was stored is lost";
    return clopt_fail(error, CLOPT_FAILED, "%s: cannot %s: %s%s", store->path, doing,
                      sqlite3_errmsg(store->database), hint);
}

sqlite3_stmt *clopt_store_statement(struct clopt_store *store, enum clopt_store_sql sql,
                                    struct clopt_error *error)
{
    sqlite3_stmt **statement = &store->statements[sql];
    if (*statement) {
        sqlite3_reset(*statement);
        sqlite3_clear_bindings(*statement);
    } else if (sqlite3_prepare_v3(store->database, statement_text[sql], -1,
                                  SQLITE_PREPARE_PERSISTENT, statement, NULL) != SQLITE_OK) {
        clopt_store_fail(store, "prepare a statement", error);
    }
    return *statement;
}

void clopt_store_vbind(sqlite3_stmt *statement, int64_t run, const char *types, va_list arguments)
{
    for (int i = 0; types[i]; i++)
        switch (types[i]) {
        case 'r':
            sqlite3_bind_int64(statement, i + 1, run);
            break;
        case 'i':
            sqlite3_bind_int64(statement, i + 1, va_arg(arguments, int64_t));
            break;
        case 'd': /* SQLite makes NULL of a NaN itself */
            sqlite3_bind_double(statement, i + 1, va_arg(arguments, double));
            break;
        case 's':
            sqlite3_bind_text(statement, i + 1, va_arg(arguments, const char *), -1, SQLITE_STATIC);
            break;
        }
}

void clopt_store_bind(sqlite3_stmt *statement, const char *types, ...)
{
    va_list arguments;
    va_start(arguments, types);
    clopt_store_vbind(statement, 0, types, arguments);
    va_end(arguments);
}

enum clopt_status clopt_store_put(struct clopt_store *store, enum clopt_store_sql sql,
                                  struct clopt_error *error, const char *types, ...)
{
    va_list arguments;
    sqlite3_stmt *statement = clopt_store_statement(store, sql, error);
    if (!statement)
        return CLOPT_FAILED;
    va_start(arguments, types);
    clopt_store_vbind(statement, store->run, types, arguments);
    va_end(arguments);
    return clopt_store_run(store, statement, "write", error);
}

enum clopt_status clopt_store_step(struct clopt_store *store, sqlite3_stmt *statement,
                                   const char *doing, bool *row, struct clopt_error *error)
{
    int code = sqlite3_step(statement);
    *row = code == SQLITE_ROW;
    if (code == SQLITE_ROW)
        return CLOPT_OK;
    enum clopt_status status =
        code == SQLITE_DONE ? CLOPT_OK : clopt_store_fail(store, doing, error);
    sqlite3_reset(statement); /* a statement in progress keeps a read transaction open */
    return status;
}

enum clopt_status clopt_store_run(struct clopt_store *store, sqlite3_stmt *statement,
                                  const char *doing, struct clopt_error *error)
{
    bool row;
    return clopt_store_step(store, statement, doing, &row, error);
}

enum clopt_status clopt_store_get_integer(struct clopt_store *store, sqlite3_stmt *statement,
                                          const char *doing, int64_t *value,
                                          struct clopt_error *error)
{
    bool row;
    enum clopt_status status = clopt_store_step(store, statement, doing, &row, error);
    if (row) {
        *value = sqlite3_column_int64(statement, 0);
        sqlite3_reset(statement);
    }
    return status;
}

enum clopt_status clopt_store_begin(struct clopt_store *store, struct clopt_error *error)
{
    enum clopt_status status = CLOPT_OK;
    if (store->depth == 0) {
        sqlite3_stmt *begin = clopt_store_statement(store, CLOPT_SQL_BEGIN, error);
        status = begin ? clopt_store_run(store, begin, "write", error) : CLOPT_FAILED;
    }
    store->depth += status == CLOPT_OK;
    return status;
}

enum clopt_status clopt_store_finish(struct clopt_store *store, enum clopt_status status,
                                     struct clopt_error *error)
{
    if (store->depth > 0 && --store->depth > 0) /* 0: it has not begun */
        return status;
    if (!status && !sqlite3_get_autocommit(store->database)) {
        sqlite3_stmt *commit = clopt_store_statement(store, CLOPT_SQL_COMMIT, error);
        status = commit ? clopt_store_run(store, commit, "write", error) : CLOPT_FAILED;
    }
    if (status && !sqlite3_get_autocommit(store->database)) {
        sqlite3_stmt *rollback = clopt_store_statement(store, CLOPT_SQL_ROLLBACK, NULL);
        if (rollback)
            clopt_store_run(store, rollback, "roll back", NULL);
    }
    return status;
}
