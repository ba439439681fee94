/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves what T1 tuning files become, and that what a study cannot say is refused with its name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "readers/readers.h"
#include "study/ini.h"
#include "text/text.h"

static struct clopt_error error;

/* Reads a study, as a program that has this reader alone. */
static enum clopt_status read_ini(const char *path, struct clopt_ini *ini)
{
    static const struct clopt_extension readers[] = {
        CLOPT_EXTENSION(READER, "t1", "T1 tuning files", &clopt_reader_t1), {0}};
    CLOPT_HELD(clopt_registry) registry = NULL;
    unsetenv("CLOPT_PLUGIN_PATH");
    *ini = (struct clopt_ini){0};
    CLOPT_TRY(clopt_registry_open(NULL, &registry, &error));
    clopt_registry_add(registry, readers);
    return clopt_ini_read(path, registry, ini, &error);
}

/* Reads a file, and writes what it has become; a message where it is refused. */
static char *read_path(const char *path)
{
    struct clopt_ini ini;
    struct clopt_text text = {0};
    error = (struct clopt_error){0};
    if (read_ini(path, &ini)) {
        assert_int_equal(error.status, CLOPT_INVALID);
        clopt_ini_fini(&ini);
        return strdup(error.message);
    }
    clopt_text_append(&text, "");
    for (size_t i = 0; i < ini.count; i++) {
        const struct clopt_ini_section *section = &ini.sections[i];
        clopt_text_printf(&text, "[%s]\n", section->name);
        for (size_t j = 0; j < section->count; j++)
            clopt_text_printf(&text, "%s = %s\n", section->settings[j].key,
                              section->settings[j].value);
    }
    clopt_ini_fini(&ini);
    return clopt_text_take(&text);
}

static char *read_text(const char *json)
{
    FILE *stream = fopen("t.json", "w");
    fputs(json, stream);
    fclose(stream);
    char *result = read_path("t.json");
    unlink("t.json");
    return result;
}

static char *path_of(const char *name)
{
    struct clopt_text path = {0};
    const char *folder = getenv("CLOPT_SOURCE_DIR");
    clopt_text_printf(&path, "%s/tests/t1/%s", folder ? folder : ".", name);
    return clopt_text_take(&path);
}

static void check_file(const char *name, const char *expected)
{
    char *path = path_of(name);
    char *text = read_path(path);
    assert_string_equal(text, expected);
    free(text);
    free(path);
}

static void files_are_translated(void **state)
{
    (void)state;
    check_file("multiply.json", "[study]\n"
                                "title = matrix multiplication\n"
                                "[app kernel]\n"
                                "source = mm.cl\n"
                                "kernel = multiply\n"
                                "options = -cl-mad-enable -DN=256\n"
                                "global = 256, 256 // WORK\n"
                                "local = TILE, TILE // WORK\n"
                                "[arguments]\n"
                                "c = output float[65536]\n"
                                "a = input float[256 * 256] uniform(0, 1)\n"
                                "b = input float[65536] uniform(0, 1)\n"
                                "n = int 256\n"
                                "[parameter TILE]\n"
                                "values = 4, 8, 16, 32\n"
                                "initial = 8\n"
                                "[parameter WORK]\n"
                                "values = 1, 2, 3, 4, 5, 6, 7, 8\n"
                                "initial = 1\n"
                                "[parameter PAD]\n"
                                "values = 1, 0\n"
                                "[parameter NUMBER]\n"
                                "values = \"float\", \"double\"\n"
                                "[constraints]\n"
                                "condition_1 = 64 <= TILE * TILE <= 256\n"
                                "condition_2 = TILE % WORK == 0 and (WORK < 4 or not PAD)\n"
                                "[combine]\n"
                                "sample = 10\n");
    check_file("saxpy.json", "[study]\n"
                             "title = saxpy\n"
                             "[app kernel]\n"
                             "source = saxpy.cl\n"
                             "kernel = saxpy\n"
                             "global = (ceildiv(100000, 1 * (WG) * (ITEMS))) * (WG)\n"
                             "local = WG\n"
                             "[arguments]\n"
                             "y = inout float[100000] constant(0.5)\n"
                             "x = input float[100000] uniform(0, 2)\n"
                             "a = float 2.5\n"
                             "n = int 100000\n"
                             "[parameter WG]\n"
                             "values = 32, 64, 128\n"
                             "[parameter ITEMS]\n"
                             "values = 1, 2, 4, 8, 16\n"
                             "[constraints]\n"
                             "condition_1 = WG * ITEMS <= 1024\n");
}

#define KERNEL(members)                                                                            \
    "\"KernelSpecification\": {\"Language\": \"OpenCL\", \"KernelName\": \"k\", \"KernelFile\": "  \
    "\"k.cl\", \"LocalSize\": {\"X\": \"8\"}, \"GlobalSize\": {\"X\": \"64\"}" members "}"
#define SPACE(members) "\"ConfigurationSpace\": {\"TuningParameters\": [" members "]}"

/* A study in another folder includes the file: what it names is found from there. */
static void files_are_beside_the_tuning_file(void **state)
{
    (void)state;
    struct clopt_ini ini;
    mkdir("t1.here", 0777);
    FILE *stream = fopen("t1.here/t.json", "w");
    fputs("{" KERNEL(
              ", \"Arguments\": [{\"Type\": \"int8\", \"MemoryType\": \"Vector\", \"Size\": "
              "3, \"FillType\": \"BinaryRaw\", \"DataSource\": \"/a.bin\"}]") ", " SPACE("") "}",
          stream);
    fclose(stream);
    stream = fopen("t1.ini", "w");
    fputs("[study]\ninclude = t1.here/t.json\n", stream);
    fclose(stream);
    if (read_ini("./t1.ini", &ini))
        fail_msg("%s", error.message);
    assert_string_equal(clopt_ini_setting(clopt_ini_section(&ini, "app kernel"), "source")->value,
                        "t1.here/k.cl");
    assert_string_equal(
        clopt_ini_setting(clopt_ini_section(&ini, "arguments"), "argument_1")->value,
        "inout char[3] file(/a.bin)");
    clopt_ini_fini(&ini);
    unlink("t1.here/t.json");
    rmdir("t1.here");
    unlink("t1.ini");
}

static void origins_are_ways_within_the_file(void **state)
{
    (void)state;
    struct clopt_ini ini;
    char *path = path_of("saxpy.json");
    assert_int_equal(read_ini(path, &ini), CLOPT_OK);
    const struct clopt_ini_setting *setting =
        clopt_ini_setting(clopt_ini_section(&ini, "parameter ITEMS"), "values");
    struct clopt_text origin = {0};
    clopt_text_printf(&origin, "%s: ConfigurationSpace.TuningParameters[1].Values", path);
    assert_string_equal(setting->origin, clopt_text_string(&origin));
    clopt_text_fini(&origin);
    clopt_ini_fini(&ini);
    free(path);
}

#define ARGUMENTS(members) "{" KERNEL(", \"Arguments\": [{" members "}]") ", " SPACE("") "}"
#define PARAMETER(type, values)                                                                    \
    "{" KERNEL("") ", " SPACE("{\"Name\": \"P\", \"Type\": \"" type "\", \"Values\": " values      \
                              "}") "}"

static void check_values(const char *json, const char *expected)
{
    char *text = read_text(json);
    char *values = strstr(text, "[parameter P]\nvalues = ");
    if (!values)
        fail_msg("%s", text);
    assert_string_equal(values + strlen("[parameter P]\nvalues = "), expected);
    free(text);
}

static void values_are_translated(void **state)
{
    (void)state;
    check_values(PARAMETER("int", "\"[1, 2]\""), "1, 2\n");
    check_values(PARAMETER("int", "\" [ -4,+2 , ] \""), "-4, 2\n");
    check_values(PARAMETER("int", "\"range(5)\""), "0, 1, 2, 3, 4\n");
    check_values(PARAMETER("int", "\"list(range(1, 33, 2))\""),
                 "1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31\n");
    check_values(PARAMETER("int", "\"range(8, 5, -1)\""), "8, 7, 6\n");
    check_values(PARAMETER("int", "\"[1, 2, 4, 8, 16, 32, 48, 64, 80, 96]\""),
                 "1, 2, 4, 8, 16, 32, 48, 64, 80, 96\n");
    check_values(PARAMETER("int", "[3, 5, 9]"), "3, 5, 9\n");
    check_values(PARAMETER("bool", "\"[True, False]\""), "1, 0\n");
    check_values(PARAMETER("bool", "[false, true]"), "0, 1\n");
    check_values(PARAMETER("float", "\"[0.5, 1e-3, 2]\""), "0.5, 0.001, 2\n");
    check_values(PARAMETER("string", "\"['a', \\\"b,c\\\"]\""), "\"a\", \"b,c\"\n");
    check_values(PARAMETER("string", "[\"a\"]"), "\"a\"\n");
}

static void check_argument(const char *json, const char *expected)
{
    char *text = read_text(json);
    char *values = strstr(text, "[arguments]\n");
    if (!values)
        fail_msg("%s", text);
    assert_string_equal(values + strlen("[arguments]\n"), expected);
    free(text);
}

static void arguments_are_translated(void **state)
{
    (void)state;
    check_argument(
        ARGUMENTS("\"Type\": \"uint64\", \"MemoryType\": \"Scalar\", \"FillValue\": 3.0"),
        "argument_1 = ulong 3\n");
    check_argument(ARGUMENTS("\"Name\": \"t\", \"Type\": \"float4\", \"MemoryType\": \"Local\", "
                             "\"Size\": \"8 * 2\""),
                   "t = local float4[8 * 2]\n");
    check_argument(ARGUMENTS("\"Name\": \"v\", \"Type\": \"int16\", \"MemoryType\": \"Vector\", "
                             "\"AccessType\": \"ReadOnly\", \"Size\": 4, \"FillType\": \"Random\", "
                             "\"FillValue\": 9"),
                   "v = input short[4] integers(0, 9)\n");
    check_argument(
        ARGUMENTS("\"Name\": \"v\", \"Type\": \"custom\", \"TypeSize\": 12, "
                  "\"MemoryType\": \"Vector\", \"Size\": 4, \"FillType\": \"BinaryRaw\", "
                  "\"DataSource\": \"v.bin\""),
        "v = inout struct(12)[4] file(v.bin)\n");
}

static void references_are_translated(void **state)
{
    (void)state;
    char *text = read_text("{" KERNEL(
        ", \"ReferenceArguments\": [{\"Name\": \"r\", \"TargetName\": \"y\", \"FillType\": "
        "\"BinaryRaw\", \"DataSource\": \"r.bin\", \"ValidationMethod\": "
        "\"SideBySideRelativeComparison\", \"ValidationThreshold\": 1e-4}]") ", " SPACE("") "}");
    assert_non_null(strstr(text, "[results]\ny = relative 0.0001 file(r.bin)\n"));
    free(text);
}

static void refuse(const char *json, const char *message)
{
    char *text = read_text(json);
    assert_string_equal(text, message);
    free(text);
}

static void unknown_members_are_refused(void **state)
{
    (void)state;
    refuse("[]", "t.json: it is not a T1 tuning file (object \"KernelSpecification\")");
    refuse("{\"KernelSpecification\": 1}", "t.json: KernelSpecification: this must be an object");
    refuse("{\n\"General\": }", "t.json:2: unexpected token near '}'");
    refuse("{\"ConfigurationSpace\": {}}", "t.json: KernelSpecification: missing");
    refuse("{" KERNEL("") "}", "t.json: ConfigurationSpace: missing");
    refuse("{" KERNEL("") ", \"ConfigurationSpac\": 3}",
           "t.json: ConfigurationSpac: not supported; did you mean ConfigurationSpace?");
    refuse("{" KERNEL(", \"KernelTypeNames\": []") "}",
           "t.json: KernelSpecification.KernelTypeNames: not supported; did you mean KernelName?");
    refuse("{\"KernelSpecification\": {\"Language\": \"CUDA\"}}",
           "t.json: KernelSpecification.Language: CUDA is not supported; it must be one of OpenCL");
    refuse(
        "{" KERNEL(", \"SharedMemory\": 8") "}",
        "t.json: KernelSpecification.SharedMemory: not supported; local memory is an argument of "
        "MemoryType Local");
    refuse("{" KERNEL(", \"Device\": {\"DeviceId\": 1}") "}",
           "t.json: KernelSpecification.Device.DeviceId: not supported");
    refuse("{\"General\": {\"FormatVersion\": 2}}",
           "t.json: General.FormatVersion: only version 1 is supported");
    refuse("{" KERNEL("") ", " SPACE("") ", \"Budget\": [{\"Type\": \"TuningDuration\", "
                                         "\"BudgetValue\": 60}]}",
           "t.json: Budget[0].Type: TuningDuration is not supported; it must be one of "
           "ConfigurationCount");
}

static void bad_parameters_are_refused(void **state)
{
    (void)state;
    refuse(
        PARAMETER("double", "\"[1]\""),
        "t.json: ConfigurationSpace.TuningParameters[0].Type: double is not supported; it must be "
        "one of int, uint, float, bool, string");
#define VALUES "t.json: ConfigurationSpace.TuningParameters[0].Values: "
#define ONLY   "only lists of int values and range() are supported, at "
    refuse(PARAMETER("int", "\"[2 ** i for i in range(4)]\""),
           VALUES ONLY "\"** i for i in range(4)]\"");
    refuse(PARAMETER("int", "\"[1.5]\""), VALUES ONLY "\"1.5]\"");
    refuse(PARAMETER("int", "\"[1, 2\""), VALUES ONLY "\"\"");
    refuse(PARAMETER("int", "\"['a']\""), VALUES ONLY "\"'a']\"");
    refuse(PARAMETER("int", "\"range(1, 4\""), VALUES ONLY "\"\"");
    refuse(PARAMETER("int", "\"range(1, 4, 0)\""), VALUES "a range whose step is 0");
    refuse(PARAMETER("int", "\"range(5000)\""), VALUES "more than 4096 values");
    refuse(PARAMETER("int", "\"[]\""), VALUES "no values");
    refuse(PARAMETER("uint", "\"[-1]\""), VALUES "-1 is not a uint");
    refuse(PARAMETER("int", "3"), VALUES "this must be a text or an array");

    struct clopt_text many = {0};
    clopt_text_append(&many, "{" KERNEL("") ", \"ConfigurationSpace\": {\"TuningParameters\": [");
    for (int i = 0; i < 5001; i++)
        clopt_text_printf(&many, "%s{\"Name\": \"P%d\", \"Type\": \"int\", \"Values\": \"[1]\"}",
                          i ? ", " : "", i);
    clopt_text_append(&many, "]}}");
    char *result = read_text(clopt_text_string(&many));
    assert_non_null(strstr(result, ": more than 5000 of these"));
    free(result);
    clopt_text_fini(&many);
}

static void bad_arguments_are_refused(void **state)
{
    (void)state;
    refuse(ARGUMENTS("\"Type\": \"float3\", \"MemoryType\": \"Scalar\""),
           "t.json: KernelSpecification.Arguments[0].Type: float3 is not supported");
    refuse(
        ARGUMENTS("\"Type\": \"float\", \"MemoryType\": \"Symbol\""),
        "t.json: KernelSpecification.Arguments[0].MemoryType: Symbol is not supported; it must be "
        "one of Scalar, Vector, Local");
    refuse(ARGUMENTS("\"Type\": \"int32\", \"MemoryType\": \"Scalar\", \"FillValue\": 2.5"),
           "t.json: KernelSpecification.Arguments[0].FillValue: this must be an integer");
    refuse(ARGUMENTS("\"Type\": \"int32\", \"MemoryType\": \"Scalar\""),
           "t.json: KernelSpecification.Arguments[0].FillValue: missing");
    refuse(ARGUMENTS("\"Type\": \"int32\", \"MemoryType\": \"Vector\""),
           "t.json: KernelSpecification.Arguments[0].Size: missing");
    refuse(
        ARGUMENTS("\"Type\": \"int32\", \"MemoryType\": \"Vector\", \"Size\": 3, \"FillType\": "
                  "\"Generator\""),
        "t.json: KernelSpecification.Arguments[0].FillType: Generator is not supported; it must be "
        "one of Constant, Random, BinaryRaw");
    refuse(ARGUMENTS("\"Name\": \"a b\", \"Type\": \"custom\", \"MemoryType\": \"Vector\""),
           "t.json: KernelSpecification.Arguments[0].TypeSize: a custom type needs its size in "
           "bytes");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_translated),
        cmocka_unit_test(files_are_beside_the_tuning_file),
        cmocka_unit_test(origins_are_ways_within_the_file),
        cmocka_unit_test(values_are_translated),
        cmocka_unit_test(arguments_are_translated),
        cmocka_unit_test(references_are_translated),
        cmocka_unit_test(unknown_members_are_refused),
        cmocka_unit_test(bad_parameters_are_refused),
        cmocka_unit_test(bad_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
