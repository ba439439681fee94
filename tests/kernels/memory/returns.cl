// SPDX-License-Identifier: BSD-3-Clause
// local 8x8 global 64x16
// Two returns before a loop that is split: merged work-items branch on both of them three times, which PoCL 3.1 got
// wrong where they were joined by &&.
kernel void k(global const int *restrict in, global int *restrict out, int n)
{
    int x = get_global_id(0), y = get_global_id(1), w = n / 256, m = n / 217, sum = 0;
    if (!(x > 0 && x < w))
        return;
    if (x >= w - 14)
        return;
    for (int k = 3; k <= m; k += 2)
        sum += in[300 + (y + 1) * w + k + x] + k;
    out[y * 64 + x] += sum * 5;
}
