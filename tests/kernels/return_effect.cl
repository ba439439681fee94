// SPDX-License-Identifier: BSD-3-Clause
// A return that all take or none, by a condition that counts.
// local 16 global 64
kernel void k(global const int *in, global int *out, int n)
{
    local int tile[16];
    int g = get_global_id(0), u = n;
    tile[get_local_id(0)] = in[g];
    if ((u += 3) % 7 == 1)
        return;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = tile[15 - get_local_id(0)] + u;
    u++;
    out[g + 64] = u;
}
