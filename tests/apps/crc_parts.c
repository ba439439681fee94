/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves that crc's references are right, that its tables and operators say the same piece by
 * piece, that it counts its work right, and what it says of inputs that it cannot take. */
#include <clopt/clopt.h>

#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#ifdef HAVE_ZLIB
#include <zlib.h>
#endif

#include "crc32.h"
#include "crc8.h"
#include "data.h"
#include "number/values.h"

extern const struct clopt_plugin clopt_plugin;

enum { COMPUTE, REDUCE, BLOCKS, COMBINE };

static const struct clopt_app *crc(void)
{
    return clopt_plugin.extensions[0].operations;
}

static void fill(uint8_t *data, size_t size)
{
    struct clopt_random random = clopt_random_seed(5, 0);
    for (size_t i = 0; i < size; i++)
        data[i] = (uint8_t)clopt_random_next(&random);
}

/* ---- CRC-8 ---- */

/* The check values of the catalogue of CRC algorithms. */
static void crc8_has_the_known_check_values(void **state)
{
    (void)state;
    static const struct {
        uint8_t polynomial;
        uint8_t check;
    } known[] = {{0x07, 0xF4}, {0xD5, 0xBC}, {0x9B, 0xEA}, {0x1D, 0x37}, {0x2F, 0x3E}};
    uint8_t tables[CRC8_TABLES][256];
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        crc8_make_tables(known[i].polynomial, tables);
        assert_int_equal(crc8_of(tables, (const uint8_t *)"123456789", 9), known[i].check);
    }
    assert_int_equal(crc8_of(tables, NULL, 0), 0);
}

/* Pieces that threads share make no difference to what the definition says bit by bit. */
static void crc8_is_that_of_its_definition(void **state)
{
    (void)state;
    enum { PIECE = 1 << 16, MOST = 65 * PIECE + 7 };
    static const size_t sizes[] = {PIECE - 1, PIECE, PIECE + 1, 3 * PIECE + 5, 64 * PIECE, MOST};
    uint8_t tables[CRC8_TABLES][256];
    uint8_t *data = malloc(MOST);
    assert_non_null(data);
    fill(data, MOST);
    crc8_make_tables(0x1D, tables);
    unsigned crc = 0;
    for (size_t i = 0, next = 0; i < MOST; i++) {
        crc ^= data[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 0x80 ? (crc << 1 ^ 0x1D) & 0xff : crc << 1;
        if (i + 1 == sizes[next])
            assert_int_equal(crc8_of(tables, data, sizes[next++]), crc);
    }
    free(data);
}

/* What the kernel does for a byte. */
static uint8_t answer(uint8_t tables[CRC8_TABLES][256], uint32_t distance, uint8_t byte)
{
    for (unsigned i = 0; i < CRC8_TABLES; i++)
        if (distance >> i & 1)
            byte = tables[i][byte];
    return byte;
}

static void answers_of_all_bytes_make_the_crc(void **state)
{
    (void)state;
    uint8_t tables[CRC8_TABLES][256], data[1000];
    fill(data, sizeof data);
    crc8_make_tables(0x07, tables);
    uint8_t sum = 0;
    for (uint32_t i = 0; i < sizeof data; i++)
        sum ^= answer(tables, sizeof data - i, data[i]);
    assert_int_equal(sum, crc8_of(tables, data, sizeof data));
}

/* For every polynomial, those that are no use included. */
static void answers_have_a_period(void **state)
{
    (void)state;
    static struct crc8_answers answers;
    uint8_t tables[CRC8_TABLES][256], data[600], actual[600];
    static const size_t after[] = {0, 1, 254, 255, 256, 1000, 3999999000};
    size_t wrong = 0;
    fill(data, sizeof data);
    for (unsigned polynomial = 0; polynomial < 256; polynomial++) {
        crc8_make_tables((uint8_t)polynomial, tables);
        crc8_answers_init(&answers, tables[0]);
        for (size_t b = 0; b < sizeof after / sizeof after[0]; b++) {
            for (size_t i = 0; i < sizeof data; i++)
                actual[i] = answer(tables, (uint32_t)(sizeof data - i + after[b]), data[i]);
            assert_int_equal(
                crc8_answers_compare(
                    &answers, &(struct crc8_band){data, actual, sizeof data, after[b]}, &wrong),
                0);
        }
    }
    actual[17] ^= 1;
    actual[400] ^= 0x80;
    assert_int_equal(
        crc8_answers_compare(&answers, &(struct crc8_band){data, actual, sizeof data, 3999999000},
                             &wrong),
        2);
    assert_int_equal(wrong, 17);
}

/* Threads take pieces of 64 KiB. */
static void wrong_answers_are_found_in_every_piece(void **state)
{
    (void)state;
    enum { SIZE = 5 * 65536 + 9 };
    static struct crc8_answers answers;
    uint8_t tables[CRC8_TABLES][256];
    uint8_t *data = malloc(SIZE), *actual = malloc(SIZE);
    static const size_t places[] = {SIZE - 1, 5 * 65536, 5 * 65536 - 1, 70000, 65536, 65535, 0};
    size_t wrong = 0;
    assert_non_null(data);
    assert_non_null(actual);
    fill(data, SIZE);
    crc8_make_tables(0x07, tables);
    crc8_answers_init(&answers, tables[0]);
    for (size_t i = 0; i < SIZE; i++)
        actual[i] = answer(tables, (uint32_t)(SIZE - i + 1000), data[i]);
    assert_int_equal(
        crc8_answers_compare(&answers, &(struct crc8_band){data, actual, SIZE, 1000}, &wrong), 0);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        actual[places[i]] ^= 4;
        assert_int_equal(
            crc8_answers_compare(&answers, &(struct crc8_band){data, actual, SIZE, 1000}, &wrong),
            i + 1);
        assert_int_equal(wrong, places[i]);
    }
    free(data);
    free(actual);
}

/* ---- CRC-32 ---- */

static uint32_t tables32[CRC32_SLICES][256];

static void crc32_has_the_known_check_value(void **state)
{
    (void)state;
    crc32_make_tables(tables32);
    assert_int_equal(crc32_of(tables32, (const uint8_t *)"123456789", 9), 0xCBF43926);
    assert_int_equal(crc32_of(tables32, NULL, 0), 0);
}

static void crc32_is_that_of_zlib(void **state)
{
    (void)state;
#ifdef HAVE_ZLIB
    uint8_t data[5000];
    fill(data, sizeof data);
    crc32_make_tables(tables32);
    for (size_t size = 0; size < sizeof data; size += size < 40 ? 1 : 131)
        for (size_t at = 0; at < 9; at++)
            if (at + size <= sizeof data)
                assert_int_equal(crc32_of(tables32, data + at, size),
                                 crc32(0, data + at, (uInt)size));
#else
    skip();
#endif
}

static uint32_t shift(const struct crc32_operator *op, uint32_t crc)
{
    return op->tables[3][crc & 0xff] ^ op->tables[2][crc >> 8 & 0xff] ^
           op->tables[1][crc >> 16 & 0xff] ^ op->tables[0][crc >> 24];
}

/* What the kernels do, in the same order. */
static uint32_t crc32_by_blocks(const uint8_t *data, size_t size)
{
    static struct crc32_operator operators[CRC32_OPERATORS];
    crc32_make_operators(tables32[0], size, operators);
    uint32_t sum = crc32_of_zeros(operators, size);
    size_t blocks = crc32_blocks(size);
    for (size_t block = 0; block < blocks; block++) {
        size_t end = (block + 1) * CRC32_BLOCK < size ? (block + 1) * CRC32_BLOCK : size;
        uint32_t part = 0;
        for (size_t i = block * CRC32_BLOCK; i < end; i++)
            part = tables32[0][(part ^ data[i]) & 0xff] ^ (part >> 8);
        if (block + 1 < blocks) {
            for (unsigned i = 0; i < 32; i++)
                if ((blocks - 2 - block) >> i & 1)
                    part = shift(&operators[i], part);
            part = shift(&operators[CRC32_OPERATORS - 1], part);
        }
        sum ^= part;
    }
    return sum;
}

static void blocks_combine_to_the_crc(void **state)
{
    (void)state;
    static const size_t sizes[] = {0,    1,     4095,  4096,  4097,  8191,
                                   8192, 12289, 65536, 69633, 99999, 100000};
    uint8_t *data = malloc(100000);
    assert_non_null(data);
    fill(data, 100000);
    crc32_make_tables(tables32);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        assert_int_equal(crc32_by_blocks(data, sizes[i]), crc32_of(tables32, data, sizes[i]));
    free(data);
}

/* ---- describe ---- */

struct fixture {
    struct clopt_values *inputs;
    struct clopt_problem problem;
};

static void set(struct fixture *fixture, const char *name, const char *text)
{
    struct clopt_error error = {0};
    assert_int_equal(
        clopt_values_set(fixture->inputs, clopt_parameter_find(crc()->inputs, name), text, &error),
        CLOPT_OK);
}

static void start(struct fixture *fixture)
{
    fixture->inputs = clopt_values_create(crc()->inputs);
    fixture->problem = (struct clopt_problem){.app = "crc", .inputs = fixture->inputs, .seed = 7};
}

static void end(struct fixture *fixture)
{
    clopt_values_destroy(fixture->inputs);
}

static struct clopt_kernel_work describe(struct fixture *fixture, unsigned kernel)
{
    struct clopt_kernel_work work = {0};
    struct clopt_error error = {0};
    assert_int_equal(
        crc()->describe(&fixture->problem, NULL, &crc()->kernels[kernel], &work, &error), CLOPT_OK);
    return work;
}

static unsigned set_bits(uint64_t number)
{
    unsigned count = 0;
    for (; number; number >>= 1)
        count += number & 1;
    return count;
}

static void work_of_crc8_is_counted(void **state)
{
    (void)state;
    struct fixture fixture;
    start(&fixture);
    set(&fixture, "size", "3001");
    double lookups = 0;
    for (uint64_t i = 1; i <= 3001; i++)
        lookups += set_bits(i);
    struct clopt_kernel_work work = describe(&fixture, COMPUTE);
    assert_int_equal(work.ndrange.global[0], 3072);
    assert_int_equal(work.ndrange.local[0], 256);
    assert_int_equal(work.arithmetic, CLOPT_ARITHMETIC_INTEGER);
    assert_true(work.operations == 3001 * 96 + 2 * lookups);
    assert_true(work.bytes == 2 * 3001 + 12 * 256);
    work = describe(&fixture, REDUCE);
    assert_int_equal(work.ndrange.global[0], 64);
    assert_true(work.bytes == 3005 && work.operations == 3001);
    assert_int_equal(describe(&fixture, BLOCKS).ndrange.global[0], 0);
    assert_true(describe(&fixture, COMBINE).bytes == 0);
    end(&fixture);
}

static void work_of_crc32_is_counted(void **state)
{
    (void)state;
    struct fixture fixture;
    start(&fixture);
    set(&fixture, "kernel", "crc32");
    set(&fixture, "size", "400001"); /* 98 blocks: 96 is the largest distance, 7 bits */
    struct clopt_kernel_work work = describe(&fixture, BLOCKS);
    assert_int_equal(work.ndrange.global[0], 128);
    assert_true(work.operations == 400001 * 2.75);
    assert_true(work.bytes == 400001 + 16384 + 98 * 4);
    double applied = 97;
    for (uint64_t i = 0; i <= 96; i++)
        applied += set_bits(i);
    work = describe(&fixture, COMBINE);
    assert_true(work.operations == 98 * 96 + 10 * applied + 98);
    assert_true(work.bytes == 99 * 4 + 8 * 4096);
    assert_int_equal(describe(&fixture, COMPUTE).ndrange.global[0], 0);
    end(&fixture);
}

static void expect_refusal(struct fixture *fixture, const char *message)
{
    struct clopt_kernel_work work;
    struct clopt_error error = {0};
    assert_int_equal(crc()->describe(&fixture->problem, NULL, crc()->kernels, &work, &error),
                     CLOPT_INVALID);
    assert_string_equal(error.message, message);
}

static void values_that_cannot_be_are_refused(void **state)
{
    (void)state;
    struct fixture fixture;
    start(&fixture);
    static const char *const wrong[] = {"0x100", "-1", "7x", "", "x^8"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char message[100];
        snprintf(message, sizeof message, "polynomial = %s: not a number from 0x00 to 0xff",
                 wrong[i]);
        set(&fixture, "polynomial", wrong[i]);
        expect_refusal(&fixture, message);
    }
    end(&fixture);
}

/* ---- the bytes ---- */

static enum clopt_status read_file(const char *path, size_t *size, struct clopt_error *error)
{
    struct fixture fixture;
    start(&fixture);
    set(&fixture, "input", path);
    uint8_t *data = NULL;
    enum clopt_status status = crc_data_create(&fixture.problem, &data, size, error);
    assert_true(status || data);
    free(data);
    end(&fixture);
    return status;
}

static void random_bytes_follow_from_the_seed(void **state)
{
    (void)state;
    struct clopt_error error = {0};
    uint8_t *data[3];
    size_t size;
    for (unsigned i = 0; i < 3; i++) {
        struct fixture fixture;
        start(&fixture);
        set(&fixture, "size", "1003");
        fixture.problem.seed = i == 2 ? 8 : 7;
        assert_int_equal(crc_data_create(&fixture.problem, &data[i], &size, &error), CLOPT_OK);
        assert_int_equal(size, 1003);
        end(&fixture);
    }
    assert_memory_equal(data[0], data[1], 1003);
    assert_memory_not_equal(data[0], data[2], 1003);
    for (unsigned i = 0; i < 3; i++)
        free(data[i]);
}

static void files_that_are_no_data_are_refused(void **state)
{
    (void)state;
    struct clopt_error error = {0};
    size_t size;
    assert_int_equal(read_file("missing", &size, &error), CLOPT_INVALID);
    assert_string_equal(error.message, "missing: cannot be read: No such file or directory");
    assert_int_equal(read_file(".", &size, &error), CLOPT_INVALID);
    assert_string_equal(error.message, ".: this is a folder, not a file");
    assert_int_equal(read_file("/dev/zero", &size, &error), CLOPT_INVALID);
    assert_string_equal(error.message, "/dev/zero: this is a device, not a file");
    if (access("/proc/self/status", R_OK) == 0) {
        assert_int_equal(read_file("/proc/self/status", &size, &error), CLOPT_FAILED);
        assert_string_equal(error.message,
                            "/proc/self/status: changed its size while it was read (at byte 0); "
                            "try again when it is complete");
    }
    char path[] = "unit_crc_XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(read_file(path, &size, &error), CLOPT_OK);
    assert_int_equal(size, 0);
    assert_int_equal(ftruncate(file, 4000000001), 0); /* takes no space */
    assert_int_equal(read_file(path, &size, &error), CLOPT_INVALID);
    assert_non_null(
        strstr(error.message, ": has 4000000001 bytes, at most 4000000000 are possible"));
    close(file);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(crc8_has_the_known_check_values),
        cmocka_unit_test(crc8_is_that_of_its_definition),
        cmocka_unit_test(answers_of_all_bytes_make_the_crc),
        cmocka_unit_test(answers_have_a_period),
        cmocka_unit_test(wrong_answers_are_found_in_every_piece),
        cmocka_unit_test(crc32_has_the_known_check_value),
        cmocka_unit_test(crc32_is_that_of_zlib),
        cmocka_unit_test(blocks_combine_to_the_crc),
        cmocka_unit_test(work_of_crc8_is_counted),
        cmocka_unit_test(work_of_crc32_is_counted),
        cmocka_unit_test(values_that_cannot_be_are_refused),
        cmocka_unit_test(random_bytes_follow_from_the_seed),
        cmocka_unit_test(files_that_are_no_data_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
