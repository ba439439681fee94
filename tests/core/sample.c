/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves which variants are in the sample of a study that asks for one. */
#include "space/space.h"

#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "study_fixture.h"

#define TILES "[app tiles]\nkernels = row\n"

/* Every variant is listed once, with and without a sample. */
static void a_sample_is_chosen_at_random(void **state)
{
    (void)state;
    const char *study = TILES "[parameter X]\nvalues = 1..40\n[combine]\n";
    char ini[512];
    snprintf(ini, sizeof ini, "%ssample = 5\n", study);
    struct clopt_study *five = read_text(ini);
    assert_int_equal(clopt_space_count(five, 0), 6);
    assert_int_equal(clopt_space_count_all(five, 0), 40);
    char *first = list_group(five, 0);
    char *again = list_group(five, 0);
    assert_string_equal(first, again);
    assert_string_not_equal(first,
                            "row initial code\nrow X=2\nrow X=3\nrow X=4\nrow X=5\nrow X=6\n");
    snprintf(ini, sizeof ini, "%ssample = 5\n[study]\nseed = 2\n", study);
    struct clopt_study *other = read_text(ini);
    char *second = list_group(other, 0);
    assert_string_not_equal(first, second);
    snprintf(ini, sizeof ini, "%ssample = 39\n", study);
    struct clopt_study *all = read_text(ini);
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
    struct clopt_study *study = read_text(ini);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sample_is_chosen_at_random),
        cmocka_unit_test(a_sample_is_feasible),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
