/* SPDX-License-Identifier: BSD-3-Clause */
/* Which shards of a study a run has. */
#include "store/statement.h"

enum clopt_status clopt_store_put_shard(struct clopt_store *store, unsigned number, unsigned count,
                                        struct clopt_error *error)
{
    return clopt_store_execute(store, CLOPT_SQL_PUT_SHARD, "store the shard", error, "iii",
                               store->run, (int64_t)number, (int64_t)count);
}

enum clopt_status clopt_store_get_shards(struct clopt_store *store, char **shards,
                                         struct clopt_error *error)
{
    bool row = false;
    *shards = NULL;
    if (!store->has_shards)
        return CLOPT_OK;
    sqlite3_stmt *statement = clopt_store_statement(store, CLOPT_SQL_GET_SHARDS, error);
    if (!statement)
        return CLOPT_FAILED;
    clopt_store_bind(statement, "i", store->run);
    enum clopt_status status = clopt_store_step(store, statement, "read the shards", &row, error);
    if (!status && row)
        status = clopt_store_text(statement, 0, shards, error);
    sqlite3_reset(statement);
    return status;
}
