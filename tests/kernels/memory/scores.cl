// SPDX-License-Identifier: BSD-3-Clause
// local 16x16x1 global 64x64x2
// Rows by rows for each problem, those beyond the diagonal masked: the rows of both sides together
// do not fit into local memory, tiles of them do.
kernel void k(global const int *in, global int *out, int n)
{
    int x = get_global_id(0), y = get_global_id(1), problem = get_global_id(2);
    int sum = n;
    for (int d = 0; d < 64; d++)
        sum += in[(problem * 64 + y) * 64 + d] * in[8192 + (problem * 64 + x) * 64 + d];
    out[(problem * 64 + y) * 64 + x] = x > y ? -1 : sum;
}
