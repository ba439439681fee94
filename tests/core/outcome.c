/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves that outcomes have names. */
#include "store/store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outcomes_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
