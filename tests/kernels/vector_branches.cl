// SPDX-License-Identifier: BSD-3-Clause
// Divergent branches: selected, together, apart, with stores, loads under conditions, divisions that
// only some lanes may do, nested, and those on which all lanes of a vector agree.
// local 32 global 64
kernel void k(global const int *in, global int *out, int n)
{
    int g = get_global_id(0), l = get_local_id(0);
    int v = in[g], w = 7;
    float f = v * 0.5f;
    char c = v;
    if (v > 500) {
        int twice = 2 * v;
        w = twice - g;
        f *= 1.5f;
        if (f > 300.0f)
            c += 3;
        else
            w--;
    } else if (v & 1) {
        c = g;
    }
    out[g] = w + c + (int)f;
    if (g < 61) {
        out[64 + g] = in[g + 3] * w;
        if (in[g] > 200)
            out[128 + g] = in[g - g % 2] + 1;
        else
            out[128 + g] = -1;
    }
    if (v % 3)
        w = 1000 / (v % 3);
    out[192 + g] = v % 5 ? v / (v % 5) : -1;
    out[256 + g] = g < 50 && in[g + 1] > 500 ? in[g + 2] : w;
    if (l < 16) {
        int k = l * 3;
        out[320 + g] = k + v;
    } else {
        int k = l - 16;
        out[320 + g] = in[k] - v;
    }
    if (l >= 8 && l < 24)
        out[384 + g] = in[g] + l;
    out[448 + g] = (v > w) == (g > 9) ? v : w + !(v > w);
    switch (v & 3) {
    case 0:
        w += 5;
        break;
    case 1:
        w = 3;
    default:
        c = 4;
    }
    out[512 + g] = w + c;
}
