/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves when a trial needs no more samples: it is surely slower than the best, or precise across
 * processes, tied with the best, or has used up what it may; and how many samples a process takes.
 */
#include "contest/standing.h"

#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include <clopt/random.h>

#include <cmocka.h>

#define PROCESSES 3

/* A contest on a GPU, one kernel, whose initial code takes 1000. */
struct fixture {
    struct clopt_study study;
    struct clopt_pool_device device;
    struct clopt_run run;
    struct clopt_standing standing;
    struct clopt_contender *contenders[4];
    struct clopt_contender initial;
    struct clopt_contender again;
    struct clopt_contender other;
    struct clopt_contender best;
    struct clopt_contest contest;
};

static void init_contender(struct clopt_contender *contender)
{
    *contender = (struct clopt_contender){.kernels = 1,
                                          .column_count = 2,
                                          .phase = CLOPT_PHASE_MEASURE,
                                          .row.outcome = CLOPT_OUTCOME_OK};
}

static int set_up(void **state)
{
    static struct fixture fixture;
    memset(&fixture, 0, sizeof fixture);
    fixture.study.measure = (struct clopt_measure){.precision = 0.02,
                                                   .min_samples = 5,
                                                   .max_samples = 200,
                                                   .max_time_s = 10,
                                                   .processes = PROCESSES,
                                                   .abandon = 3};
    snprintf(fixture.device.info.type, sizeof fixture.device.info.type, "gpu");
    fixture.run = (struct clopt_run){.study = &fixture.study, .devices = &fixture.device};
    fixture.contest = (struct clopt_contest){.run = &fixture.run,
                                             .kernel_count = 1,
                                             .standing = &fixture.standing,
                                             .contenders = fixture.contenders,
                                             .count = 4};
    struct clopt_contender *const all[] = {&fixture.initial, &fixture.again, &fixture.other,
                                           &fixture.best};
    for (size_t i = 0; i < 4; i++) {
        init_contender(all[i]);
        fixture.contenders[i] = all[i];
    }
    fixture.initial.role = CLOPT_ROLE_INITIAL;
    fixture.again.role = CLOPT_ROLE_AGAIN;
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    clopt_contender_fini(&fixture->initial);
    clopt_contender_fini(&fixture->again);
    clopt_contender_fini(&fixture->other);
    clopt_contender_fini(&fixture->best);
    return 0;
}

/* Adds samples of one process whose kernel takes `time`, give or take `spread`. */
static void add(struct clopt_contender *contender, uint32_t process, size_t count, double time,
                double spread)
{
    for (size_t i = 0; i < count; i++) {
        double part = count > 1 ? (double)(i * 7 % count) / (double)(count - 1) - 0.5 : 0;
        double row[2] = {time * (1 + 2 * spread * part), time};
        struct clopt_error error = {0};
        assert_int_equal(clopt_contender_add(contender, process, row, &error), CLOPT_OK);
    }
    contender->sweeps++;
}

/* The initial code and the best, twice as fast, in so many processes; the other one takes `time`.
 */
static void measure(struct fixture *fixture, uint32_t processes, size_t count, double time)
{
    for (uint32_t process = 1; process <= processes; process++) {
        add(&fixture->initial, process, 11, 1000, 0.01);
        add(&fixture->again, process, 11, 1001, 0.01);
        add(&fixture->best, process, 11, 500, 0.01);
        add(&fixture->other, process, count, time, 0.01);
    }
    clopt_standing_find_leaders(&fixture->contest);
}

static bool is_settled(const struct fixture *fixture, const struct clopt_contender *contender)
{
    return clopt_standing_is_settled(&fixture->contest, contender);
}

static void one_surely_slower_than_the_best_is_settled_at_once(void **state)
{
    struct fixture *fixture = *state;
    measure(fixture, 1, 5, 700);
    assert_ptr_equal(fixture->standing.leader, &fixture->best);
    assert_true(is_settled(fixture, &fixture->other));
    assert_false(is_settled(fixture, &fixture->best));
}

static void few_samples_settle_nothing(void **state)
{
    struct fixture *fixture = *state;
    measure(fixture, 1, 2, 700);
    assert_false(is_settled(fixture, &fixture->other));
}

static void a_table_wants_the_difference_from_the_initial_code(void **state)
{
    struct fixture *fixture = *state;
    measure(fixture, 1, 11, 1002);
    assert_false(is_settled(fixture, &fixture->other));
    fixture->study.measure.winner_only = true;
    assert_true(is_settled(fixture, &fixture->other));
}

/* Where a winner is wanted nobody is sampled to rank a tie, and who may be better by more than the
 * precision is. */
static void a_double_of_the_best_is_a_tie(void **state)
{
    struct fixture *fixture = *state;
    measure(fixture, PROCESSES - 1, 11, 502);
    assert_false(is_settled(fixture, &fixture->other));
    fixture->study.measure.winner_only = true;
    assert_true(is_settled(fixture, &fixture->other));
    fixture->study.measure.precision = 0.0001;
    assert_false(is_settled(fixture, &fixture->other));
    add(&fixture->initial, PROCESSES, 11, 1000, 0.01);
    add(&fixture->best, PROCESSES, 11, 500, 0.01);
    add(&fixture->other, PROCESSES, 11, 502, 0.01);
    clopt_standing_find_leaders(&fixture->contest);
    assert_true(is_settled(fixture, &fixture->other)); /* the finals see to it */
}

static void what_was_asked_for_ends_it(void **state)
{
    struct fixture *fixture = *state;
    measure(fixture, PROCESSES, 11, 502);
    for (uint32_t process = 1; process <= PROCESSES; process++)
        add(&fixture->other, process, 1, 400 + 100 * (double)process, 0);
    fixture->study.measure.precision = 0.0001;
    fixture->other.sweeps = fixture->best.sweeps = PROCESSES;
    assert_false(is_settled(fixture, &fixture->best));
    fixture->study.measure.max_samples = 20;
    assert_true(is_settled(fixture, &fixture->best));
    fixture->study.measure.max_samples = 200;
    fixture->study.measure.max_time_s = 1e-6;
    assert_true(is_settled(fixture, &fixture->best));
    fixture->study.measure.max_time_s = 10;
    fixture->best.sweeps = 2 * PROCESSES;
    assert_true(is_settled(fixture, &fixture->best));
}

static bool has_enough(const struct fixture *fixture, uint32_t process)
{
    return clopt_standing_has_enough(&fixture->contest, &fixture->best, process);
}

/* Of a process no more is wanted than it can say: half of the precision, or what processes differ
 * by. */
static void a_process_takes_few_samples(void **state)
{
    struct fixture *fixture = *state;
    fixture->best.places = 1;
    assert_false(has_enough(fixture, 1)); /* none */
    add(&fixture->best, 1, 4, 500, 0.001);
    assert_false(has_enough(fixture, 1)); /* too few */
    add(&fixture->best, 2, 5, 500, 0.001);
    assert_true(has_enough(fixture, 2));
    add(&fixture->best, 3, 20, 500, 0.5);
    assert_false(has_enough(fixture, 3));
    fixture->standing.spread.freedom = 10; /* processes differ by more */
    fixture->standing.spread.deviations = 10 * 0.5;
    assert_true(has_enough(fixture, 3));
    fixture->standing.spread.deviations = 0;
    fixture->study.measure.max_samples = PROCESSES * 20;
    assert_true(has_enough(fixture, 3));
    fixture->study.measure.max_time_s = 1e-9;
    assert_true(has_enough(fixture, 1));
}

static void hopeless_is_far_above_the_best(void **state)
{
    struct fixture *fixture = *state;
    measure(fixture, 1, 3, 1600);
    assert_true(clopt_standing_is_hopeless(&fixture->contest, &fixture->other));
    fixture->study.measure.abandon = 3.3;
    assert_false(clopt_standing_is_hopeless(&fixture->contest, &fixture->other));
    fixture->study.measure.abandon = 1.1;
    assert_false(clopt_standing_is_hopeless(&fixture->contest, &fixture->initial));
    assert_false(clopt_standing_is_hopeless(&fixture->contest, &fixture->again));
}

/* One sample may have been disturbed. */
static void one_sample_has_to_be_twice_as_far(void **state)
{
    struct fixture *fixture = *state;
    measure(fixture, 1, 1, 2900);
    assert_false(clopt_standing_is_hopeless(&fixture->contest, &fixture->other));
    fixture->study.measure.abandon = 2.8;
    assert_true(clopt_standing_is_hopeless(&fixture->contest, &fixture->other));
}

static void one_that_failed_never_leads(void **state)
{
    struct fixture *fixture = *state;
    fixture->best.row.outcome = CLOPT_OUTCOME_WRONG_RESULT;
    fixture->best.row.complete = true;
    measure(fixture, 1, 11, 700);
    assert_ptr_equal(fixture->standing.leader, &fixture->other);
}

/* A planted tie: the truly best and its double, on a machine that changes every process by some
 * percent and every sample by more. The winner's rival must not be dropped but 1 time in 20. */
static void ties_are_kept(void **state)
{
    struct clopt_random random = clopt_random_seed(7, 1);
    unsigned dropped = 0, rounds = 300;
    for (unsigned round = 0; round < rounds; round++) {
        set_up(state);
        struct fixture *fixture = *state;
        fixture->study.measure.winner_only = true;
        for (uint32_t process = 1; process <= PROCESSES; process++) {
            double shift[4];
            for (size_t i = 0; i < 4; i++)
                shift[i] = 0.98 + 0.04 * clopt_random_real(&random);
            struct clopt_contender *const all[] = {&fixture->initial, &fixture->again,
                                                   &fixture->best, &fixture->other};
            for (size_t i = 0; i < 4; i++)
                for (size_t s = 0; s < 5; s++)
                    add(all[i], process, 1,
                        (i < 2 ? 1000 : 500) * shift[i] * (1 + 0.1 * clopt_random_real(&random)),
                        0);
        }
        fixture->other.sweeps = fixture->best.sweeps = PROCESSES;
        clopt_standing_find_leaders(&fixture->contest);
        struct clopt_contender *rival =
            fixture->standing.leader == &fixture->best ? &fixture->other : &fixture->best;
        rival->places = 1;
        dropped += !clopt_standing_may_win(&fixture->contest, rival);
        tear_down(state);
        memset(fixture, 0, sizeof *fixture);
    }
    assert_in_range(dropped, 0, rounds / 20);
    set_up(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(one_surely_slower_than_the_best_is_settled_at_once, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(few_samples_settle_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_table_wants_the_difference_from_the_initial_code, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_double_of_the_best_is_a_tie, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_was_asked_for_ends_it, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_process_takes_few_samples, set_up, tear_down),
        cmocka_unit_test_setup_teardown(hopeless_is_far_above_the_best, set_up, tear_down),
        cmocka_unit_test_setup_teardown(one_sample_has_to_be_twice_as_far, set_up, tear_down),
        cmocka_unit_test_setup_teardown(one_that_failed_never_leads, set_up, tear_down),
        cmocka_unit_test_setup_teardown(ties_are_kept, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
