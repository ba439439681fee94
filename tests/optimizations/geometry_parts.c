/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves that geometry reads local sizes, sets them, and says why one cannot be. */
#include <clopt/clopt.h>

#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "number/values.h"
#include "trial/transform.h"

extern const struct clopt_plugin clopt_plugin;

static const struct clopt_optimization *geometry(void)
{
    return clopt_plugin.extensions[0].operations;
}

/* Returns geometry's values with local_size set, for the caller to destroy. */
static struct clopt_values *values_with(const char *local_size)
{
    struct clopt_error error = {0};
    const struct clopt_parameter *parameters = geometry()->parameters;
    struct clopt_values *values = clopt_values_create(parameters);
    assert_non_null(values);
    assert_int_equal(clopt_values_set(values, clopt_parameter_find(parameters, "local_size"),
                                      local_size, &error),
                     CLOPT_OK);
    return values;
}

static const struct clopt_device_info device = {
    .max_work_group_size = 1024,
    .max_work_item_sizes = {1024, 1024, 64},
};

/* Starts the transform of a kernel with 100 x 60 work-items that takes any local size. */
static void start(struct clopt_transform *transform)
{
    struct clopt_ndrange ndrange = CLOPT_RANGE2(100, 60, 10, 10);
    clopt_transform_init(transform, "blur", "blur.cl", "source", "", &ndrange);
    transform->any_local_size = true;
    transform->device = &device;
}

static void expect_refusal(struct clopt_transform *transform, const char *local_size,
                           enum clopt_status status, const char *message)
{
    struct clopt_error error = {0};
    struct clopt_values *values = values_with(local_size);
    assert_int_equal(geometry()->check(transform, values, &error), status);
    assert_string_equal(error.message, message);
    memset(&error, 0, sizeof error);
    assert_int_equal(geometry()->apply(transform, values, &error), status);
    assert_string_equal(error.message, message);
    clopt_values_destroy(values);
}

static void sets_the_local_size_and_rounds_the_range_up(void **state)
{
    (void)state;
    struct clopt_transform transform;
    struct clopt_error error = {0};
    start(&transform);
    struct clopt_values *values = values_with("16x4");
    assert_int_equal(geometry()->check(&transform, values, &error), CLOPT_OK);
    assert_int_equal(geometry()->apply(&transform, values, &error), CLOPT_OK);
    const struct clopt_ndrange *ndrange = transform.ndrange;
    assert_int_equal(ndrange->local[0], 16);
    assert_int_equal(ndrange->local[1], 4);
    assert_int_equal(ndrange->global[0], 112);
    assert_int_equal(ndrange->global[1], 60);
    assert_string_equal(transform.source, "source");
    clopt_values_destroy(values);
    clopt_transform_fini(&transform);
}

static void unset_parameters_change_nothing(void **state)
{
    (void)state;
    struct clopt_transform transform;
    struct clopt_error error = {0};
    start(&transform);
    transform.any_local_size = false;
    struct clopt_values *values = clopt_values_create(geometry()->parameters);
    assert_int_equal(geometry()->check(&transform, values, &error), CLOPT_OK);
    assert_int_equal(geometry()->apply(&transform, values, &error), CLOPT_OK);
    assert_int_equal(transform.ndrange->local[0], 10);
    clopt_values_destroy(values);
    clopt_transform_fini(&transform);
}

static void refuses_what_is_no_local_size(void **state)
{
    (void)state;
    static const char *const wrong[] = {"0",    "16x",     "x16",         "16x0", "16 x 4", "-8",
                                        "big",  "+4",      "8x8x8x8",     "4x",   "1e3",    "016",
                                        "16.5", "16x4x8y", "99999999999", "16X16"};
    struct clopt_transform transform;
    start(&transform);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char message[200];
        snprintf(message, sizeof message,
                 "local_size = %s: not one to three numbers, such as 64 or 16x4", wrong[i]);
        expect_refusal(&transform, wrong[i], CLOPT_INVALID, message);
    }
    clopt_transform_fini(&transform);
}

static void says_why_a_local_size_is_infeasible(void **state)
{
    (void)state;
    struct clopt_transform transform;
    start(&transform);
    expect_refusal(&transform, "64", CLOPT_INFEASIBLE,
                   "local_size = 64: has 1 dimensions, the NDRange of blur has 2");
    transform.any_local_size = false;
    expect_refusal(&transform, "16x4", CLOPT_INFEASIBLE,
                   "local_size = 16x4: blur works with its own work-groups only");
    clopt_transform_fini(&transform);
}

static void takes_two_dimensions_for_those_of_planes(void **state)
{
    (void)state;
    struct clopt_transform transform;
    struct clopt_error error = {0};
    struct clopt_ndrange ndrange = CLOPT_RANGE2(96, 64, 16, 16);
    ndrange.dimensions = 3;
    ndrange.global[2] = ndrange.local[2] = 4;
    clopt_transform_init(&transform, "blur", "blur.cl", "source", "", &ndrange);
    transform.any_local_size = true;
    CLOPT_HELD(clopt_values) values = values_with("32x8");
    assert_int_equal(geometry()->apply(&transform, values, &error), CLOPT_OK);
    assert_int_equal(transform.ndrange->local[0], 32);
    assert_int_equal(transform.ndrange->local[1], 8);
    assert_int_equal(transform.ndrange->local[2], 1);
    expect_refusal(&transform, "64", CLOPT_INFEASIBLE,
                   "local_size = 64: has 1 dimensions, the NDRange of blur has 3");
    clopt_transform_fini(&transform);
}

static void judges_without_device_and_ndrange(void **state)
{
    (void)state;
    struct clopt_transform transform;
    struct clopt_error error = {0};
    clopt_transform_init(&transform, "blur", "blur.cl", NULL, "", NULL);
    transform.any_local_size = true;
    struct clopt_values *values = values_with("4096x1x1");
    assert_int_equal(geometry()->check(&transform, values, &error), CLOPT_OK);
    clopt_values_destroy(values);
    clopt_transform_fini(&transform);
}

static void serializes_on_no_gpu(void **state)
{
    (void)state;
    struct clopt_transform transform;
    struct clopt_error error = {0};
    struct clopt_device_info gpu = device;
    snprintf(gpu.type, sizeof gpu.type, "gpu");
    start(&transform);
    const struct clopt_parameter *parameters = geometry()->parameters;
    struct clopt_values *values = clopt_values_create(parameters);
    assert_non_null(values);
    assert_int_equal(
        clopt_values_set(values, clopt_parameter_find(parameters, "serial"), "yes", &error),
        CLOPT_OK);
    assert_int_equal(geometry()->check(&transform, values, &error), CLOPT_OK);
    transform.device = &gpu;
    assert_int_equal(geometry()->check(&transform, values, &error), CLOPT_INFEASIBLE);
    assert_string_equal(error.message,
                        "serial = yes: one work-item of a group would leave a GPU idle");
    clopt_values_destroy(values);
    clopt_transform_fini(&transform);
}

/* Returns geometry's values for the merging of work-groups, for the caller to destroy. */
static struct clopt_values *merging_of(const char *granularity)
{
    struct clopt_error error = {0};
    const struct clopt_parameter *parameters = geometry()->parameters;
    struct clopt_values *values = clopt_values_create(parameters);
    assert_non_null(values);
    assert_int_equal(
        clopt_values_set(values, clopt_parameter_find(parameters, "merge"), "groups", &error),
        CLOPT_OK);
    assert_int_equal(clopt_values_set(values, clopt_parameter_find(parameters, "granularity"),
                                      granularity, &error),
                     CLOPT_OK);
    return values;
}

static void expect_merging(struct clopt_transform *transform, const char *granularity,
                           const char *message)
{
    struct clopt_error error = {0};
    struct clopt_values *values = merging_of(granularity);
    enum clopt_status status = geometry()->apply(transform, values, &error);
    clopt_values_destroy(values);
    assert_string_equal(error.message, message ? message : "");
    assert_int_equal(status, message ? CLOPT_INFEASIBLE : CLOPT_OK);
}

static void tells_a_launch_how_many_groups_there_were(void **state)
{
    (void)state;
    struct clopt_transform transform;
    struct clopt_error error = {0};
    struct clopt_ndrange ndrange = CLOPT_RANGE1(110, 10);
    clopt_transform_init(&transform, "k", "k.cl",
                         "kernel void k(global int *a) { a[get_global_id(0)]++; }", "", &ndrange);
    expect_merging(&transform, "4", NULL);
    assert_int_equal(transform.ndrange->global[0], 30);
    assert_int_equal(transform.ndrange->local[0], 10);
    expect_merging(&transform, "2", NULL);
    assert_int_equal(transform.ndrange->global[0], 20);
    assert_int_equal(transform.change.added_count, 2);
    assert_int_equal(clopt_added_value(&ndrange, &transform.change, 0, 0), 11);
    assert_int_equal(clopt_added_value(&ndrange, &transform.change, 1, 0), 3);
    ndrange = CLOPT_RANGE1(30, 10);
    assert_int_equal(clopt_added_value(&ndrange, &transform.change, 0, 0), 3);
    assert_int_equal(clopt_added_value(&ndrange, &transform.change, 1, 0), 1);
    const struct clopt_ndrange_change more = {.added = {{0}}, .added_count = 1};
    for (unsigned i = 2; i < CLOPT_MOST_ADDED; i++)
        assert_int_equal(clopt_transform_change_ndrange(&transform, &more, &error), CLOPT_OK);
    assert_int_equal(clopt_transform_change_ndrange(&transform, &more, &error), CLOPT_INFEASIBLE);
    clopt_transform_fini(&transform);
}

/* What is not counted in a change, and what lies between its members, is none. */
static void what_does_not_count_is_no_change(void **state)
{
    (void)state;
    struct clopt_transform transform;
    struct clopt_error error = {0};
    struct clopt_ndrange ndrange = CLOPT_RANGE1(110, 10);
    clopt_transform_init(&transform, "k", "k.cl",
                         "kernel void k(global int *a) { a[get_global_id(0)]++; }\n"
                         "kernel void other(global int *a) { k(a); }",
                         "", &ndrange);
    struct clopt_ndrange_change change = {.added = {{.merged = 2}}};
    assert_int_equal(clopt_transform_change_ndrange(&transform, &change, &error), CLOPT_OK);
    change.added_count = 1;
    assert_int_equal(clopt_transform_change_ndrange(&transform, &change, &error), CLOPT_INFEASIBLE);
    assert_string_equal(error.message, "k is called by other, which is not rewritten with it");
    clopt_transform_fini(&transform);
}

/* Each merged group has a part of its own, also where groups are merged once more. */
static void local_memory_of_the_host_grows_with_the_groups(void **state)
{
    (void)state;
    struct clopt_transform transform;
    struct clopt_ndrange ndrange = CLOPT_RANGE1(110, 10);
    clopt_transform_init(&transform, "k", "k.cl",
                         "kernel void k(global int *a, local int *t)\n"
                         "{ t[get_local_id(0)] = a[get_global_id(0)]; }",
                         "", &ndrange);
    expect_merging(&transform, "2", NULL);
    assert_non_null(strstr(transform.source, ", ulong groups_0, ulong t_bytes)"));
    assert_non_null(strstr(transform.source, "local int *t_1 = t + t_bytes / sizeof(*t);"));
    assert_int_equal(transform.change.added_count, 2);
    assert_int_equal(clopt_added_value(&ndrange, &transform.change, 1, 40), 128);
    assert_int_equal(clopt_local_bytes(&transform.change, 2, 1, 40), 256);
    assert_int_equal(clopt_local_bytes(&transform.change, 2, 0, 40), 40);
    expect_merging(&transform, "4", NULL);
    assert_int_equal(clopt_added_value(&ndrange, &transform.change, 3, 129), 512);
    assert_int_equal(clopt_local_bytes(&transform.change, 4, 1, 129), 2048);
    clopt_transform_fini(&transform);
}

static void refuses_more_local_memory_of_the_host_than_it_can_tell_apart(void **state)
{
    (void)state;
    struct clopt_transform transform;
    clopt_transform_init(&transform, "k", "k.cl",
                         "kernel void k(local int *a, local int *b, local int *c, "
                         "local int *d, local int *e,\nlocal int *f, "
                         "local int *g, local int *h)\n{ a[0] = 1; }",
                         "", NULL);
    expect_merging(&transform, "2",
                   "k.cl:3: more than 7 arguments lead to local memory, of which merged "
                   "work-groups need some each");
    clopt_transform_fini(&transform);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_the_local_size_and_rounds_the_range_up),
        cmocka_unit_test(unset_parameters_change_nothing),
        cmocka_unit_test(refuses_what_is_no_local_size),
        cmocka_unit_test(says_why_a_local_size_is_infeasible),
        cmocka_unit_test(takes_two_dimensions_for_those_of_planes),
        cmocka_unit_test(judges_without_device_and_ndrange),
        cmocka_unit_test(serializes_on_no_gpu),
        cmocka_unit_test(tells_a_launch_how_many_groups_there_were),
        cmocka_unit_test(what_does_not_count_is_no_change),
        cmocka_unit_test(local_memory_of_the_host_grows_with_the_groups),
        cmocka_unit_test(refuses_more_local_memory_of_the_host_than_it_can_tell_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
