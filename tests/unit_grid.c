/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves that numbers of tables and figures have as many digits as they should, rounded up or not.
 */
#include "report/grid.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static void speedups_have_three_digits(void **state)
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
        char text[64];
        clopt_speedup_print(text, sizeof text, cases[i].value);
        assert_string_equal(text, cases[i].text);
    }
}

static void what_is_no_positive_number_has_no_decimals(void **state)
{
    (void)state;
    assert_int_equal(clopt_cell_decimals(0, 3), 0);
    assert_int_equal(clopt_cell_decimals(-1, 3), 0);
    assert_int_equal(clopt_cell_decimals(NAN, 3), 0);
    assert_int_equal(clopt_cell_decimals(INFINITY, 3), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(speedups_have_three_digits),
        cmocka_unit_test(what_is_no_positive_number_has_no_decimals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
