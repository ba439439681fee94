// SPDX-License-Identifier: BSD-3-Clause
// A border in a loop beside a condition that is a number alone, of which no part can be compared with a bound.
// local 16 global 64
kernel void k(global const int *in, global int *out, int n)
{
    int i = get_global_id(0), sum = in[i] & 1, m = min(n, 64);
    for (int j = -1; j <= 1; j++) {
        if (sum)
            sum += 2;
        if (i + j >= 0 && i + j < m)
            sum += in[i + j];
    }
    out[i] = sum;
}
