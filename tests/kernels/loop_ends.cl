// SPDX-License-Identifier: BSD-3-Clause
// local 4 global 8
// Loops that end where the values of their counters do.
kernel void k(global const int *restrict in, global int *restrict out, int n)
{
    uint s = 1, one = in[0] & 1;
    uint b = 4294967260u + one, e = 4294967295u - one;
    int low = -2147483647 + (int)one, high = 2147483646 + (int)one;
    for (uint k = b; k < e; k++)
        s = s * 3 + in[k - b];
    for (int k = 0; k < low; k++)
        s = s * 5 + in[k & 63];
    for (uint k = b; k < e - 3; k += 3)
        s = s * 7 + in[k - b];
    for (int k = high - 17; k < high; k++)
        s = s * 11 + in[k & 63];
    for (int k = low + 20; k > low; k -= 2)
        s = s * 13 + in[k & 63];
    for (ulong k = 18446744073709551590ul + one; k < 18446744073709551613ul + one; k++)
        s = s * 17 + in[k & 63];
    int rows[4][40] = {{0}};
    for (int i = high - 3; i < high; i++)
        for (uint k = b; k < e; k++)
            rows[i - (high - 3)][k - b] = in[k - b] * (int)(k & 3) + (i & 3);
    for (int i = low + 3; i > low; i--)
        for (int k = high - 17; k < (uint)high; k++)
            rows[i - low][k - (high - 17)] += k & 7;
    for (int i = 0; i < 160; i++)
        s = s * 3 + rows[i / 40][i % 40];
    out[get_global_id(0)] = s;
}
