/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves that a task whose worker works is not woken, that no worker gets a request before it has
 * answered the one before: samples would be taken for those of another variant, that a worker which
 * is paused goes on whatever has become of its task, what notes of its stages tell, and whose load
 * counts. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* sched_getaffinity() */
#endif
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "process/clock.h"

#include "pool/pool.h"
#include "pool/process.h"

static unsigned asked;

static json_t *count(struct clopt_task *task, const json_t *answer)
{
    (void)answer;
    task->waiting = true;
    asked++;
    return NULL;
}

static void only_waiting_tasks_are_woken(void **state)
{
    (void)state;
    struct clopt_pool pool = {0};
    struct clopt_seat seat = {.process = {.file = -1}};
    struct clopt_task task = {.next = count, .seat = &seat};
    seat.task = &task;
    clopt_pool_wake(&pool, &task);
    assert_int_equal(asked, 0);
    task.waiting = true;
    clopt_pool_wake(&pool, &task);
    assert_int_equal(asked, 1);
}

static void workers_get_one_request_at_a_time(void **state)
{
    (void)state;
    struct clopt_error error = {0};
    struct clopt_process process = {.file = -1, .busy = true};
    assert_int_equal(clopt_process_request(&process, json_object(), &error), CLOPT_FAILED);
    assert_string_equal(error.message, "a worker was sent a request before its answer");
}

static void paused_workers_go_on_without_a_task(void **state)
{
    (void)state;
    int status;
    struct clopt_task task = {.untimed = true};
    struct clopt_seat seat = {.process = {.file = -1, .notes = -1}, .task = &task};
    struct clopt_pool pool = {.seats = &seat, .seat_count = 1};
    pid_t worker = fork();
    if (worker == 0) {
        alarm(60); /* should the test fail */
        while (true)
            pause();
    }
    assert_true(worker > 0);
    assert_int_equal(setpgid(worker, worker), 0);
    seat.process.pid = worker;
    seat.process.runs = true;
    clopt_pool_pause(&pool, NULL, true);
    assert_int_equal(waitpid(worker, &status, WUNTRACED), worker);
    assert_true(WIFSTOPPED(status) && seat.process.clock.paused_since_ns);
    seat.task = NULL; /* its answer was under way */
    clopt_pool_pause(&pool, NULL, false);
    assert_false(seat.process.clock.paused_since_ns);
    assert_int_equal(waitpid(worker, &status, WCONTINUED), worker);
    assert_true(WIFCONTINUED(status));
    assert_int_equal(kill(worker, SIGKILL), 0);
    assert_int_equal(waitpid(worker, NULL, 0), worker);
}

static void send_note(int file, const char *stage, int64_t began_ns, const char *part)
{
    json_t *note = json_pack("{s:s,s:I,s:{s:b}}", "stage", stage, "began_ns", (json_int_t)began_ns,
                             "part", part, 1);
    assert_int_equal(clopt_message_send(file, note, NULL), CLOPT_OK);
}

static void notes_tell_stages_and_parts(void **state)
{
    (void)state;
    int ends[2];
    struct clopt_error error = {0};
    int64_t now = clopt_now_ns();
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    struct clopt_process process = {
        .file = -1, .notes = ends[0], .busy = true, .clock.request_began_ns = now - 1000};
    send_note(ends[1], "build", now - 10, "one");
    send_note(ends[1], "launch", now - 5, "two");
    assert_int_equal(clopt_process_take_notes(&process, &error), CLOPT_OK);
    assert_int_equal(process.stage, CLOPT_STAGE_LAUNCH);
    assert_int_equal(process.clock.stage_began_ns, now - 5);
    assert_int_equal(json_object_size(process.parts), 2);
    send_note(ends[1], "verify", INT64_MIN, "three"); /* no worker of this request says so */
    assert_int_equal(clopt_process_take_notes(&process, &error), CLOPT_OK);
    assert_true(process.clock.stage_began_ns >= now);
    assert_int_equal(write(ends[1], "\0\0\0\2[]", 6), 6);
    assert_int_equal(clopt_process_take_notes(&process, &error), CLOPT_FAILED);
    close(ends[1]);
    clopt_process_fini(&process);
}

/* What goes on on processors that clopt is kept from does not disturb what it measures. */
static void only_usable_processors_count(void **state)
{
    (void)state;
    const struct clopt_pool pool = {0};
    cpu_set_t all, one;
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    if (CPU_COUNT(&all) < 2)
        skip();
    CPU_ZERO(&one);
    for (int i = 0; CPU_COUNT(&one) == 0; i++)
        if (CPU_ISSET(i, &all))
            CPU_SET(i, &one);
    struct clopt_load of_all = clopt_pool_load(&pool);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    struct clopt_load of_one = clopt_pool_load(&pool);
    assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
    assert_true(of_one.all_s > 0 && of_one.used_s > 0);
    assert_true(of_one.all_s < 0.9 * of_all.all_s && of_one.used_s <= of_all.used_s + 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_waiting_tasks_are_woken),
        cmocka_unit_test(only_usable_processors_count),
        cmocka_unit_test(notes_tell_stages_and_parts),
        cmocka_unit_test(paused_workers_go_on_without_a_task),
        cmocka_unit_test(workers_get_one_request_at_a_time),
    };
    return cmocka_run_group_tests_name("unit_task", tests, NULL, NULL);
}
