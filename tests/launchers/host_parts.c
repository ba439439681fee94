/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves that the time in which a host says nothing, and that which its workers wait there for
 * processors, are no time of theirs, but for a quarter, whatever the host says. */
#include "launchers/host.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "process/clock.h"

#define SECOND_NS ((int64_t)1000 * 1000 * 1000)
#define MOST      1024 /* bytes of a frame */

static struct clopt_stream other; /* the host's side */
static struct clopt_process process, paused;
static struct clopt_process *processes[] = {&process, &paused};
static const struct clopt_study_host wanted = {.start_s = 90};
static struct clopt_link connection;
static struct clopt_host host;

static int open_both(void **state)
{
    int ends[2];
    (void)state;
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    connection = (struct clopt_link){.wanted = &wanted,
                                     .launcher = getpid(),
                                     .file = ends[0],
                                     .processes = processes,
                                     .process_count = 2};
    host = (struct clopt_host){.name = "a", .state = CLOPT_HOST_READY, .link = &connection};
    clopt_stream_open(&connection.stream, ends[0], ends[0], MOST);
    connection.stream.greeted = true;
    other = (struct clopt_stream){0};
    clopt_stream_open(&other, ends[1], ends[1], MOST);
    process = paused = (struct clopt_process){.busy = true, .distant = {.channel = 1}};
    paused.distant.channel = 2;
    paused.clock.paused_since_ns = 1;
    return 0;
}

static int close_both(void **state)
{
    (void)state;
    clopt_stream_fini(&connection.stream);
    clopt_stream_fini(&other);
    close(connection.file);
    close(other.in);
    return 0;
}

static void a_silent_host_costs_its_workers_no_time(void **state)
{
    (void)state;
    for (int i = 0; i < 5; i++) { /* 8 would be too many */
        connection.stream.looked_ns -= SECOND_NS;
        clopt_host_advance(&host);
    }
    assert_int_equal(host.state, CLOPT_HOST_READY);
    assert_true(process.clock.stage_began_ns >= 3 * SECOND_NS);
    assert_true(process.clock.stage_began_ns <= 5 * SECOND_NS);
    assert_int_equal(process.clock.request_began_ns, process.clock.stage_began_ns);
    assert_int_equal(paused.clock.stage_began_ns, 0); /* its time stands still already */
}

/* The host says that the worker of a channel has lost so much since it said so before. */
static void say_lost(uint32_t channel, double seconds)
{
    clopt_stream_put_json(&other, CLOPT_FRAME_USAGE, channel,
                          json_pack("{s:i,s:i,s:f}", "memory", 7, "printed", 0, "lost", seconds));
    clopt_stream_exchange(&other);
    clopt_host_advance(&host);
}

static void what_workers_wait_for_is_not_their_time(void **state)
{
    (void)state;
    say_lost(1, 1000); /* since when is not known */
    assert_int_equal(process.distant.memory, 7);
    assert_int_equal(process.clock.stage_began_ns, 0);
    process.distant.usage_ns = clopt_now_ns() - 40 * SECOND_NS;
    say_lost(1, 2);
    assert_int_equal(process.clock.stage_began_ns, 2 * SECOND_NS);
    int64_t since_ns = process.distant.usage_ns = clopt_now_ns() - 4 * SECOND_NS;
    say_lost(1, 1e300); /* it has not been so long */
    assert_true(process.clock.stage_began_ns >= 5 * SECOND_NS);
    assert_true((double)(process.clock.stage_began_ns - 2 * SECOND_NS) <=
                CLOPT_MOST_LOST * (double)(clopt_now_ns() - since_ns));
    int64_t began_ns = process.clock.stage_began_ns;
    say_lost(1, -5);
    assert_int_equal(process.clock.stage_began_ns, began_ns);
    paused.distant.usage_ns = clopt_now_ns() - 4 * SECOND_NS;
    say_lost(2, 1);
    assert_int_equal(paused.clock.stage_began_ns, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_silent_host_costs_its_workers_no_time, open_both,
                                        close_both),
        cmocka_unit_test_setup_teardown(what_workers_wait_for_is_not_their_time, open_both,
                                        close_both),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
