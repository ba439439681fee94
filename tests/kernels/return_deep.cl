// SPDX-License-Identifier: BSD-3-Clause
// A barrier after a return that not all take and that is not a plain one.
// local 16 global 64
// refuse groups 0: return_deep.cl:16: barrier after a return that diverges, in line 10
// refuse 0: return_deep.cl:16: barrier after a return that diverges, in line 10
kernel void k(global const int *in, global int *out, int n)
{
    local int tile[16];
    int g = get_global_id(0);
    if (g >= n) {
        out[g] = 1;
        if (n > 3)
            return;
    }
    tile[get_local_id(0)] = in[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = tile[15 - get_local_id(0)];
}
