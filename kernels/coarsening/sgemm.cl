/* SPDX-License-Identifier: BSD-3-Clause */
/* C = alpha * A * B + beta * C, one element of C a work-item. Merged in dimension 1, work-items share
 * what they read of B; merged in dimension 0, what they read of A. */
__kernel void sgemm(__global float *c, __global const float *a, __global const float *b,
                    float alpha, float beta, int inner, int columns)
{
    int column = get_global_id(0);
    int row = get_global_id(1);
    float sum = 0;
    for (int k = 0; k < inner; k++)
        sum += a[row * inner + k] * b[k * columns + column];
    c[row * columns + column] = alpha * sum + beta * c[row * columns + column];
}
