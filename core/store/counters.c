/* SPDX-License-Identifier: BSD-3-Clause */
/* Counters: one row a trial, kernel and counter; and how fast devices access memory. */
#include "store/statement.h"

enum clopt_status clopt_store_put_access(struct clopt_store *store, int64_t device,
                                         const struct clopt_access_rates *rates,
                                         struct clopt_error *error)
{
    json_auto_t *json = clopt_access_to_json(rates);
    CLOPT_FREED char *text = json ? json_dumps(json, JSON_COMPACT) : NULL;
    return text ? clopt_store_put(store, CLOPT_SQL_PUT_ACCESS, error, "is", device, text)
                : clopt_fail_memory(error);
}

enum clopt_status clopt_store_has_counters(struct clopt_store *store, int64_t trial,
                                           const char *source, bool *has, struct clopt_error *error)
{
    struct clopt_cursor rows =
        clopt_cursor_begin(store, CLOPT_SQL_HAS_COUNTERS, error, "is", trial, source);
    *has = clopt_cursor_next(&rows);
    return clopt_cursor_end(&rows);
}
