/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves that a temporary folder is there for as long as its process, however many others make
 * theirs beside it and sweep away what is left of processes that were killed. */
#include "file/folder.h"

#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define PROCESSES 8
#define FOLDERS   25

/* Makes folders, one after the other; ends with 1 where one is not there. */
static void make_folders(void)
{
    for (int i = 0; i < FOLDERS; i++) {
        struct clopt_temporary temporary;
        struct clopt_error error = {0};
        if (clopt_temporary_create(&temporary, &error) || access(temporary.path, W_OK) != 0)
            _exit(1);
        clopt_temporary_sweep();
        if (access(temporary.path, W_OK) != 0)
            _exit(1);
        clopt_temporary_fini(&temporary);
    }
    _exit(0);
}

static void none_is_swept_that_is_in_use(void **state)
{
    (void)state;
    char above[] = "temporary-XXXXXX";
    assert_non_null(mkdtemp(above));
    setenv("TMPDIR", above, 1);
    for (int i = 0; i < PROCESSES; i++)
        if (fork() == 0)
            make_folders();
    int code, failed = 0;
    while (wait(&code) > 0)
        failed += code != 0;
    assert_int_equal(failed, 0);
    assert_int_equal(rmdir(above), 0); /* all of them are gone */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(none_is_swept_that_is_in_use)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
