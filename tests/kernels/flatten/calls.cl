// SPDX-License-Identifier: BSD-3-Clause
// Calls of functions, the user's own and built-in ones, and results through pointers.
// local 16 global 64
int twice(int a) { return a * 2; }
int folded(int a, int b) { if (a > b) return twice(a) - b; return a ? b : 1; }
void both(int *a, int b) { *a += b; if (b & 1) *a = twice(b); }
kernel void k(global const int *in, global int *out, int n)
{
    int g = get_global_id(0), a = in[g], b = g;
    float f = a, whole = 0.0f;
    if (a % 3 == 1) {
        b = folded(a, b) + clamp(a, 10, 20);
        both(&a, b);
    } else {
        both(&b, a);
        f = fract(f / 7.0f, &whole);
        f += mad(f, 2.0f, (float)get_local_size(0)) + sqrt(fabs(f));
    }
    out[g] = a ^ b;
    out[64 + g] = as_int(f);
    out[128 + g] = as_int(whole);
}
