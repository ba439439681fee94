/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves how variants are compared: within the processes that measured both, or else by their
 * intervals; and that equal code is found, also among very many variants. */
#include "results/results.h"

#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define SAMPLES 9

/* Results of one problem and one device, made without a store. */
struct fixture {
    struct clopt_results results;
    struct clopt_results_device device;
    struct clopt_results_problem problem;
    struct clopt_results_noise noise[2]; /* of the kernel, of the whole run */
    struct clopt_results_table table;
};

static void begin(struct fixture *fixture, size_t rows)
{
    *fixture = (struct fixture){.noise = {{NAN, NAN}, {NAN, NAN}}};
    fixture->problem.noise = &fixture->noise[1];
    fixture->table =
        (struct clopt_results_table){.kernel = "k", .row_count = rows, .noise = &fixture->noise[0]};
    fixture->table.rows = calloc(rows, sizeof *fixture->table.rows);
    assert_non_null(fixture->table.rows);
    for (size_t i = 0; i < rows; i++) {
        struct clopt_result *cell = calloc(1, sizeof *cell);
        assert_non_null(cell);
        *cell = (struct clopt_result){.present = true,
                                      .outcome = CLOPT_OUTCOME_OK,
                                      .alias = CLOPT_NO_ROW,
                                      .trial = {.id = (int64_t)i + 1, .verdict.right = true}};
        for (int scope = 0; scope < CLOPT_SCOPE_COUNT; scope++)
            cell->times[scope].interval = cell->times[scope].speedup =
                cell->times[scope].efficiency = clopt_interval_estimate(NULL, NULL, 0);
        fixture->table.rows[i] = (struct clopt_results_row){.name = "v", .cells = cell};
    }
    fixture->results = (struct clopt_results){.devices = &fixture->device,
                                              .device_count = 1,
                                              .problems = &fixture->problem,
                                              .problem_count = 1,
                                              .tables = &fixture->table,
                                              .table_count = 1};
}

static struct clopt_result *cell(struct fixture *fixture, size_t row)
{
    return fixture->table.rows[row].cells;
}

static struct clopt_result_time *time_of(struct fixture *fixture, size_t row)
{
    return &cell(fixture, row)->times[CLOPT_SCOPE_KERNEL];
}

/* Gives a row samples around `time` in the processes `first` to `last`, of which each is slower by
 * a tenth than the one before. */
static void measure(struct fixture *fixture, size_t row, double time, uint32_t first, uint32_t last)
{
    double samples[100];
    uint32_t process[100];
    size_t count = 0;
    for (uint32_t p = first; p <= last; p++)
        for (int i = 0; i < SAMPLES; i++, count++) {
            samples[count] = time * pow(1.1, p) * (1 + 0.001 * ((i * 5 + (int)row) % SAMPLES));
            process[count] = p;
        }
    struct clopt_result *result = cell(fixture, row);
    for (int scope = 0; scope < CLOPT_SCOPE_COUNT; scope++) {
        result->times[scope].interval = clopt_interval_estimate(samples, process, count);
        clopt_medians_init(&result->medians[scope], samples, process, count);
    }
}

static void end(struct fixture *fixture)
{
    for (size_t i = 0; i < fixture->table.row_count; i++) {
        for (int scope = 0; scope < CLOPT_SCOPE_COUNT; scope++)
            clopt_medians_fini(&cell(fixture, i)->medians[scope]);
        free(cell(fixture, i));
    }
    free(fixture->table.rows);
}

static void rank(struct fixture *fixture)
{
    clopt_results_rank(&fixture->results);
}

static void speedups_do_not_see_what_processes_differ_in(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, 2);
    measure(&fixture, 0, 100, 1, 5);
    measure(&fixture, 1, 95, 1, 5);
    rank(&fixture);
    const struct clopt_result_time *time = time_of(&fixture, 1);
    assert_true(clopt_interval_overlap(&time->interval, &time_of(&fixture, 0)->interval));
    assert_int_equal(time->speedup.processes, 5);
    assert_true(time->speedup.low > 1.04 && time->speedup.high < 1.07);
    assert_true(time->different && time->best);
    assert_false(time_of(&fixture, 0)->tied);
    assert_true(isnan(time_of(&fixture, 0)->speedup.median));
    end(&fixture);
}

static void only_common_processes_count(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, 2);
    measure(&fixture, 0, 100, 1, 9);
    measure(&fixture, 1, 100, 1, 3);
    rank(&fixture);
    assert_int_equal(time_of(&fixture, 1)->speedup.processes, 3);
    assert_true(fabs(time_of(&fixture, 1)->speedup.median - 1) < 0.01);
    /* By medians alone it would be 1.1 to the power of 3. */
    assert_false(time_of(&fixture, 1)->different);
    end(&fixture);
}

/* Variants of which each takes a different time in each process, by up to `spread`, and a last one
 * of a single process that takes 60% of the initial code's. */
static struct clopt_result_time compare_one_process(double spread)
{
    struct fixture fixture;
    const size_t rows = 12;
    begin(&fixture, rows);
    measure(&fixture, 0, 100, 1, 3);
    for (size_t i = 1; i < rows; i++) {
        measure(&fixture, i, i + 1 < rows ? 100 : 60, 1, i + 1 < rows ? 3 : 1);
        struct clopt_medians *medians = cell(&fixture, i)->medians;
        for (int scope = 0; scope < CLOPT_SCOPE_COUNT && i + 1 < rows; scope++)
            for (size_t p = 0; p < 3; p++)
                medians[scope].items[p].log_median += log(spread) * (double)((i + p) % 3);
    }
    rank(&fixture);
    struct clopt_result_time time = *time_of(&fixture, rows - 1);
    end(&fixture);
    return time;
}

static void one_process_is_judged_by_what_all_others_differ_in(void **state)
{
    (void)state;
    struct clopt_result_time time = compare_one_process(1.4);
    assert_true(time.speedup.processes == 1 && time.speedup.attained);
    assert_false(time.different);
    time = compare_one_process(1.02);
    assert_true(time.speedup.attained && time.different);
    assert_true(time.speedup.low > 1.4 && time.speedup.high < 2);
}

static void without_a_common_process_medians_are_compared(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, 3);
    measure(&fixture, 0, 100, 1, 3);
    measure(&fixture, 1, 10, 4, 6);
    measure(&fixture, 2, 8, 7, 9);
    rank(&fixture);
    const struct clopt_interval *speedup = &time_of(&fixture, 1)->speedup;
    const struct clopt_interval *initial = &time_of(&fixture, 0)->interval;
    const struct clopt_interval *own = &time_of(&fixture, 1)->interval;
    assert_int_equal(speedup->processes, 0);
    assert_false(speedup->attained);
    assert_true(speedup->median == initial->median / own->median);
    assert_true(speedup->low == initial->low / own->high);
    assert_true(speedup->high == initial->high / own->low);
    assert_true(time_of(&fixture, 1)->best);
    assert_true(time_of(&fixture, 2)->tied); /* the intervals overlap */
    assert_false(time_of(&fixture, 0)->tied);
    end(&fixture);
}

static void what_is_within_the_noise_is_no_difference(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, 2);
    fixture.noise[0].noise = 0.06;
    fixture.noise[1].noise = 0.01;
    measure(&fixture, 0, 100, 1, 5);
    measure(&fixture, 1, 95, 1, 5);
    rank(&fixture);
    assert_false(time_of(&fixture, 1)->different);
    assert_true(time_of(&fixture, 1)->best);
    assert_true(time_of(&fixture, 0)->tied);
    /* The whole run has a noise of its own. */
    assert_true(cell(&fixture, 1)->times[CLOPT_SCOPE_RUN].different);
    assert_false(cell(&fixture, 0)->times[CLOPT_SCOPE_RUN].tied);
    end(&fixture);
}

/* Where nothing is expected of the device. */
static void one_process_decides_nothing(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, 2);
    measure(&fixture, 0, 200, 1, 1);
    measure(&fixture, 1, 100, 1, 1);
    rank(&fixture);
    assert_true(time_of(&fixture, 1)->speedup.low > 1.9);
    assert_int_equal(time_of(&fixture, 1)->verdict, CLOPT_VERDICT_TOO_FEW);
    assert_false(time_of(&fixture, 1)->different);
    end(&fixture);
}

/* ... but what is beyond all that processes do there. */
static void one_process_decides_what_is_large(void **state)
{
    (void)state;
    for (int large = 0; large < 2; large++) {
        struct fixture fixture;
        begin(&fixture, 2);
        fixture.device.expected = clopt_spread_prior(true, &(struct clopt_spread){0});
        measure(&fixture, 0, large ? 1700 : 105, 1, 1);
        measure(&fixture, 1, 100, 1, 1);
        rank(&fixture);
        const struct clopt_result_time *time = time_of(&fixture, 1);
        assert_int_equal(time->verdict, large ? CLOPT_VERDICT_FASTER : CLOPT_VERDICT_TOO_FEW);
        assert_true(time->best && time->speedup.attained);
        assert_true(time->regret.high >= 0); /* how near the best is known of one, too */
        end(&fixture);
    }
}

/* A search has measured the initial code in one process, and later all beside its best: what others
 * agree on narrows no ratio to that initial code. */
static void a_spared_initial_code_is_compared_through_what_has_all_processes(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, 4);
    fixture.device.expected = clopt_spread_prior(true, &(struct clopt_spread){0});
    measure(&fixture, 0, 40000, 1, 1);
    measure(&fixture, 1, 100, 1, 7);
    measure(&fixture, 2, 200, 2, 2);
    measure(&fixture, 3, 80, 3, 7);
    rank(&fixture);
    assert_ptr_equal(fixture.noise[0].reference, cell(&fixture, 1));
    const struct clopt_interval *speedup = &time_of(&fixture, 3)->speedup;
    assert_true(speedup->attained && fabs(speedup->median / 500 - 1) < 0.01);
    assert_true(speedup->high / speedup->low > 8);
    assert_true(fabs(time_of(&fixture, 2)->speedup.median / 200 - 1) < 0.01);
    assert_true(time_of(&fixture, 3)->best && time_of(&fixture, 1)->behind);
    end(&fixture);
}

/* What seems slower than the initial code, and is not decided, is not named; not even where a
 * search has named it. */
static void what_seems_slower_is_not_the_best(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, 2);
    fixture.device.expected = clopt_spread_prior(true, &(struct clopt_spread){0});
    measure(&fixture, 0, 97.7, 1, 1);
    measure(&fixture, 1, 100, 1, 1);
    fixture.noise[0].named = (struct clopt_store_named){.trial = 2, .regret = {0.1, 0.2}};
    fixture.table.initial = 0;
    rank(&fixture);
    assert_false(time_of(&fixture, 1)->best);
    assert_true(time_of(&fixture, 0)->best && time_of(&fixture, 1)->tied);
    end(&fixture);
}

/* The initial code is longer than a time slice, and half of it waiting; the variant fits into one.
 */
static void threads_time_bounds_what_the_clock_says(void **state)
{
    (void)state;
    for (int waited = 0; waited < 2; waited++) {
        struct fixture fixture;
        begin(&fixture, 2);
        measure(&fixture, 0, 459, 1, 3);
        measure(&fixture, 1, 1, 1, 3);
        struct clopt_waited *shares = calloc(2, sizeof *shares);
        shares[0] = (struct clopt_waited){1, 0.84};
        shares[1] = (struct clopt_waited){3, 0.84};
        fixture.table.rows[0].cells->waited = shares;
        fixture.table.rows[0].cells->waited_count = waited ? 2 : 0;
        static const double logs[] = {0, -1.8325814637483102, 0}; /* one was not disturbed */
        for (int scope = 0; scope < CLOPT_SCOPE_COUNT; scope++)
            for (size_t p = 0; p < 3; p++)
                cell(&fixture, 0)->medians[scope].items[p].log_median += logs[p];
        rank(&fixture);
        const struct clopt_result_time *time = time_of(&fixture, 1);
        if (waited) {
            assert_true(fabs(time->speedup.median / (459 * 0.16) - 1) < 0.01);
            assert_true(time->by_clock > 200 && time->speedup.low < 75);
            assert_true(time->speedup.high > 200); /* it is between both */
        } else {
            assert_true(time->by_clock == 0 && time->speedup.median > 200);
        }
        free(shares);
        end(&fixture);
    }
}

static void the_winner_is_what_surely_gains_most(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, 5);
    measure(&fixture, 0, 600, 1, 9);
    measure(&fixture, 1, 90, 1, 1); /* the least time, of one process */
    measure(&fixture, 2, 100, 2, 5);
    measure(&fixture, 3, 101, 2, 5);
    measure(&fixture, 4, 99, 6, 7); /* differs from process to process */
    for (int scope = 0; scope < CLOPT_SCOPE_COUNT; scope++)
        for (size_t i = 0; i < 2; i++)
            cell(&fixture, 4)->medians[scope].items[i].log_median += i ? log(2.1) : -log(2);
    cell(&fixture, 1)->trial.abandoned = cell(&fixture, 2)->trial.abandoned = true;
    rank(&fixture);
    assert_true(time_of(&fixture, 4)->speedup.high > time_of(&fixture, 2)->speedup.high);
    assert_true(time_of(&fixture, 2)->best);
    /* What was not measured to the end is abandoned only where it surely is slower. */
    assert_false(clopt_result_is_abandoned(cell(&fixture, 2), CLOPT_SCOPE_KERNEL));
    end(&fixture);
}

static void what_a_search_has_named_is_the_best_unless_it_surely_is_not(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, 4);
    measure(&fixture, 0, 200, 1, 5);
    measure(&fixture, 1, 100, 1, 5);
    measure(&fixture, 2, 100.1, 1, 5);
    measure(&fixture, 3, 110, 1, 5);
    fixture.table.rows[1].name = "loops(unroll=4,loops=all)";
    fixture.table.rows[2].name = "loops(unroll=4)";
    rank(&fixture);
    assert_true(time_of(&fixture, 2)->best && time_of(&fixture, 1)->tied); /* and simpler */
    assert_true(time_of(&fixture, 2)->regret.high <= 0.02);
    assert_true(isnan(time_of(&fixture, 1)->regret.high));
    fixture.noise[0].named =
        (struct clopt_store_named){.trial = 2, .regret = {0.001, 0.013}, .earlier = false};
    rank(&fixture);
    assert_true(time_of(&fixture, 1)->best && time_of(&fixture, 1)->regret.high == 0.013);
    fixture.noise[0].named.earlier =
        true; /* what that run has promised is no promise of this one */
    rank(&fixture);
    assert_true(time_of(&fixture, 1)->best && time_of(&fixture, 1)->regret.high != 0.013);
    fixture.noise[0].named.trial = 4;
    rank(&fixture);
    assert_true(time_of(&fixture, 2)->best);
    end(&fixture);
}

static void a_better_median_from_luckier_processes_does_not_win(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, 3);
    measure(&fixture, 0, 200, 1, 9);
    measure(&fixture, 1, 100, 1, 3); /* the fast processes */
    measure(&fixture, 2, 90, 2, 9);
    rank(&fixture);
    assert_true(time_of(&fixture, 1)->interval.median < time_of(&fixture, 2)->interval.median);
    assert_true(time_of(&fixture, 2)->best);
    assert_false(time_of(&fixture, 1)->tied);
    end(&fixture);
}

static void what_was_abandoned_is_not_tied(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, 2);
    measure(&fixture, 0, 100, 1, 5);
    static const double samples[] = {900, 920, 300, 310};
    static const uint32_t process[] = {1, 1, 2, 2};
    struct clopt_result *result = cell(&fixture, 1);
    for (int scope = 0; scope < CLOPT_SCOPE_COUNT; scope++) {
        result->times[scope].interval = clopt_interval_estimate(samples, process, 4);
        clopt_medians_init(&result->medians[scope], samples, process, 4);
    }
    rank(&fixture);
    assert_true(time_of(&fixture, 1)->tied); /* two processes say little */
    result->trial.abandoned = true;
    rank(&fixture);
    assert_false(time_of(&fixture, 1)->tied);
    end(&fixture);
}

static void efficiency_is_a_ratio_to_the_best_in_the_processes_of_both(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, 4);
    measure(&fixture, 0, 200, 1, 5);
    measure(&fixture, 1, 100, 1, 9); /* by medians alone, 1.1 squared times as slow */
    measure(&fixture, 2, 400, 11, 13);
    measure(&fixture, 3, 50, 1, 9);
    cell(&fixture, 3)->trial.verdict.right = false;
    rank(&fixture);
    const struct clopt_interval *initial = &time_of(&fixture, 0)->efficiency;
    assert_true(time_of(&fixture, 1)->best);
    assert_int_equal(initial->processes, 5);
    assert_true(initial->attained && fabs(initial->median - 0.5) < 0.01);
    assert_true(initial->low < initial->median && initial->median < initial->high);
    const struct clopt_interval *best = &time_of(&fixture, 1)->efficiency;
    assert_true(best->median == 1 && best->low == 1 && best->high == 1);
    const struct clopt_interval *apart = &time_of(&fixture, 2)->efficiency;
    const struct clopt_interval *one = &time_of(&fixture, 1)->interval;
    const struct clopt_interval *other = &time_of(&fixture, 2)->interval;
    assert_true(apart->processes == 0 && !apart->attained);
    assert_true(apart->median == one->median / other->median);
    assert_true(apart->low == one->low / other->high && apart->high == one->high / other->low);
    assert_true(isnan(time_of(&fixture, 3)->efficiency.median));
    end(&fixture);
}

static void what_was_measured_apart_is_compared_through_the_initial_code(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, 3);
    measure(&fixture, 0, 200, 1, 6);
    measure(&fixture, 1, 80, 1, 3);
    measure(&fixture, 2, 60, 4, 6); /* in slower processes: the medians are the same, about */
    rank(&fixture);
    const struct clopt_interval *ratio = &time_of(&fixture, 1)->efficiency;
    assert_true(time_of(&fixture, 2)->best && !time_of(&fixture, 1)->tied);
    assert_true(ratio->processes == 3 && ratio->attained);
    assert_true(fabs(ratio->median - 0.75) < 0.01);
    end(&fixture);
}

static void the_same_program_as_the_best_is_as_fast(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, 4);
    static char *const codes[] = {"a", "b", "b", "a"};
    for (size_t i = 0; i < 4; i++)
        cell(&fixture, i)->trial.fingerprint = codes[i];
    measure(&fixture, 0, 100, 1, 3);
    measure(&fixture, 1, 50, 1, 3);
    rank(&fixture);
    const struct clopt_interval *same = &time_of(&fixture, 2)->efficiency;
    assert_true(same->median == 1 && same->low == 1 && same->high == 1 && same->attained);
    assert_true(time_of(&fixture, 3)->efficiency.median == time_of(&fixture, 0)->efficiency.median);
    assert_true(fabs(time_of(&fixture, 3)->efficiency.median - 0.5) < 0.01);
    end(&fixture);
}

static void the_wrong_and_the_unverified_are_not_ranked(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, 3);
    for (size_t i = 0; i < 3; i++)
        measure(&fixture, i, 100 - 10 * (double)i, 1, 3);
    cell(&fixture, 1)->outcome = CLOPT_OUTCOME_WRONG_RESULT;
    cell(&fixture, 2)->trial.verdict.right = false;
    rank(&fixture);
    assert_true(time_of(&fixture, 0)->best);
    for (size_t i = 1; i < 3; i++) {
        assert_false(cell(&fixture, i)->ranked || time_of(&fixture, i)->tied);
        assert_true(isnan(time_of(&fixture, i)->speedup.median));
    }
    end(&fixture);
}

static void equal_code_borrows_times_from_wherever_they_are(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, 5);
    static char *const codes[] = {"a", "b", "b", "b", "a"};
    for (size_t i = 0; i < 5; i++)
        cell(&fixture, i)->trial.fingerprint = codes[i];
    measure(&fixture, 0, 100, 1, 3);
    measure(&fixture, 2, 50, 1, 3);
    measure(&fixture, 3, 51, 1, 3);
    rank(&fixture);
    assert_true(cell(&fixture, 0)->alias == CLOPT_NO_ROW);
    assert_true(cell(&fixture, 2)->alias == CLOPT_NO_ROW);
    assert_int_equal(cell(&fixture, 1)->alias, 2);
    assert_true(cell(&fixture, 1)->borrowed);
    assert_true(time_of(&fixture, 1)->interval.median == time_of(&fixture, 2)->interval.median);
    assert_true(fabs(time_of(&fixture, 1)->speedup.median - 2) < 0.01);
    assert_int_equal(cell(&fixture, 3)->alias, 2);
    assert_false(cell(&fixture, 3)->borrowed); /* measured apart: both times are shown */
    assert_int_equal(cell(&fixture, 4)->alias, 0);
    assert_true(time_of(&fixture, 2)->best);
    end(&fixture);
}

static void the_same_failed_trial_is_the_same_code(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, 3);
    cell(&fixture, 2)->trial.id = 2;
    for (size_t i = 0; i < 3; i++)
        cell(&fixture, i)->outcome = CLOPT_OUTCOME_BUILD_FAILED;
    rank(&fixture);
    assert_true(cell(&fixture, 1)->alias == CLOPT_NO_ROW);
    assert_int_equal(cell(&fixture, 2)->alias, 1);
    end(&fixture);
}

static void a_hundred_thousand_variants_are_compared(void **state)
{
    (void)state;
    struct fixture fixture;
    const size_t count = 100000;
    char codes[1000][8];
    begin(&fixture, count);
    for (size_t i = 0; i < 1000; i++)
        snprintf(codes[i], sizeof codes[i], "f%zu", i);
    for (size_t i = 0; i < count; i++)
        cell(&fixture, i)->trial.fingerprint = codes[i * 7 % 1000];
    for (size_t i = 0; i < 1000; i++)
        measure(&fixture, i, 100 + (double)i, 1, 3);
    rank(&fixture);
    assert_true(time_of(&fixture, 0)->best);
    for (size_t i = 1000; i < count; i++)
        assert_true(cell(&fixture, i)->alias == i % 1000 && cell(&fixture, i)->borrowed);
    end(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(speedups_do_not_see_what_processes_differ_in),
        cmocka_unit_test(only_common_processes_count),
        cmocka_unit_test(one_process_is_judged_by_what_all_others_differ_in),
        cmocka_unit_test(without_a_common_process_medians_are_compared),
        cmocka_unit_test(what_is_within_the_noise_is_no_difference),
        cmocka_unit_test(one_process_decides_nothing),
        cmocka_unit_test(one_process_decides_what_is_large),
        cmocka_unit_test(a_spared_initial_code_is_compared_through_what_has_all_processes),
        cmocka_unit_test(what_seems_slower_is_not_the_best),
        cmocka_unit_test(threads_time_bounds_what_the_clock_says),
        cmocka_unit_test(the_winner_is_what_surely_gains_most),
        cmocka_unit_test(what_a_search_has_named_is_the_best_unless_it_surely_is_not),
        cmocka_unit_test(a_better_median_from_luckier_processes_does_not_win),
        cmocka_unit_test(what_was_abandoned_is_not_tied),
        cmocka_unit_test(efficiency_is_a_ratio_to_the_best_in_the_processes_of_both),
        cmocka_unit_test(what_was_measured_apart_is_compared_through_the_initial_code),
        cmocka_unit_test(the_same_program_as_the_best_is_as_fast),
        cmocka_unit_test(the_wrong_and_the_unverified_are_not_ranked),
        cmocka_unit_test(equal_code_borrows_times_from_wherever_they_are),
        cmocka_unit_test(the_same_failed_trial_is_the_same_code),
        cmocka_unit_test(a_hundred_thousand_variants_are_compared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
