/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves that intervals are those of order statistics where samples are independent, that they hold
 * the median as often as they say where samples come in clusters, and that too little is admitted.
 */
#include "number/statistics.h"

#include <math.h>
#include <setjmp.h>

#include <clopt/random.h>

#include <cmocka.h>

#define MOST 2000

/* 1, 2, ... n, shuffled, each from a process of its own. */
static struct clopt_interval estimate_independent(size_t n)
{
    double samples[MOST];
    uint32_t process[MOST];
    for (size_t i = 0; i < n; i++) {
        samples[i] = (double)(i * 7919 % n + 1); /* 7919 is prime */
        process[i] = (uint32_t)i;
    }
    return clopt_interval_estimate(samples, process, n);
}

static void ranks_are_those_of_the_binomial_distribution(void **state)
{
    (void)state;
    /* The rank d with 2 P(Binomial(n, 1/2) < d) <= 0.05, as printed in tables of the sign test. */
    static const struct {
        size_t n;
        double rank;
    } known[] = {{6, 1},   {8, 1},   {9, 2},   {10, 2},   {12, 3},   {15, 4},    {16, 4},
                 {17, 5},  {20, 6},  {25, 8},  {30, 10},  {40, 14},  {50, 18},   {60, 22},
                 {70, 27}, {80, 31}, {90, 36}, {100, 40}, {200, 86}, {1000, 469}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct clopt_interval interval = estimate_independent(known[i].n);
        assert_true(interval.attained);
        assert_true(interval.median == 0.5 * (double)(known[i].n + 1));
        assert_true(interval.low == known[i].rank);
        assert_true(interval.high == (double)(known[i].n + 1) - known[i].rank);
        assert_int_equal(interval.samples, known[i].n);
        assert_int_equal(interval.processes, known[i].n);
    }
}

static void five_samples_are_too_few(void **state)
{
    (void)state;
    struct clopt_interval interval = estimate_independent(5);
    assert_false(interval.attained);
    assert_true(interval.median == 3 && interval.low == 1 && interval.high == 5);
}

static void one_sample_is_its_own_range(void **state)
{
    (void)state;
    double sample = 5;
    uint32_t process = 9;
    struct clopt_interval interval = clopt_interval_estimate(&sample, &process, 1);
    assert_false(interval.attained);
    assert_true(interval.median == 5 && interval.low == 5 && interval.high == 5);
    assert_int_equal(interval.processes, 1);
}

static void no_sample_and_nan_give_nan(void **state)
{
    (void)state;
    struct clopt_interval interval = clopt_interval_estimate(NULL, NULL, 0);
    assert_true(isnan(interval.median) && isnan(interval.low) && isnan(interval.high));
    assert_false(interval.attained);
    double samples[] = {1, 2, NAN, 3, 4, 5, 6, 7};
    uint32_t process[] = {0, 1, 2, 3, 4, 5, 6, 7};
    interval = clopt_interval_estimate(samples, process, 8);
    assert_true(isnan(interval.median) && isnan(interval.low) && isnan(interval.high));
    assert_false(interval.attained);
    assert_false(clopt_interval_overlap(&interval, &interval));
}

static void one_process_says_nothing_about_others(void **state)
{
    (void)state;
    double samples[100];
    uint32_t process[100];
    for (size_t i = 0; i < 100; i++) {
        samples[i] = (double)i;
        process[i] = 3;
    }
    struct clopt_interval interval = clopt_interval_estimate(samples, process, 100);
    assert_false(interval.attained);
    assert_true(interval.low == 0 && interval.high == 99);
}

static void equal_samples_have_an_interval_of_no_width(void **state)
{
    (void)state;
    double samples[60];
    uint32_t process[60];
    for (size_t i = 0; i < 60; i++) {
        samples[i] = 7;
        process[i] = (uint32_t)(i % 3);
    }
    struct clopt_interval interval = clopt_interval_estimate(samples, process, 60);
    assert_true(interval.attained);
    assert_true(interval.median == 7 && interval.low == 7 && interval.high == 7);
}

static void three_processes_that_differ_are_three_samples(void **state)
{
    (void)state;
    double samples[300];
    uint32_t process[300];
    for (size_t i = 0; i < 300; i++) {
        process[i] = (uint32_t)(i % 3);
        samples[i] = 100 + 10 * process[i] + 0.001 * (double)i;
    }
    struct clopt_interval interval = clopt_interval_estimate(samples, process, 300);
    assert_false(interval.attained);
    assert_true(interval.low == samples[0] && interval.high == samples[299]);
}

static void one_outlier_does_not_hide_that_processes_differ(void **state)
{
    (void)state;
    double samples[300];
    uint32_t process[300];
    for (size_t i = 0; i < 300; i++) {
        process[i] = (uint32_t)(i % 3);
        samples[i] = 100 + 10 * process[i] + 0.001 * (double)i;
    }
    samples[150] = 1e9;
    assert_false(clopt_interval_estimate(samples, process, 300).attained);
}

static void precision_and_overlap(void **state)
{
    (void)state;
    struct clopt_interval a = {.median = 100, .low = 97, .high = 103};
    struct clopt_interval b = {.median = 106, .low = 103, .high = 109};
    struct clopt_interval c = {.median = 107, .low = 103.5, .high = 110};
    assert_true(clopt_interval_overlap(&a, &b));
    assert_true(clopt_interval_overlap(&b, &a));
    assert_false(clopt_interval_overlap(&a, &c));
    assert_false(clopt_interval_overlap(&c, &a));
    assert_true(clopt_interval_overlap(&b, &c));
}

static double next_normal(struct clopt_random *random)
{
    double radius = sqrt(-2 * log(1 - clopt_random_real(random)));
    return radius * cos(6.283185307179586 * clopt_random_real(random));
}

struct coverage {
    double held;     /* share of intervals that hold the median */
    double attained; /* share that claims 95% */
    double wrong;    /* share that claims it and does not hold the median */
};

/* 2,000 experiments of `each` samples from each of `processes` processes; `clustering` is the
 * share of the variance that lies between processes. */
static struct coverage simulate(size_t processes, size_t each, double clustering)
{
    const int repetitions = 2000;
    struct clopt_random random = clopt_random_seed(2026, processes * 1000 + each);
    struct coverage coverage = {0, 0, 0};
    for (int i = 0; i < repetitions; i++) {
        double samples[MOST];
        uint32_t process[MOST];
        size_t count = 0;
        for (size_t k = 0; k < processes; k++) {
            double own = sqrt(clustering) * next_normal(&random);
            for (size_t j = 0; j < each; j++, count++) {
                samples[count] = 10 + own + sqrt(1 - clustering) * next_normal(&random);
                process[count] = (uint32_t)k;
            }
        }
        struct clopt_interval interval = clopt_interval_estimate(samples, process, count);
        bool held = interval.low <= 10 && 10 <= interval.high;
        coverage.held += held;
        coverage.attained += interval.attained;
        coverage.wrong += interval.attained && !held;
    }
    coverage.held /= repetitions;
    coverage.attained /= repetitions;
    coverage.wrong /= repetitions;
    return coverage;
}

static void intervals_hold_the_median_as_often_as_they_say(void **state)
{
    (void)state;
    static const struct {
        size_t processes;
        size_t each;
        double clustering;
    } cases[] = {{20, 1, 0},    {50, 1, 0},    {20, 5, 0},    {10, 10, 0},
                 {3, 20, 0},    {3, 50, 0},    {3, 20, 0.05}, {3, 20, 0.2},
                 {5, 20, 0.05}, {5, 20, 0.2},  {5, 10, 0.5},  {10, 10, 0.2},
                 {10, 5, 0.5},  {10, 10, 0.8}, {20, 20, 0.2}, {20, 20, 0.95}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct coverage coverage = simulate(cases[i].processes, cases[i].each, cases[i].clustering);
        if (coverage.held < 0.93)
            fail_msg("%zu processes, %zu samples each, clustering %g: %g", cases[i].processes,
                     cases[i].each, cases[i].clustering, coverage.held);
    }
}

static void few_processes_that_differ_much_do_not_claim_95_percent(void **state)
{
    (void)state;
    struct coverage coverage = simulate(3, 20, 0.95);
    assert_true(coverage.attained < 0.02);
    assert_true(coverage.wrong < 0.01);
    coverage = simulate(3, 50, 0.5);
    assert_true(coverage.wrong < 0.05);
}

/* ---- medians of processes ---- */

static struct clopt_medians take_medians(const double *samples, const uint32_t *process, size_t n)
{
    struct clopt_medians medians;
    clopt_medians_init(&medians, samples, process, n);
    return medians;
}

static void medians_are_those_of_each_process(void **state)
{
    (void)state;
    double samples[] = {9, 1, 4, 2, 7};
    uint32_t process[] = {5, 2, 5, 2, 3};
    struct clopt_medians medians = take_medians(samples, process, 5);
    assert_int_equal(medians.count, 3);
    assert_int_equal(medians.items[0].process, 2);
    assert_int_equal(medians.items[0].samples, 2);
    assert_true(fabs(medians.items[0].log_median - 0.5 * log(2)) < 1e-12);
    /* Two samples enclose the median with probability 1/2: 0.6745 standard deviations each way. */
    assert_true(fabs(sqrt(medians.items[0].log_variance) - 0.5 * log(2) / 0.67449) < 1e-4);
    assert_int_equal(medians.items[1].process, 3);
    assert_true(medians.items[1].log_variance == 0);
    assert_true(fabs(medians.items[2].log_median - log(6)) < 1e-12);
    clopt_medians_fini(&medians);
}

static void what_is_no_time_has_no_medians(void **state)
{
    (void)state;
    static const double bad[] = {0, -1, NAN, INFINITY};
    uint32_t process[] = {1, 1};
    for (size_t i = 0; i < 4; i++) {
        double samples[] = {1, bad[i]};
        struct clopt_medians medians = take_medians(samples, process, 2);
        assert_int_equal(medians.count, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_are_those_of_the_binomial_distribution),
        cmocka_unit_test(five_samples_are_too_few),
        cmocka_unit_test(one_sample_is_its_own_range),
        cmocka_unit_test(no_sample_and_nan_give_nan),
        cmocka_unit_test(one_process_says_nothing_about_others),
        cmocka_unit_test(equal_samples_have_an_interval_of_no_width),
        cmocka_unit_test(three_processes_that_differ_are_three_samples),
        cmocka_unit_test(one_outlier_does_not_hide_that_processes_differ),
        cmocka_unit_test(precision_and_overlap),
        cmocka_unit_test(intervals_hold_the_median_as_often_as_they_say),
        cmocka_unit_test(few_processes_that_differ_much_do_not_claim_95_percent),
        cmocka_unit_test(medians_are_those_of_each_process),
        cmocka_unit_test(what_is_no_time_has_no_medians),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
