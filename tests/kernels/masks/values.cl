// SPDX-License-Identifier: BSD-3-Clause
// local 8x8 global 32x32
// Sums that end at an identity: each in a form of its own, one of them never begins for the first.
kernel void k(global const int *in, global int *out, int n)
{
    int x = get_global_id(0), y = get_global_id(1), sum = n;
    for (int j = 0; j <= y; j++)
        sum += in[y * 32 + j] * in[1024 + j * 32 + x];
    for (int j = x & 3; j < x + 2; j++) {
        if (j == 5)
            continue;
        sum ^= in[j * 32 + y];
    }
    for (int j = 1; !(y - 1 <= j); j++)
        for (int k = 0; k <= x; k++)
            sum += in[j * 32 + k] * j;
    out[y * 32 + x] = sum;
}
