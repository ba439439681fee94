/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves that comparing the processes of two stores finds the changes that were planted, and that
 * of what it finds no more is false than it promises: where nothing changed, where much did, where
 * processes are few, and where some are disturbed. */
#include "results/change.h"

#include <math.h>
#include <setjmp.h>
#include <stdlib.h>

#include <clopt/random.h>

#include <cmocka.h>

#define ROWS    100
#define STUDIES 100 /* pairs of stores */
#define RATE    0.05

static void student_is_as_in_tables(void **state)
{
    (void)state;
    static const struct {
        double t;
        double freedom;
        double p;
    } known[] = {{12.706, 1, 0.05}, {1, 1, 0.5},       {4.303, 2, 0.05},    {2.228, 10, 0.05},
                 {3.169, 10, 0.01}, {2.042, 30, 0.05}, {1.9719, 200, 0.05}, {31.599, 2, 0.001},
                 {0, 7, 1},         {-2.228, 10, 0.05}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        assert_true(fabs(clopt_student_p(known[i].t, known[i].freedom) / known[i].p - 1) < 2e-3);
}

static void rates_are_those_of_benjamini_and_hochberg(void **state)
{
    (void)state;
    /* Of their paper, section 3.2: with q = 0.05, the first four are found. */
    static const double p[] = {0.0201, 0.0001, NAN,    0.0004, 0.0019, 0.0095, 0.0278, 0.0298,
                               0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000};
    double rates[sizeof p / sizeof *p];
    size_t found = 0;
    clopt_discovery_rates(p, rates, sizeof p / sizeof *p);
    for (size_t i = 0; i < sizeof p / sizeof *p; i++)
        found += rates[i] <= 0.05;
    assert_int_equal(found, 4);
    assert_true(isnan(rates[2]));
    assert_true(fabs(rates[1] - 0.0015) < 1e-12);
    assert_true(fabs(rates[5] - 0.0095 * 15 / 4) < 1e-12);
    assert_true(rates[0] > 0.05 && rates[15] == 1);
}

/* Medians of processes by hand: equal logarithms but for the last. */
static struct clopt_medians medians_of(double *logs, size_t count)
{
    struct clopt_medians medians = {calloc(count, sizeof *medians.items), count};
    assert_non_null(medians.items);
    for (size_t i = 0; i < count; i++)
        medians.items[i] = (struct clopt_process_median){
            .process = (uint32_t)i, .samples = 9, .log_median = logs[i]};
    return medians;
}

static void welch_is_as_by_hand(void **state)
{
    (void)state;
    double before[] = {0.00, 0.02, 0.04}, after[] = {0.10, 0.14, 0.06, 0.10};
    struct clopt_medians a = medians_of(before, 3), b = medians_of(after, 4);
    struct clopt_change change = clopt_change_estimate(&a, &b);
    /* Means 0.02 and 0.1, variances 0.0004 / 3 and 0.0010667 / 4: t = 4 with 54 / 11 degrees. */
    assert_true(fabs(change.ratio / exp(0.08) - 1) < 1e-12);
    assert_true(fabs(change.before - exp(0.02)) < 1e-12 && fabs(change.after - exp(0.1)) < 1e-12);
    assert_true(fabs(change.p - clopt_student_p(4, 54.0 / 11)) < 1e-9);
    assert_true(change.p > 0.010 && change.p < 0.011);
    double half = log(change.high) - 0.08;
    assert_true(fabs(0.08 - log(change.low) - half) < 1e-12);
    assert_true(fabs(clopt_student_p(half / 0.02, 54.0 / 11) - 0.05) < 1e-6);
    a.count = 1;
    assert_true(isnan(clopt_change_estimate(&a, &b).p));
    clopt_medians_fini(&a);
    clopt_medians_fini(&b);
}

static void equal_clock_ticks_prove_no_change(void **state)
{
    (void)state;
    double before[] = {0, 0, 0}, tick[] = {3e-4, 3e-4, 3e-4}, more[] = {0.01, 0.01, 0.01};
    struct clopt_medians a = medians_of(before, 3), b = medians_of(tick, 3),
                         c = medians_of(more, 3);
    assert_true(clopt_change_estimate(&a, &a).p == 1);
    assert_true(clopt_change_estimate(&a, &b).p > 0.3);
    assert_true(clopt_change_estimate(&a, &c).p < 1e-3);
    clopt_medians_fini(&a);
    clopt_medians_fini(&b);
    clopt_medians_fini(&c);
}

/* ---- many studies ---- */

/* How times lie. */
struct world {
    size_t processes;
    double between;   /* deviation of processes, as a share */
    double within;    /* of the samples of one */
    double disturbed; /* share of the processes that take twice as long */
    double changed;   /* share of the rows that change */
    double change;    /* logarithm */
};

static double normal(struct clopt_random *random)
{
    double u = 1 - clopt_random_real(random);
    return sqrt(-2 * log(u)) * cos(6.283185307179586 * clopt_random_real(random));
}

static struct clopt_medians measure(const struct world *world, double log_time,
                                    struct clopt_random *random)
{
    enum { SAMPLES = 7 };
    double samples[32 * SAMPLES];
    uint32_t process[32 * SAMPLES];
    struct clopt_medians medians;
    for (size_t p = 0; p < world->processes; p++) {
        double own = log_time + world->between * normal(random);
        own += clopt_random_real(random) < world->disturbed ? log(2) : 0;
        for (size_t i = 0; i < SAMPLES; i++) {
            samples[p * SAMPLES + i] = exp(own + world->within * normal(random));
            process[p * SAMPLES + i] = (uint32_t)p;
        }
    }
    clopt_medians_init(&medians, samples, process, world->processes * SAMPLES);
    return medians;
}

/* What many comparisons find. */
struct findings {
    double false_share; /* of what is found, averaged over the studies: the false discovery rate */
    double found_share; /* of what changed */
    double small_share; /* of what did not: has a p-value of 0.05 or less */
};

static struct findings compare(const struct world *world, uint64_t seed)
{
    struct clopt_random random = clopt_random_seed(seed, 0);
    struct findings findings = {0, 0, 0};
    double p[ROWS], rates[ROWS];
    for (size_t study = 0; study < STUDIES; study++) {
        size_t found = 0, wrong = 0, small = 0, changed = (size_t)(world->changed * ROWS);
        for (size_t row = 0; row < ROWS; row++) {
            double step = row < changed ? world->change * (row % 2 ? 1 : -1) : 0;
            struct clopt_medians a = measure(world, 1, &random);
            struct clopt_medians b = measure(world, 1 + step, &random);
            p[row] = clopt_change_estimate(&a, &b).p;
            clopt_medians_fini(&a);
            clopt_medians_fini(&b);
        }
        clopt_discovery_rates(p, rates, ROWS);
        for (size_t row = 0; row < ROWS; row++) {
            found += rates[row] <= RATE;
            wrong += rates[row] <= RATE && row >= changed;
            small += p[row] <= 0.05 && row >= changed;
        }
        findings.small_share += (double)small / (double)(ROWS - changed) / STUDIES;
        findings.false_share += found ? (double)wrong / (double)found / STUDIES : 0;
        findings.found_share += changed ? (double)(found - wrong) / (double)changed / STUDIES : 0;
    }
    return findings;
}

/* Four deviations of a mean of STUDIES shares that are RATE or less, and 0 or 1. */
#define SLACK (4 * 0.22 / 10)

static void where_nothing_changed_little_is_found(void **state)
{
    (void)state;
    static const struct world worlds[] = {{10, 0.05, 0.01, 0, 0, 0},   {10, 0.02, 0.05, 0, 0, 0},
                                          {3, 0.05, 0.01, 0, 0, 0},    {2, 0.05, 0.02, 0, 0, 0},
                                          {10, 0.02, 0.05, 0.1, 0, 0}, {5, 0, 0.1, 0, 0, 0}};
    for (size_t i = 0; i < sizeof worlds / sizeof *worlds; i++) {
        struct findings findings = compare(&worlds[i], i + 1);
        assert_true(findings.false_share <= RATE + SLACK);
        assert_true(findings.small_share <= 0.058);
        assert_true(i > 0 || findings.small_share >= 0.042); /* processes alone: as it should be */
    }
}

static void what_changed_is_found_among_what_did_not(void **state)
{
    (void)state;
    static const struct {
        struct world world;
        double least_found;
    } known[] = {{{10, 0.02, 0.05, 0, 0.2, 0.10}, 0.99},
                 {{10, 0.02, 0.05, 0, 0.5, 0.05}, 0.75},
                 {{5, 0.02, 0.05, 0, 0.2, 0.20}, 0.99},
                 {{20, 0.02, 0.05, 0.05, 0.2, 0.70}, 0.99}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct findings findings = compare(&known[i].world, i + 100);
        assert_true(findings.false_share <= RATE);
        assert_true(findings.found_share >= known[i].least_found);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(student_is_as_in_tables),
        cmocka_unit_test(rates_are_those_of_benjamini_and_hochberg),
        cmocka_unit_test(welch_is_as_by_hand),
        cmocka_unit_test(equal_clock_ticks_prove_no_change),
        cmocka_unit_test(where_nothing_changed_little_is_found),
        cmocka_unit_test(what_changed_is_found_among_what_did_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
