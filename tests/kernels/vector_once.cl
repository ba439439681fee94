// SPDX-License-Identifier: BSD-3-Clause
// Macros that consist of do { } while (0), which are no loops; one that is left, one that is marked.
// local 16 global 64
#define STEP(a, b) do { a += b; b = rotate(b, 3u); } while (0)
#define LARGEST(a, x)           \
    do {                        \
        STEP(b, b); /* twice */ \
        if ((x) > (a))          \
            (a) = (x);          \
    } while (0)
#define NEXT(x) do { if (x > 3) break; x++; } while (0)
kernel void k(global const int *in, global int *out, int n)
{
    int g = get_global_id(0);
    uint a = in[g], b = in[g + 1];
    int s = 0, m = 0;
    for (int i = 0; i < 8; i++) {
        STEP(a, b);
        s += in[i];
    }
    for (int i = 0; i < 16; i++) {
        LARGEST(m, in[i]);
        NEXT(m);
    }
    if (g & 1) STEP(a, b); else STEP(b, a);
    #pragma unroll 2
    do { s += 3; } while (0);
    do
    {
        s ^= in[g];
    } while (0);
    int c = in[g + 2] & 7;
    NEXT(c);
    out[g] = a ^ b + c;
    out[g + 64] = s + m;
}
