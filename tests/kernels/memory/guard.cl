// SPDX-License-Identifier: BSD-3-Clause
// local 8x4 global 32x16
// Work-items past the end of two dimensions are kept from all by guards; neighbours read rows of
// their own, once, and those of others.
kernel void k(global const int *in, global int *out, int n)
{
    int x = get_global_id(0), y = get_global_id(1), width = n / 600;
    if (x < width) {
        int sum = x;
        if (12 >= y)
            if (n > x) {
            for (int k0 = 0; k0 < 64; k0 += 8)
                for (int k = k0; k < k0 + 8; k++)
                    sum = 3 * sum + (in[x * 64 + k] ^ in[4096 + y * 64 + k]);
            for (int k = 0; k < 4; k++)
                sum += in[n - 1 - (width - 1 - x) * 64 - k];
            out[y * 32 + x] = sum;
        }
    }
}
