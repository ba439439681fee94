/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves which trials a study stands for, in which order, and that millions of them cost nothing.
 */
#include "study/space.h"

#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/text.h"
#include "fake_plugins.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_optimizations_there_is_the_initial_code),
        cmocka_unit_test(what_changes_nothing_is_left_out),
        cmocka_unit_test(a_knob_is_tried_on_the_kernels_that_it_changes),
        cmocka_unit_test(an_optimization_is_tried_on_the_kernels_that_the_study_names),
        cmocka_unit_test(optimizations_are_combined_as_the_study_says),
        cmocka_unit_test(products_are_made_as_they_are_listed),
        cmocka_unit_test(an_optimization_is_tried_on_the_apps_that_the_study_names),
        cmocka_unit_test(groups_are_problems_times_devices),
        cmocka_unit_test(a_million_trials_are_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
