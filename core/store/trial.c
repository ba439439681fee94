/* SPDX-License-Identifier: BSD-3-Clause */
/* Trials: one row each, found by key. */

#include "store/statement.h"

/* The columns of the texts of a trial, and the texts, which it owns. */
static const char *const text_columns[] = {"fingerprint", "stage",  "reason", "verify_text",
                                           "options",     "source", "log"};

static char **text_of(struct clopt_store_trial *trial, size_t number)
{
    char **const texts[] = {&trial->fingerprint,  &trial->stage,         &trial->reason,
                            &trial->verdict.text, &trial->build.options, &trial->source,
                            &trial->build.log};
    return texts[number];
}

void clopt_store_trial_fini(struct clopt_store_trial *trial)
{
    for (size_t i = 0; i < sizeof text_columns / sizeof *text_columns; i++)
        free(*text_of(trial, i));
    *trial = (struct clopt_store_trial){0};
}

void clopt_cursor_trial(const struct clopt_cursor *rows, struct clopt_store_trial *trial)
{
    const char *key = clopt_cursor_text(rows, "key");
    *trial = (struct clopt_store_trial){
        .id = clopt_cursor_integer(rows, "trial"),
        .device = clopt_cursor_integer(rows, "device"),
        .problem = clopt_cursor_integer(rows, "problem"),
        .outcome = clopt_outcome_from_name(clopt_cursor_text(rows, "outcome")),
        .abandoned = clopt_cursor_integer(rows, "abandoned") != 0,
        .least_ns = clopt_cursor_real(rows, "least_ns"),
        .complete = clopt_cursor_integer(rows, "complete") != 0,
        .verdict.right = clopt_cursor_integer(rows, "verified") != 0,
        .verdict.error = clopt_cursor_real(rows, "verify_error"),
        .verdict.bound = clopt_cursor_real(rows, "verify_bound"),
        .signal = (int)clopt_cursor_integer(rows, "signal"),
        .build.ns = clopt_cursor_integer(rows, "build_ns"),
        .build.kept = clopt_cursor_integer(rows, "build_kept") != 0,
        .build.deferred_ns = clopt_cursor_integer(rows, "deferred_ns"),
        .lines_changed = (int)clopt_cursor_integer(rows, "lines_changed"),
    };
    snprintf(trial->key, sizeof trial->key, "%s", key ? key : "");
}

enum clopt_status clopt_store_find_trial(struct clopt_store *store, const char *key,
                                         struct clopt_store_trial *trial, struct clopt_error *error)
{
    struct clopt_cursor rows = clopt_cursor_begin(store, CLOPT_SQL_FIND_TRIAL, error, "s", key);
    *trial = (struct clopt_store_trial){0};
    if (clopt_cursor_next(&rows)) {
        clopt_cursor_trial(&rows, trial);
        for (size_t i = 0; i < sizeof text_columns / sizeof *text_columns; i++)
            *text_of(trial, i) = clopt_cursor_copy(&rows, text_columns[i]);
    }
    if (rows.status)
        clopt_store_trial_fini(trial);
    return clopt_cursor_end(&rows);
}

enum clopt_status clopt_store_put_trial(struct clopt_store *store, struct clopt_store_trial *trial,
                                        struct clopt_error *error)
{
    sqlite3_stmt *statement = clopt_store_statement(
        store, trial->id ? CLOPT_SQL_UPDATE_TRIAL : CLOPT_SQL_INSERT_TRIAL, error);
    if (!statement)
        return CLOPT_FAILED;
    clopt_store_bind(statement, "isiisiiiddssssiiiisssid", trial->id, trial->key, trial->device,
                     trial->problem, clopt_outcome_name(trial->outcome), (int64_t)trial->abandoned,
                     (int64_t)trial->complete, (int64_t)trial->verdict.right, trial->verdict.error,
                     trial->verdict.bound, trial->verdict.text, trial->fingerprint, trial->stage,
                     trial->reason, (int64_t)trial->signal, trial->build.ns,
                     trial->build.deferred_ns, (int64_t)trial->lines_changed, trial->build.options,
                     trial->source, trial->build.log, (int64_t)trial->build.kept, trial->least_ns);
    CLOPT_TRY(clopt_store_run(store, statement, "store a trial", error));
    if (trial->id)
        return CLOPT_OK;
    trial->id = sqlite3_last_insert_rowid(store->database);
    return clopt_store_put(store, CLOPT_SQL_PUT_TRIED, error, "ir", trial->id);
}

enum clopt_status clopt_store_reset_trial(struct clopt_store *store, int64_t trial,
                                          struct clopt_error *error)
{
    static const enum clopt_store_sql steps[] = {CLOPT_SQL_DELETE_SAMPLES, CLOPT_SQL_DELETE_WAITED,
                                                 CLOPT_SQL_RESET_TRIAL};
    enum clopt_status status = CLOPT_OK;
    CLOPT_TRY(clopt_store_begin(store, error));
    for (size_t i = 0; i < sizeof steps / sizeof *steps && !status; i++)
        status = clopt_store_put(store, steps[i], error, "i", trial);
    return clopt_store_finish(store, status, error);
}

enum clopt_status clopt_store_find_duplicate(struct clopt_store *store, int64_t device,
                                             int64_t problem, const char *fingerprint,
                                             int64_t *trial, struct clopt_error *error)
{
    struct clopt_cursor rows = clopt_cursor_begin(store, CLOPT_SQL_FIND_DUPLICATE, error, "iis",
                                                  device, problem, fingerprint);
    clopt_cursor_next(&rows);
    *trial = clopt_cursor_integer(&rows, "id");
    return clopt_cursor_end(&rows);
}
