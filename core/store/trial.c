/* SPDX-License-Identifier: BSD-3-Clause */
/* Trials: one row each, found by key. */
#include "store/store.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "store/statement.h"

void clopt_store_trial_fini(struct clopt_store_trial *trial)
{
    free(trial->fingerprint);
    free(trial->stage);
    free(trial->reason);
    free(trial->verify_text);
    free(trial->options);
    free(trial->source);
    free(trial->log);
    *trial = (struct clopt_store_trial){0};
}

static double get_real(sqlite3_stmt *row, int column)
{
    return sqlite3_column_type(row, column) == SQLITE_NULL ? NAN
                                                           : sqlite3_column_double(row, column);
}

/* Columns in the order of TRIAL_COLUMNS. */
static enum clopt_status read_trial(sqlite3_stmt *row, struct clopt_store_trial *trial,
                                    struct clopt_error *error)
{
    const struct {
        int column;
        char **text;
    } texts[] = {
        {10, &trial->verify_text}, {11, &trial->fingerprint}, {12, &trial->stage},
        {13, &trial->reason},      {18, &trial->options},     {19, &trial->source},
        {20, &trial->log},
    };
    trial->id = sqlite3_column_int64(row, 0);
    snprintf(trial->key, sizeof trial->key, "%s", (const char *)sqlite3_column_text(row, 1));
    trial->device = sqlite3_column_int64(row, 2);
    trial->problem = sqlite3_column_int64(row, 3);
    trial->outcome = clopt_outcome_from_name((const char *)sqlite3_column_text(row, 4));
    trial->abandoned = sqlite3_column_int(row, 5) != 0;
    trial->complete = sqlite3_column_int(row, 6) != 0;
    trial->verified = sqlite3_column_int(row, 7) != 0;
    trial->verify_error = get_real(row, 8);
    trial->verify_bound = get_real(row, 9);
    trial->signal = sqlite3_column_int(row, 14);
    trial->build_ns = sqlite3_column_int64(row, 15);
    trial->deferred_ns = sqlite3_column_int64(row, 16);
    trial->lines_changed = sqlite3_column_int(row, 17);
    trial->build_kept = sqlite3_column_int(row, 21) != 0;
    enum clopt_status status = CLOPT_OK;
    for (size_t i = 0; i < sizeof texts / sizeof *texts && !status; i++)
        status = clopt_store_text(row, texts[i].column, texts[i].text, error);
    return status;
}

enum clopt_status clopt_store_find_trial(struct clopt_store *store, const char *key,
                                         struct clopt_store_trial *trial, struct clopt_error *error)
{
    *trial = (struct clopt_store_trial){0};
    sqlite3_stmt *statement = clopt_store_statement(store, CLOPT_SQL_FIND_TRIAL, error);
    if (!statement)
        return CLOPT_FAILED;
    clopt_store_bind(statement, "s", key);
    bool row;
    enum clopt_status status = clopt_store_step(store, statement, "read a trial", &row, error);
    if (!row)
        return status;
    status = read_trial(statement, trial, error);
    sqlite3_reset(statement);
    if (status)
        clopt_store_trial_fini(trial);
    return status;
}

enum clopt_status clopt_store_put_trial(struct clopt_store *store, struct clopt_store_trial *trial,
                                        struct clopt_error *error)
{
    sqlite3_stmt *statement = clopt_store_statement(
        store, trial->id ? CLOPT_SQL_UPDATE_TRIAL : CLOPT_SQL_INSERT_TRIAL, error);
    if (!statement)
        return CLOPT_FAILED;
    clopt_store_bind(statement, "isiisiiiddssssiiiisssi", trial->id, trial->key, trial->device,
                     trial->problem, clopt_outcome_name(trial->outcome), (int64_t)trial->abandoned,
                     (int64_t)trial->complete, (int64_t)trial->verified, trial->verify_error,
                     trial->verify_bound, trial->verify_text, trial->fingerprint, trial->stage,
                     trial->reason, (int64_t)trial->signal, trial->build_ns, trial->deferred_ns,
                     (int64_t)trial->lines_changed, trial->options, trial->source, trial->log,
                     (int64_t)trial->build_kept);
    enum clopt_status status = clopt_store_run(store, statement, "store a trial", error);
    if (!status && !trial->id)
        trial->id = sqlite3_last_insert_rowid(store->database);
    return status;
}

enum clopt_status clopt_store_reset_trial(struct clopt_store *store, int64_t trial,
                                          struct clopt_error *error)
{
    static const enum clopt_store_sql steps[] = {CLOPT_SQL_DELETE_SAMPLES, CLOPT_SQL_RESET_TRIAL};
    enum clopt_status status = clopt_store_begin(store, error);
    if (status)
        return status;
    for (size_t i = 0; i < sizeof steps / sizeof *steps && !status; i++) {
        sqlite3_stmt *statement = clopt_store_statement(store, steps[i], error);
        if (!statement) {
            status = CLOPT_FAILED;
            break;
        }
        clopt_store_bind(statement, "i", trial);
        status = clopt_store_run(store, statement, "reset a trial", error);
    }
    return clopt_store_finish(store, status, error);
}

enum clopt_status clopt_store_find_duplicate(struct clopt_store *store, int64_t device,
                                             int64_t problem, const char *fingerprint,
                                             int64_t *trial, struct clopt_error *error)
{
    *trial = 0;
    sqlite3_stmt *statement = clopt_store_statement(store, CLOPT_SQL_FIND_DUPLICATE, error);
    if (!statement)
        return CLOPT_FAILED;
    clopt_store_bind(statement, "iis", device, problem, fingerprint);
    return clopt_store_get_integer(store, statement, "find a trial", trial, error);
}

enum clopt_status clopt_store_share_outcome(struct clopt_store *store, int64_t trial,
                                            struct clopt_error *error)
{
    return clopt_store_execute(store, CLOPT_SQL_SHARE_OUTCOME, "share an outcome", error, "i",
                               trial);
}
