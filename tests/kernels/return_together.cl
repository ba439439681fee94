// SPDX-License-Identifier: BSD-3-Clause
// What those that have left must not do together with a barrier.
// local 16 global 64
// refuse groups 0: return_together.cl:14: memory access in one statement with what all work-items do after a return that diverges
// refuse 0: return_together.cl:14: memory access in one statement with what all work-items do after a return that diverges
kernel void k(global const int *in, global int *out, int n)
{
    local int tile[16];
    int g = get_global_id(0);
    out[g] = 1;
    tile[get_local_id(0)] = in[g];
    if (g >= n / 341)
        return;
    out[g + 64] = (barrier(CLK_LOCAL_MEM_FENCE), tile[15 - get_local_id(0)]);
    out[g] = 2;
}
