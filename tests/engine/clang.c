/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves that libclang without its headers is refused, with what to install. */
#undef HAVE_CONFIG_H
#define CLOPT_LIBCLANG      "libm.so.6"
#define CLOPT_CLANG_HEADERS "/nonexistent"
#define CLOPT_CLANG_VERSION "99"
#include "frontend/clang.c"

#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static void headers_that_are_missing_are_named(void **state)
{
    (void)state;
    struct clopt_clang clang;
    struct clopt_error error = {0};
    assert_int_equal(clopt_clang_open(&clang, &error), CLOPT_FAILED);
    assert_string_equal(error.message,
                        "/nonexistent/opencl-c-base.h, which libclang needs, cannot be read (No "
                        "such file or directory); install it (Debian packages libclang1-99 and "
                        "libclang-common-99-dev), or configure clopt with CLANG_HEADERS=FOLDER");
    assert_null(clang.library);
}

static void headers_that_were_moved_are_named_by_a_variable(void **state)
{
    (void)state;
    struct clopt_clang clang;
    struct clopt_error error = {0};
    assert_int_equal(setenv("CLOPT_CLANG_HEADERS", "/moved", 1), 0);
    assert_int_equal(clopt_clang_open(&clang, &error), CLOPT_FAILED);
    assert_non_null(strstr(error.message, "/moved/opencl-c-base.h, which libclang needs"));
    assert_int_equal(setenv("CLOPT_CLANG_HEADERS", "", 1), 0);
    assert_string_equal(clopt_clang_headers(), CLOPT_CLANG_HEADERS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(headers_that_are_missing_are_named),
        cmocka_unit_test(headers_that_were_moved_are_named_by_a_variable)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
