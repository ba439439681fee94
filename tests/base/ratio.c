/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves that intervals of ratios hold the ratio as often as they say: of what the same processes
 * measured, of few processes on a machine whose load comes and goes, and through a third. */
#include "number/ratio.h"

#include <math.h>
#include <setjmp.h>

#include <clopt/random.h>

#include <cmocka.h>

#define MOST 2000

static double next_normal(struct clopt_random *random)
{
    double radius = sqrt(-2 * log(1 - clopt_random_real(random)));
    return radius * cos(6.283185307179586 * clopt_random_real(random));
}

static struct clopt_medians take_medians(const double *samples, const uint32_t *process, size_t n)
{
    struct clopt_medians medians;
    clopt_medians_init(&medians, samples, process, n);
    return medians;
}

static struct clopt_interval estimate_ratio(const double *above, const uint32_t *above_process,
                                            size_t above_count, const double *below,
                                            const uint32_t *below_process, size_t below_count)
{
    struct clopt_medians a = take_medians(above, above_process, above_count);
    struct clopt_medians b = take_medians(below, below_process, below_count);
    struct clopt_interval ratio = clopt_ratio_estimate(&a, &b, NULL);
    clopt_medians_fini(&a);
    clopt_medians_fini(&b);
    return ratio;
}

static void ratios_need_a_process_in_common(void **state)
{
    (void)state;
    double samples[] = {1, 2};
    uint32_t some[] = {1, 3};
    uint32_t others[] = {2, 4};
    struct clopt_interval ratio = estimate_ratio(samples, some, 2, samples, others, 2);
    assert_int_equal(ratio.processes, 0);
    assert_true(isnan(ratio.median) && isnan(ratio.low) && isnan(ratio.high));
    assert_false(ratio.attained);
    assert_int_equal(estimate_ratio(NULL, NULL, 0, samples, some, 2).processes, 0);
}

static void what_processes_share_cancels_out(void **state)
{
    (void)state;
    /* Process 4 is ten times as slow for both, and 9 and 1 measured only one of them. */
    double above[] = {30, 60, 300, 7};
    uint32_t above_process[] = {3, 2, 4, 9};
    double below[] = {10, 20, 100, 5000};
    uint32_t below_process[] = {3, 2, 4, 1};
    struct clopt_interval ratio = estimate_ratio(above, above_process, 4, below, below_process, 4);
    assert_int_equal(ratio.processes, 3);
    assert_int_equal(ratio.samples, 3);
    assert_true(ratio.attained);
    assert_true(fabs(ratio.median - 3) < 1e-9);
    assert_true(fabs(ratio.low - 3) < 1e-6 && fabs(ratio.high - 3) < 1e-6);
}

static void single_samples_give_the_interval_of_students_t(void **state)
{
    (void)state;
    /* Ratios e^0.1, e^0.2, e^0.3: mean 0.2, standard deviation 0.1, t with 2 degrees 4.3027. */
    double above[] = {exp(0.1), exp(0.2), exp(0.3)};
    double below[] = {1, 1, 1};
    uint32_t process[] = {1, 2, 3};
    struct clopt_interval ratio = estimate_ratio(above, process, 3, below, process, 3);
    double half = 4.3027 * 0.1 / sqrt(3);
    assert_true(fabs(log(ratio.median) - 0.2) < 1e-9);
    assert_true(fabs(log(ratio.low) - (0.2 - half)) < 1e-4);
    assert_true(fabs(log(ratio.high) - (0.2 + half)) < 1e-4);
}

static void one_process_gives_a_ratio_without_assurance(void **state)
{
    (void)state;
    double above[] = {19, 20, 21};
    double below[] = {9, 10, 11};
    uint32_t process[] = {1, 1, 1};
    struct clopt_interval ratio = estimate_ratio(above, process, 3, below, process, 3);
    assert_int_equal(ratio.processes, 1);
    assert_false(ratio.attained);
    assert_true(fabs(ratio.median - 2) < 1e-9);
    assert_true(ratio.low < 1.9 && ratio.high > 2.1);
}

/* 2,000 experiments with a true ratio of 1.25: both sides share a process effect of 20%, which must
 * not matter; the ratio itself differs by `between` from process to process, and samples differ by
 * `within`. Returns the share of intervals that hold 1.25. */
static double simulate_ratio(size_t processes, size_t each, double between, double within,
                             double *mean_width)
{
    const int repetitions = 2000;
    struct clopt_random random = clopt_random_seed(99, processes * 1000 + each);
    int held = 0;
    *mean_width = 0;
    for (int i = 0; i < repetitions; i++) {
        double above[MOST], below[MOST];
        uint32_t process[MOST];
        size_t count = 0;
        for (size_t k = 0; k < processes; k++) {
            double shared = 0.2 * next_normal(&random);
            double own = log(1.25) + between * next_normal(&random);
            for (size_t j = 0; j < each; j++, count++) {
                above[count] = exp(shared + own + within * next_normal(&random));
                below[count] = exp(shared + within * next_normal(&random));
                process[count] = (uint32_t)k;
            }
        }
        struct clopt_interval ratio = estimate_ratio(above, process, count, below, process, count);
        held += ratio.low <= 1.25 && 1.25 <= ratio.high;
        *mean_width += log(ratio.high / ratio.low) / repetitions;
    }
    return (double)held / repetitions;
}

static void ratio_intervals_hold_the_ratio_as_often_as_they_say(void **state)
{
    (void)state;
    static const struct {
        size_t processes;
        size_t each;
        double between;
        double within;
    } cases[] = {{2, 10, 0.01, 0.02}, {3, 1, 0, 0.02},      {3, 5, 0, 0.05},
                 {3, 20, 0, 0.02},    {3, 20, 0.01, 0.02},  {3, 20, 0.05, 0.02},
                 {3, 7, 0.01, 0.1},   {5, 5, 0, 0.03},      {5, 20, 0.003, 0.02},
                 {5, 20, 0.02, 0.02}, {10, 10, 0.01, 0.03}, {20, 10, 0.05, 0.01}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double width;
        double held = simulate_ratio(cases[i].processes, cases[i].each, cases[i].between,
                                     cases[i].within, &width);
        if (held < 0.935)
            fail_msg("case %zu: %g", i, held);
    }
}

static void pairing_is_what_makes_ratios_narrow(void **state)
{
    (void)state;
    double width;
    simulate_ratio(5, 20, 0.005, 0.02, &width);
    /* Process effects of 20% in both, were they not paired, would make it 0.2 * sqrt(2 / 5) * 2
     * * 2.
     */
    assert_true(width < 0.05);
}

/* ---- a busy machine ---- */

#define VARIANTS 20
#define SAMPLES  9
#define WITHIN   0.01

/* A machine on which other programs run: they slow a variant down by 2 to 4 in a process, with
 * probability `load`; a process may have fewer variants than the initial code has processes. */
struct machine {
    struct clopt_random random;
    double load;
    size_t processes;
};

static double slow_down(struct machine *machine, double probability)
{
    if (clopt_random_real(&machine->random) >= probability)
        return 0;
    return log(2 + 2 * clopt_random_real(&machine->random));
}

/* Measures in `count` of the processes, `first` and those that follow in a circle. */
static struct clopt_medians measure(struct machine *machine, double time, size_t first,
                                    size_t count, const double *shared)
{
    double samples[MOST];
    uint32_t process[MOST];
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        size_t k = (first + i) % machine->processes;
        double own = log(time) + shared[k] + 0.003 * next_normal(&machine->random) +
                     slow_down(machine, machine->load);
        for (size_t j = 0; j < SAMPLES; j++, n++) {
            samples[n] = exp(own + WITHIN * next_normal(&machine->random));
            process[n] = (uint32_t)k;
        }
    }
    return take_medians(samples, process, n);
}

/* Compares variants that take `time` with initial code that takes 1, each in 1 to all of the
 * processes, by turns. Returns the share that is said to differ. */
static double find_differences(struct machine *machine, double time, int repetitions)
{
    struct clopt_medians medians[VARIANTS];
    double shared[8];
    int found = 0;
    for (int r = 0; r < repetitions; r++) {
        struct clopt_spread spread = {0};
        for (size_t k = 0; k < machine->processes; k++)
            shared[k] = slow_down(machine, 0.5);
        struct clopt_medians initial = measure(machine, 1, 0, machine->processes, shared);
        for (size_t v = 0; v < VARIANTS; v++) {
            size_t count = machine->processes - v % machine->processes;
            medians[v] = measure(machine, time, v, count, shared);
            clopt_spread_add(&spread, &initial, &medians[v]);
        }
        for (size_t v = 0; v < VARIANTS; v++) {
            struct clopt_interval ratio = clopt_ratio_estimate(&initial, &medians[v], &spread);
            assert_true(ratio.attained);
            found += ratio.low > 1 || ratio.high < 1;
            clopt_medians_fini(&medians[v]);
        }
        clopt_medians_fini(&initial);
    }
    return (double)found / (VARIANTS * repetitions);
}

static void load_that_comes_and_goes_makes_no_differences(void **state)
{
    (void)state;
    static const double loads[] = {0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7};
    for (size_t processes = 2; processes <= 6; processes++)
        for (size_t i = 0; i < sizeof loads / sizeof *loads; i++) {
            struct machine machine = {clopt_random_seed(2026, processes), loads[i], processes};
            double share = find_differences(&machine, 1, 400);
            if (share > 0.05)
                fail_msg("%zu processes, load %g: %g", processes, loads[i], share);
        }
}

static void a_fifth_is_found_where_it_is_calm(void **state)
{
    (void)state;
    for (size_t processes = 2; processes <= 6; processes++) {
        struct machine machine = {clopt_random_seed(7, processes), 0, processes};
        assert_true(find_differences(&machine, 0.8, 20) == 1);
        /* And among a few that were disturbed, by most of the others. */
        machine.load = 0.005;
        double share = find_differences(&machine, 0.8, 100);
        if (share < 0.85)
            fail_msg("%zu processes: %g", processes, share);
    }
}

/* ---- borrowing, and a third ratio ---- */

/* Medians of 9 samples a process, which are e to the powers of `logs`. */
static struct clopt_medians make_medians(const double *logs, uint32_t first, size_t count)
{
    double samples[MOST];
    uint32_t process[MOST];
    for (size_t i = 0; i < count * SAMPLES; i++) {
        samples[i] = exp(logs[i / SAMPLES] + 1e-4 * ((double)(i % SAMPLES) - 4));
        process[i] = first + (uint32_t)(i / SAMPLES);
    }
    return take_medians(samples, process, count * SAMPLES);
}

static void one_process_borrows_what_others_vary_by(void **state)
{
    (void)state;
    static const double other[] = {0, 0.02, -0.02}, own[] = {0.7};
    struct clopt_medians initial = make_medians((double[]){0, 0, 0}, 1, 3);
    struct clopt_medians one = make_medians(other, 1, 3);
    struct clopt_medians single = make_medians(own, 2, 1);
    struct clopt_spread spread = {0};
    clopt_spread_add(&spread, &one, &initial);
    struct clopt_interval ratio = clopt_ratio_estimate(&single, &initial, &spread);
    /* Two degrees of freedom, and a standard deviation of 0.02. */
    assert_true(ratio.attained && ratio.processes == 1);
    assert_true(fabs(log(ratio.high / ratio.median) / (4.3027 * 0.02) - 1) < 1e-3);
    assert_false(clopt_ratio_estimate(&single, &initial, NULL).attained);
    clopt_medians_fini(&initial);
    clopt_medians_fini(&one);
    clopt_medians_fini(&single);
}

static double width_of(const struct clopt_interval *ratio)
{
    return log(ratio->high / ratio->low);
}

static void ratios_go_through_a_third_where_that_says_more(void **state)
{
    (void)state;
    struct clopt_medians initial = make_medians((double[]){0, 1, 0, 1}, 1, 4);
    struct clopt_medians early = make_medians((double[]){0.49, 1.51}, 1, 2);
    struct clopt_medians late = make_medians((double[]){0.31, 1.29}, 3, 2);
    struct clopt_medians both = make_medians((double[]){0.09, 1.11, 0.3, 1.3}, 1, 4);
    struct clopt_interval ratio = clopt_ratio_estimate_through(&early, &late, &initial, NULL);
    struct clopt_interval half = clopt_ratio_estimate(&early, &initial, NULL);
    assert_int_equal(ratio.processes, 2);
    assert_true(ratio.attained && fabs(log(ratio.median) - 0.2) < 1e-9);
    assert_true(fabs(width_of(&ratio) / (sqrt(2) * width_of(&half)) - 1) < 1e-6);
    /* What both have is compared directly, whatever the third one did. */
    ratio = clopt_ratio_estimate_through(&early, &both, &initial, NULL);
    assert_true(ratio.attained && fabs(log(ratio.median) - 0.4) < 1e-9);
    assert_true(width_of(&ratio) < 0.01);
    assert_int_equal(
        clopt_ratio_estimate_through(&early, &late, &(struct clopt_medians){0}, NULL).processes, 0);
    clopt_medians_fini(&initial);
    clopt_medians_fini(&early);
    clopt_medians_fini(&late);
    clopt_medians_fini(&both);
}

/* ---- what is expected of a device ---- */

/* Compares logarithms in as many processes, on a device of which no other ratio is known. */
static struct clopt_interval expect_ratio(const double *logs, size_t count, bool on_cpu,
                                          const struct clopt_spread *past)
{
    static const double zeros[3];
    struct clopt_medians above = make_medians(logs, 1, count);
    struct clopt_medians below = make_medians(zeros, 1, count);
    struct clopt_spread spread = {.prior = clopt_spread_prior(on_cpu, past)};
    struct clopt_interval ratio = clopt_ratio_estimate(&above, &below, &spread);
    clopt_medians_fini(&above);
    clopt_medians_fini(&below);
    return ratio;
}

static bool is_decided(double factor, bool on_cpu)
{
    struct clopt_interval ratio =
        expect_ratio(&(double){log(factor)}, 1, on_cpu, &(struct clopt_spread){0});
    assert_true(ratio.attained && ratio.processes == 1);
    assert_true(fabs(ratio.median / factor - 1) < 1e-9);
    return ratio.low > 1 || ratio.high < 1;
}

static void one_process_decides_what_no_process_can_do(void **state)
{
    (void)state;
    assert_true(is_decided(17, false) && is_decided(17, true) && is_decided(1. / 17, true));
    assert_true(is_decided(1.4, false) && !is_decided(1.25, false));
    assert_true(is_decided(3.2, true) && !is_decided(2.8, true));
    assert_false(is_decided(1.05, false) || is_decided(1.05, true));
    /* Nor do two that differ by much leave it open. */
    struct clopt_interval ratio =
        expect_ratio((double[]){log(53), log(20)}, 2, true, &(struct clopt_spread){0});
    assert_true(ratio.attained && ratio.low > 10 && ratio.high < 100);
    ratio = expect_ratio((double[]){log(17), log(0.5)}, 2, true, &(struct clopt_spread){0});
    assert_true(ratio.low < 1);
}

static void history_narrows_and_widens_what_is_expected(void **state)
{
    (void)state;
    const struct clopt_spread calm = {.squares = 40 * 0.01 * 0.01, .freedom = 40};
    const struct clopt_spread busy = {.squares = 40 * 0.7 * 0.7, .freedom = 40};
    const double factors[] = {log(1.2), log(1.21), log(1.19)};
    struct clopt_interval ratio = expect_ratio(factors, 1, true, &calm);
    struct clopt_interval three = expect_ratio(factors, 3, true, &calm);
    assert_true(ratio.low < 1 && ratio.high < 1.7); /* the factor of 3 still counts a little */
    assert_true(expect_ratio(factors, 1, false, &calm).low > 1);
    assert_true(expect_ratio((double[]){log(17)}, 1, true, &busy).low < 1);
    /* What a ratio's own processes say is never made wider by what is expected. */
    assert_true(three.low > 1.15 && three.high < 1.25);
    ratio = expect_ratio(factors, 3, true, &busy);
    assert_true(fabs(ratio.low - three.low) < 1e-9 && fabs(ratio.high - three.high) < 1e-9);
}

/* 4,000 times the same code twice, in one to four processes that change a ratio by `between`, half
 * of what is expected of the device at most. Returns how often it is called different. */
static double find_false_differences(size_t processes, double between, bool on_cpu)
{
    const int repetitions = 4000;
    struct clopt_random random = clopt_random_seed(5, processes);
    struct clopt_spread spread = {.prior = clopt_spread_prior(on_cpu, &(struct clopt_spread){0})};
    int found = 0;
    for (int r = 0; r < repetitions; r++) {
        double above[MOST], below[MOST];
        uint32_t process[MOST];
        size_t count = 0;
        for (size_t k = 0; k < processes; k++) {
            double own = between * spread.prior * next_normal(&random);
            for (size_t j = 0; j < SAMPLES; j++, count++) {
                above[count] = exp(own + WITHIN * next_normal(&random));
                below[count] = exp(WITHIN * next_normal(&random));
                process[count] = (uint32_t)k;
            }
        }
        struct clopt_medians a = take_medians(above, process, count);
        struct clopt_medians b = take_medians(below, process, count);
        struct clopt_interval ratio = clopt_ratio_estimate(&a, &b, &spread);
        found += ratio.low > 1 || ratio.high < 1;
        clopt_medians_fini(&a);
        clopt_medians_fini(&b);
    }
    return (double)found / repetitions;
}

static void the_same_code_twice_is_called_different_at_most_once_in_twenty(void **state)
{
    (void)state;
    static const double betweens[] = {0, 0.1, 0.25, 0.5};
    for (size_t processes = 1; processes <= 4; processes++)
        for (size_t i = 0; i < 2 * sizeof betweens / sizeof *betweens; i++) {
            double share = find_false_differences(processes, betweens[i / 2], i % 2);
            if (share > 0.055)
                fail_msg("%zu processes, %g, %s: %g", processes, betweens[i / 2],
                         i % 2 ? "processor" : "GPU", share);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_process_decides_what_no_process_can_do),
        cmocka_unit_test(history_narrows_and_widens_what_is_expected),
        cmocka_unit_test(the_same_code_twice_is_called_different_at_most_once_in_twenty),
        cmocka_unit_test(ratios_need_a_process_in_common),
        cmocka_unit_test(what_processes_share_cancels_out),
        cmocka_unit_test(single_samples_give_the_interval_of_students_t),
        cmocka_unit_test(one_process_gives_a_ratio_without_assurance),
        cmocka_unit_test(ratio_intervals_hold_the_ratio_as_often_as_they_say),
        cmocka_unit_test(pairing_is_what_makes_ratios_narrow),
        cmocka_unit_test(load_that_comes_and_goes_makes_no_differences),
        cmocka_unit_test(a_fifth_is_found_where_it_is_calm),
        cmocka_unit_test(one_process_borrows_what_others_vary_by),
        cmocka_unit_test(ratios_go_through_a_third_where_that_says_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
