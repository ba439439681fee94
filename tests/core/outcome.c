/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves that outcomes have names, and how lists of them are read. */
#include "store/store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static void outcomes_have_names(void **state)
{
    (void)state;
    for (int i = CLOPT_OUTCOME_PENDING; i <= CLOPT_OUTCOME_DEVICE_LOST; i++)
        assert_int_equal(clopt_outcome_from_name(clopt_outcome_name((enum clopt_outcome)i)), i);
    assert_string_equal(clopt_outcome_name(CLOPT_OUTCOME_OUT_OF_RESOURCES), "out-of-resources");
    assert_int_equal(clopt_outcome_from_name("nonsense"), CLOPT_OUTCOME_PENDING);
    assert_int_equal(clopt_outcome_from_name(NULL), CLOPT_OUTCOME_PENDING);
    assert_int_equal(clopt_outcome_from_status(CLOPT_OK), CLOPT_OUTCOME_OK);
    assert_int_equal(clopt_outcome_from_status(CLOPT_TIMED_OUT), CLOPT_OUTCOME_TIMEOUT);
    assert_int_equal(clopt_outcome_from_status(CLOPT_INTERRUPTED), CLOPT_OUTCOME_PENDING);
}

/* What a list of outcomes is read as, or the message that refuses it. */
static void expect_outcomes(const char *text, unsigned outcomes, const char *message)
{
    unsigned read = 0;
    struct clopt_error error = {0};
    enum clopt_status status = clopt_outcomes_parse(text, &read, &error);
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
        cmocka_unit_test(outcomes_have_names),
        cmocka_unit_test(lists_of_outcomes_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
