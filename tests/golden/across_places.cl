// SPDX-License-Identifier: BSD-3-Clause
// --local=64 --vector=across=4
// Indices come from memory as vectors, but for those that not all lanes read.
__kernel void k(__global const uchar *in, __global const float *table, __global const int *at, __global float *out,
                int n)
{
    int i = get_global_id(0);
    float found = table[in[i]], other = found > 0 ? table[at[i + 1]] : 0;
    for (int j = 0; j < n; j++)
        found += table[at[j * n + i] * n + j];
    out[at[i]] = 2 * found + other;
}
