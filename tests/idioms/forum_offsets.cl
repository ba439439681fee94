/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums of rows that begin where an array says. */
kernel void row_sum(global const int *p, global const float *v, global float *sums, int rows)
{
    int row = get_global_id(0);
    if (row >= rows)
        return;
    float sum = 0;
    for (int i = p[row]; i < p[row + 1]; i++)
        sum += v[i];
    sums[row] = sum;
}
