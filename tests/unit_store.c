/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves that a store gives back what was put, refuses what it must, and loses nothing when its
 * writer is killed. */
#include "store/store.h"

#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sqlite3.h>

#include <clopt/random.h>

#include <cmocka.h>

static char folder[] = "clopt-store-XXXXXX";
static char path[64];

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_store(void **state)
{
    (void)state;
    static const char *const suffixes[] = {"", "-wal", "-shm"};
    for (size_t i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/s.db%s", folder, suffixes[i]);
        unlink(path);
    }
    snprintf(path, sizeof path, "%s/s.db", folder);
    return 0;
}

static int remove_folder(void **state)
{
    remove_store(state);
    return rmdir(folder);
}

static struct clopt_store *open_store(void)
{
    struct clopt_store *store = NULL;
    struct clopt_error error = {0};
    if (clopt_store_open(path, &store, &error))
        fail_msg("%s", error.message);
    return store;
}

/* Expects a refusal with `path` and `text` in its message. */
static void expect_refusal(bool reading, const char *text)
{
    struct clopt_store *store = (void *)&path;
    struct clopt_error error = {0};
    char wanted[512];
    snprintf(wanted, sizeof wanted, "%s: %s", path, text);
    enum clopt_status status = reading ? clopt_store_open_read(path, &store, &error)
                                       : clopt_store_open(path, &store, &error);
    assert_int_equal(status, CLOPT_FAILED);
    assert_string_equal(error.message, wanted);
    assert_null(store);
}

static void write_file(const char *bytes, size_t length)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static void execute(const char *sql)
{
    sqlite3 *database;
    assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
    assert_int_equal(sqlite3_exec(database, sql, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(database), SQLITE_OK);
}

/* A store with a run, a device and a problem (both of them number 1), and one trial. */
static struct clopt_store *fill_store(struct clopt_store_trial *trial)
{
    struct clopt_device_info device = {.platform = "P", .name = "D", .compute_units = 2};
    int64_t id;
    struct clopt_store *store = open_store();
    assert_int_equal(clopt_store_put_run(store, "title", "[study]\n", UINT64_MAX, 12, NULL),
                     CLOPT_OK);
    assert_int_equal(clopt_store_put_device(store, "cpu", &device, &id, NULL), CLOPT_OK);
    assert_int_equal(id, 1);
    assert_int_equal(clopt_store_put_problem(store, "lud", "size=64", "{}", &id, NULL), CLOPT_OK);
    assert_int_equal(id, 1);
    *trial = (struct clopt_store_trial){.key = "k1", .device = 1, .problem = 1};
    assert_int_equal(clopt_store_put_trial(store, trial, NULL), CLOPT_OK);
    assert_int_equal(trial->id, 1);
    return store;
}

static void trial_comes_back_as_put(void **state)
{
    (void)state;
    struct clopt_store_trial put;
    struct clopt_store *store = fill_store(&put);
    put.outcome = CLOPT_OUTCOME_CRASHED;
    put.abandoned = put.complete = put.verified = true;
    put.fingerprint = strdup("f");
    put.stage = strdup("launch");
    put.reason = strdup("killed by signal 11 (SIGSEGV)");
    put.signal = 11;
    put.build_ns = INT64_C(123456789012);
    put.build_kept = true;
    put.deferred_ns = 7;
    put.verify_error = 0.25;
    put.verify_bound = NAN;
    put.verify_text = strdup("relative residual");
    put.options = strdup("-DBLOCK_SIZE=16");
    put.source = strdup("__kernel void f(void) {}\n");
    put.log = strdup("");
    put.lines_changed = 3;
    assert_int_equal(clopt_store_put_trial(store, &put, NULL), CLOPT_OK);

    struct clopt_store_trial got;
    assert_int_equal(clopt_store_find_trial(store, "k1", &got, NULL), CLOPT_OK);
    assert_int_equal(got.id, 1);
    assert_string_equal(got.key, "k1");
    assert_int_equal(got.device, 1);
    assert_int_equal(got.problem, 1);
    assert_int_equal(got.outcome, CLOPT_OUTCOME_CRASHED);
    assert_true(got.abandoned && got.complete && got.verified);
    assert_string_equal(got.fingerprint, "f");
    assert_string_equal(got.stage, "launch");
    assert_string_equal(got.reason, "killed by signal 11 (SIGSEGV)");
    assert_int_equal(got.signal, 11);
    assert_int_equal(got.build_ns, INT64_C(123456789012));
    assert_true(got.build_kept);
    assert_int_equal(got.deferred_ns, 7);
    assert_true(got.verify_error == 0.25);
    assert_true(isnan(got.verify_bound));
    assert_string_equal(got.verify_text, "relative residual");
    assert_string_equal(got.options, "-DBLOCK_SIZE=16");
    assert_string_equal(got.source, "__kernel void f(void) {}\n");
    assert_string_equal(got.log, "");
    assert_int_equal(got.lines_changed, 3);
    clopt_store_trial_fini(&got);
    clopt_store_trial_fini(&put);

    assert_int_equal(clopt_store_find_trial(store, "none", &got, NULL), CLOPT_OK);
    assert_int_equal(got.id, 0);
    clopt_store_close(store);
}

static void put_samples(struct clopt_store *store, int64_t trial, int64_t process,
                        const double *times_ns, size_t count)
{
    static const char *const kernels[] = {"lud_internal", ""};
    struct clopt_store_samples samples = {trial, process, kernels, 2, times_ns, count};
    struct clopt_error error = {0};
    if (clopt_store_put_samples(store, &samples, &error))
        fail_msg("%s", error.message);
}

static void samples_come_back_in_order_with_their_process(void **state)
{
    (void)state;
    struct clopt_store_trial trial;
    struct clopt_store *store = fill_store(&trial);
    int64_t first, second;
    assert_int_equal(clopt_store_next_process(store, &first, NULL), CLOPT_OK);
    assert_int_equal(clopt_store_next_process(store, &second, NULL), CLOPT_OK);
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
    struct clopt_store_samples samples = {1, 1, &kernel, 1, times, 2};
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
    strcpy(device.driver_version, "3.1");
    assert_int_equal(clopt_store_put_device(store, "cpu", &device, &id, NULL), CLOPT_OK);
    assert_int_equal(id, 2);
    assert_int_equal(clopt_store_put_problem(store, "lud", "size=64", "{}", &id, NULL), CLOPT_OK);
    assert_int_equal(id, 1);
    assert_int_equal(clopt_store_put_problem(store, "lud", "size=65", "{}", &id, NULL), CLOPT_OK);
    assert_int_equal(id, 2);
    clopt_store_close(store);
}

static enum clopt_status append_variant(void *user, const struct clopt_store_variant *variant,
                                        const struct clopt_store_trial *trial,
                                        struct clopt_error *error)
{
    (void)error;
    char *text = user;
    sprintf(text + strlen(text), "%s %lld %s %s;", variant->name, (long long)variant->trial,
            clopt_outcome_name(trial->outcome), variant->reason ? variant->reason : "-");
    return CLOPT_OK;
}

static enum clopt_status append_outcome(void *user, enum clopt_outcome outcome, int64_t count,
                                        int64_t abandoned, int64_t kept, struct clopt_error *error)
{
    (void)error;
    char *text = user;
    sprintf(text + strlen(text), "%s %lld %lld %lld;", clopt_outcome_name(outcome),
            (long long)count, (long long)abandoned, (long long)kept);
    return CLOPT_OK;
}

static enum clopt_status copy_run(void *user, const struct clopt_store_run *run,
                                  struct clopt_error *error)
{
    (void)error;
    assert_true(run->seed == UINT64_MAX);
    assert_true(run->started_s > 1e9);
    assert_true(run->not_chosen == (strcmp(run->title, "title") == 0 ? 12 : INT64_MAX));
    sprintf(user, "%s %s %s %d", run->title, run->config, run->status ? run->status : "-",
            isnan(run->ended_s) ? 0 : 1);
    return CLOPT_OK;
}

static void variants_are_read_back_by_run(void **state)
{
    (void)state;
    char text[512] = "";
    struct clopt_store_trial trial;
    struct clopt_store *store = fill_store(&trial);
    trial.outcome = CLOPT_OUTCOME_OK;
    trial.abandoned = trial.build_kept = true;
    assert_int_equal(clopt_store_put_trial(store, &trial, NULL), CLOPT_OK);
    const struct clopt_store_variant variants[] = {
        {0, 1, 1, "k", "b", "{}", NULL, 2},
        {1, 1, 1, "k", "initial code", "{}", NULL, 0},
        {0, 1, 1, "k", "c", "{}", "too big", 1},
    };
    assert_int_equal(clopt_store_put_variants(store, variants, 3, NULL), CLOPT_OK);
    assert_int_equal(clopt_store_read_variants(store, append_variant, text, NULL), CLOPT_OK);
    assert_string_equal(text, "initial code 1 ok -;c 0 pending too big;b 0 pending -;");

    /* The one without a trial takes one; the others are left alone. */
    const struct clopt_store_variant again[] = {{1, 1, 1, "k", "b", "{}", NULL, 2},
                                                {0, 1, 1, "k", "initial code", "{}", "no", 0}};
    assert_int_equal(clopt_store_put_variants(store, again, 2, NULL), CLOPT_OK);
    *text = '\0';
    assert_int_equal(clopt_store_read_variants(store, append_variant, text, NULL), CLOPT_OK);
    assert_string_equal(text, "initial code 1 ok -;c 0 pending too big;b 1 ok -;");
    *text = '\0';
    assert_int_equal(clopt_store_read_outcomes(store, append_outcome, text, NULL), CLOPT_OK);
    assert_string_equal(text, "infeasible 1 0 0;ok 2 2 2;");

    assert_int_equal(clopt_store_read_run(store, copy_run, text, NULL), CLOPT_OK);
    assert_string_equal(text, "title [study]\n - 0");
    assert_int_equal(clopt_store_end_run(store, CLOPT_INTERRUPTED, NULL), CLOPT_OK);
    assert_int_equal(clopt_store_read_run(store, copy_run, text, NULL), CLOPT_OK);
    assert_string_equal(text, "title [study]\n interrupted 1");

    /* Another run starts without variants. */
    assert_int_equal(clopt_store_put_run(store, "second", "", UINT64_MAX, UINT64_MAX, NULL),
                     CLOPT_OK);
    *text = '\0';
    assert_int_equal(clopt_store_read_variants(store, append_variant, text, NULL), CLOPT_OK);
    assert_string_equal(text, "");
    clopt_store_close(store);
}

static void expect_work(struct clopt_store *store, enum clopt_arithmetic arithmetic,
                        double operations, double bytes)
{
    struct clopt_store_work work;
    assert_int_equal(clopt_store_get_work(store, 1, "k", &work, NULL), CLOPT_OK);
    assert_int_equal(work.arithmetic, arithmetic);
    assert_true(work.operations == operations && work.bytes == bytes);
}

static void expect_peaks(struct clopt_store *store, double gbytes, double dual, double integer)
{
    const double wanted[] = {gbytes, NAN, dual, integer};
    struct clopt_peaks peaks;
    assert_int_equal(clopt_store_get_peaks(store, 1, &peaks, NULL), CLOPT_OK);
    const double got[] = {peaks.gbytes_per_s, peaks.goperations_per_s[CLOPT_ARITHMETIC_SINGLE],
                          peaks.goperations_per_s[CLOPT_ARITHMETIC_DOUBLE],
                          peaks.goperations_per_s[CLOPT_ARITHMETIC_INTEGER]};
    for (int i = 0; i < 4; i++)
        assert_true(isnan(wanted[i]) ? isnan(got[i]) : got[i] == wanted[i]);
}

static void peaks_come_back(void **state)
{
    (void)state;
    struct clopt_store_trial trial;
    struct clopt_store *store = fill_store(&trial);
    struct clopt_peaks peaks = clopt_peaks_unknown();
    expect_peaks(store, NAN, NAN, NAN);
    peaks.gbytes_per_s = 14.5;
    peaks.goperations_per_s[CLOPT_ARITHMETIC_DOUBLE] = 225;
    peaks.goperations_per_s[CLOPT_ARITHMETIC_INTEGER] = 113;
    assert_int_equal(clopt_store_put_peaks(store, 1, &peaks, NULL), CLOPT_OK);
    expect_peaks(store, 14.5, 225, 113);
    clopt_store_close(store);
}

static void work_and_noise_come_back(void **state)
{
    (void)state;
    struct clopt_store_trial trial;
    struct clopt_store *store = fill_store(&trial);
    double a, b;
    struct clopt_store_work work = {CLOPT_ARITHMETIC_INTEGER, 1e9, 2e9};
    expect_work(store, CLOPT_ARITHMETIC_COUNT, 0, 0);
    assert_int_equal(clopt_store_put_work(store, 1, "k", &work, NULL), CLOPT_OK);
    expect_work(store, CLOPT_ARITHMETIC_INTEGER, 1e9, 2e9);
    work.arithmetic = CLOPT_ARITHMETIC_COUNT;
    assert_int_equal(clopt_store_put_work(store, 1, "k", &work, NULL), CLOPT_OK);
    expect_work(store, CLOPT_ARITHMETIC_COUNT, 1e9, 2e9);
    assert_int_equal(clopt_store_get_noise(store, 1, 1, "k", &a, &b, NULL), CLOPT_OK);
    assert_true(isnan(a) && isnan(b));
    assert_int_equal(clopt_store_put_noise(store, 1, 1, "k", 0.02, NAN, NULL), CLOPT_OK);
    assert_int_equal(clopt_store_put_noise(store, 1, 1, "", 0.04, 0.05, NULL), CLOPT_OK);
    assert_int_equal(clopt_store_get_noise(store, 1, 1, "k", &a, &b, NULL), CLOPT_OK);
    assert_true(a == 0.02 && isnan(b));
    assert_int_equal(clopt_store_get_noise(store, 1, 1, "", &a, &b, NULL), CLOPT_OK);
    assert_true(a == 0.04 && b == 0.05);
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

static void second_writer_is_told_so_and_reader_is_not(void **state)
{
    (void)state;
    struct clopt_store_trial trial;
    struct clopt_store *writer = fill_store(&trial);
    expect_refusal(false, "another clopt is writing this store: wait for it to end, or name "
                          "another store with -o");
    struct clopt_store *reader = NULL;
    char text[64];
    assert_int_equal(clopt_store_open_read(path, &reader, NULL), CLOPT_OK);
    assert_int_equal(clopt_store_read_run(reader, copy_run, text, NULL), CLOPT_OK);
    put_samples(writer, 1, 1, (const double[]){1, 2}, 1); /* a reader is in nobody's way */
    clopt_store_close(reader);
    clopt_store_close(writer);
    clopt_store_close(open_store()); /* the lock went with the writer */
}

static void what_is_no_store_is_refused(void **state)
{
    (void)state;
    write_file("Dear diary, today I measured a kernel. It was fast.", 51);
    expect_refusal(false, "is no store of clopt");
    expect_refusal(true, "is no store of clopt");
    remove_store(state);
    execute("CREATE TABLE album (title TEXT)");
    expect_refusal(false, "is a database, but no store of clopt");
    expect_refusal(true, "is a database, but no store of clopt");
    remove_store(state);
    expect_refusal(true, "cannot open the store: No such file or directory");
    write_file("", 0);
    expect_refusal(true, "is empty: no study has written to it");
    clopt_store_close(open_store()); /* an empty file may become one */
    snprintf(path, sizeof path, "%s", folder);
    expect_refusal(true, "is no file, so no store of clopt");
    expect_refusal(false, "cannot open the store: Is a directory");
    snprintf(path, sizeof path, "%s/none/s.db", folder);
    expect_refusal(false, "cannot open the store: No such file or directory");
    remove_store(state);
}

/* What schema 4 has not yet is unknown. To write, it is refused. */
static void older_store_can_be_read(void **state)
{
    (void)state;
    struct clopt_store_trial trial;
    struct clopt_store *store = fill_store(&trial);
    const struct clopt_store_work work = {CLOPT_ARITHMETIC_INTEGER, 1e9, 2e9};
    assert_int_equal(clopt_store_put_work(store, 1, "k", &work, NULL), CLOPT_OK);
    clopt_store_close(store);
    execute("DROP TABLE peak; ALTER TABLE work DROP COLUMN arithmetic; PRAGMA user_version = 4");
    expect_refusal(false,
                   "was written by an older clopt (schema 4, this one writes 5): run the study "
                   "again, with another store (-o)");
    assert_int_equal(clopt_store_open_read(path, &store, NULL), CLOPT_OK);
    expect_work(store, CLOPT_ARITHMETIC_COUNT, 1e9, 2e9);
    expect_peaks(store, NAN, NAN, NAN);
    clopt_store_close(store);
}

static void store_of_another_version_is_refused(void **state)
{
    (void)state;
    struct clopt_store_trial trial;
    clopt_store_close(fill_store(&trial));
    execute("PRAGMA user_version = 6");
    const char *message = "was written by a newer clopt (schema 6, this one knows 5): use that "
                          "one, or name another store with -o";
    expect_refusal(false, message);
    expect_refusal(true, message);
    execute("PRAGMA user_version = 1");
    message = "was written by an older clopt (schema 1, this one knows 5): run the study again, "
              "with another store (-o)";
    expect_refusal(false, message);
    expect_refusal(true, message);
}

static void truncated_store_is_refused(void **state)
{
    (void)state;
    struct clopt_store_trial trial;
    clopt_store_close(fill_store(&trial));
    assert_int_equal(truncate(path, 5000), 0);
    const char *message = "cannot open the store: database disk image is malformed; the file is "
                          "damaged: run the study again with another store (-o)";
    expect_refusal(true, message);
    expect_refusal(false, message);
}

/* Permissions do not hold for root: a child without its rights looks at them. */
static void needs_no_right_to_write_for_reading(void **state)
{
    (void)state;
    struct clopt_store_trial trial;
    clopt_store_close(fill_store(&trial));
    assert_int_equal(chmod(path, 0444), 0);
    assert_int_equal(chmod(folder, 0555), 0);
    pid_t child = fork();
    if (child == 0) {
        if (geteuid() == 0 && setuid(65534) != 0)
            _exit(9);
        struct clopt_store *store = NULL;
        struct clopt_error error = {0};
        char text[64] = "";
        char wanted[128];
        snprintf(wanted, sizeof wanted, "%s: cannot open the store: Permission denied", path);
        if (clopt_store_open(path, &store, &error) != CLOPT_FAILED ||
            strcmp(error.message, wanted) != 0)
            _exit(1);
        if (clopt_store_open_read(path, &store, &error) != CLOPT_OK ||
            clopt_store_read_run(store, copy_run, text, &error) != CLOPT_OK)
            _exit(2);
        clopt_store_close(store);
        _exit(strcmp(text, "title [study]\n - 0") == 0 ? 0 : 3);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(chmod(folder, 0755), 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 9)
        skip();
    assert_int_equal(status, 0);
}

/* Writes trials and samples until killed; says on `pipe` how many trials are safe. */
static void write_until_killed(int descriptor)
{
    struct clopt_store_trial trial;
    struct clopt_store *store = fill_store(&trial);
    for (uint32_t number = 1;; number++) {
        struct clopt_store_trial next = {.device = 1, .problem = 1, .outcome = CLOPT_OUTCOME_OK};
        snprintf(next.key, sizeof next.key, "trial %u", number);
        if (clopt_store_put_trial(store, &next, NULL) != CLOPT_OK)
            _exit(1);
        put_samples(store, next.id, 1, (const double[]){number, 1, number, 2, number, 3}, 3);
        if (write(descriptor, &number, sizeof number) != sizeof number)
            _exit(1);
    }
}

static void killed_writer_loses_nothing(void **state)
{
    struct clopt_random random = clopt_random_seed(1, 1);
    for (int round = 0; round < 20; round++) {
        int ends[2];
        assert_int_equal(pipe(ends), 0);
        pid_t child = fork();
        if (child == 0)
            write_until_killed(ends[1]);
        close(ends[1]);
        uint32_t safe = 0;
        uint32_t stop = 1 + (uint32_t)clopt_random_below(&random, 200);
        while (safe < stop && read(ends[0], &safe, sizeof safe) == sizeof safe)
            continue;
        kill(child, SIGKILL);
        while (read(ends[0], &safe, sizeof safe) == sizeof safe) /* what was in the pipe */
            continue;
        close(ends[0]);
        int status = 0;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status));

        struct clopt_store *store = open_store();
        for (uint32_t number = 1; number <= safe; number++) {
            char key[32];
            struct clopt_store_trial trial;
            double *times;
            uint32_t *process;
            size_t count;
            snprintf(key, sizeof key, "trial %u", number);
            assert_int_equal(clopt_store_find_trial(store, key, &trial, NULL), CLOPT_OK);
            assert_true(trial.id != 0);
            assert_int_equal(clopt_store_get_samples(store, trial.id, "lud_internal", &times,
                                                     &process, &count, NULL),
                             CLOPT_OK);
            assert_int_equal(count, 3);
            assert_true(times[2] == number);
            free(times);
            free(process);
            clopt_store_trial_fini(&trial);
        }
        clopt_store_close(store);
        remove_store(state);
    }
}

static void outcomes_have_names(void **state)
{
    (void)state;
    for (int i = CLOPT_OUTCOME_PENDING; i <= CLOPT_OUTCOME_DEVICE_LOST; i++)
        assert_int_equal(clopt_outcome_from_name(clopt_outcome_name((enum clopt_outcome)i)), i);
    assert_string_equal(clopt_outcome_name(CLOPT_OUTCOME_OUT_OF_RESOURCES), "out-of-resources");
    assert_int_equal(clopt_outcome_from_name("nonsense"), CLOPT_OUTCOME_PENDING);
    assert_int_equal(clopt_outcome_from_name(NULL), CLOPT_OUTCOME_PENDING);
    assert_int_equal(clopt_outcome_from_status(CLOPT_OK), CLOPT_OUTCOME_OK);
    assert_int_equal(clopt_outcome_from_status(CLOPT_TIMED_OUT), CLOPT_OUTCOME_TIMEOUT);
    assert_int_equal(clopt_outcome_from_status(CLOPT_INTERRUPTED), CLOPT_OUTCOME_PENDING);
}

/* What a list of outcomes is read as, or the message that refuses it. */
static void expect_outcomes(const char *text, unsigned outcomes, const char *message)
{
    unsigned read = 0;
    struct clopt_error error = {0};
    enum clopt_status status = clopt_outcomes_parse(text, &read, &error);
    assert_string_equal(error.message, message);
    assert_int_equal(status, *message ? CLOPT_INVALID : CLOPT_OK);
    if (!*message)
        assert_int_equal(read, outcomes);
}

static void lists_of_outcomes_are_read(void **state)
{
    (void)state;
    unsigned crashed = 1u << CLOPT_OUTCOME_CRASHED, timeout = 1u << CLOPT_OUTCOME_TIMEOUT;
    expect_outcomes("crashed", crashed, "");
    expect_outcomes("ok", 1u << CLOPT_OUTCOME_OK, "");
    expect_outcomes(" crashed , timeout", crashed | timeout, "");
    expect_outcomes("all", 0x1fc, "");
    expect_outcomes("device-lost,device-lost", 1u << CLOPT_OUTCOME_DEVICE_LOST, "");
    expect_outcomes("crashd", 0, "crashd: no outcome; did you mean crashed?");
    static const char known[] =
        "no outcome; there are ok, infeasible, build-failed, wrong-result, crashed, timeout, "
        "out-of-resources, device-lost, and all for all but ok";
    char message[256];
    snprintf(message, sizeof message, "pending: %s", known);
    expect_outcomes("pending", 0, message);
    snprintf(message, sizeof message, "(nothing): %s", known);
    expect_outcomes("", 0, message);
    expect_outcomes("crashed,", 0, message);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(trial_comes_back_as_put, remove_store),
        cmocka_unit_test_setup(samples_come_back_in_order_with_their_process, remove_store),
        cmocka_unit_test_setup(a_sample_that_is_no_number_is_refused_with_its_neighbours,
                               remove_store),
        cmocka_unit_test_setup(reset_forgets_outcome_and_samples, remove_store),
        cmocka_unit_test_setup(equal_devices_and_problems_are_put_once, remove_store),
        cmocka_unit_test_setup(variants_are_read_back_by_run, remove_store),
        cmocka_unit_test_setup(work_and_noise_come_back, remove_store),
        cmocka_unit_test_setup(references_must_exist, remove_store),
        cmocka_unit_test_setup(several_calls_are_one_transaction, remove_store),
        cmocka_unit_test_setup(second_writer_is_told_so_and_reader_is_not, remove_store),
        cmocka_unit_test_setup(what_is_no_store_is_refused, remove_store),
        cmocka_unit_test_setup(store_of_another_version_is_refused, remove_store),
        cmocka_unit_test_setup(older_store_can_be_read, remove_store),
        cmocka_unit_test_setup(peaks_come_back, remove_store),
        cmocka_unit_test_setup(truncated_store_is_refused, remove_store),
        cmocka_unit_test_setup(needs_no_right_to_write_for_reading, remove_store),
        cmocka_unit_test_setup(killed_writer_loses_nothing, remove_store),
        cmocka_unit_test(outcomes_have_names),
        cmocka_unit_test(lists_of_outcomes_are_read),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
