// SPDX-License-Identifier: BSD-3-Clause
// local 4 global 8
// Counters that are negative, after signs.
kernel void k(global const int *restrict in, global int *restrict out, int n)
{
    int g = get_global_id(0) + 8, s = 0;
    for (int k = -1; k <= 1; k++)
        s += in[g-k];
    for (int k = -2; k < 3; k++) {
        s -= -k;
        s += g-k*2 - -k;
        s = s-k+-k;
        s = s---k;
    }
    for (long k = 1; k >= -1; k--)
        s = s * 3 + in[g-(k)] + (int)-k;
    out[g] = s;
}
