// SPDX-License-Identifier: BSD-3-Clause
// A return from a loop with a pragma in front, and what follows it.
// local 16 global 64
kernel void k(global const int *in, global int *out, int n)
{
    int g = get_global_id(0);
    n /= 1024;
    out[g] = -1;
#pragma unroll 2
    for (int i = 0; i < n; i++)
        if (in[i] % 7 == g % 9) {
            out[g] = i;
            return;
        }
    out[g] = g;
    if (g % 3 == 0) {
        out[g] += n;
        return;
    }
    out[g] *= 2;
}
