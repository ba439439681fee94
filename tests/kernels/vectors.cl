// SPDX-License-Identifier: BSD-3-Clause
// Vector types, swizzles, conversions.
// local 16 global 64
#define MAKE(a, b) ((int4)(a, b, 1, 2))
kernel void k(global const int *in, global int *out, int n)
{
    int g = get_global_id(0);
    int4 u = (int4)(n), v = MAKE(g, 5);
    int4 w = vload4(g, in);
    v.xy = v.yx + w.zw;
    u.s3 += 4;
    v.lo = (int2)(1 + v.hi.x);
    w = convert_int4(convert_float4(w) * 0.5f);
    float f = as_float(in[g]) + 1.0f;
    int4 c = v > w;
    v = select(v, w, c);
    uchar4 b = as_uchar4(g);
    vstore4(u + v + w, g, out);
    out[1024 + g] = as_int(f) + b.x + (int)sizeof(v) + u.w;
    out[1100 + g] = any(v == w) ? (int)dot((float4)(1.0f), (float4)(g, 2, 3, 4)) : 0;
}
