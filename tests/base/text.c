/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves that a text grows as it should, is never without a terminating NUL, and can be taken. */
#include "text/text.h"

#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include <clopt/memory.h>

static void empty_text_is_the_empty_string(void **state)
{
    (void)state;
    struct clopt_text text = {0};
    assert_string_equal(clopt_text_string(&text), "");
    char *taken = clopt_text_take(&text);
    assert_string_equal(taken, "");
    free(taken);
}

static void appends_in_order(void **state)
{
    (void)state;
    struct clopt_text text = {0};
    clopt_text_append(&text, "block");
    clopt_text_append_char(&text, '_');
    clopt_text_append_bytes(&text, "sizes", 4);
    clopt_text_printf(&text, " = %d", 16);
    assert_string_equal(clopt_text_string(&text), "block_size = 16");
    assert_int_equal(text.length, strlen("block_size = 16"));
    clopt_text_clear(&text);
    assert_string_equal(clopt_text_string(&text), "");
    clopt_text_fini(&text);
}

static void grows_over_many_appends(void **state)
{
    (void)state;
    struct clopt_text text = {0};
    for (int i = 0; i < 10000; i++)
        clopt_text_printf(&text, "%04d", i);
    char *taken = clopt_text_take(&text);
    assert_int_equal(strlen(taken), 40000);
    assert_memory_equal(taken + 4 * 1234, "1234", 4);
    assert_null(text.data);
    free(taken);
}

/* Runs `work` in a process whose stderr is read; asserts that it says so and ends as it must. */
static void assert_ends(void (*work)(void))
{
    char said[80] = "";
    int ends[2], wait_status = 0;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        work();
        _exit(0);
    }
    close(ends[1]);
    assert_int_equal(waitpid(child, &wait_status, 0), child);
    assert_true(read(ends[0], said, sizeof said - 1) > 0);
    close(ends[0]);
    assert_int_equal(WEXITSTATUS(wait_status), CLOPT_EXIT_MEMORY);
    assert_string_equal(said, "clopt: out of memory\n");
}

static void append_too_much(void)
{
    struct clopt_text text = {0};
    clopt_text_append(&text, "before");
    clopt_text_append_bytes(&text, "", SIZE_MAX - 1); /* nobody has that much */
}

static void ask_for_a_product_that_overflows(void)
{
    free(clopt_realloc(NULL, SIZE_MAX / 2, 3));
}

static void a_process_ends_whose_memory_runs_out(void **state)
{
    (void)state;
    assert_ends(append_too_much);
    assert_ends(ask_for_a_product_that_overflows);
}

static void assert_printable(const char *string, const char *expected)
{
    struct clopt_text text = {0};
    clopt_text_append_printable(&text, string);
    assert_string_equal(clopt_text_string(&text), expected);
    clopt_text_fini(&text);
}

#define NONE "\xef\xbf\xbd"

static void printable_text_is_good_utf8_on_one_line(void **state)
{
    (void)state;
    assert_printable("gr\xc3\xb6\xc3\x9f"
                     "e <&> \xe2\x89\xa4 \xf0\x9f\x98\x80",
                     "gr\xc3\xb6\xc3\x9f"
                     "e <&> \xe2\x89\xa4 \xf0\x9f\x98\x80");
    assert_printable("a\nb\tc\rd\033[1m\177", "a b c" NONE "d" NONE "[1m" NONE);
    assert_printable("\xff \xc3( \xe2\x89", NONE " " NONE "( " NONE NONE);   /* cut short */
    assert_printable("\xc0\xaf \xe0\x80\xaf", NONE NONE " " NONE NONE NONE); /* too long a form */
    assert_printable("\xed\xa0\x80", NONE NONE NONE);                        /* half a character */
    assert_printable("\xf4\x90\x80\x80", NONE NONE NONE NONE); /* beyond the last one */
    assert_printable("\xe2\x80\xae \xc2\x85 \xef\xbf\xbf", NONE " " NONE " " NONE);
}

static void reasons_are_cut_where_an_error_ends(void **state)
{
    (void)state;
    struct clopt_error error = {.status = CLOPT_INVALID};
    memset(error.message, 'r', sizeof error.message - 1);
    assert_int_equal(clopt_fail_within(&error, "study.ini:%d", 7), CLOPT_INVALID);
    assert_memory_equal(error.message, "study.ini:7: rrr", 16);
    assert_int_equal(strlen(error.message), sizeof error.message - 1);
    memset(error.message, 'r', sizeof error.message - 1);
    clopt_fail_within(&error, "%.*s", (int)sizeof error.message, error.message);
    assert_int_equal(strspn(error.message, "r"), sizeof error.message - 1);
}

static void lines_stay_apart(void **state)
{
    (void)state;
    char *printed = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&printed, &length);
    clopt_text_print(NULL, "%s\n", "not asked for");
    clopt_text_print(stream, "%s: %d\n", "a\033[2J\n\tb", 3);
    fclose(stream);
    assert_string_equal(printed, "a" NONE "[2J\n b: 3\n");
    free(printed);
}

static void assert_word(const char *string, const char *expected)
{
    struct clopt_text text = {0};
    clopt_text_append_word(&text, string);
    assert_string_equal(clopt_text_string(&text), expected);
    clopt_text_fini(&text);
}

static void words_are_quoted_for_a_shell(void **state)
{
    (void)state;
    assert_word("conf/quick.ini", "conf/quick.ini");
    assert_word("size=64", "size=64");
    assert_word("", "''");
    assert_word("my study.ini", "'my study.ini'");
    assert_word("it's $(x)", "'it'\\''s $(x)'");
    assert_word("*", "'*'");
    assert_word("~", "'~'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_text_is_the_empty_string),
        cmocka_unit_test(appends_in_order),
        cmocka_unit_test(grows_over_many_appends),
        cmocka_unit_test(a_process_ends_whose_memory_runs_out),
        cmocka_unit_test(reasons_are_cut_where_an_error_ends),
        cmocka_unit_test(printable_text_is_good_utf8_on_one_line),
        cmocka_unit_test(lines_stay_apart),
        cmocka_unit_test(words_are_quoted_for_a_shell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
