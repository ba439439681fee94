// SPDX-License-Identifier: BSD-3-Clause
// A barrier after returns that whole groups take, as far as the host sees to it.
// local 16 global 64
// groups crash PoCL 3.1, which does not take a second return after them
kernel void k(global const int *in, global int *out, int n)
{
    local int tile[16];
    int g = get_global_id(0);
    int u = 3, v = g;
    out[g] = 1;
    if (g >= n / 341)
        return;
    const int w = in[g] + in[g + 1], x = g * 2;
    float4 f = (float4)(in[g]);
    tile[get_local_id(0)] = w, u += 4;
    if (g % 2)
        v++;
    for (int i = 0; i < 3; i++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        v += tile[(15 - get_local_id(0) + i) & 15];
        u++;
    }
    if (get_group_id(0) == 1)
        return;
    if (g / 16 == 0) {
        return;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    tile[get_local_id(0)] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) > 12)
        return;
    out[g] = tile[3 + get_local_id(0)] + u + w + x + (int)f.y;
}
