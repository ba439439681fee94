/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves how values, lists and ranges are read, and what is said about those that cannot be. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <clopt/expression.h>

#include "number/values.h"
#include "text/suggest.h"
#include "text/text.h"

static const struct clopt_parameter parameters[] = {
    {.name = "block_size", .type = CLOPT_INTEGER, .legal = "pow2 2..64", .initial = "16"},
    {.name = "scale", .type = CLOPT_REAL, .legal = "0..1", .initial = "0.50"},
    {.name = "mode", .type = CLOPT_TEXT, .legal = "fast, \"very, fast\"", .initial = "fast"},
    {.name = "matrix", .type = CLOPT_FILE},
    {.name = NULL},
};

/* Parses a list and joins its items with a bar, or gives the message. */
static const char *parse(const char *written, enum clopt_type type, size_t most)
{
    static char result[2048];
    struct clopt_text text = {0};
    struct clopt_list list;
    struct clopt_error error = {0};
    if (clopt_list_parse(written, type, most, &list, &error)) {
        assert_int_equal(error.status, CLOPT_INVALID);
        clopt_text_append(&text, error.message);
    }
    for (size_t i = 0; i < list.count; i++)
        clopt_text_printf(&text, "%s%s", i ? "|" : "", list.items[i]);
    clopt_list_fini(&list);
    assert_true(text.length < sizeof result);
    snprintf(result, sizeof result, "%s", clopt_text_string(&text));
    clopt_text_fini(&text);
    return result;
}

static void test_lists(void **state)
{
    (void)state;
    assert_string_equal(parse("2, 4,8", CLOPT_INTEGER, 99), "2|4|8");
    assert_string_equal(parse("1..5", CLOPT_INTEGER, 99), "1|2|3|4|5");
    assert_string_equal(parse("1..9 step 3", CLOPT_INTEGER, 99), "1|4|7");
    assert_string_equal(parse("pow2 2..32", CLOPT_INTEGER, 99), "2|4|8|16|32");
    assert_string_equal(parse("pow2 3..20, 1, 4, 30..31", CLOPT_INTEGER, 99), "4|8|16|1|30|31");
    assert_string_equal(parse("4, pow2 2..8, 4", CLOPT_INTEGER, 99), "4|2|8");
    assert_string_equal(parse("-2..1", CLOPT_INTEGER, 99), "-2|-1|0|1");
    assert_string_equal(parse("1k, 2Ki, 010, 1000", CLOPT_INTEGER, 99), "1000|2048|10");
    assert_string_equal(parse("0.1..0.5 step 0.1", CLOPT_REAL, 99), "0.1|0.2|0.3|0.4|0.5");
    assert_string_equal(parse("500 ms, 2min, 120s", CLOPT_TIME, 99), "0.5s|120s");
    assert_string_equal(parse("1s..2s step 500ms", CLOPT_TIME, 99), "1s|1.5s|2s");
    assert_string_equal(parse("2%, 0.5, 50%", CLOPT_SHARE, 99), "0.02|0.5");
    assert_string_equal(parse("3x, 1.5", CLOPT_FACTOR, 99), "3x|1.5x");
    assert_string_equal(parse("1s, 10", CLOPT_TIME, 99),
                        "10: not a time such as 500ms, 10s, 2min or 1h");
    assert_string_equal(parse("1e3, 0.50, -0", CLOPT_REAL, 99), "1000|0.5|0");
    assert_string_equal(parse("one, \"two, three\" ,one", CLOPT_TEXT, 99), "one|two, three");
    assert_string_equal(parse("9223372036854775806..9223372036854775807", CLOPT_INTEGER, 99),
                        "9223372036854775806|9223372036854775807");
}

static void test_lists_refused(void **state)
{
    (void)state;
    assert_string_equal(parse("", CLOPT_INTEGER, 99), "a value is missing");
    assert_string_equal(parse("1,,2", CLOPT_INTEGER, 99), "a value is missing");
    assert_string_equal(parse("4,x", CLOPT_INTEGER, 99), "x: not an integer");
    assert_string_equal(parse("4 8", CLOPT_INTEGER, 99),
                        "4 8: not an integer (with k, M, G, Ki, Mi or Gi after it, or nothing)");
    assert_string_equal(parse("10000000000G", CLOPT_INTEGER, 99),
                        "10000000000G: out of the range of 64-bit integers");
    assert_string_equal(parse("99999999999999999999", CLOPT_INTEGER, 99),
                        "99999999999999999999: out of the range of 64-bit integers");
    assert_string_equal(parse("5..1", CLOPT_INTEGER, 99), "5..1: no value is in this range");
    assert_string_equal(parse("pow2 5..7", CLOPT_INTEGER, 99),
                        "pow2 5..7: no value is in this range");
    assert_string_equal(parse("pow2 0..8", CLOPT_INTEGER, 99),
                        "pow2 0..8: powers of two start at 1");
    assert_string_equal(parse("pow2 8", CLOPT_INTEGER, 99), "pow2 8: not a range such as 1..8");
    assert_string_equal(parse("8 step 2", CLOPT_INTEGER, 99), "8 step 2: not a range such as 1..8");
    assert_string_equal(parse("1..8 step 0", CLOPT_INTEGER, 99), "step 0: not more than 0");
    assert_string_equal(parse("pow2 1..8 step 2", CLOPT_INTEGER, 99),
                        "pow2 1..8 step 2: pow2 and step do not go together");
    assert_string_equal(parse("1..", CLOPT_INTEGER, 99),
                        "1..: a range needs two ends, such as 1..8");
    assert_string_equal(parse("1..100", CLOPT_INTEGER, 99), "1..100: more than 99 values");
    assert_string_equal(parse("-9223372036854775808..9223372036854775807", CLOPT_INTEGER, 99),
                        "-9223372036854775808..9223372036854775807: more than 99 values");
    assert_string_equal(parse("0..1", CLOPT_REAL, 99), "0..1: a range of reals needs a step");
    assert_string_equal(parse("0..1 step 1e-300", CLOPT_REAL, 99),
                        "0..1 step 1e-300: more than 99 values");
    assert_string_equal(parse("nan", CLOPT_REAL, 99), "nan: not a number");
    assert_string_equal(parse("1e999", CLOPT_REAL, 99), "1e999: not a finite number");
    assert_string_equal(parse("a\"b\"", CLOPT_TEXT, 99),
                        "a\"b\": quotes must stand at both ends of a value");
}

/* Sets one value and returns the message, or "". */
static const char *set(struct clopt_values *values, const char *name, const char *text)
{
    static struct clopt_error error;
    error = (struct clopt_error){0};
    clopt_values_set(values, clopt_parameter_find(parameters, name), text, &error);
    return error.message;
}

static void test_values(void **state)
{
    (void)state;
    struct clopt_values *values = clopt_values_create(parameters);
    assert_int_equal(clopt_values_integer(values, "block_size"), 16);
    assert_string_equal(clopt_values_text(values, "scale"), "0.5");
    assert_false(clopt_values_has(values, "matrix"));
    assert_null(clopt_values_text(values, "matrix"));
    assert_int_equal(clopt_values_integer(values, "nothing"), 0);

    struct clopt_values *copy = clopt_values_copy(values);
    assert_true(clopt_values_equal(values, copy));
    assert_string_equal(set(values, "block_size", " 32 "), "");
    assert_string_equal(set(values, "mode", "very, fast"), "");
    assert_string_equal(set(values, "matrix", "a b.mtx"), "");
    assert_int_equal(clopt_values_integer(values, "block_size"), 32);
    assert_true(clopt_values_real(values, "block_size") == 32.0);
    assert_string_equal(clopt_values_text(values, "matrix"), "a b.mtx");
    assert_false(clopt_values_equal(values, copy));

    assert_string_equal(set(values, "block_size", "7"), "block_size = 7: not one of pow2 2..64");
    assert_string_equal(set(values, "block_size", "x"),
                        "block_size = x: not an integer; legal: pow2 2..64");
    assert_string_equal(set(values, "scale", "1.5"), "scale = 1.5: not one of 0..1");
    assert_string_equal(set(values, "mode", "slow"),
                        "mode = slow: not one of fast, \"very, fast\"");
    assert_int_equal(clopt_values_integer(values, "block_size"), 32);
    clopt_values_destroy(copy);
    clopt_values_destroy(values);
}

static void check_legal(const char *text, enum clopt_type type, const char *legal, bool is_legal)
{
    struct clopt_value value;
    struct clopt_error error = {0};
    assert_int_equal(clopt_value_parse(text, type, &value, &error), CLOPT_OK);
    assert_int_equal(clopt_value_check_legal(&value, legal, &error) == CLOPT_OK, is_legal);
    free(value.text);
}

static void test_legal_values_may_be_open(void **state)
{
    (void)state;
    check_legal("9000000000", CLOPT_INTEGER, "1..", true);
    check_legal("0", CLOPT_INTEGER, "1..", false);
    check_legal("-5", CLOPT_INTEGER, "..0", true);
    check_legal("12", CLOPT_INTEGER, "pow2 1..64", false);
    check_legal("7", CLOPT_INTEGER, "1..9 step 3", true);
    check_legal("8", CLOPT_INTEGER, "1..9 step 3", false);
    check_legal("8", CLOPT_INTEGER, "0, 8..9", true);
    check_legal("0.3", CLOPT_REAL, "0..1 step 0.1", true);
    check_legal("0.35", CLOPT_REAL, "0..1 step 0.1", false);
    check_legal("2min", CLOPT_TIME, "1s..24h", true);
    check_legal("999ms", CLOPT_TIME, "1s..24h", false);
    check_legal("2%", CLOPT_SHARE, "0.02, 5%", true);
    check_legal("yes", CLOPT_TEXT, "yes, no", true);
    check_legal("ye", CLOPT_TEXT, "yes, no", false);
}

static void yes_and_no_are_a_type(void **state)
{
    (void)state;
    static const struct clopt_parameter table[] = {
        {.name = "flat", .type = CLOPT_BOOLEAN, .initial = "no", .help = "whether"},
        {.name = NULL},
    };
    struct clopt_values *values = clopt_values_create(table);
    struct clopt_error error = {0};
    struct clopt_number number;
    assert_int_equal(clopt_values_integer(values, "flat"), 0);
    assert_int_equal(clopt_values_set(values, table, "yes", &error), CLOPT_OK);
    assert_int_equal(clopt_values_integer(values, "flat"), 1);
    assert_string_equal(clopt_values_text(values, "flat"), "yes");
    assert_true(clopt_values_number(values, "flat", &number) && number.integer == 1);
    assert_int_equal(clopt_values_set(values, table, "Yes", &error), CLOPT_INVALID);
    assert_string_equal(error.message, "flat = Yes: neither yes nor no");
    clopt_values_destroy(values);
    assert_string_equal(parse("no, \"yes\", no", CLOPT_BOOLEAN, 99), "no|yes");
    assert_string_equal(parse("no, 1", CLOPT_BOOLEAN, 99), "1: neither yes nor no");
    assert_string_equal(clopt_parameter_legal(table), "no, yes");
}

/* ---- what means something beside other values alone ---- */

static const struct clopt_parameter linked[] = {
    {.name = "factor", .type = CLOPT_INTEGER, .initial = "1"},
    {.name = "file", .type = CLOPT_FILE, .with = "order"},
    {.name = "order", .type = CLOPT_INTEGER, .initial = "1k", .with = "factor file"},
    {.name = "stride", .type = CLOPT_INTEGER, .initial = "1", .with = "factor", .without = "whole"},
    {.name = "whole", .type = CLOPT_BOOLEAN, .initial = "no"},
    {.name = NULL},
};

/* Sets values, "factor=2 stride=3"; gives the message, or "". */
static const char *check_meaning(const char *text)
{
    static struct clopt_error error;
    error = (struct clopt_error){0};
    struct clopt_values *values = clopt_values_create(linked);
    char name[16], value[16];
    for (int used; sscanf(text, "%15[a-z]=%15s%n", name, value, &used) == 2;
         text += used, text += *text == ' ')
        assert_int_equal(clopt_values_set(values, clopt_parameter_find(linked, name), value, NULL),
                         CLOPT_OK);
    clopt_values_check_meaning(linked, values, &error);
    clopt_values_destroy(values);
    return error.message;
}

static void values_that_mean_nothing_are_refused(void **state)
{
    (void)state;
    assert_string_equal(check_meaning(""), "");
    assert_string_equal(check_meaning("order=1000 stride=1 whole=no"), "");
    assert_string_equal(check_meaning("factor=2 stride=3 order=7"), "");
    assert_string_equal(check_meaning("stride=3"), "stride = 3 means nothing with factor = 1");
    assert_string_equal(check_meaning("factor=2 stride=3 whole=yes"),
                        "stride = 3 means nothing with whole = yes");
    assert_string_equal(check_meaning("order=2"), "order = 2 means nothing without factor or file");
    assert_string_equal(check_meaning("file=a"), "file = a means nothing with order = 1000");
    assert_string_equal(check_meaning("file=a order=2"), "");
}

/* Reads values from JSON text; gives the message, or "". */
static const char *from_json(const char *text, struct clopt_values **values)
{
    static struct clopt_error error;
    error = (struct clopt_error){0};
    json_t *json = json_loads(text, JSON_DECODE_ANY, NULL);
    clopt_values_from_json(parameters, json, values, &error);
    json_decref(json);
    return error.message;
}

static void test_json(void **state)
{
    (void)state;
    struct clopt_values *values;
    assert_string_equal(from_json("{\"block_size\": \"64\", \"matrix\": \"m\"}", &values), "");
    json_t *json = clopt_values_to_json(values);
    char *text = json_dumps(json, JSON_SORT_KEYS);
    assert_string_equal(text, "{\"block_size\": \"64\", \"matrix\": \"m\", \"mode\": \"fast\", "
                              "\"scale\": \"0.5\"}");
    free(text);
    json_decref(json);
    clopt_values_destroy(values);

    assert_string_equal(from_json("[]", &values), "values: not a JSON object");
    assert_null(values);
    assert_string_equal(from_json("{\"x\": \"1\"}", &values), "x: no such parameter");
    assert_string_equal(from_json("{\"mode\": 1}", &values), "mode: not a text");
    assert_string_equal(from_json("{\"block_size\": \"65\"}", &values),
                        "block_size = 65: not one of pow2 2..64");
}

static void test_suggest(void **state)
{
    (void)state;
    static const char *const names[] = {"precision", "min_samples", "max_samples", "pin"};
    assert_string_equal(clopt_suggest("precison", names, 4), "precision");
    assert_string_equal(clopt_suggest("max_sample", names, 4), "max_samples");
    assert_string_equal(clopt_suggest("ipn", names, 4), "pin");
    assert_null(clopt_suggest("bananas", names, 4));
    assert_null(clopt_suggest("", names, 4));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_lists_refused),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_legal_values_may_be_open),
        cmocka_unit_test(yes_and_no_are_a_type),
        cmocka_unit_test(values_that_mean_nothing_are_refused),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_suggest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
