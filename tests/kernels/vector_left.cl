// SPDX-License-Identifier: BSD-3-Clause
// A return that not all take, after a barrier, and local memory that is declared after it.
// local 16 global 64
kernel void k(global const int *in, global int *out, int n)
{
    local int first[16];
    int l = get_local_id(0);
    int g = get_global_id(0);
    first[l] = in[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = first[15 - l];
    if (g > 50)
        return;
    local int second[16];
    second[l] = out[g] * 3;
    out[64 + g] = second[l] + first[l];
}
