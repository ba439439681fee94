// SPDX-License-Identifier: BSD-3-Clause
// Divergence through private arrays, local and global memory.
// local 16 global 64
kernel void k(global const int *in, global int *out, int n)
{
    local int tile[16];
    int table[8];
    int l = get_local_id(0);
    for (int i = 0; i < 8; i++)
        table[i] = i;
    table[l & 7] = 100 + l;
    tile[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    int first = tile[0], other = tile[15 - l];
    int sum = first;
    for (int i = 0; i < 8; i++)
        sum = sum * 3 + table[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    tile[l] = sum + other;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tile[(l + 5) % 16];
}
