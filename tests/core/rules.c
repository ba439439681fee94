/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves who may begin, and why others may not: a processor is measured alone, other queues begin
 * nothing then, a GPU is measured beside builds, and what was killed is tried alone. */
#include "supervisor/rules.h"

#include <math.h>
#include <setjmp.h>

#include <cmocka.h>

enum { GPU, CPU, DEVICES };

#define BUILDERS 4
#define JOBS     16

/* A GPU and the processors of one machine, a queue and a race each, and what runs there. */
struct fixture {
    struct clopt_study study;
    struct clopt_pool pool;
    struct clopt_pool_device devices[DEVICES];
    struct clopt_run run;
    struct clopt_schedule schedule;
    struct clopt_device_queue queues[DEVICES];
    struct clopt_race races[DEVICES];
    struct clopt_candidate initial, variants[DEVICES];
    struct clopt_candidate *candidates[DEVICES][2];
    size_t device[DEVICES], shares[DEVICES];
    bool lost[DEVICES];
    struct clopt_job *jobs_here, jobs[JOBS];
    struct clopt_seat seat; /* of all who do something */
};

static void begin(struct fixture *fixture)
{
    *fixture = (struct fixture){.study = {.device_count = DEVICES, .measure.processes = 3}};
    fixture->run = (struct clopt_run){
        .study = &fixture->study, .pool = &fixture->pool, .devices = fixture->devices};
    fixture->schedule = (struct clopt_schedule){.run = &fixture->run,
                                                .pool = &fixture->pool,
                                                .on_host = &fixture->jobs_here,
                                                .builders = BUILDERS,
                                                .queues = fixture->queues,
                                                .processors = BUILDERS};
    fixture->initial.role = CLOPT_ROLE_INITIAL;
    fixture->initial.phase = CLOPT_PHASE_OVER;
    for (size_t d = 0; d < DEVICES; d++) {
        fixture->device[d] = d;
        fixture->devices[d].info.compute_units = BUILDERS;
        fixture->variants[d] = (struct clopt_candidate){.phase = CLOPT_PHASE_MEASURE};
        fixture->candidates[d][0] = &fixture->initial;
        fixture->candidates[d][1] = &fixture->variants[d];
        fixture->races[d] = (struct clopt_race){.run = &fixture->run,
                                                .device = &fixture->devices[d],
                                                .on_cpu = d == CPU,
                                                .members = 1,
                                                .left = 1,
                                                .devices = &fixture->device[d],
                                                .lost = &fixture->lost[d],
                                                .shares = &fixture->shares[d],
                                                .candidates = fixture->candidates[d],
                                                .count = 2};
        fixture->races[d].wanting.variants = 1;
        fixture->queues[d] = (struct clopt_device_queue){.schedule = &fixture->schedule,
                                                         .number = d,
                                                         .races[0] = &fixture->races[d],
                                                         .share_s = INFINITY};
    }
}

/* Something runs on a device, or waits. */
static struct clopt_job *run(struct fixture *fixture, size_t device, enum clopt_phase phase)
{
    struct clopt_job *job = &fixture->jobs[fixture->schedule.job_count++];
    *job = (struct clopt_job){.race = &fixture->races[device],
                              .phase = phase,
                              .device = device,
                              .after = fixture->jobs_here,
                              .task.seat = &fixture->seat};
    fixture->jobs_here = job;
    return job;
}

static const char *ask(struct fixture *fixture, size_t device, enum clopt_phase phase, bool standby)
{
    const struct clopt_want want = {
        .race = &fixture->races[device], .phase = phase, .standby = standby};
    size_t chosen = SIZE_MAX;
    const char *why = clopt_rules_hold(&fixture->queues[device], &want, &chosen);
    assert_true(why || chosen == device);
    return why;
}

static void all_may_begin_where_nothing_runs(void **state)
{
    (void)state;
    struct fixture fixture;
    for (size_t d = 0; d < DEVICES; d++) {
        begin(&fixture);
        assert_null(ask(&fixture, d, CLOPT_PHASE_BUILD, false));
        assert_null(ask(&fixture, d, CLOPT_PHASE_OVER, false));
        assert_null(ask(&fixture, d, CLOPT_PHASE_MEASURE, false));
    }
    fixture.lost[CPU] = true;
    assert_string_equal(ask(&fixture, CPU, CLOPT_PHASE_BUILD, false), "all members are lost");
}

static void builds_take_what_builders_there_are(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture);
    for (size_t i = 0; i < BUILDERS; i++) {
        assert_null(ask(&fixture, CPU, CLOPT_PHASE_CHECK, false));
        run(&fixture, CPU, CLOPT_PHASE_BUILD)->task.waiting = i == 0; /* it has a worker, too */
    }
    assert_string_equal(ask(&fixture, CPU, CLOPT_PHASE_CHECK, false),
                        "all workers that build have a job");
}

/* The next race of a processor builds nothing before the first one is over; that of a GPU does. */
static void a_second_race_builds_beside_a_gpu_alone(void **state)
{
    (void)state;
    struct fixture fixture;
    for (size_t d = 0; d < DEVICES; d++) {
        begin(&fixture);
        struct clopt_race next = fixture.races[d];
        const struct clopt_want want = {.race = &next, .phase = CLOPT_PHASE_BUILD};
        size_t chosen;
        const char *why = clopt_rules_hold(&fixture.queues[d], &want, &chosen);
        if (d == GPU)
            assert_null(why);
        else
            assert_string_equal(why, "nothing is built while a processor is measured");
    }
}

/* Each worker that builds opens the device. */
static void more_builders_have_to_pay(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture);
    fixture.races[GPU].order.count = 100;
    assert_null(ask(&fixture, GPU, CLOPT_PHASE_BUILD, false));
    run(&fixture, GPU, CLOPT_PHASE_BUILD);
    assert_string_equal(
        ask(&fixture, GPU, CLOPT_PHASE_BUILD, false),
        "one more worker costs the others more than it saves"); /* for all we know */
    fixture.schedule.tally.built = 1;
    fixture.pool.seconds[CLOPT_STAGE_BUILD] = 1; /* and to open the device takes nothing */
    assert_null(ask(&fixture, GPU, CLOPT_PHASE_BUILD, false));
}

static void rechecks_are_prepared_by_spare_processors(void **state)
{
    (void)state;
    static const char none[] = "no processor is to spare";
    struct fixture fixture;
    begin(&fixture);
    assert_string_equal(ask(&fixture, GPU, CLOPT_PHASE_OVER, true), none);
    fixture.schedule.builders = 12;
    assert_string_equal(ask(&fixture, GPU, CLOPT_PHASE_OVER, true), none);
    fixture.pool.seats = &fixture.seat; /* an idle worker */
    fixture.pool.seat_count = 1;
    fixture.seat.process.runs = fixture.seat.opened = true;
    fixture.seat.device = GPU;
    assert_null(ask(&fixture, GPU, CLOPT_PHASE_OVER, true));
}

static void a_gpu_is_measured_beside_builds(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture);
    run(&fixture, GPU, CLOPT_PHASE_MEASURE);
    for (size_t i = 0; i < BUILDERS - 1; i++) {
        assert_null(ask(&fixture, GPU, CLOPT_PHASE_CHECK, false));
        run(&fixture, GPU, CLOPT_PHASE_BUILD);
    }
    assert_string_equal(ask(&fixture, GPU, CLOPT_PHASE_CHECK, false),
                        "a process that measures a GPU needs a processor, too");
}

static void a_processor_is_measured_alone(void **state)
{
    (void)state;
    static const char other[] = "another queue needs the processors";
    struct fixture fixture;
    begin(&fixture);
    assert_null(ask(&fixture, CPU, CLOPT_PHASE_MEASURE, false)); /* it wants to */
    assert_string_equal(ask(&fixture, GPU, CLOPT_PHASE_BUILD, false), other);
    assert_string_equal(ask(&fixture, GPU, CLOPT_PHASE_MEASURE, false), other);
    assert_string_equal(ask(&fixture, GPU, CLOPT_PHASE_MEASURE, true), other);
    fixture.queues[CPU].wants_device = false;
    assert_null(ask(&fixture, GPU, CLOPT_PHASE_MEASURE, true));
    run(&fixture, CPU, CLOPT_PHASE_MEASURE);
    assert_string_equal(ask(&fixture, GPU, CLOPT_PHASE_MEASURE, true), other);
    assert_string_equal(ask(&fixture, CPU, CLOPT_PHASE_BUILD, false),
                        "nothing is built while a processor is measured");
    assert_string_equal(ask(&fixture, CPU, CLOPT_PHASE_MEASURE, false),
                        "another member is measured there");
}

static void a_processor_waits_for_what_samples_a_gpu(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture);
    struct clopt_job *measurement = run(&fixture, GPU, CLOPT_PHASE_MEASURE);
    assert_string_equal(ask(&fixture, CPU, CLOPT_PHASE_MEASURE, false),
                        "other devices are measured there");
    measurement->standby = true; /* which can be paused */
    assert_null(ask(&fixture, CPU, CLOPT_PHASE_MEASURE, false));
}

/* The last builds are waited for, those that take much longer are not. */
static void stragglers_are_paused(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture);
    for (size_t i = 0; i < BUILDERS; i++)
        run(&fixture, CPU, CLOPT_PHASE_BUILD);
    assert_string_equal(ask(&fixture, CPU, CLOPT_PHASE_MEASURE, false),
                        "all workers that build do so");
    assert_true(fixture.races[CPU].busy_until_ns > 0);
    fixture.jobs_here = fixture.jobs_here->after; /* one ends */
    fixture.races[CPU].busy_until_ns = INT64_MAX;
    assert_string_equal(ask(&fixture, CPU, CLOPT_PHASE_MEASURE, false),
                        "the last builds may be about to end");
    fixture.races[CPU].busy_until_ns = 0; /* long ago */
    assert_null(ask(&fixture, CPU, CLOPT_PHASE_MEASURE, false));
}

/* A search that has built for long measures what it has. */
static void a_generation_ends(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture);
    fixture.races[CPU].tuning = (struct clopt_tuning *)&fixture; /* there is one */
    fixture.queues[CPU].share_s = 1;                             /* and it began long ago */
    for (size_t i = 0; i + 1 < BUILDERS; i++)
        run(&fixture, CPU, CLOPT_PHASE_BUILD);
    assert_string_equal(ask(&fixture, CPU, CLOPT_PHASE_BUILD, false),
                        "nothing is built while a processor is measured");
    fixture.initial.phase = CLOPT_PHASE_BUILD; /* with which all are compared */
    assert_null(ask(&fixture, CPU, CLOPT_PHASE_BUILD, false));
    fixture.initial.phase = CLOPT_PHASE_OVER;
    struct clopt_job *last = run(&fixture, CPU, CLOPT_PHASE_BUILD);
    assert_null(ask(&fixture, CPU, CLOPT_PHASE_MEASURE, false));
    last->race = NULL; /* what is built is checked with an odd size before it is measured */
    assert_null(ask(&fixture, CPU, CLOPT_PHASE_OVER, false));
    run(&fixture, CPU, CLOPT_PHASE_OVER);
    assert_string_equal(ask(&fixture, CPU, CLOPT_PHASE_MEASURE, false),
                        "what a check finds to be infeasible need not be measured");
}

/* Beside nothing else a time is none: a processor is not measured while the initial code builds,
 * which would be paused. */
static void the_initial_code_is_waited_for(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture);
    for (size_t d = 0; d < DEVICES; d++) {
        assert_true(clopt_rules_wants_device(&fixture.queues[d], 0));
        fixture.initial.phase = CLOPT_PHASE_BUILD;
        fixture.initial.users = 1;
        assert_true(clopt_rules_wants_device(&fixture.queues[d], 0) == (d == GPU));
        fixture.initial.phase = CLOPT_PHASE_OVER;
        fixture.initial.users = 0;
    }
}

static void what_was_killed_is_tried_alone(void **state)
{
    (void)state;
    static const char alone[] =
        "a worker was killed, as where memory is short: one at a time goes on";
    struct fixture fixture;
    begin(&fixture);
    fixture.races[GPU].wanting.alone = true;
    assert_null(ask(&fixture, GPU, CLOPT_PHASE_BUILD, false));
    struct clopt_job *build = run(&fixture, GPU, CLOPT_PHASE_BUILD);
    assert_string_equal(ask(&fixture, GPU, CLOPT_PHASE_BUILD, false), alone);
    assert_string_equal(ask(&fixture, GPU, CLOPT_PHASE_MEASURE, false), alone);
    build->race = NULL;
    run(&fixture, GPU, CLOPT_PHASE_MEASURE);
    assert_string_equal(ask(&fixture, GPU, CLOPT_PHASE_BUILD, false), alone);
}

/* With few processors the next measurement gets ready once it is known to be needed. */
static void the_next_measurement_gets_ready(void **state)
{
    (void)state;
    static const char early[] = "it is not needed, as far as is known";
    struct fixture fixture;
    begin(&fixture);
    assert_null(ask(&fixture, GPU, CLOPT_PHASE_MEASURE, true)); /* before any is built */
    fixture.variants[GPU].finals = 1;
    assert_string_equal(ask(&fixture, GPU, CLOPT_PHASE_MEASURE, true), "finalists meet");
    fixture.variants[GPU].finals = 0;
    struct clopt_job *measurement = run(&fixture, GPU, CLOPT_PHASE_MEASURE);
    assert_null(ask(&fixture, GPU, CLOPT_PHASE_MEASURE, true)); /* four processors are for one */
    fixture.schedule.builders = 2;
    assert_string_equal(ask(&fixture, GPU, CLOPT_PHASE_MEASURE, true), early);
    measurement->rounds.ended = 3;
    assert_null(ask(&fixture, GPU, CLOPT_PHASE_MEASURE, true));
    measurement->told.expects = true;
    assert_string_equal(ask(&fixture, GPU, CLOPT_PHASE_MEASURE, true), early);
    fixture.schedule.builders = 100;
    assert_null(ask(&fixture, GPU, CLOPT_PHASE_MEASURE, true));
    run(&fixture, GPU, CLOPT_PHASE_MEASURE)->standby = true;
    assert_null(ask(&fixture, GPU, CLOPT_PHASE_MEASURE, true));
    run(&fixture, GPU, CLOPT_PHASE_MEASURE)->standby = true; /* three are enough */
    assert_string_equal(ask(&fixture, GPU, CLOPT_PHASE_MEASURE, true), early);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_may_begin_where_nothing_runs),
        cmocka_unit_test(builds_take_what_builders_there_are),
        cmocka_unit_test(a_second_race_builds_beside_a_gpu_alone),
        cmocka_unit_test(more_builders_have_to_pay),
        cmocka_unit_test(rechecks_are_prepared_by_spare_processors),
        cmocka_unit_test(a_gpu_is_measured_beside_builds),
        cmocka_unit_test(a_processor_is_measured_alone),
        cmocka_unit_test(a_processor_waits_for_what_samples_a_gpu),
        cmocka_unit_test(stragglers_are_paused),
        cmocka_unit_test(a_generation_ends),
        cmocka_unit_test(the_initial_code_is_waited_for),
        cmocka_unit_test(what_was_killed_is_tried_alone),
        cmocka_unit_test(the_next_measurement_gets_ready),
    };
    return cmocka_run_group_tests_name("unit_rules", tests, NULL, NULL);
}
