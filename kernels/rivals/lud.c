/* SPDX-License-Identifier: BSD-3-Clause */
/* LU decomposition without pivoting, with OpenMP: right-looking by blocks, whose update is a
 * product of packed panels, with as many results in registers as there is room for. */
#include <rival.h>

#ifdef __AVX512F__
#define LANES 16
#define ROWS  12
#else
#define LANES 8
#define ROWS  6
#endif
#define COLUMNS (2 * LANES)
#define BLOCK   128

typedef float vector __attribute__((vector_size(LANES * sizeof(float)), aligned(4)));

/* Factors a block in place. */
static void factor(float *a, size_t n, size_t size)
{
    for (size_t k = 0; k < size; k++)
        for (size_t i = k + 1; i < size; i++) {
            float l = a[i * n + k] /= a[k * n + k];
            for (size_t j = k + 1; j < size; j++)
                a[i * n + j] -= l * a[k * n + j];
        }
}

/* Makes a strip of L to the left of U's block, and packs it: column by column. */
static void make_rows(float *a, const float *u, size_t n, size_t size, size_t rows, float *packed)
{
    for (size_t i = 0; i < rows; i++) {
        float *row = a + i * n;
        for (size_t k = 0; k < size; k++) {
            float l = row[k] /= u[k * n + k];
            packed[k * ROWS + i] = l;
            for (size_t j = k + 1; j < size; j++)
                row[j] -= l * u[k * n + j];
        }
    }
}

/* Makes a strip of U below L's block, and packs it: row by row. */
static void make_columns(float *a, const float *l, size_t n, size_t size, size_t columns,
                         float *packed)
{
    for (size_t i = 0; i < size; i++) {
        float *row = packed + i * COLUMNS;
        memcpy(row, a + i * n, columns * sizeof *row);
        for (size_t k = 0; k < i; k++)
            for (size_t j = 0; j < COLUMNS; j++)
                row[j] -= l[i * n + k] * packed[k * COLUMNS + j];
        memcpy(a + i * n, row, columns * sizeof *row);
    }
}

/* Subtracts the product of two strips from a tile. */
static void update(float *a, size_t n, const float *l, const float *u, size_t size, size_t rows,
                   size_t columns)
{
    vector sums[ROWS][2] = {{{0}}};
    for (size_t k = 0; k < size; k++) {
        vector left = *(const vector *)(u + k * COLUMNS);
        vector right = *(const vector *)(u + k * COLUMNS + LANES);
#pragma GCC unroll 12
        for (size_t i = 0; i < ROWS; i++) {
            sums[i][0] += l[k * ROWS + i] * left;
            sums[i][1] += l[k * ROWS + i] * right;
        }
    }
    if (rows == ROWS && columns == COLUMNS)
#pragma GCC unroll 12
        for (size_t i = 0; i < ROWS; i++) {
            *(vector *)(a + i * n) -= sums[i][0];
            *(vector *)(a + i * n + LANES) -= sums[i][1];
        }
    else
        for (size_t i = 0; i < rows; i++)
            for (size_t j = 0; j < columns; j++)
                a[i * n + j] -= sums[i][j / LANES][j % LANES];
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static void decompose(float *a, size_t n, float *rows, float *columns)
{
    for (size_t k = 0; k < n; k += BLOCK) {
        size_t size = least(BLOCK, n - k), first = k + size;
        float *corner = a + k * n + k;
        factor(corner, n, size);
#pragma omp parallel
        {
#pragma omp for nowait
            for (size_t i = first; i < n; i += ROWS)
                make_rows(a + i * n + k, corner, n, size, least(ROWS, n - i),
                          rows + (i - first) * BLOCK);
#pragma omp for
            for (size_t j = first; j < n; j += COLUMNS)
                make_columns(a + k * n + j, corner, n, size, least(COLUMNS, n - j),
                             columns + (j - first) * BLOCK);
#pragma omp for schedule(dynamic, 2)
            for (size_t j = first; j < n; j += COLUMNS)
                for (size_t i = first; i < n; i += ROWS)
                    update(a + i * n + j, n, rows + (i - first) * BLOCK,
                           columns + (j - first) * BLOCK, size, least(ROWS, n - i),
                           least(COLUMNS, n - j));
        }
    }
}

int main(int argc, char **argv)
{
    struct rival rival = rival_begin(argc, argv);
    size_t bytes, n = 0;
    const float *matrix = rival_input(&rival, "matrix", &bytes);
    float *a = rival_result(&rival, "matrix", bytes);
    while (n * n * sizeof *a < bytes)
        n++;
    float *rows = rival_memory((n + ROWS) * BLOCK * sizeof *a);
    float *columns = rival_memory((n + COLUMNS) * BLOCK * sizeof *a);
    while (rival_next(&rival)) {
        memcpy(a, matrix, bytes);
        rival_start(&rival);
        decompose(a, n, rows, columns);
        rival_stop(&rival);
    }
    return 0;
}
