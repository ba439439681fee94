/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes and reads the matrix that lud factors. */
#include "matrix.h"

#include <math.h>

#include "../../shared/matrix_market.h"

/* Makes one row of the random matrix, whose rows are independent streams of the seed.
 *
 * Elements off the diagonal lie in [0, 1/n), those on it in [1, 2): the matrix is diagonally
 * dominant by rows and by columns, needs no pivoting, and is well conditioned for every n. As no
 * element is negative, what the factorization subtracts from an element adds up to as much as the
 * element itself; with random signs it would almost cancel, and a kernel that forgets to subtract
 * would go unnoticed. */
static void make_row(uint64_t seed, size_t size, size_t row, float *elements)
{
    struct clopt_random random = clopt_random_seed(seed, row);
    double scale = 1.0 / (double)size;
    for (size_t column = 0; column < size; column++)
        elements[column] = (float)(clopt_random_real(&random) * scale);
    elements[row] = (float)(1 + clopt_random_real(&random));
}

/* Continues the matrix by an identity matrix. */
static void continue_matrix(const struct lud_matrix *matrix, float *elements)
{
    for (size_t row = 0; row < matrix->stride; row++) {
        size_t from = row < matrix->size ? matrix->size : 0;
        for (size_t column = from; column < matrix->stride; column++)
            elements[row * matrix->stride + column] = row == column;
    }
}

static enum clopt_status make_random(const struct clopt_problem *problem, struct lud_matrix *matrix,
                                     struct clopt_error *error)
{
    matrix->seeded = true;
    matrix->size = (size_t)clopt_values_integer(problem->inputs, "size");
    matrix->stride = clopt_round_up(matrix->size, LUD_LARGEST_BLOCK);
    float *elements = malloc(lud_matrix_bytes(matrix));
    if (!elements)
        return clopt_fail(error, CLOPT_OUT_OF_RESOURCES,
                          "no memory for a matrix of %zu rows; choose a smaller size",
                          matrix->size);
#pragma omp parallel for
    for (size_t row = 0; row < matrix->size; row++)
        make_row(problem->seed, matrix->size, row, elements + row * matrix->stride);
    continue_matrix(matrix, elements);
    matrix->elements = elements;
    return CLOPT_OK;
}

/* Stores one value from a file; an element that has a value already is no longer NaN. */
static enum clopt_status store(const struct matrix_market *file, float *element, double value,
                               struct clopt_error *error)
{
    if (!isnan(*element))
        return clopt_fail(error, CLOPT_INVALID, "%s:%" PRIu64 ": the element has a value already",
                          file->name, file->line);
    *element = (float)value;
    if (!isfinite(*element))
        return clopt_fail(error, CLOPT_INVALID,
                          "%s:%" PRIu64 ": %g is too large for single precision", file->name,
                          file->line, value);
    return CLOPT_OK;
}

static enum clopt_status read_entries(struct matrix_market *file, float *elements, size_t stride,
                                      struct clopt_error *error)
{
    for (uint64_t i = 0; i < file->entries; i++) {
        struct matrix_market_entry entry;
        CLOPT_TRY(matrix_market_next(file, &entry, error));
        CLOPT_TRY(store(file, &elements[entry.row * stride + entry.column], entry.value, error));
        if (file->symmetry != MATRIX_GENERAL && entry.row != entry.column) {
            double sign = file->symmetry == MATRIX_SYMMETRIC ? 1 : -1;
            CLOPT_TRY(store(file, &elements[entry.column * stride + entry.row], sign * entry.value,
                            error));
        }
    }
    return matrix_market_end(file, error);
}

struct source {
    struct matrix_market *file;
    const struct lud_matrix *matrix;
};

/* Reads the entries of a file whose head has been read; what it does not name is 0. */
static enum clopt_status fill(void *user, void *data, size_t bytes, struct clopt_error *error)
{
    const struct source *source = user;
    float *elements = data;
    size_t count = bytes / sizeof(float);
    for (size_t i = 0; i < count; i++)
        elements[i] = NAN;
    CLOPT_TRY(read_entries(source->file, elements, source->matrix->stride, error));
    for (size_t i = 0; i < count; i++)
        if (isnan(elements[i]))
            elements[i] = 0;
    continue_matrix(source->matrix, elements);
    return CLOPT_OK;
}

static enum clopt_status read_matrix(const struct clopt_problem *problem, const char *path,
                                     FILE *stream, struct lud_matrix *matrix,
                                     struct clopt_error *error)
{
    struct matrix_market file;
    CLOPT_TRY(matrix_market_begin(&file, stream, path, LUD_MOST_ROWS, error));
    if (file.rows != file.columns)
        return clopt_fail(error, CLOPT_INVALID,
                          "%s: %" PRIu64 " rows and %" PRIu64
                          " columns: only a square matrix has an LU decomposition",
                          path, file.rows, file.columns);
    unsigned filled = file.symmetry == MATRIX_GENERAL ? 1 : 2; /* rows, by an entry */
    if (file.entries < file.rows / filled) /* a short file must not ask for gigabytes */
        return clopt_fail(error, CLOPT_INVALID,
                          "%s: %" PRIu64 " entries in %" PRIu64
                          " rows: a row without any makes the matrix singular",
                          path, file.entries, file.rows);
    matrix->size = (size_t)file.rows;
    matrix->stride = clopt_round_up(matrix->size, LUD_LARGEST_BLOCK);
    struct source source = {&file, matrix};
    const void *elements = NULL;
    enum clopt_status status =
        clopt_cached(problem, "matrix", lud_matrix_bytes(matrix), fill, &source, &elements, error);
    matrix->elements = elements;
    return status;
}

enum clopt_status lud_matrix_create(const struct clopt_problem *problem, struct lud_matrix *matrix,
                                    struct clopt_error *error)
{
    *matrix = (struct lud_matrix){0};
    const char *path = clopt_values_text(problem->inputs, "input");
    if (!path)
        return make_random(problem, matrix, error);
    CLOPT_CLOSED FILE *stream = NULL;
    CLOPT_TRY(clopt_file_open(path, &stream, error));
    return read_matrix(problem, path, stream, matrix, error);
}

void lud_matrix_destroy(struct lud_matrix *matrix)
{
    if (matrix->seeded)
        free((void *)matrix->elements);
    else if (matrix->elements)
        clopt_cached_release(matrix->elements, lud_matrix_bytes(matrix));
    *matrix = (struct lud_matrix){0};
}
