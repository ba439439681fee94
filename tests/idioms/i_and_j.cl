/* SPDX-License-Identifier: BSD-3-Clause */
/* Arguments that are called i and j, which are the column and the row of a pivot. */
__kernel void scale_row(__global float *matrix, __global const float *factors, int i, int j, int n)
{
    int k = get_global_id(0);
    if (k < n)
        matrix[i * n + k] *= factors[j];
}
