// SPDX-License-Identifier: BSD-3-Clause
// --local=64 --variant='loops(tile=8)+memory(stage=a,pad=1)'
kernel void k(global const float *restrict a, global const float *restrict x, global float *restrict y, int n, int m)
{
    int i = get_global_id(0);
    if (n > i) {
        float sum = 0; // of a row, which one work-item reads
        for (int k = 0; k < m; k++)
            sum += a[i * m + k] * x[k];
        y[i] = sum;
    }
}
