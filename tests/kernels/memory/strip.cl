// SPDX-License-Identifier: BSD-3-Clause
// local 8x4 global 64x16
// Loops of unknown trip counts: tiles are filled for parts of them, and what is left is done without.
kernel void k(global const int *in, global int *restrict out, int n)
{
    int x = get_global_id(0), y = get_global_id(1), w = n / 256, m = n / 341, k, sum = 0;
    if (x > 1 && x < w - 3) {
        for (k = 0; k < m; k++)
            sum += in[y * w + k] * in[x * w + k];
        for (int j = m; j >= 0; j -= 3)
            sum += in[x + j];
        out[y * w + x] = sum + k;
    }
}
