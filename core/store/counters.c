/* SPDX-License-Identifier: BSD-3-Clause */
/* Counters: one row a trial, kernel and counter; and how fast devices access memory. */
#include <stdlib.h>

#include "store/statement.h"

enum clopt_status clopt_store_put_access(struct clopt_store *store, int64_t device,
                                         const struct clopt_access_rates *rates,
                                         struct clopt_error *error)
{
    json_t *json = clopt_access_to_json(rates);
    char *text = json ? json_dumps(json, JSON_COMPACT) : NULL;
    enum clopt_status status =
        text ? clopt_store_execute(store, CLOPT_SQL_PUT_ACCESS, "store a device's access rates",
                                   error, "is", device, text)
             : clopt_fail_memory(error);
    json_decref(json);
    free(text);
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
    struct clopt_cursor rows =
        clopt_cursor_begin(store, CLOPT_SQL_HAS_COUNTERS, error, "is", trial, source);
    *has = clopt_cursor_next(&rows);
    return clopt_cursor_end(&rows);
}
