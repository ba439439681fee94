/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves that a task whose worker works is not woken, and that no worker gets a request before it
 * has answered the one before: samples would be taken for those of another variant. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "supervisor/pool.h"
#include "supervisor/process.h"

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
    assert_int_equal(clopt_process_request(&process, json_object(), CLOPT_STAGE_OPEN, &error),
                     CLOPT_FAILED);
    assert_string_equal(error.message, "a worker was sent a request before its answer");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_waiting_tasks_are_woken),
        cmocka_unit_test(workers_get_one_request_at_a_time),
    };
    return cmocka_run_group_tests_name("unit_task", tests, NULL, NULL);
}
