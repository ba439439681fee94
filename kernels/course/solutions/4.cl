/* SPDX-License-Identifier: BSD-3-Clause */
/* C = C + A * B: as in exercise 3, but the row of A is copied once into private memory. */
#define MOST 1024 /* rows; a launch has at most so many */

__kernel void matmul(__global const float *a, __global const float *b, __global float *c, int n)
{
    float row[MOST];
    int i = get_global_id(0);
    if (i >= n)
        return;
    for (int k = 0; k < n; k++)
        row[k] = a[i * n + k];
    for (int j = 0; j < n; j++) {
        float sum = 0.0f;
        for (int k = 0; k < n; k++)
            sum += row[k] * b[k * n + j];
        c[i * n + j] += sum;
    }
}
