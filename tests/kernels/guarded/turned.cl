// SPDX-License-Identifier: BSD-3-Clause
// local 8x8 global 24x24
// A product with a transposed matrix, which is accumulated in memory, behind two guards.
kernel void k(global const int *in, global int *out, int n)
{
    size_t x = get_global_id(0), y = get_global_id(1);
    if (x <= n / 1000) {
        if ((uint)y < 21) {
            out[y * 17 + x] = (int)(x + y);
            for (int i = 0; i < n / 700; i++)
                out[y * 17 + x] += in[i * 21 + y] * in[n - 17 * (n / 700) + x * (n / 700) + i];
        }
    }
}
