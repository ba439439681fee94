/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves which runs accuse a driver's clock of standing still, and that those do not that a busy
 * machine held up. */
#include "opencl/clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* A run by both clocks, in microseconds. */
struct run {
    double events_us;
    double host_us;
};

/* How many of the runs, which come again and again, are believed; 1000: all are. */
static unsigned believed(const struct run *runs, size_t count)
{
    struct clopt_clock clock = {
        .source = CLOPT_CLOCK_EVENTS, .resolution_ns = 1, .overhead_ns = 4500};
    struct clopt_believed known = {0};
    unsigned i = 0;
    while (i < 1000 && clopt_believed_add(&known, &clock, runs[i % count].events_us * 1e3,
                                          runs[i % count].host_us * 1e3))
        i++;
    return i;
}

static void a_clock_that_stands_still_is_found(void **state)
{
    (void)state;
    static const struct run often[] = {{100, 105}, {101, 106}, {25, 104}, {99, 104}},
                            seldom[] = {{100, 105}, {101, 106}, {100, 106}, {102, 107}, {100, 105},
                                        {103, 108}, {101, 106}, {100, 106}, {99, 104},  {25, 104}},
                            mostly[] = {{100, 105}, {25, 104}, {25, 105}, {26, 104}};
    assert_int_equal(believed(often, 4), 10);
    assert_int_equal(believed(seldom, 10), 29);
    assert_int_equal(believed(mostly, 4), 9);
}

static void a_run_cannot_take_longer_than_the_host_waits(void **state)
{
    (void)state;
    static const struct run longer[] = {{100, 105}, {100, 95}};
    assert_int_equal(believed(longer, 2), 1);
}

/* The first run of a kernel of a microsecond is interrupted, and the end of others comes late. */
static void a_busy_machine_accuses_no_clock(void **state)
{
    (void)state;
    static const struct run first[] = {{200, 205}, {0.7, 6}, {0.7, 247}, {0.8, 210}, {0.7, 300}},
                            later[] = {{0.7, 6}, {200, 205}, {0.7, 247}, {0.8, 210}, {0.7, 300}},
                            at_once[] = {{200, 205}, {0.7, 247}, {0.8, 210}, {0.7, 300}, {0.7, 6}},
                            slower[] = {{300, 305}, {100, 240}, {100, 310}, {100, 400}, {100, 107}};
    assert_int_equal(believed(first, 5), 1000);
    assert_int_equal(believed(later, 5), 1000);
    assert_int_equal(believed(at_once, 5), 1000);
    assert_int_equal(believed(slower, 5), 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_clock_that_stands_still_is_found),
        cmocka_unit_test(a_run_cannot_take_longer_than_the_host_waits),
        cmocka_unit_test(a_busy_machine_accuses_no_clock),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
