// SPDX-License-Identifier: BSD-3-Clause
// Scalars, vectors and their components, declarations, shadowed names, chains, nested branches.
// local 16 global 64
kernel void k(global const int *in, global int *out, int n)
{
    int g = get_global_id(0), a = in[g], b = 3, c;
    uchar small = a;
    long wide = a;
    float f = a;
    uint4 v = (uint4)(g, 1, 2, 3);
    if (a % 2)
        b = a + 1;
    if (a > 500)
        c = a - 500;
    else
        c = 2;
    if (a % 3 == 0) {
        int b = a * 2; /* another b */
        small += b;
        wide -= small;
        v.yz = (uint2)(b, c);
        v += v.wzyx;
    } else if (a % 3 == 1) {
        f = f * 0.5f + b, c++;
        const float again = f;
        f -= again / 3.0f;
    } else {
        v = v ^ 7u;
        if (g & 1) {
            wide = small;
            if (g & 2)
                small--;
        } else
            --b;
        wide ^= b;
    }
    out[g] = b * 31 + c;
    out[64 + g] = small + (int)wide;
    out[128 + g] = as_int(f);
    out[192 + g] = (int)(v.x ^ v.y * 3 ^ v.z * 5 ^ v.w * 7);
}
