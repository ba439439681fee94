/* SPDX-License-Identifier: BSD-3-Clause */
/* C = C + A * B: a work-item makes one element of C. Have neighbours make neighbours of a row, and
 * sum up in a variable, not in memory. */
__kernel void matmul(__global const float *a, __global const float *b, __global float *c, int n)
{
    int i = get_global_id(1);
    int j = get_global_id(0);
    if (i >= n || j >= n)
        return;
    float sum = 0.0f;
    for (int k = 0; k < n; k++)
        sum += a[i * n + k] * b[k * n + j];
    c[i * n + j] += sum;
}
