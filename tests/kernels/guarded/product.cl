// SPDX-License-Identifier: BSD-3-Clause
// local 8x4 global 24x16
// zero
// A product of sizes that no tile divides, with an early return; a is where memory ends.
kernel void k(global const int *in, global int *out, int n)
{
    const int m = 13, width = n / 800, depth = n / 600;
    int x = get_global_id(0), y = get_global_id(1);
    if (y >= m || x >= width)
        return;
    float sum = 0;
    for (int i = 0; i < depth; i++)
        sum += (float)in[n - m * depth + y * depth + i] * in[i * width + x];
    out[y * width + x] = 2 * (int)sum + 3 * out[y * width + x];
}
