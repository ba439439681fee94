/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves that rates are shares of the right peak, what is said to bound a kernel, and that what is
 * not known stays so. */
#include "results/rates.h"

#include <math.h>
#include <setjmp.h>
#include <stdlib.h>

#include <cmocka.h>

#include "file/folder.h"

static const struct clopt_peaks peaks = {.gbytes_per_s = 10, .goperations_per_s = {100, 50, 20}};

/* Rates of a kernel in 1 ns, so that operations and bytes are G a second. */
static struct clopt_rates rates_of(enum clopt_arithmetic arithmetic, double operations,
                                   double bytes)
{
    return clopt_rates_compute(arithmetic, operations, bytes, 1, &peaks);
}

static bool near(double a, double b)
{
    return fabs(a - b) < 1e-12;
}

static void rates_are_shares_of_their_peak(void **state)
{
    (void)state;
    const double shares[] = {[CLOPT_ARITHMETIC_SINGLE] = 0.05,
                             [CLOPT_ARITHMETIC_DOUBLE] = 0.1,
                             [CLOPT_ARITHMETIC_INTEGER] = 0.25};
    for (enum clopt_arithmetic kind = 0; kind < CLOPT_ARITHMETIC_COUNT; kind++) {
        struct clopt_rates rates = clopt_rates_compute(kind, 10, 4, 2, &peaks);
        assert_true(near(rates.goperations_per_s, 5) && near(rates.gbytes_per_s, 2));
        assert_true(near(rates.operations_of_peak, shares[kind]));
        assert_true(near(rates.bytes_of_peak, 0.2));
    }
}

static void unknown_stays_unknown(void **state)
{
    (void)state;
    struct clopt_rates rates = rates_of(CLOPT_ARITHMETIC_SINGLE, 0, 4);
    assert_true(isnan(rates.goperations_per_s) && isnan(rates.operations_of_peak));
    assert_true(near(rates.gbytes_per_s, 4) && near(rates.bytes_of_peak, 0.4));
    rates = rates_of(CLOPT_ARITHMETIC_SINGLE, 4, 0);
    assert_true(isnan(rates.gbytes_per_s) && isnan(rates.bytes_of_peak));
    rates = rates_of(CLOPT_ARITHMETIC_COUNT, 4, 5);
    assert_true(near(rates.goperations_per_s, 4) && isnan(rates.operations_of_peak));
    rates = clopt_rates_compute(CLOPT_ARITHMETIC_SINGLE, 4, 5, NAN, &peaks);
    assert_true(isnan(rates.goperations_per_s) && isnan(rates.gbytes_per_s));
    struct clopt_peaks none = clopt_peaks_from_json(NULL);
    assert_false(clopt_peaks_any(&none));
    rates = clopt_rates_compute(CLOPT_ARITHMETIC_SINGLE, 4, 5, 1, &none);
    assert_true(near(rates.goperations_per_s, 4) && near(rates.gbytes_per_s, 5));
    assert_true(isnan(rates.operations_of_peak) && isnan(rates.bytes_of_peak));
    assert_int_equal(rates.bound, CLOPT_BOUND_UNKNOWN);
    assert_null(clopt_bound_name(rates.bound));
}

static void expect_bound(double operations, double bytes, const char *name)
{
    struct clopt_rates rates = rates_of(CLOPT_ARITHMETIC_SINGLE, operations, bytes);
    if (name)
        assert_string_equal(clopt_bound_name(rates.bound), name);
    else
        assert_int_equal(rates.bound, CLOPT_BOUND_UNKNOWN);
}

/* Of single precision there are 10 operations for each byte. */
static void bound_is_the_nearer_peak(void **state)
{
    (void)state;
    expect_bound(80, 7.9, "arithmetic");
    expect_bound(80, 8.1, "memory");
    expect_bound(5, 5, "memory");
    expect_bound(50, 1, "arithmetic");
    expect_bound(49, 4.9, "neither");
    expect_bound(49, 10.9, "memory"); /* the peak is measured, too */
    expect_bound(49, 11.1, "cache");
    expect_bound(99, 11.1, "cache");
    /* Without one of them the other one tells, if it is near. */
    expect_bound(0, 5, "memory");
    expect_bound(0, 4.9, NULL);
    expect_bound(50, 0, "arithmetic");
    expect_bound(49, 0, NULL);
    expect_bound(0, 0, NULL);
}

static void units_and_names_follow_from_the_kind(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        const char *unit;
    } kinds[] = {{"single", "GFLOP/s"}, {"double", "GFLOP/s"}, {"integer", "Gop/s"}};
    for (enum clopt_arithmetic kind = 0; kind < CLOPT_ARITHMETIC_COUNT; kind++) {
        assert_string_equal(clopt_arithmetic_name(kind), kinds[kind].name);
        assert_string_equal(clopt_arithmetic_unit(kind), kinds[kind].unit);
        assert_int_equal(clopt_arithmetic_find(kinds[kind].name), kind);
    }
    assert_int_equal(clopt_arithmetic_find("half"), CLOPT_ARITHMETIC_COUNT);
    assert_null(clopt_arithmetic_name(CLOPT_ARITHMETIC_COUNT));
    assert_string_equal(clopt_arithmetic_unit(CLOPT_ARITHMETIC_COUNT), "Gop/s");
}

static void expect_said(const struct clopt_peaks *said, const char *wanted)
{
    struct clopt_text text = {0};
    clopt_peaks_say(&text, said);
    assert_string_equal(clopt_text_string(&text), wanted);
    clopt_text_fini(&text);
}

static void peaks_are_said_as_far_as_known(void **state)
{
    (void)state;
    struct clopt_peaks some = peaks;
    expect_said(&some,
                "single 100 GFLOP/s, double 50.0 GFLOP/s, integer 20.0 Gop/s, memory 10.0 GB/s");
    some.goperations_per_s[CLOPT_ARITHMETIC_SINGLE] = NAN;
    some.gbytes_per_s = NAN;
    expect_said(&some, "double 50.0 GFLOP/s, integer 20.0 Gop/s");
    some = clopt_peaks_from_json(NULL);
    expect_said(&some, "");
}

static void peaks_go_through_json(void **state)
{
    (void)state;
    struct clopt_peaks put = peaks;
    put.goperations_per_s[CLOPT_ARITHMETIC_DOUBLE] = NAN;
    json_t *json = clopt_peaks_to_json(&put);
    struct clopt_peaks got = clopt_peaks_from_json(json);
    assert_true(got.gbytes_per_s == 10);
    assert_true(got.goperations_per_s[CLOPT_ARITHMETIC_SINGLE] == 100);
    assert_true(isnan(got.goperations_per_s[CLOPT_ARITHMETIC_DOUBLE]));
    assert_true(got.goperations_per_s[CLOPT_ARITHMETIC_INTEGER] == 20);
    json_object_set_new(json, "gbytes_per_s", json_string("many"));
    got = clopt_peaks_from_json(json);
    assert_true(isnan(got.gbytes_per_s));
    json_object_set_new(json, "gbytes_per_s", json_real(0));
    got = clopt_peaks_from_json(json);
    assert_true(isnan(got.gbytes_per_s));
    json_decref(json);
}

/* The best of all measurements of a device is kept, and how low one of them was; a device with
 * another driver is another one. */
static void the_best_peaks_of_a_device_are_kept(void **state)
{
    static const double measured[] = {10, 4, 8};
    static const double arithmetic[] = {100, 150, NAN};
    struct clopt_device_info device = {.name = "one"};
    (void)state;
    for (int i = 0; i < 3; i++) {
        struct clopt_peaks now = {.gbytes_per_s = measured[i],
                                  .goperations_per_s = {arithmetic[i], NAN, 20}};
        clopt_peaks_keep(&device, &now);
        assert_true(now.gbytes_per_s == 10);
        assert_true(now.goperations_per_s[CLOPT_ARITHMETIC_SINGLE] == (i ? 150 : 100));
        assert_true(isnan(now.goperations_per_s[CLOPT_ARITHMETIC_DOUBLE]));
        if (i)
            expect_said(&now, "single 150 GFLOP/s, integer 20.0 Gop/s, memory 10.0 GB/s (4.00 at "
                              "the lowest)");
        else
            expect_said(&now, "single 100 GFLOP/s, integer 20.0 Gop/s, memory 10.0 GB/s");
    }
    snprintf(device.driver_version, sizeof device.driver_version, "new");
    struct clopt_peaks now = {.gbytes_per_s = 5, .goperations_per_s = {1, 1, 1}};
    clopt_peaks_keep(&device, &now);
    expect_said(&now, "single 1.00 GFLOP/s, double 1.00 GFLOP/s, integer 1.00 Gop/s, memory 5.00 "
                      "GB/s");
}

static int set_cache(void **state)
{
    static char folder[] = "/tmp/clopt-unit_rate-XXXXXX";
    (void)state;
    return !mkdtemp(folder) || setenv("CLOPT_CACHE_DIR", folder, 1) != 0;
}

static int remove_cache(void **state)
{
    (void)state;
    clopt_folder_remove(getenv("CLOPT_CACHE_DIR"));
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rates_are_shares_of_their_peak),
        cmocka_unit_test(unknown_stays_unknown),
        cmocka_unit_test(bound_is_the_nearer_peak),
        cmocka_unit_test(units_and_names_follow_from_the_kind),
        cmocka_unit_test(peaks_are_said_as_far_as_known),
        cmocka_unit_test(peaks_go_through_json),
        cmocka_unit_test(the_best_peaks_of_a_device_are_kept),
    };
    return cmocka_run_group_tests(tests, set_cache, remove_cache);
}
