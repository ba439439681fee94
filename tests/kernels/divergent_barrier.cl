// SPDX-License-Identifier: BSD-3-Clause
// A barrier under control that diverges as far as one can see.
// local 16 global 64
// refuse groups 0: divergent_barrier.cl:12: barrier inside a divergent region
// refuse 0: divergent_barrier.cl:12: barrier inside a divergent region
kernel void k(global const int *in, global int *out, int n)
{
    local int tile[16];
    int g = get_global_id(0);
    tile[get_local_id(0)] = in[g];
    if (g < n)
        barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = tile[15 - get_local_id(0)];
}
