/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves that Matrix Market files of every kind are read, that what is written reads back exactly,
 * and that each way in which a file can be wrong is refused with its line. */
#include "shared/matrix_market.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define HEAD "%%MatrixMarket matrix "
#define MOST 100

/* Reads a whole file from memory; `matrix` gets the values of the entries, in the file's places. */
static enum clopt_status read_bytes(const char *text, size_t length, double matrix[4][4],
                                    struct clopt_error *error)
{
    FILE *stream = fmemopen((void *)text, length, "r");
    assert_non_null(stream);
    struct matrix_market file;
    enum clopt_status status = matrix_market_begin(&file, stream, "a.mtx", MOST, error);
    for (uint64_t i = 0; status == CLOPT_OK && i < file.entries; i++) {
        struct matrix_market_entry entry;
        status = matrix_market_next(&file, &entry, error);
        if (status == CLOPT_OK && matrix)
            matrix[entry.row][entry.column] = entry.value;
    }
    if (status == CLOPT_OK)
        status = matrix_market_end(&file, error);
    fclose(stream);
    return status;
}

static void expect_matrix(const char *text, const double expected[4][4])
{
    double matrix[4][4] = {{0}};
    struct clopt_error error = {0};
    assert_int_equal(read_bytes(text, strlen(text), matrix, &error), CLOPT_OK);
    assert_memory_equal(matrix, expected, sizeof matrix);
}

static void expect_refusal(const char *text, const char *message)
{
    struct clopt_error error = {0};
    assert_int_equal(read_bytes(text, strlen(text), NULL, &error), CLOPT_INVALID);
    assert_string_equal(error.message, message);
}

static void reads_coordinates(void **state)
{
    (void)state;
    const double expected[4][4] = {{1.5, 0, 0}, {0, -2e-3, 0}, {7, 0, 0}};
    expect_matrix(HEAD "coordinate real general\n% a comment\n\n%\n3 3 3\n"
                       "1 1 1.5\n\n2 2 -2e-3\n  3\t1  7  \n\n",
                  expected);
    expect_matrix("%%matrixmarket MATRIX Coordinate Real General\r\n3 3 3\r\n"
                  "1 1 1.5\r\n2 2 -2E-3\r\n3 1 7",
                  expected);
}

static void reads_arrays_down_the_columns(void **state)
{
    (void)state;
    const double expected[4][4] = {{1, 3, 5}, {2, 4, 6}};
    expect_matrix(HEAD "array integer general\n2 3\n1\n2\n3\n4\n5\n+6\n", expected);
}

static void reads_lower_triangles(void **state)
{
    (void)state;
    const double symmetric[4][4] = {{1}, {2, 4}, {3, 5, 6}};
    expect_matrix(HEAD "array real symmetric\n3 3\n1\n2\n3\n4\n5\n6\n", symmetric);
    const double skew[4][4] = {{0}, {1}, {2, 3}};
    expect_matrix(HEAD "array real skew-symmetric\n3 3\n1\n2\n3\n", skew);
    expect_matrix(HEAD "array real skew-symmetric\n1 1\n", (double[4][4]){{0}});
    const double pattern[4][4] = {{1}, {0, 0}, {1, 0, 0}};
    expect_matrix(HEAD "coordinate pattern symmetric\n3 3 2\n1 1\n3 1\n", pattern);
}

static void writes_what_reads_back_exactly(void **state)
{
    (void)state;
    const float matrix[2][3] = {{0.1f, 1e-42f, 9}, {-3.4028235e38f, 1000.00006f, 9}};
    char *text = NULL;
    size_t length = 0;
    struct clopt_error error = {0};
    FILE *stream = open_memstream(&text, &length);
    matrix_market_write(stream, "two", 2, &matrix[0][0], 3);
    fclose(stream);
    assert_memory_equal(text, HEAD "array real general\n% two\n2 2\n0.1",
                        strlen(HEAD "array real general\n% two\n2 2\n0.1"));
    double read[4][4];
    assert_int_equal(read_bytes(text, length, read, &error), CLOPT_OK);
    for (int row = 0; row < 2; row++)
        for (int column = 0; column < 2; column++)
            assert_true((float)read[row][column] == matrix[row][column]);
    free(text);
}

static void refuses_wrong_banners(void **state)
{
    (void)state;
    expect_refusal("\n", "a.mtx: is empty");
    expect_refusal("1 2 3\n",
                   "a.mtx:1: is not a Matrix Market file: it does not begin with %%MatrixMarket");
    expect_refusal("%%MatrixMarket vector coordinate real general\n",
                   "a.mtx:1: object is vector, must be matrix");
    expect_refusal(HEAD "sparse real general\n",
                   "a.mtx:1: format is sparse, must be coordinate or array");
    expect_refusal(HEAD "array complex general\n",
                   "a.mtx:1: field is complex, must be real, integer or pattern");
    expect_refusal(HEAD "array\n", "a.mtx:1: field is missing, must be real, integer or pattern");
    expect_refusal(HEAD "array pattern general\n",
                   "a.mtx:1: a pattern must be in coordinate format");
    expect_refusal(HEAD "array real hermitian\n",
                   "a.mtx:1: symmetry is hermitian, must be general, symmetric or skew-symmetric");
    expect_refusal(HEAD "coordinate pattern skew-symmetric\n",
                   "a.mtx:1: a pattern cannot be skew-symmetric");
}

static void refuses_wrong_sizes(void **state)
{
    (void)state;
    expect_refusal(HEAD "array real general\n% 3 3\n",
                   "a.mtx: ends before the sizes of the matrix");
    expect_refusal(HEAD "array real general\n3\n", "a.mtx:2: sizes must be rows and columns");
    expect_refusal(HEAD "array real general\n3 3 9\n", "a.mtx:2: sizes must be rows and columns");
    expect_refusal(HEAD "coordinate real general\n3 -3 1\n",
                   "a.mtx:2: sizes must be rows, columns and entries");
    expect_refusal(HEAD "coordinate real general\n3 3 99999999999999999999\n",
                   "a.mtx:2: sizes must be rows, columns and entries");
    expect_refusal(HEAD "coordinate real general\n0 3 0\n", "a.mtx:2: the matrix is empty");
    expect_refusal(HEAD "array real general\n3 101\n",
                   "a.mtx:2: the matrix has 3 rows and 101 columns, at most 100 are possible");
    expect_refusal(HEAD "array real general\n101 3\n",
                   "a.mtx:2: the matrix has 101 rows and 3 columns, at most 100 are possible");
    expect_refusal(HEAD "array real symmetric\n3 4\n",
                   "a.mtx:2: a symmetric matrix is square, this one has 3 rows and 4 columns");
    expect_refusal(HEAD "coordinate real symmetric\n3 3 7\n",
                   "a.mtx:2: 7 entries are too many: the matrix has room for 6");
    /* Nobody allocates what there is no file for. */
    expect_refusal(HEAD "array real general\n100 100\n1\n",
                   "a.mtx:2: the file is too short for 10000 entries: truncated?");
    expect_refusal(HEAD "coordinate pattern general\n100 100 50\n1 1\n",
                   "a.mtx:2: the file is too short for 50 entries: truncated?");
}

static void refuses_wrong_entries(void **state)
{
    (void)state;
#define GENERAL HEAD "coordinate real general\n3 3 2\n1 1 1\n"
    expect_refusal(GENERAL, "a.mtx:3: the file ends after 1 of 2 entries: truncated?");
    expect_refusal(GENERAL "2 2", "a.mtx:4: '' is not a finite number");
    expect_refusal(GENERAL "2 2 nan\n", "a.mtx:4: 'nan' is not a finite number");
    expect_refusal(GENERAL "2 2 inf\n", "a.mtx:4: 'inf' is not a finite number");
    expect_refusal(GENERAL "2 2 0x10\n", "a.mtx:4: '0x10' is not a finite number");
    expect_refusal(GENERAL "2 2 1.5e\n", "a.mtx:4: '1.5e' is not a finite number");
    expect_refusal(GENERAL "2 2 1e999\n", "a.mtx:4: '1e999' is too large");
    expect_refusal(GENERAL "2 2 1 0\n", "a.mtx:4: more than one entry in a line");
    expect_refusal(GENERAL "2 x 1\n", "a.mtx:4: an entry must be row, column and value");
    expect_refusal(GENERAL "4 1 1\n", "a.mtx:4: row 4 is not in 1..3");
    expect_refusal(GENERAL "1 0 1\n", "a.mtx:4: column 0 is not in 1..3");
    expect_refusal(GENERAL "2 2 1\n\n3 3 1\n", "a.mtx:6: the file goes on after its 2 entries");
    expect_refusal(HEAD "coordinate integer general\n3 3 1\n1 1 1.5\n",
                   "a.mtx:3: '1.5' is not an integer");
    expect_refusal(HEAD "coordinate pattern general\n3 3 1\n1\n",
                   "a.mtx:3: an entry must be row, column");
    expect_refusal(HEAD "coordinate real symmetric\n3 3 1\n1 2 5\n",
                   "a.mtx:3: row 1, column 2 is above the diagonal: a symmetric file holds the "
                   "lower triangle");
    expect_refusal(HEAD "coordinate real skew-symmetric\n3 3 1\n2 2 5\n",
                   "a.mtx:3: row 2, column 2 is on the diagonal, which is 0 in a skew-symmetric "
                   "matrix");
    expect_refusal(HEAD "array real general\n2 2\n1\n2\n3\n",
                   "a.mtx:5: the file ends after 3 of 4 entries: truncated?");
}

static void refuses_what_is_no_text(void **state)
{
    (void)state;
    static const char message[] =
        "a.mtx:2: the line is longer than 1024 characters, or holds a NUL";
    struct clopt_error error = {0};
    char text[2000];
    const char banner[] = HEAD "array real general\n";
    memcpy(text, banner, sizeof banner - 1);
    memset(text + sizeof banner - 1, '%', sizeof text - sizeof banner + 1);
    assert_int_equal(read_bytes(text, sizeof text, NULL, &error), CLOPT_INVALID);
    assert_string_equal(error.message, message);
    static const char with_nul[] = HEAD "array real general\n1 1\0 1\n5\n";
    assert_int_equal(read_bytes(with_nul, sizeof with_nul - 1, NULL, &error), CLOPT_INVALID);
    assert_string_equal(error.message, message);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_coordinates),     cmocka_unit_test(reads_arrays_down_the_columns),
        cmocka_unit_test(reads_lower_triangles), cmocka_unit_test(writes_what_reads_back_exactly),
        cmocka_unit_test(refuses_wrong_banners), cmocka_unit_test(refuses_wrong_sizes),
        cmocka_unit_test(refuses_wrong_entries), cmocka_unit_test(refuses_what_is_no_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
