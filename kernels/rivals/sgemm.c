/* SPDX-License-Identifier: BSD-3-Clause */
/* c = a b for square matrices of float, by a BLAS: the rival of kernels/examples/matmul.cl. */
#include <rival.h>

#include <cblas.h>

int main(int argc, char **argv)
{
    struct rival rival = rival_begin(argc, argv);
    size_t bytes;
    const float *a = rival_input(&rival, "a", &bytes), *b = rival_input(&rival, "b", NULL);
    float *c = rival_result(&rival, "c", bytes);
    int n = (int)rival_integer(&rival, "n", 0);
    while (rival_next(&rival)) {
        rival_start(&rival);
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, a, n, b, n, 0, c, n);
        rival_stop(&rival);
    }
    return 0;
}
