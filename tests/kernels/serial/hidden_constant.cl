// SPDX-License-Identifier: BSD-3-Clause
// local 16 global 64
constant int d = 100;

kernel void k(global const int *in, global int *out, int m)
{
    local int t[16];
    int l = get_local_id(0), g = get_global_id(0);
    int d = in[g];
    int e = d * 2;
    t[l] = e;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = e * t[15 - l] + m;
}
