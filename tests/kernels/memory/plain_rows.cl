// SPDX-License-Identifier: BSD-3-Clause
// local 8x8 global 16x16
// A transposition through local memory, whose rows are padded.
kernel void k(global const int *in, global int *out, int n)
{
    local int tile[8][8], line[8];
    local int2 pairs[2][8];
    int x = get_local_id(0), y = get_local_id(1);
    tile[y][x] = in[get_global_id(1) * 16 + get_global_id(0)];
    if (y < 2)
        pairs[y][x].x = pairs[y][x].y = x + y;
    line[x] = 5;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(1) * 16 + get_global_id(0)] = tile[x][y] + line[y] + pairs[x & 1][y].y;
}
