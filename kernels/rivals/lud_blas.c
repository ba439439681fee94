/* SPDX-License-Identifier: BSD-3-Clause */
/* LU decomposition without pivoting, by a BLAS: right-looking by blocks. LAPACK's sgetrf() would
 * exchange rows. */
#include <rival.h>

#include <cblas.h>

#define BLOCK 128

static void factor(float *a, int n, int size)
{
    for (int k = 0; k < size; k++) {
        cblas_sscal(size - k - 1, 1 / a[k * n + k], a + (k + 1) * n + k, n);
        cblas_sger(CblasRowMajor, size - k - 1, size - k - 1, -1, a + (k + 1) * n + k, n,
                   a + k * n + k + 1, 1, a + (k + 1) * n + k + 1, n);
    }
}

static void decompose(float *a, int n)
{
    for (int k = 0; k < n; k += BLOCK) {
        int size = BLOCK < n - k ? BLOCK : n - k, rest = n - k - size;
        float *corner = a + (size_t)k * (size_t)n + k;
        float *right = corner + size, *below = corner + (size_t)size * (size_t)n;
        factor(corner, n, size);
        if (!rest)
            continue;
        cblas_strsm(CblasRowMajor, CblasRight, CblasUpper, CblasNoTrans, CblasNonUnit, rest, size,
                    1, corner, n, below, n);
        cblas_strsm(CblasRowMajor, CblasLeft, CblasLower, CblasNoTrans, CblasUnit, size, rest, 1,
                    corner, n, right, n);
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, rest, rest, size, -1, below, n,
                    right, n, 1, below + size, n);
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
    while (rival_next(&rival)) {
        memcpy(a, matrix, bytes);
        rival_start(&rival);
        decompose(a, (int)n);
        rival_stop(&rival);
    }
    return 0;
}
