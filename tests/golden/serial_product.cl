// SPDX-License-Identifier: BSD-3-Clause
// --local=16x8 --variant='loops(tile=16)+memory(stage=all)+vector(across=4)+geometry(granularity=2,dimension=1)+geometry(granularity=2,serial=yes)'
kernel void k(global const float *a, global const float *b, global float *c, int n)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[k * n + y] * b[k * n + x];
    c[y * n + x] = sum;
}
