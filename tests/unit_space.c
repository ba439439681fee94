/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves which trials a study stands for, in which order, and that millions of them cost nothing.
 */
#include "space/space.h"

#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/text.h"
#include "fake_plugins.h"
#include "space/parameters.h"
#include "space/sample.h"
#include "study/reader.h"

/* Reads a study from text. */
static struct clopt_study *read_study(const char *ini)
{
    char path[] = "unit_space.XXXXXX";
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    assert_int_equal(write(descriptor, ini, strlen(ini)), strlen(ini));
    close(descriptor);
    struct clopt_study *study;
    struct clopt_error error = {0};
    if (clopt_study_read(path, NULL, NULL, 0, &study, &error))
        fail_msg("%s", error.message);
    unlink(path);
    return study;
}

/* Lists "kernel variant" of a group, one a line, for the caller to free. */
static char *list_group(const struct clopt_study *study, size_t group)
{
    struct clopt_text text = {0};
    for (uint64_t i = 0; i < clopt_space_count(study, group); i++) {
        struct clopt_trial trial;
        struct clopt_error error = {0};
        assert_int_equal(clopt_space_trial(study, group, i, &trial, &error), CLOPT_OK);
        char *name = clopt_trial_name(&trial);
        clopt_text_printf(&text, "%s %s\n", trial.kernel->name, name);
        free(name);
        clopt_trial_fini(&trial);
    }
    return clopt_text_take(&text);
}

static void check_list(const char *ini, const char *expected)
{
    struct clopt_study *study = read_study(ini);
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

/* A parameter that means nothing beside the others has its initial value, wherever that stands in
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
        read_study(JOIN "factor = 1..100\nwhole = no, a, b\nstride = 1..100\nhint = 1..3\n"
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
    struct clopt_study *study = read_study("[app tiles]\nkernels = row\n[app plain]\n"
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
    struct clopt_study *study = read_study("[device a]\n[device b]\n"
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
        read_study("[app tiles]\nkernels = row\n[optimization unroll]\nfactor = 1..1000\n"
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
        read_study("[app tiles]\nkernels = row\nsize = 16, 64\n[parameter X]\nvalues = 8, 16, 32\n"
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
        read_study("[device a]\n[device b]\n" TILES "[parameter X]\nvalues = 1, 64, 128\n"
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

/* Every variant is listed once, with and without a sample. */
static void a_sample_is_chosen_at_random(void **state)
{
    (void)state;
    const char *study = TILES "[parameter X]\nvalues = 1..40\n[combine]\n";
    char ini[512];
    snprintf(ini, sizeof ini, "%ssample = 5\n", study);
    struct clopt_study *five = read_study(ini);
    assert_int_equal(clopt_space_count(five, 0), 6);
    assert_int_equal(clopt_space_count_all(five, 0), 40);
    char *first = list_group(five, 0);
    char *again = list_group(five, 0);
    assert_string_equal(first, again);
    assert_string_not_equal(first,
                            "row initial code\nrow X=2\nrow X=3\nrow X=4\nrow X=5\nrow X=6\n");
    snprintf(ini, sizeof ini, "%ssample = 5\n[study]\nseed = 2\n", study);
    struct clopt_study *other = read_study(ini);
    char *second = list_group(other, 0);
    assert_string_not_equal(first, second);
    snprintf(ini, sizeof ini, "%ssample = 39\n", study);
    struct clopt_study *all = read_study(ini);
    assert_int_equal(clopt_space_count(all, 0), 40);
    char *every = list_group(all, 0);
    assert_non_null(strstr(every, "row initial code\nrow X=2\nrow X=3\n"));
    free(first);
    free(again);
    free(second);
    free(every);
    clopt_study_destroy(five);
    clopt_study_destroy(other);
    clopt_study_destroy(all);
}

/* Draws samples for devices whose work-groups have so many work-items; returns what is said. */
static char *draw(struct clopt_study *study, size_t first, size_t second)
{
    struct clopt_device_info devices[2] = {{.max_work_group_size = first},
                                           {.max_work_group_size = second}};
    struct clopt_error error = {0};
    char *notices = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&notices, &length);
    assert_int_equal(clopt_study_draw_samples(study, devices, stream, &error), CLOPT_OK);
    fclose(stream);
    return notices;
}

/* What is infeasible is never chosen, in a space of more than 10^16 variants too; devices that can
 * do the same have the same sample. */
static void a_sample_is_feasible(void **state)
{
    (void)state;
    const char *ini =
        TILES "[device one]\n[device two]\n[optimization shape]\nblock_size = 4, 8, 32, 64\n"
              "[parameter A]\nvalues = 1..100\n[parameter B]\nvalues = 1..100\n"
              "[parameter C]\nvalues = 1..100\n[parameter D]\nvalues = 1..100\n"
              "[parameter E]\nvalues = 1..100\n[parameter F]\nvalues = 1..100\n"
              "[parameter G]\nvalues = 1..100\n[parameter H]\nvalues = 1..100\n"
              "[combine]\nproducts = parameters+shape\nsample = 50\n";
    struct clopt_study *study = read_study(ini);
    char *notices = draw(study, 64, 16);
    assert_string_equal(notices, "");
    assert_int_equal(clopt_space_count(study, 0), 51);
    assert_int_equal(clopt_space_count(study, 1), 51);
    assert_true(clopt_space_count_all(study, 0) > UINT64_C(10000000000000000));
    assert_in_range(clopt_study_count_infeasible(study, 0), 10, 200);
    assert_in_range(clopt_study_count_infeasible(study, 1), 60, 600);
    char *first = list_group(study, 0), *second = list_group(study, 1);
    assert_non_null(strstr(first, "block_size=8"));
    assert_non_null(strstr(first, "block_size=4"));
    assert_null(strstr(first, "block_size=32"));
    assert_null(strstr(first, "block_size=64"));
    assert_null(strstr(second, "block_size=8"));
    free(notices);
    notices = draw(study, 1024, 64);
    char *third = list_group(study, 1);
    assert_string_equal(first, third);
    free(notices);
    notices = draw(study, 8, 8);
    assert_string_equal(notices,
                        "clopt: [combine] sample = 50: of 100500 variants of row with size=256 on "
                        "one that were drawn, 0 are feasible\n");
    assert_int_equal(clopt_space_count(study, 1), 1);
    free(notices);
    free(first);
    free(second);
    free(third);
    clopt_study_destroy(study);
}

static void names_of_variants_can_be_read(void **state)
{
    (void)state;
    struct clopt_study *study =
        read_study(TILES "[parameter X]\nvalues = 1, 2\n[parameter TYPE]\nvalues = float, int(3)\n"
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
    assert_string_equal(error.message, "variant Y=2: there is no [parameter Y]");
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
        read_study(TILES "[parameter A]\nvalues = 1..100\n[parameter B]\nvalues = 1..100\n"
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
        cmocka_unit_test(a_sample_is_chosen_at_random),
        cmocka_unit_test(a_sample_is_feasible),
        cmocka_unit_test(names_of_variants_can_be_read),
        cmocka_unit_test(huge_spaces_with_constraints_are_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
