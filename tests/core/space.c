/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves which trials a study makes, in which order, and that millions of them cost nothing.
 */
#include "space/space.h"
#include "shared/variant_parse.h"

#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "space/parameters.h"
#include "study_fixture.h"

static void check_list(const char *ini, const char *expected)
{
    struct clopt_study *study = read_text(ini);
    char *list = list_group(study, 0);
    assert_string_equal(list, expected);
    free(list);
    clopt_study_destroy(study);
}

static void without_optimizations_there_is_the_initial_code(void **state)
{
    (void)state;
    check_list("[app tiles]\n", "tile initial code\nrow initial code\n");
    check_list("[app tiles]\nkernels = row\n", "row initial code\n");
}

static void what_changes_nothing_is_left_out(void **state)
{
    (void)state;
    check_list("[app tiles]\nkernels = tile\n[optimization shape]\nblock_size = 8, 16, 32\n",
               "tile initial code\n"
               "tile shape(block_size=8)\n"
               "tile shape(block_size=32)\n");
    check_list("[app tiles]\nkernels = tile\n[optimization unroll]\nfactor = 1..2\n"
               "mode = inner, outer\n",
               "tile initial code\n"
               "tile unroll(mode=inner)\n"
               "tile unroll(factor=2,mode=inner)\n"
               "tile unroll(factor=2)\n");
    check_list("[app tiles]\nkernels = tile\n[optimization unroll]\n", "tile initial code\n");
}

#define JOIN "[app tiles]\nkernels = tile\n[optimization join]\n"

/* A parameter that means nothing beside the others has its initial value, wherever that is in
 * its list, or if it does not; the rest is as it would be without it. */
static void what_means_nothing_is_left_out(void **state)
{
    (void)state;
    check_list(JOIN "factor = 1, 2, 4\nwhole = yes, no\nstride = 1, 3\n",
               "tile initial code\n"
               "tile join(factor=2,whole=yes)\n"
               "tile join(factor=2)\n"
               "tile join(factor=2,stride=3)\n"
               "tile join(factor=4,whole=yes)\n"
               "tile join(factor=4)\n"
               "tile join(factor=4,stride=3)\n");
    check_list(JOIN "factor = 2, 1\nstride = 3, 5\n", "tile initial code\n"
                                                      "tile join(factor=2,stride=3)\n"
                                                      "tile join(factor=2,stride=5)\n");
    check_list(JOIN "factor = 1, 2\nhint = 7\norder = down\n", "tile initial code\n"
                                                               "tile join(hint=7,order=down)\n"
                                                               "tile join(factor=2,hint=7,"
                                                               "order=down)\n");
    check_list(JOIN "whole = no\nstride = 1\n", "tile initial code\n");
}

/* Every trial has a number, and every number is another trial. */
static void what_means_nothing_has_no_number(void **state)
{
    (void)state;
    struct clopt_study *study =
        read_text(JOIN "factor = 1..100\nwhole = no, a, b\nstride = 1..100\nhint = 1..3\n"
                       "order = down, up\n[optimization unroll]\nfactor = 1..3\n"
                       "[combine]\nproducts = all\nsample = 1000\n");
    /* With a factor 99 * (2 + 100) * 3 * 2; without, 3 * 2 more. */
    uint64_t joins = UINT64_C(99) * 102 * 6 + 6;
    assert_int_equal(clopt_space_count_all(study, 0), 1 + joins + 2 + 2 * joins);
    assert_int_equal(clopt_space_count(study, 0), 1001);
    study->sample = 0;
    char *last = NULL;
    for (uint64_t i = 1; i < 1 + joins; i += 97) {
        struct clopt_trial trial;
        struct clopt_error error = {0};
        assert_int_equal(clopt_space_trial(study, 0, i, &trial, &error), CLOPT_OK);
        char *name = clopt_trial_name(&trial);
        assert_true(!last || strcmp(last, name) != 0);
        assert_null(strstr(name, "unroll"));
        assert_true(strstr(name, "factor=") || !strstr(name, "stride="));
        assert_true(!strstr(name, "whole=") || !strstr(name, "stride="));
        free(last);
        last = name;
        clopt_trial_fini(&trial);
    }
    free(last);
    clopt_study_destroy(study);
}

static void a_knob_is_tried_on_the_kernels_that_it_changes(void **state)
{
    (void)state;
    check_list("[app tiles]\n[optimization shape]\nblock_size = 8, 16\npad = 0, 1\n",
               "tile initial code\n"
               "tile shape(block_size=8)\n"
               "row initial code\n"
               "row shape(block_size=8)\n"
               "row shape(block_size=8,pad=1)\n"
               "row shape(pad=1)\n");
}

static void an_optimization_is_tried_on_the_kernels_that_the_study_names(void **state)
{
    (void)state;
    check_list("[app tiles]\n[optimization unroll]\nfactor = 2\nkernels = row\n",
               "tile initial code\nrow initial code\nrow unroll(factor=2)\n");
}

#define TWO_OPTIMIZATIONS                                                                          \
    "[app tiles]\nkernels = tile\n[optimization unroll]\nfactor = 2, 3\n"                          \
    "[optimization shape]\nblock_size = 8, 32\n"

static void optimizations_are_combined_as_the_study_says(void **state)
{
    (void)state;
    const char *alone = "tile initial code\n"
                        "tile unroll(factor=2)\n"
                        "tile unroll(factor=3)\n"
                        "tile shape(block_size=8)\n"
                        "tile shape(block_size=32)\n";
    const char *pairs = "tile unroll(factor=2)+shape(block_size=8)\n"
                        "tile unroll(factor=2)+shape(block_size=32)\n"
                        "tile unroll(factor=3)+shape(block_size=8)\n"
                        "tile unroll(factor=3)+shape(block_size=32)\n";
    char both[1024];
    snprintf(both, sizeof both, "%s%s", alone, pairs);
    check_list(TWO_OPTIMIZATIONS, alone);
    check_list(TWO_OPTIMIZATIONS "[combine]\nproducts = pairs\n", both);
    check_list(TWO_OPTIMIZATIONS "[combine]\nproducts = all\n", both);
}

static void products_are_made_as_they_are_listed(void **state)
{
    (void)state;
    const char *three = "[app tiles]\nkernels = row\n[optimization unroll]\nfactor = 2\n"
                        "[optimization shape coarse]\nblock_size = 8\n"
                        "[optimization shape fine]\nlocal_size = 32, 64\n";
    char ini[512];
    /* In the order of application, each once, with every section of an optimization or with one. */
    snprintf(ini, sizeof ini, "%s%s", three,
             "[combine]\nproducts = shape fine+unroll, unroll + shape, unroll+shape coarse\n");
    check_list(ini, "row initial code\n"
                    "row shape(local_size=32)+unroll(factor=2)\n"
                    "row shape(local_size=64)+unroll(factor=2)\n"
                    "row unroll(factor=2)+shape(block_size=8)\n"
                    "row unroll(factor=2)+shape(local_size=32)\n"
                    "row unroll(factor=2)+shape(local_size=64)\n");
    /* One optimization is combined with itself only where that is asked for. */
    snprintf(ini, sizeof ini, "%s%s", three, "[combine]\nproducts = all\n");
    check_list(ini, "row initial code\n"
                    "row unroll(factor=2)\n"
                    "row shape(block_size=8)\n"
                    "row shape(local_size=32)\n"
                    "row shape(local_size=64)\n"
                    "row unroll(factor=2)+shape(block_size=8)\n"
                    "row unroll(factor=2)+shape(local_size=32)\n"
                    "row unroll(factor=2)+shape(local_size=64)\n");
    snprintf(ini, sizeof ini, "%s%s", three,
             "[combine]\nproducts = unroll+unroll, shape coarse+shape fine\n");
    check_list(ini, "row initial code\n"
                    "row unroll(factor=2)+unroll(factor=2)\n"
                    "row shape(block_size=8)+shape(local_size=32)\n"
                    "row shape(block_size=8)+shape(local_size=64)\n");
}

static void an_optimization_is_tried_on_the_apps_that_the_study_names(void **state)
{
    (void)state;
    struct clopt_study *study = read_text("[app tiles]\nkernels = row\n[app plain]\n"
                                          "[optimization unroll]\nfactor = 2\napps = plain\n"
                                          "[optimization shape]\npad = 1\napps = tiles\n"
                                          "[combine]\nproducts = alone, unroll+shape\n");
    char *tiles = list_group(study, 0);
    char *plain = list_group(study, 1);
    assert_string_equal(tiles, "row initial code\nrow shape(pad=1)\n");
    assert_string_equal(plain, "plain initial code\nplain unroll(factor=2)\n");
    free(tiles);
    free(plain);
    clopt_study_destroy(study);
}

static void groups_are_problems_times_devices(void **state)
{
    (void)state;
    struct clopt_study *study = read_text("[device a]\n[device b]\n"
                                          "[app tiles]\nsize = 16, 32, 64\n[app plain]\n");
    assert_int_equal(clopt_space_group_count(study), 8);
    struct clopt_space_group group = clopt_space_group(study, 5);
    assert_int_equal(group.app, 0);
    assert_int_equal(group.problem, 2);
    assert_int_equal(group.device, 1);
    group = clopt_space_group(study, 7);
    assert_int_equal(group.app, 1);
    assert_int_equal(group.problem, 0);
    assert_int_equal(group.device, 1);

    struct clopt_trial trial;
    struct clopt_error error = {0};
    assert_int_equal(clopt_space_trial(study, 5, 1, &trial, &error), CLOPT_OK);
    assert_int_equal(clopt_values_integer(trial.inputs, "size"), 64);
    assert_string_equal(trial.kernel->name, "row");
    assert_int_equal(trial.seed, 1);
    clopt_trial_fini(&trial);
    assert_int_equal(clopt_space_trial(study, 5, 2, &trial, &error), CLOPT_INVALID);
    assert_string_equal(error.message, "the study has no such trial");
    clopt_study_destroy(study);
}

static void a_million_trials_are_numbers(void **state)
{
    (void)state;
    struct clopt_study *study =
        read_text("[app tiles]\nkernels = row\n[optimization unroll]\nfactor = 1..1000\n"
                  "[optimization shape]\nlocal_size = 1..1000\n[combine]\nproducts = all\n");
    assert_int_equal(clopt_space_count(study, 0), 1 + 999 + 1000 + 999 * 1000);
    struct clopt_trial trial;
    struct clopt_error error = {0};
    assert_int_equal(clopt_space_trial(study, 0, 1000999, &trial, &error), CLOPT_OK);
    char *name = clopt_trial_name(&trial);
    assert_string_equal(name, "unroll(factor=1000)+shape(local_size=1000)");
    free(name);
    clopt_trial_fini(&trial);
    clopt_study_destroy(study);
}

#define TILES "[app tiles]\nkernels = row\n"

static void parameters_are_macros_with_several_values(void **state)
{
    (void)state;
    check_list(TILES "[parameter WG]\nvalues = 32, 64\n[parameter TYPE]\nvalues = float, double\n",
               "row initial code\n"
               "row TYPE=double\n"
               "row WG=64\n"
               "row WG=64,TYPE=double\n");
    check_list(TILES "[parameter X]\nvalues = 1..3\ninitial = 2\n",
               "row initial code\nrow X=1\nrow X=3\n");
    check_list(TILES "[parameter X]\nvalues = 0.5, 2\ninitial = 3\n",
               "row initial code\nrow X=0.5\nrow X=2\n");
    check_list(TILES "[parameter X]\nvalues = 1, 2\napps = plain\n[app plain]\n",
               "row initial code\n");
    check_list("[app tiles]\n[parameter X]\nvalues = 1, 2\nkernels = tile\n"
               "[parameter Y]\nvalues = 1, 2\nkernels = row\nconstraint = X + Y < 4\n",
               "tile initial code\ntile X=2\nrow initial code\nrow Y=2\n");
}

static void parameters_are_combined_with_optimizations(void **state)
{
    (void)state;
    const char *study =
        TILES "[parameter X]\nvalues = 1, 2\n[optimization unroll]\nfactor = 2, 3\n";
    char ini[512];
    snprintf(ini, sizeof ini, "%s", study);
    check_list(ini, "row initial code\nrow X=2\nrow unroll(factor=2)\nrow unroll(factor=3)\n");
    snprintf(ini, sizeof ini, "%s[combine]\nproducts = pairs\n", study);
    check_list(ini, "row initial code\nrow X=2\nrow unroll(factor=2)\nrow unroll(factor=3)\n"
                    "row X=2+unroll(factor=2)\nrow X=2+unroll(factor=3)\n");
    snprintf(ini, sizeof ini, "%s[combine]\nproducts = unroll + parameters\n", study);
    check_list(ini, "row initial code\nrow X=2+unroll(factor=2)\nrow X=2+unroll(factor=3)\n");
}

static void constraints_are_over_inputs_too(void **state)
{
    (void)state;
    struct clopt_study *study =
        read_text("[app tiles]\nkernels = row\nsize = 16, 64\n[parameter X]\nvalues = 8, 16, 32\n"
                  "constraint = 4 * X <= size * 2 and size % X == 0\n");
    char *list = list_group(study, 0);
    assert_string_equal(list, "row initial code\n");
    free(list);
    list = list_group(study, 1);
    assert_string_equal(list, "row initial code\nrow X=16\nrow X=32\n");
    free(list);
    clopt_study_destroy(study);
}

static void constraints_may_ask_the_device(void **state)
{
    (void)state;
    struct clopt_study *study =
        read_text("[device a]\n[device b]\n" TILES "[parameter X]\nvalues = 1, 64, 128\n"
                  "[constraints]\nfits = X <= device.max_work_group_size\n");
    struct clopt_device_info devices[] = {{.max_work_group_size = 100}, {.max_work_group_size = 0}};
    struct clopt_error error = {0};
    assert_int_equal(clopt_space_count(study, 0), 3);
    assert_int_equal(clopt_study_find_combinations(study, devices, &error), CLOPT_OK);
    char *list = list_group(study, 0);
    assert_string_equal(list, "row initial code\nrow X=64\n");
    free(list);
    list = list_group(study, 1); /* the initial code is tried, whatever the device is like */
    assert_string_equal(list, "row initial code\n");
    free(list);
    clopt_study_destroy(study);
}

static void names_of_variants_can_be_read(void **state)
{
    (void)state;
    struct clopt_study *study =
        read_text(TILES "[parameter X]\nvalues = 1, 2\n[parameter TYPE]\nvalues = float, int(3)\n"
                        "[optimization unroll]\nfactor = 2\n[combine]\nproducts = all\n");
    struct clopt_trial trial;
    struct clopt_trial other;
    struct clopt_error error = {0};
    uint64_t last = clopt_space_count(study, 0) - 1;
    assert_int_equal(clopt_space_trial(study, 0, last, &trial, &error), CLOPT_OK);
    assert_int_equal(clopt_space_trial(study, 0, 0, &other, &error), CLOPT_OK);
    assert_true(clopt_trial_is_initial(&other));
    char *name = clopt_trial_name(&trial);
    assert_string_equal(name, "X=2,TYPE=\"int(3)\"+unroll(factor=2)");
    assert_int_equal(clopt_trial_parse_name(&other, name, NULL, &error), CLOPT_OK);
    assert_false(clopt_trial_is_initial(&other));
    char *again = clopt_trial_name(&other);
    assert_string_equal(again, name);

    json_t *json = clopt_trial_to_json(&trial);
    clopt_trial_fini(&other);
    assert_int_equal(clopt_trial_from_json(json, NULL, &other, &error), CLOPT_OK);
    json_decref(json);
    free(again);
    again = clopt_trial_name(&other);
    assert_string_equal(again, name);
    assert_int_equal(clopt_values_integer(other.parameters, "X"), 2);
    assert_int_equal(clopt_trial_parse_name(&other, "Y=2", NULL, &error), CLOPT_INVALID);
    assert_string_equal(error.message, "variant Y=2: no [parameter Y]");
    assert_int_equal(clopt_trial_parse_name(&other, "X=q", NULL, &error), CLOPT_INVALID);
    assert_string_equal(error.message, "variant X=q: X = q: not an integer");
    assert_true(clopt_trial_is_initial(&other));
    free(again);
    free(name);
    clopt_trial_fini(&trial);
    clopt_trial_fini(&other);
    clopt_study_destroy(study);
}

/* The product has 10^12 points, of which constraints leave some 10^10. */
static void huge_spaces_with_constraints_are_numbers(void **state)
{
    (void)state;
    struct clopt_study *study =
        read_text(TILES "[parameter A]\nvalues = 1..100\n[parameter B]\nvalues = 1..100\n"
                        "[parameter C]\nvalues = 1..100\n[parameter D]\nvalues = 1..100\n"
                        "[parameter E]\nvalues = 1..100\n[parameter F]\nvalues = 1..100\n"
                        "[constraints]\nab = A * B <= size * 8\nbc = B % C == 0\nde = D < E + 3\n"
                        "[combine]\nsample = 1000\n");
    assert_int_equal(clopt_space_count(study, 0), 1001);
    assert_true(clopt_space_count_all(study, 0) > 1000000000);
    struct clopt_trial trial;
    struct clopt_error error = {0};
    for (uint64_t i = 1; i <= 1000; i += 111) {
        assert_int_equal(clopt_space_trial(study, 0, i, &trial, &error), CLOPT_OK);
        const struct clopt_values *values = trial.parameters;
        int64_t b = clopt_values_integer(values, "B");
        assert_true(clopt_values_integer(values, "A") * b <= 256 * 8);
        assert_true(b % clopt_values_integer(values, "C") == 0);
        assert_true(clopt_values_integer(values, "D") < clopt_values_integer(values, "E") + 3);
        clopt_trial_fini(&trial);
    }
    clopt_study_destroy(study);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_optimizations_there_is_the_initial_code),
        cmocka_unit_test(what_changes_nothing_is_left_out),
        cmocka_unit_test(what_means_nothing_is_left_out),
        cmocka_unit_test(what_means_nothing_has_no_number),
        cmocka_unit_test(a_knob_is_tried_on_the_kernels_that_it_changes),
        cmocka_unit_test(an_optimization_is_tried_on_the_kernels_that_the_study_names),
        cmocka_unit_test(optimizations_are_combined_as_the_study_says),
        cmocka_unit_test(products_are_made_as_they_are_listed),
        cmocka_unit_test(an_optimization_is_tried_on_the_apps_that_the_study_names),
        cmocka_unit_test(groups_are_problems_times_devices),
        cmocka_unit_test(a_million_trials_are_numbers),
        cmocka_unit_test(parameters_are_macros_with_several_values),
        cmocka_unit_test(parameters_are_combined_with_optimizations),
        cmocka_unit_test(constraints_are_over_inputs_too),
        cmocka_unit_test(constraints_may_ask_the_device),
        cmocka_unit_test(names_of_variants_can_be_read),
        cmocka_unit_test(huge_spaces_with_constraints_are_numbers),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
