// SPDX-License-Identifier: BSD-3-Clause
// A matrix and what is transposed of it, in local memory; the diagonal belongs to one group.
// local 8x8 global 32x32
kernel void k(global const int *in, global int *out, int n)
{
    local int tile[8][9], sums[8];
    int x = get_global_id(0), y = get_global_id(1);
    int lx = get_local_id(0), ly = get_local_id(1);
    tile[ly][lx] = in[(get_group_id(0) * 8 + ly) * 32 + get_group_id(1) * 8 + lx];
    if (ly == 0)
        sums[lx] = get_group_id(0) * 100 + get_group_id(1);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 3; i++) {
        int kept = tile[lx][ly] + sums[(lx + i) & 7];
        barrier(CLK_LOCAL_MEM_FENCE);
        tile[lx][ly] = kept * 3;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[y * 32 + x] += in[y * 32 + x] * 5 + tile[lx][ly];
    if (get_global_id(0) - get_local_id(0) == 8)
        out[y * 32 + x] ^= 7;
}
