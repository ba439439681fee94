// SPDX-License-Identifier: BSD-3-Clause
// local 16 global 64
kernel void k(global const int *in, global int *out, int m)
{
    local int t[16];
    int l = get_local_id(0), g = get_global_id(0);
    int x = 0;
    t[l] = in[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    x = t[15 - l];
    barrier(CLK_LOCAL_MEM_FENCE);
    {
        int y = x;
        int x = in[g] + m;
        t[l] = x;
        barrier(CLK_LOCAL_MEM_FENCE);
        out[g] = x + y;
    }
}
