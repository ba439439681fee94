// SPDX-License-Identifier: BSD-3-Clause
// Loops over rows that begin at multiples, and at others, by counters that begin at 0, at multiples and at 1, in steps of 1
// and 2, and a product of what is read.
// local 16 global 32
kernel void k(global const int *restrict in, global int *restrict out, int n)
{
    local int odd[3][7];
    int x = get_global_id(0), row = x * 16, sum = 0, late = 0, all = 1, third = 0;
    for (int j = 0; j < 16; j++)
        sum += in[row + j] * in[j];
    for (int j = 1; j < 17; j++)
        late ^= in[row + j];
    for (int j = 4; j < 12; j += 2)
        all += in[row + j] - in[row + 16 - j];
    for (int j = 0; j < n % 16; j++)
        third += in[x * (n & 16) + j] - in[x + j];
    odd[x % 3][x % 7] = x;
    for (int j = 8; j < 24; j++)
        out[x * 64 + j] = in[row + j] + in[row + 3 - 3 + j] * in[x + j];
    for (int j = 0; j < n / 1024; j++)
        out[x * 64 + 32 + j] = in[j] + sum;
    out[x * 64] = sum + 2 * late + 3 * all + 5 * third;
}
