/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves that numbers for people have as many digits as they should, rounded up or not. */
#include "number/number.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static void small_and_large_ones_have_three_digits(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text;
    } cases[] = {
        {1234.5, "1234"},
        {999.6, "1000"},
        {999.4, "999"},
        {99.96, "100"},
        {99.94, "99.9"},
        {10, "10.0"},
        {9.996, "10.0"},
        {9.994, "9.99"},
        {1, "1.00"},
        {0.9996, "1.00"},
        {0.9994, "0.999"},
        {0.1, "0.100"},
        {0.09996, "0.100"},
        {0.0504, "0.0504"},
        {0.001, "0.00100"},
        {0.00099996, "0.00100"},
        {0.00000123, "0.00000123"},
        {1e-300, "0.00000000"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct clopt_text text = {0};
        clopt_number_append(&text, cases[i].value, 3);
        assert_string_equal(clopt_text_string(&text), cases[i].text);
        clopt_text_fini(&text);
    }
}

static void what_is_no_positive_number_has_no_decimals(void **state)
{
    (void)state;
    assert_int_equal(clopt_number_decimals(0, 3), 0);
    assert_int_equal(clopt_number_decimals(-1, 3), 0);
    assert_int_equal(clopt_number_decimals(NAN, 3), 0);
    assert_int_equal(clopt_number_decimals(INFINITY, 3), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_and_large_ones_have_three_digits),
        cmocka_unit_test(what_is_no_positive_number_has_no_decimals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
