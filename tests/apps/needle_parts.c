/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves that needle counts its work right, that its check takes the textbook's matrix and no
 * other, and that the alignment it traces back is the best of all. */
#include <clopt/clopt.h>

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "alignment.h"
#include "number/values.h"
#include "sequences.h"

extern const struct clopt_plugin clopt_plugin;

static const struct clopt_app *needle(void)
{
    return clopt_plugin.extensions[0].operations;
}

static const struct clopt_parameter block_size[] = {
    {.name = "block_size", .type = CLOPT_INTEGER},
    {.name = NULL},
};

struct fixture {
    struct clopt_values *inputs;
    struct clopt_values *knobs;
    struct clopt_problem problem;
};

static void set(struct clopt_values *values, const struct clopt_parameter *parameters,
                const char *name, const char *text)
{
    struct clopt_error error = {0};
    assert_int_equal(clopt_values_set(values, clopt_parameter_find(parameters, name), text, &error),
                     CLOPT_OK);
}

/* Starts with inputs "name=value name=value". */
static void start(struct fixture *fixture, const char *inputs, const char *block)
{
    fixture->inputs = clopt_values_create(needle()->inputs);
    fixture->knobs = clopt_values_create(block_size);
    char text[200];
    snprintf(text, sizeof text, "%s", inputs);
    char *rest = NULL;
    for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        char *value = strchr(word, '=');
        *value++ = '\0';
        set(fixture->inputs, needle()->inputs, word, value);
    }
    set(fixture->knobs, block_size, "block_size", block);
    fixture->problem = (struct clopt_problem){
        .app = "needle", .inputs = fixture->inputs, .knobs = fixture->knobs, .seed = 7};
}

static void end(struct fixture *fixture)
{
    clopt_values_destroy(fixture->inputs);
    clopt_values_destroy(fixture->knobs);
}

static void write_file(char *path, const char *text)
{
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    close(file);
}

/* Makes sequences from text, continued as the app does. */
static void make(struct needle_sequences *sequences, const char *first, const char *second,
                 const char *scores)
{
    char paths[2][32] = {"unit_needle_XXXXXX", "unit_needle_XXXXXX"};
    char text[600];
    for (int i = 0; i < 2; i++) {
        snprintf(text, sizeof text, ">%s\n%s\n", i ? "B" : "A", i ? second : first);
        write_file(paths[i], text);
    }
    snprintf(text, sizeof text, "first=%s second=%s %s", paths[0], paths[1], scores);
    struct fixture fixture;
    struct clopt_error error = {0};
    start(&fixture, text, "16");
    enum clopt_status status = needle_sequences_create(&fixture.problem, sequences, &error);
    unlink(paths[0]);
    unlink(paths[1]);
    assert_int_equal(status, CLOPT_OK);
    end(&fixture);
}

/* ---- describe ---- */

static struct clopt_kernel_work describe(const char *inputs, const char *block, const void *state,
                                         unsigned kernel)
{
    struct fixture fixture;
    struct clopt_kernel_work work = {0};
    struct clopt_error error = {0};
    start(&fixture, inputs, block);
    assert_int_equal(
        needle()->describe(&fixture.problem, state, &needle()->kernels[kernel], &work, &error),
        CLOPT_OK);
    end(&fixture);
    return work;
}

/* Counts the bytes that the kernels of one run move, tile by tile. */
static void count_bytes(size_t rows, size_t columns, size_t block, double bytes[2])
{
    size_t high = (rows + block - 1) / block;
    size_t wide = (columns + block - 1) / block;
    bytes[0] = (double)high * 4096;
    bytes[1] = (double)(wide - 1) * 4096;
    for (size_t y = 0; y < high; y++)
        for (size_t x = 0; x < wide; x++) {
            size_t around = (y ? block : 0) + (x ? block : 0) + (x && y);
            bytes[y + x >= high] += (double)(4 * (block * block + around) + 2 * block);
        }
}

static void work_is_counted_tile_by_tile(void **state)
{
    (void)state;
    static const size_t sizes[][2] = {{100, 100}, {16, 500}, {500, 16}, {1, 1}, {300, 65}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct needle_sequences sequences = {
            .first.length = sizes[i][0],
            .second.length = sizes[i][1],
        };
        double bytes[2];
        count_bytes(sizes[i][0], sizes[i][1], 16, bytes);
        double operations = 0;
        for (unsigned kernel = 0; kernel < 2; kernel++) {
            struct clopt_kernel_work work = describe("", "16", &sequences, kernel);
            assert_int_equal(work.arithmetic, CLOPT_ARITHMETIC_INTEGER);
            assert_true(work.bytes == bytes[kernel]);
            operations += work.operations;
        }
        double cells = (double)(clopt_round_up(sizes[i][0], 16) * clopt_round_up(sizes[i][1], 16));
        assert_true(operations == 5 * cells);
    }
}

static void ranges_and_memory_follow_the_block_size(void **state)
{
    (void)state;
    struct clopt_kernel_work work = describe("length=100", "16", NULL, 0);
    assert_int_equal(work.ndrange.dimensions, 1);
    assert_int_equal(work.ndrange.global[0], 7 * 16);
    assert_int_equal(work.ndrange.local[0], 16);
    work = describe("length=100", "64", NULL, 1);
    assert_int_equal(work.ndrange.global[0], 64);
    work = describe("length=64", "64", NULL, 1);
    assert_int_equal(work.ndrange.global[0], 0);
    work = describe("first=a second=b", "32", NULL, 0);
    assert_int_equal(work.ndrange.global[0], 0);
    assert_int_equal(work.ndrange.local[0], 32);
}

/* ---- sequences and scores ---- */

static void random_sequences_follow_from_the_seed(void **state)
{
    (void)state;
    struct needle_sequences a;
    struct needle_sequences b;
    struct fixture fixture;
    struct clopt_error error = {0};
    start(&fixture, "length=70", "16");
    assert_int_equal(needle_sequences_create(&fixture.problem, &a, &error), CLOPT_OK);
    assert_int_equal(needle_sequences_create(&fixture.problem, &b, &error), CLOPT_OK);
    assert_memory_equal(a.first.letters, b.first.letters, 128);
    assert_memory_not_equal(a.first.letters, a.second.letters, 70);
    for (size_t i = 70; i < 128; i++)
        assert_int_equal(a.first.letters[i], NEEDLE_CONTINUATION);
    needle_sequences_destroy(&b);
    fixture.problem.seed = 8;
    assert_int_equal(needle_sequences_create(&fixture.problem, &b, &error), CLOPT_OK);
    assert_memory_not_equal(a.first.letters, b.first.letters, 70);
    needle_sequences_destroy(&a);
    needle_sequences_destroy(&b);
    end(&fixture);
}

static void blosum62_is_that_of_the_paper(void **state)
{
    (void)state;
    static const struct {
        char letters[3];
        int score;
    } known[] = {{"AA", 4},  {"WW", 11}, {"CC", 9},  {"DE", 2}, {"IV", 3}, {"FY", 3},
                 {"WG", -2}, {"LK", -2}, {"PW", -4}, {"BN", 3}, {"ZQ", 3}, {"XX", -1},
                 {"XS", 0},  {"HY", 2},  {"ST", 1},  {"VM", 1}};
    struct needle_sequences sequences;
    make(&sequences, "A", "A", "gap=-1");
    const int32_t *table = sequences.scores.table;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        int a = known[i].letters[0] - 'A';
        int b = known[i].letters[1] - 'A';
        assert_int_equal(table[a * NEEDLE_LETTERS + b], known[i].score);
        assert_int_equal(table[b * NEEDLE_LETTERS + a], known[i].score);
    }
    assert_int_equal(table[26 * NEEDLE_LETTERS + 26], 1);
    assert_int_equal(table[26 * NEEDLE_LETTERS], -4);
    int sum = 0; /* of the twenty amino acids with each other */
    for (const char *a = "ACDEFGHIKLMNPQRSTVWY"; *a; a++)
        for (const char *b = "ACDEFGHIKLMNPQRSTVWY"; *b; b++)
            sum += table[(*a - 'A') * NEEDLE_LETTERS + *b - 'A'];
    assert_int_equal(sum, -426);
    needle_sequences_destroy(&sequences);
}

static void expect_refusal(const char *first, const char *inputs, const char *message)
{
    char path[] = "unit_needle_XXXXXX";
    write_file(path, first);
    char text[200];
    snprintf(text, sizeof text, "first=%s second=%s %s", path, path, inputs);
    struct fixture fixture;
    struct clopt_error error = {0};
    start(&fixture, text, "16");
    void *user = NULL;
    assert_int_equal(needle()->setup(&fixture.problem, &user, &error), CLOPT_INVALID);
    needle()->teardown(user);
    unlink(path);
    assert_memory_equal(error.message, path, strlen(path));
    assert_string_equal(error.message + strlen(path), message);
    end(&fixture);
}

static void refuses_files_that_cannot_be_aligned(void **state)
{
    (void)state;
    expect_refusal("ACGT\n", "",
                   ":1: is not a FASTA file: a line with > and a name must come first");
    expect_refusal(">A\nACU\n", "",
                   ": BLOSUM62 has no scores for 'U', letter 3 of the sequence; write X for it, or "
                   "give match and mismatch");
    struct fixture fixture;
    struct clopt_error error = {0};
    start(&fixture, "first=missing.fasta second=b", "16");
    void *user = NULL;
    assert_int_equal(needle()->setup(&fixture.problem, &user, &error), CLOPT_INVALID);
    needle()->teardown(user);
    assert_string_equal(error.message, "missing.fasta: cannot be read: No such file or directory");
    end(&fixture);
}

static void refuses_a_matrix_that_is_too_large(void **state)
{
    (void)state;
    char *text = malloc(40000);
    assert_non_null(text);
    memset(text, 'A', 39999);
    memcpy(text, ">A\n", 3);
    text[39999] = '\0';
    char path[] = "unit_needle_XXXXXX";
    write_file(path, text);
    free(text);
    char inputs[100];
    snprintf(inputs, sizeof inputs, "first=%s second=%s", path, path);
    struct fixture fixture;
    struct clopt_error error = {0};
    start(&fixture, inputs, "16");
    void *user = NULL;
    assert_int_equal(needle()->setup(&fixture.problem, &user, &error), CLOPT_INVALID);
    needle()->teardown(user);
    unlink(path);
    assert_string_equal(error.message, "sequences of 39996 and 39996 letters are too long: their "
                                       "matrix has more than 2^30 cells");
    end(&fixture);
}

/* ---- check and alignment ---- */

/* The matrix that the textbook makes, row by row. */
struct matrix {
    int32_t *cells;
    size_t stride;
};

static int32_t cell_at(const struct matrix *matrix, size_t row, size_t column, int32_t gap)
{
    if (row == 0 || column == 0)
        return (int32_t)(row + column) * gap;
    return matrix->cells[(row - 1) * matrix->stride + column - 1];
}

static struct matrix fill(const struct needle_sequences *sequences)
{
    size_t rows = sequences->first.length, columns = sequences->second.length;
    int32_t gap = sequences->scores.gap;
    struct matrix matrix = {malloc(rows * columns * sizeof(int32_t)), columns};
    assert_non_null(matrix.cells);
    for (size_t row = 0; row < rows; row++)
        for (size_t column = 0; column < columns; column++) {
            int32_t best = cell_at(&matrix, row, column, gap) +
                           sequences->scores.table[sequences->first.letters[row] * NEEDLE_LETTERS +
                                                   sequences->second.letters[column]];
            int32_t down = cell_at(&matrix, row, column + 1, gap) + gap;
            int32_t right = cell_at(&matrix, row + 1, column, gap) + gap;
            best = best > down ? best : down;
            matrix.cells[row * columns + column] = best > right ? best : right;
        }
    return matrix;
}

/* Checks a matrix in two bands, the first of `rows` rows. */
static struct needle_check check(const struct needle_sequences *sequences,
                                 const struct matrix *matrix, size_t rows)
{
    struct needle_check check;
    needle_check_init(&check, sequences);
    needle_check_rows(&check, matrix->cells, matrix->stride, rows);
    needle_check_rows(&check, matrix->cells + rows * matrix->stride, matrix->stride,
                      sequences->first.length - rows);
    assert_int_equal(check.rows, sequences->first.length);
    struct needle_check found = check;
    needle_check_fini(&check);
    return found;
}

static void every_wrong_cell_is_found(void **state)
{
    (void)state;
    static const int32_t wrong[] = {1, -1, 1000, INT32_MIN, INT32_MAX};
    struct needle_sequences sequences;
    make(&sequences, "WEAVINGS", "WAVE", "gap=-4");
    struct matrix matrix = fill(&sequences);
    assert_int_equal(check(&sequences, &matrix, 3).different, 0);
    for (size_t i = 0; i < 8 * 4; i++)
        for (size_t w = 0; w < sizeof wrong / sizeof *wrong; w++) {
            int32_t right = matrix.cells[i];
            matrix.cells[i] = (int32_t)((uint32_t)right + (uint32_t)wrong[w]);
            struct needle_check found = check(&sequences, &matrix, 1 + i % 7);
            assert_true(found.different > 0);
            assert_int_equal(found.first_row, i / 4);
            assert_int_equal(found.first_column, i % 4);
            assert_int_equal(found.actual, matrix.cells[i]);
            assert_int_equal(found.expected, right);
            matrix.cells[i] = right;
        }
    free(matrix.cells);
    needle_sequences_destroy(&sequences);
}

static const int32_t *find_row(void *user, size_t row)
{
    const struct matrix *matrix = user;
    return matrix->cells + row * matrix->stride;
}

static void the_matrix_is_that_of_the_textbook(void **state)
{
    (void)state;
    static const int32_t expected[7][7] = {
        {1, 0, -1, -2, -3, -4, -5}, {0, 0, 1, 0, -1, -2, -3},  {-1, -1, 0, 2, 1, 0, -1},
        {-2, -2, -1, 1, 1, 0, -1},  {-3, -3, -1, 0, 0, 0, -1}, {-4, -2, -2, -1, -1, 1, 0},
        {-5, -3, -1, -2, -2, 0, 0},
    };
    struct needle_sequences sequences;
    make(&sequences, "GATTACA", "GCATGCU", "match=1 mismatch=-1 gap=-1");
    struct matrix matrix = fill(&sequences);
    assert_memory_equal(matrix.cells, expected, sizeof expected);
    assert_int_equal(check(&sequences, &matrix, 4).different, 0);
    free(matrix.cells);
    needle_sequences_destroy(&sequences);
}

/* Returns the best score of all alignments of what is left, by trying each of them. */
static int32_t try_all(const struct needle_sequences *sequences, size_t row, size_t column)
{
    const struct needle_scores *scores = &sequences->scores;
    size_t rows = sequences->first.length - row;
    size_t columns = sequences->second.length - column;
    if (rows == 0 || columns == 0)
        return (int32_t)(rows + columns) * scores->gap;
    int32_t both = try_all(sequences, row + 1, column + 1) +
                   scores->table[sequences->first.letters[row] * NEEDLE_LETTERS +
                                 sequences->second.letters[column]];
    int32_t down = try_all(sequences, row + 1, column) + scores->gap;
    int32_t right = try_all(sequences, row, column + 1) + scores->gap;
    int32_t best = both > down ? both : down;
    return best > right ? best : right;
}

/* Adds up the scores of an alignment's columns; all letters must be in it. */
static int32_t add_up(const struct needle_sequences *sequences,
                      const struct needle_alignment *alignment)
{
    size_t row = 0, column = 0;
    int32_t score = 0;
    for (size_t i = 0; i < alignment->length; i++) {
        if (alignment->steps[i] == NEEDLE_BOTH)
            score += sequences->scores.table[sequences->first.letters[row] * NEEDLE_LETTERS +
                                             sequences->second.letters[column]];
        else
            score += sequences->scores.gap;
        row += alignment->steps[i] != NEEDLE_SECOND_ONLY;
        column += alignment->steps[i] != NEEDLE_FIRST_ONLY;
    }
    assert_int_equal(row, sequences->first.length);
    assert_int_equal(column, sequences->second.length);
    return score;
}

static void no_alignment_is_better(void **state)
{
    (void)state;
    static const char *const pairs[][3] = {
        {"WEAVING", "WAVE", "gap=-4"},    {"A", "CCCAC", "gap=-2"},
        {"HEAGAWG", "PAWHEAE", "gap=-8"}, {"ACGTAC", "CGTTA", "match=2 mismatch=-3 gap=-2"},
        {"AAAA", "AAAA", "gap=0"},        {"CC", "GGGGGG", "match=-5 mismatch=-5 gap=-1"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct needle_sequences sequences;
        struct needle_alignment alignment;
        make(&sequences, pairs[i][0], pairs[i][1], pairs[i][2]);
        struct matrix matrix = fill(&sequences);
        assert_true(needle_alignment_trace(&sequences, find_row, &matrix, &alignment));
        assert_int_equal(alignment.score, try_all(&sequences, 0, 0));
        assert_int_equal(alignment.score, add_up(&sequences, &alignment));
        needle_alignment_free(&alignment);
        free(matrix.cells);
        needle_sequences_destroy(&sequences);
    }
}

static const int32_t *no_row(void *user, size_t row)
{
    (void)row;
    clopt_fail(user, CLOPT_FAILED, "the device is gone");
    return NULL;
}

static void a_row_that_cannot_be_read_ends_the_trace(void **state)
{
    (void)state;
    struct needle_sequences sequences;
    struct needle_alignment alignment;
    struct clopt_error error = {0};
    make(&sequences, "ACGT", "AGT", "gap=-1");
    assert_false(needle_alignment_trace(&sequences, no_row, &error, &alignment));
    assert_string_equal(error.message, "the device is gone");
    needle_alignment_free(&alignment);
    needle_sequences_destroy(&sequences);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(work_is_counted_tile_by_tile),
        cmocka_unit_test(ranges_and_memory_follow_the_block_size),
        cmocka_unit_test(random_sequences_follow_from_the_seed),
        cmocka_unit_test(blosum62_is_that_of_the_paper),
        cmocka_unit_test(refuses_files_that_cannot_be_aligned),
        cmocka_unit_test(refuses_a_matrix_that_is_too_large),
        cmocka_unit_test(the_matrix_is_that_of_the_textbook),
        cmocka_unit_test(every_wrong_cell_is_found),
        cmocka_unit_test(no_alignment_is_better),
        cmocka_unit_test(a_row_that_cannot_be_read_ends_the_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
