/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves that text is broken where a line ends, and that colours take no room. */
#include "text/text.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

/* 78 letters. */
#define LONG "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz"

static void expect(size_t column, unsigned indent, const char *text, const char *wanted)
{
    char *got = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&got, &size);
    assert_non_null(stream);
    clopt_wrap_print(stream, column, indent, text);
    assert_int_equal(fclose(stream), 0);
    assert_string_equal(got, wanted);
    free(got);
}

static void short_texts_stay_on_their_line(void **state)
{
    (void)state;
    expect(0, 4, "", "\n");
    expect(10, 4, "one  two", "one two\n");
    expect(0, 4, LONG " x", LONG " x\n");
}

static void longer_ones_go_on_in_the_next(void **state)
{
    (void)state;
    expect(0, 4, LONG " xy", LONG "\n    xy\n");
    expect(1, 2, LONG " x y", LONG "\n  x y\n");
    expect(79, 2, "ab cd", "ab\n  cd\n"); /* the first word belongs to its line */
}

static void names_of_variants_are_broken_behind_commas_and_pluses(void **state)
{
    (void)state;
    expect(0, 4, LONG "+b(c=1,d=2) e", LONG "+\n    b(c=1,d=2) e\n");
    expect(0, 4, LONG LONG " x", LONG LONG "\n    x\n");
}

static void colours_take_no_room(void **state)
{
    (void)state;
    assert_int_equal(clopt_text_width("\033[1mab\033[0m"), 2);
    assert_int_equal(clopt_text_width("\xc3\xa4"
                                      "b"),
                     2);
    assert_int_equal(clopt_text_width("\033"), 0);
    expect(0, 4, "\033[1m" LONG "\033[0m x", "\033[1m" LONG "\033[0m x\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_texts_stay_on_their_line),
        cmocka_unit_test(longer_ones_go_on_in_the_next),
        cmocka_unit_test(names_of_variants_are_broken_behind_commas_and_pluses),
        cmocka_unit_test(colours_take_no_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
