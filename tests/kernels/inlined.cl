// SPDX-License-Identifier: BSD-3-Clause
// Functions that hold barriers, with results, names that clash, and functions inside them.
// local 16 global 64
void fence(void)
{
    barrier(CLK_LOCAL_MEM_FENCE);
}
inline int turn(local int *tile, int by)
{
    int l = get_local_id(0), g = by + 1;
    fence();
    int value = tile[(l + by) & 15];
    fence();
    tile[l] = value + g;
    fence();
    return tile[15 - l] * 2;
}
static float share(local int *tile, const int x)
{
    tile[get_local_id(0)] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    int sum = 0;
    for (int i = 0; i < 16; i++)
        sum += tile[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    return sum / 3;
}
kernel void k(global const int *in, global int *out, int n)
{
    local int tile[16];
    int g = get_global_id(0), by = 3, l = 5;
    tile[get_local_id(0)] = in[g];
    const int value = turn(tile, by);
    int sum = 1;
    sum += turn(tile, sum + l);
    fence();
    for (int i = 0; i < 3; i++)
        sum = share(tile, sum & 255);
    fence();
    out[g] = value * 3 + sum + by + l;
}
