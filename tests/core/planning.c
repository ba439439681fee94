/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves that the time of a search is planned from its end: what the finalists need is kept, as far
 * as that leaves time to search, and a best that is still open gets what is left. */
#include "supervisor/planning.h"
#include "supervisor/rules.h"

#include <math.h>
#include <setjmp.h>

#include <cmocka.h>

#include "race/finals.h"

/* A search on a processor, one kernel. */
struct fixture {
    struct clopt_study study;
    struct clopt_pool pool;
    struct clopt_run run;
    struct clopt_ranking ranking;
    struct clopt_candidate initial, best;
    struct clopt_candidate *candidates[2];
    struct clopt_race race;
    struct clopt_device_queue queue;
};

/* Workers take `start_s` to start and open the device, `setup_s` to set the problem up, and a
 * candidate takes `each_s`. */
static void begin(struct fixture *fixture, double start_s, double setup_s, double each_s)
{
    *fixture = (struct fixture){.study.measure = {.processes = 3, .precision = 0.02, .time_s = 50},
                                .pool = {.start_s = 2 * start_s, .opened = 2}};
    fixture->run = (struct clopt_run){.study = &fixture->study, .pool = &fixture->pool};
    fixture->race = (struct clopt_race){.run = &fixture->run,
                                        .kernel_count = 1,
                                        .left = 1,
                                        .tuning = (struct clopt_tuning *)fixture, /* there is one */
                                        .expected = 0.25,
                                        .ranking = &fixture->ranking,
                                        .candidates = fixture->candidates,
                                        .count = 2};
    fixture->race.cost.setup_s = setup_s;
    fixture->race.cost.processes = 1;
    fixture->race.cost.work_s = 10 * each_s;
    fixture->race.cost.candidates = 10;
    fixture->ranking.spread.prior = 0.25;
    fixture->candidates[0] = &fixture->initial;
    fixture->candidates[1] = &fixture->best;
    for (size_t i = 0; i < 2; i++)
        *fixture->candidates[i] =
            (struct clopt_candidate){.role = i ? CLOPT_ROLE_VARIANT : CLOPT_ROLE_INITIAL,
                                     .kernels = 1,
                                     .samples.column_count = 2,
                                     .phase = CLOPT_PHASE_OVER};
    fixture->queue = (struct clopt_device_queue){.races[0] = &fixture->race, .share_s = 40};
}

/* The initial code and the best are sampled in a process, the best so many times as fast. */
static void measure(struct fixture *fixture, uint32_t process, double factor)
{
    for (size_t i = 0; i < 5; i++) {
        clopt_samples_add(&fixture->initial.samples, process, (double[]){1000, 1000}, 0);
        clopt_samples_add(&fixture->best.samples, process, (double[]){1000 / factor, 1000}, 0);
    }
    fixture->ranking.leader = &fixture->best;
    fixture->race.tally.built = CLOPT_ANY_BUILT;
}

static void end(struct fixture *fixture)
{
    clopt_candidate_fini(&fixture->initial);
    clopt_candidate_fini(&fixture->best);
}

static void the_first_process_tells_what_one_takes(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, 0.5, 1.5, 0.25);
    assert_true(fabs(clopt_planned_process_s(&fixture.race) - 4) < 1e-9); /* of eight */
    fixture.race.cost.candidates = 0;
    assert_true(clopt_planned_process_s(&fixture.race) == 0);
    assert_true(clopt_planned_measuring(&fixture.queue) == 0.9); /* nothing is known yet */
    end(&fixture);
}

/* What the first process sets up is in the cache, where a study describes the app. */
static void what_is_set_up_once_is_expected_once(void **state)
{
    (void)state;
    static const struct clopt_defined defined;
    const bool described[] = {true, false};
    for (size_t i = 0; i < 2; i++) {
        struct fixture fixture;
        begin(&fixture, 0.5, 0, 0);
        const struct clopt_app app = {.defined = described[i] ? &defined : NULL};
        const struct clopt_extension extension = {.kind = CLOPT_KIND_APP, .app = &app};
        const struct clopt_plugin_entry entry = {.extension = &extension};
        const struct clopt_study_app own = {.entry = &entry};
        json_auto_t *first = json_pack("{s:f,s:f}", "setup", 9., "sample", 0.25);
        json_auto_t *second = json_pack("{s:f,s:f}", "setup", 1., "sample", 0.25);
        fixture.race.app = &own;
        fixture.race.cost.processes = fixture.race.cost.candidates = 0;
        clopt_plan_cost(&fixture.race, &fixture.initial, first);
        clopt_plan_candidate(&fixture.race, &fixture.initial);
        assert_true(fabs(clopt_planned_process_s(&fixture.race) - (described[i] ? 2.5 : 11.5)) <
                    1e-9);
        clopt_plan_cost(&fixture.race, &fixture.initial, second);
        clopt_plan_candidate(&fixture.race, &fixture.initial);
        assert_true(fabs(clopt_planned_process_s(&fixture.race) - (described[i] ? 3.5 : 7.5)) <
                    1e-9);
        end(&fixture);
    }
}

static void what_the_finals_need_is_kept(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, 0.5, 1.5, 0.25);
    measure(&fixture, 1, 17);
    /* Of 40 seconds two processes of 4, which with the first are three. */
    assert_true(fabs(clopt_planned_measuring(&fixture.queue) - (0.97 - 8 / 40.)) < 1e-9);
    assert_true(clopt_planned_building(&fixture.queue) < clopt_planned_measuring(&fixture.queue));
    fixture.race.cost.work_s = 25; /* 22 seconds a process: some time is left to search */
    assert_true(clopt_planned_measuring(&fixture.queue) == 0.4);
    fixture.race.cost.setup_s = fixture.race.cost.work_s = 0.1; /* cheap ones change nothing */
    assert_true(clopt_planned_measuring(&fixture.queue) == 0.9);
    fixture.queue.share_s = INFINITY;
    fixture.race.cost.work_s = 25;
    assert_true(clopt_planned_measuring(&fixture.queue) == 0.9);
    end(&fixture);
}

/* Whatever a process may take, there are no finals without a variant. */
static void a_search_goes_on_until_a_variant_has_a_time(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, 0.5, 1.5, 2.5); /* 22 seconds a process */
    assert_true(clopt_planned_measuring(&fixture.queue) == 0.9);
    assert_true(clopt_planned_building(&fixture.queue) == 0.9); /* nothing is built yet */
    fixture.race.cost.candidates = 0; /* nor measured, not even the initial code */
    assert_true(clopt_planned_building(&fixture.queue) == 0.75);
    fixture.race.tally.built = 2; /* the initial code, and the same once more */
    assert_true(clopt_planned_building(&fixture.queue) == 0.75);
    fixture.race.cost.candidates = 10;
    fixture.race.tally.built = 5; /* and variants that turned out to be infeasible */
    assert_true(clopt_planned_building(&fixture.queue) == 0.9);
    fixture.best.phase = CLOPT_PHASE_MEASURE;
    fixture.initial.phase = CLOPT_PHASE_BUILD; /* beside which it is measured */
    assert_true(clopt_planned_building(&fixture.queue) == 0.9);
    fixture.initial.phase = CLOPT_PHASE_OVER;
    assert_true(clopt_planned_building(&fixture.queue) >= 0.6);
    assert_true(clopt_planned_building(&fixture.queue) < 0.9);
    measure(&fixture, 1, 17);
    assert_true(clopt_planned_measuring(&fixture.queue) == 0.4);
    end(&fixture);
}

static void a_best_that_is_open_gets_what_is_left(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, 0.1, 0.1, 0.1); /* a second a process */
    fixture.queue.finals_began_ns = 1;
    measure(&fixture, 1, 17);
    assert_true(clopt_planned_finals(&fixture.queue) == 0.9);
    assert_true(clopt_planned_need_s(&fixture.queue) == 0);
    end(&fixture);
    begin(&fixture, 0.1, 0.1, 0.1);
    fixture.queue.finals_began_ns = 1;
    measure(&fixture, 1, 1.1);
    assert_true(fabs(clopt_planned_finals(&fixture.queue) - (0.97 - 1 / 40.)) < 1e-9);
    assert_true(clopt_planned_end(&fixture.queue, true) == 0.97);
    assert_true(clopt_planned_end(&fixture.queue, false) ==
                clopt_planned_measuring(&fixture.queue));
    assert_true(clopt_planned_need_s(&fixture.queue) == 53); /* two more, of 40 in 50 */
    end(&fixture);
    begin(&fixture, 0.1, 0.1, 0.1); /* none has a time */
    fixture.ranking.leader = &fixture.initial;
    assert_true(clopt_planned_need_s(&fixture.queue) == 100); /* twice that */
    end(&fixture);
}

/* Finals tell what they take; what is left after them is time to search, up to what the next ones
 * need. */
static void time_that_finals_did_not_need_is_searched(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, 0.5, 1.5, 1.25); /* 12 seconds a process are expected */
    measure(&fixture, 1, 17);
    assert_false(clopt_planned_search(&fixture.queue, 20)); /* they have not met */
    assert_true(clopt_planned_building(&fixture.queue) * 40 < 20);
    fixture.race.cost.round_s = 0.5;
    assert_true(clopt_planned_process_s(&fixture.race) == 0.5);
    assert_true(clopt_planned_search(&fixture.queue, 20));
    assert_true(fabs(clopt_planned_building(&fixture.queue) - (0.9 - 1.25 / 40)) <
                1e-9);                                        /* one is in hand */
    assert_false(clopt_planned_search(&fixture.queue, 34.5)); /* too late for another one */
    fixture.queue.share_s = INFINITY;
    assert_false(clopt_planned_search(&fixture.queue, 20));
    end(&fixture);
}

/* The initial code, once more, wants samples: on a processor these wait for variants. */
static void the_initial_code_is_measured_beside_variants(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, 0.1, 0.1, 0.1);
    fixture.initial.phase = CLOPT_PHASE_MEASURE;
    fixture.initial.role = CLOPT_ROLE_INITIAL;
    fixture.best.phase = CLOPT_PHASE_BUILD;
    fixture.race.members = 1;
    fixture.race.shares = &(size_t){0};
    fixture.race.order.count = 1; /* more are to be tried */
    for (int on_cpu = 0; on_cpu < 2; on_cpu++) {
        fixture.race.on_cpu = on_cpu;
        clopt_race_share(&fixture.race);
        assert_int_equal(clopt_race_wants_samples(&fixture.race, 0), !on_cpu);
    }
    fixture.best.phase = CLOPT_PHASE_MEASURE;
    clopt_race_share(&fixture.race);
    assert_true(clopt_race_wants_samples(&fixture.race, 0));
    end(&fixture);
}

/* An initial code that takes many times as long as variants is no measure of what these take. */
static void variants_are_planned_by_what_variants_take(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, 0.5, 1.5, 0);
    fixture.race.cost.work_s = fixture.race.cost.setup_s = 0;
    fixture.race.cost.candidates = fixture.race.cost.processes = 0;
    static const struct clopt_app app;
    const struct clopt_extension extension = {.kind = CLOPT_KIND_APP, .app = &app};
    const struct clopt_plugin_entry entry = {.extension = &extension};
    const struct clopt_study_app own = {.entry = &entry};
    json_auto_t *slow = json_pack("{s:f}", "sample", 6.), *fast = json_pack("{s:f}", "sample", 0.1);
    fixture.race.app = &own;
    clopt_plan_cost(&fixture.race, &fixture.initial, slow);
    clopt_plan_candidate(&fixture.race, &fixture.initial);
    clopt_plan_cost(&fixture.race, &fixture.best, fast);
    clopt_plan_candidate(&fixture.race, &fixture.best);
    /* The start, six finalists, and twice the initial code. */
    assert_true(fabs(clopt_planned_process_s(&fixture.race) - (0.5 + 0.6 + 12)) < 1e-9);
    fixture.race.reference = &fixture.best; /* which is in its place */
    assert_true(fabs(clopt_planned_process_s(&fixture.race) - (0.5 + 0.6)) < 1e-9);
    measure(&fixture, 1, 17);
    /* Two processes or three, and the initial code twice: in the first of them, and with other
     * inputs. */
    assert_true(fabs(clopt_planned_measuring(&fixture.queue) - (0.97 - (3 * 1.1 + 2 * 6) / 40)) <
                1e-9);
    clopt_plan_candidate(&fixture.race, &fixture.best);
    assert_int_equal(fixture.race.cost.processes, 2);
    end(&fixture);
}

/* Where the best is surely that, finals have nothing to compare, and what is left is searched. */
static void finals_without_others_leave_time_to_search(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, 0.5, 1.5, 1.25);
    measure(&fixture, 1, 17);
    fixture.race.reference = &fixture.best;
    fixture.initial.samples.measurements = 3;
    assert_false(clopt_planned_search(&fixture.queue, 20));
    clopt_plan_alone(&fixture.race);
    assert_true(fabs(clopt_planned_process_s(&fixture.race) - 3.25) < 1e-9);
    assert_true(clopt_planned_search(&fixture.queue, 20));
    fixture.race.cost.round_s = 0.5; /* they have met */
    clopt_plan_alone(&fixture.race);
    assert_true(clopt_planned_process_s(&fixture.race) == 0.5);
    end(&fixture);
}

/* Finals that leave open what may be lost keep their share of the time; those that do not need it
 * are searched. */
static void uncertain_finals_keep_their_share(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, 0.1, 0.1, 0.1);
    measure(&fixture, 1, 17);
    fixture.race.cost.round_s = 0.5;
    assert_true(clopt_planned_measuring(&fixture.queue) == 0.9);
    fixture.ranking.regret.high = 0.3;
    assert_true(fabs(clopt_planned_measuring(&fixture.queue) - (0.97 - 0.2)) < 1e-9);
    assert_true(clopt_planned_search(&fixture.queue, 20));
    assert_false(clopt_planned_search(&fixture.queue, 31));
    end(&fixture);
}

/* Many variants of a search make demands that an odd size does not meet: what does is checked with
 * one when it is built, after the initial code. */
static void demands_are_checked_before_samples(void **state)
{
    (void)state;
    const unsigned odd = CLOPT_OTHER_PROBLEMS - 1;
    struct fixture fixture;
    begin(&fixture, 0.1, 0.1, 0.1);
    fixture.best.phase = CLOPT_PHASE_MEASURE;
    fixture.race.presorts = true;
    assert_null(clopt_finals_to_recheck(&fixture.race, odd)); /* it makes none */
    fixture.best.variant = json_pack("{s:b}", "demands", 1);
    assert_ptr_equal(clopt_finals_to_recheck(&fixture.race, odd), &fixture.initial);
    fixture.initial.checks.passed = 1u << odd;
    assert_ptr_equal(clopt_finals_to_recheck(&fixture.race, odd), &fixture.best);
    assert_null(clopt_finals_to_recheck(&fixture.race, 0));
    fixture.race.presorts = false; /* later those alone that may win */
    assert_null(clopt_finals_to_recheck(&fixture.race, odd));
    end(&fixture);
}

/* The time is over for a process that has got some ready and not all: those have one sample each,
 * and that is all. */
static void what_is_ready_is_sampled_once_at_the_end(void **state)
{
    (void)state;
    struct fixture fixture;
    struct clopt_error failure = {0};
    struct clopt_pool_device device = {.host = NULL};
    struct clopt_seat seat = {.task = NULL};
    static const struct clopt_app app;
    const struct clopt_extension extension = {.kind = CLOPT_KIND_APP, .app = &app};
    const struct clopt_plugin_entry entry = {.extension = &extension};
    const struct clopt_study_app own = {.entry = &entry};
    CLOPT_HELD(clopt_store) store = NULL;
    begin(&fixture, 0.1, 0.1, 0.1);
    fixture.study.measure.max_time_s = fixture.study.measure.max_samples = 10;
    fixture.study.measure.min_samples = 5;
    fixture.initial.role = CLOPT_ROLE_INITIAL;
    fixture.best.phase = CLOPT_PHASE_MEASURE;
    fixture.race.app = &own;
    fixture.race.members = 1;
    fixture.race.in_finals = &(bool){false};
    fixture.run.failure = &failure;
    fixture.run.devices = &device;
    assert_int_equal(clopt_store_open(":memory:", &store, &failure), CLOPT_OK);
    fixture.run.store = store;
    struct clopt_job job = {.phase = CLOPT_PHASE_MEASURE, .race = &fixture.race};
    assert_true(clopt_measurement_init(&job));
    job.task.seat = &seat;
    job.entries[0] = (struct clopt_measurement_entry){&fixture.initial, true, true, false};
    job.entries[1] = (struct clopt_measurement_entry){&fixture.best, true, false, false};
    fixture.initial.users = fixture.best.users = 1;
    job.told.stops = true;
    json_auto_t *request = job.task.next(&job.task, NULL);
    assert_non_null(request);
    assert_string_equal(json_string_value(json_object_get(request, "from")), "sample");
    assert_int_equal(json_integer_value(json_object_get(request, "id")), 0);
    json_auto_t *answer = json_pack("{s:[[i,i,i]]}", "times_ns", 1000, 1000, 0);
    assert_null(job.task.next(&job.task, answer));
    assert_int_equal(fixture.initial.samples.count, 1);
    end(&fixture);
}

/* A measurement has a place for what all are measured beside, and for the initial code where it is
 * needed. */
static void an_initial_code_that_is_spared_joins_the_finals(void **state)
{
    (void)state;
    struct fixture fixture;
    bool in_finals = false;
    begin(&fixture, 0.1, 0.1, 0.1);
    measure(&fixture, 1, 17);
    fixture.initial.role = CLOPT_ROLE_INITIAL;
    fixture.initial.samples.measurements = fixture.best.samples.measurements = 1;
    fixture.race.members = 1;
    fixture.race.in_finals = &in_finals;
    struct clopt_job measurement = {
        .phase = CLOPT_PHASE_MEASURE, .race = &fixture.race, .process = 2};
    assert_non_null(clopt_measurement_joining(&measurement)); /* the initial code */
    measurement.entries[0].candidate = &fixture.initial;
    assert_null(clopt_measurement_joining(&measurement));
    fixture.race.reference = &fixture.best;
    assert_non_null(
        clopt_measurement_joining(&measurement)); /* the best, though it needs nothing */
    measurement.entries[0].candidate = &fixture.best;
    assert_null(clopt_measurement_joining(&measurement));
    in_finals = true;
    assert_non_null(clopt_measurement_joining(&measurement));
    fixture.initial.samples.measurements = 3;
    assert_null(clopt_measurement_joining(&measurement));
    end(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_process_tells_what_one_takes),
        cmocka_unit_test(what_is_set_up_once_is_expected_once),
        cmocka_unit_test(what_the_finals_need_is_kept),
        cmocka_unit_test(a_search_goes_on_until_a_variant_has_a_time),
        cmocka_unit_test(a_best_that_is_open_gets_what_is_left),
        cmocka_unit_test(time_that_finals_did_not_need_is_searched),
        cmocka_unit_test(the_initial_code_is_measured_beside_variants),
        cmocka_unit_test(variants_are_planned_by_what_variants_take),
        cmocka_unit_test(finals_without_others_leave_time_to_search),
        cmocka_unit_test(an_initial_code_that_is_spared_joins_the_finals),
        cmocka_unit_test(uncertain_finals_keep_their_share),
        cmocka_unit_test(demands_are_checked_before_samples),
        cmocka_unit_test(what_is_ready_is_sampled_once_at_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
