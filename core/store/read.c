/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a run, row by row, for reports. */
#include "store/store.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "store/statement.h"

static const char *get_text(sqlite3_stmt *row, int column)
{
    return (const char *)sqlite3_column_text(row, column);
}

static double get_real(sqlite3_stmt *row, int column)
{
    return sqlite3_column_type(row, column) == SQLITE_NULL ? NAN
                                                           : sqlite3_column_double(row, column);
}

/* The text of a column that the caller's structure owns elsewhere, but not here. */
static char *borrow_text(sqlite3_stmt *row, int column)
{
    return (char *)(uintptr_t)sqlite3_column_text(row, column);
}

/* Hands one row to the visitor. */
typedef enum clopt_status (*hand_out)(sqlite3_stmt *row, const void *visit, void *user,
                                      struct clopt_error *error);

/* Calls `hand` for every row of a statement about the run. `visit` points to the function pointer,
 * since C has no generic one. */
static enum clopt_status read_rows(struct clopt_store *store, enum clopt_store_sql sql,
                                   hand_out hand, const void *visit, void *user,
                                   struct clopt_error *error)
{
    sqlite3_stmt *statement = clopt_store_statement(store, sql, error);
    if (!statement)
        return CLOPT_FAILED;
    if (sqlite3_bind_parameter_count(statement) > 0)
        clopt_store_bind(statement, "i", store->run);
    bool row;
    enum clopt_status status;
    while (!(status = clopt_store_step(store, statement, "read the run", &row, error)) && row)
        if ((status = hand(statement, visit, user, error)))
            break;
    sqlite3_reset(statement);
    return status;
}

static enum clopt_status hand_run(sqlite3_stmt *row, const void *visit, void *user,
                                  struct clopt_error *error)
{
    const clopt_store_visit_run *function = visit;
    struct clopt_store_run run = {
        .id = sqlite3_column_int64(row, 0),
        .title = get_text(row, 1),
        .config = get_text(row, 2),
        .seed = strtoull(get_text(row, 3), NULL, 10),
        .version = get_text(row, 4),
        .started_s = get_real(row, 5),
        .ended_s = get_real(row, 6),
        .status = get_text(row, 7),
        .not_chosen = sqlite3_column_int64(row, 8),
        .not_reached = sqlite3_column_int64(row, 11),
        .disturbed = sqlite3_column_int64(row, 12),
        .not_feasible = sqlite3_column_int64(row, 9),
        .newest = sqlite3_column_int(row, 10),
    };
    return (*function)(user, &run, error);
}

struct run_reader {
    struct clopt_store *store;
    clopt_store_visit_run visit;
    void *user;
    bool found;
};

/* What is read next is about the run that was found. */
static enum clopt_status take_run(void *user, const struct clopt_store_run *run,
                                  struct clopt_error *error)
{
    struct run_reader *reader = user;
    reader->found = true;
    reader->store->run = run->id;
    return reader->visit(reader->user, run, error);
}

void clopt_store_choose_run(struct clopt_store *store, int64_t run)
{
    store->run = run;
}

enum clopt_status clopt_store_read_run(struct clopt_store *store, clopt_store_visit_run visit,
                                       void *user, struct clopt_error *error)
{
    struct run_reader reader = {store, visit, user, false};
    clopt_store_visit_run take = take_run;
    enum clopt_status status = read_rows(store, CLOPT_SQL_GET_RUN, hand_run, &take, &reader, error);
    if (!status && !reader.found && store->run)
        status = clopt_fail(error, CLOPT_INVALID,
                            "%s: there is no run %" PRId64 "; `clopt status` lists what there is",
                            store->path, store->run);
    return status;
}

enum clopt_status clopt_store_read_runs(struct clopt_store *store, clopt_store_visit_run visit,
                                        void *user, struct clopt_error *error)
{
    return read_rows(store, CLOPT_SQL_GET_RUNS, hand_run, &visit, user, error);
}

static enum clopt_status hand_device(sqlite3_stmt *row, const void *visit, void *user,
                                     struct clopt_error *error)
{
    const clopt_store_visit_device *function = visit;
    struct clopt_store_device device = {
        .id = sqlite3_column_int64(row, 0),
        .label = get_text(row, 1),
        .platform = get_text(row, 2),
        .name = get_text(row, 3),
        .driver_version = get_text(row, 4),
        .type = get_text(row, 5),
        .compute_units = sqlite3_column_int64(row, 6),
    };
    return (*function)(user, &device, error);
}

enum clopt_status clopt_store_read_devices(struct clopt_store *store,
                                           clopt_store_visit_device visit, void *user,
                                           struct clopt_error *error)
{
    return read_rows(store, CLOPT_SQL_GET_DEVICES, hand_device, &visit, user, error);
}

static enum clopt_status hand_problem(sqlite3_stmt *row, const void *visit, void *user,
                                      struct clopt_error *error)
{
    const clopt_store_visit_problem *function = visit;
    struct clopt_store_problem problem = {
        .id = sqlite3_column_int64(row, 0),
        .app = get_text(row, 1),
        .label = get_text(row, 2),
        .inputs_json = get_text(row, 3),
    };
    return (*function)(user, &problem, error);
}

enum clopt_status clopt_store_read_problems(struct clopt_store *store,
                                            clopt_store_visit_problem visit, void *user,
                                            struct clopt_error *error)
{
    return read_rows(store, CLOPT_SQL_GET_PROBLEMS, hand_problem, &visit, user, error);
}

static enum clopt_status hand_variant(sqlite3_stmt *row, const void *visit, void *user,
                                      struct clopt_error *error)
{
    const clopt_store_visit_variant *function = visit;
    struct clopt_store_variant variant = {
        .kernel = get_text(row, 0),
        .name = get_text(row, 1),
        .device = sqlite3_column_int64(row, 2),
        .problem = sqlite3_column_int64(row, 3),
        .ordinal = sqlite3_column_int64(row, 4),
        .trial_json = get_text(row, 5),
        .reason = get_text(row, 6),
        .trial = sqlite3_column_int64(row, 7),
    };
    struct clopt_store_trial trial = {
        .id = variant.trial,
        .device = variant.device,
        .problem = variant.problem,
        .outcome = clopt_outcome_from_name(get_text(row, 8)),
        .abandoned = sqlite3_column_int(row, 9) != 0,
        .complete = sqlite3_column_int(row, 10) != 0,
        .verified = sqlite3_column_int(row, 11) != 0,
        .verify_error = get_real(row, 12),
        .verify_bound = get_real(row, 13),
        .verify_text = borrow_text(row, 14),
        .fingerprint = borrow_text(row, 15),
        .stage = borrow_text(row, 16),
        .reason = borrow_text(row, 17),
        .signal = sqlite3_column_int(row, 18),
        .build_ns = sqlite3_column_int64(row, 19),
        .deferred_ns = sqlite3_column_int64(row, 20),
        .lines_changed = sqlite3_column_int(row, 21),
        .build_kept = sqlite3_column_int(row, 23) != 0,
    };
    const char *key = get_text(row, 22);
    snprintf(trial.key, sizeof trial.key, "%s", key ? key : "");
    return (*function)(user, &variant, &trial, error);
}

enum clopt_status clopt_store_read_variants(struct clopt_store *store,
                                            clopt_store_visit_variant visit, void *user,
                                            struct clopt_error *error)
{
    return read_rows(store, CLOPT_SQL_GET_VARIANTS, hand_variant, &visit, user, error);
}

static enum clopt_status hand_stage(sqlite3_stmt *row, const void *visit, void *user,
                                    struct clopt_error *error)
{
    const clopt_store_visit_stage *function = visit;
    return (*function)(user, get_text(row, 0), sqlite3_column_double(row, 1), error);
}

enum clopt_status clopt_store_read_stages(struct clopt_store *store, clopt_store_visit_stage visit,
                                          void *user, struct clopt_error *error)
{
    return read_rows(store, CLOPT_SQL_GET_STAGES, hand_stage, &visit, user, error);
}

static enum clopt_status hand_activity(sqlite3_stmt *row, const void *visit, void *user,
                                       struct clopt_error *error)
{
    const clopt_store_visit_activity *function = visit;
    const struct clopt_store_activity activity = {sqlite3_column_int64(row, 0), get_text(row, 1),
                                                  sqlite3_column_double(row, 2),
                                                  sqlite3_column_double(row, 3)};
    return (*function)(user, &activity, error);
}

enum clopt_status clopt_store_read_activities(struct clopt_store *store,
                                              clopt_store_visit_activity visit, void *user,
                                              struct clopt_error *error)
{
    return !store->has_activities
               ? CLOPT_OK
               : read_rows(store, CLOPT_SQL_GET_ACTIVITIES, hand_activity, &visit, user, error);
}

enum clopt_status clopt_store_read_members(struct clopt_store *store,
                                           clopt_store_visit_member visit, void *user,
                                           struct clopt_error *error)
{
    if (!store->has_members)
        return CLOPT_OK;
    sqlite3_stmt *row = clopt_store_statement(store, CLOPT_SQL_GET_MEMBERS, error);
    if (!row)
        return CLOPT_FAILED;
    bool more;
    enum clopt_status status;
    while (!(status = clopt_store_step(store, row, "read the processes", &more, error)) && more)
        if ((status =
                 visit(user, sqlite3_column_int64(row, 0), (size_t)sqlite3_column_int64(row, 1),
                       (const char *)sqlite3_column_text(row, 2), sqlite3_column_int(row, 3) != 0,
                       error)))
            break;
    sqlite3_reset(row);
    return status;
}

static enum clopt_status hand_published(sqlite3_stmt *row, const void *visit, void *user,
                                        struct clopt_error *error)
{
    const clopt_store_visit_published *function = visit;
    const struct clopt_store_published published = {
        .source = get_text(row, 0),
        .figure = get_text(row, 1),
        .app = get_text(row, 2),
        .kernel = get_text(row, 3),
        .problem = get_text(row, 4),
        .variant = get_text(row, 5),
        .device = get_text(row, 6),
        .time_s = get_real(row, 7),
        .outcome = get_text(row, 8),
    };
    return (*function)(user, &published, error);
}

enum clopt_status clopt_store_read_published(struct clopt_store *store,
                                             clopt_store_visit_published visit, void *user,
                                             struct clopt_error *error)
{
    return read_rows(store, CLOPT_SQL_GET_PUBLISHED, hand_published, &visit, user, error);
}

static enum clopt_status hand_outcome(sqlite3_stmt *row, const void *visit, void *user,
                                      struct clopt_error *error)
{
    const clopt_store_visit_outcome *function = visit;
    return (*function)(user, clopt_outcome_from_name(get_text(row, 0)),
                       sqlite3_column_int64(row, 1), sqlite3_column_int64(row, 2),
                       sqlite3_column_int64(row, 3), error);
}

enum clopt_status clopt_store_read_outcomes(struct clopt_store *store,
                                            clopt_store_visit_outcome visit, void *user,
                                            struct clopt_error *error)
{
    return read_rows(store, CLOPT_SQL_COUNT_OUTCOMES, hand_outcome, &visit, user, error);
}

enum clopt_status clopt_store_find_variants(struct clopt_store *store, const char *trial,
                                            const char *kernel, const char *device,
                                            const char *problem, clopt_store_visit_found visit,
                                            void *user, struct clopt_error *error)
{
    sqlite3_stmt *row = clopt_store_statement(store, CLOPT_SQL_FIND_VARIANTS, error);
    if (!row)
        return CLOPT_FAILED;
    clopt_store_bind(row, "ssss", trial, kernel, device, problem);
    bool more;
    enum clopt_status status;
    while (!(status = clopt_store_step(store, row, "look for a trial", &more, error)) && more) {
        struct clopt_store_found found = {
            .trial = sqlite3_column_int64(row, 0),
            .key = get_text(row, 1),
            .device = get_text(row, 2),
            .platform = get_text(row, 3),
            .device_name = get_text(row, 4),
            .app = get_text(row, 5),
            .problem = get_text(row, 6),
            .kernel = get_text(row, 7),
            .name = get_text(row, 8),
            .trial_json = get_text(row, 9),
            .reason = get_text(row, 10),
            .config = get_text(row, 11),
        };
        if ((status = visit(user, &found, error)))
            break;
    }
    sqlite3_reset(row);
    return status;
}

enum clopt_status clopt_store_read_names(struct clopt_store *store, const char *what,
                                         const char *prefix, clopt_store_visit_name visit,
                                         void *user, struct clopt_error *error)
{
    sqlite3_stmt *row = clopt_store_statement(store, CLOPT_SQL_GET_NAMES, error);
    if (!row)
        return CLOPT_FAILED;
    clopt_store_bind(row, "ss", what, prefix);
    bool more;
    enum clopt_status status;
    while (!(status = clopt_store_step(store, row, "read the run", &more, error)) && more)
        if ((status = visit(user, get_text(row, 0), get_text(row, 1), error)))
            break;
    sqlite3_reset(row);
    return status;
}

enum clopt_status clopt_store_get_work(struct clopt_store *store, int64_t problem,
                                       const char *kernel, struct clopt_store_work *work,
                                       struct clopt_error *error)
{
    bool row;
    *work = (struct clopt_store_work){.arithmetic = CLOPT_ARITHMETIC_COUNT};
    sqlite3_stmt *statement = clopt_store_statement(store, CLOPT_SQL_GET_WORK, error);
    if (!statement)
        return CLOPT_FAILED;
    clopt_store_bind(statement, "is", problem, kernel);
    enum clopt_status status = clopt_store_step(store, statement, "read the run", &row, error);
    if (row) {
        work->arithmetic = clopt_arithmetic_find(get_text(statement, 0));
        work->operations = get_real(statement, 1);
        work->bytes = get_real(statement, 2);
    }
    sqlite3_reset(statement);
    return status;
}

enum clopt_status clopt_store_get_peaks(struct clopt_store *store, int64_t device,
                                        struct clopt_peaks *peaks, struct clopt_error *error)
{
    bool row;
    *peaks = clopt_peaks_unknown();
    sqlite3_stmt *statement = clopt_store_statement(store, CLOPT_SQL_GET_PEAKS, error);
    if (!statement)
        return CLOPT_FAILED;
    clopt_store_bind(statement, "i", device);
    enum clopt_status status = clopt_store_step(store, statement, "read the run", &row, error);
    if (row) {
        peaks->gbytes_per_s = get_real(statement, 0);
        peaks->goperations_per_s[CLOPT_ARITHMETIC_SINGLE] = get_real(statement, 1);
        peaks->goperations_per_s[CLOPT_ARITHMETIC_DOUBLE] = get_real(statement, 2);
        peaks->goperations_per_s[CLOPT_ARITHMETIC_INTEGER] = get_real(statement, 3);
    }
    sqlite3_reset(statement);
    return status;
}

/* Reads the one text that a statement, with its values bound, finds; NULL: none. */
static enum clopt_status get_only_text(struct clopt_store *store, sqlite3_stmt *statement,
                                       char **text, struct clopt_error *error)
{
    bool row;
    enum clopt_status status = clopt_store_step(store, statement, "read the run", &row, error);
    if (!status && row)
        status = clopt_store_text(statement, 0, text, error);
    sqlite3_reset(statement);
    return status;
}

enum clopt_status clopt_store_get_patterns(struct clopt_store *store, int64_t problem,
                                           const char *kernel, char **patterns_json,
                                           struct clopt_error *error)
{
    *patterns_json = NULL;
    sqlite3_stmt *statement = clopt_store_statement(store, CLOPT_SQL_GET_PATTERNS, error);
    if (!statement)
        return CLOPT_FAILED;
    clopt_store_bind(statement, "is", problem, kernel);
    return get_only_text(store, statement, patterns_json, error);
}

enum clopt_status clopt_store_get_profile(struct clopt_store *store, int64_t problem,
                                          const char *kernel, const char *fingerprint,
                                          char **profile_json, struct clopt_error *error)
{
    *profile_json = NULL;
    if (!store->has_profiles)
        return CLOPT_OK;
    sqlite3_stmt *statement = clopt_store_statement(store, CLOPT_SQL_GET_PROFILE, error);
    if (!statement)
        return CLOPT_FAILED;
    clopt_store_bind(statement, "iss", problem, kernel, fingerprint);
    return get_only_text(store, statement, profile_json, error);
}

enum clopt_status clopt_store_get_noise(struct clopt_store *store, int64_t device, int64_t problem,
                                        const char *kernel, double *noise, double *drift,
                                        struct clopt_error *error)
{
    *noise = *drift = NAN;
    sqlite3_stmt *statement = clopt_store_statement(store, CLOPT_SQL_GET_NOISE, error);
    if (!statement)
        return CLOPT_FAILED;
    clopt_store_bind(statement, "iiis", store->run, device, problem, kernel);
    bool row;
    enum clopt_status status = clopt_store_step(store, statement, "read the run", &row, error);
    if (row) {
        *noise = get_real(statement, 0);
        *drift = get_real(statement, 1);
    }
    sqlite3_reset(statement);
    return status;
}

enum clopt_status clopt_store_count_kernels(struct clopt_store *store, int64_t trial, size_t *count,
                                            struct clopt_error *error)
{
    int64_t number = 0;
    sqlite3_stmt *statement = clopt_store_statement(store, CLOPT_SQL_COUNT_KERNELS, error);
    if (!statement)
        return CLOPT_FAILED;
    clopt_store_bind(statement, "i", trial);
    enum clopt_status status =
        clopt_store_get_integer(store, statement, "read the run", &number, error);
    *count = (size_t)number;
    return status;
}

enum clopt_status clopt_store_count_samples(struct clopt_store *store, int64_t *samples,
                                            int64_t *processes, struct clopt_error *error)
{
    sqlite3_stmt *row = clopt_store_statement(store, CLOPT_SQL_COUNT_SAMPLES, error);
    if (!row)
        return CLOPT_FAILED;
    clopt_store_bind(row, "i", store->run);
    bool found;
    enum clopt_status status = clopt_store_step(store, row, "count samples", &found, error);
    *samples = status ? 0 : sqlite3_column_int64(row, 0);
    *processes = status ? 0 : sqlite3_column_int64(row, 1);
    sqlite3_reset(row);
    return status;
}
