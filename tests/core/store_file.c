/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves that what is no store of this clopt is refused, that a second writer is, and that nothing
 * is lost when a writer is killed. */
#include "store_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sqlite3.h>

#include <clopt/random.h>

#include <cmocka.h>

#include "text/text.h"

/* Expects a refusal with `path` and `text` in its message. */
static void expect_refusal(bool reading, const char *text)
{
    struct clopt_store *store = (void *)&store_path;
    struct clopt_error error = {0};
    char wanted[512];
    snprintf(wanted, sizeof wanted, "%s: %s", store_path, text);
    enum clopt_status status = reading ? clopt_store_open_read(store_path, &store, &error)
                                       : clopt_store_open(store_path, &store, &error);
    assert_int_equal(status, CLOPT_FAILED);
    assert_string_equal(error.message, wanted);
    assert_null(store);
}

static void write_file(const char *bytes, size_t length)
{
    FILE *file = fopen(store_path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static void execute(const char *sql)
{
    sqlite3 *database;
    assert_int_equal(sqlite3_open(store_path, &database), SQLITE_OK);
    assert_int_equal(sqlite3_exec(database, sql, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(database), SQLITE_OK);
}

static void second_writer_is_told_so_and_reader_is_not(void **state)
{
    (void)state;
    struct clopt_store_trial trial;
    struct clopt_store *writer = fill_store(&trial);
    expect_refusal(false, "another clopt is writing this store: wait for it to end, or name "
                          "another store with -o");
    struct clopt_store *reader = NULL;
    struct clopt_text text = {0};
    assert_int_equal(clopt_store_open_read(store_path, &reader, NULL), CLOPT_OK);
    assert_int_equal(copy_run(reader, &text), CLOPT_OK);
    put_samples(writer, 1, 1, (const double[]){1, 2}, 1); /* a reader is in nobody's way */
    clopt_text_fini(&text);
    clopt_store_close(reader);
    clopt_store_close(writer);
    clopt_store_close(open_store()); /* the lock went with the writer */
}

static void what_is_no_store_is_refused(void **state)
{
    (void)state;
    write_file("Dear diary, today I measured a kernel. It was fast.", 51);
    expect_refusal(false, "is not a store of clopt");
    expect_refusal(true, "is not a store of clopt");
    remove_store(state);
    execute("CREATE TABLE album (title TEXT)");
    expect_refusal(false, "is a database, but no store of clopt");
    expect_refusal(true, "is a database, but no store of clopt");
    remove_store(state);
    expect_refusal(true, "cannot open the store: No such file or directory");
    write_file("", 0);
    expect_refusal(true, "is empty: no study has written to it");
    clopt_store_close(open_store()); /* an empty file may become one */
    snprintf(store_path, sizeof store_path, "%s", store_folder);
    expect_refusal(true, "is not a regular file; name a store of clopt");
    expect_refusal(false, "cannot open the store: Is a directory");
    snprintf(store_path, sizeof store_path, "%s/none/s.db", store_folder);
    expect_refusal(false, "cannot open the store: No such file or directory");
    remove_store(state);
}

static void store_of_another_version_is_refused(void **state)
{
    (void)state;
    struct clopt_store_trial trial;
    clopt_store_close(fill_store(&trial));
    execute("PRAGMA user_version = 8");
    const char *message = "was written by a newer clopt (schema 8, this one knows 7): use that "
                          "one, or name another store with -o";
    expect_refusal(false, message);
    expect_refusal(true, message);
    execute("PRAGMA user_version = 5");
    message = "was written by an older clopt (schema 5, this one knows 7): run the study again, "
              "with another store (-o)";
    expect_refusal(false, message);
    expect_refusal(true, message);
}

static void truncated_store_is_refused(void **state)
{
    (void)state;
    struct clopt_store_trial trial;
    clopt_store_close(fill_store(&trial));
    assert_int_equal(truncate(store_path, 5000), 0);
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
    assert_int_equal(chmod(store_path, 0444), 0);
    assert_int_equal(chmod(store_folder, 0555), 0);
    pid_t child = fork();
    if (child == 0) {
        bool root = geteuid() == 0;
        char *here = getcwd(NULL, 0);
        if (root && (setuid(65534) != 0 || !here || access(here, X_OK) != 0))
            _exit(9);
        free(here);
        struct clopt_store *store = NULL;
        struct clopt_error error = {0};
        struct clopt_text text = {0};
        char wanted[128];
        snprintf(wanted, sizeof wanted, "%s: cannot open the store: Permission denied", store_path);
        if (clopt_store_open(store_path, &store, &error) != CLOPT_FAILED ||
            strcmp(error.message, wanted) != 0)
            _exit(1);
        if (clopt_store_open_read(store_path, &store, &error) != CLOPT_OK ||
            copy_run(store, &text) != CLOPT_OK)
            _exit(2);
        clopt_store_close(store);
        _exit(strcmp(clopt_text_string(&text), "title [study]\n - 0") == 0 ? 0 : 3);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(chmod(store_folder, 0755), 0);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(second_writer_is_told_so_and_reader_is_not, remove_store),
        cmocka_unit_test_setup(what_is_no_store_is_refused, remove_store),
        cmocka_unit_test_setup(store_of_another_version_is_refused, remove_store),
        cmocka_unit_test_setup(truncated_store_is_refused, remove_store),
        cmocka_unit_test_setup(needs_no_right_to_write_for_reading, remove_store),
        cmocka_unit_test_setup(killed_writer_loses_nothing, remove_store),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
