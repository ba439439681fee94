/* SPDX-License-Identifier: BSD-3-Clause */
/* y = a x for a matrix of rows: a row a work-item. */
__kernel void gemv(__global const float *a, __global const float *x, __global float *y, int columns)
{
    int i = get_global_id(0);
    float sum = 0;
    for (int j = 0; j < columns; j++)
        sum += a[i * columns + j] * x[j];
    y[i] = sum;
}
