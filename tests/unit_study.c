/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves how studies are read, and quotes what is said about each that cannot be. */
#include "study/study.h"

#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "fake_plugins.h"

/* ---- studies in files of a folder of their own ---- */

static char folder[64];

static int enter_folder(void **state)
{
    (void)state;
    strcpy(folder, "unit_study.XXXXXX");
    return mkdtemp(folder) && !chdir(folder) ? 0 : -1;
}

static int leave_folder(void **state)
{
    (void)state;
    if (chdir(".."))
        return -1;
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

static void write_file(const char *path, const char *content, size_t size)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(content, 1, size, file), size);
    fclose(file);
}

static struct clopt_error error;

/* Reads s.ini with overrides (NULL: none); gives the study, or NULL and the message. */
static struct clopt_study *read_file(const char *first, const char *second)
{
    struct clopt_override overrides[] = {{first}, {second}};
    struct clopt_study *study;
    error = (struct clopt_error){0};
    enum clopt_status status = clopt_study_read("s.ini", NULL, overrides,
                                                (first != NULL) + (second != NULL), &study, &error);
    assert_int_equal(status == CLOPT_OK, study != NULL);
    assert_int_equal(status, error.status);
    return study;
}

static struct clopt_study *read_text(const char *ini)
{
    write_file("s.ini", ini, strlen(ini));
    struct clopt_study *study = read_file(NULL, NULL);
    if (!study)
        fail_msg("%s", error.message);
    return study;
}

static void refuse(const char *ini, const char *message)
{
    write_file("s.ini", ini, strlen(ini));
    assert_null(read_file(NULL, NULL));
    assert_string_equal(error.message, message);
    assert_int_equal(error.status, CLOPT_INVALID);
}

static void refuse_override(const char *ini, const char *override, const char *message)
{
    write_file("s.ini", ini, strlen(ini));
    assert_null(read_file(override, NULL));
    assert_string_equal(error.message, message);
    assert_int_equal(error.status, CLOPT_INVALID);
}

/* ---- what is read ---- */

static void defaults_hold(void **state)
{
    (void)state;
    struct clopt_study *study = read_text("[app tiles]\n");
    assert_string_equal(study->path, "s.ini");
    assert_string_equal(study->title, "s");
    assert_int_equal(study->seed, 1);
    assert_int_equal(study->device_count, 1);
    assert_string_equal(study->devices[0].label, "default");
    assert_null(study->devices[0].name);
    assert_string_equal(study->combine, "alone");
    assert_int_equal(study->product_count, 0);
    assert_true(study->measure.precision == 0.02);
    assert_int_equal(study->measure.min_samples, 5);
    assert_int_equal(study->measure.max_samples, 200);
    assert_true(study->measure.max_time_s == 10);
    assert_int_equal(study->measure.processes, 3);
    assert_true(study->measure.abandon == 3);
    assert_true(study->measure.peaks);
    assert_true(study->measure.pin);
    assert_true(study->limits.setup_s == 120);
    assert_true(study->limits.build_s == 60);
    assert_true(study->limits.launch_s == 60);
    assert_true(study->limits.trial_s == 300);
    assert_int_equal(study->limits.memory_bytes, 0);
    assert_int_equal(study->apps[0].problem_count, 1);
    assert_int_equal(study->apps[0].kernel_count, 2);
    clopt_study_destroy(study);
}

static void every_key_is_read(void **state)
{
    (void)state;
    struct clopt_study *study = read_text(
        "; comment\n# comment\n[study]\ntitle = A study ; said so\nseed = 7\n"
        "[device  one]\nplatform = PoCL\nname=*Xeon*\n  type: cpu\n[device two]\n"
        "[app tiles]\nsize = pow2 64..128, 16\nkernels = row, tile\n"
        "[optimization shape]\nblock_size = 8, 16\nkernels = row\n"
        "[combine]\nproducts = all\n"
        "[measure]\nprecision = 5 %\nmin_samples = 2\nmax_samples = 1k\nmax_time = 500ms\n"
        "processes = 4\nabandon = 2.5x\npeaks = no\npin = no\n"
        "[limits]\nsetup = 2min\nbuild = 1h\nlaunch = 1.5 s\ntrial = 9s\nmemory = 2Gi\n");
    assert_string_equal(study->title, "A study");
    assert_int_equal(study->seed, 7);
    assert_int_equal(study->device_count, 2);
    assert_string_equal(study->devices[0].label, "one");
    assert_string_equal(study->devices[0].platform, "PoCL");
    assert_string_equal(study->devices[0].name, "*Xeon*");
    assert_string_equal(study->devices[0].type, "cpu");
    assert_int_equal(study->apps[0].problem_count, 3);
    assert_int_equal(clopt_values_integer(study->apps[0].problems[2], "size"), 16);
    assert_string_equal(study->apps[0].kernels[0]->name, "tile");
    assert_string_equal(study->optimizations[0].kernels.items[0], "row");
    assert_int_equal(study->optimizations[0].lists[0].count, 2);
    assert_int_equal(study->product_count, 1);
    assert_true(study->measure.precision == 0.05);
    assert_int_equal(study->measure.max_samples, 1000);
    assert_true(study->measure.max_time_s == 0.5);
    assert_true(study->measure.abandon == 2.5);
    assert_false(study->measure.peaks);
    assert_false(study->measure.pin);
    assert_true(study->limits.setup_s == 120);
    assert_true(study->limits.build_s == 3600);
    assert_true(study->limits.launch_s == 1.5);
    assert_int_equal(study->limits.memory_bytes, INT64_C(2) << 30);
    clopt_study_destroy(study);
}

static void problems_are_the_product_of_inputs(void **state)
{
    (void)state;
    const char *ini = "[app tiles]\nsize = 16, 32\nmatrix = a.mtx, \"b c.mtx\"\n";
    write_file("a.mtx", "", 0);
    refuse(ini, "s.ini:3: [app tiles] matrix = b c.mtx: cannot be read: No such file or directory");
    write_file("b c.mtx", "", 0);
    struct clopt_study *study = read_text(ini);
    assert_int_equal(study->apps[0].problem_count, 4);
    const struct clopt_values *last = study->apps[0].problems[3];
    assert_int_equal(clopt_values_integer(last, "size"), 32);
    assert_string_equal(clopt_values_text(last, "matrix"), "b c.mtx");
    clopt_study_destroy(study);
}

static void includes_are_followed(void **state)
{
    (void)state;
    assert_int_equal(mkdir("part", 0777), 0);
    const char *a = "[study]\ninclude = part/b.ini, part/c.ini\nseed = 3\n[measure]\npin = no\n";
    const char *b = "[study]\ntitle = of b\n[measure]\npin = yes\nprocesses = 5\nabandon = 5x\n";
    const char *c = "[study]\ninclude = d.ini\n[measure]\nprocesses = 6\n";
    const char *d = "[app tiles]\nmatrix = m.mtx\n[study]\nseed = 9\n";
    write_file("part/b.ini", b, strlen(b));
    write_file("part/c.ini", c, strlen(c));
    write_file("part/d.ini", d, strlen(d));
    write_file("m.mtx", "", 0);
    struct clopt_study *study = read_text(a);
    assert_string_equal(study->title, "of b");
    assert_int_equal(study->seed, 3);
    assert_false(study->measure.pin);
    assert_int_equal(study->measure.processes, 6);
    assert_true(study->measure.abandon == 5);
    /* Files of inputs are relative to the study, not to what it includes. */
    assert_string_equal(clopt_values_text(study->apps[0].problems[0], "matrix"), "m.mtx");
    assert_non_null(strstr(study->effective, "processes = 6 ; part/c.ini:4\n"));
    clopt_study_destroy(study);

    const char *circle = "[study]\ninclude = ../s.ini\n";
    write_file("part/b.ini", circle, strlen(circle));
    refuse(a, "part/b.ini: [study] include: part/../s.ini includes itself");
    refuse("[study]\ninclude = none.ini\n", "none.ini: cannot be read: No such file or directory");
    refuse("[study]\ninclude = /dev/zero\n", "/dev/zero: this is a device, not a file");
    refuse("[study]\ninclude = a, \"b\n",
           "s.ini:2: [study] include: \"b: quotes must stand at both ends of a value");
}

static void published_times_are_read(void **state)
{
    (void)state;
    const char *head = "figure,app,kernel,size,problem,variant,device,time_s,outcome\n";
    const char *rows = "6.1,tiles,tile,1,size=16,initial code,\"A \"\"big\"\"\nGPU\",0.5,ok\r\n"
                       "6.1,tiles,tile,1,size=16,,GPU,0.5,ok\n"
                       "6.2,tiles,tile,1,size=16,shape(pad=1),GPU,,not run";
    const char *ini = "[app tiles]\n[published thesis]\nfile = t.csv\n";
    char csv[1024];
    snprintf(csv, sizeof csv, "%s%s", head, rows);
    refuse(ini, "s.ini:3: [published thesis] file = t.csv: cannot be read: No such file or "
                "directory");
    write_file("t.csv", csv, strlen(csv));
    struct clopt_study *study = read_text(ini);
    assert_int_equal(study->published_count, 1);
    assert_string_equal(study->published[0].source, "thesis");
    assert_int_equal(study->published[0].count, 2);
    assert_string_equal(study->published[0].items[0].device, "A \"big\"\nGPU");
    assert_true(study->published[0].items[0].time_s == 0.5);
    assert_string_equal(study->published[0].items[1].variant, "shape(pad=1)");
    assert_string_equal(study->published[0].items[1].outcome, "not run");
    assert_false(study->published[0].items[1].time_s == study->published[0].items[1].time_s);
    assert_non_null(strstr(study->effective, "\n[published thesis] ; s.ini:2\n"
                                             "file = t.csv ; s.ini:3\n"));
    clopt_study_destroy(study);
    study = read_text("[app tiles]\n[published thesis]\nfile = t.csv\nfigures = 6.2\n");
    assert_int_equal(study->published[0].count, 1);
    clopt_study_destroy(study);
    refuse("[app tiles]\n[published thesis]\nfile = t.csv\nfigures = 6.2, 6.9\n",
           "s.ini:4: [published thesis] figures = 6.9: the file has none");
    refuse("[app tiles]\n[published thesis]\n", "s.ini:2: [published thesis]: names no file");

    static const struct {
        const char *csv;
        const char *message;
    } wrong[] = {
        {"figure,app,kernel,problem,variant,device,time_s,outcome\n1,tiles,k,,shape(pa=1),d,1,ok\n",
         "t.csv:2: variant shape(pa=1): shape has no parameter pa"},
        {"figure,app,kernel,problem,variant,device,time\n", "t.csv:1: no column time_s"},
        {"figure,app,kernel,problem,variant,device,time_s,outcome\n\n1,a\n",
         "t.csv:2: not as many fields as in the first line"},
        {"figure,app,kernel,problem,variant,device,time_s,outcome\n1,a,k,,v,d,fast,ok\n",
         "t.csv:2: fast: not a time in seconds"},
        {"figure,app,kernel,problem,variant,device,time_s,\"outcome\n", "t.csv:1: a closing quote "
                                                                        "is missing"},
        {"\"figure\"x,app\n", "t.csv:1: unexpected text behind a quote"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        write_file("t.csv", wrong[i].csv, strlen(wrong[i].csv));
        refuse(ini, wrong[i].message);
    }
}

static void the_command_line_wins(void **state)
{
    (void)state;
    const char *ini = "[app tiles]\nsize = 16\n[optimization unroll]\n[measure]\nprecision = 1%\n";
    write_file("s.ini", ini, strlen(ini));
    struct clopt_study *study = read_file("tiles.size=32,64", "measure.precision = 5%");
    assert_non_null(study);
    assert_int_equal(study->apps[0].problem_count, 2);
    assert_true(study->measure.precision == 0.05);
    assert_non_null(strstr(study->effective, "size = 32,64 ; command line\n"));
    clopt_study_destroy(study);

    study = read_file("optimization shape.block_size=8", "app tiles.size=128");
    assert_non_null(study);
    assert_int_equal(study->optimization_count, 2);
    assert_string_equal(study->optimizations[1].lists[0].items[0], "8");
    assert_int_equal(clopt_values_integer(study->apps[0].problems[0], "size"), 128);
    clopt_study_destroy(study);

    refuse_override(ini, "size", "-s size: expected section.key=value");
    refuse_override(ini, "size=3", "-s size=3: expected section.key=value");
    refuse_override(ini, ".size=3", "-s .size=3: expected section.key=value");
    refuse_override(ini, "measure.pin=", "-s measure.pin=: has no value");
    refuse_override(ini, "study.include=x", "-s study.include=x: include works in files only");
    refuse_override(ini, "study.title=a ;b",
                    "-s study.title=a ;b: a value cannot hold control characters, or a semicolon "
                    "behind a blank");
    refuse_override(ini, "tile.size=3",
                    "command line: [tile]: unknown section; there are [study], [device LABEL], "
                    "[app NAME], [parameter NAME], [constraints], [optimization NAME], [combine], "
                    "[measure], [limits] and [published LABEL]");
    refuse_override("[app tiles]\n[device tiles]\n", "tiles.size=3",
                    "-s tiles.size=3: tiles may mean \"app tiles\", \"device tiles\"; write the "
                    "one that is meant");
    const char *labelled = "[app tiles]\n[optimization shape a]\n[optimization shape b]\n";
    refuse_override(labelled, "shape.pad=1",
                    "-s shape.pad=1: shape may mean \"optimization shape a\", \"optimization shape "
                    "b\"; write the one that is meant");
    write_file("s.ini", labelled, strlen(labelled));
    study = read_file("shape b.pad=1", "tiles.kernels=row");
    assert_non_null(study);
    assert_string_equal(study->optimizations[1].label, "b");
    assert_string_equal(study->optimizations[1].lists[1].items[0], "1");
    assert_null(study->optimizations[0].lists[1].items[0]);
    clopt_study_destroy(study);
    refuse_override(ini, "tiles.size=7", "command line: [app tiles] size = 7: not one of 16..8192");
}

static void what_is_effective_reads_back(void **state)
{
    (void)state;
    struct clopt_study *study =
        read_text("[app tiles]\nsize = 16, 32\n[optimization unroll]\nfactor = 1..4\n"
                  "[measure]\nmax_time = 1min\n");
    assert_string_equal(study->effective, "[study]\n"
                                          "seed = 1 ; default\n"
                                          "\n[device default] ; default\n"
                                          "\n[app tiles] ; s.ini:1\n"
                                          "size = 16, 32 ; s.ini:2\nstorage = rows ; default\n"
                                          "\n[optimization unroll] ; s.ini:3\n"
                                          "factor = 1..4 ; s.ini:4\n"
                                          "mode = outer ; default\n"
                                          "\n[combine]\n"
                                          "products = alone ; default\n"
                                          "\n[measure]\n"
                                          "precision = 2% ; default\n"
                                          "min_samples = 5 ; default\n"
                                          "max_samples = 200 ; default\n"
                                          "max_time = 1min ; s.ini:6\n"
                                          "processes = 3 ; default\n"
                                          "abandon = 3x ; default\n"
                                          "keep_builds = yes ; default\n"
                                          "peaks = yes ; default\n"
                                          "pin = yes ; default\n"
                                          "verify = results ; default\n"
                                          "\n[limits]\n"
                                          "setup = 120s ; default\n"
                                          "build = 60s ; default\n"
                                          "launch = 60s ; default\n"
                                          "trial = 300s ; default\n"
                                          "memory = 0 ; default\n");
    struct clopt_study *again = read_text(study->effective);
    assert_int_equal(again->apps[0].problem_count, 2);
    assert_int_equal(again->optimizations[0].lists[0].count, 4);
    assert_true(again->measure.max_time_s == 60);
    assert_string_equal(again->devices[0].label, "default");
    clopt_study_destroy(again);
    clopt_study_destroy(study);
}

static void long_values_stay_readable(void **state)
{
    (void)state;
    char ini[512] = "[app tiles]\n[study]\ntitle = ";
    for (int i = 0; i < 18; i++)
        strcat(ini, "ten chars ");
    struct clopt_study *study = read_text(ini);
    struct clopt_study *again = read_text(study->effective);
    assert_int_equal(strlen(study->title), 179);
    assert_string_equal(again->title, study->title);
    clopt_study_destroy(again);
    clopt_study_destroy(study);
}

/* ---- what is refused ---- */

static void malformed_files_are_refused(void **state)
{
    (void)state;
    char ini[1024] = "[study]\n";
    unlink("s.ini");
    assert_null(read_file(NULL, NULL));
    assert_string_equal(error.message, "s.ini: cannot be read: No such file or directory");
    assert_int_equal(error.status, CLOPT_INVALID);
    assert_int_equal(mkdir("s.ini", 0777), 0);
    assert_null(read_file(NULL, NULL));
    assert_string_equal(error.message, "s.ini: cannot be read: Is a directory");
    assert_int_equal(rmdir("s.ini"), 0);
    write_file("s.ini", "[study]\nse\0ed = 1\n", 18);
    assert_null(read_file(NULL, NULL));
    assert_string_equal(error.message, "s.ini:2: this is not text: it holds a NUL");

    refuse("[study]\nwhat is this\n", "s.ini:2: neither [section] nor key = value");
    refuse("seed = 1\n", "s.ini:1: seed: stands before the first [section]");
    refuse("[study\nseed = 1\n", "s.ini:1: a section needs a closing ]");
    refuse("[study] seed = 1\n", "s.ini:1: unexpected text behind ]: seed = 1");
    refuse("[ ]\n", "s.ini:1: a section needs a name");
    refuse("[study]\n = 1\n", "s.ini:2: [study] a key is missing in front of =");
    refuse("[study]\nseed =\n", "s.ini:2: [study] seed: has no value");
    refuse("[study]\nseed =;1\n", "s.ini:2: [study] seed: a value cannot start with a semicolon");
    refuse("[study]\nseed = 1\n\n[app tiles]\n[study]\nseed = 2\n",
           "s.ini:6: [study] seed: already set at s.ini:2");
    refuse("[app a12345678901234567890123456789012345678901234]\n"
           "[app a123456789012345678901234567890123456789012345]\n",
           "s.ini:2: section name longer than 49 characters");
    memset(ini + 8, 'x', 300);
    refuse(ini, "s.ini:2: line longer than 196 characters");
    memcpy(ini + 8, "; ", 2);
    refuse(ini, "s.ini: no [app NAME]: there is nothing to study");
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
           "s.ini:4: [parameter WG] apps = plain: there is no [app plain] in this study");
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
           "s.ini:5: [constraints] small: \"W < 3\", column 1: there is no W; did you mean WG?");
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
           "s.ini:2: [combine] bananas: unknown key; it knows products, sample");
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
    assert_int_equal(error.status, CLOPT_PLUGIN_UNUSABLE);
    assert_string_equal(error.message, "s.ini:1: [app nothing]: nothing: no such plugin");
    ini = "[app tiles]\n[optimization nothing]\n";
    write_file("s.ini", ini, strlen(ini));
    assert_null(read_file(NULL, NULL));
    assert_int_equal(error.status, CLOPT_PLUGIN_UNUSABLE);
    assert_string_equal(error.message, "s.ini:2: [optimization nothing]: nothing: no such plugin");
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
    refuse("[measure]\npin = on\n", "s.ini:2: [measure] pin = on: not one of yes, no");
    refuse("[measure]\nverify = yes\n",
           "s.ini:2: [measure] verify = yes: not one of results, oclgrind");
    refuse("[measure]\nmin_samples = 300\n",
           "s.ini:2: [measure] min_samples = 300 is more than max_samples = 200");
    refuse("[measure]\nprocesses = 0\n", "s.ini:2: [measure] processes = 0: not one of 1..1000");
    refuse("[app tiles]\n[combine]\nproducts = some\n",
           "s.ini:3: [combine] products = some: some: neither alone, pairs, all nor an "
           "optimization of "
           "this study, which has none");
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
           "s.ini:3: [optimization shape] apps = tile: there is no [app tile] in this study");
    refuse("[app tiles]\n[app plain]\n[optimization shape]\napps = plain\nkernels = row\n",
           "s.ini:5: [optimization shape] kernels = row: no such kernel; there are plain");
    refuse("[app tiles]\n[app plain]\n[optimization shape]\napps = plain\nblock_size = 8\n",
           "s.ini:5: [optimization shape] block_size: no app of this study has a knob for it");
    refuse("[limits]\nbuild = 99999999h\n",
           "s.ini:2: [limits] build = 99999999h: longer than 30 years");
    refuse("[limits]\nmemory = 2GB\n",
           "s.ini:2: [limits] memory = 2GB: not an integer (with k, M, G, Ki, Mi or Gi behind it, "
           "or nothing)");
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
        cmocka_unit_test(defaults_hold),
        cmocka_unit_test(every_key_is_read),
        cmocka_unit_test(problems_are_the_product_of_inputs),
        cmocka_unit_test(includes_are_followed),
        cmocka_unit_test(published_times_are_read),
        cmocka_unit_test(the_command_line_wins),
        cmocka_unit_test(what_is_effective_reads_back),
        cmocka_unit_test(long_values_stay_readable),
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
