// SPDX-License-Identifier: BSD-3-Clause
// local 16x16 global 32x32
// A product of few results, whose long sums work-groups share, each with tiles of its own.
kernel void k(global const int *restrict in, global int *restrict out, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    int sum = 0;
    for (int i = 0; i < n / 100; i++)
        sum += in[i * 32 + x] * in[5250 + i * 32 + y];
    out[y * 32 + x] = sum;
}
