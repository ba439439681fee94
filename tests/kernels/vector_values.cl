// SPDX-License-Identifier: BSD-3-Clause
// Values that are written in rare ways: as_type of as_type and of constants, commas, designators, sizes.
// local 16 global 64
typedef struct { int a; float b[3]; struct { int x, y; } in; } node;
constant int table[8] = {[3] = 7, 5, [0] = 1};
kernel void k(global const int *in, global int *out, int n)
{
    int g = get_global_id(0), a, b;
    float x = in[g];
    out[g] = as_int(as_float(as_uint(x) & 0x7fffff00u) * 2) ^ as_int(x > 500 ? INFINITY : -M_PI_F);
    out[g] += as_int(FLT_MAX - x) + as_uchar4(in[g] ^ INT_MAX).wzyx.y + (in[g] == 7 ? INT_MIN : 3);

    int e = (a = in[g], b = a + 1, a * b);
    int f = (n > 3, in[g]) + (n, 5);
    for (a = 0, b = in[g]; a < 5; a++, b++)
        f += a * b, e ^= a;
    float y = (f, n);
    if (n, in[g] & 1)
        f += (n, 2);
    out[64 + g] = e + f + b + max(f, (n, 7)) + in[(n, g)], out[64 + g] += y;
    out[128 + g] = (n, 5);

    node m = {.b = {[1] = .5f, 2.5f}, .a = in[g], .in.y = 3, .in.x = g};
    node l[2] = {[1] = {.a = in[g + 1]}, [0].a = 4};
    int v[4] = {[2] = in[g], [0] = 3, in[g + 1]};
    int z = {in[g]};
    out[192 + g] = m.a + (int)(m.b[1] * 2) + m.in.y * 100 + l[1].a * 10 + l[0].a + m.in.x;
    out[256 + g] = v[0] + v[1] * 3 + v[2] * 5 + v[3] + table[in[g] & 7] + z + (int)m.b[2] * 7;
    out[320 + g] = in[g] + (int)(sizeof(x) + sizeof(v[1])) + vec_step(x);
}
