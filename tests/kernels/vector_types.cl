// SPDX-License-Identifier: BSD-3-Clause
// Vectors of every type, signed and unsigned mixed: promotions, conversions, shifts, wrap-around.
// local 16 global 64
kernel void k(global const int *in, global int *out, int n)
{
    int g = get_global_id(0);
    char c = in[g];
    uchar b = in[g] + 200;
    short s = in[g] * 77;
    ushort t = in[g] * 99;
    uint u = in[g] - 500;
    long l = (long)in[g] << 33;
    ulong m = 0xFFFFFFFF00000000UL + in[g];
    float f = in[g];
    c += 100;
    b++;
    s *= 3;
    t = -t;
    u = u * 2654435761u - b;
    l -= c * s;
    m >>= in[g] & 31;
    out[g] = c + b + s + t;
    out[64 + g] = (int)(u >> 3) + (int)(l >> 20) + (int)m;
    out[128 + g] = (c < b) + (s > u) + 10 * (l == m) + 100 * (u < -1) + (g - 70 < u);
    out[192 + g] = u / 7 + in[g] % 13 + (int)(f / 3.0f) + (int)(f * 0.3) - ~b;
    out[256 + g] = (c << 3) ^ (b >> 1) ^ (s << (g & 7)) ^ (1u << g) ^ (-1 >> (t & 3));
    out[320 + g] = !c + !f + (in[g] && b) + (c || n) - (uchar)(g * 9) + (char)(b * 3) + (bool)s;
    out[384 + g] = as_int(f) + (int)as_uint(f * 2.0f) + (short)u + (ushort)(-g) + convert_int_rte(f * 0.7f);
    out[448 + g] = (int)(m % 1000) + (int)((long)g - 100000000000L) + (int)(u * 1.0f / n);
}
