/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves what the line of progress says, and that trials which took no time promise nothing. */
#include "supervisor/progress.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(line_says_what_is_done_and_going_on),
        cmocka_unit_test(skipped_trials_say_nothing_of_the_time_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
