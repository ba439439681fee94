/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves that a store of an earlier release is read as if it had no rows of the tables that it
 * lacks, and the defaults of columns, that reading leaves it as it is, and that a writer adds them
 * all. */
#include "store_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <sqlite3.h>

/* What releases have added since 0.1, and a column of each kind. */
static const char lose[] =
    "DROP VIEW variants; DROP VIEW shown;"
    "DROP TABLE access; DROP TABLE lowest_peak; DROP TABLE clock; DROP TABLE counter;"
    "DROP TABLE member; DROP TABLE host; DROP TABLE profile; DROP TABLE activity;"
    "DROP TABLE worker; DROP TABLE progress; DROP TABLE tried; DROP TABLE shard; DROP TABLE named;"
    "DROP TABLE expected; DROP TABLE waited;"
    "ALTER TABLE trial DROP COLUMN build_kept; ALTER TABLE trial DROP COLUMN verify_text;"
    "ALTER TABLE run DROP COLUMN not_reached; ALTER TABLE variant DROP COLUMN description;"
    "PRAGMA journal_mode = DELETE";

/* Calls `take` with the first column of each row. */
static void ask(const char *sql, int (*take)(void *user, int count, char **row, char **names),
                void *user)
{
    sqlite3 *database;
    assert_int_equal(sqlite3_open(store_path, &database), SQLITE_OK);
    assert_int_equal(sqlite3_exec(database, sql, take, user, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(database), SQLITE_OK);
}

static int append(void *user, int count, char **row, char **names)
{
    (void)count;
    (void)names;
    clopt_text_printf(user, "%s\n", row[0]);
    return 0;
}

/* Returns all tables and their columns, for the caller to give up. */
static struct clopt_text list_columns(void)
{
    struct clopt_text list = {0};
    ask("SELECT m.type || ' ' || m.name || '.' || coalesce(c.name || ' ' || c.type || ' ' ||"
        " c.\"notnull\", '') FROM sqlite_master AS m LEFT JOIN pragma_table_info(m.name) AS c"
        " WHERE m.name NOT LIKE 'sqlite_%' ORDER BY 1",
        append, &list);
    return list;
}

static char *read_store(size_t *length)
{
    char *bytes = NULL;
    FILE *file = fopen(store_path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    *length = (size_t)ftell(file);
    rewind(file);
    bytes = malloc(*length);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *length, file), *length);
    assert_int_equal(fclose(file), 0);
    return bytes;
}

/* Makes a store with a variant as an earlier release had it. */
static void make_older(void)
{
    struct clopt_store_trial trial;
    struct clopt_store *store = fill_store(&trial);
    put_samples(store, trial.id, 1, (const double[]){1, 2}, 1);
    const struct clopt_store_variant variant = {.trial = trial.id,
                                                .device = 1,
                                                .problem = 1,
                                                .kernel = "lud_internal",
                                                .name = "initial code"};
    assert_int_equal(clopt_store_put_variants(store, &variant, 1, NULL), CLOPT_OK);
    clopt_store_close(store);
    ask(lose, NULL, NULL);
}

static void expect_trial(struct clopt_store *store)
{
    struct clopt_store_trial trial;
    assert_int_equal(clopt_store_find_trial(store, "k1", &trial, NULL), CLOPT_OK);
    assert_int_equal(trial.id, 1);
    assert_false(trial.build.kept);
    assert_null(trial.verdict.text);
    clopt_store_trial_fini(&trial);
}

/* Each query can be asked; what rows there are is looked at by others. */
static void ask_all(struct clopt_store *store)
{
    static const enum clopt_store_sql queries[] = {
        CLOPT_SQL_GET_RUN,       CLOPT_SQL_GET_RUNS,       CLOPT_SQL_GET_SHARDS,
        CLOPT_SQL_GET_CLOCK,     CLOPT_SQL_GET_ACCESS,     CLOPT_SQL_GET_COUNTERS,
        CLOPT_SQL_GET_PEAKS,     CLOPT_SQL_GET_PROFILE,    CLOPT_SQL_GET_EXPECTED,
        CLOPT_SQL_GET_WAITED,    CLOPT_SQL_GET_NAMED,      CLOPT_SQL_GET_ACTIVITIES,
        CLOPT_SQL_GET_WORKERS,   CLOPT_SQL_GET_TRIED,      CLOPT_SQL_GET_MEMBERS,
        CLOPT_SQL_GET_VARIANTS,  CLOPT_SQL_COUNT_OUTCOMES, CLOPT_SQL_GET_PROGRESS,
        CLOPT_SQL_FIND_VARIANTS, CLOPT_SQL_GET_LOWEST_PEAK};
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
        struct clopt_error error = {0};
        struct clopt_cursor rows = clopt_cursor_of_run(store, queries[i], &error);
        clopt_cursor_next(&rows);
        if (clopt_cursor_end(&rows))
            fail_msg("query %zu: %s", i, error.message);
    }
}

static void older_store_is_read_and_left_alone(void **state)
{
    (void)state;
    size_t lengths[2];
    make_older();
    char *before = read_store(&lengths[0]);
    struct clopt_store *store = NULL;
    struct clopt_error error = {0};
    if (clopt_store_open_read(store_path, &store, &error))
        fail_msg("%s", error.message);
    expect_trial(store);
    ask_all(store);
    struct clopt_cursor rows = clopt_store_find_run(store, NULL);
    assert_true(rows.there);
    assert_int_equal(clopt_cursor_integer(&rows, "not_reached"), 0);
    assert_int_equal(clopt_cursor_end(&rows), CLOPT_OK);
    rows = clopt_cursor_of_run(store, CLOPT_SQL_GET_VARIANTS, NULL);
    assert_true(clopt_cursor_next(&rows));
    assert_string_equal(clopt_cursor_text(&rows, "name"), "initial code");
    assert_null(clopt_cursor_text(&rows, "description"));
    assert_int_equal(clopt_cursor_end(&rows), CLOPT_OK);
    clopt_store_close(store);
    char *after = read_store(&lengths[1]);
    assert_int_equal(lengths[0], lengths[1]);
    assert_memory_equal(before, after, lengths[0]);
    free(before);
    free(after);
}

static void writer_raises_older_store(void **state)
{
    (void)state;
    make_older();
    clopt_store_close(open_store());
    struct clopt_text raised = list_columns();
    struct clopt_store *store = open_store();
    expect_trial(store);
    ask_all(store);
    clopt_store_close(store);
    remove_store(state);
    clopt_store_close(open_store());
    struct clopt_text made = list_columns();
    assert_string_equal(clopt_text_string(&raised), clopt_text_string(&made));
    clopt_text_fini(&raised);
    clopt_text_fini(&made);
}

/* A column cannot be added to a view: nothing else is added then, either. */
static void store_is_raised_wholly_or_not_at_all(void **state)
{
    (void)state;
    struct clopt_store *store = NULL;
    make_older();
    ask("CREATE VIEW waited AS SELECT 1 AS one", NULL, NULL);
    struct clopt_text before = list_columns();
    assert_int_equal(clopt_store_open(store_path, &store, NULL), CLOPT_FAILED);
    struct clopt_text after = list_columns();
    assert_string_equal(clopt_text_string(&before), clopt_text_string(&after));
    clopt_text_fini(&before);
    clopt_text_fini(&after);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(older_store_is_read_and_left_alone, remove_store),
        cmocka_unit_test_setup(writer_raises_older_store, remove_store),
        cmocka_unit_test_setup(store_is_raised_wholly_or_not_at_all, remove_store),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
