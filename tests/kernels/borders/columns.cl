// SPDX-License-Identifier: BSD-3-Clause
// local 4x4x1 global 8x8x2
// Windows of 8 x 8 images: counters from both ends, one end alone, more in a condition, and what counts outside, too.
kernel void k(global const int *in, global int *out, int n)
{
    int x = get_global_id(0), y = get_global_id(1), image = get_global_id(2), s = n, count = 0, r = 1 + (n & 1);
    int2 pair = (int2)(n, 1);
    for (int dy = r; dy >= -r; dy--)
        for (int dx = r; dx >= -r; dx--) {
            int u = x - dx, v = y + dy;
            if (v >= 0 && v < 8 && u < 8 && u >= 0 && in[v * 8 + u] > 3) {
                s += in[v * 8 + u] * (dx + 3);
                count++;
            }
        }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 20; j++) {
            if (y + i >= 8)
                continue;
            if (x + j > 7)
                continue;
            int t = in[(y + i) * 8 + x + j];
            pair.x ^= t + j;
            pair.y += t * i;
        }
    for (int i = -1; i <= 1; i++)
        for (int j = -1; j <= 1; j++) {
            s += j;
            if (y + i >= 0 && y + i < 8 && x + j >= 0 && x + j < 8)
                s ^= in[(y + i) * 8 + x + j] * 3;
        }
    for (int i = -1; i <= 1; i++)
        for (int j = -3; j < 3; j += 2)
            if (y + i >= 0 && y + i < 8 && x + j >= 0 && x + j < 8)
                s += in[(y + i) * 8 + x + j] - j;
    for (int i = -1; i <= 1; i++)
        for (int j = -1; j <= 1; j++) {
            if (y + i >= 0 && y + i < 8 && x + j >= 0 && x + j < 8)
                s += in[(y + i) * 8 + x + j] << i + 1;
            if (y + i >= 0 && y + i < 8 && x + j >= 1 && x + j < 8)
                count += in[(y + i) * 8 + x + j];
        }
    for (int i = -1; i <= 1; i++)
        for (int j = -1; j <= 1; j++)
            if (y + i >= 0 && y + i < 8 && x + j >= 20 && x + j < 28)
                s += in[(y + i) * 8 + x + j] + 1;
    int at = 0, left = 60;
    for (int i = -1; i <= 1; i++)
        for (int j = -1; j <= 1; j++)
            if (y + i >= 0 && y + i < 8 && x + j >= 0 && x + j < 8) {
                at += 7; /* what is read depends on what was */
                s += in[at] + (left > 0 ? in[60 - left] : 0);
                left -= 7;
            }
    for (int i = -1; i <= 1; i++)
        for (int j = -1; j <= 1; j++)
            if (y + i >= 0 && y + i < 8 && x + j >= 0 && x + j < 8 && in[(y + i) * 8 + x + j] > count)
                count = max(count, in[(y + i) * 8 + x + j]);
    out[(image * 8 + y) * 8 + x] = s + count * 3 + pair.x + pair.y * 7;
}
