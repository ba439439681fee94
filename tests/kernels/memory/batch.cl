// SPDX-License-Identifier: BSD-3-Clause
// local 16x16x1 global 16x16x8
// A product of 16 x 16 for each problem: rows of a known length, which merged work-items read
// further along, and a dimension with one work-item a group.
#define N 16
kernel void k(global const int *in, global int *out, int n)
{
    int x = get_global_id(0), y = get_global_id(1), problem = get_global_id(2);
    int sum = n;
    for (int k = 0; k < N; k++)
        sum += in[(problem * N + y) * N + k] * in[4096 + (problem * N + k) * N + x];
    out[(problem * N + y) * N + x] = sum;
}
