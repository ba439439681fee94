/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrix product with three sizes, as mathematical libraries write it. */
__kernel void gemm(__global float *a, __global float *b, __global float *c, float alpha, float beta,
                   int ni, int nj, int nk)
{
    int j = get_global_id(0), i = get_global_id(1);
    if (i < ni && j < nj) {
        c[i * nj + j] *= beta;
        for (int k = 0; k < nk; k++)
            c[i * nj + j] += alpha * a[i * nk + k] * b[k * nj + j];
    }
}
