/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves that a function which is run in a child returns what it would have returned, and that
 * whatever else it does is an error that says so. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* sched_setaffinity() */
#endif
#include "process/child.h"

#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "process/clock.h"

static const struct clopt_child_limits none = {0};

static void expect(const struct clopt_child_limits *limits,
                   enum clopt_status (*work)(void *user, struct clopt_error *error),
                   enum clopt_status status, const char *message)
{
    struct clopt_error error = {.message = "untouched"};
    int number = 7;
    assert_int_equal(clopt_child_run(limits, work, &number, &error), status);
    assert_string_equal(error.message, message);
    assert_int_equal(error.status, status);
    assert_int_equal(number, 7); /* its memory is the child's own */
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

static enum clopt_status succeed(void *user, struct clopt_error *error)
{
    clopt_fail(error, CLOPT_OK, "something that is over");
    return ++*(int *)user == 8 ? CLOPT_OK : CLOPT_FAILED;
}

static enum clopt_status refuse(void *user, struct clopt_error *error)
{
    (void)user;
    return clopt_fail(error, CLOPT_INFEASIBLE, "100%% infeasible");
}

static void returns_what_work_returns(void **state)
{
    (void)state;
    expect(&none, succeed, CLOPT_OK, "untouched");
    expect(&none, refuse, CLOPT_INFEASIBLE, "100% infeasible");
}

static enum clopt_status crash(void *user, struct clopt_error *error)
{
    (void)user;
    clopt_fail(error, CLOPT_OK, "file x");
    signal(SIGSEGV, SIG_DFL);
    raise(SIGSEGV);
    return CLOPT_OK;
}

/* Writes to a pipe that nobody reads, which is not the output. */
static enum clopt_status write_to_pipe(void *user, struct clopt_error *error)
{
    int pipe_ends[2];
    (void)user;
    signal(SIGPIPE, SIG_DFL);
    if (pipe(pipe_ends))
        return clopt_fail(error, CLOPT_FAILED, "no pipe");
    close(pipe_ends[0]);
    return write(pipe_ends[1], "x", 1) == 1 ? CLOPT_OK : CLOPT_FAILED;
}

static enum clopt_status leave(void *user, struct clopt_error *error)
{
    (void)user, (void)error;
    _exit(0);
}

static void names_who_crashes_and_leaves(void **state)
{
    (void)state;
    struct clopt_child_limits limits = {.advice = "see a doctor"};
    expect(&none, crash, CLOPT_CRASHED, "file x: killed by signal 11 (Segmentation fault)");
    expect(&limits, leave, CLOPT_CRASHED, "called exit(0); see a doctor");
    limits.advice = CLOPT_PARSING_ADVICE; /* which no crash proves */
    expect(&limits, crash, CLOPT_CRASHED, "file x: killed by signal 11 (Segmentation fault)");
    expect(&none, write_to_pipe, CLOPT_CRASHED, "killed by signal 13 (Broken pipe)");
}

/* Hangs, and hangs up before. */
static enum clopt_status hang(void *user, struct clopt_error *error)
{
    for (int file = 3; file < 64; file++)
        close(file);
    while (pause() < 0) {
    }
    return refuse(user, error);
}

static enum clopt_status waste(void *user, struct clopt_error *error)
{
    char *memory;
    while ((memory = malloc((size_t)16 << 20)))
        memset(memory, 1, (size_t)16 << 20);
    return refuse(user, error);
}

static void ends_what_oversteps_a_limit(void **state)
{
    (void)state;
    struct clopt_child_limits limits = {.seconds = 0.25, .seconds_key = "--limit"};
    expect(&limits, hang, CLOPT_TIMED_OUT, "took longer than 0.25 s (--limit)");
    limits.advice = "see a doctor";
    expect(&limits, hang, CLOPT_TIMED_OUT, "took longer than 0.25 s (--limit); see a doctor");
    limits = (struct clopt_child_limits){.memory_bytes = (uint64_t)256 << 20};
    expect(&limits, waste, CLOPT_OUT_OF_RESOURCES, "took more than 0.25 GiB of memory");
}

static pid_t begin(bool spins)
{
    pid_t child = fork();
    while (child == 0)
        if (!spins)
            pause();
    assert_true(child > 0);
    return child;
}

/* Three that share a processor, of which one sleeps. */
static void limits_do_not_count_what_others_take(void **state)
{
    (void)state;
    cpu_set_t all, one;
    int first = 0;
    if (access("/proc/self/schedstat", R_OK) != 0)
        skip();
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    while (!CPU_ISSET(first, &all))
        first++;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    const pid_t children[] = {begin(true), begin(true), begin(false)};
    struct clopt_process_use busy = {0}, asleep = {0};
    assert_true(clopt_lost_time(&busy, children[0]) == 0);
    assert_true(clopt_lost_time(&asleep, children[2]) == 0);
    int64_t began_ns = busy.read_ns;
    while (clopt_now_ns() < began_ns + 1000000000)
        usleep(10000);
    double lost_s = clopt_lost_time(&busy, children[0]);
    double wall_s = (double)(busy.read_ns - began_ns) * 1e-9;
    assert_true(lost_s > 0.2 * wall_s && lost_s <= 0.75 * wall_s);
    assert_true(clopt_lost_time(&asleep, children[2]) < 0.1 * wall_s);
    assert_true(clopt_lost_time(&asleep, getpid() + 1000000) == 0);
    for (size_t i = 0; i < 3; i++) {
        kill(children[i], SIGKILL);
        waitpid(children[i], NULL, 0);
    }
    assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
}

static enum clopt_status stop_parent(void *user, struct clopt_error *error)
{
    (void)user, (void)error;
    return kill(getppid(), SIGSTOP) == 0 ? CLOPT_INFEASIBLE : CLOPT_OK;
}

static enum clopt_status kill_parent(void *user, struct clopt_error *error)
{
    kill(getppid(), SIGKILL);
    while (pause() < 0) {
    }
    return refuse(user, error);
}

static enum clopt_status stop_parent_and_hang(void *user, struct clopt_error *error)
{
    kill(getppid(), SIGSTOP);
    return hang(user, error);
}

static void survives_what_is_done_to_the_parent(void **state)
{
    (void)state;
    struct clopt_child_limits limits = {.seconds = 0.25};
    expect(&none, stop_parent, CLOPT_INFEASIBLE, "");
    expect(&none, kill_parent, CLOPT_CRASHED,
           "killed by signal 9 (Killed), probably because memory ran out");
    expect(&limits, stop_parent_and_hang, CLOPT_TIMED_OUT, "took longer than 0.25 s");
}

/* Leaves a process that keeps everything open, and tells its number. */
static enum clopt_status multiply(void *user, struct clopt_error *error)
{
    pid_t other = fork();
    if (other == 0) {
        alarm(60); /* should the test fail */
        pause();
    }
    return write(*(int *)user, &other, sizeof other) > 0 ? refuse(user, error) : CLOPT_OK;
}

static void ends_what_the_child_leaves(void **state)
{
    (void)state;
    int ends[2];
    pid_t other = 0;
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(clopt_child_run(&none, multiply, &ends[1], NULL), CLOPT_INFEASIBLE);
    assert_int_equal(read(ends[0], &other, sizeof other), sizeof other);
    assert_true(other > 0);
    assert_int_equal(kill(other, 0), -1);
    close(ends[0]);
    close(ends[1]);
}

static enum clopt_status nest(void *user, struct clopt_error *error)
{
    enum clopt_status status = clopt_child_run(&none, crash, user, error);
    return clopt_fail(error, status, "below: %s", error->message);
}

static void nests(void **state)
{
    (void)state;
    expect(&none, nest, CLOPT_CRASHED, "below: file x: killed by signal 11 (Segmentation fault)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(returns_what_work_returns),
        cmocka_unit_test(names_who_crashes_and_leaves),
        cmocka_unit_test(ends_what_oversteps_a_limit),
        cmocka_unit_test(limits_do_not_count_what_others_take),
        cmocka_unit_test(survives_what_is_done_to_the_parent),
        cmocka_unit_test(ends_what_the_child_leaves),
        cmocka_unit_test(nests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
