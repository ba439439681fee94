// SPDX-License-Identifier: BSD-3-Clause
// local 8x8 global 8x8
// A product of one element.
kernel void k(global const int *in, global int *out, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x < n / 16384 && y < n / 16384) {
        int sum = n;
        for (int i = 0; i < n / 16384; i++)
            sum += in[y * (n / 16384) + i] * in[n - 1 - i * (n / 16384) - x];
        out[y * (n / 16384) + x] = sum;
    }
}
