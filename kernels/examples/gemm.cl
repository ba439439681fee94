/* SPDX-License-Identifier: BSD-3-Clause */
/* C = alpha * A * B + beta * C for square matrices of n rows, as a benchmark states it: nothing says
 * that the matrices do not overlap, and every product goes to memory. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

__kernel void gemm(__global const double *a, __global const double *b, __global double *c,
                   double alpha, double beta, int n)
{
    int column = get_global_id(0);
    int row = get_global_id(1);
    if (row < n && column < n) {
        c[row * n + column] *= beta;
        for (int k = 0; k < n; k++)
            c[row * n + column] += alpha * a[row * n + k] * b[k * n + column];
    }
}
