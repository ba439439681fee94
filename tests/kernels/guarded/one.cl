// SPDX-License-Identifier: BSD-3-Clause
// local 16 global 64
// A guard of one dimension, of more work-items than one group has, and what is read of memory that is stored.
kernel void k(global const int *in, global int *out, int n)
{
    int x = get_global_id(0);
    global float *sums = (global float *)out;
    if (x >= n / 400)
        return;
    float sum = sums[x] * 0 + 1;
    for (int i = 0; i < 20; i++)
        sum += in[n - n / 400 * 20 + i * (n / 400) + x] * in[i];
    sums[x] = sum;
}
