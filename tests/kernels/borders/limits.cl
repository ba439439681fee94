// SPDX-License-Identifier: BSD-3-Clause
// Indices that are limited to an 8 x 8 image: by min, max, clamp, ?: and branches after their declaration.
// local 16 global 64
kernel void k(global const int *in, global int *out, int n)
{
    int g = get_global_id(0), x = g & 7, y = g >> 3, s = 0, r = n & 1;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -2; dx <= 2; dx++) {
            int u = x + dx, v = y + dy;
            u = clamp(u, 0, 7);
            if (v < 0)
                v = 0;
            if (v >= 8)
                v = 7;
            s += in[v * 8 + u] * (dy * 5 + dx + 9);
        }
    for (int j = 4; j >= 0; j -= 2) {
        int row = y + j - 2;
        int column = x - j;
        row = row < 0 ? 0 : row >= 8 ? 7 : row;
        if (column < 0)
            column = -column;
        else if (column > 5)
            column = 5;
        s ^= in[row * 8 + column] + j;
    }
    for (int i = -r; i <= r; i++) {
        int at = g + i;
        at = max(at, 1);
        s += 3 * in[min(63, at)] + min(i, 0) + max(s, i);
        if (at == 5)
            at = s & 63;
        s += in[at];
        at = x + i;
        s += in[min(7, max(0, at))];
    }
    out[g] = s;
}
