/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves that operations and tables with a fault are refused for that fault. (What a descriptor can
 * lack is for tests/cli/loader.) Each test takes what is good and breaks one thing. */
#include "plugin/descriptor.h"

#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "document/format.h"
#include "opencl/counter.h"
#include "schema/command.h"
#include "search/reader.h"
#include "study/launcher.h"
#include "study/schema.h"
#include "trial/rival.h"
#include "view/analysis.h"

static enum clopt_status describe(const struct clopt_problem *problem, const void *state,
                                  const struct clopt_kernel *kernel, struct clopt_kernel_work *work,
                                  struct clopt_error *error)
{
    (void)problem, (void)state, (void)kernel, (void)work, (void)error;
    return CLOPT_OK;
}

static enum clopt_status setup(const struct clopt_problem *problem, void **state,
                               struct clopt_error *error)
{
    (void)problem, (void)state, (void)error;
    return CLOPT_OK;
}

static enum clopt_status launch(void *state, const struct clopt_problem *problem,
                                struct clopt_session *session)
{
    (void)state, (void)problem, (void)session;
    return CLOPT_OK;
}

static enum clopt_status check(void *state, const struct clopt_problem *problem,
                               struct clopt_session *session, struct clopt_verdict *verdict)
{
    (void)state, (void)problem, (void)session, (void)verdict;
    return CLOPT_OK;
}

static enum clopt_status apply(struct clopt_transform *transform, const struct clopt_values *values,
                               struct clopt_error *error)
{
    (void)transform, (void)values, (void)error;
    return CLOPT_OK;
}

/* An app with tables that a test may change. */
struct good {
    struct clopt_kernel kernels[70];
    struct clopt_parameter inputs[70];
    struct clopt_knob knobs[70];
    struct clopt_parameter result[2];
    struct clopt_app app;
};

static struct clopt_app *make(struct good *good)
{
    *good = (struct good){0};
    good->kernels[0] = (struct clopt_kernel){"first", 1, false, false};
    good->kernels[1] = (struct clopt_kernel){"second", 3, true, false};
    good->inputs[0] = (struct clopt_parameter){
        .name = "size", .type = CLOPT_INTEGER, .legal = "1..", .initial = "8", .help = "size"};
    good->inputs[1] =
        (struct clopt_parameter){.name = "file", .type = CLOPT_FILE, .help = "a file"};
    good->knobs[0] = (struct clopt_knob){"geometry", "block",        "BLOCK",         "2, 4",
                                         "2",        "first second", "size of a tile"};
    good->knobs[1] = (struct clopt_knob){"branches", "pad", "PAD", "0, 1", "0", NULL, "padding"};
    good->app = (struct clopt_app){
        .dwarf = "none",
        .source = "good.cl",
        .kernels = good->kernels,
        .inputs = good->inputs,
        .knobs = good->knobs,
        .describe = describe,
        .setup = setup,
        .prepare = launch,
        .launch = launch,
        .check = check,
    };
    return &good->app;
}

static void refuse(const struct good *good, const char *message)
{
    struct clopt_error error = {0};
    assert_int_equal(clopt_app_check(&good->app, &error), CLOPT_PLUGIN_UNUSABLE);
    assert_string_equal(error.message, message);
    assert_int_equal(error.status, CLOPT_PLUGIN_UNUSABLE);
}

static void good_apps_pass(void **state)
{
    (void)state;
    struct good good;
    struct clopt_error error = {0};
    assert_int_equal(clopt_app_check(make(&good), &error), CLOPT_OK);
    good.app.inputs = NULL;
    good.app.knobs = NULL;
    assert_int_equal(clopt_app_check(&good.app, &error), CLOPT_OK);
    assert_string_equal(error.message, "");
}

static void operations_are_required(void **state)
{
    (void)state;
    struct good good;
    make(&good)->describe = NULL;
    refuse(&good, "it lacks the operation describe");
    make(&good)->setup = NULL;
    refuse(&good, "it lacks the operation setup");
    make(&good)->prepare = NULL;
    refuse(&good, "it lacks the operation prepare");
    make(&good)->check = NULL;
    refuse(&good, "it lacks the operation check");
    make(&good)->results = good.result;
    refuse(&good, "the operation write and the table results need each other");
    make(&good)->dwarf = "";
    refuse(&good, "it names no dwarf");
    make(&good)->source = "/kernels.cl";
    refuse(&good, "it names no source file below the kernel folder");
}

static void kernels_are_checked(void **state)
{
    (void)state;
    struct good good;
    make(&good)->kernels = NULL;
    refuse(&good, "it has no kernels");
    make(&good);
    good.kernels[1].name = "first";
    refuse(&good, "kernel first appears twice");
    make(&good);
    good.kernels[1].dimensions = 0;
    refuse(&good, "kernel second has 0 dimensions, not 1 to 3");
}

static void inputs_are_checked(void **state)
{
    (void)state;
    struct good good;
    make(&good);
    good.inputs[1].name = "size";
    refuse(&good, "input size appears twice");
    make(&good);
    good.inputs[1].type = (enum clopt_type)9;
    refuse(&good, "input file has the unknown type 9");
    make(&good);
    good.inputs[0].help = NULL;
    refuse(&good, "input size has no help");
    make(&good);
    good.inputs[0].initial = "many";
    refuse(&good, "initial value of input size: many: not an integer; legal: 1..");
}

static void knobs_are_checked(void **state)
{
    (void)state;
    struct good good;
    make(&good);
    good.knobs[0].parameter = "Block";
    refuse(&good, "knob 1 has the illegal name 'Block'");
    make(&good);
    good.knobs[1].parameter = "block";
    refuse(&good, "knob block appears twice");
    make(&good);
    good.knobs[0].optimization = NULL;
    refuse(&good, "knob block names no optimization");
    make(&good);
    good.knobs[0].macro = "2";
    refuse(&good, "knob block names no macro");
    make(&good);
    good.knobs[0].legal = NULL;
    refuse(&good, "knob block lacks its legal values, initial value or help");
    make(&good);
    good.knobs[0].initial = "3";
    refuse(&good, "initial value of knob block: 3: not one of 2, 4");
}

static void tables_must_end(void **state)
{
    (void)state;
    static char names[70][8];
    struct good good;
    for (int i = 0; i < 70; i++)
        snprintf(names[i], sizeof names[i], "name%d", i);
    make(&good);
    for (int i = 0; i < 70; i++)
        good.kernels[i] = (struct clopt_kernel){names[i], 1, false, false};
    refuse(&good, "the table of kernels has no end (an entry whose name is NULL)");
    make(&good);
    for (int i = 0; i < 70; i++)
        good.inputs[i] =
            (struct clopt_parameter){.name = names[i], .type = CLOPT_TEXT, .help = "x"};
    refuse(&good, "the table of inputs has no end (an entry whose name is NULL)");
    make(&good);
    for (int i = 0; i < 70; i++)
        good.knobs[i] = (struct clopt_knob){"o", names[i], "M", "0, 1", "0", NULL, "x"};
    refuse(&good, "the table of knobs has no end (an entry whose parameter is NULL)");
}

static void optimizations_need_parameters_and_apply(void **state)
{
    (void)state;
    struct clopt_error error = {0};
    struct clopt_parameter parameters[] = {
        {.name = "block", .type = CLOPT_INTEGER, .help = "size", .knob = true},
        {.name = "factor",
         .type = CLOPT_INTEGER,
         .legal = "1..8",
         .initial = "1",
         .help = "how often"},
        {.name = NULL},
    };
    struct clopt_optimization optimization = {.parameters = parameters, .apply = apply};
    assert_int_equal(clopt_optimization_check(&optimization, &error), CLOPT_OK);
    optimization.apply = NULL;
    assert_int_equal(clopt_optimization_check(&optimization, &error), CLOPT_PLUGIN_UNUSABLE);
    assert_string_equal(error.message,
                        "it lacks the operation apply, and parameter factor is not a knob");
    parameters[1].knob = true;
    assert_int_equal(clopt_optimization_check(&optimization, &error), CLOPT_OK);
    optimization.parameters = NULL;
    assert_int_equal(clopt_optimization_check(&optimization, &error), CLOPT_PLUGIN_UNUSABLE);
    assert_string_equal(error.message, "it has no parameters");
}

static void refuse_dependence(const char *with, const char *without, const char *reason)
{
    struct clopt_error error = {0};
    struct clopt_parameter parameters[] = {
        {.name = "block", .type = CLOPT_INTEGER, .help = "size"},
        {.name = "step", .type = CLOPT_INTEGER, .help = "s", .with = with, .without = without},
        {.name = "factor", .type = CLOPT_INTEGER, .help = "how often"},
        {.name = NULL},
    };
    struct clopt_optimization optimization = {.parameters = parameters, .apply = apply};
    enum clopt_status status = clopt_optimization_check(&optimization, &error);
    assert_int_equal(status, reason ? CLOPT_PLUGIN_UNUSABLE : CLOPT_OK);
    assert_string_equal(error.message, reason ? reason : "");
}

static void parameters_depend_on_those_before_them(void **state)
{
    (void)state;
    refuse_dependence("block", NULL, NULL);
    refuse_dependence(NULL, " block ", NULL);
    refuse_dependence("block blok", NULL,
                      "parameter step depends on 'block blok', which is more than names of "
                      "parameters further up in the table");
    refuse_dependence(NULL, "factor",
                      "parameter step depends on 'factor', which is more than names of parameters "
                      "further up in the table");
    refuse_dependence("step", NULL,
                      "parameter step depends on 'step', which is more than names of parameters "
                      "further up in the table");
}

static void inputs_depend_on_others(void **state)
{
    (void)state;
    struct good good;
    struct clopt_error error = {0};
    struct clopt_app *app = make(&good);
    good.inputs[0].without = good.inputs[1].name;
    assert_int_equal(clopt_app_check(app, &error), CLOPT_OK);
    good.inputs[0].without = "size";
    assert_int_equal(clopt_app_check(app, &error), CLOPT_PLUGIN_UNUSABLE);
    assert_string_equal(error.message, "parameter size depends on 'size', which is more than names "
                                       "of other inputs");
    good.inputs[0].without = NULL;
    good.inputs[0].with = "sise";
    assert_int_equal(clopt_app_check(app, &error), CLOPT_PLUGIN_UNUSABLE);
}

static void few_parameters_are_depended_on(void **state)
{
    (void)state;
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"};
    struct clopt_parameter parameters[11] = {{.name = NULL}};
    struct clopt_error error = {0};
    for (size_t i = 0; i < 10; i++)
        parameters[i] = (struct clopt_parameter){
            .name = names[i], .type = CLOPT_TEXT, .help = "x", .with = i ? names[i - 1] : NULL};
    struct clopt_optimization optimization = {.parameters = parameters, .apply = apply};
    assert_int_equal(clopt_optimization_check(&optimization, &error), CLOPT_PLUGIN_UNUSABLE);
    assert_string_equal(error.message, "parameters depend on 9 others, more than 8");
    parameters[9].with = NULL;
    assert_int_equal(clopt_optimization_check(&optimization, &error), CLOPT_OK);
}

/* Checks a plugin with one extension; "": it is good. */
static void check_kind(enum clopt_kind kind, const void *operations, size_t bytes,
                       const char *message)
{
    const struct clopt_extension extensions[] = {
        {kind, (uint32_t)bytes, "stranger", "a stranger", {operations}}, {0}};
    const struct clopt_plugin plugin = {CLOPT_ABI, sizeof plugin, CLOPT_RELEASE, extensions};
    struct clopt_error error = {0};
    clopt_descriptor_check(&plugin, sizeof plugin, &error);
    assert_string_equal(error.message, message);
}

/* One that has all operations is good, and refused once `member` is missing, and `other` with it.
 * Nothing is called, so that any bytes are an operation. */
#define LACKS(KIND, type, member, other, more)                                                     \
    do {                                                                                           \
        struct type operations;                                                                    \
        memset(&operations, 1, sizeof operations);                                                 \
        check_kind(CLOPT_KIND_##KIND, &operations, sizeof operations, "");                         \
        operations.other = NULL;                                                                   \
        operations.member = NULL;                                                                  \
        check_kind(CLOPT_KIND_##KIND, &operations, sizeof operations,                              \
                   "it lacks the operation " #member more);                                        \
    } while (0)
#define NEEDS(KIND, type, member) LACKS(KIND, type, member, member, "")
#define NEEDS_ONE(KIND, type, member, other)                                                       \
    LACKS(KIND, type, member, other, ", or instead " #other)

/* One that has nothing but `member` is good. */
#define IS_ENOUGH(KIND, type, member)                                                              \
    do {                                                                                           \
        struct type all, operations = {0};                                                         \
        memset(&all, 1, sizeof all);                                                               \
        operations.member = all.member;                                                            \
        check_kind(CLOPT_KIND_##KIND, &operations, sizeof operations, "");                         \
    } while (0)

static void kinds_need_their_operations(void **state)
{
    (void)state;
    NEEDS(ANALYSIS, clopt_analysis, write);
    NEEDS(COMMAND, clopt_command, name);
    NEEDS(COMMAND, clopt_command, run);
    NEEDS(LAUNCHER, clopt_launcher, command);
    NEEDS(READER, clopt_reader, knows);
    NEEDS(READER, clopt_reader, form);
    NEEDS(RIVAL, clopt_rival, key);
    NEEDS(RIVAL, clopt_rival, check);
    NEEDS(RIVAL, clopt_rival, lines);
    NEEDS(RIVAL, clopt_rival, build);
    NEEDS(RIVAL, clopt_rival, solve);
    NEEDS(RIVAL, clopt_rival, fetch);
    NEEDS(RIVAL, clopt_rival, destroy);
}

static void kinds_need_one_or_the_other(void **state)
{
    (void)state;
    NEEDS_ONE(FORMAT, clopt_format, write, exchange);
    IS_ENOUGH(FORMAT, clopt_format, write);
    IS_ENOUGH(FORMAT, clopt_format, exchange);
    NEEDS_ONE(COUNTER, clopt_counter, open, measure);
    NEEDS_ONE(COUNTER, clopt_counter, begin, measure);
    NEEDS_ONE(COUNTER, clopt_counter, end, measure);
    NEEDS_ONE(COUNTER, clopt_counter, get, measure);
    NEEDS_ONE(COUNTER, clopt_counter, close, measure);
    IS_ENOUGH(COUNTER, clopt_counter, measure);
    NEEDS_ONE(SECTION, clopt_study_section, read, finish);
    IS_ENOUGH(SECTION, clopt_study_section, read);
    IS_ENOUGH(SECTION, clopt_study_section, finish);
    check_kind(CLOPT_KIND_STRATEGY, "", 1, "");
    check_kind(CLOPT_KIND_OBSERVER, "", 1, "");
    check_kind(CLOPT_KIND_RIVAL, "", 1, "it lacks the operation key");
}

static void names_are_legal_or_not(void **state)
{
    (void)state;
    assert_true(clopt_name_is_legal("a"));
    assert_true(clopt_name_is_legal("lud_2"));
    assert_true(clopt_name_is_legal("a234567890123456789012345678901"));
    assert_false(clopt_name_is_legal("a2345678901234567890123456789012"));
    assert_false(clopt_name_is_legal(""));
    assert_false(clopt_name_is_legal("2d"));
    assert_false(clopt_name_is_legal("_a"));
    assert_false(clopt_name_is_legal("a.b"));
    assert_false(clopt_name_is_legal("aB"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_apps_pass),
        cmocka_unit_test(operations_are_required),
        cmocka_unit_test(kernels_are_checked),
        cmocka_unit_test(inputs_are_checked),
        cmocka_unit_test(knobs_are_checked),
        cmocka_unit_test(tables_must_end),
        cmocka_unit_test(optimizations_need_parameters_and_apply),
        cmocka_unit_test(parameters_depend_on_those_before_them),
        cmocka_unit_test(inputs_depend_on_others),
        cmocka_unit_test(few_parameters_are_depended_on),
        cmocka_unit_test(kinds_need_their_operations),
        cmocka_unit_test(kinds_need_one_or_the_other),
        cmocka_unit_test(names_are_legal_or_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
