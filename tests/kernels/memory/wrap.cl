// SPDX-License-Identifier: BSD-3-Clause
// local 16 global 64
// An unsigned limit that wraps around below 0: all work-items go on.
kernel void k(global const int *in, global int *restrict out, int n)
{
    uint x = get_global_id(0), end = (uint)n - 100000u;
    if (x < end) {
        int sum = 0;
        for (int i = 0; i < 8; i++)
            sum += in[x + i] * (i + 1);
        out[x] = sum;
    }
}
