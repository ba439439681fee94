/* SPDX-License-Identifier: BSD-3-Clause */
/* Stores for the tests that read and write them. */
#include "store_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "results/peaks.h"
#include "text/text.h"

char store_folder[] = "clopt-store-XXXXXX";
char store_path[64];

int make_folder(void **state)
{
    (void)state;
    return mkdtemp(store_folder) ? 0 : -1;
}

int remove_store(void **state)
{
    (void)state;
    static const char *const suffixes[] = {"", "-wal", "-shm"};
    for (size_t i = 0; i < 3; i++) {
        snprintf(store_path, sizeof store_path, "%s/s.db%s", store_folder, suffixes[i]);
        unlink(store_path);
    }
    snprintf(store_path, sizeof store_path, "%s/s.db", store_folder);
    return 0;
}

int remove_folder(void **state)
{
    remove_store(state);
    return rmdir(store_folder);
}

struct clopt_store *open_store(void)
{
    struct clopt_store *store = NULL;
    struct clopt_error error = {0};
    if (clopt_store_open(store_path, &store, &error))
        fail_msg("%s", error.message);
    return store;
}

struct clopt_store *fill_store(struct clopt_store_trial *trial)
{
    struct clopt_device_info device = {.platform = "P", .name = "D", .compute_units = 2};
    int64_t id;
    struct clopt_store *store = open_store();
    assert_int_equal(clopt_store_put_run(store, "title", "[study]\n", UINT64_MAX, 12, 3, NULL),
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

void put_samples(struct clopt_store *store, int64_t trial, int64_t process, const double *times_ns,
                 size_t count)
{
    static const char *const kernels[] = {"lud_internal", ""};
    double columns[2][8];
    for (size_t i = 0; i < count; i++)
        for (size_t c = 0; c < 2; c++)
            columns[c][i] = times_ns[2 * i + c];
    const struct clopt_store_samples samples = {
        trial, process, kernels, 2, (const double *const[]){columns[0], columns[1]}, count};
    struct clopt_error error = {0};
    if (clopt_store_put_samples(store, &samples, &error))
        fail_msg("%s", error.message);
}

enum clopt_status copy_run(struct clopt_store *store, struct clopt_text *text)
{
    struct clopt_cursor run = clopt_store_find_run(store, NULL);
    if (!run.there)
        return clopt_cursor_end(&run);
    const char *title = clopt_cursor_text(&run, "title");
    const char *status = clopt_cursor_text(&run, "status");
    bool first = strcmp(title, "title") == 0;
    assert_string_equal(clopt_cursor_text(&run, "seed"), "18446744073709551615");
    assert_true(clopt_cursor_real(&run, "started") > 1e9);
    assert_true(clopt_cursor_integer(&run, "not_chosen") == (first ? 12 : INT64_MAX));
    assert_true(clopt_cursor_integer(&run, "not_feasible") == (first ? 3 : INT64_MAX));
    clopt_text_printf(text, "%s %s %s %d", title, clopt_cursor_text(&run, "config"),
                      status ? status : "-", isnan(clopt_cursor_real(&run, "ended")) ? 0 : 1);
    return clopt_cursor_end(&run);
}

void expect_work(struct clopt_store *store, enum clopt_arithmetic arithmetic, double operations,
                 double bytes)
{
    const char *name = clopt_arithmetic_name(arithmetic);
    struct clopt_cursor work =
        clopt_cursor_begin(store, CLOPT_SQL_GET_WORK, NULL, "is", INT64_C(1), "k");
    assert_true(clopt_cursor_next(&work) == (operations > 0));
    if (work.there)
        assert_string_equal(clopt_cursor_text(&work, "arithmetic"), name ? name : "");
    assert_true(!work.there || clopt_cursor_real(&work, "operations") == operations);
    assert_true(!work.there || clopt_cursor_real(&work, "bytes") == bytes);
    assert_int_equal(clopt_cursor_end(&work), CLOPT_OK);
}

void expect_peaks(struct clopt_store *store, double gbytes, double dual, double integer)
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
