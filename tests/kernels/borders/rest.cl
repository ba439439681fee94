// SPDX-License-Identifier: BSD-3-Clause
// Indices that are limited to an 8 x 8 image by a kernel without loops over neighbours.
// local 16 global 64
kernel void k(global const int *in, global int *out, int n)
{
    int g = get_global_id(0), x = g & 7, y = g >> 3, s = n;
    int l = max(x - 1, 0), r = min(x + 1, 7), u = max(y - 1, 0);
    int far = y + 2;
    const int d = min(far, 7);
    s += in[u * 8 + l] + 2 * in[u * 8 + r] - in[d * 8 + x] * 5 + in[clamp(g - 3, 0, 63)];
    if (s & 1)
        s += in[min(max(x + 3, 1), 7)] + min(n, 5);
    for (int i = 0; i < 3; i++) {
        x = min(x + i, 7);
        s ^= in[max(y - 2, 0) * 8 + x] + max(s, y);
    }
    if (g == 9) {
        out[g] = -s;
        return;
    }
    out[g] = s + max(g, s);
}
