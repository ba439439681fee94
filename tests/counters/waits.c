/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves how much of a launch counts as lost to other programs, and which processors count. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* sched_setaffinity() */
#endif
#include "counters/waits.h"

#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "counters/counters.h"
#include "process/clock.h"
#include "worker/counting.h"

static void assert_share(double share, const struct clopt_thread_time *threads, size_t count)
{
    assert_float_equal(clopt_waits_share(threads, count, 200), share, 1e-9);
}

static void what_the_busiest_threads_wait_is_lost(void **state)
{
    (void)state;
    static const struct clopt_thread_time idle[] = {{100, 0}, {98, 0}, {3, 0}},
                                          shared[] = {{50, 50}, {60, 40}, {0, 2}},
                                          uneven[] = {{100, 0}, {20, 40}},
                                          late[] = {{50, 150}, {190, 8}}, unknown[] = {{1, 2}};
    assert_share(0, idle, 3);
    assert_share(0.225, shared, 3); /* the third one slept */
    assert_share(0, uneven, 2);     /* the launch waited for the first one, which did not wait */
    assert_share(0.395, late, 2);
    assert_share(0, idle, 0);
    assert_share(0.01, unknown, 1); /* those that were busy for long are not known */
}

static void shares_are_counted(void **state)
{
    (void)state;
    struct clopt_error error = {0};
    struct clopt_reading count;
    void *waits;
    if (clopt_counter_waits.open(NULL, 0, &waits, &error)) {
        assert_int_equal(error.status, CLOPT_INFEASIBLE); /* the kernel does not tell */
        return;
    }
    assert_int_equal(clopt_counter_waits.begin(waits, NULL), CLOPT_OK);
    assert_int_equal(clopt_counter_waits.end(waits, 0, NULL), CLOPT_OK);
    assert_true(clopt_counter_waits.get(waits, 0, 0, &count));
    assert_true(count.value >= 0 && count.value <= 1);
    assert_false(clopt_counter_waits.get(waits, 0, 1, &count));
    clopt_counter_waits.close(waits);
}

static void without_a_counter_nothing_is_lost(void **state)
{
    (void)state;
    clopt_waits_begin(NULL);
    assert_true(clopt_waits_end(NULL) == 0);
}

static void a_bound_process_has_fewer_processors(void **state)
{
    (void)state;
    cpu_set_t all, one;
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    assert_int_equal(clopt_usable_processors(), CPU_COUNT(&all));
    int first = 0;
    while (!CPU_ISSET(first, &all))
        first++;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    assert_int_equal(clopt_usable_processors(), 1);
    assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_busiest_threads_wait_is_lost),
        cmocka_unit_test(shares_are_counted),
        cmocka_unit_test(without_a_counter_nothing_is_lost),
        cmocka_unit_test(a_bound_process_has_fewer_processors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
