// SPDX-License-Identifier: BSD-3-Clause
// Local arrays that are the same for all work-groups, beside ones that are not: by their values, by
// their indices, by a condition, by another array, and by a pointer.
// local 16 global 64
kernel void k(global const int *in, global int *out, int n)
{
    local int table[16], squares[4][4], tile[16], placed[16], some[16], derived[16], pointed[16];
    local int *p = pointed;
    int l = get_local_id(0), g = get_global_id(0), w = get_group_id(0);
    table[l] = in[l] & 255;
    squares[l / 4][l % 4] = l * l;
    tile[l] = in[g];
    placed[(l + w) & 15] = l;
    some[l] = 1;
    if (w & 1)
        some[l] = 5;
    p[l] = w;
    barrier(CLK_LOCAL_MEM_FENCE);
    derived[l] = tile[15 - l] + table[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 3; i++) {
        table[l] += squares[i][l & 3];
        barrier(CLK_LOCAL_MEM_FENCE);
        tile[l] += table[(l + i) & 15];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[g] = table[in[g] & 15] + tile[l] + placed[l] * 100 + some[15 - l] + derived[l] +
             pointed[(l + 1) & 15];
}
