/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves how studies are read. */
#include "study_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "text/text.h"

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
        "[device  one]\nplatform = PoCL\nname=*Xeon*\ntype: cpu\n[device two]\n"
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
    refuse(ini, "s.ini:3: [app tiles] matrix: b c.mtx: cannot be read: No such file or directory");
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
    refuse(ini, "s.ini:3: [published thesis] file: t.csv: cannot be read: No such file or "
                "directory");
    write_file("t.csv", csv, strlen(csv));
    struct clopt_study *study = read_text(ini);
    CLOPT_FREED char *published =
        json_dumps(study->published, JSON_COMPACT | JSON_REAL_PRECISION(3));
    assert_string_equal(published, "[[\"thesis\",\"6.1\",\"tiles\",\"tile\",\"size=16\","
                                   "\"initial code\",\"A \\\"big\\\"\\nGPU\",0.5,\"ok\"],"
                                   "[\"thesis\",\"6.2\",\"tiles\",\"tile\",\"size=16\","
                                   "\"shape(pad=1)\",\"GPU\",0.0,\"not run\"]]");
    assert_non_null(strstr(study->effective, "\n[published thesis] ; s.ini:2\n"
                                             "file = t.csv ; s.ini:3\n"));
    clopt_study_destroy(study);
    study = read_text("[app tiles]\n[published thesis]\nfile = t.csv\nfigures = 6.2\n");
    assert_int_equal(json_array_size(study->published), 1);
    clopt_study_destroy(study);
    refuse("[app tiles]\n[published thesis]\nfile = t.csv\nfigures = 6.2, 6.9\n",
           "s.ini:4: [published thesis] figures = 6.9: the file has none");
    refuse("[app tiles]\n[published thesis]\n", "s.ini:2: [published thesis]: names no file");

    static const struct {
        const char *csv;
        const char *message;
    } wrong[] = {
        {"figure,app,kernel,problem,variant,device,time_s,outcome\n1,tiles,k,,shape(pa=1),d,1,ok\n",
         "t.csv:2: variant shape(pa=1): shape has no parameter pa; did you mean pad?"},
        {"figure,app,kernel,problem,variant,device,time\n", "t.csv:1: no column time_s"},
        {"figure,app,kernel,problem,variant,device,time_s,outcome\n\n1,a\n",
         "t.csv:2: not as many fields as in the first line"},
        {"figure,app,kernel,problem,variant,device,time_s,outcome\n1,a,k,,v,d,fast,ok\n",
         "t.csv:2: fast: not a time in seconds"},
        {"figure,app,kernel,problem,variant,device,time_s,\"outcome\n", "t.csv:1: a closing quote "
                                                                        "is missing"},
        {"\"figure\"x,app\n", "t.csv:1: unexpected text after a quote"},
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
                    "after a blank");
    refuse_override(ini, "tile.size=3",
                    "command line: [tile]: unknown section; there are [study], [device LABEL], "
                    "[app NAME], [optimization NAME], [combine], [measure], [limits], "
                    "[constraints], [host NAME], [parameter NAME], [published LABEL], "
                    "[rival LABEL] and [search]");
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
    assert_string_equal(study->optimizations[1].name, "shape b");
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
                                          "\n[app tiles] ; s.ini:1\n"
                                          "size = 16, 32 ; s.ini:2\nstorage = rows ; default\n"
                                          "\n[optimization unroll] ; s.ini:3\n"
                                          "factor = 1..4 ; s.ini:4\n"
                                          "mode = outer ; default\n"
                                          "\n[combine]\n"
                                          "products = alone ; default\n"
                                          "winners = yes ; default\n"
                                          "\n[measure]\n"
                                          "max_time = 1min ; s.ini:6\n"
                                          "precision = 2% ; default\n"
                                          "min_samples = 5 ; default\n"
                                          "max_samples = 200 ; default\n"
                                          "processes = 3 ; default\n"
                                          "abandon = 3x ; default\n"
                                          "keep_builds = yes ; default\n"
                                          "counters = no ; default\n"
                                          "peaks = yes ; default\n"
                                          "pin = yes ; default\n"
                                          "verify = results ; default\n"
                                          "aim = table ; default\n"
                                          "objective = time ; default\n"
                                          "time = none ; default\n"
                                          "\n[limits]\n"
                                          "setup = 120s ; default\n"
                                          "build = 60s ; default\n"
                                          "launch = 60s ; default\n"
                                          "trial = 300s ; default\n"
                                          "memory = 0 ; default\n"
                                          "source = 0 ; default\n");
    struct clopt_study *again = read_text(study->effective);
    assert_int_equal(again->apps[0].problem_count, 2);
    assert_int_equal(again->optimizations[0].lists[0].count, 4);
    assert_true(again->measure.max_time_s == 60);
    assert_string_equal(again->devices[0].label, "default");
    clopt_study_destroy(again);
    clopt_study_destroy(study);
}

/* What is effective can be read again, and is the same but for the origins. */
static void expect_the_same_again(const struct clopt_study *study)
{
    struct clopt_study *again = read_text(study->effective);
    struct clopt_study *third = read_text(again->effective);
    assert_string_equal(again->title, study->title);
    assert_string_equal(again->combine, study->combine);
    assert_string_equal(third->effective, again->effective);
    clopt_study_destroy(third);
    clopt_study_destroy(again);
}

static void indented_lines_continue_a_value(void **state)
{
    (void)state;
    struct clopt_study *study = read_text(
        "[study]\ntitle =\n    of several\n\n  ; not this\n    lines ; nor this\r\n\tand one\n"
        "  [app tiles]\n  size = 16,\n\t   32,\n\t   64\n  storage = rows\n"
        "[optimization shape]\n[optimization unroll]\nfactor = 2\n"
        "[combine]\nproducts = shape+unroll,\n # a comment\n alone\n");
    assert_string_equal(study->title, "of several lines and one");
    assert_int_equal(study->apps[0].problem_count, 3);
    assert_string_equal(study->combine, "shape+unroll, alone");
    assert_non_null(strstr(study->effective, "\nsize = 16, 32, 64 ; s.ini:9\n"));
    expect_the_same_again(study);
    clopt_study_destroy(study);
    refuse("[app tiles]\n[combine]\nproducts = alone,\n  pairs,\n  shade\n",
           "s.ini:3: [combine] products = shade: shade: no such optimization in this "
           "study; there are alone, pairs, all");
    refuse("[study]\ntitle = x\n  seed = 3\n",
           "s.ini:3: seed = 3: is indented more than the key above, so it would continue its "
           "value; begin both lines in the same column");
}

static void long_values_stay_readable(void **state)
{
    (void)state;
    struct clopt_text ini = {0};
    static const char head[] = "[app tiles]\n[study]\ntitle = ";
    clopt_text_append(&ini, head);
    for (int i = 0; i < 60; i++) /* the last ones are where inih's lines end */
        clopt_text_append(&ini, i % 3 ? "ten # chars " : "a = b == c ");
    for (int i = 0; i < 100; i++)
        clopt_text_append(&ini, "#;abc");
    struct clopt_study *study = read_text(clopt_text_string(&ini));
    assert_string_equal(study->title, ini.data + strlen(head));
    expect_the_same_again(study);
    clopt_text_printf(&ini, "\n[combine]\nproducts = %-150s,%-150s\n", "alone", "all");
    clopt_study_destroy(study);
    study = read_text(clopt_text_string(&ini));
    assert_int_equal(strlen(study->combine), 154);
    expect_the_same_again(study);
    size_t widest = 0;
    for (const char *line = study->effective; *line; line += strcspn(line, "\n") + 1)
        if (!strstr(line, "#;abc") || strstr(line, "#;abc") > strchr(line, '\n'))
            widest = strcspn(line, "\n") > widest ? strcspn(line, "\n") : widest;
    assert_in_range(widest, 80, 170);
    clopt_study_destroy(study);
    clopt_text_clear(&ini);
    clopt_text_printf(&ini, "[app tiles]\n[device a%0150d b%0150d]\ntype = cpu\n", 1, 2);
    study = read_text(clopt_text_string(&ini));
    assert_int_equal(strlen(study->devices[0].label), 303);
    expect_the_same_again(study);
    clopt_study_destroy(study);
    clopt_text_fini(&ini);
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
        cmocka_unit_test(indented_lines_continue_a_value),
        cmocka_unit_test(long_values_stay_readable),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
