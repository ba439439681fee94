// SPDX-License-Identifier: BSD-3-Clause
// --local=16x16 --variant='geometry(granularity=2)+memory(stage=all,pad=1)'
kernel void k(global const float *a, global const float *b, global float *c, int n)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    float sum = 0; // of the row and the column
    for (int k0 = 0; k0 < n; k0 += 16)
        for (int k = k0; k < k0 + 16; k++)
            sum += a[y * n + k] * b[k * n + x];
    c[y * n + x] = sum;
}
