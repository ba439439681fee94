/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves when a trial needs no more samples: it is surely slower than the best, or precise across
 * processes, tied with the best, or has used up what it may; and how many samples a process takes.
 */
#include "race/ranking.h"

#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include <clopt/random.h>

#include <cmocka.h>

#define PROCESSES 3

/* A race on a GPU, one kernel, whose initial code takes 1000. */
struct fixture {
    struct clopt_study study;
    struct clopt_pool_device device;
    struct clopt_run run;
    struct clopt_ranking ranking;
    struct clopt_candidate *candidates[4];
    struct clopt_candidate initial;
    struct clopt_candidate again;
    struct clopt_candidate other;
    struct clopt_candidate best;
    struct clopt_race race;
};

static void init_candidate(struct clopt_candidate *candidate)
{
    *candidate = (struct clopt_candidate){.kernels = 1,
                                          .samples.column_count = 2,
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
    fixture.race = (struct clopt_race){.run = &fixture.run,
                                       .kernel_count = 1,
                                       .ranking = &fixture.ranking,
                                       .candidates = fixture.candidates,
                                       .count = 4};
    struct clopt_candidate *const all[] = {&fixture.initial, &fixture.again, &fixture.other,
                                           &fixture.best};
    for (size_t i = 0; i < 4; i++) {
        init_candidate(all[i]);
        fixture.candidates[i] = all[i];
    }
    fixture.initial.role = CLOPT_ROLE_INITIAL;
    fixture.again.role = CLOPT_ROLE_AGAIN;
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    clopt_candidate_fini(&fixture->initial);
    clopt_candidate_fini(&fixture->again);
    clopt_candidate_fini(&fixture->other);
    clopt_candidate_fini(&fixture->best);
    return 0;
}

/* Adds samples of one process whose kernel takes `time`, give or take `spread`; its threads waited
 * for a share of that. */
static void add_waiting(struct clopt_candidate *candidate, uint32_t process, size_t count,
                        double time, double spread, double waited)
{
    for (size_t i = 0; i < count; i++) {
        double part = count > 1 ? (double)(i * 7 % count) / (double)(count - 1) - 0.5 : 0;
        double row[2] = {time * (1 + 2 * spread * part), time};
        clopt_samples_add(&candidate->samples, process, row, waited);
    }
    candidate->samples.measurements++;
}

static void add(struct clopt_candidate *candidate, uint32_t process, size_t count, double time,
                double spread)
{
    add_waiting(candidate, process, count, time, spread, 0);
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
    clopt_ranking_find_leaders(&fixture->race);
}

static bool is_settled(const struct fixture *fixture, const struct clopt_candidate *candidate)
{
    return clopt_ranking_is_settled(&fixture->race, candidate);
}

static void one_surely_slower_than_the_best_is_settled_at_once(void **state)
{
    struct fixture *fixture = *state;
    measure(fixture, 1, 5, 700);
    assert_ptr_equal(fixture->ranking.leader, &fixture->best);
    assert_true(is_settled(fixture, &fixture->other));
    assert_false(is_settled(fixture, &fixture->best));
}

/* What reports call too noisy is not said to be near the best either. */
static void what_is_too_noisy_is_not_certain(void **state)
{
    struct fixture *fixture = *state;
    for (uint32_t process = 1; process <= 4; process++) {
        add(&fixture->initial, process, 11, 1000, 0.01);
        add(&fixture->again, process, 11, 1001, 0.01);
        add(&fixture->best, process, 11, 500, 0.01);
        add(&fixture->other, process, 11, process % 2 ? 700 : 1400, 0.01);
    }
    clopt_ranking_find_leaders(&fixture->race);
    assert_true(clopt_ranking_is_certain(&fixture->race, &fixture->initial, 0));
    assert_true(clopt_ranking_is_certain(&fixture->race, &fixture->best, 0));
    assert_false(clopt_ranking_is_certain(&fixture->race, &fixture->other, 0));
}

static void few_samples_settle_nothing(void **state)
{
    struct fixture *fixture = *state;
    measure(fixture, 1, 2, 700);
    assert_false(is_settled(fixture, &fixture->other));
}

/* On a processor, what threads waited for others says nothing: a variant is settled if it is slower
 * than the best without that, too. As a finalist it is compared as it was measured. */
static void waiting_is_no_evidence(void **state)
{
    struct fixture *fixture = *state;
    fixture->study.measure.winner_only = true;
    fixture->race.on_cpu = true;
    measure(fixture, 1, 0, 0);
    add_waiting(&fixture->other, 1, 5, 1500, 0.01, 0.67); /* 495 of them it ran */
    assert_false(is_settled(fixture, &fixture->other));
    assert_false(clopt_ranking_judge(&fixture->race, &fixture->other, 0).slower);
    fixture->other.samples.rounds = 1;
    double gain = clopt_ranking_gain(&fixture->race, &fixture->other, 0);
    assert_true(gain > 0.66 && gain < 0.68); /* by the clock, which is less */
    assert_true(clopt_ranking_judge(&fixture->race, &fixture->other, 0).slower);
    add_waiting(&fixture->initial, 2, 11, 4000, 0.01, 0.75);
    add(&fixture->best, 2, 11, 500, 0.01);
    clopt_ranking_find_leaders(&fixture->race);
    gain = clopt_ranking_gain(&fixture->race, &fixture->best, 0);
    assert_true(gain > 1.9 && gain < 2.1); /* 8 by the clock in a process that waited */
}

/* One sample settles a variant that is far from the best, whatever its threads waited. */
static void one_sample_shows_who_is_far(void **state)
{
    struct fixture *fixture = *state;
    fixture->study.measure.winner_only = true;
    measure(fixture, 1, 0, 0);
    add_waiting(&fixture->other, 1, 1, 3000, 0, 0.5);
    assert_true(is_settled(fixture, &fixture->other));
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
    clopt_ranking_find_leaders(&fixture->race);
    assert_true(is_settled(fixture, &fixture->other)); /* the finals see to it */
}

static void what_was_asked_for_ends_it(void **state)
{
    struct fixture *fixture = *state;
    measure(fixture, PROCESSES, 11, 502);
    for (uint32_t process = 1; process <= PROCESSES; process++)
        add(&fixture->other, process, 1, 400 + 100 * (double)process, 0);
    fixture->study.measure.precision = 0.0001;
    fixture->other.samples.measurements = fixture->best.samples.measurements = PROCESSES;
    assert_false(is_settled(fixture, &fixture->best));
    fixture->study.measure.max_samples = 20;
    assert_true(is_settled(fixture, &fixture->best));
    fixture->study.measure.max_samples = 200;
    fixture->study.measure.max_time_s = 1e-6;
    assert_true(is_settled(fixture, &fixture->best));
    fixture->study.measure.max_time_s = 10;
    fixture->best.samples.measurements = 2 * PROCESSES;
    assert_true(is_settled(fixture, &fixture->best));
}

static bool has_enough(const struct fixture *fixture, uint32_t process)
{
    return clopt_ranking_has_enough(&fixture->race, &fixture->best, process);
}

/* Of a process no more is wanted than it can say: half of the precision, or what processes differ
 * by, unless samples cost less than a process. */
static void a_process_takes_few_samples(void **state)
{
    struct fixture *fixture = *state;
    fixture->best.finals = 1;
    assert_false(has_enough(fixture, 1)); /* none */
    add(&fixture->best, 1, 4, 500, 0.001);
    assert_false(has_enough(fixture, 1)); /* too few */
    add(&fixture->best, 2, 5, 500, 0.001);
    assert_true(has_enough(fixture, 2));
    add(&fixture->best, 3, 20, 500, 0.5);
    assert_false(has_enough(fixture, 3));
    fixture->ranking.spread.freedom = 10; /* processes differ by more */
    fixture->ranking.spread.deviations = 10 * 0.5;
    assert_false(has_enough(fixture, 3)); /* 20 samples that take 10 us */
    add(&fixture->best, 4, 20, 2e6, 0.5);
    assert_true(has_enough(fixture, 4));
    fixture->ranking.spread.deviations = 0;
    fixture->study.measure.max_samples = PROCESSES * 20;
    assert_true(has_enough(fixture, 3));
    fixture->study.measure.max_time_s = 1e-9;
    assert_true(has_enough(fixture, 1));
}

static void long_samples_are_for_a_median_where_the_best_alone_is_asked_for(void **state)
{
    struct fixture *fixture = *state;
    const struct clopt_race *race = &fixture->race;
    fixture->study.measure.winner_only = true;
    add(&fixture->initial, 1, 3, 50e6, 0.01);
    assert_true(clopt_ranking_has_enough(race, &fixture->initial, 1));
    add(&fixture->initial, 2, 2, 60e6, 0.01);
    assert_false(clopt_ranking_has_enough(race, &fixture->initial, 2)); /* two are not a median */
    add(&fixture->initial, 3, 3, 5e6, 0.01);
    assert_false(clopt_ranking_has_enough(race, &fixture->initial, 3)); /* short ones cost little */
    add(&fixture->initial, 3, 2, 5e6, 0.01);
    assert_true(clopt_ranking_has_enough(race, &fixture->initial, 3));
    fixture->other.finals = 1;
    add(&fixture->other, 1, 2, 60e6, 0.01);
    assert_false(clopt_ranking_has_enough(race, &fixture->other, 1));
    add(&fixture->other, 1, 1, 60e6, 0.01);
    assert_true(clopt_ranking_has_enough(race, &fixture->other, 1));
    fixture->study.measure.winner_only = false;
    assert_false(clopt_ranking_has_enough(race, &fixture->initial, 1));
    assert_false(clopt_ranking_has_enough(race, &fixture->other, 1));
}

static void hopeless_is_far_above_the_best(void **state)
{
    struct fixture *fixture = *state;
    measure(fixture, 1, 3, 1600);
    assert_true(clopt_ranking_is_hopeless(&fixture->race, &fixture->other));
    fixture->study.measure.abandon = 3.3;
    assert_false(clopt_ranking_is_hopeless(&fixture->race, &fixture->other));
    fixture->study.measure.abandon = 1.1;
    assert_false(clopt_ranking_is_hopeless(&fixture->race, &fixture->initial));
    assert_false(clopt_ranking_is_hopeless(&fixture->race, &fixture->again));
}

/* One sample may have been disturbed. */
static void one_sample_has_to_be_twice_as_far(void **state)
{
    struct fixture *fixture = *state;
    measure(fixture, 1, 1, 2900);
    assert_false(clopt_ranking_is_hopeless(&fixture->race, &fixture->other));
    fixture->study.measure.abandon = 2.8;
    assert_true(clopt_ranking_is_hopeless(&fixture->race, &fixture->other));
}

static void one_that_failed_never_leads(void **state)
{
    struct fixture *fixture = *state;
    fixture->best.row.outcome = CLOPT_OUTCOME_WRONG_RESULT;
    fixture->best.row.complete = true;
    measure(fixture, 1, 11, 700);
    assert_ptr_equal(fixture->ranking.leader, &fixture->other);
}

/* ---- an initial code that takes long ---- */

/* A candidate is launched for the first time, which takes so long. */
static void launch(struct fixture *fixture, struct clopt_candidate *candidate, double takes_ns)
{
    json_auto_t *answer = json_pack("{s:[f,f]}", "launch_ns", takes_ns, takes_ns);
    clopt_ranking_take_launch(&fixture->race, candidate, answer, 0);
}

/* A search whose initial code takes 1.3 s, the other one 4 ms and the best 3 ms, in one process. */
static void search_slow(struct fixture *fixture)
{
    fixture->study.measure.winner_only = true;
    fixture->study.measure.max_time_s = 1.5;
    fixture->race.tuning = (struct clopt_tuning *)fixture; /* there is one */
    fixture->race.on_cpu = true;
    fixture->race.members = 1;
    fixture->race.expected = clopt_spread_prior(true, &(struct clopt_spread){0});
    launch(fixture, &fixture->initial, 1.3e9);
    launch(fixture, &fixture->best, 3.1e6);
    add(&fixture->initial, 1, 1, 1.3e9, 0);
    add(&fixture->best, 1, 5, 3e6, 0.01);
    add(&fixture->other, 1, 5, 4e6, 0.01);
    clopt_ranking_find_leaders(&fixture->race);
}

static void an_initial_code_that_is_far_slower_is_measured_seldom(void **state)
{
    struct fixture *fixture = *state;
    search_slow(fixture);
    assert_ptr_equal(clopt_race_reference(&fixture->race), &fixture->best);
    assert_false(clopt_ranking_needs_initial(&fixture->race, false));
    assert_true(clopt_ranking_needs_initial(&fixture->race, true));
    add(&fixture->initial, 2, 1, 1.3e9, 0);
    assert_false(clopt_ranking_needs_initial(&fixture->race, true));
    fixture->study.measure.max_time_s = 10; /* as long as a variant may be measured */
    assert_true(clopt_ranking_needs_initial(&fixture->race, true));
    add(&fixture->initial, 3, 1, 1.3e9, 0);
    assert_false(clopt_ranking_needs_initial(&fixture->race, true));
    fixture->best.finals = 1; /* alone in the finals: there is time left for its gain */
    assert_true(clopt_ranking_needs_initial(&fixture->race, true));
    fixture->other.finals = 1;
    assert_false(clopt_ranking_needs_initial(&fixture->race, true));
    /* It stays, whatever is faster later, until it turns out to be wrong. */
    add(&fixture->other, 2, 5, 1e6, 0.01);
    add(&fixture->best, 2, 5, 3e6, 0.01);
    clopt_ranking_find_leaders(&fixture->race);
    assert_ptr_equal(fixture->ranking.leader, &fixture->other);
    assert_ptr_equal(clopt_race_reference(&fixture->race), &fixture->best);
    fixture->best.row.complete = true;
    fixture->best.row.outcome = CLOPT_OUTCOME_WRONG_RESULT;
    assert_true(clopt_ranking_needs_initial(&fixture->race, false));
}

/* A search does not spend its time on samples of it: what a process needs of them is one where that
 * is a good part of the time, and else as many as a median does. */
static void a_short_search_samples_a_long_initial_code_once(void **state)
{
    struct fixture *fixture = *state;
    fixture->study.measure.winner_only = true;
    fixture->study.measure.time_s = 25;
    fixture->race.tuning = (struct clopt_tuning *)fixture;
    add(&fixture->initial, 1, 1, 526e6, 0);
    add(&fixture->other, 1, 1, 526e6, 0);
    assert_true(clopt_ranking_has_enough(&fixture->race, &fixture->initial, 1));
    assert_true(clopt_ranking_has_enough(&fixture->race, &fixture->other, 1)); /* a variant */
    assert_true(clopt_ranking_once_ns(&fixture->race) == 500e6);
    fixture->study.measure.time_s = 60;
    assert_false(clopt_ranking_has_enough(&fixture->race, &fixture->other, 1));
    assert_false(clopt_ranking_has_enough(&fixture->race, &fixture->initial, 1));
    add(&fixture->initial, 1, 2, 526e6, 0.01);
    assert_true(clopt_ranking_has_enough(&fixture->race, &fixture->initial, 1));
    assert_false(clopt_ranking_has_enough(&fixture->race, &fixture->initial, 2)); /* of another */
    add(&fixture->initial, 2, 1, 526e6, 0);
    fixture->study.measure.time_s = 25;
    fixture->race.tuning = NULL; /* all that a table needs */
    assert_true(clopt_ranking_once_ns(&fixture->race) == 0);
    assert_false(clopt_ranking_has_enough(&fixture->race, &fixture->initial, 2));
}

/* Where it takes a good part of the time, a reference that is not so much faster spares it, finals
 * measure it once more, and it is run with one seed less. */
static void an_initial_code_that_takes_much_of_the_time_is_run_seldom(void **state)
{
    static const struct {
        double time_s;
        bool seldom;
    } cases[] = {{0, false}, {100, false}, {20, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture *fixture = *state;
        fixture->study.measure.time_s = cases[i].time_s;
        fixture->study.measure.winner_only = true;
        fixture->race.tuning = (struct clopt_tuning *)fixture;
        fixture->race.on_cpu = true;
        fixture->race.members = 1;
        fixture->race.expected = clopt_spread_prior(true, &(struct clopt_spread){0});
        launch(fixture, &fixture->initial, 1.2e9);
        launch(fixture, &fixture->best, 0.3e9);
        add(&fixture->initial, 1, 1, 1.2e9, 0);
        add(&fixture->best, 1, 1, 0.3e9, 0);
        clopt_ranking_find_leaders(&fixture->race);
        assert_int_equal(clopt_race_reference(&fixture->race) == &fixture->best, cases[i].seldom);
        assert_int_equal(fixture->race.bad_problems, cases[i].seldom ? 2 : 0);
        add(&fixture->initial, 2, 1, 1.2e9, 0);
        assert_int_equal(clopt_ranking_needs_initial(&fixture->race, true), !cases[i].seldom);
        tear_down(state);
        set_up(state);
    }
}

/* It is not spared where that saves little, or where all is to be compared with it. */
static void other_initial_codes_are_measured_always(void **state)
{
    static const struct {
        double initial_ns;
        bool searches;
        size_t kernels, members;
    } cases[] = {{90e6, true, 1, 1},
                 {25e6, true, 1, 1},
                 {1e9, false, 1, 1},
                 {1e9, true, 2, 1},
                 {1e9, true, 1, 2}};
    struct clopt_ranking rankings[2];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture *fixture = *state;
        memset(rankings, 0, sizeof rankings);
        fixture->race.ranking = rankings;
        fixture->race.kernel_count = cases[i].kernels;
        fixture->race.members = cases[i].members;
        fixture->race.on_cpu = true;
        fixture->race.tuning = cases[i].searches ? (struct clopt_tuning *)fixture : NULL;
        launch(fixture, &fixture->initial, cases[i].initial_ns);
        launch(fixture, &fixture->best, 3e6);
        add(&fixture->initial, 1, 5, cases[i].initial_ns, 0.01);
        add(&fixture->best, 1, 5, 3e6, 0.01);
        clopt_ranking_find_leaders(&fixture->race);
        assert_ptr_equal(rankings[0].leader, &fixture->best);
        assert_ptr_equal(clopt_race_reference(&fixture->race), &fixture->initial);
        assert_true(clopt_ranking_needs_initial(&fixture->race, false));
        tear_down(state);
        set_up(state);
    }
}

/* Its noise says little of the best where it is far slower, and no sample of it is taken again. */
static void a_slow_initial_code_is_not_measured_twice(void **state)
{
    struct fixture *fixture = *state;
    fixture->study.measure.winner_only = true;
    fixture->race.tuning = (struct clopt_tuning *)fixture;
    fixture->race.on_cpu = true;
    launch(fixture, &fixture->initial, 1.3e9);
    assert_true(clopt_candidate_wants_samples(&fixture->again));
    assert_true(clopt_ranking_needs_quiet(&fixture->race, &fixture->initial));
    launch(fixture, &fixture->best, 90e6); /* not far */
    assert_true(clopt_candidate_wants_samples(&fixture->again));
    launch(fixture, &fixture->other, 3e6);
    assert_false(clopt_candidate_wants_samples(&fixture->again));
    assert_false(clopt_ranking_needs_quiet(&fixture->race, &fixture->initial));
}

/* Variants that agree from process to process say nothing of what processes do to an initial code
 * that they were not measured beside: its ratio is as wide as its own processes and the prior leave
 * it, and that of each variant through the reference is no narrower. */
static void a_spared_initial_code_keeps_its_uncertainty(void **state)
{
    struct fixture *fixture = *state;
    search_slow(fixture);
    for (uint32_t process = 2; process < 9; process++) {
        add(&fixture->best, process, 5, 3e6, 0.001);
        add(&fixture->other, process, 5, 4e6, 0.001);
    }
    clopt_ranking_find_leaders(&fixture->race);
    assert_true(fixture->ranking.spread.freedom >= 7);
    const struct clopt_interval beside =
        clopt_ranking_ratio(&fixture->race, &fixture->initial, &fixture->best, 0);
    const struct clopt_interval through =
        clopt_ranking_ratio(&fixture->race, &fixture->initial, &fixture->other, 0);
    assert_true(beside.attained && through.attained);
    assert_int_equal(beside.processes, 1);
    assert_true(beside.high / beside.low > 8); /* 3 either way, of which nothing is known yet */
    assert_true(through.high / through.low >= 0.99 * beside.high / beside.low);
    assert_true(through.median > 324 && through.median < 326);
    const struct clopt_interval variants =
        clopt_ranking_ratio(&fixture->race, &fixture->other, &fixture->best, 0);
    assert_true(variants.high / variants.low < 1.1);
}

/* What no process has measured beside the initial code is compared with it all the same. */
static void later_variants_are_compared_through_the_reference(void **state)
{
    struct fixture *fixture = *state;
    search_slow(fixture);
    add(&fixture->best, 2, 5, 3e6, 0.01);
    add(&fixture->again, 2, 5, 1e6, 0.01); /* a variant of the second process */
    fixture->again.role = CLOPT_ROLE_VARIANT;
    clopt_ranking_find_leaders(&fixture->race);
    assert_ptr_equal(fixture->ranking.leader, &fixture->again);
    assert_true(clopt_ranking_judge(&fixture->race, &fixture->again, 0).different);
    double gain = clopt_ranking_gain(&fixture->race, &fixture->again, 0);
    assert_true(gain > 1290 && gain < 1310);
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
            struct clopt_candidate *const all[] = {&fixture->initial, &fixture->again,
                                                   &fixture->best, &fixture->other};
            for (size_t i = 0; i < 4; i++)
                for (size_t s = 0; s < 5; s++)
                    add(all[i], process, 1,
                        (i < 2 ? 1000 : 500) * shift[i] * (1 + 0.1 * clopt_random_real(&random)),
                        0);
        }
        fixture->other.samples.measurements = fixture->best.samples.measurements = PROCESSES;
        clopt_ranking_find_leaders(&fixture->race);
        struct clopt_candidate *rival =
            fixture->ranking.leader == &fixture->best ? &fixture->other : &fixture->best;
        rival->finals = 1;
        dropped += !clopt_ranking_may_win(&fixture->race, rival);
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
        cmocka_unit_test_setup_teardown(what_is_too_noisy_is_not_certain, set_up, tear_down),
        cmocka_unit_test_setup_teardown(few_samples_settle_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(waiting_is_no_evidence, set_up, tear_down),
        cmocka_unit_test_setup_teardown(one_sample_shows_who_is_far, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_table_wants_the_difference_from_the_initial_code, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_double_of_the_best_is_a_tie, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_was_asked_for_ends_it, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_process_takes_few_samples, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            long_samples_are_for_a_median_where_the_best_alone_is_asked_for, set_up, tear_down),
        cmocka_unit_test_setup_teardown(hopeless_is_far_above_the_best, set_up, tear_down),
        cmocka_unit_test_setup_teardown(one_sample_has_to_be_twice_as_far, set_up, tear_down),
        cmocka_unit_test_setup_teardown(one_that_failed_never_leads, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_initial_code_that_is_far_slower_is_measured_seldom,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_initial_code_that_takes_much_of_the_time_is_run_seldom,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_short_search_samples_a_long_initial_code_once, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(other_initial_codes_are_measured_always, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_slow_initial_code_is_not_measured_twice, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_spared_initial_code_keeps_its_uncertainty, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(later_variants_are_compared_through_the_reference, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(ties_are_kept, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
