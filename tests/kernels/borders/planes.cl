// SPDX-License-Identifier: BSD-3-Clause
// local 4x4x1 global 8x8x2
// Borders of 8 x 8 images, by conditions and by clamp: work-items next to each other differ by columns, not by rows.
kernel void k(global const int *in, global int *out, int n)
{
    int x = get_global_id(0), y = get_global_id(1), image = get_global_id(2), s = n;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (y + dy >= 0 && y + dy < 8 && x + dx >= 0 && x + dx < 8)
                s += in[(image & 1) * 64 + (y + dy) * 8 + x + dx] * (dy * 3 + dx + 5);
    for (int c = 0; c < 2; c++)
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                int yy = y + i - 1, xx = x + j - 1;
                if (yy < 0 || yy >= 8 || xx < 0 || xx >= 8)
                    continue;
                s ^= in[c * 64 + yy * 8 + xx] * (image + i * 3 + j);
            }
    for (int i = -2; i <= 2; i++) {
        int row = clamp(y + i, 0, 7);
        s += in[row * 8 + clamp(x - i, 0, 7)] + min(x + i, 5);
    }
    for (int i = 0; i < 4; i++)
        s += x + i < 8 ? in[x + i] : 3;
    out[(image * 8 + y) * 8 + x] = s;
}
