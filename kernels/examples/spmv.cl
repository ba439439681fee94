/* SPDX-License-Identifier: BSD-3-Clause */
/* Multiplies a sparse matrix in compressed rows by a vector: a work-item does a row. */
__kernel void spmv(__global float *y, __global const float *values, __global const int *columns,
                   __global const int *starts, __global const float *x, int rows)
{
    int row = get_global_id(0);
    if (row >= rows)
        return;
    float sum = 0;
    for (int k = starts[row]; k < starts[row + 1]; k++)
        sum += values[k] * x[columns[k]];
    y[row] = sum;
}
