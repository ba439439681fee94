/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves how variants are named, checked, made and keyed. */
#include "trial/variant.h"

#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "fake_plugins.h"
#include "folder_fixture.h"
#include "shared/variant_parse.h"

static const struct clopt_device_info device = {
    .name = "Test device",
    .max_work_group_size = 1024,
    .max_work_item_sizes = {1024, 1024, 64},
};

static struct clopt_error error;

/* Makes the trial of a variant's name. */
static struct clopt_trial make_trial(const struct clopt_plugin_entry *app, size_t kernel,
                                     const char *name)
{
    struct clopt_trial trial = {.app = app, .seed = 1};
    trial.kernel = &app->extension->app->kernels[kernel];
    trial.inputs = clopt_values_create(app->extension->app->inputs);
    error = (struct clopt_error){0};
    if (clopt_trial_parse_name(&trial, name, NULL, &error))
        fail_msg("%s", error.message);
    return trial;
}

/* ---- names and messages ---- */

static void check_name(const char *name, const char *expected)
{
    struct clopt_trial trial = make_trial(&fake_tiles, 0, name);
    char *written = clopt_trial_name(&trial);
    assert_string_equal(written, expected);
    free(written);
    clopt_trial_fini(&trial);
}

static void names_read_back(void **state)
{
    (void)state;
    check_name("initial code", "initial code");
    check_name("shape(block_size=32)", "shape(block_size=32)");
    check_name("unroll(factor=2,mode=inner)+shape(pad=1)",
               "unroll(factor=2,mode=inner)+shape(pad=1)");
    check_name("unroll(mode=\"a, b\")", "unroll(mode=\"a, b\")");
    check_name("unroll(factor=1,mode=inner)+shape(block_size=16)", "unroll(mode=inner)");
    check_name("unroll(factor=1)", "initial code");
}

static void refuse_name(const char *name, const char *message)
{
    struct clopt_trial trial = {.app = &fake_tiles};
    error = (struct clopt_error){0};
    assert_int_not_equal(clopt_trial_parse_name(&trial, name, NULL, &error), CLOPT_OK);
    assert_string_equal(error.message, message);
    assert_int_equal(trial.step_count, 0);
}

static void bad_names_are_refused(void **state)
{
    (void)state;
    refuse_name("", "variant : expected an optimization at its end");
    refuse_name("unroll", "variant unroll: expected ( at its end");
    refuse_name("unroll(", "variant unroll(: expected parameter=value at its end");
    refuse_name("unroll(factor=2", "variant unroll(factor=2: expected , or ) at its end");
    refuse_name("unroll(factor=2)x", "variant unroll(factor=2)x: expected + at \"x\"");
    refuse_name("unroll(mode=\"a)",
                "variant unroll(mode=\"a): expected a closing quote at \"\"a)\"");
    refuse_name("unroll(x=2)", "variant unroll(x=2): unroll has no parameter x");
    refuse_name("unroll(factor=0)", "variant unroll(factor=0): factor = 0: not one of 1..1000");
    refuse_name("nothing(x=2)", "variant nothing(x=2): nothing: no such plugin");
}

static void trials_survive_json(void **state)
{
    (void)state;
    struct clopt_trial trial = make_trial(&fake_tiles, 1, "unroll(factor=2)+shape(pad=1)");
    trial.seed = UINT64_MAX;
    json_t *json = clopt_trial_to_json(&trial);
    char *text = json_dumps(json, JSON_SORT_KEYS);
    assert_string_equal(
        text,
        "{\"app\": \"tiles\", \"inputs\": {\"size\": \"256\", \"storage\": \"rows\"}, \"kernel\": "
        "\"row\", \"seed\": \"18446744073709551615\", \"steps\": "
        "[{\"optimization\": \"unroll\", \"values\": {\"factor\": \"2\", \"mode\": "
        "\"outer\"}}, {\"optimization\": \"shape\", \"values\": {\"pad\": "
        "\"1\"}}]}");
    struct clopt_trial again;
    assert_int_equal(clopt_trial_from_json(json, NULL, &again, &error), CLOPT_OK);
    assert_true(again.seed == UINT64_MAX);
    assert_ptr_equal(again.kernel, trial.kernel);
    assert_int_equal(again.step_count, 2);
    assert_true(clopt_values_equal(again.inputs, trial.inputs));
    assert_true(clopt_values_equal(again.steps[0].values, trial.steps[0].values));
    assert_true(clopt_values_equal(again.steps[1].values, trial.steps[1].values));
    clopt_trial_fini(&again);

    json_object_set_new(json, "kernel", json_string("column"));
    assert_int_equal(clopt_trial_from_json(json, NULL, &again, &error), CLOPT_INVALID);
    assert_string_equal(error.message, "trial: tiles has no kernel column");
    clopt_trial_fini(&again);
    free(text);
    json_decref(json);
    clopt_trial_fini(&trial);
}

/* A change of launches in which nothing is as it was. */
static const struct clopt_ndrange_change whole_change = {
    .local_size = {1, 2, 3},
    .divided_items = {2, 4, 8},
    .merged_items = {4, 5, 6},
    .merged_groups = {7, 8, 9},
    .local_multiple = {10, 11, 12},
    .local_only = {true, false, true},
    .whole_groups = true,
    .distinct_buffers = true,
    .multiples = {{6, 8, 2, 3}},
    .multiple_count = 1,
    .added = {{.local = true, .number = 5, .merged = 2},
              {.zeroed = 24, .merged = 1},
              {.rows = true, .merged = 1}},
    .added_count = 3,
    .layouts = {{.argument = 1,
                 .element_bytes = 4,
                 .block = 16,
                 .row = {.count = 1, .terms = {{-3, {1, 2}}}},
                 .needs = {{.multiple = 7, .form = {.count = 2, .terms = {{5, {3}}, {6, {4}}}}}},
                 .need_count = 1}},
    .layout_count = 1,
};

static void expect_wrong_change(json_t *json, const struct clopt_trial *trial)
{
    struct clopt_variant back;
    error = (struct clopt_error){0};
    assert_int_equal(clopt_variant_from_json(json, trial, &back, &error), CLOPT_FAILED);
    assert_string_equal(error.message, "a variant with a wrong change of its launches");
}

/* A variant comes back as it was sent, and whatever is wrong with a number of it is seen. */
static void variants_survive_json(void **state)
{
    (void)state;
    struct clopt_trial trial = make_trial(&fake_tiles, 0, "initial code");
    struct clopt_kernel_change own = {trial.kernel, whole_change};
    struct clopt_variant sent = {.source = "source",
                                 .compiled = "shorter",
                                 .options = "-D X=1",
                                 .dialect = "-D X=1 and more",
                                 .fingerprint = "print",
                                 .lines_changed = 3,
                                 .changes = &own,
                                 .change_count = 1},
                         got;
    json_t *json = clopt_variant_to_json(&sent);
    assert_int_equal(clopt_variant_from_json(json, &trial, &got, &error), CLOPT_OK);
    assert_string_equal(got.source, sent.source);
    assert_string_equal(got.compiled, sent.compiled);
    assert_string_equal(got.options, sent.options);
    assert_string_equal(got.dialect, sent.dialect);
    assert_string_equal(got.fingerprint, sent.fingerprint);
    assert_int_equal(got.lines_changed, 3);
    const struct clopt_ndrange_change *got_change = clopt_variant_change(&got, trial.kernel);
    assert_memory_equal(got_change->local_multiple, whole_change.local_multiple,
                        sizeof whole_change.local_multiple);
    assert_true(got_change->local_only[2] && !got_change->local_only[1]);
    assert_int_equal(got_change->layouts[0].row.terms[0].factor, -3);
    assert_int_equal(got_change->layouts[0].needs[0].form.terms[1].symbols[0], 4);
    assert_int_equal(got_change->multiples[0].argument, 6);
    assert_int_equal(got_change->multiples[0].multiple, 8);
    assert_int_equal(got_change->multiples[0].covers, 2);
    assert_int_equal(got_change->multiples[0].equals, 3);
    assert_int_equal(got_change->added[0].number, 5);
    assert_int_equal(got_change->added[1].zeroed, 24);
    assert_true(got_change->added[2].rows);
    json_t *again = clopt_variant_to_json(&got);
    assert_true(json_equal(again, json));
    json_t *changes = json_object_get(json, "changes");
    json_t *change = json_object_get(changes, trial.kernel->name);
    for (size_t i = 0; i < json_array_size(change); i++) {
        json_t *number = json_incref(json_array_get(change, i));
        json_array_set_new(change, i, json_null());
        expect_wrong_change(json, &trial);
        json_array_set_new(change, i, number);
    }
    size_t last = json_array_size(change) - 1;
    json_array_set_new(change, last - 1, json_integer(1)); /* a layout that is not there */
    expect_wrong_change(json, &trial);
    json_array_set_new(change, last - 1, json_integer(0));
    json_array_set_new(change, last, json_integer(0)); /* merged */
    expect_wrong_change(json, &trial);
    json_array_remove(change, last);
    expect_wrong_change(json, &trial);
    json_object_clear(changes);
    json_object_set(changes, "nowhere", json_object_get(again, "source"));
    expect_wrong_change(json, &trial);
    json_decref(json);
    json_decref(again);
    clopt_variant_fini(&got);
    clopt_trial_fini(&trial);
}

static void labels_name_what_differs(void **state)
{
    (void)state;
    const struct clopt_parameter *inputs = fake_tiles.extension->app->inputs;
    struct clopt_values *values = clopt_values_create(inputs);
    char *label = clopt_inputs_label(&fake_tiles, values);
    assert_string_equal(label, "size=256");
    free(label);
    clopt_values_set(values, &inputs[1], "folder/a.mtx", &error);
    label = clopt_inputs_label(&fake_tiles, values);
    assert_string_equal(label, "matrix=a.mtx");
    free(label);
    clopt_values_destroy(values);
}

/* ---- what is feasible ---- */

/* Checks a variant; gives the reason, or "". */
static const char *check(const struct clopt_plugin_entry *app, size_t kernel, const char *name,
                         const struct clopt_device_info *on)
{
    struct clopt_trial trial = make_trial(app, kernel, name);
    enum clopt_status status = clopt_variant_check(&trial, on, &error);
    clopt_trial_fini(&trial);
    assert_int_equal(status, error.status);
    if (status)
        assert_int_equal(status, CLOPT_INFEASIBLE);
    return error.message;
}

static void infeasible_variants_say_why(void **state)
{
    (void)state;
    assert_string_equal(check(&fake_tiles, 0, "initial code", &device), "");
    assert_string_equal(check(&fake_tiles, 0, "shape(block_size=8)", &device), "");
    /* A knob changes all kernels: what one cannot do, no variant of another can. */
    assert_string_equal(check(&fake_tiles, 1, "shape(block_size=64)", &device),
                        "tile needs work-groups of 4096 work-items, the device allows 1024");
    assert_string_equal(check(&fake_tiles, 1, "shape(block_size=64)", NULL), "");
    assert_string_equal(check(&fake_tiles, 0, "shape(block_size=7)", NULL),
                        "block_size = 7: not one of pow2 4..64");
    assert_string_equal(check(&fake_tiles, 0, "shape(pad=1)", NULL),
                        "pad of tiles does not change tile");
    assert_string_equal(check(&fake_tiles, 0, "shape(local_size=8)", NULL),
                        "tile has a local size of its own");
    assert_string_equal(check(&fake_plain, 0, "shape(pad=1)", NULL),
                        "plain has no knob for pad of shape");
    struct clopt_device_info flat = device;
    flat.max_work_item_sizes[1] = 8;
    assert_string_equal(
        check(&fake_tiles, 0, "initial code", &flat),
        "tile needs 16 work-items in dimension 1 of a work-group, the device allows 8");
}

/* ---- making variants ---- */

static int enter_bare_folder(void **state)
{
    unsetenv("CLOPT_KERNEL_PATH");
    return enter_folder(state);
}

static void write_text(const char *path, const char *content)
{
    write_file(path, content, strlen(content));
}

static struct clopt_app_source read_source(const char *content)
{
    struct clopt_app_source source;
    mkdir("kernels", 0777);
    write_text("kernels/tiles.cl", content);
    error = (struct clopt_error){0};
    if (clopt_app_source_read(fake_tiles.extension->app, "missing:kernels", &source, &error))
        fail_msg("%s", error.message);
    return source;
}

static void sources_are_hashed_with_their_includes(void **state)
{
    (void)state;
    write_text("inner.h", "int a;\n");
    struct clopt_app_source first = read_source("kernel code\n");
    assert_string_equal(first.path, "kernels/tiles.cl");
    assert_string_equal(first.text, "kernel code\n");
    assert_false(first.includes);
    clopt_app_source_fini(&first);

    const char *text = "x\n # include \"outer.h\"\n";
    write_text("kernels/outer.h", "#include <inner.h>\n#include \"outer.h\"\n");
    write_text("kernels/inner.h", "int a;\n");
    first = read_source(text);
    assert_true(first.includes);
    struct clopt_app_source same = read_source(text);
    write_text("kernels/inner.h", "int b;\n");
    struct clopt_app_source other = read_source(text);
    assert_string_equal(first.hash, same.hash);
    assert_string_not_equal(first.hash, other.hash);
    clopt_app_source_fini(&other);
    clopt_app_source_fini(&same);
    clopt_app_source_fini(&first);

    assert_int_equal(
        clopt_app_source_read(fake_plain.extension->app, "missing:kernels", &other, &error),
        CLOPT_INVALID);
    clopt_app_source_fini(&other);
    assert_memory_equal(error.message, "kernel source plain.cl: not in missing, kernels, ", 49);
    assert_non_null(strstr(error.message, "; name its folder with --kernel-path"));
}

static void steps_are_applied_in_order(void **state)
{
    (void)state;
    struct clopt_app_source source = read_source("struct a;\nstruct b;\n");
    struct clopt_trial trial =
        make_trial(&fake_tiles, 1, "shape(block_size=8)+unroll(factor=2)+shape(local_size=32)");
    struct clopt_variant variant;
    assert_int_equal(clopt_variant_make(&trial, &source, &device, &variant, &error), CLOPT_OK);
    assert_string_equal(variant.source, "struct a;\nstruct b;\n/* unrolled by 2 */\n");
    assert_string_equal(variant.options, "-cl-std=CL1.2 -D BLOCK_SIZE=8 -D PAD=0 -D UNROLLED");
    assert_int_equal(variant.lines_changed, 1);
    assert_int_equal(variant.changes[0].change.local_size[0], 32);
    assert_int_equal(clopt_values_integer(variant.knobs, "block_size"), 8);
    clopt_variant_fini(&variant);
    clopt_trial_fini(&trial);

    trial = make_trial(&fake_tiles, 1, "initial code");
    assert_int_equal(clopt_variant_make(&trial, &source, NULL, &variant, &error), CLOPT_OK);
    assert_string_equal(variant.source, "struct a;\nstruct b;\n");
    assert_string_equal(variant.options, "-cl-std=CL1.2 -D BLOCK_SIZE=16 -D PAD=0");
    clopt_variant_fini(&variant);
    clopt_trial_fini(&trial);
    clopt_app_source_fini(&source);
}

static void refuse_variant(const char *name, const char *message)
{
    struct clopt_app_source source = read_source("a\n");
    struct clopt_trial trial = make_trial(&fake_tiles, 1, name);
    struct clopt_variant variant;
    assert_int_equal(clopt_variant_make(&trial, &source, &device, &variant, &error),
                     CLOPT_INFEASIBLE);
    assert_string_equal(error.message, message);
    clopt_variant_fini(&variant);
    clopt_trial_fini(&trial);
    clopt_app_source_fini(&source);
}

static void what_cannot_be_made_says_why(void **state)
{
    (void)state;
    refuse_variant("unroll(factor=13)", "a loop runs only 12 times");
    refuse_variant("shape(local_size=2048)",
                   "row needs 2048 work-items in dimension 0 of a work-group, the device allows "
                   "1024");
    refuse_variant("shape(block_size=64)",
                   "tile needs work-groups of 4096 work-items, the device allows 1024");
    /* Of several steps, the reason names the one that cannot be. */
    refuse_variant("shape(local_size=32)+unroll(factor=13)",
                   "unroll(factor=13): a loop runs only 12 times");
    refuse_variant("shape(block_size=8)+unroll(factor=2)+shape(block_size=32)",
                   "shape(block_size=32): block_size is 8 in an earlier step: a program has one "
                   "value of it");
}

static void equal_variants_have_equal_fingerprints(void **state)
{
    (void)state;
    struct clopt_app_source source = read_source("a\n");
    const char *names[] = {"initial code", "shape(block_size=16)", "shape(local_size=32)"};
    struct clopt_variant variants[3];
    for (size_t i = 0; i < 3; i++) {
        struct clopt_trial trial = make_trial(&fake_tiles, 1, names[i]);
        assert_int_equal(clopt_variant_make(&trial, &source, NULL, &variants[i], &error), CLOPT_OK);
        clopt_trial_fini(&trial);
    }
    assert_string_equal(variants[0].fingerprint, variants[1].fingerprint);
    assert_string_not_equal(variants[0].fingerprint, variants[2].fingerprint);
    for (size_t i = 0; i < 3; i++)
        clopt_variant_fini(&variants[i]);
    clopt_app_source_fini(&source);
}

static void get_key(const struct clopt_app_source *source, size_t kernel, const char *name,
                    const char *matrix, char key[CLOPT_HASH_SIZE])
{
    struct clopt_trial trial = make_trial(&fake_tiles, kernel, name);
    if (matrix)
        clopt_values_set(trial.inputs, &fake_tiles.extension->app->inputs[1], matrix, &error);
    if (clopt_trial_key(&trial, source, &device, NULL, key, &error))
        fail_msg("%s", error.message);
    clopt_trial_fini(&trial);
}

static void keys_tell_trials_apart(void **state)
{
    (void)state;
    struct clopt_app_source source = read_source("a\n");
    char a[CLOPT_HASH_SIZE];
    char b[CLOPT_HASH_SIZE];
    get_key(&source, 0, "initial code", NULL, a);
    get_key(&source, 1, "shape(block_size=16)", NULL, b);
    assert_string_equal(a, b);
    get_key(&source, 0, "shape(block_size=8)", NULL, b);
    assert_string_not_equal(a, b);
    get_key(&source, 1, "shape(block_size=8)", NULL, a);
    assert_string_equal(a, b);
    get_key(&source, 0, "unroll(factor=2)", NULL, a);
    get_key(&source, 1, "unroll(factor=2)", NULL, b);
    assert_string_not_equal(a, b);
    get_key(&source, 0, "unroll(factor=2)+shape(block_size=8)", NULL, b);
    assert_string_not_equal(a, b);

    write_text("one.mtx", "1");
    write_text("two.mtx", "1");
    write_text("three.mtx", "3");
    get_key(&source, 0, "initial code", "one.mtx", a);
    get_key(&source, 0, "initial code", "two.mtx", b);
    assert_string_equal(a, b);
    get_key(&source, 0, "initial code", "three.mtx", b);
    assert_string_not_equal(a, b);

    struct clopt_app_source changed = read_source("b\n");
    get_key(&changed, 0, "initial code", "one.mtx", b);
    assert_string_not_equal(a, b);
    clopt_app_source_fini(&changed);

    struct clopt_trial trial = make_trial(&fake_tiles, 0, "initial code");
    clopt_values_set(trial.inputs, &fake_tiles.extension->app->inputs[1], "none.mtx", &error);
    assert_int_equal(clopt_trial_key(&trial, &source, &device, NULL, a, &error), CLOPT_INVALID);
    assert_string_equal(error.message, "none.mtx: cannot be read: No such file or directory");
    clopt_trial_fini(&trial);
    clopt_app_source_fini(&source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_read_back),
        cmocka_unit_test(bad_names_are_refused),
        cmocka_unit_test(trials_survive_json),
        cmocka_unit_test(variants_survive_json),
        cmocka_unit_test(labels_name_what_differs),
        cmocka_unit_test(infeasible_variants_say_why),
        cmocka_unit_test(sources_are_hashed_with_their_includes),
        cmocka_unit_test(steps_are_applied_in_order),
        cmocka_unit_test(what_cannot_be_made_says_why),
        cmocka_unit_test(equal_variants_have_equal_fingerprints),
        cmocka_unit_test(keys_tell_trials_apart),
    };
    return cmocka_run_group_tests(tests, enter_bare_folder, leave_folder);
}
