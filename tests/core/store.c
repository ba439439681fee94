/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves that a store gives back what was put, and that several calls are one transaction. */
#include "store_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "results/peaks.h"
#include "store/cursor.h"
#include "text/text.h"

static void trial_comes_back_as_put(void **state)
{
    (void)state;
    struct clopt_store_trial put;
    struct clopt_store *store = fill_store(&put);
    put.outcome = CLOPT_OUTCOME_CRASHED;
    put.abandoned = put.complete = put.verdict.right = true;
    put.fingerprint = strdup("f");
    put.stage = strdup("launch");
    put.reason = strdup("killed by signal 11 (SIGSEGV)");
    put.signal = 11;
    put.build.ns = INT64_C(123456789012);
    put.build.kept = true;
    put.build.deferred_ns = 7;
    put.verdict.error = 0.25;
    put.verdict.bound = NAN;
    put.verdict.text = strdup("relative residual");
    put.build.options = strdup("-DBLOCK_SIZE=16");
    put.source = strdup("__kernel void f(void) {}\n");
    put.build.log = strdup("");
    put.lines_changed = 3;
    assert_int_equal(clopt_store_put_trial(store, &put, NULL), CLOPT_OK);

    struct clopt_store_trial got;
    assert_int_equal(clopt_store_find_trial(store, "k1", &got, NULL), CLOPT_OK);
    assert_int_equal(got.id, 1);
    assert_string_equal(got.key, "k1");
    assert_int_equal(got.device, 1);
    assert_int_equal(got.problem, 1);
    assert_int_equal(got.outcome, CLOPT_OUTCOME_CRASHED);
    assert_true(got.abandoned && got.complete && got.verdict.right);
    assert_string_equal(got.fingerprint, "f");
    assert_string_equal(got.stage, "launch");
    assert_string_equal(got.reason, "killed by signal 11 (SIGSEGV)");
    assert_int_equal(got.signal, 11);
    assert_int_equal(got.build.ns, INT64_C(123456789012));
    assert_true(got.build.kept);
    assert_int_equal(got.build.deferred_ns, 7);
    assert_true(got.verdict.error == 0.25);
    assert_true(isnan(got.verdict.bound));
    assert_string_equal(got.verdict.text, "relative residual");
    assert_string_equal(got.build.options, "-DBLOCK_SIZE=16");
    assert_string_equal(got.source, "__kernel void f(void) {}\n");
    assert_string_equal(got.build.log, "");
    assert_int_equal(got.lines_changed, 3);
    clopt_store_trial_fini(&got);
    clopt_store_trial_fini(&put);

    assert_int_equal(clopt_store_find_trial(store, "none", &got, NULL), CLOPT_OK);
    assert_int_equal(got.id, 0);
    clopt_store_close(store);
}

/* When a run put a trial for the first time; NaN: another run did. */
static double find_tried(struct clopt_store *store, int64_t trial, int64_t run)
{
    struct clopt_cursor rows =
        clopt_cursor_begin(store, CLOPT_SQL_GET_TRIED, NULL, "ii", trial, run);
    clopt_cursor_next(&rows);
    double at_s = clopt_cursor_real(&rows, "at_s");
    assert_int_equal(clopt_cursor_end(&rows), CLOPT_OK);
    return at_s;
}

static void when_a_trial_was_put_first_is_kept(void **state)
{
    (void)state;
    struct clopt_store_trial trial;
    struct clopt_store *store = fill_store(&trial);
    double at_s = find_tried(store, trial.id, 1);
    assert_false(isnan(at_s));
    assert_true(isnan(find_tried(store, trial.id, 2)));
    trial.complete = true;
    assert_int_equal(clopt_store_put_trial(store, &trial, NULL), CLOPT_OK);
    assert_true(find_tried(store, trial.id, 1) == at_s);
    clopt_store_trial_fini(&trial);
    clopt_store_close(store);
}

static void samples_come_back_in_order_with_their_process(void **state)
{
    (void)state;
    struct clopt_store_trial trial;
    struct clopt_store *store = fill_store(&trial);
    int64_t first, second;
    assert_int_equal(clopt_store_next_process(store, NULL, &first, NULL), CLOPT_OK);
    assert_int_equal(clopt_store_next_process(store, NULL, &second, NULL), CLOPT_OK);
    assert_true(first != second);
    put_samples(store, 1, first, (const double[]){30.5, 300, 10, 100}, 2);
    put_samples(store, 1, second, (const double[]){20, 200}, 1);
    put_samples(store, 1, first, NULL, 0);

    double *times;
    uint32_t *process;
    size_t count;
    assert_int_equal(
        clopt_store_get_samples(store, 1, "lud_internal", &times, &process, &count, NULL),
        CLOPT_OK);
    assert_int_equal(count, 3);
    assert_true(times[0] == 30.5 && times[1] == 10 && times[2] == 20);
    assert_true(process[0] == first && process[1] == first && process[2] == second);
    free(times);
    free(process);
    assert_int_equal(clopt_store_get_samples(store, 1, "", &times, &process, &count, NULL),
                     CLOPT_OK);
    assert_int_equal(count, 3);
    assert_true(times[0] == 300 && times[1] == 100 && times[2] == 200);
    free(times);
    free(process);
    assert_int_equal(clopt_store_get_samples(store, 1, "other", &times, &process, &count, NULL),
                     CLOPT_OK);
    assert_int_equal(count, 0);
    assert_null(times);
    clopt_store_close(store);
}

static void a_sample_that_is_no_number_is_refused_with_its_neighbours(void **state)
{
    (void)state;
    struct clopt_store_trial trial;
    struct clopt_store *store = fill_store(&trial);
    const double times[] = {1, NAN};
    const char *kernel = "";
    struct clopt_store_samples samples = {1, 1, &kernel, 1, (const double *const[]){times}, 2};
    struct clopt_error error = {0};
    assert_int_equal(clopt_store_put_samples(store, &samples, &error), CLOPT_FAILED);
    assert_non_null(strstr(error.message, "s.db: cannot store samples: NOT NULL constraint"));
    double *got;
    uint32_t *process;
    size_t count = 9;
    assert_int_equal(clopt_store_get_samples(store, 1, "", &got, &process, &count, NULL), CLOPT_OK);
    assert_int_equal(count, 0);
    clopt_store_close(store);
}

static void reset_forgets_outcome_and_samples(void **state)
{
    (void)state;
    struct clopt_store_trial trial;
    struct clopt_store *store = fill_store(&trial);
    trial.outcome = CLOPT_OUTCOME_OK;
    trial.complete = true;
    assert_int_equal(clopt_store_put_trial(store, &trial, NULL), CLOPT_OK);
    put_samples(store, 1, 1, (const double[]){1, 2}, 1);
    assert_int_equal(clopt_store_reset_trial(store, 1, NULL), CLOPT_OK);
    struct clopt_store_trial got;
    assert_int_equal(clopt_store_find_trial(store, "k1", &got, NULL), CLOPT_OK);
    assert_int_equal(got.outcome, CLOPT_OUTCOME_PENDING);
    assert_false(got.complete);
    double *times;
    uint32_t *process;
    size_t count;
    assert_int_equal(clopt_store_get_samples(store, 1, "", &times, &process, &count, NULL),
                     CLOPT_OK);
    assert_int_equal(count, 0);
    clopt_store_close(store);
}

static void equal_devices_and_problems_are_put_once(void **state)
{
    (void)state;
    struct clopt_store_trial trial;
    struct clopt_store *store = fill_store(&trial);
    struct clopt_device_info device = {.platform = "P", .name = "D", .compute_units = 2};
    int64_t id;
    device.global_memory_bytes = 5; /* what PoCL says of memory changes while a machine runs */
    assert_int_equal(clopt_store_put_device(store, "cpu", &device, &id, NULL), CLOPT_OK);
    assert_int_equal(id, 1);
    device.driver_version[0] = '4';
    assert_int_equal(clopt_store_put_device(store, "cpu", &device, &id, NULL), CLOPT_OK);
    assert_int_equal(id, 2);
    assert_int_equal(clopt_store_put_problem(store, "lud", "size=64", "{}", &id, NULL), CLOPT_OK);
    assert_int_equal(id, 1);
    assert_int_equal(clopt_store_put_problem(store, "lud", "size=65", "{}", &id, NULL), CLOPT_OK);
    assert_int_equal(id, 2);
    clopt_store_close(store);
}

static void append_variants(struct clopt_store *store, struct clopt_text *text)
{
    struct clopt_cursor row = clopt_cursor_of_run(store, CLOPT_SQL_GET_VARIANTS, NULL);
    while (clopt_cursor_next(&row)) {
        struct clopt_store_trial trial;
        const char *refusal = clopt_cursor_text(&row, "refusal");
        clopt_cursor_trial(&row, &trial);
        clopt_text_printf(text, "%s %lld %s %s;", clopt_cursor_text(&row, "name"),
                          (long long)trial.id, clopt_outcome_name(trial.outcome),
                          refusal ? refusal : "-");
    }
    assert_int_equal(clopt_cursor_end(&row), CLOPT_OK);
}

static void append_outcomes(struct clopt_store *store, struct clopt_text *text)
{
    struct clopt_cursor row = clopt_cursor_of_run(store, CLOPT_SQL_COUNT_OUTCOMES, NULL);
    while (clopt_cursor_next(&row))
        clopt_text_printf(text, "%s %lld %lld %lld;", clopt_cursor_text(&row, "outcome"),
                          (long long)clopt_cursor_integer(&row, "count"),
                          (long long)clopt_cursor_integer(&row, "abandoned"),
                          (long long)clopt_cursor_integer(&row, "kept"));
    assert_int_equal(clopt_cursor_end(&row), CLOPT_OK);
}

static int count_rows(const char *table)
{
    char sql[64];
    sqlite3 *database;
    sqlite3_stmt *statement;
    snprintf(sql, sizeof sql, "SELECT count(*) FROM %s", table);
    assert_int_equal(sqlite3_open(store_path, &database), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(database, sql, -1, &statement, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    int count = sqlite3_column_int(statement, 0);
    sqlite3_finalize(statement);
    sqlite3_close(database);
    return count;
}

/* Takes what was read out of a text. */
static void expect_text(struct clopt_text *text, const char *wanted)
{
    assert_string_equal(clopt_text_string(text), wanted);
    clopt_text_clear(text);
}

static void variants_are_read_back_by_run(void **state)
{
    (void)state;
    struct clopt_text text = {0};
    struct clopt_store_trial trial;
    struct clopt_store *store = fill_store(&trial);
    trial.outcome = CLOPT_OUTCOME_OK;
    trial.abandoned = trial.build.kept = true;
    assert_int_equal(clopt_store_put_trial(store, &trial, NULL), CLOPT_OK);
    const struct clopt_store_variant variants[] = {
        {0, 1, 1, "k", "b", "{}", NULL, 2},
        {1, 1, 1, "k", "initial code", "{}", NULL, 0},
        {0, 1, 1, "k", "c", "{}", "too big", 1},
    };
    assert_int_equal(clopt_store_put_variants(store, variants, 3, NULL), CLOPT_OK);
    append_variants(store, &text);
    expect_text(&text, "initial code 1 ok -;c 0 pending too big;b 0 pending -;");

    /* What the run shows already is left alone. */
    const struct clopt_store_variant again[] = {{1, 1, 1, "k", "b", "{}", NULL, 2},
                                                {0, 1, 1, "k", "initial code", "{}", "no", 0}};
    assert_int_equal(clopt_store_put_variants(store, again, 2, NULL), CLOPT_OK);
    append_variants(store, &text);
    expect_text(&text, "initial code 1 ok -;c 0 pending too big;b 0 pending -;");
    append_outcomes(store, &text);
    expect_text(&text, "infeasible 1 0 0;ok 1 1 1;pending 1 0 0;");

    assert_int_equal(copy_run(store, &text), CLOPT_OK);
    expect_text(&text, "title [study]\n - 0");
    assert_int_equal(clopt_store_end_run(store, CLOPT_INTERRUPTED, 0, NULL), CLOPT_OK);
    assert_int_equal(copy_run(store, &text), CLOPT_OK);
    expect_text(&text, "title [study]\n interrupted 1");

    /* Another run starts without variants, and shares what is the same. */
    assert_int_equal(
        clopt_store_put_run(store, "second", "", UINT64_MAX, UINT64_MAX, UINT64_MAX, NULL),
        CLOPT_OK);
    append_variants(store, &text);
    expect_text(&text, "");
    const struct clopt_store_variant other[] = {
        variants[1], {0, 1, 1, "k", "c", "{}", "too small", 1}, {1, 1, 1, "k", "b", "{}", NULL, 2}};
    assert_int_equal(clopt_store_put_variants(store, other, 3, NULL), CLOPT_OK);
    append_variants(store, &text);
    expect_text(&text, "initial code 1 ok -;c 0 pending too small;b 1 ok -;");
    clopt_store_choose_run(store, 1);
    append_variants(store, &text);
    expect_text(&text, "initial code 1 ok -;c 0 pending too big;b 0 pending -;");
    clopt_store_close(store);
    assert_int_equal(count_rows("variant"), 6); /* one was left alone, and is in no run */
    assert_int_equal(count_rows("run_variant"), 6);
    clopt_text_fini(&text);
}

static void peaks_come_back(void **state)
{
    (void)state;
    struct clopt_store_trial trial;
    struct clopt_store *store = fill_store(&trial);
    struct clopt_peaks peaks = clopt_peaks_from_json(NULL);
    expect_peaks(store, NAN, NAN, NAN);
    peaks.gbytes_per_s = 14.5;
    peaks.goperations_per_s[CLOPT_ARITHMETIC_DOUBLE] = 225;
    peaks.goperations_per_s[CLOPT_ARITHMETIC_INTEGER] = 113;
    assert_int_equal(clopt_store_put_peaks(store, 1, &peaks, NULL), CLOPT_OK);
    expect_peaks(store, 14.5, 225, 113);
    clopt_store_close(store);
}

static void expect_noise(struct clopt_store *store, const char *kernel, double noise, double drift)
{
    const double wanted[] = {noise, drift};
    struct clopt_cursor row = clopt_cursor_begin(store, CLOPT_SQL_GET_NOISE, NULL, "iiis",
                                                 INT64_C(1), INT64_C(1), INT64_C(1), kernel);
    clopt_cursor_next(&row);
    const double got[] = {clopt_cursor_real(&row, "noise"), clopt_cursor_real(&row, "drift")};
    for (size_t i = 0; i < 2; i++)
        assert_true(isnan(wanted[i]) ? isnan(got[i]) : got[i] == wanted[i]);
    assert_int_equal(clopt_cursor_end(&row), CLOPT_OK);
}

static void put_work(struct clopt_store *store, const char *arithmetic)
{
    assert_int_equal(clopt_store_put(store, CLOPT_SQL_PUT_WORK, NULL, "issdd", (int64_t)1, "k",
                                     arithmetic, 1e9, 2e9),
                     CLOPT_OK);
}

static void put_noise(struct clopt_store *store, const char *kernel, double noise, double drift)
{
    assert_int_equal(clopt_store_put(store, CLOPT_SQL_PUT_NOISE, NULL, "riisdd", (int64_t)1,
                                     (int64_t)1, kernel, noise, drift),
                     CLOPT_OK);
}

static void work_and_noise_come_back(void **state)
{
    (void)state;
    struct clopt_store_trial trial;
    struct clopt_store *store = fill_store(&trial);
    expect_work(store, CLOPT_ARITHMETIC_COUNT, 0, 0);
    put_work(store, clopt_arithmetic_name(CLOPT_ARITHMETIC_INTEGER));
    expect_work(store, CLOPT_ARITHMETIC_INTEGER, 1e9, 2e9);
    put_work(store, "");
    expect_work(store, CLOPT_ARITHMETIC_COUNT, 1e9, 2e9);
    expect_noise(store, "k", NAN, NAN);
    put_noise(store, "k", 0.02, NAN);
    put_noise(store, "", 0.04, 0.05);
    expect_noise(store, "k", 0.02, NAN);
    expect_noise(store, "", 0.04, 0.05);
    clopt_store_close(store);
}

static void references_must_exist(void **state)
{
    (void)state;
    struct clopt_store_trial trial;
    struct clopt_store *store = fill_store(&trial);
    struct clopt_store_trial lost = {.key = "k2", .device = 77, .problem = 1};
    struct clopt_error error = {0};
    assert_int_equal(clopt_store_put_trial(store, &lost, &error), CLOPT_FAILED);
    assert_non_null(strstr(error.message, "s.db: cannot store a trial: FOREIGN KEY constraint"));
    clopt_store_close(store);
}

/* Whether the store holds a trial, its variant and its samples. */
static bool holds(struct clopt_store *store, const char *key)
{
    struct clopt_store_trial trial;
    double *times;
    uint32_t *process;
    size_t count;
    assert_int_equal(clopt_store_find_trial(store, key, &trial, NULL), CLOPT_OK);
    bool held = trial.id != 0;
    if (held) {
        assert_int_equal(clopt_store_get_samples(store, trial.id, "lud_internal", &times, &process,
                                                 &count, NULL),
                         CLOPT_OK);
        held = count == 1;
        free(times);
        free(process);
    }
    clopt_store_trial_fini(&trial);
    return held;
}

/* Stores a trial in three calls, two of which are transactions of their own. */
static void put_all(struct clopt_store *store, const char *key)
{
    struct clopt_store_trial trial = {.device = 1, .problem = 1};
    snprintf(trial.key, sizeof trial.key, "%s", key);
    assert_int_equal(clopt_store_put_trial(store, &trial, NULL), CLOPT_OK);
    const struct clopt_store_variant variant = {trial.id, 1, 1, "k", key, "{}", NULL, 1};
    assert_int_equal(clopt_store_put_variants(store, &variant, 1, NULL), CLOPT_OK);
    put_samples(store, trial.id, 1, (const double[]){1, 2}, 1);
}

static void several_calls_are_one_transaction(void **state)
{
    (void)state;
    struct clopt_store_trial trial;
    struct clopt_error error = {0};
    struct clopt_store *store = fill_store(&trial);
    assert_int_equal(clopt_store_begin(store, NULL), CLOPT_OK);
    put_all(store, "kept");
    assert_int_equal(clopt_store_finish(store, CLOPT_OK, NULL), CLOPT_OK);
    assert_int_equal(clopt_store_begin(store, NULL), CLOPT_OK);
    put_all(store, "taken back");
    clopt_fail(&error, CLOPT_CRASHED, "why");
    assert_int_equal(clopt_store_finish(store, CLOPT_CRASHED, &error), CLOPT_CRASHED);
    assert_string_equal(error.message, "why");
    put_all(store, "afterwards");
    assert_int_equal(clopt_store_begin(store, NULL), CLOPT_OK);
    put_all(store, "under way");
    clopt_store_close(store);
    store = open_store();
    assert_true(holds(store, "kept"));
    assert_false(holds(store, "taken back"));
    assert_true(holds(store, "afterwards"));
    assert_false(holds(store, "under way"));
    clopt_store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(trial_comes_back_as_put, remove_store),
        cmocka_unit_test_setup(when_a_trial_was_put_first_is_kept, remove_store),
        cmocka_unit_test_setup(samples_come_back_in_order_with_their_process, remove_store),
        cmocka_unit_test_setup(a_sample_that_is_no_number_is_refused_with_its_neighbours,
                               remove_store),
        cmocka_unit_test_setup(reset_forgets_outcome_and_samples, remove_store),
        cmocka_unit_test_setup(equal_devices_and_problems_are_put_once, remove_store),
        cmocka_unit_test_setup(variants_are_read_back_by_run, remove_store),
        cmocka_unit_test_setup(work_and_noise_come_back, remove_store),
        cmocka_unit_test_setup(references_must_exist, remove_store),
        cmocka_unit_test_setup(several_calls_are_one_transaction, remove_store),
        cmocka_unit_test_setup(peaks_come_back, remove_store),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
