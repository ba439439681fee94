// SPDX-License-Identifier: BSD-3-Clause
// local 16 global 64
constant int scale = 3;

int scaled(int x)
{
    return x * scale;
}

void put(local int *t, int l, int v)
{
    t[l] = v * scale;
    barrier(CLK_LOCAL_MEM_FENCE);
}

kernel void k(global const int *in, global int *out, int m)
{
    local int t[16];
    int l = get_local_id(0), g = get_global_id(0);
    ushort a = (ushort)in[g];
    const ulong b = a + 3ul;
    int2 c = (int2)((int)b, l);
    global const int *p = in + (a & 15);
    {
        int f = c.x ^ p[l], scale = f + l;
        put(t, l, f + scale);
        f = t[15 - l];
        if (m & 1) {
            int a = f + (int)b, scale = a + c.y;
            barrier(CLK_LOCAL_MEM_FENCE);
            put(t, l, scaled(a) + scale);
            out[64 + g] = t[l ^ 1] + a + scaled(scale);
        }
        out[g] = f + scale + p[l];
    }
}
