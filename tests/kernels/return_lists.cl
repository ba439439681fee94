// SPDX-License-Identifier: BSD-3-Clause
// Lists of initial values after a return that whole groups take.
// local 16 global 48
typedef struct { int a; int2 b[2]; global const int *p; float f; } node;
kernel void k(global const int *in, global int *out, int n)
{
    local int t[16];
    int g = get_global_id(0);
    if (g >= 32)
        return;
    const int w[2] = {in[g], in[g + 1] > 3 ? 1 : in[g + 2]};
    int2 v = {in[g], in[g + 1]};
    node m = {.p = in + in[g], .b = {[1] = vload2(g, in)}, .f = in[g] * .5f};
    t[get_local_id(0)] = v.x;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g + 64] = w[in[g] & 1] + v.y + t[3] + m.b[1].x + (int)m.f + *m.p + w[1];
}
