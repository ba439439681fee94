/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves how the list of outcomes that --retry has is read, and what is refused. */
#include "commands/study/study_command.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "store/store.h"

/* What a list of outcomes is read as, or the message that refuses it. */
static void expect_outcomes(const char *text, unsigned outcomes, const char *message)
{
    unsigned read = 0;
    struct clopt_error error = {0};
    enum clopt_status status = clopt_retry_read(text, &read, &error);
    assert_string_equal(error.message, message);
    assert_int_equal(status, *message ? CLOPT_INVALID : CLOPT_OK);
    if (!*message)
        assert_int_equal(read, outcomes);
}

static void lists_of_outcomes_are_read(void **state)
{
    (void)state;
    unsigned crashed = 1u << CLOPT_OUTCOME_CRASHED, timeout = 1u << CLOPT_OUTCOME_TIMEOUT;
    expect_outcomes("crashed", crashed, "");
    expect_outcomes("ok", 1u << CLOPT_OUTCOME_OK, "");
    expect_outcomes(" crashed , timeout", crashed | timeout, "");
    expect_outcomes("all", 0x1fc, "");
    expect_outcomes("device-lost,device-lost", 1u << CLOPT_OUTCOME_DEVICE_LOST, "");
    expect_outcomes("crashd", 0, "crashd: no outcome; did you mean crashed?");
    static const char known[] =
        "not an outcome; there are ok, infeasible, build-failed, wrong-result, crashed, timeout, "
        "out-of-resources, device-lost, and all for all but ok";
    char message[256];
    snprintf(message, sizeof message, "pending: %s", known);
    expect_outcomes("pending", 0, message);
    snprintf(message, sizeof message, "(nothing): %s", known);
    expect_outcomes("", 0, message);
    expect_outcomes("crashed,", 0, message);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_of_outcomes_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
