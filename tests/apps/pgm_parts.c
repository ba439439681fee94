/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves that PGM files of both kinds and depths are read, that what is written reads back exactly,
 * and that each way in which a file can be wrong is refused with its place. */
#include "image.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#define MOST 100

static enum clopt_status read_bytes(const char *text, size_t length, struct pgm *image,
                                    struct clopt_error *error)
{
    FILE *stream = fmemopen((void *)text, length, "r");
    assert_non_null(stream);
    enum clopt_status status = pgm_read(stream, "a.pgm", MOST, image, error);
    fclose(stream);
    return status;
}

static void expect_image(const char *text, size_t length, size_t rows, size_t columns,
                         unsigned white, const uint16_t *pixels)
{
    struct pgm image;
    struct clopt_error error = {0};
    assert_int_equal(read_bytes(text, length, &image, &error), CLOPT_OK);
    assert_int_equal(image.rows, rows);
    assert_int_equal(image.columns, columns);
    assert_int_equal(image.white, white);
    assert_memory_equal(image.pixels, pixels, rows * columns * sizeof *pixels);
    pgm_fini(&image);
    assert_null(image.pixels);
}

static void expect_refusal(const char *text, size_t length, const char *message)
{
    struct pgm image;
    struct clopt_error error = {0};
    assert_int_equal(read_bytes(text, length, &image, &error), CLOPT_INVALID);
    assert_string_equal(error.message, message);
    pgm_fini(&image);
}

#define EXPECT(text, rows, columns, white, ...)                                                    \
    expect_image(text, sizeof(text) - 1, rows, columns, white, (const uint16_t[]){__VA_ARGS__})
#define REFUSE(text, message) expect_refusal(text, sizeof(text) - 1, message)

static void reads_text(void **state)
{
    (void)state;
    EXPECT("P2\n3 2\n15\n0 1 2\n13 14 15\n", 2, 3, 15, 0, 1, 2, 13, 14, 15);
    EXPECT("P2 1 2 65535 65535\r\n0", 2, 1, 65535, 65535, 0);
    EXPECT("P2#one\n# two\n1 #three\r1\n# P2\n7#four\n 7\n", 1, 1, 7, 7);
}

static void reads_bytes(void **state)
{
    (void)state;
    EXPECT("P5\n2 2\n255\n\0\n\xff#", 2, 2, 255, 0, 10, 255, 35);
    EXPECT("P5\n#made by hand\n1 2 100 d#\n", 2, 1, 100, 100, 35);
    EXPECT("P5 2 1 65535\n\1\2\xff\xff", 1, 2, 65535, 258, 65535);
    EXPECT("P5 1 1 256\n\1\0", 1, 1, 256, 256);
}

static void writes_what_reads_back(void **state)
{
    (void)state;
    static const unsigned whites[] = {255, 256, 65535, 1};
    for (size_t i = 0; i < 4; i++) {
        uint16_t pixels[6] = {0, 1, 1, 0, (uint16_t)whites[i], (uint16_t)(whites[i] / 2)};
        char *text = NULL;
        size_t length = 0;
        FILE *stream = open_memstream(&text, &length);
        pgm_write_head(stream, 2, 3, whites[i]);
        pgm_write_row(stream, pixels, 3, whites[i]);
        pgm_write_row(stream, pixels + 3, 3, whites[i]);
        fclose(stream);
        expect_image(text, length, 2, 3, whites[i], pixels);
        free(text);
    }
}

static void refuses_wrong_heads(void **state)
{
    (void)state;
    REFUSE("x", "a.pgm: byte 0: is not a PGM file: it does not begin with P2 or P5");
    REFUSE("P6\n1 1\n255\nabc",
           "a.pgm: byte 0: is not a PGM file: it does not begin with P2 or P5");
    REFUSE("P52 1\n", "a.pgm: byte 0: is not a PGM file: it does not begin with P2 or P5");
    REFUSE("P5", "a.pgm: byte 0: is not a PGM file: it does not begin with P2 or P5");
    REFUSE("P5\n", "a.pgm: byte 3: the file ends where the width must be: truncated?");
    REFUSE("P5\n3 #", "a.pgm: byte 6: the file ends where the height must be: truncated?");
    REFUSE("P5\n3 2\n", "a.pgm: byte 7: the file ends where white must be: truncated?");
    REFUSE("P5\n0 2\n1\n", "a.pgm: byte 3: the width must be a number from 1 to 100");
    REFUSE("P5\n-3 2\n1\n", "a.pgm: byte 3: the width must be a number from 1 to 100");
    REFUSE("P5\n3 2x\n1\n", "a.pgm: byte 5: the height must be a number from 1 to 100");
    REFUSE("P5\n99999999999999999999999 1 1\n",
           "a.pgm: byte 3: the width must be a number from 1 to 100");
    REFUSE("P5\n11 10\n255\n", "a.pgm: byte 9: 11 x 10 pixels are too many, at most 100 are "
                               "possible");
    REFUSE("P5\n3 2\n65536\n", "a.pgm: byte 7: white must be a number from 1 to 65535");
    REFUSE("P5\n3 2\n0\n", "a.pgm: byte 7: white must be a number from 1 to 65535");
}

static void refuses_wrong_pixels(void **state)
{
    (void)state;
    REFUSE("P5 2 2 255\nabc", "a.pgm: byte 14: the file ends before the last pixel: truncated?");
    REFUSE("P5 1 1 256\na", "a.pgm: byte 12: the file ends before the last pixel: truncated?");
    REFUSE("P5 1 1 255\nab", "a.pgm: byte 12: the file goes on after the image");
    REFUSE("P5 2 1 9\n\1\n", "a.pgm: byte 10: the pixel is larger than white");
    REFUSE("P5 1 1 256\n\1\1", "a.pgm: byte 11: the pixel is larger than white");
    REFUSE("P2 2 2 9\n1 2 3", "a.pgm: byte 14: the file ends where a pixel must be: truncated?");
    REFUSE("P2 2 2 9\n1 2 10 3", "a.pgm: byte 13: a pixel must be a number from 0 to 9");
    REFUSE("P2 2 1 9\n1 x", "a.pgm: byte 11: a pixel must be a number from 0 to 9");
    REFUSE("P2 1 1 9\n1 2", "a.pgm: byte 11: the file goes on after the image");
}

static void a_folder_is_no_file(void **state)
{
    (void)state;
    struct pgm image;
    struct clopt_error error = {0};
    FILE *stream = fopen(".", "r");
    assert_non_null(stream);
    assert_int_equal(pgm_read(stream, "a.pgm", MOST, &image, &error), CLOPT_FAILED);
    assert_string_equal(error.message, "a.pgm: cannot be read: Is a directory");
    fclose(stream);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_text),
        cmocka_unit_test(reads_bytes),
        cmocka_unit_test(writes_what_reads_back),
        cmocka_unit_test(refuses_wrong_heads),
        cmocka_unit_test(refuses_wrong_pixels),
        cmocka_unit_test(a_folder_is_no_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
