// SPDX-License-Identifier: BSD-3-Clause
// local 8x16 global 32x32
// Results of loops that a choice takes for some work-items alone.
kernel void k(global const int *in, global int *out, int n)
{
    int x = get_global_id(0), y = get_global_id(1), c;
    int sum = n, most = in[x];
#pragma unroll 2
    for (int d = 0; d < 16; d++)
        sum += in[d * 32 + y] * in[1024 + d * 32 + x];
    c = 0;
    while (c < 32) { // columns
        if (in[c * 32 + y] == n)
            break;
        most = max(most, in[c * 32 + x]);
        c++;
    }
    bool later = x > y;
    out[y * 32 + x] = later || n == 3 ? -1000 : sum ^ (most * 32 + c);
}
