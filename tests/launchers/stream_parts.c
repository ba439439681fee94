/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves that a side of a stream is lost for its silence only where the other one has looked for
 * it: time in which this side was busy, or was not run, does not count; that a side which is busy
 * says that it lives; and that no frame is taken that is longer than its kind can be. */
#include "launchers/stream.h"

#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#define SECOND_NS ((int64_t)1000 * 1000 * 1000)
#define MOST      64 /* bytes of a frame */

static struct clopt_stream stream;
static int other;

static int open_both(void **state)
{
    int ends[2];
    (void)state;
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    other = ends[1];
    clopt_stream_open(&stream, ends[0], ends[0], MOST);
    stream.greeted = true;
    return 0;
}

static int close_both(void **state)
{
    (void)state;
    clopt_stream_fini(&stream);
    close(stream.in);
    close(other);
    return 0;
}

/* This side looks again after so many seconds. */
static void look_after(int seconds)
{
    stream.looked_ns -= seconds * SECOND_NS;
    clopt_stream_exchange(&stream);
}

static void only_time_in_which_it_looks_is_silence(void **state)
{
    (void)state;
    look_after(1000); /* its process was stopped */
    assert_true(stream.silent_ns <= SECOND_NS);
    assert_false(clopt_stream_is_silent(&stream));
    for (int i = 0; i < 100; i++)
        look_after(1);
    assert_true(clopt_stream_is_silent(&stream)); /* on the most loaded machine, too */
    assert_true(stream.age_ns >= 100 * SECOND_NS);
    assert_int_equal(write(other, "\0\0\0\0\0\0\0\0a", 9), 9);
    look_after(1000);
    assert_int_equal(stream.silent_ns, 0);
    assert_false(clopt_stream_is_silent(&stream));
}

static void a_loaded_machine_has_more_patience(void **state)
{
    (void)state;
    double patience_s = clopt_stream_patience_s();
    assert_true(patience_s >= 8 && patience_s <= 64);
}

static void one_that_is_busy_says_that_it_lives(void **state)
{
    char frame[10];
    (void)state;
    clopt_stream_keep_alive(&stream);
    for (int i = 0; i < 2; i++) { /* without a call of this side */
        assert_int_equal(recv(other, frame, sizeof frame, MSG_WAITALL), sizeof frame);
        assert_memory_equal(frame, "\0\0\0\0\0\0\0\0a\n", sizeof frame);
    }
    clopt_stream_rest(&stream);
    clopt_stream_put(&stream, CLOPT_FRAME_KILL, 1, "", 0); /* and what it says stays whole */
    clopt_stream_exchange(&stream);
    do
        assert_int_equal(recv(other, frame, sizeof frame, MSG_WAITALL), sizeof frame);
    while (frame[8] == 'a');
    assert_memory_equal(frame, "\0\0\0\0\0\0\0\1k\n", sizeof frame);
}

/* Launchers that keep back a line without an end pass on all that this side says. */
static void a_newline_may_follow_each_frame(void **state)
{
    static const char frames[] = "\0\0\0\1\0\0\0\1A\n\n\0\0\0\1\0\0\0\2AxY";
    struct clopt_frame frame;
    (void)state;
    for (size_t i = 0; i + 1 < sizeof frames; i++) { /* as they come */
        assert_int_equal(write(other, &frames[i], 1), 1);
        clopt_stream_exchange(&stream);
        bool taken = clopt_stream_take(&stream, &frame);
        assert_int_equal(taken, i == 9 || i == 20);
        if (taken) {
            assert_int_equal(frame.channel, i == 9 ? 1 : 2);
            assert_int_equal(frame.data[0], i == 9 ? '\n' : 'x');
        }
    }
    assert_false(stream.ended);
}

static void a_frame_that_is_too_long_ends_the_stream(void **state)
{
    struct clopt_frame frame;
    char most[9 + MOST] = "\0\0\0\100\0\0\0\0A";
    (void)state;
    assert_int_equal(write(other, most, sizeof most), sizeof most);
    clopt_stream_exchange(&stream);
    assert_true(clopt_stream_take(&stream, &frame));
    assert_int_equal(frame.length, MOST);
    most[3]++;
    assert_int_equal(write(other, most, sizeof most), sizeof most);
    clopt_stream_exchange(&stream);
    assert_false(clopt_stream_take(&stream, &frame));
    assert_true(stream.ended);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(only_time_in_which_it_looks_is_silence, open_both,
                                        close_both),
        cmocka_unit_test(a_loaded_machine_has_more_patience),
        cmocka_unit_test_setup_teardown(one_that_is_busy_says_that_it_lives, open_both, close_both),
        cmocka_unit_test_setup_teardown(a_newline_may_follow_each_frame, open_both, close_both),
        cmocka_unit_test_setup_teardown(a_frame_that_is_too_long_ends_the_stream, open_both,
                                        close_both),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
