// SPDX-License-Identifier: BSD-3-Clause
// local 8x8x1 global 32x32x2
// Scores of attention: later positions are masked.
kernel void k(global const int *in, global int *out, int n)
{
    int j = get_global_id(0), i = get_global_id(1), head = get_global_id(2);
    size_t at = ((size_t)head * 32 + i) * 32 + j;
    if (j > i) {
        out[at] = -1000;
        return;
    }
    int sum = n;
    for (int d = 0; d < 16; d++)
        sum += in[(head * 32 + i) * 16 + d] * in[2048 + (head * 32 + j) * 16 + d];
    out[at] = sum;
}
