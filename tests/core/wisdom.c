/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves that a winner is that of the range of sizes in which a launch is, or the nearest one in
 * files that have no ranges, and that files with damaged ranges are refused. */
#include "library/winner.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

#include "text/text.h"

/* Appends a winner for launches about so large; "": the kernel itself is. */
static void add(struct clopt_text *text, const char *variant, const char *global, const char *lines)
{
    const char *code = *variant ? "kernel void k(global int *y);" : "";
    clopt_text_printf(text, "winner\nkernel k\ndevice d\nvariant %s\nsource s\noptions \nbuild \n",
                      variant);
    clopt_text_printf(text, "types -\n%s\nneeds 0 0\n%scode %zu\n%s\n", global, lines, strlen(code),
                      code);
}

static struct clopt_wisdom *read_wisdom(const struct clopt_text *text, struct clopt_error *error)
{
    struct clopt_wisdom *wisdom = NULL;
    char path[] = "/tmp/clopt-wisdom-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text->data, text->length), text->length);
    close(file);
    enum clopt_status status = clopt_wisdom_open(path, &wisdom, error);
    assert_int_equal(!status, wisdom != NULL);
    unlink(path);
    return wisdom;
}

/* Returns the winner's name for a launch over x, or x by y; "": there is none. */
static const char *find(const struct clopt_wisdom *wisdom, size_t x, size_t y)
{
    const struct clopt_wanted wanted = {.kernel = "k", .device = "d", .global = {x, y}};
    const struct clopt_winner *winner = clopt_wisdom_find(wisdom, &wanted);
    return winner ? clopt_winner_name(winner) : "";
}

#define LINE  "size 1024 64 0 1 1 1 1 0"
#define PLANE LINE "\n" LINE

static void ranges_choose(void **state)
{
    (void)state;
    CLOPT_OWNED(clopt_text) text = {0};
    struct clopt_error error = {0};
    clopt_text_append(&text, "clopt wisdom 2\n");
    add(&text, "", LINE, "range 0 99\n"); /* nothing is faster */
    add(&text, "small", LINE, "range 100 1447\nloss 12 40 3 4 90\n");
    add(&text, "large", "size 2048 64 0 1 1 1 1 0", "range 1448 0\nloss 0 0 0 2 0\n");
    CLOPT_HELD(clopt_wisdom) wisdom = read_wisdom(&text, &error);
    assert_non_null(wisdom);
    assert_string_equal(find(wisdom, 64, 0), "");
    assert_string_equal(find(wisdom, 99, 0), "");
    assert_string_equal(find(wisdom, 100, 0), "small");
    assert_string_equal(find(wisdom, 1447, 0), "small");
    assert_string_equal(find(wisdom, 1448, 0), "large");
    assert_string_equal(find(wisdom, SIZE_MAX, 0), "large");
    struct clopt_wanted wanted = {.kernel = "k", .device = "d", .global = {512}};
    assert_true(fabs(clopt_winner_loss(clopt_wisdom_find(wisdom, &wanted)) - 0.012) < 1e-12);
    wanted.global[0] = 4096; /* of no size it is known */
    assert_true(isnan(clopt_winner_loss(clopt_wisdom_find(wisdom, &wanted))));
}

static void ranges_have_dimensions(void **state)
{
    (void)state;
    CLOPT_OWNED(clopt_text) text = {0};
    struct clopt_error error = {0};
    clopt_text_append(&text, "clopt wisdom 2\n");
    add(&text, "wide", PLANE, "range 1000 0\nrange 0 0\n");
    add(&text, "narrow", PLANE, "range 0 999\nrange 0 500\n");
    add(&text, "high", PLANE, "range 0 999\nrange 501 0\n");
    CLOPT_HELD(clopt_wisdom) wisdom = read_wisdom(&text, &error);
    assert_non_null(wisdom);
    assert_string_equal(find(wisdom, 1000, 7), "wide");
    assert_string_equal(find(wisdom, 999, 500), "narrow");
    assert_string_equal(find(wisdom, 999, 501), "high");
}

/* Files of clopt until now: the nearest size, by its factor. */
static void older_files_are_read(void **state)
{
    (void)state;
    CLOPT_OWNED(clopt_text) text = {0};
    struct clopt_error error = {0};
    clopt_text_append(&text, "clopt wisdom 1\n");
    add(&text, "of 1024", LINE, "");
    add(&text, "of 4096", "size 4096 64 0 1 1 1 1 0", "");
    CLOPT_HELD(clopt_wisdom) wisdom = read_wisdom(&text, &error);
    assert_non_null(wisdom);
    assert_string_equal(find(wisdom, 2000, 0), "of 1024");
    assert_string_equal(find(wisdom, 2100, 0), "of 4096");
    const struct clopt_wanted wanted = {.kernel = "k", .device = "d", .global = {64}};
    assert_true(isnan(clopt_winner_loss(clopt_wisdom_find(wisdom, &wanted))));
}

static void damaged_ranges_are_refused(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "range 0\n",                                    /* one end */
        "range 8 7\n",                                  /* no size is between them */
        "range x 7\n",                                  /* no number */
        "range 0 7\nrange 0 7\n",                       /* of two dimensions that has one */
        "range 0 7\nrange 0 7\nrange 0 7\nrange 0 7\n", /* of four */
        "loss 1 2 3 4\n",                               /* of how many sizes? */
        "loss a b c d\n",
        "range\n",
        "range 0 7",
        "split 0 1\n" /* no such word */
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        CLOPT_OWNED(clopt_text) text = {0};
        struct clopt_error error = {0};
        clopt_text_append(&text, "clopt wisdom 2\n");
        add(&text, "fast", LINE, lines[i]);
        struct clopt_wisdom *wisdom = read_wisdom(&text, &error);
        assert_null(wisdom);
        assert_non_null(strstr(error.message, "damaged; write it again"));
    }
    CLOPT_OWNED(clopt_text) newer = {0};
    struct clopt_error error = {0};
    clopt_text_append(&newer, "clopt wisdom 4\n");
    add(&newer, "fast", LINE, "");
    assert_null(read_wisdom(&newer, &error));
    assert_non_null(strstr(error.message, "not a file that this clopt's `export --wisdom` writes"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_choose),
        cmocka_unit_test(ranges_have_dimensions),
        cmocka_unit_test(older_files_are_read),
        cmocka_unit_test(damaged_ranges_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
