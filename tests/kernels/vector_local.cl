/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of lanes in local memory: aligned ones, and ones that only seem to be. */
// local 16x2 global 64x4
kernel void k(global const int *in, global int *out, int n)
{
    local int tile[2][16];
    local int padded[2][17];
    local int line[32];
    local short small[16], shifted[24];
    int x = get_local_id(0);
    int y = get_local_id(1);
    int at = get_global_id(1) * get_global_size(0) + get_global_id(0);
    int moving = x;
    int ahead = x;
    int sum = 0;

    tile[y][x] = in[at];
    padded[y][x] = in[at] + n;
    if (y == 0) {
        line[x] = in[at];
        line[x + 16] = in[at] ^ n;
        small[x] = (short)in[at];
        shifted[x + 2] = (short)(in[at] * 3);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 2; i++, moving ^= 1) {
        sum += tile[i][x] * 2 + tile[1 - i][x & ~1];
        sum += padded[i][x] + padded[i][x + 1 - (x == 15)];
        sum += tile[y][moving];
    }
    for (int i = 0; i < 3; i++, ahead++)
        sum = sum * 3 + line[ahead];
    sum += small[x] + shifted[x + 2];
    out[at] = sum;
}
