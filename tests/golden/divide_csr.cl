// SPDX-License-Identifier: BSD-3-Clause
// --local=64 --loops=divide=8,reassociate=yes
kernel void k(global const int *rows, global const int *columns, global const float *values,
              global const float *x, global float *y, int n)
{
    int i = get_global_id(0);
    if (i >= n)
        return;
    float sum = 0;
    for (int k = rows[i]; k < rows[i + 1]; k++)
        sum += values[k] * x[columns[k]];
    y[i] = sum;
}
