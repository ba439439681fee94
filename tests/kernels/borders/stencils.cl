// SPDX-License-Identifier: BSD-3-Clause
// Conditions at the border of an 8 x 8 image: of counters, of what is computed from them, and of unknown radii.
// local 16 global 64
kernel void k(global const int *in, global int *out, int n)
{
    int g = get_global_id(0), x = g & 7, y = g >> 3, s = 0, r = n & 1;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (y + dy >= 0 && y + dy < 8 && x + dx >= 0 && x + dx < 8)
                s += in[(y + dy) * 8 + x + dx] * (dy * 3 + dx + 5);
    for (int j = 0; j < 5; j += 2) {
        int row = y + j - 2;
        if (row < 0 || row >= 8)
            continue;
        for (int i = 2; i > -3; i--) {
            int column = x - i;
            if (column < 0 || column >= 8)
                continue;
            s ^= in[row * 8 + column] + i;
        }
    }
    for (int i = -r; i <= r; i++) {
        s += x + i >= 0 && 8 > x + i ? in[g + i] : 7;
        if (!(y + i < 0) && !(y - i > 7) && in[g] > 100)
            s += 3 * i;
        else
            s -= i;
    }
    for (int t = 0; t < 60; t += 16) {
        for (int i = 0; i < 16; i++)
            if (t + i < 60)
                s += in[t + i] & i;
        if (s > 1 << 20)
            break;
    }
    for (int i = 0; i < r - 1; i++)
        if (x + i < 8)
            s = 0;
    out[g] = s;
}
