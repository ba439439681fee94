/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves that lud counts its work right, makes and reads the matrix that it says, and that its
 * check passes rounding errors and nothing else. */
#include <clopt/clopt.h>

#include <math.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "check.h"
#include "matrix.h"
#include "number/values.h"

extern const struct clopt_plugin clopt_plugin;

static const struct clopt_app *lud(void)
{
    return clopt_plugin.extensions[0].operations;
}

static const struct clopt_parameter block_size[] = {
    {.name = "block_size", .type = CLOPT_INTEGER},
    {.name = NULL},
};

/* A problem of lud with values of its own. */
struct fixture {
    struct clopt_values *inputs;
    struct clopt_values *knobs;
    struct clopt_problem problem;
};

static void set(struct clopt_values *values, const struct clopt_parameter *parameters,
                const char *name, const char *text)
{
    struct clopt_error error = {0};
    if (text)
        assert_int_equal(
            clopt_values_set(values, clopt_parameter_find(parameters, name), text, &error),
            CLOPT_OK);
}

static void start(struct fixture *fixture, const char *size, const char *input, const char *block)
{
    fixture->inputs = clopt_values_create(lud()->inputs);
    fixture->knobs = clopt_values_create(block_size);
    set(fixture->inputs, lud()->inputs, "size", size);
    set(fixture->inputs, lud()->inputs, "input", input);
    set(fixture->knobs, block_size, "block_size", block);
    fixture->problem = (struct clopt_problem){
        .app = "lud", .inputs = fixture->inputs, .knobs = fixture->knobs, .seed = 7};
}

static void end(struct fixture *fixture)
{
    clopt_values_destroy(fixture->inputs);
    clopt_values_destroy(fixture->knobs);
}

/* Writes a file for the test; `path` ends with XXXXXX. */
static void write_file(char *path, const char *text)
{
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    close(file);
}

/* ---- describe ---- */

static struct clopt_kernel_work describe(struct fixture *fixture, const void *state,
                                         unsigned kernel)
{
    struct clopt_kernel_work work = {0};
    struct clopt_error error = {0};
    assert_int_equal(
        lud()->describe(&fixture->problem, state, &lud()->kernels[kernel], &work, &error),
        CLOPT_OK);
    return work;
}

static void operations_are_those_of_the_unblocked_algorithm(void **state)
{
    (void)state;
    static const char *const blocks[] = {"4", "8", "16", "32", "64"};
    for (size_t i = 0; i < 5; i++) {
        struct fixture fixture;
        start(&fixture, "320", NULL, blocks[i]);
        double operations = 0;
        for (unsigned kernel = 0; kernel < 3; kernel++)
            operations += describe(&fixture, NULL, kernel).operations;
        double expected = 0;
        for (double left = 319; left > 0; left--)
            expected += left + 2 * left * left;
        assert_true(operations == expected);
        end(&fixture);
    }
}

static void ranges_and_memory_follow_the_block_size(void **state)
{
    (void)state;
    struct fixture fixture;
    start(&fixture, "100", NULL, "16"); /* seven blocks, the last of them not full */
    struct clopt_kernel_work work = describe(&fixture, NULL, 0);
    assert_int_equal(work.ndrange.global[0], 16);
    assert_true(work.bytes == 7 * 2 * 1024);
    work = describe(&fixture, NULL, 1);
    assert_int_equal(work.ndrange.dimensions, 1);
    assert_int_equal(work.ndrange.global[0], 6 * 32);
    assert_int_equal(work.ndrange.local[0], 32);
    assert_true(work.bytes == (6 + 4 * 21) * 1024);
    work = describe(&fixture, NULL, 2);
    assert_int_equal(work.ndrange.dimensions, 2);
    assert_int_equal(work.ndrange.global[1], 6 * 16);
    assert_int_equal(work.ndrange.local[1], 16);
    assert_true(work.bytes == (2 * 21 + 2 * 91) * 1024);
    end(&fixture);
}

static void a_single_block_needs_the_diagonal_kernel_alone(void **state)
{
    (void)state;
    struct fixture fixture;
    start(&fixture, "5", NULL, "16");
    assert_true(describe(&fixture, NULL, 0).operations > 0);
    for (unsigned kernel = 1; kernel < 3; kernel++) {
        struct clopt_kernel_work work = describe(&fixture, NULL, kernel);
        assert_int_equal(work.ndrange.global[0], 0);
        assert_true(work.operations == 0 && work.bytes == 0);
    }
    end(&fixture);
}

static void a_file_tells_its_size_after_setup(void **state)
{
    (void)state;
    char path[] = "unit_lud_XXXXXX";
    write_file(path, "%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 1\n2 2\n");
    struct fixture fixture;
    start(&fixture, NULL, path, "16");
    struct clopt_kernel_work work = describe(&fixture, NULL, 2);
    assert_int_equal(work.ndrange.global[0], 0);
    assert_int_equal(work.ndrange.local[0], 16);
    assert_true(work.operations == 0);

    void *user = NULL;
    struct clopt_error error = {0};
    assert_int_equal(lud()->setup(&fixture.problem, &user, &error), CLOPT_OK);
    assert_true(describe(&fixture, user, 0).operations > 0);
    lud()->teardown(user);
    end(&fixture);
    unlink(path);
}

/* ---- the matrix ---- */

static enum clopt_status create(const char *size, const char *input, uint64_t seed,
                                struct lud_matrix *matrix, struct clopt_error *error)
{
    struct fixture fixture;
    start(&fixture, size, input, "16");
    fixture.problem.seed = seed;
    enum clopt_status status = lud_matrix_create(&fixture.problem, matrix, error);
    end(&fixture);
    return status;
}

static void the_random_matrix_is_dominant_and_continued(void **state)
{
    (void)state;
    struct lud_matrix matrix;
    struct clopt_error error = {0};
    assert_int_equal(create("70", NULL, 7, &matrix, &error), CLOPT_OK);
    assert_int_equal(matrix.size, 70);
    assert_int_equal(matrix.stride, 128);
    for (size_t i = 0; i < 128; i++) {
        double row = 0, column = 0;
        for (size_t j = 0; j < 128; j++) {
            float element = matrix.elements[i * 128 + j];
            if (i >= 70 || j >= 70)
                assert_true(element == (i == j));
            row += i != j ? (double)fabsf(element) : 0;
            column += i != j ? (double)fabsf(matrix.elements[j * 128 + i]) : 0;
        }
        assert_true((double)matrix.elements[i * 128 + i] > fmax(row, column));
    }
    lud_matrix_destroy(&matrix);
}

static void the_random_matrix_follows_from_the_seed(void **state)
{
    (void)state;
    struct lud_matrix a, b, c;
    struct clopt_error error = {0};
    assert_int_equal(create("33", NULL, 7, &a, &error), CLOPT_OK);
    assert_int_equal(create("33", NULL, 7, &b, &error), CLOPT_OK);
    assert_int_equal(create("33", NULL, 8, &c, &error), CLOPT_OK);
    assert_memory_equal(a.elements, b.elements, lud_matrix_bytes(&a));
    assert_true(memcmp(a.elements, c.elements, lud_matrix_bytes(&a)) != 0);
    assert_true(memcmp(a.elements, a.elements + a.stride, 33 * sizeof(float)) != 0);
    lud_matrix_destroy(&a);
    lud_matrix_destroy(&b);
    lud_matrix_destroy(&c);
}

static void expect_file(const char *text, const float expected[3][3])
{
    char path[] = "unit_lud_XXXXXX";
    write_file(path, text);
    struct lud_matrix matrix;
    struct clopt_error error = {0};
    assert_int_equal(create(NULL, path, 7, &matrix, &error), CLOPT_OK);
    assert_int_equal(matrix.size, 3);
    for (size_t i = 0; i < matrix.stride; i++)
        for (size_t j = 0; j < matrix.stride; j++)
            assert_true(matrix.elements[i * matrix.stride + j] ==
                        (i < 3 && j < 3 ? expected[i][j] : (float)(i == j)));
    lud_matrix_destroy(&matrix);
    unlink(path);
}

static void files_are_mirrored_as_they_say(void **state)
{
    (void)state;
    const float general[3][3] = {{1, 0, 4}, {0, 2, 0}, {0, 0, 3}};
    expect_file(
        "%%MatrixMarket matrix coordinate real general\n3 3 4\n1 1 1\n2 2 2\n3 3 3\n1 3 4\n",
        general);
    const float symmetric[3][3] = {{1, 2, 3}, {2, 4, 5}, {3, 5, 6}};
    expect_file("%%MatrixMarket matrix array real symmetric\n3 3\n1\n2\n3\n4\n5\n6\n", symmetric);
    char skew[] = "unit_lud_XXXXXX"; /* its first pivot is 0, but it can be read */
    write_file(skew, "%%MatrixMarket matrix array integer skew-symmetric\n2 2\n5\n");
    struct lud_matrix matrix;
    struct clopt_error error = {0};
    assert_int_equal(create(NULL, skew, 7, &matrix, &error), CLOPT_OK);
    assert_true(matrix.elements[matrix.stride] == 5 && matrix.elements[1] == -5);
    lud_matrix_destroy(&matrix);
    unlink(skew);
}

static void expect_refusal(const char *text, enum clopt_status status, const char *message)
{
    char path[] = "unit_lud_XXXXXX";
    write_file(path, text);
    struct fixture fixture;
    start(&fixture, NULL, path, "16");
    void *user = NULL;
    struct clopt_error error = {0};
    assert_int_equal(lud()->setup(&fixture.problem, &user, &error), status);
    char *after = strstr(error.message, path);
    assert_string_equal(after ? after + strlen(path) : error.message, message);
    if (user)
        lud()->teardown(user);
    end(&fixture);
    unlink(path);
}

static void refuses_files_without_a_matrix_to_factor(void **state)
{
    (void)state;
#define GENERAL "%%MatrixMarket matrix coordinate real general\n"
    expect_refusal(GENERAL "2 3 1\n1 1 1\n", CLOPT_INVALID,
                   ": 2 rows and 3 columns: only a square matrix has an LU decomposition");
    expect_refusal(GENERAL "2 2 2\n1 1 1\n1 1 2\n", CLOPT_INVALID,
                   ":4: the element has a value already");
    expect_refusal(GENERAL "2 2 2\n1 1 1\n2 2 1e39\n", CLOPT_INVALID,
                   ":4: 1e+39 is too large for single precision");
    expect_refusal(GENERAL "2 2 2\n1 1 1\n", CLOPT_INVALID,
                   ":3: the file ends after 1 of 2 entries: truncated?");
    expect_refusal(GENERAL "40000 40000 1\n1 1 1\n", CLOPT_INVALID,
                   ":2: the matrix has 40000 rows and 40000 columns, at most 32768 are possible");
    expect_refusal(GENERAL "2 2 2\n1 1 1\n1 2 1\n", CLOPT_INVALID,
                   "pivot 2 is 0: the matrix has no LU decomposition without exchanging "
                   "rows; exchange rows before");
    struct lud_matrix matrix;
    struct clopt_error error = {0};
    assert_int_equal(create(NULL, "missing.mtx", 7, &matrix, &error), CLOPT_INVALID);
    assert_string_equal(error.message, "missing.mtx: cannot be read: No such file or directory");
    assert_int_equal(create(NULL, ".", 7, &matrix, &error), CLOPT_INVALID);
    assert_string_equal(error.message, ".: this is a folder, not a file");
}

/* ---- the check ---- */

/* Which mistake a factorization makes. */
enum mistake { NONE, ONE_BLOCK_NOT_UPDATED, LAST_PRODUCT_MISSING, NOT_A_NUMBER, INFINITE };

/* Subtracts the product of a step from one block, in single precision, as the kernels do. */
static void update_block(float *a, size_t stride, size_t from, size_t row, size_t column,
                         size_t products)
{
    for (size_t i = row; i < row + 16; i++)
        for (size_t j = column; j < column + 16; j++) {
            float sum = 0;
            for (size_t k = from; k < from + products; k++)
                sum += a[i * stride + k] * a[k * stride + j];
            a[i * stride + j] -= sum;
        }
}

/* Factors a matrix by blocks of 16. */
static float *factor(const struct lud_matrix *matrix, enum mistake mistake)
{
    size_t n = matrix->stride;
    float *a = malloc(lud_matrix_bytes(matrix));
    assert_non_null(a);
    memcpy(a, matrix->elements, lud_matrix_bytes(matrix));
    for (size_t from = 0; from < n; from += 16) {
        for (size_t k = from; k < from + 16; k++)
            for (size_t i = k + 1; i < n; i++) {
                a[i * n + k] /= a[k * n + k];
                for (size_t j = k + 1; j < (i < from + 16 ? n : from + 16); j++)
                    a[i * n + j] -= a[i * n + k] * a[k * n + j];
            }
        for (size_t row = from + 16; row < n; row += 16)
            for (size_t column = from + 16; column < n; column += 16) {
                bool here = from == 32 && row == 80 && column == 64;
                if (here && mistake == ONE_BLOCK_NOT_UPDATED)
                    continue;
                update_block(a, n, from, row, column, mistake == LAST_PRODUCT_MISSING ? 15 : 16);
            }
    }
    if (mistake == NOT_A_NUMBER)
        a[n + 2] = NAN;
    if (mistake == INFINITE)
        a[2 * n + 1] = INFINITY;
    return a;
}

static double residual_of(const struct lud_matrix *matrix, enum mistake mistake, double *bound)
{
    struct lud_check check;
    struct clopt_error error = {0};
    assert_int_equal(lud_check_init(&check, matrix, 7, &error), CLOPT_OK);
    float *factors = factor(matrix, mistake);
    struct lud_residual residual = {0};
    size_t half = matrix->size / 2; /* in two parts, as a check that reads bands does */
    lud_check_rows(&check, &residual, factors, half);
    lud_check_rows(&check, &residual, factors + half * matrix->stride, matrix->size - half);
    assert_int_equal(residual.rows, matrix->size);
    *bound = lud_check_bound(&check);
    free(factors);
    lud_check_fini(&check);
    return residual.worst;
}

static void expect_right(const char *size)
{
    struct lud_matrix matrix;
    struct clopt_error error = {0};
    assert_int_equal(create(size, NULL, 7, &matrix, &error), CLOPT_OK);
    double bound;
    assert_true(residual_of(&matrix, NONE, &bound) <= bound / 4);
    lud_matrix_destroy(&matrix);
}

static void rounding_passes(void **state)
{
    (void)state;
    expect_right("1");
    expect_right("2");
    expect_right("17");
    expect_right("300");
    expect_right("777");
}

static void mistakes_do_not_pass(void **state)
{
    (void)state;
    struct lud_matrix matrix;
    struct clopt_error error = {0};
    double bound;
    assert_int_equal(create("333", NULL, 7, &matrix, &error), CLOPT_OK);
    assert_true(residual_of(&matrix, ONE_BLOCK_NOT_UPDATED, &bound) > 10 * bound);
    assert_true(residual_of(&matrix, LAST_PRODUCT_MISSING, &bound) > 10 * bound);
    assert_true(isnan(residual_of(&matrix, NOT_A_NUMBER, &bound)));
    assert_true(isnan(residual_of(&matrix, INFINITE, &bound)));
    lud_matrix_destroy(&matrix);
}

/* Matrices that people have: none is dominant by columns, all can be factored as they are. */
static float covariance(size_t i, size_t j)
{
    return 0.1f * (float)((i < j ? i : j) + 1);
}

static float kernel_matrix(size_t i, size_t j)
{
    double distance = ((double)i - (double)j) / 300;
    return (float)(exp(-fabs(distance)) + (i == j));
}

static float poisson(size_t i, size_t j)
{
    size_t distance = i > j ? i - j : j - i;
    return distance == 0 ? 4 : distance == 25 || (distance == 1 && (i + j) % 50 != 49) ? -1 : 0;
}

static float arrow(size_t i, size_t j)
{
    return i == j ? (i == 599 ? 600.3f : 1) : i == 599 || j == 599 ? 0.7f : 0;
}

static void rounding_passes_for_other_matrices(void **state)
{
    (void)state;
    float (*const kinds[])(size_t, size_t) = {covariance, kernel_matrix, poisson, arrow};
    struct lud_matrix matrix;
    struct clopt_error error = {0};
    assert_int_equal(create("600", NULL, 7, &matrix, &error), CLOPT_OK);
    for (size_t kind = 0; kind < 4; kind++) {
        float *elements = (float *)matrix.elements;
        for (size_t i = 0; i < 600; i++)
            for (size_t j = 0; j < 600; j++)
                elements[i * matrix.stride + j] = kinds[kind](i, j);
        double bound;
        assert_true(residual_of(&matrix, NONE, &bound) <= bound / 4);
    }
    lud_matrix_destroy(&matrix);
}

static void the_reference_is_that_of_the_textbook(void **state)
{
    (void)state;
    const float a[3][3] = {{2, 1, 1}, {4, 3, 3}, {8, 7, 9}};
    const float expected[3][3] = {{2, 1, 1}, {2, 1, 1}, {4, 3, 2}};
    struct lud_matrix matrix;
    struct lud_check check;
    struct clopt_error error = {0};
    assert_int_equal(create("3", NULL, 7, &matrix, &error), CLOPT_OK);
    for (size_t i = 0; i < 3; i++)
        memcpy((float *)matrix.elements + i * matrix.stride, a[i], sizeof a[i]);
    assert_int_equal(lud_check_init(&check, &matrix, 7, &error), CLOPT_OK);
    for (size_t i = 0; i < 3; i++)
        assert_memory_equal(check.reference + i * matrix.stride, expected[i], sizeof expected[i]);
    assert_true(check.reference[5 * matrix.stride + 5] == 1);
    lud_check_fini(&check);
    lud_matrix_destroy(&matrix);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations_are_those_of_the_unblocked_algorithm),
        cmocka_unit_test(ranges_and_memory_follow_the_block_size),
        cmocka_unit_test(a_single_block_needs_the_diagonal_kernel_alone),
        cmocka_unit_test(a_file_tells_its_size_after_setup),
        cmocka_unit_test(the_random_matrix_is_dominant_and_continued),
        cmocka_unit_test(the_random_matrix_follows_from_the_seed),
        cmocka_unit_test(files_are_mirrored_as_they_say),
        cmocka_unit_test(refuses_files_without_a_matrix_to_factor),
        cmocka_unit_test(rounding_passes),
        cmocka_unit_test(mistakes_do_not_pass),
        cmocka_unit_test(rounding_passes_for_other_matrices),
        cmocka_unit_test(the_reference_is_that_of_the_textbook),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
