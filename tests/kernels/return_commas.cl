// SPDX-License-Identifier: BSD-3-Clause
// Barriers in the middle of statements, after a return that whole groups take.
// local 16 global 64
kernel void k(global const int *in, global int *out, int n)
{
    local int tile[16];
    int g = get_global_id(0), v = g;
    out[g] = 1;
    if (g >= n / 341)
        return;
    v += 2, barrier(CLK_LOCAL_MEM_FENCE), tile[get_local_id(0)] = in[g] + v, out[g + 64] = v;
    barrier(CLK_LOCAL_MEM_FENCE), out[g] = tile[15 - get_local_id(0)];
}
