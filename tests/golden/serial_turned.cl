// SPDX-License-Identifier: BSD-3-Clause
// --local=16x8 --variant='loops(tile=16)+memory(stage=all,turn=yes)+vector(across=4)+geometry(serial=yes)'
kernel void k(global const float *a, global const float *b, global float *c, float alpha, int n)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += alpha * a[y * n + k] * b[x * n + k];
    c[y * n + x] = sum;
}
