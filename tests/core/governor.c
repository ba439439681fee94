/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves what is read of the processors' frequency governor, and which ones keep the clock. */
#include "watch/governor.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static void governor_is_read(void **state)
{
    (void)state;
    char root[] = "clopt-governor-XXXXXX", folder[64], file[96], governor[CLOPT_GOVERNOR_MAX];
    assert_non_null(mkdtemp(root));
    assert_false(clopt_governor_read(root, governor));
    snprintf(folder, sizeof folder, "%s/cpu0", root);
    assert_int_equal(mkdir(folder, 0700), 0);
    snprintf(folder, sizeof folder, "%s/cpu0/cpufreq", root);
    assert_int_equal(mkdir(folder, 0700), 0);
    snprintf(file, sizeof file, "%s/scaling_governor", folder);
    FILE *stream = fopen(file, "w");
    assert_non_null(stream);
    fputs("powersave\n", stream);
    fclose(stream);
    assert_true(clopt_governor_read(root, governor));
    assert_string_equal(governor, "powersave");
    assert_int_equal(truncate(file, 0), 0);
    assert_false(clopt_governor_read(root, governor));
    unlink(file);
    rmdir(folder);
    snprintf(folder, sizeof folder, "%s/cpu0", root);
    rmdir(folder);
    rmdir(root);
}

static void some_keep_the_clock(void **state)
{
    (void)state;
    assert_true(clopt_governor_is_steady("performance"));
    assert_true(clopt_governor_is_steady("userspace"));
    assert_false(clopt_governor_is_steady("powersave"));
    assert_false(clopt_governor_is_steady("schedutil"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(governor_is_read),
        cmocka_unit_test(some_keep_the_clock),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
