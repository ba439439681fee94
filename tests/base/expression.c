/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves what expressions mean, where they are wrong, and what is said about it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "number/expression.h"

/* n = 1000, m = 7, WG = 64, x = 0.5 */
static bool lookup(void *user, size_t variable, const char *name, struct clopt_number *value)
{
    static const struct {
        const char *name;
        struct clopt_number number;
    } known[] = {
        {"n", {false, 1000, 1000}},
        {"m", {false, 7, 7}},
        {"WG", {false, 64, 64}},
        {"x", {true, 0, 0.5}},
        {"device.compute_units", {false, 4, 4}},
        {"least", {false, INT64_MIN, -0x1p63}},
    };
    size_t *asked = user;
    (void)variable;
    if (asked)
        ++*asked;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(known[i].name, name) == 0) {
            *value = known[i].number;
            return true;
        }
    return false;
}

/* Evaluates a text: "4" is an integer, "4.00000" a real, anything else a message. */
static const char *value_of(const char *text)
{
    static char result[sizeof((struct clopt_error *)0)->message];
    struct clopt_expression *expression = NULL;
    struct clopt_error error = {0};
    struct clopt_number number = {0};
    enum clopt_status status = clopt_expression_create(text, &expression, &error);
    if (status == CLOPT_OK)
        status = clopt_expression_evaluate(expression, CLOPT_REAL, lookup, NULL, &number, &error);
    assert_int_equal(status, error.status);
    if (status)
        snprintf(result, sizeof result, "%s", error.message);
    else if (number.is_real)
        snprintf(result, sizeof result, "%#.6g", number.real);
    else
        snprintf(result, sizeof result, "%lld", (long long)number.integer);
    if (!status && !number.is_real)
        assert_true(number.real == (double)number.integer);
    clopt_expression_destroy(expression);
    return result;
}

static void test_integers(void **state)
{
    (void)state;
    assert_string_equal(value_of("1 + 2 * 3 - 4"), "3");
    assert_string_equal(value_of("(1 + 2) * 3"), "9");
    assert_string_equal(value_of("10 - 3 - 2"), "5");
    assert_string_equal(value_of("4Ki + 2k + 0x10 + 1M"), "1006112");
    assert_string_equal(value_of("ceildiv(n, WG) * WG"), "1024");
    assert_string_equal(value_of("ceildiv(-7, 2)"), "-3");
    assert_string_equal(value_of("ceildiv(8, 2)"), "4");
    assert_string_equal(value_of("7 // 2"), "3");
    assert_string_equal(value_of("-7 // 2"), "-4");
    assert_string_equal(value_of("7 // -2"), "-4");
    assert_string_equal(value_of("-7 % 3"), "2");
    assert_string_equal(value_of("7 % -3"), "-2");
    assert_string_equal(value_of("-6 % 3"), "0");
    assert_string_equal(value_of("2 ** 10"), "1024");
    assert_string_equal(value_of("2 ** 3 ** 2"), "512");
    assert_string_equal(value_of("-2 ** 2"), "-4");
    assert_string_equal(value_of("(-2) ** 63"), "-9223372036854775808");
    assert_string_equal(value_of("0 ** 0"), "1");
    assert_string_equal(value_of("- -3 + +2"), "5");
    assert_string_equal(value_of("max(3, n, m) - min(3, m)"), "997");
    assert_string_equal(value_of("abs(-3) + abs(3)"), "6");
    assert_string_equal(value_of("device.compute_units * 2"), "8");
    assert_string_equal(value_of("least // 1"), "-9223372036854775808");
    assert_string_equal(value_of("least % -1"), "0");
}

/* The quotient of integers is never cut: it is an integer or it is not. */
static void test_quotients(void **state)
{
    (void)state;
    assert_string_equal(value_of("8 / 2"), "4");
    assert_string_equal(value_of("n / 16"), "62.5000");
    assert_string_equal(value_of("1 / 2 * 2"), "1.00000");
    assert_string_equal(value_of("m / 2 == 3.5"), "1");
    assert_string_equal(value_of("2 ** -1"), "0.500000");
}

static void test_reals(void **state)
{
    (void)state;
    assert_string_equal(value_of("x + 1"), "1.50000");
    assert_string_equal(value_of("1e3 - .5"), "999.500");
    assert_string_equal(value_of("2.5e-1 * 4"), "1.00000");
    assert_string_equal(value_of("7.5 // 2"), "3");
    assert_string_equal(value_of("-7.5 % 2"), "0.500000");
    assert_string_equal(value_of("ceil(2.1) + floor(-2.1) + int(-2.9)"), "-2");
    assert_string_equal(value_of("ceildiv(7.5, 2)"), "4");
    assert_string_equal(value_of("sqrt(16)"), "4.00000");
    assert_string_equal(value_of("int(log2(1024))"), "10");
    assert_string_equal(value_of("-x"), "-0.500000");
    assert_string_equal(value_of("abs(-x)"), "0.500000");
    assert_string_equal(value_of("max(0, x)"), "0.500000");
}

static void test_conditions(void **state)
{
    (void)state;
    assert_string_equal(value_of("1 < 2"), "1");
    assert_string_equal(value_of("2 <= 2 and 3 >= 4"), "0");
    assert_string_equal(value_of("1 != 1 || n == 1000"), "1");
    assert_string_equal(value_of("1 <= m <= 8 < n"), "1");
    assert_string_equal(value_of("1 < 3 > 5"), "0");
    assert_string_equal(value_of("not m == 8 && true"), "1");
    assert_string_equal(value_of("!m == 0"), "1");
    assert_string_equal(value_of("m in (3, 5, 7)"), "1");
    assert_string_equal(value_of("m not in [3, 5, 7,]"), "0");
    assert_string_equal(value_of("WG in (1,)"), "0");
    assert_string_equal(value_of("1 if m > 5 else 2"), "1");
    assert_string_equal(value_of("m > 5 ? 1 : m > 3 ? 2 : 3"), "1");
    assert_string_equal(value_of("0 if False else 2 if False else 3"), "3");
    /* exact, where both would be the same double */
    assert_string_equal(value_of("9007199254740993 > 9007199254740992.0"), "1");
    /* what does not count is not evaluated */
    assert_string_equal(value_of("m == 7 or 1 / 0"), "1");
    assert_string_equal(value_of("m != 7 and nothing"), "0");
    assert_string_equal(value_of("0 ? 1 / 0 : 2"), "2");
}

static void test_refused_values(void **state)
{
    (void)state;
#define RANGE "the value is out of the range of 64-bit integers"
    assert_string_equal(value_of("n + y"), "\"n + y\", column 5: y has no value");
    assert_string_equal(value_of("n / (m - 7)"), "\"n / (m - 7)\", column 3: division by zero");
    assert_string_equal(value_of("1 % 0"), "\"1 % 0\", column 3: division by zero");
    assert_string_equal(value_of("1 // 0.0"), "\"1 // 0.0\", column 3: division by zero");
    assert_string_equal(value_of("ceildiv(1, 0)"), "\"ceildiv(1, 0)\", column 1: division by zero");
    assert_string_equal(value_of("4G * 4G * 1k"), "\"4G * 4G * 1k\", column 4: " RANGE);
    assert_string_equal(value_of("least - 1"), "\"least - 1\", column 7: " RANGE);
    assert_string_equal(value_of("least + -1"), "\"least + -1\", column 7: " RANGE);
    assert_string_equal(value_of("-least"), "\"-least\", column 1: " RANGE);
    assert_string_equal(value_of("abs(least)"), "\"abs(least)\", column 1: " RANGE);
    assert_string_equal(value_of("least / -1"), "\"least / -1\", column 7: " RANGE);
    assert_string_equal(value_of("least // -1"), "\"least // -1\", column 7: " RANGE);
    assert_string_equal(value_of("least * -1"), "\"least * -1\", column 7: " RANGE);
    assert_string_equal(value_of("-1 * least"), "\"-1 * least\", column 4: " RANGE);
    assert_string_equal(value_of("2 ** 63"), "\"2 ** 63\", column 3: " RANGE);
    assert_string_equal(value_of("floor(1e300)"), "\"floor(1e300)\", column 1: " RANGE);
    assert_string_equal(value_of("1e300 * 1e300"),
                        "\"1e300 * 1e300\", column 7: the value is not a finite number");
    assert_string_equal(value_of("sqrt(-1)"),
                        "\"sqrt(-1)\", column 1: the value is not a finite number");
    assert_string_equal(value_of("0 ** -1"),
                        "\"0 ** -1\", column 3: the value is not a finite number");
}

static void test_refused_texts(void **state)
{
    (void)state;
    assert_string_equal(value_of("n + * 2"), "\"n + * 2\", column 5: expected a value, not \"*\"");
    assert_string_equal(value_of(""), "\"\", column 1: expected a value, but the expression ends");
    assert_string_equal(value_of("(n + 2"),
                        "\"(n + 2\", column 7: expected \")\", but the expression ends");
    assert_string_equal(value_of("n m"), "\"n m\", column 3: expected an operator, not \"m\"");
    assert_string_equal(value_of("n = 2"), "\"n = 2\", column 3: a comparison is written ==");
    assert_string_equal(value_of("n ^ 2"), "\"n ^ 2\", column 3: a power is written **");
    assert_string_equal(value_of("n & 2"), "\"n & 2\", column 3: there are no operators on bits; "
                                           "\"and\" and \"or\" are && and ||");
    assert_string_equal(value_of("n $"), "\"n $\", column 3: '$' has no meaning here");
    assert_string_equal(value_of("n \xc3"), "\"n \xc3\", column 3: byte 0xc3 has no meaning here");
    assert_string_equal(value_of("12ab"), "\"12ab\", column 1: 12ab: not a number");
    assert_string_equal(value_of("1..5"), "\"1..5\", column 1: 1..5: not a number");
    assert_string_equal(value_of("0x"), "\"0x\", column 1: 0x: not a number");
    assert_string_equal(value_of("9223372036854775808"),
                        "\"9223372036854775808\", column 1: 9223372036854775808: out of the range "
                        "of 64-bit integers");
    assert_string_equal(value_of("0xffffffffffffffff"),
                        "\"0xffffffffffffffff\", column 1: 0xffffffffffffffff: out of the range of "
                        "64-bit integers");
    assert_string_equal(value_of("1e999"), "\"1e999\", column 1: 1e999: not a number");
    assert_string_equal(value_of("2 * mix(1, 2)"), "\"2 * mix(1, 2)\", column 5: unknown "
                                                   "function mix; did you mean max?");
    assert_string_equal(value_of("ceildiv(1)"),
                        "\"ceildiv(1)\", column 1: ceildiv takes 2 values, not 1");
    assert_string_equal(value_of("min()"),
                        "\"min()\", column 1: min takes 1 or more values, not 0");
    assert_string_equal(value_of("abs(1, 2)"), "\"abs(1, 2)\", column 1: abs takes 1 value, not 2");
    assert_string_equal(value_of("n in 3"),
                        "\"n in 3\", column 6: expected a list in ( ) or [ ], not \"3\"");
    assert_string_equal(value_of("n if 3"),
                        "\"n if 3\", column 7: expected \"else\", but the expression ends");
    assert_string_equal(value_of("n not 3"), "\"n not 3\", column 7: expected \"in\", not \"3\"");
}

/* Repeats a text, between two others; the memory is for the caller to free. */
static char *repeat(const char *text, size_t count, const char *rest)
{
    size_t length = strlen(text);
    char *all = malloc(count * length + strlen(rest) + 1);
    assert_non_null(all);
    for (size_t i = 0; i < count; i++)
        memcpy(all + i * length, text, length);
    memcpy(all + count * length, rest, strlen(rest) + 1);
    return all;
}

static void test_limits(void **state)
{
    (void)state;
    char *sum = repeat("1+", 1999, "1");
    assert_string_equal(value_of(sum), "2000");
    free(sum);
    char *deep = repeat("(", 400, "1");
    assert_non_null(strstr(value_of(deep), "too many operations within each other"));
    free(deep);
    char *negative = repeat("-", 1000, "1");
    assert_non_null(strstr(value_of(negative), "column 201: too many operations"));
    free(negative);
    char *lengthy = repeat("1+", 2000, "1");
    assert_non_null(strstr(value_of(lengthy), "column 4001: expressions have at most 4000"));
    free(lengthy);
}

static void test_variables(void **state)
{
    (void)state;
    struct clopt_expression *expression;
    struct clopt_error error = {0};
    assert_int_equal(clopt_expression_create("a + b.c * a and not max(a, d)", &expression, &error),
                     CLOPT_OK);
    assert_int_equal(expression->variable_count, 3);
    assert_string_equal(expression->variables[0], "a");
    assert_string_equal(expression->variables[1], "b.c");
    assert_string_equal(expression->variables[2], "d");
    clopt_expression_refuse(expression, 1, &error, "%s is a text", "b.c");
    assert_string_equal(error.message,
                        "\"a + b.c * a and not max(a, d)\", column 5: b.c is a text");
    clopt_expression_destroy(expression);
}

static void test_kinds_of_results(void **state)
{
    (void)state;
    struct clopt_expression *expression;
    struct clopt_error error = {0};
    struct clopt_number integer;
    bool condition;
    size_t asked = 0;
    clopt_expression_create("n / 16", &expression, &error);
    assert_int_equal(
        clopt_expression_evaluate(expression, CLOPT_INTEGER, lookup, &asked, &integer, &error),
        CLOPT_INVALID);
    assert_string_equal(error.message, "\"n / 16\": 62.5 is not an integer; floor(), ceil(), "
                                       "ceildiv() and // make one");
    assert_int_equal(
        clopt_expression_evaluate_condition(expression, lookup, &asked, &condition, &error),
        CLOPT_OK);
    assert_true(condition);
    assert_int_equal(asked, 2);
    assert_int_equal(
        clopt_expression_evaluate_condition(expression, NULL, NULL, &condition, &error),
        CLOPT_INVALID);
    assert_false(condition);
    clopt_expression_destroy(expression);
    clopt_expression_create("n * x", &expression, &error);
    assert_int_equal(
        clopt_expression_evaluate(expression, CLOPT_INTEGER, lookup, NULL, &integer, &error),
        CLOPT_OK);
    assert_int_equal(integer.integer, 500);
    clopt_expression_destroy(expression);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_integers),
        cmocka_unit_test(test_quotients),
        cmocka_unit_test(test_reals),
        cmocka_unit_test(test_conditions),
        cmocka_unit_test(test_refused_values),
        cmocka_unit_test(test_refused_texts),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_variables),
        cmocka_unit_test(test_kinds_of_results),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
