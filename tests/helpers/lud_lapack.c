/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes a matrix for lud, and compares lud's factors of it with those of LAPACK's sgetrf:
 * `lud_lapack make ROWS FILE` and `lud_lapack compare FILE FACTORS`. */
#include <clopt/random.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shared/matrix_market.h"

/* LAPACK, which is Fortran: by columns, everything by address. */
void sgetrf_(const int *rows, const int *columns, float *a, const int *stride, int *pivots,
             int *info);

static int fail(const char *message)
{
    fprintf(stderr, "lud_lapack: %s\n", message);
    return EXIT_FAILURE;
}

/* Writes a matrix that is dominant by columns: sgetrf exchanges no rows of it. */
static int make(size_t n, const char *path)
{
    float *a = malloc(n * n * sizeof *a);
    FILE *stream = fopen(path, "w");
    struct clopt_random random = clopt_random_seed(5, n);
    if (!a || !stream)
        return fail("no memory, or no file");
    for (size_t i = 0; i < n * n; i++)
        a[i] = (float)((clopt_random_real(&random) * 2 - 1) / (double)n);
    for (size_t i = 0; i < n; i++)
        a[i * n + i] = (i % 2 ? 1 : -1) * (float)(1 + clopt_random_real(&random));
    matrix_market_write(stream, "for a test", n, a, n);
    free(a);
    if (fclose(stream) != 0)
        return fail("cannot write");
    return EXIT_SUCCESS;
}

/* Reads a dense matrix by columns, as the file has it. */
static float *read_columns(const char *path, size_t *n)
{
    FILE *stream = fopen(path, "r");
    struct matrix_market matrix;
    struct clopt_error error = {0};
    if (!stream || matrix_market_begin(&matrix, stream, path, 4096, &error) != CLOPT_OK)
        return NULL;
    *n = (size_t)matrix.rows;
    float *a = malloc(*n * *n * sizeof *a);
    for (size_t i = 0; a && i < *n * *n; i++) {
        struct matrix_market_entry entry;
        if (matrix_market_next(&matrix, &entry, &error) != CLOPT_OK) {
            free(a);
            a = NULL;
        } else {
            a[entry.column * *n + entry.row] = (float)entry.value;
        }
    }
    fclose(stream);
    return a;
}

static int sgetrf(float *a, size_t n)
{
    int size = (int)n, info = 0;
    int *pivots = calloc(n, sizeof *pivots);
    if (!pivots)
        return fail("no memory");
    sgetrf_(&size, &size, a, &size, pivots, &info);
    for (size_t i = 0; i < n; i++)
        if (pivots[i] != (int)i + 1)
            info = 1;
    free(pivots);
    return info ? fail("sgetrf failed, or exchanged rows") : EXIT_SUCCESS;
}

/* Both make rounding errors of a few 2^-24 of the matrix's elements, 1/n or 1 in size. */
static int compare(const float *a, const float *b, size_t n)
{
    double bound = 16 * sqrt((double)n) * 0x1p-24;
    double worst = 0;
    for (size_t i = 0; i < n * n; i++) {
        double error = fabs((double)a[i] - (double)b[i]) / (1 / (double)n + fabs((double)b[i]));
        if (!(error <= bound)) {
            fprintf(stderr, "lud_lapack: row %zu, column %zu: lud %.9g, sgetrf %.9g\n", i % n + 1,
                    i / n + 1, (double)a[i], (double)b[i]);
            return EXIT_FAILURE;
        }
        worst = fmax(worst, error);
    }
    printf("%zu rows: largest difference %.2g, allowed %.2g\n", n, worst, bound);
    return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "make") == 0)
        return make((size_t)strtoul(argv[2], NULL, 10), argv[3]);
    if (argc != 4 || strcmp(argv[1], "compare") != 0)
        return fail("usage: lud_lapack make ROWS FILE, or compare FILE FACTORS");
    size_t n = 0, m = 0;
    float *expected = read_columns(argv[2], &n);
    float *factors = read_columns(argv[3], &m);
    int code =
        !expected || !factors || n != m ? fail("cannot read the matrices") : sgetrf(expected, n);
    if (code == EXIT_SUCCESS)
        code = compare(factors, expected, n);
    free(expected);
    free(factors);
    return code;
}
