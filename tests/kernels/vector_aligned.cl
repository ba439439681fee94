// SPDX-License-Identifier: BSD-3-Clause
// Arrays in local memory of what vectors do not hold: structures, and vectors.
// local 16 global 64
typedef struct { int a, b; char c; } node;
kernel void k(global const int *in, global int *out, int n)
{
    local node nodes[16];
    local int4 fours[16];
    int lid = get_local_id(0), gid = get_global_id(0);
    node one = {in[gid], gid, 3};
    nodes[lid] = one;
    fours[lid] = (int4)(in[gid], gid, 5, 7);
    barrier(CLK_LOCAL_MEM_FENCE);
    node other = nodes[15 - lid];
    int4 four = fours[lid ^ 1] + nodes[lid].a;
    out[gid] = other.a + other.b * 3 + other.c + four.x * four.w;
}
