// SPDX-License-Identifier: BSD-3-Clause
// local 16 global 64
// Work-items past the end return; the others go through a loop with a pragma, before which a tile is
// filled again and again: what guards the loop comes before its pragma.
kernel void k(global const int *in, global int *out, int n)
{
    int x = get_global_id(0), sum = 0;
    if (x >= n / 300)
        return;
    for (int part = 0; part < n / 4096; part++) {
#pragma unroll 2
        for (int i = 0; i < 5; i++)
            sum = 3 * sum + in[64 * part + x + i];
    }
    out[x] = sum;
}
