// SPDX-License-Identifier: BSD-3-Clause
// local 8x8 global 32x16
// The tiles of two matrices, by a loop that was strip-mined; a third buffer's elements are read
// once. One is multiplied by an argument.
kernel void k(global const int *in, global int *out, int n)
{
    int x = get_global_id(0), y = get_global_id(1), width = 32;
    int sum = in[8192 + y * 32 + x];
    for (int k0 = 0; k0 < 32; k0 += 8)
        for (int k = k0; k < k0 + 8; k++)
            sum += n * in[y * width + k] * in[4096 + k * width + x];
    out[y * width + x] = sum;
}
