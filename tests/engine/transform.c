/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves that a rewritten source that does not parse is an internal failure, never an error in the
 * user's source, and that one that grows too long is infeasible; and what of it is compiled. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

#include <clopt/app.h>
#include <clopt/rewrite.h>

#include "trial/transform.h"

static void start(struct clopt_transform *transform)
{
    clopt_transform_init(transform, "k", "k.cl",
                         "kernel void k(global int *a)\n{\n    a[0] = 1;\n}\n", "", NULL);
}

#define REPORT                                                                                     \
    "; this is a defect of clopt or of a plugin: please report it, with the kernel and the "       \
    "variant"

/* The next step reads it first, with the lines of the user's file. */
static void a_rewritten_text_that_does_not_parse_is_an_internal_failure(void **state)
{
    (void)state;
    struct clopt_transform transform;
    struct clopt_error error = {0};
    struct clopt_source *source = NULL;
    start(&transform);
    assert_int_equal(clopt_transform_check(&transform, &error), CLOPT_OK);
    assert_int_equal(clopt_transform_parse(&transform, &source, &error), CLOPT_OK);
    struct clopt_node *body = source->kernel->body;
    clopt_prepend(source, body, clopt_build(source, body, "undeclared = 1;"));
    assert_int_equal(clopt_transform_set_tree(&transform, source, &error), CLOPT_OK);
    clopt_source_destroy(source);
    assert_int_equal(clopt_transform_parse(&transform, &source, &error), CLOPT_FAILED);
    assert_string_equal(error.message,
                        "k.cl: internal failure: the rewritten kernel does not parse "
                        "(k.cl:2: use of undeclared identifier 'undeclared')" REPORT);
    assert_int_equal(clopt_transform_check(&transform, &error), CLOPT_FAILED);
    clopt_transform_fini(&transform);
}

static void the_users_own_errors_stay_theirs(void **state)
{
    (void)state;
    struct clopt_transform transform;
    struct clopt_error error = {0};
    struct clopt_source *source = NULL;
    clopt_transform_init(&transform, "k", "k.cl", "kernel void k(global int *a) { a[0] = }", "",
                         NULL);
    assert_int_equal(clopt_transform_parse(&transform, &source, &error), CLOPT_INVALID);
    assert_string_equal(error.message, "k.cl:1: expected expression");
    clopt_transform_fini(&transform);
}

static void what_grows_too_long_is_infeasible(void **state)
{
    (void)state;
    struct clopt_transform transform;
    struct clopt_error error = {0};
    struct clopt_source *source = NULL;
    start(&transform);
    assert_int_equal(transform.most_bytes, 256 * 1024);
    transform.most_bytes = 58;
    assert_int_equal(clopt_transform_parse(&transform, &source, &error), CLOPT_OK);
    struct clopt_node *body = source->kernel->body;
    clopt_prepend(source, body, clopt_build(source, body, "a[1] = 2;"));
    assert_int_equal(clopt_transform_set_tree(&transform, source, &error), CLOPT_INFEASIBLE);
    assert_string_equal(error.message,
                        "the source would grow from 47 to 61 bytes; the limit is 58 "
                        "([limits] source of a study, --source-limit of clopt transform)");
    transform.most_bytes = 61;
    assert_int_equal(clopt_transform_set_tree(&transform, source, &error), CLOPT_OK);
    clopt_source_destroy(source);
    clopt_transform_fini(&transform);
}

/* Not what is named elsewhere, nor what has directives that others may need. */
static void kernels_that_are_not_launched_are_not_compiled(void **state)
{
    (void)state;
    static const struct clopt_kernel launched[] = {{.name = "k"}, {.name = "l"}, {.name = NULL}};
    struct clopt_transform transform;
    struct clopt_error error = {0};
    struct clopt_source *source = NULL;
    clopt_transform_init(&transform, "k", "k.cl",
                         "kernel void l(global int *a) { a[0] = 2; }\n"
                         "kernel void m(global int *a)\n{\n"
                         "#pragma unroll\n    for (int i = 0; i < 4; i++)\n        a[i] = 3;\n}\n"
                         "kernel void n(global int *a)\n{\n"
                         "#pragma OPENCL FP_CONTRACT OFF\n    a[0] = 3;\n}\n"
                         "kernel void o(global int *a) { a[0] = 4; }\n"
                         "void helper(global int *a) { o(a); }\n"
                         "kernel void k(global int *a)\n{\n    a[0] = 1;\n}\n"
                         "__attribute__((reqd_work_group_size(1, 1, 1))) kernel void p() {}\n",
                         "", NULL);
    assert_int_equal(clopt_transform_parse(&transform, &source, &error), CLOPT_OK);
    struct clopt_node *body = source->kernel->body;
    clopt_prepend(source, body, clopt_build(source, body, "a[1] = 2;"));
    assert_int_equal(clopt_transform_set_tree(&transform, source, &error), CLOPT_OK);
    clopt_source_destroy(source);
    assert_int_equal(clopt_transform_check(&transform, &error), CLOPT_OK);
    assert_null(transform.compiled); /* it is not known what is launched */
    transform.launched = launched;
    assert_int_equal(clopt_transform_check(&transform, &error), CLOPT_OK);
    assert_string_equal(transform.compiled,
                        "kernel void l(global int *a) { a[0] = 2; }\n"
                        "\n\n\n\n\n\n"
                        "kernel void n(global int *a)\n{\n"
                        "#pragma OPENCL FP_CONTRACT OFF\n    a[0] = 3;\n}\n"
                        "kernel void o(global int *a) { a[0] = 4; }\n"
                        "void helper(global int *a) { o(a); }\n"
                        "kernel void k(global int *a)\n{\n    a[1] = 2;\n    a[0] = 1;\n}\n"
                        "\n");
    clopt_transform_fini(&transform);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rewritten_text_that_does_not_parse_is_an_internal_failure),
        cmocka_unit_test(the_users_own_errors_stay_theirs),
        cmocka_unit_test(what_grows_too_long_is_infeasible),
        cmocka_unit_test(kernels_that_are_not_launched_are_not_compiled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
