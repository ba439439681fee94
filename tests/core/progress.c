/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves what the line of progress says, that trials which took no time promise nothing, and that a
 * note takes the place of the line on a terminal. */
#define _XOPEN_SOURCE 700 /* posix_openpt() */

#include "watch/progress.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "text/text.h"

/* Returns the line that is shown when `done` of 100 trials are, `skipped` of them without work. */
static char *show(double done, uint64_t skipped)
{
    char *line = NULL;
    size_t size;
    struct clopt_progress progress;
    FILE *stream = open_memstream(&line, &size);
    assert_non_null(stream);
    clopt_progress_begin(&progress, stream, 100);
    progress.skipped = skipped;
    clopt_progress_show(&progress, done, "measuring 7");
    progress.shown_ns += (int64_t)60 * 1000 * 1000 * 1000; /* as if at once, however slow this is */
    clopt_progress_show(&progress, done + 1, "never seen: too soon");
    fclose(stream);
    return line;
}

static void line_is_there_for_others_without_a_terminal(void **state)
{
    (void)state;
    char line[CLOPT_PROGRESS] = "";
    struct clopt_progress progress;
    clopt_progress_begin(&progress, NULL, 100);
    assert_false(clopt_progress_is_due(&progress));
    progress.line = line;
    assert_true(clopt_progress_is_due(&progress));
    clopt_progress_show(&progress, 0, "building 3");
    assert_string_equal(line, "0 of 100 trials, building 3");
    clopt_progress_end(&progress);
}

static void line_says_what_is_done_and_going_on(void **state)
{
    (void)state;
    char *line = show(40, 10);
    assert_non_null(strstr(line, "40 of 100 trials, about "));
    assert_non_null(strstr(line, " left, measuring 7"));
    assert_null(strstr(line, "never seen"));
    free(line);
}

static void skipped_trials_say_nothing_of_the_time_left(void **state)
{
    (void)state;
    char *line = show(40, 40);
    assert_non_null(strstr(line, "40 of 100 trials, measuring 7"));
    free(line);
    line = show(100, 0);
    assert_non_null(strstr(line, "100 of 100 trials, measuring 7"));
    free(line);
}

/* Opens a terminal; what is written there is read from *other. */
static FILE *open_terminal(int *other)
{
    *other = posix_openpt(O_RDWR | O_NOCTTY);
    assert_true(*other >= 0 && grantpt(*other) == 0 && unlockpt(*other) == 0);
    FILE *terminal = fopen(ptsname(*other), "w");
    assert_non_null(terminal);
    return terminal;
}

static void note_takes_the_place_of_the_line(void **state)
{
    (void)state;
    char seen[500] = "";
    int other;
    struct clopt_progress progress;
    FILE *terminal = open_terminal(&other);
    clopt_progress_begin(&progress, terminal, 100);
    clopt_progress_show(&progress, 40, "measuring 7");
    clopt_text_print(terminal, "clopt: note: %s\n", "no peaks");
    clopt_text_print(terminal, "and %s\n", "more");
    fflush(terminal);
    for (size_t length = 0; !strstr(seen, "and more");) {
        ssize_t more = read(other, seen + length, sizeof seen - 1 - length);
        assert_true(more > 0);
        length += (size_t)more;
    }
    assert_non_null(strstr(seen, "measuring 7\r\033[Kclopt: note: no peaks\r\nand more"));
    fclose(terminal);
    close(other);
}

static void note_in_a_file_is_text_alone(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    clopt_text_print(stream, "clopt: note: %s\n", "no peaks");
    fclose(stream);
    assert_string_equal(text, "clopt: note: no peaks\n");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(line_is_there_for_others_without_a_terminal),
        cmocka_unit_test(line_says_what_is_done_and_going_on),
        cmocka_unit_test(skipped_trials_say_nothing_of_the_time_left),
        cmocka_unit_test(note_takes_the_place_of_the_line),
        cmocka_unit_test(note_in_a_file_is_text_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
