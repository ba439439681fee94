// SPDX-License-Identifier: BSD-3-Clause
// local 4x4x1 global 8x8x2
// An 8 x 8 image without an end, n times 8 and less: in loops over neighbours, and by sums that are no neighbours.
kernel void k(global const int *in, global int *out, int n)
{
    int x = get_global_id(0), y = get_global_id(1), image = get_global_id(2), w = 8 - (n & 1), s = n;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            s += in[(y + dy + w) % w * 8 + (x + dx + w) % w] * (dy * 3 + dx + 5);
    for (int i = 0; i < 3; i++) {
        int u = (x + i) % w, v = (w + (y - i)) % w;
        if (min(x + i, 7))
            s ^= in[v * 8 + u];
        s += (s + i) % 64 + (x * i) % w + (min(y - i, 0) ? 3 : 5);
    }
    out[(image * 8 + y) * 8 + x] = s;
}
