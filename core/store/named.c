/* SPDX-License-Identifier: BSD-3-Clause */
/* What runs name as the best of a kernel. */
#include "store/named.h"

#include <math.h>

#include "store/statement.h"

enum clopt_status clopt_store_put_named(struct clopt_store *store, int64_t device, int64_t problem,
                                        const char *kernel, const struct clopt_store_named *named,
                                        struct clopt_error *error)
{
    sqlite3_stmt *statement = clopt_store_statement(store, CLOPT_SQL_PUT_NAMED, error);
    if (!statement)
        return CLOPT_FAILED;
    clopt_store_bind(statement, "iiisidds", store->run, device, problem, kernel, named->trial,
                     named->regret.expected, named->regret.high, named->ending);
    return clopt_store_run(store, statement, "store what is named", error);
}

enum clopt_status clopt_store_get_named(struct clopt_store *store, int64_t device, int64_t problem,
                                        const char *kernel, struct clopt_store_named *named,
                                        struct clopt_error *error)
{
    *named = (struct clopt_store_named){.regret = {NAN, NAN}};
    if (!store->has_named)
        return CLOPT_OK;
    sqlite3_stmt *statement = clopt_store_statement(store, CLOPT_SQL_GET_NAMED, error);
    if (!statement)
        return CLOPT_FAILED;
    clopt_store_bind(statement, "iiis", store->run, device, problem, kernel);
    bool row;
    enum clopt_status status = clopt_store_step(store, statement, "read the run", &row, error);
    if (!status && row) {
        named->trial = sqlite3_column_int64(statement, 0);
        named->regret = (struct clopt_regret){sqlite3_column_double(statement, 1),
                                              sqlite3_column_double(statement, 2)};
        named->earlier = !sqlite3_column_int(statement, 4);
        status = clopt_store_text(statement, 3, &named->ending, error);
    }
    sqlite3_reset(statement);
    return status;
}
