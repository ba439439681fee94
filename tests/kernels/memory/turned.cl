// SPDX-License-Identifier: BSD-3-Clause
// local 16x8 global 32x16
// Rows that work-items read each one of, by both dimensions; a border; an element that is multiplied.
kernel void k(global const int *restrict in, global int *restrict out, int n)
{
    int x = get_global_id(0), y = get_global_id(1), w = 32;
    int sum = 0;
    for (int k0 = 0; k0 < 32; k0 += 8)
        for (int k = k0; k < k0 + 8; k++)
            sum += n * in[y * w + k] * in[4096 + x * w + k] + in[8192 + y * w + k] * in[8192 + (y + 2) * w + k];
    out[y * w + x] = sum;
}
