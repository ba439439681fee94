/* SPDX-License-Identifier: BSD-3-Clause */
/* The game of life, round a torus. */
kernel void life(global const uchar *in, global uchar *out, const int w, const int h)
{
    const int x = get_global_id(0), y = get_global_id(1);
    int n = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (dx || dy)
                n += in[((y + dy + h) % h) * w + (x + dx + w) % w] & 1;
    out[y * w + x] = n == 3 || (n == 2 && (in[y * w + x] & 1));
}
