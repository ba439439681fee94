// SPDX-License-Identifier: BSD-3-Clause
// Memory that is read in the head of a loop, by work-items that may have left.
// local 16 global 64
// refuse groups 0: return_head.cl:13: memory access in the head of a loop after a return that diverges
// refuse 0: return_head.cl:13: memory access in the head of a loop after a return that diverges
kernel void k(global const int *in, global int *out, int n)
{
    local int tile[16];
    int g = get_global_id(0), s = 0, j = 0;
    if (g >= n)
        return;
    tile[get_local_id(0)] = in[g];
    for (int i = 0; i < 3; i++, j += in[g]) {
        barrier(CLK_LOCAL_MEM_FENCE);
        s += tile[15 - get_local_id(0)] + j;
    }
    out[g] = s;
}
