/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves that vector asks the device whether it takes the hint to its compiler, and that it uses
 * what is known of the local size. */
#include <clopt/clopt.h>

#include <setjmp.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "number/values.h"
#include "trial/transform.h"

extern const struct clopt_plugin clopt_plugin;

static const char source[] = "kernel void k(global int *a)\n{\n    a[get_global_id(0)] = 1;\n}\n";
static const char hinted[] = "__attribute__((intel_vec_len_hint(8)))\nkernel void k(";

static const struct clopt_optimization *vector(void)
{
    return clopt_plugin.extensions[0].operations;
}

/* Checks and applies hint = 8 on a device. */
static enum clopt_status give_hint(struct clopt_transform *transform,
                                   const struct clopt_device_info *device,
                                   struct clopt_error *error)
{
    const struct clopt_parameter *parameters = vector()->parameters;
    struct clopt_values *values = clopt_values_create(parameters);
    assert_int_equal(clopt_values_set(values, clopt_parameter_find(parameters, "hint"), "8", error),
                     CLOPT_OK);
    clopt_transform_init(transform, "k", "k.cl", source, "", NULL);
    transform->device = device;
    enum clopt_status checked = vector()->check(transform, values, error);
    enum clopt_status applied = vector()->apply(transform, values, error);
    assert_int_equal(checked, applied);
    clopt_values_destroy(values);
    return applied;
}

static void hints_where_the_device_knows_the_extension(void **state)
{
    (void)state;
    struct clopt_transform transform;
    struct clopt_error error = {0};
    static const struct clopt_device_info knows = {
        .extensions = "cl_khr_fp64 cl_intel_vec_len_hint cl_khr_spir",
    };
    assert_int_equal(give_hint(&transform, &knows, &error), CLOPT_OK);
    assert_non_null(strstr(transform.source, hinted));
    clopt_transform_fini(&transform);
}

static void hints_without_a_device(void **state)
{
    (void)state;
    struct clopt_transform transform;
    struct clopt_error error = {0};
    assert_int_equal(give_hint(&transform, NULL, &error), CLOPT_OK);
    assert_non_null(strstr(transform.source, hinted));
    clopt_transform_fini(&transform);
}

static void refuses_where_the_extension_is_missing(void **state)
{
    (void)state;
    struct clopt_transform transform;
    struct clopt_error error = {0};
    static const struct clopt_device_info lacks = {
        .extensions = "cl_khr_fp64 cl_intel_vec_len_hint_2",
    };
    assert_int_equal(give_hint(&transform, &lacks, &error), CLOPT_INFEASIBLE);
    assert_string_equal(error.message, "hint: the device has no extension cl_intel_vec_len_hint");
    assert_string_equal(transform.source, source);
    clopt_transform_fini(&transform);
}

/* Makes lanes of four work-items, of as many as there are in a group. */
static void merge_all(struct clopt_transform *transform, bool any_local_size)
{
    static const char program[] = "kernel void k(global int *a)\n{\n    int l = get_local_id(0);\n"
                                  "    a[get_global_id(0)] = l;\n}\n";
    const struct clopt_ndrange ndrange = CLOPT_RANGE1(64, 4);
    const struct clopt_parameter *parameters = vector()->parameters;
    struct clopt_values *values = clopt_values_create(parameters);
    struct clopt_error error = {0};
    assert_int_equal(
        clopt_values_set(values, clopt_parameter_find(parameters, "across"), "4", &error),
        CLOPT_OK);
    clopt_transform_init(transform, "k", "k.cl", program, "", &ndrange);
    transform->any_local_size = any_local_size;
    assert_int_equal(vector()->apply(transform, values, &error), CLOPT_OK);
    clopt_values_destroy(values);
}

static void the_only_work_item_is_the_first(void **state)
{
    (void)state;
    struct clopt_transform transform;
    merge_all(&transform, false);
    assert_non_null(strstr(transform.source, "int l = 0;"));
    assert_non_null(strstr(transform.source, "&a[4 * get_global_id(0)]"));
    assert_int_equal(transform.change.local_multiple[0], 4);
    assert_true(transform.change.local_only[0]);
    clopt_transform_fini(&transform);
}

static void a_local_size_that_may_change_is_not_used(void **state)
{
    (void)state;
    struct clopt_transform transform;
    merge_all(&transform, true);
    assert_non_null(strstr(transform.source, "int l = 4 * get_local_id(0);"));
    assert_false(transform.change.local_only[0]);
    clopt_transform_fini(&transform);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hints_where_the_device_knows_the_extension),
        cmocka_unit_test(hints_without_a_device),
        cmocka_unit_test(refuses_where_the_extension_is_missing),
        cmocka_unit_test(the_only_work_item_is_the_first),
        cmocka_unit_test(a_local_size_that_may_change_is_not_used),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
