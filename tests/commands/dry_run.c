/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves what a dry run prints. */
#include "commands/study/dry_run.h"

#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fake_plugins.h"
#include "folder_fixture.h"
#include "study/reader.h"

static const struct clopt_device_info device = {
    .name = "Test device",
    .max_work_group_size = 1024,
    .max_work_item_sizes = {1024, 1024, 64},
};

static char *print_dry_run(const char *ini, const struct clopt_device_info *devices, bool json)
{
    struct clopt_error error = {0};
    struct clopt_study *study;
    char *text = NULL;
    size_t size = 0;
    write_file("s.ini", ini, strlen(ini));
    if (clopt_study_read("s.ini", NULL, NULL, 0, &study, &error))
        fail_msg("%s", error.message);
    FILE *stream = open_memstream(&text, &size);
    assert_int_equal(clopt_dry_run_print(study, devices, NULL, stream, json, &error), CLOPT_OK);
    fclose(stream);
    clopt_study_destroy(study);
    return text;
}

static const char small_study[] = "[device here]\n[app tiles]\nkernels = tile\nsize = 64, 128\n"
                                  "[optimization shape]\nblock_size = 8, 64\n"
                                  "[app plain]\n";

static void a_dry_run_shows_all_trials(void **state)
{
    (void)state;
    char *text = print_dry_run(small_study, &device, false);
    assert_string_equal(
        text,
        "tiles size=64 on here (Test device)\n"
        "  tile  initial code\n"
        "  tile  shape(block_size=8)\n"
        "  tile  shape(block_size=64)  infeasible: tile needs work-groups of 4096 work-items, "
        "the device allows 1024\n"
        "\n"
        "tiles size=128 on here (Test device)\n"
        "  tile  initial code\n"
        "  tile  shape(block_size=8)\n"
        "  tile  shape(block_size=64)  infeasible: tile needs work-groups of 4096 work-items, "
        "the device allows 1024\n"
        "\n"
        "plain on here (Test device)\n"
        "  plain  initial code\n"
        "  plain  shape(block_size=8)   infeasible: plain has no knob for block_size of "
        "shape\n"
        "  plain  shape(block_size=64)  infeasible: plain has no knob for block_size of "
        "shape\n"
        "\n"
        "9 trials, 4 infeasible\n");
    free(text);
}

static void a_dry_run_needs_no_device(void **state)
{
    (void)state;
    char *text = print_dry_run("[app tiles]\nkernels = row\n", NULL, false);
    assert_string_equal(text, "tiles size=256 on default\n"
                              "  row  initial code\n"
                              "\n"
                              "1 trial, 0 infeasible (the limits of the devices are not known "
                              "here)\n");
    free(text);
}

static void a_dry_run_is_json_for_machines(void **state)
{
    (void)state;
    char *text = print_dry_run(small_study, &device, true);
    json_t *json = json_loads(text, 0, NULL);
    assert_non_null(json);
    assert_int_equal(json_integer_value(json_object_get(json, "count")), 9);
    assert_int_equal(json_integer_value(json_object_get(json, "infeasible")), 4);
    const json_t *trials = json_object_get(json, "trials");
    assert_int_equal(json_array_size(trials), 9);
    const json_t *trial = json_array_get(trials, 2);
    assert_string_equal(json_string_value(json_object_get(trial, "variant")),
                        "shape(block_size=64)");
    assert_string_equal(json_string_value(json_object_get(trial, "device")), "here");
    assert_string_equal(json_string_value(json_object_get(trial, "problem")), "size=64");
    assert_string_equal(json_string_value(json_object_get(trial, "infeasible")),
                        "tile needs work-groups of 4096 work-items, the device allows 1024");
    assert_true(json_is_null(json_object_get(json_array_get(trials, 0), "infeasible")));
    json_decref(json);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_dry_run_shows_all_trials),
        cmocka_unit_test(a_dry_run_needs_no_device),
        cmocka_unit_test(a_dry_run_is_json_for_machines),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
