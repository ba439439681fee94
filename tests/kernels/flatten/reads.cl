// SPDX-License-Identifier: BSD-3-Clause
// Reads that would be out of range, or meet others' stores, where the branch is not taken.
// local 16x2 global 64x4
constant int table[4] = {3, 1, 4, 1};
kernel void k(global const int *in, global int *out, int n)
{
    local int t[2][16];
    local int edge[16];
    local int total;
    int x = get_local_id(0), y = get_local_id(1);
    int gx = get_global_id(0), g = get_global_id(1) * 64 + gx;
    int far = 0x40000000, left, right, up = 5, s = 0;
    int p[3] = {1, 2, 3};
    t[y][x] = in[g];
    if (y == 0)
        edge[x] = in[g + 1];
    if (x == 0 && y == 1)
        total = in[n / 2];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (gx == 0)
        left = in[g];
    else
        left = in[g - 1];
    if (x == 15)
        right = edge[y + 7];
    else
        right = t[y][x + 1];
    if (y)
        up = t[y - 1][x] + total;
    if (x < 4)
        s = table[x];
    if (x > 12)
        s += p[x - 13];
    else if (far < x)
        s += t[far][far] + p[far] + table[far - x];
    out[g] = left * 3 + right * 5 + up * 7 + s * 11;
}
