/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves that tables align their columns by characters, and end lines without blanks. */
#include "text/table.h"

#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

/* Prints, compares and destroys a table. */
static void expect(struct clopt_table *table, unsigned indent, const char *expected)
{
    char *printed = NULL;
    size_t size = 0;
    struct clopt_error error = {0};
    FILE *stream = open_memstream(&printed, &size);
    assert_non_null(stream);
    assert_int_equal(clopt_table_print(table, stream, indent, &error), CLOPT_OK);
    fclose(stream);
    assert_string_equal(printed, expected);
    free(printed);
    clopt_table_destroy(table);
}

static void add_row(struct clopt_table *table, const char *a, const char *b, const char *c)
{
    clopt_table_cell(table, "%s", a);
    clopt_table_cell(table, "%s", b);
    clopt_table_cell(table, "%s", c);
    clopt_table_end_row(table);
}

static void aligns_left_right_and_centre(void **state)
{
    (void)state;
    struct clopt_table *table = clopt_table_create("lrc");
    add_row(table, "kernel", "ms", "rank");
    clopt_table_rule(table);
    add_row(table, "a", "1.25", "1");
    expect(table, 2,
           "  kernel    ms  rank\n"
           "  ------------------\n"
           "  a       1.25   1\n");
}

static void counts_characters_of_utf8(void **state)
{
    (void)state;
    struct clopt_table *table = clopt_table_create("rr");
    add_row(table, "± µs", "x", "");
    add_row(table, "12345", "y", "");
    expect(table, 0, " ± µs  x\n12345  y\n");
}

static void fills_short_rows_and_drops_what_is_too_much(void **state)
{
    (void)state;
    struct clopt_table *table = clopt_table_create("ll");
    clopt_table_cell(table, "%d", 1);
    clopt_table_end_row(table);
    add_row(table, "one", "two", "three");
    clopt_table_end_row(table);
    expect(table, 0, "1\none  two\n\n");
}

static void leaves_out_empty_columns(void **state)
{
    (void)state;
    struct clopt_table *table = clopt_table_create("lll");
    add_row(table, "a", "", "c");
    clopt_table_rule(table);
    expect(table, 0, "a  c\n----\n");
}

static void running_text_is_broken(void **state)
{
    (void)state;
    const char *text = "text that goes on and on, and then some more, until the line is full of it";
    struct clopt_table *table = clopt_table_create("ll");
    clopt_table_wrap(table);
    add_row(table, "name", text, "");
    clopt_table_rule(table);
    add_row(table, "none", "", "");
    expect(table, 2,
           "  name  text that goes on and on, and then some more, until the line is full of\n"
           "        it\n"
           "  ------------------------------------------------------------------------------\n"
           "  none\n");
    table = clopt_table_create("ll");
    clopt_table_wrap(table);
    add_row(table, "a name that is wider than all that comes in front of a text", text, "");
    expect(table, 2,
           "  a name that is wider than all that comes in front of a text\n"
           "      text that goes on and on, and then some more, until the line is full of it\n");
}

static void an_empty_table_prints_nothing(void **state)
{
    (void)state;
    expect(clopt_table_create("l"), 4, "");
    clopt_table_destroy(NULL);
}

static void says_that_it_could_not_be_written(void **state)
{
    (void)state;
    struct clopt_error error = {0};
    struct clopt_table *table = clopt_table_create("l");
    clopt_table_cell(table, "x");
    clopt_table_end_row(table);
    FILE *closed = fopen("/dev/null", "r"); /* not for writing */
    assert_non_null(closed);
    assert_int_equal(clopt_table_print(table, closed, 0, &error), CLOPT_FAILED);
    assert_string_equal(error.message, "a table could not be written");
    fclose(closed);
    clopt_table_destroy(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(aligns_left_right_and_centre),
        cmocka_unit_test(counts_characters_of_utf8),
        cmocka_unit_test(fills_short_rows_and_drops_what_is_too_much),
        cmocka_unit_test(leaves_out_empty_columns),
        cmocka_unit_test(running_text_is_broken),
        cmocka_unit_test(an_empty_table_prints_nothing),
        cmocka_unit_test(says_that_it_could_not_be_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
