/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves that what Oclgrind counts is read as recorded (tests/oclgrind/counts.txt), kernel by
 * kernel and summed over launches, that text which is cut off, too large or no count is refused,
 * and that numbers are found in the build logs of NVIDIA's and Intel's compilers. */
#include <clopt/error.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "file/file.h"
#include "observers/build_log.h"
#include "observers/counts.h"
#include "text/text.h"

static struct clopt_counts *counts;
static size_t count;
static struct clopt_error error;

static enum clopt_status take(const char *text)
{
    free(counts);
    error = (struct clopt_error){0};
    return clopt_counts_read(text, &counts, &count, &error);
}

/* Lists what is not 0: "instructions=64 barriers=8". */
static char *list(const struct clopt_counts *of)
{
    struct clopt_text text = {0};
    for (enum clopt_count c = 0; c < CLOPT_COUNTS; c++)
        if (of->values[c] > 0)
            clopt_text_printf(&text, "%s%s=%.0f", text.length ? " " : "", clopt_count_name(c),
                              of->values[c]);
    return clopt_text_take(&text);
}

static void expect_counts(size_t index, const char *kernel, const char *expected)
{
    assert_true(index < count);
    assert_string_equal(counts[index].kernel, kernel);
    char *text = list(&counts[index]);
    assert_string_equal(text, expected);
    free(text);
}

static void what_was_recorded_is_read(void **state)
{
    (void)state;
    struct clopt_text path = {0};
    char *text;
    clopt_text_printf(&path, "%s/tests/oclgrind/counts.txt", getenv("CLOPT_SOURCE_DIR"));
    assert_int_equal(clopt_text_read(clopt_text_string(&path), &text, &error), CLOPT_OK);
    assert_int_equal(take(text), CLOPT_OK);
    assert_int_equal(count, 2);
    expect_counts(0, "first",
                  "instructions=1344 float_operations=256 integer_operations=128 math_calls=64 "
                  "barriers=64 global_loads=64 global_load_bytes=256 global_stores=64 "
                  "global_store_bytes=256 local_loads=128 local_load_bytes=512 local_stores=64 "
                  "local_store_bytes=256 constant_loads=64 constant_load_bytes=256");
    expect_counts(1, "second",
                  "instructions=400 integer_operations=32 atomics=16 global_loads=16 "
                  "global_load_bytes=256 private_loads=16 private_load_bytes=64 private_stores=64 "
                  "private_store_bytes=256");
    free(text);
    clopt_text_fini(&path);
}

#define TITLE "Instructions executed for kernel 'k':\n"

static void numbers_may_have_separators(void **state)
{
    (void)state;
    assert_int_equal(take(TITLE "  1,234 - fadd\n  1.000.000 - load global (4'000 bytes)\n\n"),
                     CLOPT_OK);
    expect_counts(0, "k",
                  "instructions=1001234 float_operations=1234 global_loads=1000000 "
                  "global_load_bytes=4000");
}

static void other_text_has_no_counts(void **state)
{
    (void)state;
    assert_int_equal(take(""), CLOPT_OK);
    assert_int_equal(count, 0);
    assert_int_equal(take("12 - fadd\nInstructions executed\n"), CLOPT_OK);
    assert_int_equal(count, 0);
    assert_int_equal(take(TITLE "\n"), CLOPT_OK);
    expect_counts(0, "k", "");
}

static void hostile_text_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *message;
    } cases[] = {
        {TITLE "  12 - fadd\n", "Oclgrind's counts of k are cut off"},
        {TITLE "  12 - fadd\n  7", "Oclgrind's counts of k are cut off"},
        {TITLE "  12", "Oclgrind's counts of k are cut off"},
        {TITLE "  12 - \n\n", "Oclgrind's counts of k: \"  12 - \" is not a count"},
        {TITLE "  12 fadd\n\n", "Oclgrind's counts of k: \"  12 fadd\" is not a count"},
        {TITLE "  -5 - fadd\n\n", "Oclgrind's counts of k: \"  -5 - fadd\" is not a count"},
        {TITLE "999999999999999999999 - fadd\n\n",
         "Oclgrind's counts of k: \"999999999999999999999 - fadd\" is not a count"},
        {TITLE "1 - load global (many bytes)\n\n",
         "Oclgrind's counts of k: \"1 - load global (many bytes)\" is not a count"},
        {TITLE "1 - load nowhere (4 bytes)\n\n",
         "Oclgrind's counts of k: \"1 - load nowhere (4 bytes)\" is not a count"},
        {"Instructions executed for kernel '':\n\n",
         "Oclgrind's counts: \"Instructions executed for kernel '':\" names no kernel"},
        {"Instructions executed for kernel 'k\n\n",
         "Oclgrind's counts: \"Instructions executed for kernel 'k\" names no kernel"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(take(cases[i].text), CLOPT_FAILED);
        assert_string_equal(error.message, cases[i].message);
    }
    struct clopt_text name = {0};
    clopt_text_append(&name, "Instructions executed for kernel '");
    for (int i = 0; i < 1000; i++)
        clopt_text_append(&name, "longer");
    clopt_text_append(&name, "':\n\n");
    assert_int_equal(take(clopt_text_string(&name)), CLOPT_FAILED);
    clopt_text_fini(&name);
}

static void odd_calls_are_harmless(void **state)
{
    (void)state;
    assert_int_equal(take(TITLE
                          "1 - call _Z\n1 - call _Z99999999999999999999x()\n1 - call _Z6vload4()\n"
                          "1 - call _Z7vstore4Dv4_fmPU3AS3f()\n1 - call \n1 - call helper()\n"
                          "1 - call _Z6vload2()\n1 - call _Z5vload()\n\n"),
                     CLOPT_OK);
    expect_counts(0, "k", "instructions=8 local_stores=1 local_store_bytes=16");
}

/* Written after the form of such logs. */
static const char nvidia_log[] =
    "ptxas info    : 0 bytes gmem\n"
    "ptxas info    : Compiling entry function 'kk' for 'sm_90'\n"
    "ptxas info    : Used 99 registers, 400 bytes cmem[0]\n"
    "ptxas info    : Compiling entry function 'k' for 'sm_90'\n"
    "ptxas info    : Function properties for helper\n"
    "    512 bytes stack frame, 1 bytes spill stores, 2 bytes spill loads\n"
    "ptxas info    : Function properties for k\n"
    "    16 bytes stack frame, 20 bytes spill stores, 24 bytes spill loads\n"
    "ptxas info    : Used 40 registers, 4096 bytes smem, 380 bytes cmem[0]\n";

static const char intel_log[] = "Kernel \"kk\" was successfully vectorized (4)\n"
                                "Kernel \"k\" was successfully vectorized (16)\n"
                                "Kernel \"none\" was not vectorized\nDone.\n";

static void expect_fact(const char *log, const char *kernel, const char *name, double expected)
{
    const char *unit, *known;
    for (unsigned i = 0; (known = clopt_build_log_fact(i, &unit)); i++) {
        double value = -1;
        if (strcmp(known, name) != 0)
            continue;
        assert_int_equal(clopt_build_log_find(log, kernel, i, &value), expected >= 0);
        assert_true(value == expected);
        return;
    }
    fail_msg("no fact %s", name);
}

static void build_logs_are_read(void **state)
{
    (void)state;
    expect_fact(nvidia_log, "k", "registers", 40);
    expect_fact(nvidia_log, "kk", "registers", 99);
    expect_fact(nvidia_log, "k", "spill_stores", 20);
    expect_fact(nvidia_log, "k", "spill_loads", 24);
    expect_fact(nvidia_log, "k", "stack_frame", 16);
    expect_fact(nvidia_log, "kk", "spill_loads", -1);
    expect_fact(nvidia_log, "k", "shared_memory", 4096);
    expect_fact(nvidia_log, "kk", "shared_memory", -1);
    expect_fact(nvidia_log, "k", "vector_width", -1);
    expect_fact(intel_log, "k", "vector_width", 16);
    expect_fact(intel_log, "none", "vector_width", 1);
    expect_fact(intel_log, "k", "registers", -1);
    expect_fact(NULL, "k", "registers", -1);
    expect_fact("Compiling entry function 'k", "k", "registers", -1);
    expect_fact("Compiling entry function 'k' registers", "k", "registers", -1);
}

/* Cut off anywhere, a log gives the same or nothing. */
static void logs_that_are_cut_off_are_harmless(void **state)
{
    (void)state;
    static const char *const names[] = {"registers", "shared_memory", "stack_frame", "spill_loads"};
    static const double whole[] = {40, 4096, 16, 24};
    for (size_t length = 0; length < sizeof nvidia_log; length++) {
        char log[sizeof nvidia_log];
        snprintf(log, length + 1, "%s", nvidia_log);
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            const char *unit, *known;
            double value = whole[i];
            for (unsigned f = 0; (known = clopt_build_log_fact(f, &unit)); f++)
                if (strcmp(known, names[i]) == 0)
                    clopt_build_log_find(log, "k", f, &value);
            assert_true(value == whole[i]);
        }
    }
}

static void odd_logs_are_harmless(void **state)
{
    (void)state;
#define ENTRY "Compiling entry function 'k' for 'sm_90'\n"
    expect_fact(ENTRY "Used 0x40 registers", "k", "registers", 40);
    expect_fact(ENTRY "Used -7 registers", "k", "registers", 7);
    expect_fact(ENTRY "Used 1e9 registers", "k", "registers", 9);
    expect_fact(ENTRY "Used many registers", "k", "registers", -1);
    expect_fact(ENTRY "99999999999999999999999 registers", "k", "registers",
                18446744073709551615.0);
    expect_fact(ENTRY ENTRY "Used 3 registers", "k", "registers", -1);
    expect_fact("Function properties for k", "k", "spill_loads", -1);
    expect_fact("Function properties for k\n", "k", "spill_loads", -1);
    expect_fact("Function properties for k.1\n8 bytes spill loads", "k", "spill_loads", -1);
    expect_fact("Function properties for k\nptxas info : for k\n8 bytes spill loads", "k",
                "spill_loads", -1);
    expect_fact("Kernel \"k\" was successfully vectorized (0x10)", "k", "vector_width", 0);
    expect_fact("Kernel \"k\" was successfully vectorized (", "k", "vector_width", -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_recorded_is_read),
        cmocka_unit_test(numbers_may_have_separators),
        cmocka_unit_test(other_text_has_no_counts),
        cmocka_unit_test(hostile_text_is_refused),
        cmocka_unit_test(odd_calls_are_harmless),
        cmocka_unit_test(build_logs_are_read),
        cmocka_unit_test(logs_that_are_cut_off_are_harmless),
        cmocka_unit_test(odd_logs_are_harmless),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(counts);
    return failed;
}
