/* SPDX-License-Identifier: BSD-3-Clause */
/* C = A * B for square matrices of n rows: the three lines of it. */
__kernel void product(__global const float *a, __global const float *b, __global float *c, int n)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[y * n + k] * b[k * n + x];
    c[y * n + x] = sum;
}
