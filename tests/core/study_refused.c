/* SPDX-License-Identifier: BSD-3-Clause */
/* Quotes what is said about each study that cannot be read. */
#include "study_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "text/text.h"

static void malformed_files_are_refused(void **state)
{
    (void)state;
    char ini[1024] = "[study]\n";
    unlink("s.ini");
    assert_null(read_file(NULL, NULL));
    assert_string_equal(read_error.message, "s.ini: cannot be read: No such file or directory");
    assert_int_equal(read_error.status, CLOPT_INVALID);
    assert_int_equal(mkdir("s.ini", 0777), 0);
    assert_null(read_file(NULL, NULL));
    assert_string_equal(read_error.message, "s.ini: this is a folder, not a file");
    assert_int_equal(rmdir("s.ini"), 0);
    write_file("s.ini", "[study]\nse\0ed = 1\n", 18);
    assert_null(read_file(NULL, NULL));
    assert_string_equal(read_error.message, "s.ini:2: this is not text: it holds a NUL");

    refuse("[study]\nwhat is this\n", "s.ini:2: neither [section] nor key = value");
    refuse("seed = 1\n", "s.ini:1: seed: is before the first [section]");
    refuse("[study\nseed = 1\n", "s.ini:1: a section needs a closing ]");
    refuse("[study] seed = 1\n", "s.ini:1: unexpected text after ]: seed = 1");
    refuse("[ ]\n", "s.ini:1: a section needs a name");
    refuse("[study]\n = 1\n", "s.ini:2: [study] a key is missing in front of =");
    refuse("[study]\nseed =\n", "s.ini:2: [study] seed: has no value");
    refuse("[study]\nseed =;1\n", "s.ini:2: [study] seed: a value cannot start with a semicolon");
    refuse("[study]\nseed = 1\n\n[app tiles]\n[study]\nseed = 2\n",
           "s.ini:6: [study] seed: already set at s.ini:2");
    refuse("[study]\ntitle = a\x1b[31m\n",
           "s.ini:2: this is not text: it holds a control character, \\x1b");
    memset(ini + 8, 'x', 300);
    refuse(ini, "s.ini:2: neither [section] nor key = value");
    memcpy(ini + 8, "; ", 2);
    refuse(ini, "s.ini: no [app NAME]: nothing to study");
    char section[301] = "[";
    memset(section + 1, 'x', 298);
    section[299] = ']';
    write_file("s.ini", section, 300);
    assert_null(read_file(NULL, NULL));
    assert_non_null(strstr(read_error.message, "xx]: unknown section; there are [study], "));

    struct clopt_text lines = {0};
    for (int i = 0; i < 10001; i++)
        clopt_text_printf(&lines, i % 2 ? "[device %d]\n" : "[parameter %d]\n", i);
    refuse(clopt_text_string(&lines), "s.ini:10001: a study has at most 10000 lines");
    clopt_text_fini(&lines);
}

static void parameters_are_refused(void **state)
{
    (void)state;
#define WG "[app tiles]\n[parameter WG]\nvalues = 1, 2\n"
    refuse("[app tiles]\n[parameter WG]\n", "s.ini:2: [parameter WG] values: missing");
    refuse("[app tiles]\n[parameter W G]\nvalues = 1\n",
           "s.ini:2: [parameter W G]: a parameter is called as a macro: letters, digits and _");
    refuse("[app tiles]\n[parameter in]\nvalues = 1\n",
           "s.ini:2: [parameter in]: a parameter is called as a macro: letters, digits and _");
    refuse("[app tiles]\n[parameter]\nvalues = 1\n",
           "s.ini:2: [parameter]: needs a name, as in [parameter NAME]");
    refuse("[app tiles]\n[parameter WG]\nvalue = 1\n",
           "s.ini:3: [parameter WG] value: unknown key; did you mean values?");
    refuse("[app tiles]\n[parameter WG]\nvalues = 4, x\n",
           "s.ini:3: [parameter WG] values: x: not an integer");
    refuse("[app tiles]\n[parameter WG]\nvalues = float, \"unsigned int\"\n",
           "s.ini:3: [parameter WG] values: unsigned int: compilers cannot take blanks, quotes, "
           "backslashes, $ or ; in the value of a macro");
    refuse(WG "initial = x\n", "s.ini:4: [parameter WG] initial: x: not an integer");
    refuse(WG "kernels = til\n",
           "s.ini:4: [parameter WG] kernels = til: no such kernel; did you mean tile?");
    refuse(WG "apps = plain\n",
           "s.ini:4: [parameter WG] apps = plain: this study has no [app plain]");
    refuse("[app tiles]\n[parameter PAD]\nvalues = 1\n",
           "s.ini:2: [parameter PAD]: tiles sets this macro itself: it is the knob pad of "
           "[optimization shape]");
    refuse("[app tiles]\n[parameter size]\nvalues = 1\n",
           "s.ini:2: [parameter size]: tiles has an input of this name; expressions could not tell "
           "them apart");
    refuse(
        WG "[combine]\nproducts = parameters+parameters\n",
        "s.ini:5: [combine] products = parameters+parameters: parameters can be in a product once");
}

static void constraints_are_refused(void **state)
{
    (void)state;
    refuse(WG "constraint = WG +\n",
           "s.ini:4: [parameter WG] constraint: \"WG +\", column 5: expected a value, but the "
           "expression ends");
    refuse(
        WG "[constraints]\nWG * 2 = 3\n",
        "s.ini:5: [constraints] WG * 2: a constraint has a name in front, such as threads = WGX * "
        "WGY <= 1024");
    refuse(WG "[constraints]\nsmall = W < 3\n",
           "s.ini:5: [constraints] small: \"W < 3\", column 1: unknown name W; did you mean WG?");
    refuse(
        WG "[constraints]\nsmall = threads < 3\n",
        "s.ini:5: [constraints] small: \"threads < 3\", column 1: threads is neither a parameter, "
        "nor an input of an app, nor told by a device");
    refuse(
        WG "[constraints]\nsmall = WG > 1\n",
        "s.ini:5: [constraints] small: \"WG > 1\" does not hold for the initial code (WG = 1); set "
        "initial in the sections of the parameters");
    refuse(WG "[constraints]\nsmall = WG < matrix\n",
           "s.ini:5: [constraints] small: \"WG < matrix\", column 6: matrix has no value");
    refuse("[app tiles]\n[parameter T]\nvalues = float, int\nconstraint = T == 1\n",
           "s.ini:4: [parameter T] constraint: \"T == 1\", column 1: T is not a number");
    refuse(
        WG "[constraints]\nsmall = 4 % (WG - 2) == 0\n",
        "s.ini:5: [constraints] small: \"4 % (WG - 2) == 0\", column 3: division by zero (WG = 2)");
    refuse("[app tiles]\n[constraint]\nsmall = 1\n",
           "s.ini:2: [constraint]: unknown section; did you mean [constraints]?");
    refuse("[app tiles]\n[constraints x]\nsmall = 1\n",
           "s.ini:2: [constraints x]: this section is just [constraints]");
    refuse("[app tiles]\n[parameter A]\nvalues = 1..4000\n[parameter B]\nvalues = 1..4000\n"
           "[constraints]\nsum = A + B < 4000\n",
           "s.ini:7: [constraints] sum: the constraints connect too many values of the parameters "
           "A, B; shorten their "
           "lists, or add constraints on few parameters that rule out combinations early");
}

static void unknown_names_are_refused(void **state)
{
    (void)state;
    refuse("[measure]\nprecison = 1%\n",
           "s.ini:2: [measure] precison: unknown key; did you mean precision?");
    refuse("[combine]\nbananas = 1\n",
           "s.ini:2: [combine] bananas: unknown key; it knows products, sample, winners");
    refuse("[study]\nincludes = x\n",
           "s.ini:2: [study] includes: unknown key; did you mean include?");
    refuse("[device x]\nplatfrom = x\n",
           "s.ini:2: [device x] platfrom: unknown key; did you mean platform?");
    refuse("[app tiles]\nsise = 3\n", "s.ini:2: [app tiles] sise: unknown key; did you mean size?");
    refuse("[app tiles]\n[optimization unroll]\nfactr = 3\n",
           "s.ini:3: [optimization unroll] factr: unknown key; did you mean factor?");
    refuse("[mesure]\n", "s.ini:1: [mesure]: unknown section; did you mean [measure]?");
    refuse("[apps tiles]\n", "s.ini:1: [apps tiles]: unknown section; did you mean [app tiles]?");
    refuse("[app]\n", "s.ini:1: [app]: needs a name, as in [app NAME]");
    refuse("[limits hard]\n", "s.ini:1: [limits hard]: this section is just [limits]");
    refuse("[app tiles]\nkernels = tiel\n",
           "s.ini:2: [app tiles] kernels = tiel: no such kernel; did you mean tile?");
    refuse("[app tiles]\n[app plain]\n[optimization unroll]\nkernels = bananas\n",
           "s.ini:4: [optimization unroll] kernels = bananas: no such kernel; there are tile, row, "
           "plain");
}

static void missing_plugins_are_refused(void **state)
{
    (void)state;
    const char *ini = "[app nothing]\n";
    write_file("s.ini", ini, strlen(ini));
    assert_null(read_file(NULL, NULL));
    assert_int_equal(read_error.status, CLOPT_PLUGIN_UNUSABLE);
    assert_string_equal(read_error.message, "s.ini:1: [app nothing]: nothing: no such plugin");
    ini = "[app tiles]\n[optimization nothing]\n";
    write_file("s.ini", ini, strlen(ini));
    assert_null(read_file(NULL, NULL));
    assert_int_equal(read_error.status, CLOPT_PLUGIN_UNUSABLE);
    assert_string_equal(read_error.message,
                        "s.ini:2: [optimization nothing]: nothing: no such plugin");
    ini = "[app tiles]\n[host a]\nlauncher = none\n";
    write_file("s.ini", ini, strlen(ini));
    assert_null(read_file(NULL, NULL));
    assert_int_equal(read_error.status, CLOPT_PLUGIN_UNUSABLE);
    assert_string_equal(
        read_error.message,
        "s.ini:2: [host a] no launcher of `clopt plugins --kind=launcher` has a transport");
}

static void bad_values_are_refused(void **state)
{
    (void)state;
    refuse("[study]\nseed = -1\n", "s.ini:2: [study] seed = -1: not one of 0..");
    refuse("[measure]\nprecision = 0%\n",
           "s.ini:2: [measure] precision = 0%: not a share between 0% and 100%, such as 2%");
    refuse("[measure]\nprecision = nan\n",
           "s.ini:2: [measure] precision = nan: not a share between 0% and 100%, such as 2%");
    refuse("[measure]\nmax_time = 10\n",
           "s.ini:2: [measure] max_time = 10: not a time such as 500ms, 10s, 2min or 1h");
    refuse("[measure]\nabandon = 1x\n",
           "s.ini:2: [measure] abandon = 1x: not a factor above 1, such as 3x");
    refuse("[measure]\npin = on\n", "s.ini:2: [measure] pin = on: neither yes nor no");
    refuse("[measure]\nverify = yes\n",
           "s.ini:2: [measure] verify = yes: unknown; there are results");
    refuse("[measure]\naim = best\n", "s.ini:2: [measure] aim = best: not one of table, winner");
    refuse("[measure]\ntime = soon\n",
           "s.ini:2: [measure] time = soon: not a time such as 500ms, 10s, 2min or 1h; or none");
    refuse("[measure]\nmin_samples = 300\n",
           "s.ini:2: [measure] min_samples = 300 is more than max_samples = 200");
    refuse("[measure]\nprocesses = 0\n", "s.ini:2: [measure] processes = 0: not one of 1..1000");
    refuse("[app tiles]\n[combine]\nproducts = some\n",
           "s.ini:3: [combine] products = some: some: no such optimization in this "
           "study; there are alone, pairs, all");
    refuse("[app tiles]\n[optimization shape a]\n[optimization unroll]\n"
           "[combine]\nproducts = alone, shape b+unroll\n",
           "s.ini:5: [combine] products = shape b+unroll: shape b: no such optimization in this "
           "study; "
           "did you mean shape a?");
    refuse("[app tiles]\n[optimization shape]\n[combine]\nproducts = shape+\n",
           "s.ini:4: [combine] products = shape+: an optimization is missing beside +");
    refuse(
        "[app tiles]\n[optimization shape]\n[combine]\nproducts = \"shape+shape+shape+shape+shape+"
        "shape+shape+shape+shape+shape+shape+shape+shape+shape+shape+shape+shape\"\n",
        "s.ini:4: [combine] products = shape+shape+shape+shape+shape+shape+shape+shape+shape+"
        "shape+shape+shape+shape+shape+shape+shape+shape: more than 16 optimizations");
    refuse("[app tiles]\n[optimization shape a+b]\n",
           "s.ini:2: [optimization shape a+b]: a label cannot hold +");
    refuse("[app tiles]\n[optimization shape]\napps = tile\n",
           "s.ini:3: [optimization shape] apps = tile: this study has no [app tile]");
    refuse("[app tiles]\n[app plain]\n[optimization shape]\napps = plain\nkernels = row\n",
           "s.ini:5: [optimization shape] kernels = row: no such kernel; there are plain");
    refuse("[app tiles]\n[app plain]\n[optimization shape]\napps = plain\nblock_size = 8\n",
           "s.ini:5: [optimization shape] block_size: no app of this study has a knob for it");
    refuse("[limits]\nbuild = 99999999h\n",
           "s.ini:2: [limits] build = 99999999h: longer than 30 years");
    refuse("[limits]\nmemory = 2GB\n",
           "s.ini:2: [limits] memory = 2GB: not an integer (with k, M, G, Ki, Mi or Gi after it, "
           "or nothing); legal: 0..");
    refuse("[device x]\ntype = CPU\n",
           "s.ini:2: [device x] type = CPU: not one of cpu, gpu, accelerator, custom");
}

static void bad_values_of_plugins_are_refused(void **state)
{
    (void)state;
    refuse("[app tiles]\nsize = 32, 7\n", "s.ini:2: [app tiles] size = 7: not one of 16..8192");
    refuse("[app tiles]\nsize = 32,\n", "s.ini:2: [app tiles] size: a value is missing");
    refuse("[app tiles]\nsize = 20\n", "s.ini:1: [app tiles] size=20: size is not a multiple of 8");
    refuse("[app tiles]\nsize = 16..8000\n",
           "s.ini:2: [app tiles] size: 16..8000: more than 4096 values");
    refuse("[app tiles]\n[optimization unroll]\nfactor = 0\n",
           "s.ini:3: [optimization unroll] factor = 0: not one of 1..1000");
    refuse("[app tiles]\n[optimization unroll]\nfactor = two\n",
           "s.ini:3: [optimization unroll] factor: two: not an integer");
    refuse("[app tiles]\n[optimization shape]\nblock_size = 128\n",
           "s.ini:3: [optimization shape] block_size = 128: not one of pow2 4..64 (tiles)");
    refuse("[app plain]\n[optimization shape]\nblock_size = 8\n",
           "s.ini:3: [optimization shape] block_size: no app of this study has a knob for it");
    refuse("[app tiles]\n[optimization shape]\nlocal_size = 6666\n",
           "s.ini:3: [optimization shape] local_size = 6666: an evil number");
    refuse("[app tiles]\n[optimization join]\nfactor = 1\nstride = 1, 2\n",
           "s.ini:4: [optimization join] stride means nothing without factor: change the values of "
           "one, or leave out the other");
    refuse("[app tiles]\n[optimization join]\norder = down\n",
           "s.ini:3: [optimization join] order means nothing without factor or hint: change the "
           "values of one, or leave out the other");
    refuse("[app tiles]\n[optimization join]\nfactor = 2\nwhole = yes\nstride = 2\n",
           "s.ini:5: [optimization join] stride means nothing beside whole: change the values of "
           "one, or leave out the other");
    refuse(
        "[device a]\n[device b]\n[device c]\n[device d]\n"
        "[app tiles]\nsize = 16..8192 step 8\n[app plain]\n[combine]\nproducts = all\n"
        "[optimization unroll]\nfactor = 1..1000\n"
        "[optimization shape]\nlocal_size = 1000..4000\n",
        "s.ini: more than 10000000000 trials; shorten the lists of values, or choose a sample of "
        "the variants: [combine] sample = 1000");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(malformed_files_are_refused),
        cmocka_unit_test(parameters_are_refused),
        cmocka_unit_test(constraints_are_refused),
        cmocka_unit_test(unknown_names_are_refused),
        cmocka_unit_test(missing_plugins_are_refused),
        cmocka_unit_test(bad_values_are_refused),
        cmocka_unit_test(bad_values_of_plugins_are_refused),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
