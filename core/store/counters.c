/* SPDX-License-Identifier: BSD-3-Clause */
/* Counters: one row a trial, kernel and counter; and how fast devices access memory. */
#include <stdlib.h>

#include "store/statement.h"
#include "text/text.h"

enum clopt_status clopt_store_put_access(struct clopt_store *store, int64_t device,
                                         const struct clopt_access_rates *rates,
                                         struct clopt_error *error)
{
    sqlite3_stmt *statement = clopt_store_statement(store, CLOPT_SQL_PUT_ACCESS, error);
    if (!statement)
        return CLOPT_FAILED;
    json_t *json = clopt_access_to_json(rates);
    char *text = json ? json_dumps(json, JSON_COMPACT) : NULL;
    clopt_store_bind(statement, "is", device, text);
    enum clopt_status status =
        text ? clopt_store_run(store, statement, "store a device's access rates", error)
             : clopt_fail_memory(error);
    json_decref(json);
    free(text);
    return status;
}

enum clopt_status clopt_store_get_access(struct clopt_store *store, int64_t device,
                                         struct clopt_access_rates *rates,
                                         struct clopt_error *error)
{
    bool row;
    *rates = clopt_access_unknown();
    if (!store->has_access)
        return CLOPT_OK;
    sqlite3_stmt *statement = clopt_store_statement(store, CLOPT_SQL_GET_ACCESS, error);
    if (!statement)
        return CLOPT_FAILED;
    clopt_store_bind(statement, "i", device);
    enum clopt_status status = clopt_store_step(store, statement, "read the run", &row, error);
    const char *text = row ? (const char *)sqlite3_column_text(statement, 0) : NULL;
    json_t *json = text ? json_loads(text, 0, NULL) : NULL;
    *rates = clopt_access_from_json(json);
    json_decref(json);
    sqlite3_reset(statement);
    return status;
}

enum clopt_status clopt_store_put_counter(struct clopt_store *store, int64_t trial,
                                          const struct clopt_store_counter *counter,
                                          struct clopt_error *error)
{
    return clopt_store_execute(store, CLOPT_SQL_PUT_COUNTER, "store a counter", error, "issdss",
                               trial, counter->kernel, counter->name, counter->value, counter->unit,
                               counter->source);
}

enum clopt_status clopt_store_has_counters(struct clopt_store *store, int64_t trial,
                                           const char *source, bool *has, struct clopt_error *error)
{
    int64_t found = 0;
    *has = false;
    sqlite3_stmt *statement = clopt_store_statement(store, CLOPT_SQL_HAS_COUNTERS, error);
    if (!statement)
        return CLOPT_FAILED;
    clopt_store_bind(statement, "is", trial, source);
    enum clopt_status status =
        clopt_store_get_integer(store, statement, "look for counters", &found, error);
    *has = found;
    return status;
}

static const char *text_of(sqlite3_stmt *row, int column)
{
    return (const char *)sqlite3_column_text(row, column);
}

enum clopt_status clopt_store_read_counters(struct clopt_store *store, int64_t trial,
                                            clopt_store_visit_counter visit, void *user,
                                            struct clopt_error *error)
{
    bool row;
    enum clopt_status status;
    if (!store->has_counters)
        return CLOPT_OK;
    sqlite3_stmt *statement = clopt_store_statement(store, CLOPT_SQL_GET_COUNTERS, error);
    if (!statement)
        return CLOPT_FAILED;
    clopt_store_bind(statement, "i", trial);
    while (!(status = clopt_store_step(store, statement, "read counters", &row, error)) && row) {
        const struct clopt_store_counter counter = {text_of(statement, 0), text_of(statement, 1),
                                                    sqlite3_column_double(statement, 2),
                                                    text_of(statement, 3), text_of(statement, 4)};
        if (!counter.kernel || !counter.name || !counter.unit || !counter.source)
            status = clopt_fail_memory(error);
        else
            status = visit(user, &counter, error);
        if (status)
            break;
    }
    sqlite3_reset(statement);
    return status;
}
